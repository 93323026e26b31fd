// SPDX-License-Identifier: Apache-2.0
// A hand goes from one source to another and back, for every ordered pair of glove, runtime and controller, frame by
// frame, while the other hand stays on its glove. Not covered: the wrist's own sources (wrist_change_test.cpp), which
// here stands still.
#include <optional>

#include "openxr/fingers_fixture.hpp"

namespace glove::test {
namespace {

struct Pair {
    friend void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.first << " then " << pair.second; }
    const char* first;   // preferred, lost and found again
    const char* second;  // there all the time
    const char* third;   // never there
};

class SourceSwitch : public FingersTest, public ::testing::WithParamInterface<Pair> {
protected:
    using Clock = std::chrono::steady_clock;

    void give(const std::string& source, bool there) {
        if (source == "glove") {
            wears_glove_[0] = there;
        } else if (source == "native") {
            runtime().hands[0].change([there](NativeHandScript& hand) { hand.active = there; });
        } else if (there) {
            hold(0, kTouch);
        } else {
            runtime().controllers[0].change([](ControllerScript& controller) { controller.present = false; });
        }
    }

    struct Frame {
        Clock::time_point at;
        bool precise;  // so that speeds can be worked out
        std::array<XrHandJointLocationEXT, HandAnswer::kJoints> joints;
        std::array<XrHandJointVelocityEXT, HandAnswer::kJoints> velocities;
        std::string source;
    };
    // The hand in question, and what must hold of each frame of both.
    const Frame& next() {
        pass_frame();
        Frame frame{};
        FingersAnswer answer;
        frame.at = Clock::now();
        ask(trackers_[0], answer);
        frame.precise = Clock::now() - frame.at < std::chrono::milliseconds(1);
        std::copy_n(std::begin(answer.hand.joints), HandAnswer::kJoints, frame.joints.begin());
        std::copy_n(std::begin(answer.hand.velocities), HandAnswer::kJoints, frame.velocities.begin());
        frame.source = status_source(0);
        EXPECT_TRUE(answer.hand.active()) << frame.source;

        FingersAnswer other;
        ask(trackers_[1], other);
        EXPECT_TRUE(other.hand.active());
        EXPECT_EQ(status_source(1), "fsnh");
        const XrVector3f& wrist = other.hand.joints[XR_HAND_JOINT_WRIST_EXT].pose.position;
        EXPECT_NEAR(wrist.x, 0.25f, 1e-4f);
        if (last_) {
            compare(*last_, frame);
        }
        last_ = frame;
        return *last_;
    }

    // Frames until this source is shown, and how long that took, in seconds.
    double until_shown(const std::string& source) {
        const Clock::time_point begun = Clock::now();
        const std::string name = source == "glove" ? "fsnh" : source;
        const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
        while (next().source != name && passed() < 5) {
        }
        EXPECT_EQ(last_->source, name);
        return passed();
    }
    void stay(double seconds) {
        const Clock::time_point end =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        while (Clock::now() < end) {
            (void)next();
        }
    }

    int moving_frames_ = 0;
    int compared_speeds_ = 0;

private:
    void compare(const Frame& before, const Frame& after) {
        const double seconds = std::chrono::duration<double>(after.at - before.at).count();
        for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
            const Vector a = test_runtime::from_xr(before.joints[joint].pose).position;
            const Vector b = test_runtime::from_xr(after.joints[joint].pose).position;
            // All sources stand still: whatever moves is the blend. 20 mm in a frame of 90 Hz.
            EXPECT_LT(length(b - a), 0.002 + 1.8 * seconds) << joint;
        }
        const Vector a = test_runtime::from_xr(before.joints[XR_HAND_JOINT_WRIST_EXT].pose).position;
        const Vector b = test_runtime::from_xr(after.joints[XR_HAND_JOINT_WRIST_EXT].pose).position;
        const Vector moved = b - a;
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

    std::optional<Frame> last_;
};

TEST_P(SourceSwitch, LosesTheHandForNoFrameAndMovesItNoFasterThanAHand) {
    const auto& [first, second, third] = GetParam();
    write_config("[age]\ntracked_ms = 50\nvalid_ms = 80\n[fallback]\ncontroller_fingers = \"always\"\norder = [\"" +
                 std::string(first) + "\", \"" + second + "\", \"" + third +
                 "\"]\n[wrist]\nsource = \"fixed\"\n[wrist.fixed]\nspace = \"stage\"\n"
                 "left = { position_mm = [-300, 1100, -400] }\nright = { position_mm = [250, 1200, -450] }\n");
    runtime().native_hands = NativeHands::supported;
    runtime().hands[0].change([](NativeHandScript& hand) {
        hand.active = false;
        hand.wrist_in_stage = {{0, 0.3826834f, 0, 0.9238795f}, {-0.22f, 1.18f, -0.36f}};
    });
    runtime().hands[1].change([](NativeHandScript& hand) { hand.active = false; });
    gloves_[0] = reference_pose(Hand::left, "fist");
    wears_glove_[1] = true;
    begin_program();
    trackers_ = {tracker_of(0, {kUnobstructed, kController}), tracker_of(1, {kUnobstructed, kController})};
    give(first, true);
    give(second, true);
    const std::string name = std::string(first) == "glove" ? "fsnh" : first;
    ASSERT_TRUE(shows(trackers_[0],
                      [&](const FingersAnswer& answer) { return answer.hand.active() && status_source(0) == name; }));
    ASSERT_TRUE(shows(trackers_[1], [](const FingersAnswer& answer) { return answer.hand.active(); }));
    stay(0.6);

    give(first, false);
    EXPECT_LT(until_shown(second), 1.0);
    stay(0.6);

    give(first, true);
    const double back = until_shown(first);
    if (std::string(first) == "glove") {
        EXPECT_LT(back, 0.25);  // at once
    } else {
        EXPECT_GT(back, 0.28);  // it has to prove itself
        EXPECT_LT(back, 1.5);
    }
    stay(0.6);
    if (std::string(first) == "native" || std::string(second) == "native") {
        EXPECT_GT(moving_frames_, 10);  // 130 mm there and back
        EXPECT_GT(compared_speeds_, 3);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryPair, SourceSwitch,
                         ::testing::Values(Pair{"glove", "native", "controller"}, Pair{"glove", "controller", "native"},
                                           Pair{"native", "glove", "controller"}, Pair{"native", "controller", "glove"},
                                           Pair{"controller", "glove", "native"},
                                           Pair{"controller", "native", "glove"}),
                         [](const auto& pair) { return std::string(pair.param.first) + "_then_" + pair.param.second; });

}  // namespace
}  // namespace glove::test
