// SPDX-License-Identifier: Apache-2.0
// The test runtime alone, through the real loader and without our layer: what it must do right for the layer's tests to
// mean anything. Not covered: controllers and actions (input_test.cpp), and the Windows
// clock.
#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "openxr/loader_fixture.hpp"

namespace glove::test {
namespace {

constexpr float kRootHalf = std::numbers::sqrt2_v<float> / 2;
constexpr XrPosef kTurnedLeft{{0, kRootHalf, 0, kRootHalf}, {0, 0, 0}};  // 90 degrees about +Y: -Z becomes -X

class Runtime : public LoaderTest {
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
    std::vector<XrSessionState> poll_states() const {
        std::vector<XrSessionState> states;
        for (;;) {
            XrEventDataBuffer buffer{};
            buffer.type = XR_TYPE_EVENT_DATA_BUFFER;
            if (xrPollEvent(instance(), &buffer) != XR_SUCCESS) {
                return states;
            }
            states.push_back(reinterpret_cast<const XrEventDataSessionStateChanged&>(buffer).state);
        }
    }
    std::set<std::string> listed_extensions() const {
        std::uint32_t count = 0;
        EXPECT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr), XR_SUCCESS);
        std::vector<XrExtensionProperties> properties(count, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
        EXPECT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, count, &count, properties.data()), XR_SUCCESS);
        std::set<std::string> names;
        for (const XrExtensionProperties& property : properties) {
            names.insert(property.extensionName);
        }
        return names;
    }
    struct Located {
        XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, nullptr, 0, {}};
        XrSpaceVelocity velocity{XR_TYPE_SPACE_VELOCITY, nullptr, 0, {}, {}};
    };
    Located locate_space(XrSpace space, XrSpace base, XrTime time = 1) const {
        Located located;
        located.location.next = &located.velocity;
        EXPECT_EQ(xrLocateSpace(space, base, time, &located.location), XR_SUCCESS);
        return located;
    }
};

void expect_near(const XrVector3f& is, const XrVector3f& should) {
    EXPECT_NEAR(is.x, should.x, 1e-5f);
    EXPECT_NEAR(is.y, should.y, 1e-5f);
    EXPECT_NEAR(is.z, should.z, 1e-5f);
}

TEST_F(Runtime, SaysHonestlyThatItIsNoHeadset) {
    begin();
    XrInstanceProperties instance_properties{XR_TYPE_INSTANCE_PROPERTIES, nullptr, 0, {}};
    ASSERT_EQ(xrGetInstanceProperties(instance(), &instance_properties), XR_SUCCESS);
    EXPECT_STREQ(instance_properties.runtimeName, "Glove Hands test runtime (no headset)");
    XrSystemProperties properties{XR_TYPE_SYSTEM_PROPERTIES, nullptr, 0, 0, {}, {}, {}};
    ASSERT_EQ(xrGetSystemProperties(instance(), system(), &properties), XR_SUCCESS);
    EXPECT_STREQ(properties.systemName, "Glove Hands test runtime (no headset)");
}

TEST_F(Runtime, StatesComeInTheOrderOfTheSpecification) {
    make_instance({XR_MND_HEADLESS_EXTENSION_NAME});
    const XrSessionCreateInfo create{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, system()};
    XrSession made = XR_NULL_HANDLE;
    ASSERT_EQ(xrCreateSession(instance(), &create, &made), XR_SUCCESS);
    EXPECT_EQ(poll_states(), (std::vector{XR_SESSION_STATE_IDLE, XR_SESSION_STATE_READY}));

    const XrSessionBeginInfo begin_info{XR_TYPE_SESSION_BEGIN_INFO, nullptr, {}};
    EXPECT_EQ(xrEndSession(made), XR_ERROR_SESSION_NOT_RUNNING);
    ASSERT_EQ(xrBeginSession(made, &begin_info), XR_SUCCESS);
    EXPECT_EQ(xrBeginSession(made, &begin_info), XR_ERROR_SESSION_RUNNING);
    EXPECT_EQ(poll_states(),
              (std::vector{XR_SESSION_STATE_SYNCHRONIZED, XR_SESSION_STATE_VISIBLE, XR_SESSION_STATE_FOCUSED}));

    EXPECT_EQ(xrEndSession(made), XR_ERROR_SESSION_NOT_STOPPING);
    ASSERT_EQ(xrRequestExitSession(made), XR_SUCCESS);
    EXPECT_EQ(poll_states(),
              (std::vector{XR_SESSION_STATE_VISIBLE, XR_SESSION_STATE_SYNCHRONIZED, XR_SESSION_STATE_STOPPING}));
    ASSERT_EQ(xrEndSession(made), XR_SUCCESS);
    EXPECT_EQ(poll_states(), (std::vector{XR_SESSION_STATE_IDLE, XR_SESSION_STATE_EXITING}));
    EXPECT_EQ(xrBeginSession(made, &begin_info), XR_ERROR_SESSION_NOT_READY);
}

