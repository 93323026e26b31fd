// SPDX-License-Identifier: Apache-2.0
// A program with both gloves on, frame by frame, and where its hands have to be: worked out with the test runtime's own
// rigid motion, which has no line in common with the layer's mathematics.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "openxr/input_fixture.hpp"
#include "runtime/rigid.hpp"

namespace glove::test {

using test_runtime::Motion;
using test_runtime::Pose;
using test_runtime::Vector;

// Turned about the fixed x, then y, then z axis, as the configuration says it.
inline Pose placed_at(const Vector& position_mm, const Vector& rotation_deg) {
    const auto turn = [](double degrees, const Vector& axis) {
        const double half = degrees * std::numbers::pi / 360;
        return test_runtime::Quaternion{std::cos(half), std::sin(half) * axis};
    };
    return {turn(rotation_deg.z, {0, 0, 1}) * turn(rotation_deg.y, {0, 1, 0}) * turn(rotation_deg.x, {1, 0, 0}),
            0.001 * position_mm};
}

inline Motion motion_of(const MotionScript& script, XrTime time) {
    return test_runtime::moved({test_runtime::from_xr(script.in_stage), test_runtime::from_xr(script.linear_velocity),
                                test_runtime::from_xr(script.angular_velocity)},
                               1e-9 * static_cast<double>(time - script.at));
}

inline double degrees_between(const test_runtime::Quaternion& a, const test_runtime::Quaternion& b) {
    return 2 * std::asin(std::min(1.0, length((conjugate(a) * b).v))) * 180 / std::numbers::pi;
}

class WristTest : public InputTest {
protected:
    static constexpr char kTouch[] = "oculus/touch_controller";
    static constexpr char kIndex[] = "valve/index_controller";
    static constexpr char kSimple[] = "khr/simple_controller";

    // A program with this in its suggestions for each of these profiles, for both hands: "grip" or "aim" (its own pose
    // action), "trigger" (nothing that a hand could follow), or "" (it attaches nothing).
    void begin(const std::string& bound, const std::vector<std::string>& profiles = {kTouch, kSimple}) {
        make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
        if (!bound.empty()) {
            set_ = make_set("play", 3);
            const bool is_pose = bound != "trigger";
            action_ = make_action(set_, "action", is_pose ? XR_ACTION_TYPE_POSE_INPUT : XR_ACTION_TYPE_BOOLEAN_INPUT,
                                  {"left", "right"});
            for (const std::string& profile : profiles) {
                const std::string input = is_pose ? bound + "/pose" : profile == kSimple ? "select" : "trigger";
                ASSERT_EQ(suggest(profile, {{action_, "left/input/" + input}, {action_, "right/input/" + input}}),
                          XR_SUCCESS);
            }
        }
        make_session();
        if (!bound.empty()) {
            ASSERT_EQ(attach({set_}), XR_SUCCESS);
        }
        stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
        trackers_ = {make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
    }

    struct Shown {
        bool active;
        XrTime time;
        Motion wrist;
        XrSpaceLocationFlags flags;
    };

    // One frame of 10 ms or so: gloves, actions, events, both hands.
    void frame() {
        (void)poll_events();
        frame_without_events();
    }
    void frame_without_events() {
        send(gloves_[0]);
        send(gloves_[1]);
        if (set_ != XR_NULL_HANDLE) {
            EXPECT_TRUE(XR_SUCCEEDED(sync({set_})));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        const XrTime time = runtime().now();
        for (std::size_t hand = 0; hand < 2; ++hand) {
            shown_[hand] = look(hand, stage_, time);
        }
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) {
            frame();
        }
    }

    Shown look(std::size_t hand, XrSpace base, XrTime time) {
        HandAnswer& answer = answers_[hand];
        EXPECT_EQ(locate(trackers_[hand], base, time, answer), XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer));
        const XrHandJointLocationEXT& wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT];
        const XrHandJointVelocityEXT& velocity = answer.velocities[XR_HAND_JOINT_WRIST_EXT];
        return {answer.active(), time,
                answer.active()
                    ? Motion{test_runtime::from_xr(wrist.pose), test_runtime::from_xr(velocity.linearVelocity),
                             test_runtime::from_xr(velocity.angularVelocity)}
                    : Motion{{{1, {0, 0, 0}}, {0, 0, 0}}},
                wrist.locationFlags};
    }

    static void expect_at(const Shown& shown, const Motion& wanted, double metres = 0.001, double degrees = 0.1) {
        ASSERT_TRUE(shown.active);
        EXPECT_LT(length(shown.wrist.pose.position - wanted.pose.position), metres);
        EXPECT_LT(degrees_between(shown.wrist.pose.orientation, wanted.pose.orientation), degrees);
    }

    [[nodiscard]] Motion grip_of(std::size_t hand, XrTime time) const {
        return motion_of(runtime().controllers[hand].get().grip, time);
    }

    XrActionSet set_ = XR_NULL_HANDLE;
    XrAction action_ = XR_NULL_HANDLE;  // of the set
    XrSpace stage_ = XR_NULL_HANDLE;
    std::array<XrHandTrackerEXT, 2> trackers_{};
    std::array<HandAnswer, 2> answers_;
    std::array<Shown, 2> shown_{};
    std::array<ReferencePose, 2> gloves_{reference_pose(Hand::left, "flat"), reference_pose(Hand::right, "flat")};
};

}  // namespace glove::test
