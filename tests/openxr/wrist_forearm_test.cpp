// SPDX-License-Identifier: Apache-2.0
// Gloves that measure the hand on the forearm: on a tracker worn at the elbow the hand turns with what they say, on
// everything that holds the wrist itself it does not. Not covered: the tracker's measured offset
// (wrist_measurement_test.cpp).
#include "fsnh_encoding.hpp"
#include "openxr/wrist_fixture.hpp"

namespace glove::test {
namespace {

using test_runtime::attached;

class WristOnForearm : public WristTest {
protected:
    void forearm_frame() {
        FsnhHeader header;
        header.frame_index = ++index_;
        header.timestamp_ns = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
        send(forearm_datagram(header, seen_from_forearm(Hand::left, to_sender(Hand::left, gloves_[0].joint_in_wrist),
                                                        wrist_in_forearm_)),
             port());
        if (set_ != XR_NULL_HANDLE) {
            EXPECT_TRUE(XR_SUCCEEDED(sync({set_})));
        }
        (void)poll_events();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        shown_[0] = look(0, stage_, runtime().now());
    }
    // On a busy machine a glove may be late.
    void until_live() {
        for (int i = 0; i < 200 && (i < 40 || shown_[0].flags != test_runtime::kValidAndTracked); ++i) {
            forearm_frame();
        }
    }

    const XrPosef wrist_in_forearm_{{0.2f, -0.3f, 0.1f, 0.9273618f}, {0.01f, -0.005f, -0.24f}};
    const MotionScript resting_{{{0.5f, 0.5f, -0.5f, 0.5f}, {-0.3f, 1.1f, -0.2f}},
                                {0, 0, 0},
                                {0, 0, 0},
                                1,
                                test_runtime::kValidAndTracked,
                                test_runtime::kVelocityValid};
    std::uint32_t index_ = 0;
};

TEST_F(WristOnForearm, TurnsOnATrackerThatIsWornAtTheElbow) {
    write_config("[wrist]\nsource = \"tracker\"\n[wrist.tracker]\nleft = \"left_elbow\"\n");
    runtime().vive_tracker_revision = 3;
    begin("trigger");
    runtime().trackers = {{"left_elbow", "/devices/htc/vive_tracker.1", resting_}};
    until_live();
    const Motion forearm = motion_of(resting_, 1);
    expect_at(shown_[0], attached(forearm, test_runtime::from_xr(wrist_in_forearm_)));
    // A glove that knows the hand alone sits at the end of what carries it.
    frames(120);
    expect_at(shown_[0], forearm);
}

TEST_F(WristOnForearm, StaysWhereATrackerOnTheWristIs) {
    write_config("[wrist]\nsource = \"tracker\"\n[wrist.tracker]\nleft = \"left_wrist\"\n");
    runtime().vive_tracker_revision = 3;
    begin("trigger");
    runtime().trackers = {{"left_wrist", "/devices/htc/vive_tracker.1", resting_}};
    until_live();
    expect_at(shown_[0], motion_of(resting_, 1));
}

TEST_F(WristOnForearm, StaysWhereTheRuntimesOwnHandIs) {
    write_config("[wrist]\nsource = \"native\"\n");
    runtime().native_hands = NativeHands::supported;
    begin("");
    const XrPosef wrist{{0.5f, -0.5f, 0.5f, 0.5f}, {-0.1f, 1.3f, -0.4f}};
    runtime().hands[0].change([&](NativeHandScript& hand) { hand.wrist_in_stage = wrist; });
    gloves_[0] = reference_pose(Hand::left, "fist");
    until_live();
    expect_at(shown_[0], {test_runtime::from_xr(wrist)});
    // The glove's fingers: the runtime's hand is flat, its middle tip 175 mm from the wrist.
    const Motion tip{test_runtime::from_xr(answers_[0].joints[XR_HAND_JOINT_MIDDLE_TIP_EXT].pose)};
    EXPECT_LT(length(tip.pose.position - shown_[0].wrist.pose.position), 0.13);
}

}  // namespace
}  // namespace glove::test