TEST_F(Runtime, FocusFollowsTheScript) {
    begin();
    runtime().focused = false;
    EXPECT_EQ(poll_states(), std::vector{XR_SESSION_STATE_VISIBLE});
    EXPECT_EQ(poll_states(), std::vector<XrSessionState>{});
    runtime().focused = true;
    EXPECT_EQ(poll_states(), std::vector{XR_SESSION_STATE_FOCUSED});
}

TEST_F(Runtime, ASessionNeedsHeadlessBecauseThereIsNoGraphicsBinding) {
    make_instance({});
    const XrSessionCreateInfo create{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, system()};
    XrSession made = XR_NULL_HANDLE;
    EXPECT_EQ(xrCreateSession(instance(), &create, &made), XR_ERROR_GRAPHICS_DEVICE_INVALID);
}

TEST_F(Runtime, TheHeadStandsAtEyeHeightUntilScripted) {
    begin();
    const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    const Located in_stage = locate_space(view, make_space(XR_REFERENCE_SPACE_TYPE_STAGE));
    expect_near(in_stage.location.pose.position, {0, 1.6f, 0});
    EXPECT_EQ(in_stage.location.locationFlags, test_runtime::kValidAndTracked);
    EXPECT_EQ(in_stage.velocity.velocityFlags, test_runtime::kVelocityValid);
    const Located in_local = locate_space(view, make_space(XR_REFERENCE_SPACE_TYPE_LOCAL));
    expect_near(in_local.location.pose.position, {0, 0, 0});
}

// Worked out by hand: the head is at (1, 2, 3) and has turned left, so its -Z is the stage's -X and its +X is -Z.
TEST_F(Runtime, PosesAreComposedParentFirst) {
    begin();
    runtime().head.change([](HeadScript& head) { head.in_stage = {kTurnedLeft.orientation, {1, 2, 3}}; });
    const XrSpace stage = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    const XrSpace before_head = make_space(XR_REFERENCE_SPACE_TYPE_VIEW, {{0, 0, 0, 1}, {0.5f, 0, -2}});
    const XrPosef seen = locate_space(before_head, stage).location.pose;
    expect_near(seen.position, {1 - 2, 2, 3 - 0.5f});
    EXPECT_NEAR(seen.orientation.y, kRootHalf, 1e-5f);
    EXPECT_NEAR(seen.orientation.w, kRootHalf, 1e-5f);

    const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    // The stage's origin is (-1, -2, -3) from the head: its x is what was behind (+Z), its z what was on the left (-X).
    expect_near(locate_space(stage, view).location.pose.position, {3, -2, -1});
}

// The head turns left at 1 rad/s and walks along x: 2 m before it a point swings to the left (-X) at 2 m/s.
TEST_F(Runtime, VelocitiesOfAnOffsetPointIncludeTheSwing) {
    begin();
    runtime().head.change([](HeadScript& head) {
        head.linear_velocity = {0.5f, 0, 0};
        head.angular_velocity = {0, 1, 0};
        head.at = 1;
    });
    const XrSpace stage = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    const XrSpace ahead = make_space(XR_REFERENCE_SPACE_TYPE_VIEW, {{0, 0, 0, 1}, {0, 0, -2}});
    const Located in_stage = locate_space(ahead, stage);
    expect_near(in_stage.velocity.linearVelocity, {0.5f - 2, 0, 0});
    expect_near(in_stage.velocity.angularVelocity, {0, 1, 0});

    // A lamp at rest at the same place is seen from the head to go the other way about.
    const XrSpace lamp = make_space(XR_REFERENCE_SPACE_TYPE_STAGE, {{0, 0, 0, 1}, {0, 1.6f, -2}});
    const Located from_head = locate_space(lamp, make_space(XR_REFERENCE_SPACE_TYPE_VIEW));
    expect_near(from_head.velocity.linearVelocity, {2 - 0.5f, 0, 0});
    expect_near(from_head.velocity.angularVelocity, {0, -1, 0});

    // On the head nothing moves.
    expect_near(locate_space(ahead, make_space(XR_REFERENCE_SPACE_TYPE_VIEW)).velocity.linearVelocity, {0, 0, 0});
}

