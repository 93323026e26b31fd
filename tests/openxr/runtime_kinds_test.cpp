// SPDX-License-Identifier: Apache-2.0
// Three kinds of runtime: without XR_EXT_hand_tracking, listing it without having hands, and with hands of its own.
// The application must not see a difference while gloves are worn, and never half of one hand and half of the other.
// Not covered: real runtimes; tests/monado/ has one of each of the last two kinds.
#include <atomic>
#include <cmath>
#include <ostream>
#include <thread>

#include "openxr/chain_fixture.hpp"

// So GoogleTest names a kind in its lists.
namespace glove::test_runtime {
static void PrintTo(NativeHands kind, std::ostream* out) {
    *out << (kind == NativeHands::absent ? "absent" : kind == NativeHands::unsupported ? "unsupported" : "supported");
}
}  // namespace glove::test_runtime

namespace glove::test {
namespace {

class RuntimeKind : public ChainTest, public ::testing::WithParamInterface<NativeHands> {
protected:
    void SetUp() override {
        ChainTest::SetUp();
        runtime().native_hands = GetParam();
    }
};

TEST_P(RuntimeKind, GlovesAreSeenAndNothingOfOursReachesTheRuntime) {
    const auto below = make_recorder("below");
    chain({kOurs, below.folder});
    begin();
    const bool native = GetParam() == NativeHands::supported;
    EXPECT_EQ(runtime().created_hand_trackers.get(),
              native ? (std::vector{left(), right()}) : std::vector<XrHandTrackerEXT>{});

    XrSystemHandTrackingPropertiesEXT hands{XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, nullptr, 77};
    XrSystemProperties properties{};
    properties.type = XR_TYPE_SYSTEM_PROPERTIES;
    properties.next = &hands;
    ASSERT_EQ(xrGetSystemProperties(instance(), system(), &properties), XR_SUCCESS);
    EXPECT_EQ(hands.supportsHandTracking, XrBool32{XR_TRUE});

    HandAnswer bare;
    ASSERT_EQ(locate(left(), local(), runtime().now(), bare), XR_SUCCESS);
    EXPECT_EQ(bare.active(), native);
    EXPECT_TRUE(is_whole(bare));

    const std::array poses{reference_pose(Hand::left, "flat"), reference_pose(Hand::right, "fist")};
    const std::array trackers{left(), right()};
    for (std::size_t hand = 0; hand < 2; ++hand) {
        // Until every joint is as far from the wrist as the glove says.
        EXPECT_TRUE(wait_for([&] {
            send(poses[hand]);
            HandAnswer answer;
            EXPECT_EQ(locate(trackers[hand], local(), runtime().now(), answer), XR_SUCCESS);
            EXPECT_TRUE(is_whole(answer));
            return answer.active() && is_hand(answer, poses[hand].joint_in_wrist);
        })) << hand;
    }

    const auto destroy = proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
    EXPECT_EQ(destroy(left()), XR_SUCCESS);
    EXPECT_EQ(destroy(left()), XR_ERROR_HANDLE_INVALID);
    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    destroy_instance();
    EXPECT_EQ(below->unknown_handles(), std::vector<std::string>{});
    EXPECT_EQ(below->live_handles(), 0u);
    EXPECT_EQ(runtime().unknown_handles, 0u);
}

TEST_P(RuntimeKind, WithoutTheFocusThereIsNoHand) {
    begin();
    wear_left_glove();
    runtime().focused = false;
    drive_until(XR_SESSION_STATE_VISIBLE);
    for (const XrHandTrackerEXT tracker : {left(), right()}) {
        HandAnswer answer;
        ASSERT_EQ(locate(tracker, local(), runtime().now(), answer), XR_SUCCESS);
        EXPECT_FALSE(answer.active());
        EXPECT_TRUE(is_whole(answer));
    }
    runtime().focused = true;
    drive_until(XR_SESSION_STATE_FOCUSED);
    wear_left_glove();
}

INSTANTIATE_TEST_SUITE_P(Every, RuntimeKind,
                         ::testing::Values(NativeHands::absent, NativeHands::unsupported, NativeHands::supported),
                         [](const ::testing::TestParamInfo<NativeHands>& kind) {
                             return ::testing::PrintToString(kind.param);
                         });

class SwitchOfHands : public ChainTest {};

// The glove comes and goes while the application looks all the time.
TEST_F(SwitchOfHands, EveryAnswerIsAWholeHandThatIsTheGlovesOrTheRuntimesOrOnItsWayBetweenThem) {
    write_config("[age]\ntracked_ms = 15\nvalid_ms = 30\n[wrist]\nsource = \"view\"\n");
    runtime().native_hands = NativeHands::supported;
    runtime().lists_hand_aim = true;
    runtime().hands[0].change([](NativeHandScript& hand) { hand.wrist_in_stage.position = {-0.4f, 1.3f, -0.3f}; });
    begin({XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME});
    const std::array<XrPosef, HandAnswer::kJoints> native_left = runtime().hands[0].get().joint_in_wrist;
    const std::array<XrPosef, HandAnswer::kJoints> native_right = runtime().hands[1].get().joint_in_wrist;
    const ReferencePose glove = reference_pose(Hand::left, "fist");

    std::atomic<bool> ended{false};
    std::thread wearer([&] {
        while (!ended) {
            for (int i = 0; i < 500 && !ended; ++i) {
                send(glove);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
        }
    });
    enum class At { nowhere, at_glove, at_native } at = At::nowhere;
    int arrivals = 0;
    HandAnswer before;
    auto before_at = std::chrono::steady_clock::now();
    const bool seen = wait_for([&] {
        for (int i = 0; i < 20; ++i) {
            // Every second time with a struct for the runtime, so both ways to answer are taken.
            XrHandTrackingAimStateFB aim{XR_TYPE_HAND_TRACKING_AIM_STATE_FB, nullptr, 0, {}, -1, -1, -1, -1};
            HandAnswer answer;
            if (i % 2 == 0) {
                answer.velocity_part.next = &aim;
            }
            const auto asked_at = std::chrono::steady_clock::now();
            EXPECT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS);
            const auto now = std::chrono::steady_clock::now();
            EXPECT_TRUE(answer.active());
            EXPECT_TRUE(is_whole(answer));
            EXPECT_EQ(aim.pinchStrengthIndex, i % 2 == 0 ? runtime().index_pinch.get() : -1);

            const float wrist_x = answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position.x;
            At now_at = at;
            if (is_hand(answer, glove.joint_in_wrist) && std::abs(wrist_x + 0.18f) < 1e-5f) {
                now_at = At::at_glove;
            } else if (is_hand(answer, native_left) && std::abs(wrist_x + 0.4f) < 1e-6f) {
                now_at = At::at_native;
            }
            arrivals += now_at != at;
            // No joint goes faster than a hand on its way may. The layer's clock was read anywhere within a call, which
            // a busy machine makes long.
            if (at != At::nowhere) {
                const float seconds = std::chrono::duration<float>(now - before_at).count();
                for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
                    const XrVector3f& a = before.joints[joint].pose.position;
                    const XrVector3f& b = answer.joints[joint].pose.position;
                    EXPECT_LT(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z), 0.003f + 3.0f * seconds) << joint;
                }
            }
            at = now_at;
            std::copy(std::begin(answer.joints), std::end(answer.joints), std::begin(before.joints));
            before_at = asked_at;

            HandAnswer other;
            EXPECT_EQ(locate(right(), local(), runtime().now(), other), XR_SUCCESS);
            EXPECT_TRUE(other.active() && is_whole(other) && is_hand(other, native_right));
        }
        return arrivals >= 7 || HasFailure();
    });
    ended = true;
    wearer.join();
    EXPECT_TRUE(seen) << arrivals;
}

}  // namespace
}  // namespace glove::test
