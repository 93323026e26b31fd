// SPDX-License-Identifier: Apache-2.0
// Which codes an application can get while the element below us fails with every code there is: only those that the
// specification lists for the function it called. Not covered: running out of memory inside the layer.
#include <openxr/openxr_reflection.h>

#include <algorithm>
#include <set>

#include "openxr/chain_fixture.hpp"

namespace glove::test {
namespace {

using Codes = std::set<XrResult>;

// "Valid usage" of XR_EXT_hand_tracking's functions; registry of OpenXR 1.1.61.
const Codes kOfCreate{XR_ERROR_FEATURE_UNSUPPORTED, XR_ERROR_FUNCTION_UNSUPPORTED, XR_ERROR_HANDLE_INVALID,
                      XR_ERROR_INSTANCE_LOST,       XR_ERROR_LIMIT_REACHED,        XR_ERROR_OUT_OF_MEMORY,
                      XR_ERROR_RUNTIME_FAILURE,     XR_ERROR_SESSION_LOST,         XR_ERROR_VALIDATION_FAILURE};
const Codes kOfDestroy{XR_ERROR_FUNCTION_UNSUPPORTED, XR_ERROR_HANDLE_INVALID, XR_ERROR_RUNTIME_FAILURE};
const Codes kOfLocate{XR_ERROR_FUNCTION_UNSUPPORTED, XR_ERROR_HANDLE_INVALID, XR_ERROR_INSTANCE_LOST,
                      XR_ERROR_RUNTIME_FAILURE,      XR_ERROR_SESSION_LOST,   XR_ERROR_TIME_INVALID,
                      XR_ERROR_VALIDATION_FAILURE};
const Codes kOfSystemProperties{XR_ERROR_HANDLE_INVALID,  XR_ERROR_INSTANCE_LOST,  XR_ERROR_OUT_OF_MEMORY,
                                XR_ERROR_RUNTIME_FAILURE, XR_ERROR_SYSTEM_INVALID, XR_ERROR_VALIDATION_FAILURE};
// The session or instance itself is gone: another kind of hand would not help.
const Codes kFatal{XR_ERROR_HANDLE_INVALID, XR_ERROR_INSTANCE_LOST, XR_ERROR_SESSION_LOST};

Codes every_error() {
    Codes codes;
#define GLOVE_INSERT(name, value)      \
    if ((value) < 0) {                 \
        codes.insert(XrResult(value)); \
    }
    XR_LIST_ENUM_XrResult(GLOVE_INSERT)
#undef GLOVE_INSERT
        return codes;
}

class ResultCodes : public ChainTest {
protected:
    void SetUp() override {
        ChainTest::SetUp();
        failer_.emplace(make_failer("failer"));
        chain({kOurs, failer_->folder});
    }
    [[nodiscard]] FailerControl& failer() const { return failer_->control; }
    [[nodiscard]] XrResult create(XrHandTrackerEXT& tracker) const {
        const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, XR_HAND_LEFT_EXT,
                                              XR_HAND_JOINT_SET_DEFAULT_EXT};
        return proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(session(), &info, &tracker);
    }

private:
    std::optional<Neighbour<FailerControl>> failer_;
};

TEST_F(ResultCodes, LocateGivesOnlyItsOwnCodesWhateverTheWristsDo) {
    begin();
    wear_left_glove();
    for (const XrResult code : every_error()) {
        SCOPED_TRACE(code);
        failer().fail("xrLocateSpace", code, 1);
        HandAnswer answer;
        const XrResult result = locate(left(), local(), runtime().now(), answer);
        EXPECT_EQ(kOfLocate.count(result), 1u) << result;
        // XR_ERROR_FUNCTION_UNSUPPORTED would say that there is no hand tracking.
        if (kOfLocate.count(code) == 1 && code != XR_ERROR_FUNCTION_UNSUPPORTED) {
            EXPECT_EQ(result, code);
        }
        EXPECT_TRUE(answer.untouched());
    }
}

TEST_F(ResultCodes, LocateSaysThatTheSessionIsAboutToBeLost) {
    begin();
    wear_left_glove();
    failer().fail("xrLocateSpace", XR_SESSION_LOSS_PENDING, 1);
    HandAnswer answer;
    EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_SESSION_LOSS_PENDING);
    EXPECT_TRUE(is_whole(answer));
    EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS);
}