TEST_F(Runtime, VelocitiesAreTheChangeOfThePose) {
    begin();
    runtime().head.change([](HeadScript& head) {
        head.in_stage = {{0.1f, 0.2f, 0.3f, 0.927f}, {0.3f, 1.5f, -0.2f}};
        head.linear_velocity = {0.5f, -0.3f, 0.8f};
        head.angular_velocity = {1.1f, -0.7f, 0.4f};
        head.at = 1'000'000'000;
    });
    const XrSpace hand = make_space(XR_REFERENCE_SPACE_TYPE_VIEW, {{0, 0, 0, 1}, {0.2f, -0.3f, -0.5f}});
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL, {{0, 1, 0, 0}, {1, 0, 2}});
    constexpr XrTime kTime = 1'250'000'000;
    constexpr XrDuration kStep = 10'000'000;
    for (const auto& [space, base] : {std::pair{hand, local}, std::pair{local, hand}}) {
        const XrVector3f before = locate_space(space, base, kTime - kStep).location.pose.position;
        const XrVector3f after = locate_space(space, base, kTime + kStep).location.pose.position;
        const XrVector3f velocity = locate_space(space, base, kTime).velocity.linearVelocity;
        EXPECT_NEAR(velocity.x, (after.x - before.x) / 0.02f, 1e-3f);
        EXPECT_NEAR(velocity.y, (after.y - before.y) / 0.02f, 1e-3f);
        EXPECT_NEAR(velocity.z, (after.z - before.z) / 0.02f, 1e-3f);
    }
}

TEST_F(Runtime, ALostHeadIsLostFromTheRoomButNotFromItself) {
    begin();
    runtime().head.change([](HeadScript& head) { head.location_flags = head.velocity_flags = 0; });
    const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    const XrSpace hand = make_space(XR_REFERENCE_SPACE_TYPE_VIEW, {{0, 0, 0, 1}, {0, 0, -1}});
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    EXPECT_EQ(locate_space(hand, local).location.locationFlags, 0u);
    EXPECT_EQ(locate_space(local, hand).location.locationFlags, 0u);
    EXPECT_EQ(locate_space(hand, local).velocity.velocityFlags, 0u);
    EXPECT_EQ(locate_space(hand, view).location.locationFlags, test_runtime::kValidAndTracked);
}

TEST_F(Runtime, AStageThatIsSwitchedOffIsNeitherListedNorMade) {
    begin();
    runtime().has_stage = false;
    const XrReferenceSpaceCreateInfo info{XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, XR_REFERENCE_SPACE_TYPE_STAGE,
                                          kHere};
    XrSpace space = XR_NULL_HANDLE;
    EXPECT_EQ(xrCreateReferenceSpace(session(), &info, &space), XR_ERROR_REFERENCE_SPACE_UNSUPPORTED);
    std::uint32_t count = 0;
    ASSERT_EQ(xrEnumerateReferenceSpaces(session(), 0, &count, nullptr), XR_SUCCESS);
    EXPECT_EQ(count, 2u);
    XrExtent2Df bounds{};
    EXPECT_EQ(xrGetReferenceSpaceBoundsRect(session(), XR_REFERENCE_SPACE_TYPE_STAGE, &bounds),
              XR_ERROR_REFERENCE_SPACE_UNSUPPORTED);
}

