// SPDX-License-Identifier: Apache-2.0
// What the layer makes of extensions and names: what the application may enable, what the runtime is asked for, and
// which functions exist. Not covered: a layer listed twice, other layers above or below, and null arguments, at which
// loader 1.0.20 itself stumbles.
#include <algorithm>
#include <string>
#include <vector>

#include "openxr/loader/status_extension.hpp"
#include "openxr/loader_fixture.hpp"

namespace glove::test {
namespace {

constexpr const char* kHands = XR_EXT_HAND_TRACKING_EXTENSION_NAME;
constexpr const char* kHeadless = XR_MND_HEADLESS_EXTENSION_NAME;
constexpr const char* kAim = XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME;

class Extensions : public LoaderTest {
protected:
    using Names = std::vector<std::string>;

    [[nodiscard]] Names asked_of_runtime() const {
        Names names = runtime().enabled_extensions.get();
        std::sort(names.begin(), names.end());
        return names;
    }
    [[nodiscard]] XrResult look_for(const char* name, PFN_xrVoidFunction& function) const {
        function = reinterpret_cast<PFN_xrVoidFunction>(&xrCreateInstance);  // to be overwritten
        return xrGetInstanceProcAddr(instance(), name, &function);
    }
    void expect_missing(const char* name) const {
        PFN_xrVoidFunction function = nullptr;
        EXPECT_EQ(look_for(name, function), XR_ERROR_FUNCTION_UNSUPPORTED) << name;
        EXPECT_EQ(function, nullptr) << name;
    }
    void expect_present(const char* name) const {
        PFN_xrVoidFunction function = nullptr;
        EXPECT_EQ(look_for(name, function), XR_SUCCESS) << name;
        EXPECT_NE(function, nullptr) << name;
    }
    [[nodiscard]] static Names listed() {
        std::uint32_t count = 0;
        EXPECT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr), XR_SUCCESS);
        std::vector<XrExtensionProperties> properties(count, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
        EXPECT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, count, &count, properties.data()), XR_SUCCESS);
        Names names;
        for (const XrExtensionProperties& property : properties) {
            names.emplace_back(property.extensionName);
        }
        return names;
    }
    // 77 is neither of the two values a struct that was answered can have.
    [[nodiscard]] XrBool32 supports_hand_tracking() const {
        XrSystemHandTrackingPropertiesEXT hands{XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, nullptr, 77};
        XrSystemProperties properties{XR_TYPE_SYSTEM_PROPERTIES, &hands, 0, 0, {}, {}, {}};
        EXPECT_EQ(xrGetSystemProperties(instance(), system(), &properties), XR_SUCCESS);
        return hands.supportsHandTracking;
    }
};

TEST_F(Extensions, HandTrackingIsOfferedOnARuntimeWithoutIt) {
    const Names names = listed();
    EXPECT_EQ(std::count(names.begin(), names.end(), kHands), 1);
    make_instance({kHands, kHeadless});
    EXPECT_EQ(asked_of_runtime(), (Names{GLOVE_TIME_CONVERSION_EXTENSION, kHeadless}));  // time is for us
    expect_present("xrCreateHandTrackerEXT");
    expect_present("xrLocateHandJointsEXT");
    expect_present("xrDestroyHandTrackerEXT");
    EXPECT_EQ(supports_hand_tracking(), XrBool32{XR_TRUE});
}

TEST_F(Extensions, ARuntimesOwnHandTrackingIsEnabledToo) {
    runtime().native_hands = NativeHands::supported;
    make_instance({kHands, kHeadless});
    EXPECT_EQ(asked_of_runtime(), (Names{kHands, GLOVE_TIME_CONVERSION_EXTENSION, kHeadless}));
    EXPECT_EQ(supports_hand_tracking(), XrBool32{XR_TRUE});
}

TEST_F(Extensions, ARuntimeThatListsHandsWithoutHavingAnyGetsThemFromGloves) {
    runtime().native_hands = NativeHands::unsupported;
    make_instance({kHands, kHeadless});
    EXPECT_EQ(supports_hand_tracking(), XrBool32{XR_TRUE});
    make_session();
    EXPECT_NE(make_tracker(XR_HAND_LEFT_EXT), XrHandTrackerEXT{XR_NULL_HANDLE});
    EXPECT_EQ(runtime().live_hand_trackers, 0u);
}

TEST_F(Extensions, AnApplicationThatDoesNotAskForHandsIsLeftAlone) {
    runtime().native_hands = NativeHands::supported;
    make_instance({kHeadless});
    EXPECT_EQ(asked_of_runtime(), Names{kHeadless});
    expect_missing("xrCreateHandTrackerEXT");
    expect_missing("xrLocateHandJointsEXT");
    expect_missing("xrConvertTimespecTimeToTimeKHR");
    EXPECT_EQ(supports_hand_tracking(), 77u);
    make_session();
    EXPECT_EQ(runtime().live_spaces, 0u);
}