TEST_F(ResultCodes, LocateDoesWithoutATimeConversionThatFails) {
    begin();
    wear_left_glove();
    for (const XrResult code : every_error()) {
        failer().fail("xrConvertTimeToTimespecTimeKHR", code, 1);
        HandAnswer answer;
        EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS) << code;
        EXPECT_TRUE(is_whole(answer)) << code;
    }
}

TEST_F(ResultCodes, LocateOfANativeHandGivesTheRuntimesCode) {
    runtime().native_hands = NativeHands::supported;
    begin();
    for (const XrResult code : kOfLocate) {
        failer().fail("xrLocateHandJointsEXT", code, 1);
        HandAnswer answer;
        EXPECT_EQ(locate(left(), local(), runtime().now(), answer), code);
        EXPECT_TRUE(answer.untouched()) << code;
    }
    failer().fail("xrLocateHandJointsEXT", XR_SESSION_LOSS_PENDING, 1);
    HandAnswer answer;
    EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_SESSION_LOSS_PENDING);
    EXPECT_TRUE(is_whole(answer));
}

TEST_F(ResultCodes, ANativeHandIsThereEvenWhenOurWristIsNot) {
    runtime().native_hands = NativeHands::supported;
    begin();
    for (const XrResult code : every_error()) {
        failer().fail("xrLocateSpace", code, 1);
        HandAnswer answer;
        EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS) << code;
        EXPECT_TRUE(answer.active()) << code;
        EXPECT_TRUE(is_whole(answer)) << code;
    }
}

TEST_F(ResultCodes, CreateFallsBackToOurHandsUnlessTheSessionItselfIsGone) {
    runtime().native_hands = NativeHands::supported;
    begin();
    for (const XrResult code : every_error()) {
        SCOPED_TRACE(code);
        failer().fail("xrCreateHandTrackerEXT", code, 1);
        XrHandTrackerEXT tracker = XR_NULL_HANDLE;
        const XrResult result = create(tracker);
        if (kFatal.count(code) == 1) {
            EXPECT_EQ(result, code);
            EXPECT_EQ(tracker, XrHandTrackerEXT{XR_NULL_HANDLE});
        } else {
            EXPECT_EQ(result, XR_SUCCESS);
            HandAnswer answer;
            EXPECT_EQ(locate(tracker, local(), runtime().now(), answer), XR_SUCCESS);
            EXPECT_TRUE(is_whole(answer));
        }
    }
    EXPECT_EQ(runtime().live_hand_trackers, 2u);  // those of begin()
}

TEST_F(ResultCodes, CreateSaysThatTheSessionIsAboutToBeLost) {
    runtime().native_hands = NativeHands::supported;
    begin();
    failer().fail("xrCreateHandTrackerEXT", XR_SESSION_LOSS_PENDING, 1);
    XrHandTrackerEXT tracker = XR_NULL_HANDLE;
    EXPECT_EQ(create(tracker), XR_SESSION_LOSS_PENDING);
    HandAnswer answer;
    EXPECT_EQ(locate(tracker, local(), runtime().now(), answer), XR_SUCCESS);
    EXPECT_TRUE(answer.active());
}

TEST_F(ResultCodes, AWristThatCannotBeMadeIsAnInactiveHand) {
    begin();
    wear_left_glove();  // so it is for want of a wrist alone
    const ReferencePose glove = reference_pose(Hand::left, "flat");
    for (const XrResult code : every_error()) {
        SCOPED_TRACE(code);
        ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
        make_session();
        const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        failer().fail("xrCreateReferenceSpace", code, 1);
        XrHandTrackerEXT tracker = XR_NULL_HANDLE;
        ASSERT_EQ(create(tracker), XR_SUCCESS);
        for (int i = 0; i < 5; ++i) {
            send(glove);
            HandAnswer answer;
            EXPECT_EQ(locate(tracker, space, runtime().now(), answer), XR_SUCCESS);
            EXPECT_FALSE(answer.active());
            EXPECT_TRUE(is_whole(answer));
        }
    }
}