TEST_F(Runtime, RefusesTimesAndPosesThatAreNone) {
    begin();
    const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, nullptr, 0x77, {}};
    EXPECT_EQ(xrLocateSpace(view, view, 0, &location), XR_ERROR_TIME_INVALID);
    EXPECT_EQ(xrLocateSpace(view, view, -1, &location), XR_ERROR_TIME_INVALID);
    EXPECT_EQ(location.locationFlags, 0x77u);
    const XrReferenceSpaceCreateInfo info{
        XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, XR_REFERENCE_SPACE_TYPE_VIEW, {{0, 0, 0, 0}, {0, 0, 0}}};
    XrSpace space = XR_NULL_HANDLE;
    EXPECT_EQ(xrCreateReferenceSpace(session(), &info, &space), XR_ERROR_POSE_INVALID);
}

TEST_F(Runtime, FramesAreDueOneAfterAnother) {
    begin();
    runtime().frame_period_ns = 2'000'000;
    XrTime last = 0;
    for (int i = 0; i < 5; ++i) {
        XrFrameState frame{XR_TYPE_FRAME_STATE, nullptr, 0, 0, XR_TRUE};
        const XrTime asked = runtime().now();
        ASSERT_EQ(xrWaitFrame(session(), nullptr, &frame), XR_SUCCESS);
        EXPECT_GT(frame.predictedDisplayTime, asked);
        EXPECT_GT(frame.predictedDisplayTime, last);
        EXPECT_EQ(frame.predictedDisplayPeriod, 2'000'000);
        last = frame.predictedDisplayTime;
        ASSERT_EQ(xrBeginFrame(session(), nullptr), XR_SUCCESS);
        XrFrameEndInfo end{XR_TYPE_FRAME_END_INFO, nullptr, last, XR_ENVIRONMENT_BLEND_MODE_OPAQUE, 0, nullptr};
        ASSERT_EQ(xrEndFrame(session(), &end), XR_SUCCESS);
        EXPECT_EQ(xrEndFrame(session(), &end), XR_ERROR_CALL_ORDER_INVALID);
    }
    EXPECT_EQ(xrBeginFrame(session(), nullptr), XR_ERROR_CALL_ORDER_INVALID);
}

TEST_F(Runtime, TimeConvertsThereAndBackWithAnEpochOfItsOwn) {
    begin({GLOVE_TIME_CONVERSION_EXTENSION});
    const auto to_xr = proc<PFN_xrConvertTimespecTimeToTimeKHR>("xrConvertTimespecTimeToTimeKHR");
    const auto from_xr = proc<PFN_xrConvertTimeToTimespecTimeKHR>("xrConvertTimeToTimespecTimeKHR");
    runtime().epoch_ns = 5'000'000'007;
    const timespec steady{1234, 567'890'123};
    XrTime time = 0;
    ASSERT_EQ(to_xr(instance(), &steady, &time), XR_SUCCESS);
    EXPECT_EQ(time, 1'239'567'890'130);
    timespec back{};
    ASSERT_EQ(from_xr(instance(), time, &back), XR_SUCCESS);
    EXPECT_EQ(back.tv_sec, steady.tv_sec);
    EXPECT_EQ(back.tv_nsec, steady.tv_nsec);

    timespec now{};
    ASSERT_EQ(::clock_gettime(CLOCK_MONOTONIC, &now), 0);
    ASSERT_EQ(to_xr(instance(), &now, &time), XR_SUCCESS);
    EXPECT_NEAR(static_cast<double>(time), static_cast<double>(runtime().now()), 1e9);

    EXPECT_EQ(from_xr(instance(), 0, &back), XR_ERROR_TIME_INVALID);
    const timespec endless{std::numeric_limits<time_t>::max(), 0};
    EXPECT_EQ(to_xr(instance(), &endless, &time), XR_ERROR_TIME_INVALID);
}

TEST_F(Runtime, ListsNoHandsOfItsOwnUntilScripted) {
    const std::set<std::string> listed = listed_extensions();
    EXPECT_EQ(listed.count(XR_MND_HEADLESS_EXTENSION_NAME), 1u);
    EXPECT_EQ(listed.count(GLOVE_TIME_CONVERSION_EXTENSION), 1u);
    EXPECT_EQ(listed.count(XR_EXT_HAND_TRACKING_EXTENSION_NAME), 0u);
    EXPECT_EQ(listed.count(XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME), 0u);
}

