// SPDX-License-Identifier: Apache-2.0
// XR_EXT_hand_tracking as the layer serves it on a runtime without hands: results, what is written, when a hand is
// active. Not covered: where the 26 joints of a pose are (reference_pose_test.cpp) and runtimes with hands of their own
// (native_hands_test.cpp).
#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "openxr/loader/status_extension.hpp"
#include "openxr/loader_fixture.hpp"

namespace glove::test {
namespace {

constexpr XrSpaceLocationFlags kTracked =
    XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;

// A wrist in the room, so that a fresh glove is tracked; ages short enough to wait for.
constexpr const char* kFixedWrist = R"(
    [wrist]
    source = "fixed"
    [wrist.fixed]
    space = "stage"
    left = { position_mm = [-200, 1100, -300], rotation_deg = [0, 0, 0] }
    right = { position_mm = [200, 1100, -300], rotation_deg = [0, 0, 0] }
)";

class HandTracking : public LoaderTest {
protected:
    void begin(const char* config = "", XrSessionState until = XR_SESSION_STATE_FOCUSED) {
        write_config(config);
        make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME,
                       XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME});
        make_session(until);
        local_ = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    }
    // Sends the left glove until the layer has heard it. So a hand that stays inactive then is kept so.
    [[nodiscard]] bool is_heard() {
        return wait_for([&] {
            send(flat_left_);
            XrGloveHandStatusNOVENDOR status{};
            status.size = sizeof status;
            EXPECT_EQ(proc<PFN_xrGetGloveHandStatusNOVENDOR>("xrGetGloveHandStatusNOVENDOR")(instance(),
                                                                                             XR_HAND_LEFT_EXT, &status),
                      XR_SUCCESS);
            return status.samples > 2;
        });
    }
    // A left hand that is active.
    XrHandTrackerEXT begin_with_glove(const char* config = "") {
        begin(config);
        const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
        wear_glove(flat_left_, tracker, local_);
        return tracker;
    }
    // Located now, with every byte checked.
    bool is_active(XrHandTrackerEXT tracker) const {
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer));
        return answer.active();
    }
    void expect_error(XrResult error, XrHandTrackerEXT tracker, XrSpace space, XrTime time) const {
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, space, time, answer), error);
        EXPECT_TRUE(answer.untouched());
    }
    void poll_once() const {
        XrEventDataBuffer buffer{};
        buffer.type = XR_TYPE_EVENT_DATA_BUFFER;
        EXPECT_EQ(xrPollEvent(instance(), &buffer), XR_SUCCESS);
    }
    [[nodiscard]] XrResult create(const XrHandTrackerCreateInfoEXT* info, XrHandTrackerEXT* tracker) const {
        return proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(session(), info, tracker);
    }
    [[nodiscard]] XrResult destroy(XrHandTrackerEXT tracker) const {
        return proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(tracker);
    }

    ReferencePose flat_left_ = reference_pose(Hand::left, "flat");
    XrSpace local_ = XR_NULL_HANDLE;
};

TEST_F(HandTracking, WithoutAGloveBothHandsAreInactiveAndFilled) {
    begin();
    EXPECT_FALSE(is_active(make_tracker(XR_HAND_LEFT_EXT)));
    EXPECT_FALSE(is_active(make_tracker(XR_HAND_RIGHT_EXT)));
}

TEST_F(HandTracking, AGloveMakesItsOwnHandActiveAndNotTheOther) {
    const XrHandTrackerEXT left = begin_with_glove();
    EXPECT_TRUE(is_active(left));
    EXPECT_FALSE(is_active(make_tracker(XR_HAND_RIGHT_EXT)));
}

TEST_F(HandTracking, AHandHungBeforeTheHeadIsNeverTracked) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    HandAnswer answer;
    ASSERT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
    ASSERT_TRUE(answer.active());
    for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
        EXPECT_EQ(answer.joints[joint].locationFlags & kTracked, 0u) << joint;
    }
}