TEST_F(ResultCodes, DestroyOfANativeHandGivesTheRuntimesCode) {
    runtime().native_hands = NativeHands::supported;
    begin();
    const auto destroy = proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
    for (const XrResult code : kOfDestroy) {
        XrHandTrackerEXT tracker = XR_NULL_HANDLE;
        ASSERT_EQ(create(tracker), XR_SUCCESS);
        failer().fail("xrDestroyHandTrackerEXT", code, 1);
        EXPECT_EQ(destroy(tracker), code);
        // It is still there, and may be tried again.
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, local(), runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(answer.active());
        EXPECT_EQ(destroy(tracker), XR_SUCCESS);
        EXPECT_EQ(destroy(tracker), XR_ERROR_HANDLE_INVALID);
    }
    EXPECT_EQ(runtime().live_hand_trackers, 2u);  // those of begin()
    failer().reset();
    EXPECT_EQ(destroy(left()), XR_SUCCESS);
}

TEST_F(ResultCodes, SystemPropertiesThatFailAreLeftAlone) {
    begin();
    for (const XrResult code : kOfSystemProperties) {
        XrSystemHandTrackingPropertiesEXT hands{XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, nullptr, 77};
        XrSystemProperties properties{};
        properties.type = XR_TYPE_SYSTEM_PROPERTIES;
        properties.next = &hands;
        failer().fail("xrGetSystemProperties", code, 1);
        EXPECT_EQ(xrGetSystemProperties(instance(), system(), &properties), code);
        EXPECT_EQ(hands.supportsHandTracking, 77u) << code;
        EXPECT_EQ(xrGetSystemProperties(instance(), system(), &properties), XR_SUCCESS);
        EXPECT_EQ(hands.supportsHandTracking, XrBool32{XR_TRUE});
    }
}

TEST_F(ResultCodes, SessionsAndEventsFailAsTheyDoBelow) {
    begin();
    for (const XrResult code : every_error()) {
        failer().fail("xrPollEvent", code, 1);
        XrEventDataBuffer event{};
        event.type = XR_TYPE_EVENT_DATA_BUFFER;
        EXPECT_EQ(xrPollEvent(instance(), &event), code);
        failer().fail("xrCreateSession", code, 1);
        const XrSessionCreateInfo info{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, system()};
        XrSession session = XR_NULL_HANDLE;
        EXPECT_EQ(xrCreateSession(instance(), &info, &session), code);
    }
    HandAnswer answer;
    EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS);
    for (const XrResult code : kOfDestroy) {
        failer().fail("xrDestroySession", code, 1);
        EXPECT_EQ(xrDestroySession(session()), code);
        EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS) << code;
    }
    EXPECT_EQ(xrDestroySession(session()), XR_SUCCESS);
    EXPECT_EQ(runtime().live_spaces, 0u);
    EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_ERROR_HANDLE_INVALID);
    EXPECT_EQ(xrDestroySession(session()), XR_ERROR_HANDLE_INVALID);
}

// The loader drops the instance, and this library, whatever the call gave.
TEST_F(ResultCodes, AnInstanceThatFailsToEndIsOverAllTheSame) {
    const std::ptrdiff_t threads = thread_count();
    begin();
    wear_left_glove();
    EXPECT_GT(thread_count(), threads);
    failer().fail("xrDestroyInstance", XR_ERROR_RUNTIME_FAILURE, 1);
    destroy_instance();
    EXPECT_EQ(thread_count(), threads);
    EXPECT_TRUE(port_is_free());
}

}  // namespace
}  // namespace glove::test