TEST_F(Runtime, ListsWhatTheScriptSays) {
    runtime().native_hands = NativeHands::unsupported;
    runtime().lists_hand_aim = true;
    runtime().lists_time_conversion = false;
    runtime().extra_extensions = {"XR_EXT_nobody_knows"};
    const std::set<std::string> listed = listed_extensions();
    EXPECT_EQ(listed.count(XR_EXT_HAND_TRACKING_EXTENSION_NAME), 1u);
    EXPECT_EQ(listed.count(XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME), 1u);
    EXPECT_EQ(listed.count("XR_EXT_nobody_knows"), 1u);
    EXPECT_EQ(listed.count(GLOVE_TIME_CONVERSION_EXTENSION), 0u);
    EXPECT_EQ(try_instance({"XR_EXT_nobody_knows"}), XR_SUCCESS);
    EXPECT_EQ(runtime().enabled_extensions.get(), std::vector<std::string>{"XR_EXT_nobody_knows"});
}

TEST_F(Runtime, RefusesExtensionsItDoesNotList) {
    EXPECT_EQ(try_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME}), XR_ERROR_EXTENSION_NOT_PRESENT);
    EXPECT_EQ(try_instance({"XR_mnd_headless"}), XR_ERROR_EXTENSION_NOT_PRESENT);
}

TEST_F(Runtime, FunctionsOfExtensionsThatAreNotEnabledDoNotExist) {
    runtime().native_hands = NativeHands::supported;
    make_instance({});
    for (const char* name : {"xrCreateHandTrackerEXT", "xrConvertTimespecTimeToTimeKHR", "xrNonsense", ""}) {
        auto function = reinterpret_cast<PFN_xrVoidFunction>(&xrDestroyInstance);
        EXPECT_EQ(xrGetInstanceProcAddr(instance(), name, &function), XR_ERROR_FUNCTION_UNSUPPORTED) << name;
        EXPECT_EQ(function, nullptr) << name;
    }
}

TEST_F(Runtime, EveryFunctionOfOpenXR10Exists) {
    make_instance({});
    for (const std::string_view name : test_runtime::kFunctionNames) {
        if (name.ends_with("KHR") || name.ends_with("EXT") || name.ends_with("HTCX")) {
            continue;
        }
        PFN_xrVoidFunction function = nullptr;
        EXPECT_EQ(xrGetInstanceProcAddr(instance(), std::string(name).c_str(), &function), XR_SUCCESS) << name;
        EXPECT_NE(function, nullptr) << name;
    }
}

TEST_F(Runtime, DestroyedHandlesAreRefusedAndCounted) {
    begin();
    const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    EXPECT_EQ(runtime().live_spaces, 1u);
    ASSERT_EQ(xrDestroySpace(space), XR_SUCCESS);
    EXPECT_EQ(runtime().live_spaces, 0u);
    EXPECT_EQ(runtime().unknown_handles, 0u);
    EXPECT_EQ(xrDestroySpace(space), XR_ERROR_HANDLE_INVALID);
    EXPECT_EQ(runtime().unknown_handles, 1u);
}

TEST_F(Runtime, ChildrenGoWithTheirParents) {
    runtime().native_hands = NativeHands::supported;
    begin({XR_EXT_HAND_TRACKING_EXTENSION_NAME});
    const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    const auto destroy_tracker = proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    EXPECT_EQ(runtime().live_sessions, 0u);
    EXPECT_EQ(runtime().live_spaces, 0u);
    EXPECT_EQ(runtime().live_hand_trackers, 0u);
    EXPECT_EQ(destroy_tracker(tracker), XR_ERROR_HANDLE_INVALID);
    EXPECT_EQ(xrDestroySpace(space), XR_ERROR_HANDLE_INVALID);
}

