// SPDX-License-Identifier: Apache-2.0
// A recorded session with two controllers (GLOVE_HANDS_DATA), played through the runtime at its own 90 Hz: no finger
// jumps, and thumbs lie and rise as the table says. Not covered: whether it feels right.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "openxr/finger_shares.hpp"
#include "openxr/fingers_fixture.hpp"
#include "recordings.hpp"

namespace glove::test {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;
constexpr double kFrameSeconds = 1.0 / 90;

// Each button is pressed, touched, value; in the order of WebXR's "xr-standard" and then as the browser has it.
enum Button : std::size_t { kTrigger, kSqueeze, kThumbstick = 3, kLower, kUpper, kThumbrest };

bool is_touched(const json& buttons, Button button) {
    return buttons.at(button).at(1) != 0;
}

class ControllerReplay : public FingersTest {
protected:
    void play(std::size_t hand, const json& side) const {
        const json& buttons = side.at("buttons");
        const std::string lower = hand == 0 ? "x/touch" : "a/touch";
        const std::string upper = hand == 0 ? "y/touch" : "b/touch";
        runtime().controllers[hand].change([&](ControllerScript& controller) {
            const auto grip = side.at("grip").get<std::array<float, 7>>();
            controller.grip.in_stage = {{grip[3], grip[4], grip[5], grip[6]}, {grip[0], grip[1], grip[2]}};
            controller.inputs = {{"trigger/value", buttons.at(kTrigger).at(2).get<float>()},
                                 {"trigger/touch", is_touched(buttons, kTrigger) ? 1.0f : 0.0f},
                                 {"squeeze/value", buttons.at(kSqueeze).at(2).get<float>()},
                                 {"thumbstick/touch", is_touched(buttons, kThumbstick) ? 1.0f : 0.0f},
                                 {lower, is_touched(buttons, kLower) ? 1.0f : 0.0f},
                                 {upper, is_touched(buttons, kUpper) ? 1.0f : 0.0f},
                                 {"thumbrest/touch", is_touched(buttons, kThumbrest) ? 1.0f : 0.0f}};
        });
    }

    struct PerHand {
        ControllerInputs inputs;
        Turns turns{};
        Clock::time_point at;
        Clock::time_point touch_changed;
        double largest_step = 0;  // of a frame in which nothing was pulled
        int pulls = 0;
        int touches = 0;
        int thumbs_up = 0;  // frames in which the hand grips and the thumb rests on nothing
        int thumbs_down = 0;
    };
};

// The index finger that lies on a trigger is bent a little; the table knows nothing of that.
constexpr double kTouchedTrigger = 0.15;

TEST_F(ControllerReplay, NoFingerJumpsAndThumbsFollowTheTable) {
    const std::optional<json> recording = read_recording(kControllerSession);
    if (!recording) {
        GTEST_SKIP() << kNoControllerSession;
    }
    const json& session = *recording;
    write_config("[wrist]\nsource = \"controller\"\n");
    begin_program();
    trackers_ = {make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
    hold(0, kTouch);
    hold(1, kTouch);
    const std::array<FingerShares, 2> fingers{FingerShares(Hand::left), FingerShares(Hand::right)};
    std::array<PerHand, 2> hands;
    int frames = 0;
    Clock::time_point due = Clock::now();
    for (const json& frame : session.at("frames")) {
        std::this_thread::sleep_until(due);
        due += std::chrono::microseconds(11'111);
        for (const std::size_t hand : {0u, 1u}) {
            play(hand, frame.at(hand == 0 ? "left" : "right"));
        }
        ASSERT_TRUE(XR_SUCCEEDED(sync({set_})));
        const Clock::time_point now = Clock::now();
        (void)poll_events();
        for (const std::size_t hand : {0u, 1u}) {
            SCOPED_TRACE(::testing::Message() << "hand " << hand << ", frame " << frames);
            PerHand& of = hands[hand];
            HandAnswer answer;
            ASSERT_EQ(locate(trackers_[hand], stage_, runtime().now(), answer), XR_SUCCESS);
            ASSERT_TRUE(answer.active());
            EXPECT_TRUE(is_whole(answer));
            const Turns turns = turns_of(poses_of(answer));
            const Shares shares = fingers[hand].of(answer);

            const json& buttons = frame.at(hand == 0 ? "left" : "right").at("buttons");
            ControllerInputs inputs{buttons.at(kTrigger).at(2), buttons.at(kSqueeze).at(2), false};
            if (is_touched(buttons, kTrigger)) {
                inputs.trigger = std::max(inputs.trigger, kTouchedTrigger);
            }
            for (const Button button : {kThumbstick, kLower, kUpper, kThumbrest}) {
                inputs.touch = inputs.touch || is_touched(buttons, button);
            }
            if (frames == 0) {
                of.touch_changed = now - std::chrono::seconds(1);
            } else {
                if (inputs.touch != of.inputs.touch) {
                    of.touch_changed = now;
                    ++of.touches;
                }
                const double pull =
                    std::abs(inputs.trigger - of.inputs.trigger) + std::abs(inputs.grip - of.inputs.grip);
                const double step = largest_turn(of.turns, turns);
                // No bone turns by more than this from open to closed, and a whole pull closes a finger once. What a
                // late frame adds is not a jump.
                constexpr double kWholePullDegrees = 120;
                const double late = std::max(1.0, std::chrono::duration<double>(now - of.at).count() / kFrameSeconds);
                EXPECT_LT(step, 20 * late + kWholePullDegrees * pull);
                if (pull > 0.1) {
                    ++of.pulls;
                } else {
                    of.largest_step = std::max(of.largest_step, step / late);
                }
            }
            if (now - of.touch_changed > std::chrono::milliseconds(100)) {
                FingerShares::expect_near(shares, shares_of_table(inputs));
                if (inputs.grip > 0.9 && inputs.trigger < 0.2 && !inputs.touch) {
                    EXPECT_LT(shares[0], 0.02);
                    ++of.thumbs_up;
                }
                if (inputs.grip == 0 && inputs.touch) {
                    EXPECT_GT(shares[0], 0.98);
                    ++of.thumbs_down;
                }
            }
            of.inputs = inputs;
            of.turns = turns;
            of.at = now;
        }
        ++frames;
    }
    for (const std::size_t hand : {0u, 1u}) {
        const PerHand& of = hands[hand];
        std::printf(
            "%s hand: %d frames, largest step %.1f deg beside %d pulls, %d touches, thumb up in %d, down in %d\n",
            hand == 0 ? "left" : "right", frames, of.largest_step, of.pulls, of.touches, of.thumbs_up, of.thumbs_down);
        EXPECT_LT(of.largest_step, 20);
        EXPECT_GT(of.pulls, 5);
    }
    EXPECT_GT(frames, 500);
    EXPECT_GT(hands[0].touches + hands[1].touches, 5);
    EXPECT_GT(hands[0].thumbs_up + hands[1].thumbs_up, 10);
    EXPECT_GT(hands[0].thumbs_down + hands[1].thumbs_down, 10);
}

}  // namespace
}  // namespace glove::test
