// SPDX-License-Identifier: Apache-2.0
// What engines, toolkits and other layers test before they show a hand, held on what they get from each source. Each
// test is one of them, by the order of its calls and by the conditions that its published code puts. Not covered: the
// programs themselves, and what they do with a hand.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "openxr/fingers_fixture.hpp"

namespace glove::test {
namespace {

enum class From { glove, native, controller };

class Consumers : public FingersTest, public ::testing::WithParamInterface<From> {
protected:
    void SetUp() override {
        FingersTest::SetUp();
        // A hand from a glove is the glove's: the controller that carries it poses no fingers.
        write_config(std::string("[wrist]\nsource = \"controller\"\n") +
                     (GetParam() == From::glove ? "[fallback]\ncontroller_fingers = \"off\"\n" : ""));
        if (GetParam() == From::native) {
            runtime().native_hands = NativeHands::supported;
            runtime().extra_extensions = std::vector<std::string>{kDataSource, kMotionRange};
        } else {
            // Turned as hands are, with no axis along one of the room's, and moving.
            for (auto& script : runtime().controllers) {
                script.change([this](ControllerScript& controller) {
                    controller.grip = {{{0.2f, -0.3f, 0.1f, 0.9273618f}, {-0.4f, 1.2f, -0.5f}},
                                       {0.1f, 0, 0.05f},
                                       {0, 0.2f, 0},
                                       runtime().now(),
                                       test_runtime::kValidAndTracked,
                                       test_runtime::kVelocityValid};
                });
            }
            hold(0, kTouch);
            hold(1, kTouch);
        }
        wears_glove_ = {GetParam() == From::glove, GetParam() == From::glove};
    }
    [[nodiscard]] std::int32_t expected_source() const {
        return GetParam() == From::controller ? kController : kUnobstructed;
    }
    // Frames until the hand is there and not a late glove's guess.
    [[nodiscard]] bool shows_live(XrHandTrackerEXT tracker, HandAnswer& answer, XrSpace base) {
        return wait_for([&] {
            pass_frame();
            EXPECT_EQ(locate(tracker, base, runtime().now(), answer), XR_SUCCESS);
            EXPECT_TRUE(is_whole(answer));
            return answer.active() && answer.joints[XR_HAND_JOINT_PALM_EXT].locationFlags == kAllFour;
        });
    }
    [[nodiscard]] XrBool32 supports_hand_tracking() const {
        XrSystemHandTrackingPropertiesEXT hands{XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, nullptr, 77};
        XrSystemProperties properties{XR_TYPE_SYSTEM_PROPERTIES, &hands, 0, 0, {}, {}, {}};
        EXPECT_EQ(xrGetSystemProperties(instance(), system(), &properties), XR_SUCCESS);
        return hands.supportsHandTracking;
    }