TEST_F(Runtime, AScriptedErrorHappensAsOftenAsAskedAndDoesNothing) {
    begin();
    const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    runtime().fail("xrLocateSpace", XR_ERROR_SESSION_LOST, 2);
    XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, nullptr, 0x77, {}};
    EXPECT_EQ(xrLocateSpace(view, view, 1, &location), XR_ERROR_SESSION_LOST);
    EXPECT_EQ(xrLocateSpace(view, view, 1, &location), XR_ERROR_SESSION_LOST);
    EXPECT_EQ(location.locationFlags, 0x77u);
    EXPECT_EQ(xrLocateSpace(view, view, 1, &location), XR_SUCCESS);
    EXPECT_EQ(runtime().calls("xrLocateSpace"), 3u);

    runtime().fail("xrLocateSpace", XR_SESSION_LOSS_PENDING);
    location.locationFlags = 0x77;
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(xrLocateSpace(view, view, 1, &location), XR_SESSION_LOSS_PENDING);
    }
    EXPECT_EQ(location.locationFlags, test_runtime::kValidAndTracked);  // a success code goes with the work done
    EXPECT_THROW((void)runtime().calls("xrLocateSpaec"), std::invalid_argument);
}

TEST_F(Runtime, TheScriptOutlivesInstances) {
    begin();
    runtime().focused = false;
    destroy_instance();
    make_instance({XR_MND_HEADLESS_EXTENSION_NAME});
    EXPECT_FALSE(runtime().focused.get());
    EXPECT_EQ(runtime().calls("xrCreateInstance"), 2u);
    runtime().reset();
    EXPECT_TRUE(runtime().focused.get());
    EXPECT_EQ(runtime().calls("xrCreateInstance"), 0u);
}

TEST_F(Runtime, HandsItListsButDoesNotHaveCannotBeTracked) {
    runtime().native_hands = NativeHands::unsupported;
    begin({XR_EXT_HAND_TRACKING_EXTENSION_NAME});
    XrSystemHandTrackingPropertiesEXT hands{XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, nullptr, XR_TRUE};
    XrSystemProperties properties{XR_TYPE_SYSTEM_PROPERTIES, &hands, 0, 0, {}, {}, {}};
    ASSERT_EQ(xrGetSystemProperties(instance(), system(), &properties), XR_SUCCESS);
    EXPECT_EQ(hands.supportsHandTracking, static_cast<XrBool32>(XR_FALSE));
    const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, XR_HAND_LEFT_EXT,
                                          XR_HAND_JOINT_SET_DEFAULT_EXT};
    XrHandTrackerEXT tracker = XR_NULL_HANDLE;
    EXPECT_EQ(proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(session(), &info, &tracker),
              XR_ERROR_FEATURE_UNSUPPORTED);
}

TEST_F(Runtime, PropertiesOfHandsAreLeftAloneWhenNobodyEnabledThem) {
    runtime().native_hands = NativeHands::supported;
    begin();
    XrSystemHandTrackingPropertiesEXT hands{XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, nullptr, 77};
    XrSystemProperties properties{XR_TYPE_SYSTEM_PROPERTIES, &hands, 0, 0, {}, {}, {}};
    ASSERT_EQ(xrGetSystemProperties(instance(), system(), &properties), XR_SUCCESS);
    EXPECT_EQ(hands.supportsHandTracking, 77u);
}

TEST_F(Runtime, NativeHandsAreWhereTheScriptPutsThem) {
    runtime().native_hands = NativeHands::supported;
    begin({XR_EXT_HAND_TRACKING_EXTENSION_NAME});
    runtime().hands[0].change([](NativeHandScript& hand) {
        hand.wrist_in_stage = {kTurnedLeft.orientation, {1, 2, 3}};
    });
    runtime().hands[1].change([](NativeHandScript& hand) { hand.active = false; });
    const XrSpace stage = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);

    HandAnswer left;
    const XrHandTrackerEXT left_tracker = make_tracker(XR_HAND_LEFT_EXT);
    ASSERT_EQ(locate(left_tracker, stage, 1, left), XR_SUCCESS);
    EXPECT_TRUE(left.active());
    EXPECT_TRUE(is_whole(left));
    expect_near(left.joints[XR_HAND_JOINT_WRIST_EXT].pose.position, {1, 2, 3});
    // 175 mm along the hand's -Z, which is now the stage's -X.
    expect_near(left.joints[XR_HAND_JOINT_MIDDLE_TIP_EXT].pose.position, {1 - 0.175f, 2, 3});

    HandAnswer right;
    const XrHandTrackerEXT right_tracker = make_tracker(XR_HAND_RIGHT_EXT);
    ASSERT_EQ(locate(right_tracker, stage, 1, right), XR_SUCCESS);
    EXPECT_FALSE(right.active());
    EXPECT_TRUE(is_whole(right));
    EXPECT_EQ(runtime().created_hand_trackers.get(), (std::vector{left_tracker, right_tracker}));

    runtime().focused = false;
    HandAnswer unfocused;
    ASSERT_EQ(locate(left_tracker, stage, 1, unfocused), XR_SUCCESS);
    EXPECT_FALSE(unfocused.active());
    EXPECT_TRUE(is_whole(unfocused));
}

