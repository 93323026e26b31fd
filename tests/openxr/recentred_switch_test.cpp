// SPDX-License-Identifier: Apache-2.0
// A hand goes from its glove to the runtime's own hand while the room is recentred. Not covered: other sources, which
// go the same way (source_switch_test.cpp).
#include <optional>

#include "openxr/fingers_fixture.hpp"

namespace glove::test {
namespace {

class RecentredSwitch : public FingersTest {
protected:
    // The user is given a new middle of the room in every frame, so in the one of the switch too.
    Motion next_wrist_in_stage() {
        side_ = -side_;
        const XrPosef middle{{0, side_ < 0 ? 0.6f : 0, 0, side_ < 0 ? 0.8f : 1}, {side_, 1.5f, 0}};
        runtime().recentrings.change([&](std::vector<Recentring>& all) {
            all.push_back({middle, runtime().now() + 2'000'000});
        });
        pass_frame();  // longer than that
        FingersAnswer answer;
        ask(tracker_, answer);
        EXPECT_TRUE(answer.hand.active());
        return attached({test_runtime::from_xr(middle)},
                        test_runtime::from_xr(answer.hand.joints[XR_HAND_JOINT_WRIST_EXT].pose));
    }

    XrHandTrackerEXT tracker_ = XR_NULL_HANDLE;
    float side_ = 0.5f;
};

TEST_F(RecentredSwitch, IsNoJumpInTheRoom) {
    const Vector wrist_of_native{-0.22, 1.18, -0.36};
    write_config(
        "[age]\ntracked_ms = 50\nvalid_ms = 80\n[wrist]\nsource = \"fixed\"\n[wrist.fixed]\nspace = \"stage\"\n"
        "left = { position_mm = [-300, 1100, -400] }\n");
    runtime().native_hands = NativeHands::supported;
    runtime().hands[0].change(
        [&](NativeHandScript& hand) { hand.wrist_in_stage.position = test_runtime::to_xr(wrist_of_native); });
    wears_glove_[0] = true;
    begin_program();
    tracker_ = tracker_of(0, {kUnobstructed});
    stage_ = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);  // of the fixture: where it asks for hands
    ASSERT_TRUE(shows(tracker_,
                      [&](const FingersAnswer& answer) { return answer.hand.active() && status_source(0) == "fsnh"; }));
    pass_frames(40);  // the runtime's hand was there for long enough

    std::optional<Motion> last;
    XrTime last_time = 0;
    int frames_on_the_way = 0;
    for (int i = 0; i < 70; ++i) {
        wears_glove_[0] = i < 10;
        const Motion wrist = next_wrist_in_stage();
        const XrTime time = runtime().now();
        if (last) {
            // Both stand still, so whatever moves is on its way: 20 mm in a frame of 90 Hz.
            const double step = length(wrist.pose.position - last->pose.position);
            EXPECT_LT(step, 0.002 + 1.8e-9 * static_cast<double>(time - last_time)) << i;
            frames_on_the_way += step > 0.001 ? 1 : 0;
        }
        last = wrist;
        last_time = time;
    }
    EXPECT_GT(frames_on_the_way, 3);
    EXPECT_EQ(status_source(0), "native");
    EXPECT_LT(length(last->pose.position - wrist_of_native), 0.001);
}

}  // namespace
}  // namespace glove::test
