// SPDX-License-Identifier: Apache-2.0
// Hands that go from one source to another, frame by frame: in no frame of either hand is it gone, and it goes no
// faster than hands do. All sources stand still, so whatever moves is the way from one to the next.
#pragma once

#include <optional>

#include "openxr/fingers_fixture.hpp"

namespace glove::test {

struct SourceOrder {
    friend void PrintTo(const SourceOrder& order, std::ostream* out) {
        *out << order.first << ", " << order.second << ", " << order.third;
    }
    const char* first;
    const char* second;
    const char* third;
};

class SwitchTest : public FingersTest {
protected:
    using Clock = std::chrono::steady_clock;

    // Wrists of gloves and controllers stand here, the runtime's left hand 120 mm away and turned.
    static constexpr Vector kLeftWrist{-0.3, 1.1, -0.4};
    static constexpr Vector kRightWrist{0.25, 1.2, -0.45};
    static constexpr Vector kNativeWrist{-0.22, 1.18, -0.36};

    // No source is there yet, but for the right hand's glove.
    void begin_switching(const SourceOrder& order) {
        write_config(
            "[age]\ntracked_ms = 50\nvalid_ms = 200\n[fallback]\ncontroller_fingers = \"always\"\norder = [\"" +
            std::string(order.first) + "\", \"" + order.second + "\", \"" + order.third +
            "\"]\n[wrist]\nsource = \"fixed\"\n[wrist.fixed]\nspace = \"stage\"\n"
            "left = { position_mm = [-300, 1100, -400] }\nright = { position_mm = [250, 1200, -450] }\n");
        runtime().native_hands = NativeHands::supported;
        runtime().hands[0].change([](NativeHandScript& hand) {
            hand.active = false;
            hand.wrist_in_stage = {{0, 0.3826834f, 0, 0.9238795f}, test_runtime::to_xr(kNativeWrist)};
        });
        runtime().hands[1].change([](NativeHandScript& hand) { hand.active = false; });
        gloves_[0] = reference_pose(Hand::left, "fist");
        wears_glove_[1] = true;
        begin_program();
        trackers_ = {tracker_of(0, {kUnobstructed, kController}), tracker_of(1, {kUnobstructed, kController})};
    }

    void give(std::size_t hand, const std::string& source, bool there) {
        if (source == "glove") {
            wears_glove_[hand] = there;
        } else if (source == "native") {
            runtime().hands[hand].change([there](NativeHandScript& script) { script.active = there; });
        } else if (there) {
            hold(hand, kTouch);
        } else {
            runtime().controllers[hand].change([](ControllerScript& controller) { controller.present = false; });
        }
    }
    static std::string name_of(const std::string& source) { return source == "glove" ? "fsnh" : source; }
    // Before next(): both hands are there, and the left one is this source's.
    [[nodiscard]] bool has_begun(const std::string& source) {
        return shows(trackers_[0],
                     [&](const FingersAnswer& answer) {
                         return answer.hand.active() && status_source(0) == name_of(source);
                     }) &&
               shows(trackers_[1], [](const FingersAnswer& answer) { return answer.hand.active(); });
    }