TEST_F(Runtime, NativeHandsFillTheAimStructOnlyWhenItIsEnabled) {
    runtime().native_hands = NativeHands::supported;
    runtime().lists_hand_aim = true;
    runtime().index_pinch = 0.75f;
    for (const bool enabled : {false, true}) {
        std::vector<const char*> extensions{XR_EXT_HAND_TRACKING_EXTENSION_NAME};
        if (enabled) {
            extensions.push_back(XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME);
        }
        begin(extensions);
        XrHandTrackingAimStateFB aim{XR_TYPE_HAND_TRACKING_AIM_STATE_FB, nullptr, 0x77, {}, -1, -1, -1, -1};
        HandAnswer answer;
        answer.velocity_part.next = &aim;
        ASSERT_EQ(locate(make_tracker(XR_HAND_RIGHT_EXT), make_space(XR_REFERENCE_SPACE_TYPE_LOCAL), 1, answer),
                  XR_SUCCESS);
        EXPECT_EQ(aim.pinchStrengthIndex, enabled ? 0.75f : -1.0f);
        EXPECT_EQ(aim.status, enabled ? 3u : 0x77u);
        destroy_instance();
    }
}

TEST_F(Runtime, AimWithoutHandTrackingIsRefused) {
    runtime().native_hands = NativeHands::supported;
    runtime().lists_hand_aim = true;
    EXPECT_EQ(try_instance({XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME}), static_cast<XrResult>(-1000710001));
}