// For programs that show only hands whose palm is tracked. The head is not tracked either here.
TEST_F(HandTracking, AHandThatNothingTracksCountsAsTrackedWhereTheUserWantsItAndTheGloveIsFresh) {
    runtime().head.change([](HeadScript& head) { head.location_flags &= ~kTracked; });
    for (const char* source : {"view", "fixed"}) {
        SCOPED_TRACE(source);
        begin((std::string("[wrist]\nreport_tracked = true\nsource = \"") + source + "\"\n").c_str());
        const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
        const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
        const auto shows = [&](XrSpaceLocationFlags flags) {
            HandAnswer answer;
            EXPECT_EQ(locate(tracker, view, runtime().now(), answer), XR_SUCCESS);
            EXPECT_TRUE(is_whole(answer));
            return std::all_of(answer.joints.begin(), answer.joints.end() - 1,
                               [flags](const auto& joint) { return joint.locationFlags == flags; });
        };
        EXPECT_TRUE(wait_for([&] {
            send(flat_left_);
            return shows(test_runtime::kValidAndTracked);
        }));
        EXPECT_TRUE(wait_for([&] { return shows(test_runtime::kValidAndTracked & ~kTracked); }));
        destroy_instance();
    }
}

TEST_F(HandTracking, AnyJointCountBut26IsRefusedAndNothingWritten) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    for (const std::uint32_t count : {0u, 25u, 27u, 0xFFFFFFFFu}) {
        HandAnswer answer;
        answer.location_part.jointCount = count;
        EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_ERROR_VALIDATION_FAILURE) << count;
        EXPECT_TRUE(answer.untouched()) << count;
    }
}

TEST_F(HandTracking, AnyVelocityCountBut26IsRefusedAndNothingWritten) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    for (const std::uint32_t count : {0u, 25u, 27u}) {
        HandAnswer answer;
        answer.velocity_part.jointCount = count;
        EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_ERROR_VALIDATION_FAILURE) << count;
        EXPECT_TRUE(answer.untouched()) << count;
    }
}

TEST_F(HandTracking, NullAndMistypedStructsAreRefused) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    const auto call = proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
    const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, local_, runtime().now()};
    const XrHandJointsLocateInfoEXT mistyped{XR_TYPE_UNKNOWN, nullptr, local_, runtime().now()};
    HandAnswer answer;
    EXPECT_EQ(call(tracker, nullptr, &answer.location_part), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_EQ(call(tracker, &info, nullptr), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_EQ(call(tracker, &mistyped, &answer.location_part), XR_ERROR_VALIDATION_FAILURE);
    answer.location_part.type = XR_TYPE_UNKNOWN;
    EXPECT_EQ(call(tracker, &info, &answer.location_part), XR_ERROR_VALIDATION_FAILURE);
    answer.location_part.type = XR_TYPE_HAND_JOINT_LOCATIONS_EXT;
    answer.location_part.jointLocations = nullptr;
    EXPECT_EQ(call(tracker, &info, &answer.location_part), XR_ERROR_VALIDATION_FAILURE);
    answer.location_part.jointLocations = answer.joints.data();
    answer.velocity_part.jointVelocities = nullptr;
    EXPECT_EQ(call(tracker, &info, &answer.location_part), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_TRUE(answer.untouched());
}

TEST_F(HandTracking, TimesThatAreNoneAreRefusedAndNothingWritten) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    expect_error(XR_ERROR_TIME_INVALID, tracker, local_, 0);
    expect_error(XR_ERROR_TIME_INVALID, tracker, local_, -1);
    const XrHandTrackerEXT without_glove = make_tracker(XR_HAND_RIGHT_EXT);
    expect_error(XR_ERROR_TIME_INVALID, without_glove, local_, 0);
}

TEST_F(HandTracking, PastPresentAndFutureAreAnswered) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    constexpr XrDuration kMs = 1'000'000;
    for (const XrDuration lead : {-1'000'000 * kMs, -50 * kMs, 0 * kMs, 50 * kMs, 3'600'000 * kMs}) {
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, local_, runtime().now() + lead, answer), XR_SUCCESS) << lead;
        EXPECT_TRUE(answer.active()) << lead;
        EXPECT_TRUE(is_whole(answer)) << lead;
    }
}

