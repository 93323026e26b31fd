// SPDX-License-Identifier: Apache-2.0
// Sessions with two controllers, ours and a recorded one, played through the runtime at 90 Hz: no finger jumps, and
// thumbs lie and rise as the table says. Not covered: whether it feels right.
#include <algorithm>
#include <cstdio>

#include "controller_session.hpp"
#include "openxr/finger_shares.hpp"
#include "openxr/fingers_fixture.hpp"
#include "recordings.hpp"

namespace glove::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kFrameSeconds = 1.0 / 90;

class ControllerReplay : public FingersTest, public testing::WithParamInterface<Session> {
protected:
    void play(std::size_t hand, const ControllerSide& side) const {
        const std::string lower = hand == 0 ? "x/touch" : "a/touch";
        const std::string upper = hand == 0 ? "y/touch" : "b/touch";
        runtime().controllers[hand].change([&](ControllerScript& controller) {
            const auto touch = [&side](Button button) { return side.buttons[button].touched ? 1.0f : 0.0f; };
            const auto& [q, p] = side.grip;
            controller.grip.in_stage = {{q.x, q.y, q.z, q.w}, {p.x, p.y, p.z}};
            controller.inputs = {{"trigger/value", side.buttons[kTrigger].value},
                                 {"trigger/touch", touch(kTrigger)},
                                 {"squeeze/value", side.buttons[kSqueeze].value},
                                 {"thumbstick/touch", touch(kThumbstick)},
                                 {lower, touch(kLower)},
                                 {upper, touch(kUpper)},
                                 {"thumbrest/touch", touch(kThumbrest)}};
        });
    }

    struct PerHand {
        ControllerInputs inputs;
        Turns turns{};
        Clock::time_point begun;  // of the frame before
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

INSTANTIATE_TEST_SUITE_P(Session, ControllerReplay, testing::ValuesIn(kSessions),
                         name_of_session<testing::TestParamInfo<Session>>);

TEST_P(ControllerReplay, NoFingerJumpsAndThumbsFollowTheTable) {
    const std::vector<ControllerFrame> session = controller_session(GetParam());
    if (session.empty()) {
        GTEST_SKIP() << kNoRecording;
    }
    write_config("[wrist]\nsource = \"controller\"\n");
    begin_program();
    trackers_ = {make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
    hold(0, kTouch);
    hold(1, kTouch);
    const std::array<FingerShares, 2> fingers{FingerShares(Hand::left), FingerShares(Hand::right)};
    std::array<PerHand, 2> hands;
    int frames = 0;
    Clock::time_point due = Clock::now();
    for (const ControllerFrame& frame : session) {
        std::this_thread::sleep_until(due);
        // Not in haste after a pause of the machine: thumbs take their time.
        const Clock::time_point begun = Clock::now();
        due = begun + std::chrono::microseconds(11'111);
        for (const std::size_t hand : {0u, 1u}) {
            play(hand, frame.sides[hand]);
        }
        ASSERT_TRUE(XR_SUCCEEDED(sync({set_})));
        const Clock::time_point now = Clock::now();  // fingers moved between `begun` and this
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

            const ControllerSide& side = frame.sides[hand];
            ControllerInputs inputs{side.buttons[kTrigger].value, side.buttons[kSqueeze].value, side.thumb_rests()};
            if (side.buttons[kTrigger].touched) {
                inputs.trigger = std::max(inputs.trigger, kTouchedTrigger);
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
                const double late =
                    std::max(1.0, std::chrono::duration<double>(now - of.begun).count() / kFrameSeconds);
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
            of.begun = begun;
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