TEST_F(Runtime, EveryErrorOfNativeHandsLeavesTheAnswerAlone) {
    runtime().native_hands = NativeHands::supported;
    begin({XR_EXT_HAND_TRACKING_EXTENSION_NAME});
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    HandAnswer answer;
    EXPECT_EQ(locate(tracker, local, 0, answer), XR_ERROR_TIME_INVALID);
    EXPECT_EQ(locate(tracker, XR_NULL_HANDLE, 1, answer), XR_ERROR_HANDLE_INVALID);
    EXPECT_EQ(locate(XR_NULL_HANDLE, local, 1, answer), XR_ERROR_HANDLE_INVALID);
    answer.location_part.jointCount = 27;
    EXPECT_EQ(locate(tracker, local, 1, answer), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_TRUE(answer.untouched());
}

TEST_F(Runtime, ActionsAreAttachedOnceAndInactive) {
    begin();
    XrActionSetCreateInfo set_info{XR_TYPE_ACTION_SET_CREATE_INFO, nullptr, "play", "Play", 0};
    XrActionSet set = XR_NULL_HANDLE;
    ASSERT_EQ(xrCreateActionSet(instance(), &set_info, &set), XR_SUCCESS);
    XrActionSet again = XR_NULL_HANDLE;
    EXPECT_EQ(xrCreateActionSet(instance(), &set_info, &again), XR_ERROR_NAME_DUPLICATED);

    XrPath left = XR_NULL_PATH;
    XrPath profile = XR_NULL_PATH;
    XrPath grip = XR_NULL_PATH;
    XrPath unknown = XR_NULL_PATH;
    ASSERT_EQ(xrStringToPath(instance(), "/user/hand/left", &left), XR_SUCCESS);
    ASSERT_EQ(xrStringToPath(instance(), "/interaction_profiles/khr/simple_controller", &profile), XR_SUCCESS);
    ASSERT_EQ(xrStringToPath(instance(), "/user/hand/left/input/grip/pose", &grip), XR_SUCCESS);
    ASSERT_EQ(xrStringToPath(instance(), "/user/hand/left/input/palm_ext/pose", &unknown), XR_SUCCESS);
    EXPECT_EQ(xrStringToPath(instance(), "/User", &left), XR_ERROR_PATH_FORMAT_INVALID);

    const XrActionCreateInfo action_info{
        XR_TYPE_ACTION_CREATE_INFO, nullptr, "hand", XR_ACTION_TYPE_POSE_INPUT, 1, &left, "Hand"};
    XrAction action = XR_NULL_HANDLE;
    ASSERT_EQ(xrCreateAction(set, &action_info, &action), XR_SUCCESS);

    XrActionSuggestedBinding binding{action, unknown};
    const XrInteractionProfileSuggestedBinding suggestion{XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING, nullptr,
                                                          profile, 1, &binding};
    EXPECT_EQ(xrSuggestInteractionProfileBindings(instance(), &suggestion), XR_ERROR_PATH_UNSUPPORTED);
    binding.binding = grip;
    EXPECT_EQ(xrSuggestInteractionProfileBindings(instance(), &suggestion), XR_SUCCESS);

    const XrActiveActionSet active{set, XR_NULL_PATH};
    const XrActionsSyncInfo sync{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 1, &active};
    EXPECT_EQ(xrSyncActions(session(), &sync), XR_ERROR_ACTIONSET_NOT_ATTACHED);
    const XrSessionActionSetsAttachInfo attach{XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO, nullptr, 1, &set};
    EXPECT_EQ(xrAttachSessionActionSets(session(), &attach), XR_SUCCESS);
    EXPECT_EQ(xrAttachSessionActionSets(session(), &attach), XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
    EXPECT_EQ(xrSuggestInteractionProfileBindings(instance(), &suggestion), XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
    EXPECT_EQ(xrSyncActions(session(), &sync), XR_SUCCESS);

    const XrActionStateGetInfo get{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, action, left};
    XrActionStatePose pose{XR_TYPE_ACTION_STATE_POSE, nullptr, XR_TRUE};
    EXPECT_EQ(xrGetActionStatePose(session(), &get, &pose), XR_SUCCESS);
    EXPECT_EQ(pose.isActive, static_cast<XrBool32>(XR_FALSE));
    XrActionStateFloat number{XR_TYPE_ACTION_STATE_FLOAT, nullptr, 0, 0, 0, 0};
    EXPECT_EQ(xrGetActionStateFloat(session(), &get, &number), XR_ERROR_ACTION_TYPE_MISMATCH);

    const XrActionSpaceCreateInfo space_info{XR_TYPE_ACTION_SPACE_CREATE_INFO, nullptr, action, left, kHere};
    XrSpace space = XR_NULL_HANDLE;
    ASSERT_EQ(xrCreateActionSpace(session(), &space_info, &space), XR_SUCCESS);
    ASSERT_EQ(xrDestroyAction(action), XR_SUCCESS);
    EXPECT_EQ(locate_space(space, make_space(XR_REFERENCE_SPACE_TYPE_LOCAL)).location.locationFlags, 0u);

    runtime().focused = false;
    EXPECT_EQ(xrSyncActions(session(), &sync), XR_SESSION_NOT_FOCUSED);
}

TEST_F(Runtime, NamesItsResultsAndTypes) {
    make_instance({});
    char text[XR_MAX_RESULT_STRING_SIZE];
    ASSERT_EQ(xrResultToString(instance(), XR_ERROR_TIME_INVALID, text), XR_SUCCESS);
    EXPECT_STREQ(text, "XR_ERROR_TIME_INVALID");
    ASSERT_EQ(xrResultToString(instance(), static_cast<XrResult>(-123456), text), XR_SUCCESS);
    EXPECT_STREQ(text, "XR_UNKNOWN_FAILURE_-123456");
    char type[XR_MAX_STRUCTURE_NAME_SIZE];
    ASSERT_EQ(xrStructureTypeToString(instance(), XR_TYPE_SPACE_LOCATION, type), XR_SUCCESS);
    EXPECT_STREQ(type, "XR_TYPE_SPACE_LOCATION");
}

}  // namespace
}  // namespace glove::test