TEST_F(HandTracking, UnknownStructsInEveryChainAreSteppedOver) {
    begin();
    struct Unknown {
        XrStructureType type = static_cast<XrStructureType>(1'999'999'000);
        void* next = nullptr;
        std::array<std::uint8_t, 64> bytes{};
    };
    Unknown in_create;
    in_create.bytes.fill(0x5A);
    const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, &in_create, XR_HAND_LEFT_EXT,
                                          XR_HAND_JOINT_SET_DEFAULT_EXT};
    XrHandTrackerEXT tracker = XR_NULL_HANDLE;
    ASSERT_EQ(create(&info, &tracker), XR_SUCCESS);
    wear_glove(flat_left_, tracker, local_);

    Unknown in_locate;
    Unknown before_velocities;
    Unknown after_velocities;
    HandAnswer answer;
    before_velocities.next = &answer.velocity_part;
    answer.velocity_part.next = &after_velocities;
    answer.location_part.next = &before_velocities;
    for (Unknown* unknown : {&in_locate, &before_velocities, &after_velocities}) {
        unknown->bytes.fill(0x5A);
    }
    const XrHandJointsLocateInfoEXT locate_info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, &in_locate, local_,
                                                runtime().now()};
    ASSERT_EQ(proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT")(tracker, &locate_info, &answer.location_part),
              XR_SUCCESS);
    EXPECT_TRUE(answer.active());
    EXPECT_TRUE(is_whole(answer));
    EXPECT_EQ(before_velocities.next, &answer.velocity_part);
    EXPECT_EQ(answer.velocity_part.next, &after_velocities);
    EXPECT_EQ(after_velocities.next, nullptr);
    for (const Unknown* unknown : {&in_create, &in_locate, &before_velocities, &after_velocities}) {
        EXPECT_EQ(unknown->type, static_cast<XrStructureType>(1'999'999'000));
        for (const std::uint8_t byte : unknown->bytes) {
            ASSERT_EQ(byte, 0x5A);
        }
    }
}

TEST_F(HandTracking, HandlesThatAreNoTrackersAreRefusedAndNeverReachTheRuntime) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    const XrHandTrackerEXT destroyed = make_tracker(XR_HAND_LEFT_EXT);
    ASSERT_EQ(destroy(destroyed), XR_SUCCESS);
    int somewhere = 0;
    const auto invented = reinterpret_cast<XrHandTrackerEXT>(&somewhere);
    for (const XrHandTrackerEXT wrong :
         {XrHandTrackerEXT{XR_NULL_HANDLE}, destroyed, invented, reinterpret_cast<XrHandTrackerEXT>(local_)}) {
        expect_error(XR_ERROR_HANDLE_INVALID, wrong, local_, runtime().now());
        EXPECT_EQ(destroy(wrong), XR_ERROR_HANDLE_INVALID);
    }
    EXPECT_TRUE(is_active(tracker));
    EXPECT_EQ(runtime().unknown_handles, 0u);
}

TEST_F(HandTracking, ABaseSpaceThatIsNoneIsRefusedAndNothingWritten) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    const XrHandTrackerEXT without_glove = make_tracker(XR_HAND_RIGHT_EXT);
    const XrSpace destroyed = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    ASSERT_EQ(xrDestroySpace(destroyed), XR_SUCCESS);
    expect_error(XR_ERROR_HANDLE_INVALID, tracker, destroyed, runtime().now());
    expect_error(XR_ERROR_HANDLE_INVALID, tracker, XR_NULL_HANDLE, runtime().now());
    expect_error(XR_ERROR_HANDLE_INVALID, without_glove, destroyed, runtime().now());
}

TEST_F(HandTracking, WhatTheRuntimeSaysOfTheSessionIsPassedOn) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    runtime().fail("xrLocateSpace", XR_ERROR_SESSION_LOST);
    expect_error(XR_ERROR_SESSION_LOST, tracker, local_, runtime().now());
    runtime().fail("xrLocateSpace", XR_SESSION_LOSS_PENDING);
    HandAnswer answer;
    EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SESSION_LOSS_PENDING);
    EXPECT_TRUE(is_whole(answer));
}