TEST_F(Extensions, WithTheDisableVariableThereIsNoLayer) {
    set_environment("DISABLE_GLOVE_HANDS", "");  // existence counts, whatever the value
    const Names names = listed();
    EXPECT_EQ(std::count(names.begin(), names.end(), kHands), 0);
    EXPECT_EQ(try_instance({kHands, kHeadless}), XR_ERROR_EXTENSION_NOT_PRESENT);
}

// An instance without it would leave the program waiting for what nobody fills.
TEST_F(Extensions, WhatARuntimeListsWithoutTheHandTrackingItNeedsIsItsToRefuse) {
    runtime().lists_hand_aim = true;
    constexpr auto kDependencyNotEnabled = static_cast<XrResult>(-1000710001);
    EXPECT_EQ(try_instance({kHands, kAim, kHeadless}), kDependencyNotEnabled);
}

TEST_F(Extensions, WhatTheRuntimeServesBesideItsHandsStaysEnabled) {
    runtime().native_hands = NativeHands::supported;
    runtime().lists_hand_aim = true;
    make_instance({kHands, kAim, kHeadless});
    EXPECT_EQ(asked_of_runtime(), (Names{kHands, kAim, GLOVE_TIME_CONVERSION_EXTENSION, kHeadless}));
}

TEST_F(Extensions, TheTimeConversionWeAddStaysHidden) {
    make_instance({kHands, kHeadless});
    expect_missing("xrConvertTimespecTimeToTimeKHR");
    expect_missing("xrConvertTimeToTimespecTimeKHR");
}

TEST_F(Extensions, TheTimeConversionTheApplicationAsksForIsAskedForOnce) {
    make_instance({kHands, kHeadless, GLOVE_TIME_CONVERSION_EXTENSION});
    EXPECT_EQ(asked_of_runtime(), (Names{GLOVE_TIME_CONVERSION_EXTENSION, kHeadless}));
    expect_present("xrConvertTimespecTimeToTimeKHR");
    expect_present("xrConvertTimeToTimespecTimeKHR");
}

TEST_F(Extensions, ARuntimeWithoutTimeConversionStillShowsTheGlove) {
    runtime().lists_time_conversion = false;
    make_instance({kHands, kHeadless});
    EXPECT_EQ(asked_of_runtime(), Names{kHeadless});
    make_session();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_RIGHT_EXT);
    EXPECT_NO_THROW(
        wear_glove(reference_pose(Hand::right, "flat"), tracker, make_space(XR_REFERENCE_SPACE_TYPE_LOCAL)));
}

TEST_F(Extensions, ARefusedInstanceIsTriedAgainAsTheApplicationAskedForIt) {
    runtime().fail("xrCreateInstance", XR_ERROR_INITIALIZATION_FAILED, 1);
    make_instance({kHands, kHeadless});
    EXPECT_EQ(runtime().calls("xrCreateInstance"), 2u);
    EXPECT_EQ(asked_of_runtime(), Names{kHeadless});
    expect_present("xrCreateHandTrackerEXT");
}

TEST_F(Extensions, AnErrorOfTheRuntimeIsTheApplicationsAndLeavesNothingBehind) {
    runtime().fail("xrCreateInstance", XR_ERROR_RUNTIME_FAILURE, 2);  // with our addition and without it
    EXPECT_EQ(try_instance({kHands, kHeadless}), XR_ERROR_RUNTIME_FAILURE);
    make_instance({kHands, kHeadless});
    expect_present("xrCreateHandTrackerEXT");
}

TEST_F(Extensions, NamesThatNobodyListsAreStillRefused) {
    EXPECT_EQ(try_instance({kHands, "XR_EXT_HAND_TRACKING"}), XR_ERROR_EXTENSION_NOT_PRESENT);
    EXPECT_EQ(try_instance({kHands, "XR_EXT_nobody_knows"}), XR_ERROR_EXTENSION_NOT_PRESENT);
}

TEST_F(Extensions, AnExtensionNamedTwiceIsNoError) {
    make_instance({kHands, kHands, kHeadless, kHeadless});
    expect_present("xrCreateHandTrackerEXT");
}

TEST_F(Extensions, UnknownFunctionsAreMissing) {
    make_instance({kHands, kHeadless});
    expect_missing("xrNonsense");
    expect_missing("");
    expect_missing("xrGetHandMeshFB");
    expect_missing("xrApplyForceFeedbackCurlMNDX");
}

TEST_F(Extensions, TheStatusFunctionIsThereOnlyWhenItsExtensionIsEnabled) {
    make_instance({kHands, kHeadless});
    expect_missing("xrGetGloveHandStatusNOVENDOR");
    destroy_instance();
    make_instance({XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME, kHeadless});
    expect_present("xrGetGloveHandStatusNOVENDOR");
    expect_missing("xrCreateHandTrackerEXT");
    EXPECT_EQ(supports_hand_tracking(), 77u);
}

}  // namespace
}  // namespace glove::test
