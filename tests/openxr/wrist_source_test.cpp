// SPDX-License-Identifier: Apache-2.0
// Hands on controllers, trackers and the runtime's own hands, through the loader: where they are, how fast, and whose.
// Not covered: from one source to another (wrist_change_test.cpp), measured offsets (wrist_measurement_test.cpp), and
// whether the nominal offsets fit anybody's hand on a controller.
#include "openxr/wrist_fixture.hpp"

namespace glove::test {
namespace {

using test_runtime::attached;

constexpr Vector kLeftPosition{-20, 40, 90}, kLeftTurn{-20, 35, 80};
constexpr Vector kRightPosition{35, -15, 70}, kRightTurn{10, -50, -95};
constexpr char kOffsets[] =
    "left = { position_mm = [-20, 40, 90], rotation_deg = [-20, 35, 80] }\n"
    "right = { position_mm = [35, -15, 70], rotation_deg = [10, -50, -95] }\n";

class WristSource : public WristTest {
protected:
    static std::string offset_of(const std::string& source) { return "[wrist.offset.\"" + source + "\"]\n" + kOffsets; }
    // Both controllers on the move, each in its own way.
    void swing() {
        hold(0, kTouch);
        hold(1, kTouch);
        runtime().controllers[0].change([&](ControllerScript& left) {
            left.grip = {{{0.2f, -0.3f, 0.1f, 0.9273618f}, {-0.4f, 1.2f, -0.5f}},
                         {0.6f, -0.1f, 0.2f},
                         {0.5f, 2, -1},
                         runtime().now(),
                         test_runtime::kValidAndTracked,
                         test_runtime::kVelocityValid};
            left.aim_in_grip = {{-0.5f, 0, 0, 0.8660254f}, {0, 0.01f, -0.05f}};
        });
        runtime().controllers[1].change([&](ControllerScript& right) {
            right.grip = {{{-0.5f, 0.5f, 0.5f, 0.5f}, {0.3f, 1, -0.4f}},
                          {0, 0.5f, -0.3f},
                          {-2, 0.4f, 1},
                          runtime().now(),
                          test_runtime::kValidAndTracked,
                          test_runtime::kVelocityValid};
        });
    }
    void expect_on_grips() {
        // On a busy machine a glove may be late, and its hand then said to be a guess.
        const auto is_live = [](const Shown& shown) { return shown.flags == test_runtime::kValidAndTracked; };
        for (int i = 0; i < 50 && !(is_live(shown_[0]) && is_live(shown_[1])); ++i) {
            frame();
        }
        const std::array offsets{placed_at(kLeftPosition, kLeftTurn), placed_at(kRightPosition, kRightTurn)};
        for (std::size_t hand = 0; hand < 2; ++hand) {
            SCOPED_TRACE(hand == 0 ? "left" : "right");
            const Motion wanted = attached(grip_of(hand, shown_[hand].time), offsets[hand]);
            expect_at(shown_[hand], wanted);
            EXPECT_EQ(shown_[hand].flags, test_runtime::kValidAndTracked);
            EXPECT_LT(length(shown_[hand].wrist.angular - wanted.angular), 0.01);
            EXPECT_LT(length(shown_[hand].wrist.linear - wanted.linear), 0.01);
        }
    }
};

TEST_F(WristSource, ABorrowedGripCarriesTheHandWithItsVelocity) {
    write_config("[wrist]\nsource = \"controller\"\n" +
                 offset_of("/interaction_profiles/oculus/touch_controller/grip") +
                 "[fallback]\ncontroller_fingers = \"off\"\n");
    begin("grip");
    swing();
    frames(30);
    for (int i = 0; i < 5; ++i) {
        frame();
        expect_on_grips();
    }
    // Nothing of ours was attached: the application's own action serves.
    EXPECT_EQ(runtime().live_action_sets, 1u);
}

TEST_F(WristSource, AnInjectedGripCarriesTheHandWhereTheApplicationBindsButtonsAlone) {
    write_config("[wrist]\nsource = \"controller\"\n" +
                 offset_of("/interaction_profiles/oculus/touch_controller/grip"));
    begin("trigger");
    swing();
    frames(30);
    for (int i = 0; i < 5; ++i) {
        frame();
        expect_on_grips();
    }
    EXPECT_EQ(runtime().live_action_sets, 2u);
    EXPECT_EQ(runtime().calls("xrAttachSessionActionSets"), 1u);
}

// aim/pose may be steadied by the runtime, so the grip is better, though the application did not ask for it.
TEST_F(WristSource, AnApplicationThatBindsItsAimGetsHandsOnTheGrip) {
    write_config("[wrist]\nsource = \"controller\"\n" +
                 offset_of("/interaction_profiles/oculus/touch_controller/grip"));
    begin("aim");
    swing();
    frames(30);
    expect_on_grips();
}

TEST_F(WristSource, EveryBaseSpaceAndTimeSeesTheSameHand) {
    write_config("[wrist]\nsource = \"controller\"\n" +
                 offset_of("/interaction_profiles/oculus/touch_controller/grip"));
    begin("grip");
    swing();
    frames(30);
    const XrPosef view_pose{{0, 0.6f, 0, 0.8f}, {0.1f, 0.2f, 0.3f}};
    runtime().head.change([&](HeadScript& head) {
        head.linear_velocity = {0.3f, 0, 0.1f};
        head.angular_velocity = {0, 0.7f, 0};
        head.at = runtime().now();
    });
    const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW, view_pose);
    const Pose offset = placed_at(kRightPosition, kRightTurn);
    for (const std::int64_t ahead_ms : {-20, 0, 11, 40}) {
        SCOPED_TRACE(ahead_ms);
        const XrTime time = runtime().now() + ahead_ms * 1'000'000;
        const Motion base = attached(motion_of(runtime().head.get(), time), test_runtime::from_xr(view_pose));
        const Motion wanted = relative(attached(grip_of(1, time), offset), base);
        const Shown shown = look(1, view, time);
        expect_at(shown, wanted);
        EXPECT_LT(length(shown.wrist.linear - wanted.linear), 0.01);
    }
}

// By what the axes of a grip mean (OpenXR 6.3.1), not by numbers: -Z runs through the fist from the little finger to
// the thumb, X is the palm's normal, into the right palm and out of the left.
TEST_F(WristSource, WithoutAnOffsetTheHandHoldsTheHandle) {
    write_config("[wrist]\nsource = \"controller\"\n");
    for (const std::string profile : {kSimple, kTouch}) {
        SCOPED_TRACE(profile);
        begin("grip");
        hold(0, profile);
        hold(1, profile);
        frames(30);
        for (std::size_t hand = 0; hand < 2; ++hand) {
            SCOPED_TRACE(hand == 0 ? "left" : "right");
            ASSERT_TRUE(shown_[hand].active);
            const Motion grip = grip_of(hand, shown_[hand].time);
            const auto joint = [&](XrHandJointEXT which) {
                return relative({test_runtime::from_xr(answers_[hand].joints[static_cast<std::size_t>(which)].pose)},
                                grip)
                    .pose;
            };
            const Vector across =
                joint(XR_HAND_JOINT_INDEX_PROXIMAL_EXT).position - joint(XR_HAND_JOINT_LITTLE_PROXIMAL_EXT).position;
            const Vector along =
                joint(XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT).position - joint(XR_HAND_JOINT_WRIST_EXT).position;
            const Vector knuckles = (1 / length(across)) * across;
            const Vector fingers = (1 / length(along)) * along;
            // A Touch lies aslant in the fist: the end of its handle at the thumb is nearer to the fingers.
            const double aslant_deg = std::atan2(-fingers.z, -fingers.y) * 180 / std::numbers::pi;
            EXPECT_NEAR(aslant_deg, profile == kTouch ? 20 : 0, 3);
            EXPECT_LT(knuckles.z, profile == kTouch ? -0.8 : -0.9);
            EXPECT_LT(fingers.y, -0.9);
            const Pose palm = joint(XR_HAND_JOINT_PALM_EXT);
            const Vector back = rotate(palm.orientation, {0, 1, 0});
            EXPECT_GT(hand == 0 ? -back.x : back.x, 0.9);
            // The handle is before the palm, a thumb's breadth away.
            const Vector to_handle = -1.0 * palm.position;
            EXPECT_LT(length(to_handle), 0.06);
            EXPECT_LT(to_handle.x * back.x, 0);
        }
        destroy_instance();
    }
}

TEST_F(WristSource, AnApplicationThatNeverAttachesIsLeftAlone) {
    write_config("[wrist]\nsource = \"controller\"\n");
    begin("");
    hold(0, kTouch);
    const XrTime begun = runtime().now();
    while (runtime().now() - begun < 4'000'000'000) {
        frame();
    }
    EXPECT_FALSE(shown_[0].active);
    EXPECT_EQ(runtime().calls("xrAttachSessionActionSets"), 0u);
    EXPECT_EQ(runtime().calls("xrSyncActions"), 0u);
}

TEST_F(WristSource, AnApplicationThatMadeActionsIsNotForestalled) {
    write_config("[wrist]\nsource = \"controller\"\nself_attach = true\n");
    begin("");
    const XrActionSet set = make_set("later");
    (void)make_action(set, "something", XR_ACTION_TYPE_BOOLEAN_INPUT);
    hold(0, kTouch);
    const XrTime begun = runtime().now();
    while (runtime().now() - begun < 4'000'000'000) {
        frame();
    }
    EXPECT_EQ(runtime().calls("xrAttachSessionActionSets"), 0u);
    EXPECT_EQ(attach({set}), XR_SUCCESS);
}

TEST_F(WristSource, AnApplicationThatNeverAttachesGetsHandsWhenTheUserAsksForIt) {
    write_config("[wrist]\nsource = \"controller\"\nself_attach = true\n" +
                 offset_of("/interaction_profiles/oculus/touch_controller/grip"));
    begin("");
    swing();
    const XrTime begun = runtime().now();
    while (runtime().now() - begun < 2'000'000'000) {
        frame();
    }
    EXPECT_EQ(runtime().calls("xrAttachSessionActionSets"), 0u);  // it may still do so itself
    while (runtime().now() - begun < 4'000'000'000) {
        frame();
    }
    EXPECT_EQ(runtime().calls("xrAttachSessionActionSets"), 1u);
    expect_on_grips();
}

TEST_F(WristSource, AnApplicationThatNeverAttachesSeesNothingOfActionsThatWereAttachedForItsHands) {
    write_config("[wrist]\nsource = \"controller\"\nself_attach = true\n");
    begin("");
    swing();
    const XrResult empty_sync = sync({});
    int profile_events = 0;
    const auto poll = [&] {
        for (const XrEventDataBuffer& event : poll_events()) {
            profile_events += event.type == XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED ? 1 : 0;
        }
    };
    ASSERT_TRUE(wait_for([&] {
        frame_without_events();
        poll();
        return shown_[0].active && shown_[1].active;
    }));
    hold(0, kIndex);  // and once more: a change that the runtime tells
    const std::uint64_t syncs = runtime().calls("xrSyncActions");
    ASSERT_TRUE(wait_for([&] {
        poll();
        return runtime().calls("xrSyncActions") > syncs + 3;
    }));
    EXPECT_EQ(profile_events, 0);

    XrInteractionProfileState state{XR_TYPE_INTERACTION_PROFILE_STATE, nullptr, 77};
    EXPECT_EQ(proc<PFN_xrGetCurrentInteractionProfile>("xrGetCurrentInteractionProfile")(
                  session(), path("/user/hand/left"), &state),
              XR_ERROR_ACTIONSET_NOT_ATTACHED);
    EXPECT_EQ(state.interactionProfile, 77u);
    EXPECT_EQ(proc<PFN_xrGetCurrentInteractionProfile>("xrGetCurrentInteractionProfile")(session(),
                                                                                         path("/user/nobody"), &state),
              XR_ERROR_PATH_UNSUPPORTED);
    EXPECT_EQ(sync({}), empty_sync);
    const XrInputSourceLocalizedNameGetInfo name{XR_TYPE_INPUT_SOURCE_LOCALIZED_NAME_GET_INFO, nullptr,
                                                 path("/user/hand/left/input/grip/pose"),
                                                 XR_INPUT_SOURCE_LOCALIZED_NAME_USER_PATH_BIT};
    std::uint32_t count = 77;
    EXPECT_EQ(
        proc<PFN_xrGetInputSourceLocalizedName>("xrGetInputSourceLocalizedName")(session(), &name, 0, &count, nullptr),
        XR_ERROR_ACTIONSET_NOT_ATTACHED);
    EXPECT_EQ(count, 77u);
    const XrActionSet set = make_set("late");
    const XrAction action = make_action(set, "late_action", XR_ACTION_TYPE_BOOLEAN_INPUT);
    EXPECT_EQ(sync({set}), XR_ERROR_ACTIONSET_NOT_ATTACHED);
    const XrActionStateGetInfo get{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, action, XR_NULL_PATH};
    XrActionStateBoolean boolean_state{XR_TYPE_ACTION_STATE_BOOLEAN, nullptr, 0, 0, 0, 0};
    EXPECT_EQ(proc<PFN_xrGetActionStateBoolean>("xrGetActionStateBoolean")(session(), &get, &boolean_state),
              XR_ERROR_ACTIONSET_NOT_ATTACHED);
    // Its hands stay.
    frame();
    EXPECT_TRUE(shown_[1].active);
}

TEST_F(WristSource, ATrackerIsFoundByItsRole) {
    write_config(
        "[wrist]\nsource = \"tracker\"\n[wrist.tracker]\nleft = \"left_wrist\"\nright = \"handheld_object\"\n" +
        offset_of("tracker"));
    runtime().vive_tracker_revision = 3;
    const MotionScript left{{{0.5f, 0.5f, -0.5f, 0.5f}, {-0.3f, 1.1f, -0.2f}},
                            {0.1f, 0.3f, 0},
                            {0, -1.5f, 0.5f},
                            1,
                            test_runtime::kValidAndTracked,
                            test_runtime::kVelocityValid};
    const MotionScript right{{{0, 0.6f, 0, 0.8f}, {0.3f, 1.3f, -0.2f}},
                             {0, 0, 0},
                             {0, 0, 0},
                             1,
                             test_runtime::kValidAndTracked,
                             test_runtime::kVelocityValid};
    for (const char* bound : {"grip", "trigger"}) {
        SCOPED_TRACE(bound);
        begin(bound);
        MotionScript moving = left;
        moving.at = runtime().now();
        runtime().trackers = {{"left_wrist", "/devices/htc/vive_tracker.1", moving},
                              {"handheld_object", "/devices/htc/vive_tracker.2", right},
                              {"waist", "/devices/htc/vive_tracker.3", right}};
        frames(30);
        const Motion on_left = attached(motion_of(moving, shown_[0].time), placed_at(kLeftPosition, kLeftTurn));
        expect_at(shown_[0], on_left);
        EXPECT_LT(length(shown_[0].wrist.linear - on_left.linear), 0.01);
        expect_at(shown_[1], attached(motion_of(right, 1), placed_at(kRightPosition, kRightTurn)));
        destroy_instance();
    }
}

TEST_F(WristSource, TheRuntimesOwnHandCarriesTheGlovesFingers) {
    write_config("[wrist]\nsource = \"native\"\n");
    runtime().native_hands = NativeHands::supported;
    begin("");
    const XrPosef wrist{{0.5f, -0.5f, 0.5f, 0.5f}, {-0.1f, 1.3f, -0.4f}};
    runtime().hands[0].change([&](NativeHandScript& hand) { hand.wrist_in_stage = wrist; });
    gloves_[0] = reference_pose(Hand::left, "fist");
    frames(30);
    expect_at(shown_[0], {test_runtime::from_xr(wrist)});
    // The runtime's hand is flat: its middle tip is 175 mm from the wrist.
    const Motion tip{test_runtime::from_xr(answers_[0].joints[XR_HAND_JOINT_MIDDLE_TIP_EXT].pose)};
    EXPECT_LT(length(tip.pose.position - shown_[0].wrist.pose.position), 0.13);
}

TEST_F(WristSource, OneHandHasAControllerAndTheOtherHasNone) {
    write_config("[wrist]\nsource = \"controller\"\n");
    begin("grip");
    hold(1, kTouch);
    frames(30);
    EXPECT_FALSE(shown_[0].active);
    EXPECT_TRUE(shown_[1].active);
    runtime().controllers[1].change([](ControllerScript& right) {
        right.grip.location_flags = XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT |
                                    XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT;
    });
    frame();
    EXPECT_TRUE(shown_[1].active);
    EXPECT_EQ(shown_[1].flags & XR_SPACE_LOCATION_POSITION_TRACKED_BIT, 0u);  // inferred below, inferred here
}

TEST_F(WristSource, EachSyncBelowIsOneOfTheApplications) {
    write_config("[wrist]\nsource = \"controller\"\n");
    begin("trigger");
    hold(0, kTouch);
    const std::uint64_t before = runtime().calls("xrSyncActions");
    frames(20);
    EXPECT_EQ(runtime().calls("xrSyncActions"), before + 20);
}

}  // namespace
}  // namespace glove::test