    static constexpr XrSpaceLocationFlags kAllFour = 0xF;
    static constexpr XrSpaceVelocityFlags kBothVelocities = 0x3;
};

// Asks for both sources and an unobstructed range with every locate. Drops hands with a palm that is no number or
// beyond 1e6, and joints with a null quaternion; calls a hand tracked by its palm's TRACKED bits; takes the velocities
// of joints whose *location* has bits 1 and 2, so they have to be there whenever the joint is.
TEST_P(Consumers, Godot) {
    begin_program({kDataSource, kMotionRange});
    const std::array trackers{tracker_of(0, {kUnobstructed, kController}), tracker_of(1, {kUnobstructed, kController})};
    for (const XrHandTrackerEXT tracker : trackers) {
        EXPECT_TRUE(shows(tracker, [](const FingersAnswer& answer) {
            return answer.hand.active() && answer.hand.joints[XR_HAND_JOINT_PALM_EXT].locationFlags == kAllFour;
        }));
        FingersAnswer answer;
        pass_frame();
        ask(tracker, answer, XR_HAND_JOINTS_MOTION_RANGE_UNOBSTRUCTED_EXT);
        ASSERT_TRUE(answer.hand.active());
        const XrPosef& palm = answer.hand.joints[XR_HAND_JOINT_PALM_EXT].pose;
        EXPECT_LT(std::abs(palm.position.x), 1e6f);
        EXPECT_EQ(answer.state.isActive, XrBool32{XR_TRUE});
        EXPECT_EQ(answer.source(), expected_source());
        for (std::size_t i = 0; i < HandAnswer::kJoints; ++i) {
            const XrQuaternionf& q = answer.hand.joints[i].pose.orientation;
            EXPECT_FALSE(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) << i;
            EXPECT_GT(answer.hand.joints[i].radius, 0.001f) << i;
            EXPECT_EQ(answer.hand.velocities[i].velocityFlags, kBothVelocities) << i;
        }
    }
}

// Looks at supportsHandTracking once, before the session; makes both hand trackers as the session begins, before it has
// the focus; then needs isActive with poses and radii.
TEST_P(Consumers, Unreal) {
    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
    EXPECT_EQ(supports_hand_tracking(), XrBool32{XR_TRUE});
    set_ = make_set("play");
    const XrAction grip = make_action(set_, "hand", XR_ACTION_TYPE_POSE_INPUT, {"left", "right"});
    ASSERT_EQ(suggest(kTouch, {{grip, "left/input/grip/pose"}, {grip, "right/input/grip/pose"}}), XR_SUCCESS);
    runtime().focused = false;
    make_session(XR_SESSION_STATE_VISIBLE);
    const std::array trackers{make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
    stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    HandAnswer early;
    EXPECT_EQ(locate(trackers[0], stage_, runtime().now(), early), XR_SUCCESS);
    EXPECT_TRUE(is_whole(early));
    EXPECT_FALSE(early.active());
    ASSERT_EQ(attach({set_}), XR_SUCCESS);
    runtime().focused = true;
    drive_until(XR_SESSION_STATE_FOCUSED);
    for (const XrHandTrackerEXT tracker : trackers) {
        HandAnswer answer;
        EXPECT_TRUE(shows_live(tracker, answer, stage_));
        const auto [least, most] = std::minmax_element(
            answer.joints.begin(), answer.joints.begin() + HandAnswer::kJoints,
            [](const XrHandJointLocationEXT& a, const XrHandJointLocationEXT& b) { return a.radius < b.radius; });
        EXPECT_GT(least->radius, 0.003f);
        EXPECT_LT(most->radius, 0.06f);
    }
}

// Takes the wrist for the hand's root, and the other joints from it. Old versions ask for odd times and make the
// trackers anew when the tracking origin changes.
TEST_P(Consumers, UnityXrHands) {
    begin_program({});
    XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    XrSpace base = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    for (const XrReferenceSpaceType type : {XR_REFERENCE_SPACE_TYPE_STAGE, XR_REFERENCE_SPACE_TYPE_LOCAL}) {
        HandAnswer answer;
        ASSERT_TRUE(shows_live(tracker, answer, base));
        EXPECT_EQ(answer.joints[XR_HAND_JOINT_WRIST_EXT].locationFlags, kAllFour);
        // A hand's length from the wrist, none at it: no joint was left out.
        for (std::size_t i = XR_HAND_JOINT_THUMB_METACARPAL_EXT; i < HandAnswer::kJoints; ++i) {
            const double from_wrist = reach(answer, static_cast<XrHandJointEXT>(i));
            EXPECT_GT(from_wrist, 0.015) << i;
            EXPECT_LT(from_wrist, 0.25) << i;
        }
        for (const XrTime odd :
             {XrTime{1}, runtime().now() - 10'000'000'000, runtime().now() + 1'000'000'000, XrTime{INT64_MAX}}) {
            HandAnswer then;
            EXPECT_EQ(locate(tracker, base, odd, then), XR_SUCCESS) << odd;
            EXPECT_TRUE(is_whole(then)) << odd;
        }
        ASSERT_EQ(proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(tracker), XR_SUCCESS);
        ASSERT_EQ(xrDestroySpace(base), XR_SUCCESS);
        base = make_space(type);
        tracker = make_tracker(XR_HAND_LEFT_EXT);
    }
}

// Passes time 0 in places, and has to hear of it.
TEST_P(Consumers, OculusXrPlugin) {
    begin_program({});
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    HandAnswer live;
    ASSERT_TRUE(shows_live(tracker, live, stage_));
    HandAnswer answer;
    EXPECT_EQ(locate(tracker, stage_, 0, answer), XR_ERROR_TIME_INVALID);
    EXPECT_TRUE(answer.untouched());
}

// Makes a bone as wide as 1.5 radii of its joint, and needs version 4 of XR_EXT_hand_tracking.
TEST_P(Consumers, UltraleapUnity) {
    std::uint32_t count = 0;
    ASSERT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr), XR_SUCCESS);
    std::vector<XrExtensionProperties> listed(count, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
    ASSERT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, count, &count, listed.data()), XR_SUCCESS);
    const auto hands = std::find_if(listed.begin(), listed.end(), [](const XrExtensionProperties& p) {
        return std::string_view(p.extensionName) == XR_EXT_HAND_TRACKING_EXTENSION_NAME;
    });
    ASSERT_NE(hands, listed.end());
    EXPECT_GE(hands->extensionVersion, 4u);
    begin_program({});
    HandAnswer answer;
    ASSERT_TRUE(shows_live(make_tracker(XR_HAND_RIGHT_EXT), answer, stage_));
    for (std::size_t i = XR_HAND_JOINT_THUMB_METACARPAL_EXT; i < HandAnswer::kJoints; ++i) {
        const float width = 1.5f * answer.joints[i].radius;
        EXPECT_GT(width, 0.005f) << i;
        EXPECT_LT(width, 0.06f) << i;
    }
}

