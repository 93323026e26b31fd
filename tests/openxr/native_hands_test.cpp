// SPDX-License-Identifier: Apache-2.0
// The layer above a runtime that tracks hands itself: a glove wins while it is live, and the runtime's hand is what the
// application gets otherwise. Not covered: extensions with functions of their own that take a hand tracker.
#include <string>
#include <vector>

#include "openxr/loader_fixture.hpp"

namespace glove::test {
namespace {

class NativeHandsBelow : public LoaderTest {
protected:
    void begin(std::vector<const char*> extensions = {}) {
        runtime().native_hands = NativeHands::supported;
        extensions.push_back(XR_EXT_HAND_TRACKING_EXTENSION_NAME);
        extensions.push_back(XR_MND_HEADLESS_EXTENSION_NAME);
        make_instance(extensions);
        make_session();
        local_ = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    }
    // The script's left wrist, 1.6 m lower and so in LOCAL, and nowhere near where the layer hangs a glove.
    void expect_native_left(const HandAnswer& answer) const {
        const XrVector3f& wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position;
        EXPECT_NEAR(wrist.x, kNativeWrist.x, 1e-5f);
        EXPECT_NEAR(wrist.y, kNativeWrist.y - 1.6f, 1e-5f);
        EXPECT_NEAR(wrist.z, kNativeWrist.z, 1e-5f);
    }
    void SetUp() override {
        LoaderTest::SetUp();
        write_config(kHungBeforeTheHead);
        runtime().hands[0].change([](NativeHandScript& hand) { hand.wrist_in_stage.position = kNativeWrist; });
    }
    // Until the joints come from the glove: its wrist hangs at the configured place before the head, (-180, -250, -350)
    // mm.
    [[nodiscard]] bool glove_takes_over(XrHandTrackerEXT tracker) {
        return wait_for([&] {
            send(pose_);
            HandAnswer answer;
            EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
            EXPECT_TRUE(is_whole(answer));
            return std::abs(answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position.x + 0.18f) < 1e-5f;
        });
    }

    // So that a glove's hand is told from the runtime's by its place.
    static constexpr const char* kHungBeforeTheHead = "[wrist]\nsource = \"view\"\n";
    static constexpr XrVector3f kNativeWrist{-0.7f, 0.9f, -0.1f};
    ReferencePose pose_ = reference_pose(Hand::left, "flat");
    XrSpace local_ = XR_NULL_HANDLE;
};

TEST_F(NativeHandsBelow, WithoutAGloveTheRuntimesHandComesThrough) {
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    EXPECT_EQ(runtime().created_hand_trackers.get(), std::vector{tracker});  // the runtime's own handle
    HandAnswer answer;
    ASSERT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_TRUE(answer.active());
    EXPECT_TRUE(is_whole(answer));
    expect_native_left(answer);
}

TEST_F(NativeHandsBelow, AHandThatNeitherSeesIsInactive) {
    runtime().hands[0].change([](NativeHandScript& hand) { hand.active = false; });
    begin();
    HandAnswer answer;
    ASSERT_EQ(locate(make_tracker(XR_HAND_LEFT_EXT), local_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_FALSE(answer.active());
    EXPECT_TRUE(is_whole(answer));
}

TEST_F(NativeHandsBelow, AGloveReplacesItsHandAndTheRuntimeKeepsTheOther) {
    begin();
    const XrHandTrackerEXT left = make_tracker(XR_HAND_LEFT_EXT);
    const XrHandTrackerEXT right = make_tracker(XR_HAND_RIGHT_EXT);
    EXPECT_TRUE(glove_takes_over(left));
    HandAnswer answer;
    ASSERT_EQ(locate(right, local_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_TRUE(answer.active());
    EXPECT_NEAR(answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position.x, 0.2f, 1e-5f);
}

TEST_F(NativeHandsBelow, AGloveThatFallsSilentGivesTheHandBack) {
    write_config(std::string(kHungBeforeTheHead) + "[age]\ntracked_ms = 50\nvalid_ms = 100\n");
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    ASSERT_TRUE(glove_takes_over(tracker));
    EXPECT_TRUE(wait_for([&] {
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(answer.active());
        EXPECT_TRUE(is_whole(answer));
        return std::abs(answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position.x - kNativeWrist.x) < 1e-5f;
    }));
}

TEST_F(NativeHandsBelow, OtherChainedStructsAreStillTheRuntimesToFill) {
    runtime().lists_hand_aim = true;
    runtime().index_pinch = 0.75f;
    begin({XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME});
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    ASSERT_TRUE(glove_takes_over(tracker));
    send(pose_);
    XrHandTrackingAimStateFB aim{XR_TYPE_HAND_TRACKING_AIM_STATE_FB, nullptr, 0, {}, -1, -1, -1, -1};
    HandAnswer answer;
    answer.velocity_part.next = &aim;
    ASSERT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_TRUE(is_whole(answer));
    EXPECT_NEAR(answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position.x, -0.18f, 1e-5f);
    EXPECT_EQ(aim.pinchStrengthIndex, 0.75f);
}

TEST_F(NativeHandsBelow, ErrorsLeaveTheAnswerAlone) {
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    HandAnswer answer;
    EXPECT_EQ(locate(tracker, local_, 0, answer), XR_ERROR_TIME_INVALID);
    EXPECT_EQ(locate(tracker, XR_NULL_HANDLE, runtime().now(), answer), XR_ERROR_HANDLE_INVALID);
    runtime().fail("xrLocateHandJointsEXT", XR_ERROR_SESSION_LOST, 1);
    EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_ERROR_SESSION_LOST);
    EXPECT_TRUE(answer.untouched());
    answer.location_part.jointCount = 25;
    EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_TRUE(answer.untouched());
}

TEST_F(NativeHandsBelow, TrackersGoDownWithTheirHandles) {
    begin();
    const XrHandTrackerEXT left = make_tracker(XR_HAND_LEFT_EXT);
    const XrHandTrackerEXT right = make_tracker(XR_HAND_RIGHT_EXT);
    EXPECT_EQ(runtime().live_hand_trackers, 2u);
    const auto destroy = proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
    EXPECT_EQ(destroy(left), XR_SUCCESS);
    EXPECT_EQ(runtime().live_hand_trackers, 1u);
    EXPECT_EQ(destroy(left), XR_ERROR_HANDLE_INVALID);
    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    EXPECT_EQ(runtime().live_hand_trackers, 0u);
    EXPECT_EQ(destroy(right), XR_ERROR_HANDLE_INVALID);
}

TEST_F(NativeHandsBelow, ARuntimeThatCannotMakeATrackerLeavesTheGlove) {
    begin();
    runtime().fail("xrCreateHandTrackerEXT", XR_ERROR_LIMIT_REACHED);
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    EXPECT_TRUE(glove_takes_over(tracker));
    EXPECT_EQ(proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(tracker), XR_SUCCESS);
    EXPECT_EQ(runtime().unknown_handles, 0u);
}

}  // namespace
}  // namespace glove::test