    struct Frame {
        Clock::time_point at;        // before the hand was asked for
        Clock::time_point answered;  // and after it; the layer's clock was read anywhere between
        bool precise;                // so that speeds can be worked out
        std::array<XrHandJointLocationEXT, HandAnswer::kJoints> joints;
        std::array<XrHandJointVelocityEXT, HandAnswer::kJoints> velocities;
        std::string source;
    };
    // The left hand in the next frame, and what must hold of each frame of both.
    const Frame& next() {
        const std::array<std::uint64_t, 2> before{status(0).samples, status(1).samples};
        pass_frame();
        for (const std::size_t hand : {0u, 1u}) {  // what was sent is taken by another thread
            EXPECT_TRUE(!wears_glove_[hand] || wait_for([&] { return status(hand).samples > before[hand]; }));
        }
        for (const std::size_t hand : {0u, 1u}) {
            SCOPED_TRACE(::testing::Message() << "hand " << hand);
            Frame frame{};
            FingersAnswer answer;
            frame.at = Clock::now();
            ask(trackers_[hand], answer);
            frame.answered = Clock::now();
            frame.precise = frame.answered - frame.at < std::chrono::milliseconds(1);
            std::copy_n(std::begin(answer.hand.joints), HandAnswer::kJoints, frame.joints.begin());
            std::copy_n(std::begin(answer.hand.velocities), HandAnswer::kJoints, frame.velocities.begin());
            frame.source = status_source(hand);
            if (asked_at_[hand] && frame.at - *asked_at_[hand] > std::chrono::milliseconds(100)) {
                // The machine was busy elsewhere: a glove may be missed for that, and a hand has had all the time.
                ++late_frames_;
                last_[hand].reset();
            } else {
                EXPECT_TRUE(answer.hand.active()) << frame.source;
                if (last_[hand]) {
                    compare(*last_[hand], frame);
                    changes_[hand] += frame.source != last_[hand]->source ? 1 : 0;
                }
                last_[hand] = frame;
            }
            asked_at_[hand] = frame.at;
            newest_[hand] = frame;
        }
        return newest_[0];
    }

    // Frames until the left hand is this source's, and how long that took, in seconds.
    double until_shown(const std::string& source) {
        const Clock::time_point begun = Clock::now();
        const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
        while (next().source != name_of(source) && passed() < 5) {
        }
        EXPECT_EQ(newest_[0].source, name_of(source));
        return passed();
    }
    // A bound on until_shown(), which only a machine that did not pause can keep.
    [[nodiscard]] double unless_late(double seconds) const { return late_frames_ == 0 ? seconds : 6; }
    void stay(double seconds) {
        const Clock::time_point end =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        while (Clock::now() < end) {
            (void)next();
        }
    }
    static Vector wrist_of(const Frame& frame) {
        return test_runtime::from_xr(frame.joints[XR_HAND_JOINT_WRIST_EXT].pose).position;
    }
    // 20 mm in a frame of 90 Hz.
    static double longest_step(double seconds) { return 0.002 + 1.8 * seconds; }

    std::array<Frame, 2> newest_{};
    std::array<int, 2> changes_{};  // of the source
    int late_frames_ = 0;
    int moving_frames_ = 0;
    int compared_speeds_ = 0;

private:
    void compare(const Frame& before, const Frame& after) {
        const double seconds = std::chrono::duration<double>(after.at - before.at).count();
        for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
            const Vector a = test_runtime::from_xr(before.joints[joint].pose).position;
            const Vector b = test_runtime::from_xr(after.joints[joint].pose).position;
            EXPECT_LT(length(b - a), longest_step(std::chrono::duration<double>(after.answered - before.at).count()))
                << joint;
        }
        const Vector moved = wrist_of(after) - wrist_of(before);
        if (length(moved) < 0.004) {
            return;
        }
        ++moving_frames_;
        // In the middle of a blend, which is as fast at both ends of the frame.
        const Vector said_before = test_runtime::from_xr(before.velocities[XR_HAND_JOINT_WRIST_EXT].linearVelocity);
        const Vector said = test_runtime::from_xr(after.velocities[XR_HAND_JOINT_WRIST_EXT].linearVelocity);
        if (before.precise && after.precise && length(said - said_before) < 0.02) {
            ++compared_speeds_;
            const Vector wanted = (1 / seconds) * moved;
            EXPECT_LT(length(said - wanted), 0.05 + 0.25 * length(wanted));
        }
    }

    std::array<std::optional<Frame>, 2> last_;  // to compare with; none after a late frame
    std::array<std::optional<Clock::time_point>, 2> asked_at_;
};

}  // namespace glove::test