TEST_F(HandTracking, OnlyTheTwoHandsAndTheDefaultJointsCanBeAskedFor) {
    begin();
    XrHandTrackerEXT tracker = XR_NULL_HANDLE;
    XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, XR_HAND_LEFT_EXT,
                                    XR_HAND_JOINT_SET_DEFAULT_EXT};
    EXPECT_EQ(create(&info, nullptr), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_EQ(create(nullptr, &tracker), XR_ERROR_VALIDATION_FAILURE);
    for (const int hand : {0, 3, -1}) {
        info.hand = static_cast<XrHandEXT>(hand);
        EXPECT_EQ(create(&info, &tracker), XR_ERROR_VALIDATION_FAILURE) << hand;
    }
    info.hand = XR_HAND_RIGHT_EXT;
    info.handJointSet = static_cast<XrHandJointSetEXT>(1000149000);  // with the forearm: not enabled
    EXPECT_EQ(create(&info, &tracker), XR_ERROR_VALIDATION_FAILURE);
    info.handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT;
    info.type = XR_TYPE_UNKNOWN;
    EXPECT_EQ(create(&info, &tracker), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_EQ(tracker, XrHandTrackerEXT{XR_NULL_HANDLE});
}

TEST_F(HandTracking, TwoTrackersOfOneHandAgreeAndLiveApart) {
    const XrHandTrackerEXT first = begin_with_glove();
    const XrHandTrackerEXT second = make_tracker(XR_HAND_LEFT_EXT);
    EXPECT_NE(first, second);
    const XrTime time = runtime().now();
    HandAnswer one;
    HandAnswer other;
    ASSERT_EQ(locate(first, local_, time, one), XR_SUCCESS);
    ASSERT_EQ(locate(second, local_, time, other), XR_SUCCESS);
    ASSERT_TRUE(one.active());
    EXPECT_EQ(std::memcmp(one.joints.data(), other.joints.data(), sizeof one.joints), 0);
    EXPECT_EQ(std::memcmp(one.velocities.data(), other.velocities.data(), sizeof one.velocities), 0);
    ASSERT_EQ(destroy(first), XR_SUCCESS);
    EXPECT_TRUE(is_active(second));
}

TEST_F(HandTracking, WithoutTheFocusHandsAreInactiveFromTheNextPoll) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    runtime().focused = false;
    poll_once();
    send(flat_left_);
    EXPECT_FALSE(is_active(tracker));
    runtime().focused = true;
    poll_once();
    EXPECT_TRUE(wait_for([&] {
        send(flat_left_);
        return is_active(tracker);
    }));
}

TEST_F(HandTracking, HandsAreInactiveBeforeTheSessionIsFocused) {
    runtime().focused = false;
    begin("", XR_SESSION_STATE_VISIBLE);
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    ASSERT_TRUE(is_heard());
    for (int i = 0; i < 20; ++i) {
        send(flat_left_);
        EXPECT_FALSE(is_active(tracker));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    runtime().focused = true;
    drive_until(XR_SESSION_STATE_FOCUSED);
    wear_glove(flat_left_, tracker, local_);
}

TEST_F(HandTracking, ASilentGloveIsFirstHeldThenInactiveAndBackWithItsNextSample) {
    const XrHandTrackerEXT tracker =
        begin_with_glove((std::string(kFixedWrist) + "[age]\ntracked_ms = 300\nvalid_ms = 2000\n").c_str());
    const auto flags = [&] {
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer));
        return answer.joints[XR_HAND_JOINT_INDEX_TIP_EXT].locationFlags;
    };
    auto last_sent = std::chrono::steady_clock::now();
    ASSERT_TRUE(wait_for([&] {
        last_sent = std::chrono::steady_clock::now();
        send(flat_left_);
        return flags() == test_runtime::kValidAndTracked;
    }));
    XrSpaceLocationFlags seen = 0;
    ASSERT_TRUE(wait_for([&] { return (seen = flags()) != test_runtime::kValidAndTracked; }));
    EXPECT_GE(std::chrono::steady_clock::now() - last_sent, std::chrono::milliseconds(300));
    EXPECT_EQ(seen, test_runtime::kValidAndTracked & ~kTracked);
    ASSERT_TRUE(wait_for([&] { return flags() == 0; }));
    EXPECT_GE(std::chrono::steady_clock::now() - last_sent, std::chrono::milliseconds(2000));
    send(flat_left_);
    EXPECT_TRUE(wait_for([&] { return flags() == test_runtime::kValidAndTracked; }));
}

