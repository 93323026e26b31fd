// SPDX-License-Identifier: Apache-2.0
// Controllers, trackers and actions of the test runtime, without our layer: the rules of OpenXR 1.0 that programs, and
// the layer's tests, rely on. Not covered: haptics that are felt, and profiles of other users than hands and trackers.
#include <algorithm>

#include "openxr/input_fixture.hpp"

namespace glove::test {
namespace {

using Strings = std::vector<std::string>;

constexpr char kSimple[] = "khr/simple_controller";
constexpr char kTouch[] = "oculus/touch_controller";
constexpr char kIndex[] = "valve/index_controller";

class Input : public InputTest {
protected:
    void SetUp() override {
        LoaderTest::SetUp();
        hide_layer();
    }
    void begin(std::vector<const char*> extensions = {}) {
        extensions.push_back(XR_MND_HEADLESS_EXTENSION_NAME);
        make_instance(extensions);
        make_session();
    }
    // Every profile of hands whose extension is asked for here can be suggested.
    void begin_with(const Strings& extra) {
        runtime().extra_extensions = extra;
        std::vector<const char*> extensions;
        for (const std::string& name : extra) {
            extensions.push_back(name.c_str());
        }
        begin(extensions);
    }
};

void expect_near(const XrVector3f& is, const XrVector3f& should) {
    EXPECT_NEAR(is.x, should.x, 1e-5f);
    EXPECT_NEAR(is.y, should.y, 1e-5f);
    EXPECT_NEAR(is.z, should.z, 1e-5f);
}

TEST_F(Input, AnEdgeLastsFromOneSyncToTheNext) {
    begin();
    hold(1, kTouch);
    const XrActionSet set = make_set("play");
    const XrAction fire = make_action(set, "fire", XR_ACTION_TYPE_BOOLEAN_INPUT, {"left", "right"});
    ASSERT_EQ(suggest(kTouch, {{fire, "right/input/a/click"}, {fire, "left/input/x/click"}}), XR_SUCCESS);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    EXPECT_FALSE(boolean(fire).isActive);  // before the first sync
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_TRUE(boolean(fire, "right").isActive);
    EXPECT_FALSE(boolean(fire, "left").isActive);  // no controller there
    EXPECT_FALSE(boolean(fire).changedSinceLastSync);
    EXPECT_EQ(boolean(fire).lastChangeTime, 0);

    press(1, "a/click", 1);
    EXPECT_FALSE(boolean(fire).currentState);  // nothing changes between two syncs
    const XrTime before = runtime().now();
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(boolean(fire).currentState);
        EXPECT_TRUE(boolean(fire).changedSinceLastSync);
        EXPECT_GE(boolean(fire).lastChangeTime, before);
    }
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_TRUE(boolean(fire).currentState);
    EXPECT_FALSE(boolean(fire).changedSinceLastSync);
    EXPECT_GE(boolean(fire).lastChangeTime, before);
}

// What a sync of somebody else beside the program's would do to it.
TEST_F(Input, ASyncWithoutASetMakesItInactiveAndTakesItsEdges) {
    begin();
    hold(0, kSimple);
    const XrActionSet play = make_set("play");
    const XrActionSet other = make_set("other");
    const XrAction select = make_action(play, "select", XR_ACTION_TYPE_BOOLEAN_INPUT);
    const XrAction grip = make_action(play, "grip", XR_ACTION_TYPE_POSE_INPUT);
    const XrAction menu = make_action(other, "menu", XR_ACTION_TYPE_BOOLEAN_INPUT);
    ASSERT_EQ(
        suggest(kSimple,
                {{select, "left/input/select/click"}, {grip, "left/input/grip/pose"}, {menu, "left/input/menu/click"}}),
        XR_SUCCESS);
    ASSERT_EQ(attach({play, other}), XR_SUCCESS);
    const XrSpace hand = make_action_space(grip);
    const XrSpace stage = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    ASSERT_EQ(sync({play}), XR_SUCCESS);
    EXPECT_TRUE(is_active_pose(grip));
    EXPECT_NE(locate_space(hand, stage).location.locationFlags, 0u);

    press(0, "select/click", 1);
    ASSERT_EQ(sync({other}), XR_SUCCESS);
    EXPECT_FALSE(boolean(select).isActive);
    EXPECT_FALSE(boolean(select).currentState);
    EXPECT_FALSE(is_active_pose(grip));
    EXPECT_EQ(locate_space(hand, stage).location.locationFlags, 0u);
    EXPECT_TRUE(boolean(menu).isActive);
    ASSERT_EQ(sync({}), XR_SUCCESS);
    EXPECT_FALSE(boolean(menu).isActive);
    ASSERT_EQ(sync({play, other}), XR_SUCCESS);
    EXPECT_TRUE(boolean(select).currentState);
    EXPECT_TRUE(boolean(menu).isActive);
}

TEST_F(Input, AnInputServesOnlyTheHighestPriorityThatBindsIt) {
    begin();
    hold(1, kIndex);
    const XrActionSet low = make_set("low", 1);
    const XrActionSet high = make_set("high", 7);
    const XrActionSet as_high = make_set("as_high", 7);
    const XrAction pull = make_action(low, "pull", XR_ACTION_TYPE_FLOAT_INPUT);
    const XrAction walk = make_action(low, "walk", XR_ACTION_TYPE_VECTOR2F_INPUT);
    const XrAction grip = make_action(low, "grip", XR_ACTION_TYPE_POSE_INPUT);
    const XrAction shoot = make_action(high, "shoot", XR_ACTION_TYPE_BOOLEAN_INPUT);
    const XrAction hand = make_action(high, "hand", XR_ACTION_TYPE_POSE_INPUT);
    const XrAction also = make_action(as_high, "also", XR_ACTION_TYPE_BOOLEAN_INPUT);
    ASSERT_EQ(suggest(kIndex, {{pull, "right/input/trigger/value"},
                               {walk, "right/input/thumbstick"},
                               {grip, "right/input/grip/pose"},
                               {shoot, "right/input/trigger/click"},  // another component of the same identifier
                               {hand, "right/input/grip/pose"},
                               {also, "right/input/trigger/touch"}}),
              XR_SUCCESS);
    ASSERT_EQ(attach({low, high, as_high}), XR_SUCCESS);
    press(1, "trigger/value", 0.75f);
    press(1, "thumbstick/y", -0.5f);
    ASSERT_EQ(sync({low}), XR_SUCCESS);
    EXPECT_EQ(number(pull).currentState, 0.75f);

    ASSERT_EQ(sync({low, high, as_high}), XR_SUCCESS);
    EXPECT_FALSE(number(pull).isActive);
    EXPECT_EQ(number(pull).currentState, 0);
    EXPECT_FALSE(is_active_pose(grip));
    EXPECT_TRUE(is_active_pose(hand));
    EXPECT_TRUE(boolean(shoot).isActive);
    EXPECT_TRUE(boolean(also).isActive);
    EXPECT_EQ(vector(walk).currentState.y, -0.5f);  // nobody else's
    ASSERT_EQ(sync({low}), XR_SUCCESS);
    EXPECT_TRUE(number(pull).isActive);
    EXPECT_TRUE(is_active_pose(grip));
}

TEST_F(Input, ASuggestionReplacesTheOneBeforeUnlessItFails) {
    begin();
    hold(0, kSimple);
    const XrActionSet set = make_set("play");
    const XrAction select = make_action(set, "select", XR_ACTION_TYPE_BOOLEAN_INPUT);
    const XrAction menu = make_action(set, "menu", XR_ACTION_TYPE_BOOLEAN_INPUT);
    ASSERT_EQ(suggest(kSimple, {{select, "left/input/select/click"}}), XR_SUCCESS);
    ASSERT_EQ(suggest(kSimple, {{menu, "left/input/menu/click"}}), XR_SUCCESS);
    EXPECT_EQ(suggest(kSimple, {{select, "left/input/select/click"}, {menu, "left/input/trigger/value"}}),
              XR_ERROR_PATH_UNSUPPORTED);
    EXPECT_EQ(suggest("nobody/knows", {{select, "left/input/select/click"}}), XR_ERROR_PATH_UNSUPPORTED);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    EXPECT_EQ(suggest(kSimple, {{select, "left/input/select/click"}}), XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_FALSE(boolean(select).isActive);
    EXPECT_TRUE(boolean(menu).isActive);
    EXPECT_EQ(bound_sources(menu), Strings{"/user/hand/left/input/menu/click"});
    EXPECT_EQ(bound_sources(select), Strings{});
}

TEST_F(Input, TheCurrentProfileChangesInASyncWithAnEvent) {
    begin();
    const XrActionSet set = make_set("play");
    const XrAction grip = make_action(set, "grip", XR_ACTION_TYPE_POSE_INPUT, {"left", "right"});
    for (const char* profile : {kSimple, kTouch}) {
        ASSERT_EQ(suggest(profile, {{grip, "left/input/grip/pose"}, {grip, "right/input/grip/pose"}}), XR_SUCCESS);
    }
    XrInteractionProfileState state{XR_TYPE_INTERACTION_PROFILE_STATE, nullptr, 77};
    EXPECT_EQ(xrGetCurrentInteractionProfile(session(), user("left"), &state), XR_ERROR_ACTIONSET_NOT_ATTACHED);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    hold(0, kTouch);
    EXPECT_EQ(current_profile("left"), "");
    (void)poll_events();
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_EQ(current_profile("left"), kTouch);
    EXPECT_EQ(current_profile("right"), "");
    EXPECT_EQ(count(poll_events(), XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED), 1);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_EQ(count(poll_events(), XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED), 0);

    hold(1, kIndex);  // nobody suggested it: it plays a simple one
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_EQ(current_profile("right"), kSimple);
    runtime().controllers[0].change([](ControllerScript& left) { left.present = false; });
    EXPECT_EQ(current_profile("left"), kTouch);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_EQ(current_profile("left"), "");
    EXPECT_EQ(count(poll_events(), XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED), 2);
}

// By hand: the grip has turned left by 90 degrees, so what is 0.1 m before it is on its left; it moves up and turns.
TEST_F(Input, PosesAreWhereTheScriptPutsThem) {
    runtime().extra_extensions = {"XR_EXT_palm_pose"};
    begin({"XR_EXT_palm_pose"});
    hold(1, kTouch);
    constexpr float kRootHalf = 0.70710678f;
    runtime().controllers[1].change([](ControllerScript& controller) {
        controller.grip.in_stage = {{0, kRootHalf, 0, kRootHalf}, {1, 2, 3}};
        controller.grip.linear_velocity = {0, 0.5f, 0};
        controller.grip.angular_velocity = {0, 2, 0};
        controller.grip.at = 1;
        controller.aim_in_grip = {{0, 0, 0, 1}, {0, 0, -0.1f}};
        controller.palm_in_grip = {{0, 0, 0, 1}, {0.02f, 0, 0}};
    });
    const XrActionSet set = make_set("play");
    const XrAction grip = make_action(set, "grip", XR_ACTION_TYPE_POSE_INPUT);
    const XrAction aim = make_action(set, "aim", XR_ACTION_TYPE_POSE_INPUT);
    const XrAction palm = make_action(set, "palm", XR_ACTION_TYPE_POSE_INPUT);
    ASSERT_EQ(
        suggest(kTouch,
                {{grip, "right/input/grip/pose"}, {aim, "right/input/aim/pose"}, {palm, "right/input/palm_ext/pose"}}),
        XR_SUCCESS);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    const XrSpace stage = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    const Located of_grip = locate_space(make_action_space(grip), stage);
    expect_near(of_grip.location.pose.position, {1, 2, 3});
    expect_near(of_grip.velocity.linearVelocity, {0, 0.5f, 0});
    EXPECT_EQ(of_grip.location.locationFlags, test_runtime::kValidAndTracked);
    const Located of_aim = locate_space(make_action_space(aim), stage);
    expect_near(of_aim.location.pose.position, {0.9f, 2, 3});
    expect_near(of_aim.velocity.linearVelocity, {0, 0.5f, 0.2f});  // (0,2,0) x (-0.1,0,0)
    expect_near(locate_space(make_action_space(palm), stage).location.pose.position, {1, 2, 3 - 0.02f});
    const XrSpace before_grip = make_action_space(grip, "", {{0, 0, 0, 1}, {0, 0, -1}});
    expect_near(locate_space(before_grip, stage).location.pose.position, {0, 2, 3});
    expect_near(locate_space(stage, before_grip).location.pose.position, {3, -2, 0});

    runtime().controllers[1].change([](ControllerScript& controller) {
        controller.grip.location_flags = XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
    });
    EXPECT_EQ(locate_space(before_grip, stage).location.locationFlags, 3u);
}

TEST_F(Input, AnActionSpaceOutlivesItsActionAndLosesItsPlaceWithTheFocus) {
    begin();
    hold(0, kSimple);
    const XrActionSet set = make_set("play");
    const XrAction grip = make_action(set, "grip", XR_ACTION_TYPE_POSE_INPUT, {"left"});
    ASSERT_EQ(suggest(kSimple, {{grip, "left/input/grip/pose"}}), XR_SUCCESS);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    const XrSpace hand = make_action_space(grip, "left");
    const XrSpace stage = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    ASSERT_EQ(xrDestroyAction(grip), XR_SUCCESS);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_EQ(locate_space(hand, stage).location.locationFlags, test_runtime::kValidAndTracked);

    runtime().focused = false;
    EXPECT_EQ(locate_space(hand, stage).location.locationFlags, 0u);
    EXPECT_EQ(sync({set}), XR_SESSION_NOT_FOCUSED);
    runtime().focused = true;
    EXPECT_EQ(locate_space(hand, stage).location.locationFlags, 0u);  // not synced since
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_EQ(locate_space(hand, stage).location.locationFlags, test_runtime::kValidAndTracked);
}

TEST_F(Input, OtherTypesOfActionsReadTheSameInput) {
    begin();
    hold(1, kTouch);
    const XrActionSet set = make_set("play");
    const XrAction pressed = make_action(set, "pressed", XR_ACTION_TYPE_BOOLEAN_INPUT);
    const XrAction touched = make_action(set, "touched", XR_ACTION_TYPE_FLOAT_INPUT);
    const XrAction either = make_action(set, "either", XR_ACTION_TYPE_FLOAT_INPUT);
    const XrAction useless = make_action(set, "useless", XR_ACTION_TYPE_POSE_INPUT);
    ASSERT_EQ(suggest(kTouch, {{pressed, "right/input/trigger/value"},
                               {touched, "right/input/a/touch"},
                               {either, "right/input/squeeze"},
                               {either, "right/input/thumbstick/x"},
                               {useless, "right/input/a/click"}}),
              XR_SUCCESS);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    press(1, "trigger/value", 0.4f);
    press(1, "a/touch", 1);
    press(1, "squeeze/value", 0.3f);
    press(1, "thumbstick/x", -0.6f);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_FALSE(boolean(pressed).currentState);
    EXPECT_EQ(number(touched).currentState, 1);
    EXPECT_EQ(number(either).currentState, -0.6f);  // the farthest out
    EXPECT_FALSE(is_active_pose(useless));
    press(1, "trigger/value", 0.6f);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_TRUE(boolean(pressed).currentState);
}

TEST_F(Input, ASyncForOneHandLeavesTheOtherInactive) {
    begin();
    hold(0, kSimple);
    hold(1, kSimple);
    const XrActionSet set = make_set("play");
    const XrAction select = make_action(set, "select", XR_ACTION_TYPE_BOOLEAN_INPUT, {"left", "right"});
    const XrAction plain = make_action(set, "plain", XR_ACTION_TYPE_BOOLEAN_INPUT);
    ASSERT_EQ(suggest(kSimple, {{select, "left/input/select/click"},
                                {select, "right/input/select/click"},
                                {plain, "right/input/menu/click"}}),
              XR_SUCCESS);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    const auto sync_for = [&](XrPath of) {
        const XrActiveActionSet active{set, of};
        const XrActionsSyncInfo info{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 1, &active};
        return xrSyncActions(session(), &info);
    };
    ASSERT_EQ(sync_for(user("left")), XR_SUCCESS);
    EXPECT_TRUE(boolean(select, "left").isActive);
    EXPECT_FALSE(boolean(select, "right").isActive);
    EXPECT_FALSE(boolean(plain).isActive);
    EXPECT_EQ(sync_for(path("/user/head")), XR_ERROR_PATH_UNSUPPORTED);  // no action has it
    const XrActionStateGetInfo info{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, plain, user("left")};
    XrActionStateBoolean state{XR_TYPE_ACTION_STATE_BOOLEAN, nullptr, 0, 0, 0, 0};
    EXPECT_EQ(xrGetActionStateBoolean(session(), &info, &state), XR_ERROR_PATH_UNSUPPORTED);
}

TEST_F(Input, AfterAnAttachOtherSetsAreRefused) {
    begin();
    const XrActionSet attached = make_set("attached");
    const XrActionSet late = make_set("late");
    const XrAction of_late = make_action(late, "pose", XR_ACTION_TYPE_POSE_INPUT);
    (void)make_action_space(of_late);  // before any attach
    ASSERT_EQ(attach({attached}), XR_SUCCESS);
    EXPECT_EQ(attach({late}), XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
    EXPECT_EQ(sync({late}), XR_ERROR_ACTIONSET_NOT_ATTACHED);
    const XrActionSpaceCreateInfo space_info{XR_TYPE_ACTION_SPACE_CREATE_INFO, nullptr, of_late, XR_NULL_PATH, kHere};
    XrSpace space = XR_NULL_HANDLE;
    EXPECT_EQ(xrCreateActionSpace(session(), &space_info, &space), XR_ERROR_ACTIONSET_NOT_ATTACHED);
    XrActionCreateInfo info{};
    info.type = XR_TYPE_ACTION_CREATE_INFO;
    info.actionName[0] = info.localizedActionName[0] = 'x';
    info.actionType = XR_ACTION_TYPE_BOOLEAN_INPUT;
    XrAction action = XR_NULL_HANDLE;
    EXPECT_EQ(xrCreateAction(attached, &info, &action), XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
    EXPECT_EQ(xrCreateAction(late, &info, &action), XR_SUCCESS);
}

TEST_F(Input, NamesSayWhatTheInputBelongsTo) {
    begin();
    hold(0, kIndex);
    const XrActionSet set = make_set("play");
    const XrAction pull = make_action(set, "pull", XR_ACTION_TYPE_FLOAT_INPUT);
    ASSERT_EQ(suggest(kIndex, {{pull, "left/input/trigger/value"}}), XR_SUCCESS);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    const XrInputSourceLocalizedNameGetInfo info{
        XR_TYPE_INPUT_SOURCE_LOCALIZED_NAME_GET_INFO, nullptr, path("/user/hand/left/input/trigger/value"),
        XR_INPUT_SOURCE_LOCALIZED_NAME_USER_PATH_BIT | XR_INPUT_SOURCE_LOCALIZED_NAME_INTERACTION_PROFILE_BIT |
            XR_INPUT_SOURCE_LOCALIZED_NAME_COMPONENT_BIT};
    char name[64];
    std::uint32_t size = 0;
    ASSERT_EQ(xrGetInputSourceLocalizedName(session(), &info, sizeof name, &size, name), XR_SUCCESS);
    EXPECT_STREQ(name, "left Index Controller trigger");
    EXPECT_EQ(xrGetInputSourceLocalizedName(session(), &info, 4, &size, name), XR_ERROR_SIZE_INSUFFICIENT);
}

TEST_F(Input, ProfilesAreThoseOfOpenXR10AndOfTheExtensionsThatAreOn) {
    begin();
    const XrActionSet set = make_set("play");
    const XrAction any = make_action(set, "any", XR_ACTION_TYPE_BOOLEAN_INPUT);
    for (const char* profile : {kSimple, kTouch, kIndex, "htc/vive_controller", "microsoft/motion_controller"}) {
        EXPECT_EQ(suggest(profile, {{any, "left/input/grip/pose"}}), XR_SUCCESS) << profile;
        EXPECT_EQ(suggest(profile, {{any, "left/input/palm_ext/pose"}}), XR_ERROR_PATH_UNSUPPORTED) << profile;
        EXPECT_EQ(suggest(profile, {{any, "/user/head/input/grip/pose"}}), XR_ERROR_PATH_UNSUPPORTED) << profile;
    }
    for (const char* profile :
         {"htc/vive_cosmos_controller", "htc/vive_focus3_controller", "hp/mixed_reality_controller",
          "bytedance/pico4_controller", "bytedance/pico_neo3_controller", "ml/ml2_controller",
          "facebook/touch_controller_pro", "meta/touch_controller_plus"}) {
        EXPECT_EQ(suggest(profile, {{any, "left/input/grip/pose"}}), XR_ERROR_PATH_UNSUPPORTED) << profile;
    }
    EXPECT_EQ(suggest("htc/vive_tracker_htcx", {{any, "/user/vive_tracker_htcx/role/waist/input/grip/pose"}}),
              XR_ERROR_PATH_UNSUPPORTED);
    EXPECT_EQ(suggest(kTouch, {{any, "right/input/x/click"}}), XR_ERROR_PATH_UNSUPPORTED);
    EXPECT_EQ(suggest(kTouch, {{any, "left/input/x/click"}}), XR_SUCCESS);
}

TEST_F(Input, ExtensionsBringTheirProfilesAndPoses) {
    begin_with({"XR_HTC_vive_cosmos_controller_interaction", "XR_HTC_vive_focus3_controller_interaction",
                "XR_EXT_hp_mixed_reality_controller", "XR_BD_controller_interaction",
                "XR_ML_ml2_controller_interaction", "XR_FB_touch_controller_pro", "XR_META_touch_controller_plus",
                "XR_EXT_palm_pose", "XR_KHR_maintenance1"});
    const XrActionSet set = make_set("play");
    const XrAction any = make_action(set, "any", XR_ACTION_TYPE_BOOLEAN_INPUT);
    struct Row {
        const char* profile;
        const char* has;
        const char* has_not;
    };
    for (const auto& [profile, has, has_not] :
         std::vector<Row>{{"htc/vive_cosmos_controller", "left/input/shoulder/click", "left/input/squeeze/value"},
                          {"htc/vive_focus3_controller", "left/input/squeeze/touch", "left/input/shoulder/click"},
                          {"hp/mixed_reality_controller", "right/input/menu/click", "right/input/trigger/touch"},
                          {"bytedance/pico4_controller", "left/input/menu/click", "right/input/menu/click"},
                          {"bytedance/pico_neo3_controller", "right/input/menu/click", "right/input/x/click"},
                          {"ml/ml2_controller", "left/input/home/click", "left/input/squeeze/click"},
                          {"facebook/touch_controller_pro", "right/input/stylus_fb/force", "right/input/trigger/force"},
                          {"meta/touch_controller_plus", "right/input/trigger/force", "right/input/thumbrest/force"}}) {
        EXPECT_EQ(suggest(profile, {{any, has}, {any, "left/input/palm_ext/pose"}}), XR_SUCCESS) << profile;
        EXPECT_EQ(suggest(profile, {{any, "right/input/grip_surface/pose"}}), XR_SUCCESS) << profile;
        EXPECT_EQ(suggest(profile, {{any, has_not}}), XR_ERROR_PATH_UNSUPPORTED) << profile;
    }
}

TEST_F(Input, TrackersAreThereByRoleAndByName) {
    constexpr char kWrist[] = "/user/vive_tracker_htcx/role/left_wrist";
    runtime().vive_tracker_revision = 3;
    runtime().trackers.change([](std::vector<TrackerScript>& trackers) {
        trackers.push_back({"left_wrist",
                            "/devices/htc/vive_tracker.1",
                            {{{0, 0, 0, 1}, {-1, 1, 0}}, {}, {}, 0, test_runtime::kValidAndTracked, 0}});
    });
    begin({XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME});
    const XrActionSet set = make_set("play");
    const XrAction wrist = make_action(set, "wrist", XR_ACTION_TYPE_POSE_INPUT, {kWrist});
    ASSERT_EQ(suggest("htc/vive_tracker_htcx", {{wrist, std::string(kWrist) + "/input/grip/pose"}}), XR_SUCCESS);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    EXPECT_EQ(current_profile(kWrist), "htc/vive_tracker_htcx");
    const XrSpace space = make_action_space(wrist, kWrist);
    expect_near(locate_space(space, make_space(XR_REFERENCE_SPACE_TYPE_STAGE)).location.pose.position, {-1, 1, 0});

    const auto enumerate = proc<PFN_xrEnumerateViveTrackerPathsHTCX>("xrEnumerateViveTrackerPathsHTCX");
    std::uint32_t found = 0;
    XrViveTrackerPathsHTCX paths{XR_TYPE_VIVE_TRACKER_PATHS_HTCX, nullptr, 0, 0};
    ASSERT_EQ(enumerate(instance(), 1, &found, &paths), XR_SUCCESS);
    EXPECT_EQ(text(paths.rolePath), kWrist);
    EXPECT_EQ(text(paths.persistentPath), "/devices/htc/vive_tracker.1");

    runtime().trackers.change([](std::vector<TrackerScript>& trackers) {
        trackers.push_back({"waist", "/devices/htc/vive_tracker.2", trackers.front().grip});
    });
    const std::vector<XrEventDataBuffer> events = poll_events();
    EXPECT_EQ(count(events, XR_TYPE_EVENT_DATA_VIVE_TRACKER_CONNECTED_HTCX), 1);
    const auto& connected = reinterpret_cast<const XrEventDataViveTrackerConnectedHTCX&>(events.back());
    EXPECT_EQ(text(connected.paths->rolePath), "/user/vive_tracker_htcx/role/waist");
}

TEST_F(Input, WristsAreRolesFromTheThirdRevisionOn) {
    for (const std::uint32_t revision : {2u, 3u}) {
        runtime().vive_tracker_revision = revision;
        begin({XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME});
        const XrActionSet set = make_set("play");
        const XrAction any = make_action(set, "any", XR_ACTION_TYPE_POSE_INPUT);
        const auto with_role = [&](const char* role) {
            return suggest("htc/vive_tracker_htcx",
                           {{any, "/user/vive_tracker_htcx/role/" + std::string(role) + "/input/grip/pose"}});
        };
        EXPECT_EQ(with_role("handheld_object"), XR_SUCCESS);
        EXPECT_EQ(with_role("left_elbow"), XR_SUCCESS);
        EXPECT_EQ(with_role("right_wrist"), revision < 3 ? XR_ERROR_PATH_UNSUPPORTED : XR_SUCCESS);
        EXPECT_EQ(with_role("nose"), XR_ERROR_PATH_UNSUPPORTED);
        destroy_instance();
    }
}

// By hand: the new LOCAL stands 2 m to the right of the old one and has turned left by 90 degrees.
TEST_F(Input, ARecentringMovesLocalAtItsTimeAndSaysSoBefore) {
    begin();
    (void)poll_events();
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    const XrSpace stage = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    runtime().recentrings.change([](std::vector<Recentring>& all) {
        all.push_back({{{0, 0.70710678f, 0, 0.70710678f}, {2, 1.6f, 0}}, 1'000'000});
    });
    const std::vector<XrEventDataBuffer> events = poll_events();
    ASSERT_EQ(count(events, XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING), 1);
    const auto& event = reinterpret_cast<const XrEventDataReferenceSpaceChangePending&>(events.back());
    EXPECT_EQ(event.session, session());
    EXPECT_EQ(event.referenceSpaceType, XR_REFERENCE_SPACE_TYPE_LOCAL);
    EXPECT_EQ(event.changeTime, 1'000'000);
    ASSERT_TRUE(event.poseValid);
    expect_near(event.poseInPreviousSpace.position, {2, 0, 0});
    EXPECT_NEAR(event.poseInPreviousSpace.orientation.y, 0.70710678f, 1e-5f);
    expect_near(locate_space(local, stage, 999'999).location.pose.position, {0, 1.6f, 0});
    expect_near(locate_space(local, stage, 1'000'000).location.pose.position, {2, 1.6f, 0});
    // What was at the old LOCAL's origin is now 2 m before the new one's left: along its -Z, which is the stage's -X.
    expect_near(locate_space(make_space(XR_REFERENCE_SPACE_TYPE_STAGE, {{0, 0, 0, 1}, {0, 1.6f, 0}}), local, 1'000'000)
                    .location.pose.position,
                {0, 0, -2});
}

}  // namespace
}  // namespace glove::test