// Asks for unobstructed hands alone, so it never mistakes a controller for one; a quaternion whose parts add up to
// exactly 0 is no orientation to it.
TEST_P(Consumers, StereoKit) {
    begin_program({kDataSource});
    const XrHandTrackerEXT tracker = tracker_of(1, {kUnobstructed});
    if (GetParam() == From::controller) {
        for (int i = 0; i < 30; ++i) {
            pass_frame();
            FingersAnswer answer;
            ask(tracker, answer);
            EXPECT_FALSE(answer.hand.active());
        }
        return;
    }
    for (int i = 0; i < 20; ++i) {
        HandAnswer answer;
        ASSERT_TRUE(shows_live(tracker, answer, stage_));
        for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
            const XrQuaternionf& q = answer.joints[joint].pose.orientation;
            EXPECT_NE(q.x + q.y + q.z + q.w, 0.0f) << joint;
        }
    }
}

// Locates joints in the space of a controller's grip, and gives a program its own finger curls where the source is a
// controller.
TEST_P(Consumers, XrizerAndOpenComposite) {
    begin_program({kDataSource});
    hold(0, kTouch);
    const XrHandTrackerEXT tracker = tracker_of(0, {kUnobstructed, kController});
    ASSERT_TRUE(shows_from(tracker, expected_source()));
    pass_frames(30);
    const XrSpace grip = make_action_space(grip_, "left");
    const XrTime time = runtime().now();
    HandAnswer in_grip;
    HandAnswer in_stage;
    ASSERT_EQ(locate(tracker, grip, time, in_grip), XR_SUCCESS);
    ASSERT_EQ(locate(tracker, stage_, time, in_stage), XR_SUCCESS);
    ASSERT_TRUE(in_grip.active());
    ASSERT_TRUE(in_stage.active());
    const Motion carried = grip_of(0, time);
    for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
        const Pose wanted = test_runtime::relative({test_runtime::from_xr(in_stage.joints[joint].pose)}, carried).pose;
        const Pose shown = test_runtime::from_xr(in_grip.joints[joint].pose);
        EXPECT_LT(test_runtime::length(shown.position - wanted.position), 0.001) << joint;
        EXPECT_LT(degrees_between(shown.orientation, wanted.orientation), 0.2) << joint;
    }
}

// A layer above that pinches by XR_FB_hand_tracking_aim. Where the runtime has it, its answer comes through whoever's
// hand is shown; where nobody has it, nobody lists it.
TEST_P(Consumers, Htcc) {
    runtime().lists_hand_aim = GetParam() == From::native;
    runtime().index_pinch = 0.75f;
    std::uint32_t count = 0;
    ASSERT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr), XR_SUCCESS);
    std::vector<XrExtensionProperties> listed(count, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
    ASSERT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, count, &count, listed.data()), XR_SUCCESS);
    const bool has_aim = std::any_of(listed.begin(), listed.end(), [](const XrExtensionProperties& p) {
        return std::string_view(p.extensionName) == XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME;
    });
    EXPECT_EQ(has_aim, GetParam() == From::native);
    begin_program(has_aim ? std::vector<const char*>{XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME}
                          : std::vector<const char*>{});
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    HandAnswer live;
    ASSERT_TRUE(shows_live(tracker, live, stage_));
    XrHandTrackingAimStateFB aim{XR_TYPE_HAND_TRACKING_AIM_STATE_FB, nullptr, 0, {}, -1, -1, -1, -1};
    HandAnswer answer;
    answer.velocity_part.next = &aim;
    pass_frame();
    EXPECT_EQ(locate(tracker, stage_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_TRUE(is_whole(answer));
    EXPECT_TRUE(answer.active());
    EXPECT_EQ(aim.pinchStrengthIndex, has_aim ? 0.75f : -1.0f);
    EXPECT_EQ((aim.status & XR_HAND_TRACKING_AIM_VALID_BIT_FB) != 0, has_aim);
}

INSTANTIATE_TEST_SUITE_P(HandsFrom, Consumers, ::testing::Values(From::glove, From::native, From::controller),
                         [](const ::testing::TestParamInfo<From>& from) {
                             return from.param == From::glove    ? "a_glove"
                                    : from.param == From::native ? "the_runtime"
                                                                 : "a_controller";
                         });

}  // namespace
}  // namespace glove::test