TEST_F(HandTracking, WithoutAHeadAHandHungBeforeItIsInactiveAndNotAtTheOrigin) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    runtime().head.change([](HeadScript& head) { head.location_flags = 0; });
    EXPECT_TRUE(wait_for([&] {
        send(flat_left_);
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer));
        // For a moment it stays where it was shown.
        EXPECT_TRUE(!answer.active() ||
                    std::abs(answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position.x + 0.18f) < 1e-5f);
        return !answer.active();
    }));
}

TEST_F(HandTracking, WithoutAStageTheFixedWristStandsInLocal) {
    runtime().has_stage = false;
    const XrHandTrackerEXT tracker = begin_with_glove(kFixedWrist);
    HandAnswer answer;
    ASSERT_EQ(locate(tracker, local_, runtime().now(), answer), XR_SUCCESS);
    ASSERT_TRUE(answer.active());
    const XrVector3f& wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position;
    EXPECT_NEAR(wrist.x, -0.2f, 1e-5f);
    EXPECT_NEAR(wrist.y, 1.1f, 1e-5f);
    EXPECT_NEAR(wrist.z, -0.3f, 1e-5f);
}

TEST_F(HandTracking, ARuntimeThatRefusesTheWristsSpaceLeavesTheHandInactive) {
    begin();
    runtime().fail("xrCreateReferenceSpace", XR_ERROR_LIMIT_REACHED);
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    ASSERT_TRUE(is_heard());
    EXPECT_FALSE(is_active(tracker));
}

// The head walks and turns; the glove is still, so every joint moves with the head, but for its nods and tilts.
TEST_F(HandTracking, VelocitiesAreTheChangeOfThePoses) {
    const XrTime at = runtime().now();
    runtime().head.change([&](HeadScript& head) {
        head.linear_velocity = {0.4f, 0.1f, -0.3f};
        head.angular_velocity = {0.5f, -1.2f, 0.3f};
        head.at = at;
    });
    const XrHandTrackerEXT tracker = begin_with_glove();
    constexpr XrDuration kStep = 5'000'000;
    const XrTime time = runtime().now() + 100'000'000;  // behind all samples, so the fingers rest
    HandAnswer before;
    HandAnswer now;
    HandAnswer after;
    ASSERT_EQ(locate(tracker, local_, time - kStep, before), XR_SUCCESS);
    ASSERT_EQ(locate(tracker, local_, time, now), XR_SUCCESS);
    ASSERT_EQ(locate(tracker, local_, time + kStep, after), XR_SUCCESS);
    ASSERT_TRUE(before.active() && now.active() && after.active());
    for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
        EXPECT_EQ(now.velocities[joint].velocityFlags, test_runtime::kVelocityValid);
        const XrVector3f& from = before.joints[joint].pose.position;
        const XrVector3f& to = after.joints[joint].pose.position;
        const XrVector3f& velocity = now.velocities[joint].linearVelocity;
        EXPECT_NEAR(velocity.x, (to.x - from.x) / 0.01f, 2e-3f) << joint;
        EXPECT_NEAR(velocity.y, (to.y - from.y) / 0.01f, 2e-3f) << joint;
        EXPECT_NEAR(velocity.z, (to.z - from.z) / 0.01f, 2e-3f) << joint;
        const XrVector3f& turn = now.velocities[joint].angularVelocity;
        EXPECT_NEAR(turn.x, 0, 1e-5f) << joint;
        EXPECT_NEAR(turn.y, -1.2f, 1e-2f) << joint;
        EXPECT_NEAR(turn.z, 0, 1e-5f) << joint;
    }
}

TEST_F(HandTracking, AnAnswerWithoutVelocitiesIsTheSameHand) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    const XrTime time = runtime().now();
    HandAnswer with;
    HandAnswer without;
    without.location_part.next = nullptr;
    ASSERT_EQ(locate(tracker, local_, time, with), XR_SUCCESS);
    ASSERT_EQ(locate(tracker, local_, time, without), XR_SUCCESS);
    EXPECT_EQ(std::memcmp(with.joints.data(), without.joints.data(), sizeof with.joints), 0);
}

TEST_F(HandTracking, ManyThreadsMayLocateWhileTheGloveSends) {
    const XrHandTrackerEXT tracker = begin_with_glove();
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < 500; ++n) {
                (void)is_active(tracker);
            }
        });
    }
    for (int n = 0; n < 200; ++n) {
        send(flat_left_);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_TRUE(is_active(tracker));
}

}  // namespace
}  // namespace glove::test
