// SPDX-License-Identifier: Apache-2.0
// Hands whose source comes, goes or changes: they are led from one place to the other, each hand for itself, and end
// exactly where the new source has them. Times are the real ones, so a frame on a busy machine may be longer than 10
// ms; what a hand may go in it is longer too. Not covered: which source is preferred
// (tests/motion/wrist_choice_test.cpp).
#include <cstdio>

#include "openxr/wrist_fixture.hpp"

namespace glove::test {
namespace {

using test_runtime::attached;
using test_runtime::from_xr;

// 20 mm in a frame of 90 Hz, which a hand does in earnest.
constexpr double kLargestStepM = 0.02;
constexpr double kFrameNs = 11'111'111;

constexpr char kTouchGrip[] = "/interaction_profiles/oculus/touch_controller/grip";
constexpr char kIndexGrip[] = "/interaction_profiles/valve/index_controller/grip";

class WristChange : public WristTest {
protected:
    // The largest step of a hand from frame to frame, as a part of what it may go, while `seconds` pass.
    double largest_step(std::size_t hand, double seconds) {
        double largest = 0;
        const XrTime end = runtime().now() + static_cast<XrTime>(seconds * 1e9);
        while (runtime().now() < end) {
            const Shown before = shown_[hand];
            frame();
            EXPECT_TRUE(shown_[hand].active) << "the hand is gone in between";
            const double step = length(shown_[hand].wrist.pose.position - before.wrist.pose.position);
            const double frames = std::max(1.0, static_cast<double>(shown_[hand].time - before.time) / kFrameNs);
            largest = std::max(largest, step / (frames * kLargestStepM));
        }
        std::printf("largest step of the %s hand: %.1f mm per frame\n", hand == 0 ? "left" : "right",
                    largest * kLargestStepM * 1000);
        return largest;
    }
    void put_down(std::size_t hand) {
        runtime().controllers[hand].change([](ControllerScript& controller) { controller.present = false; });
    }
    void put_controller_at(std::size_t hand, const XrVector3f& position) {
        runtime().controllers[hand].change([&](ControllerScript& controller) {
            controller.grip.in_stage = {{0, 0.6f, 0, 0.8f}, position};
        });
    }
    static std::string offset(const char* source, const std::string& position_mm) {
        const std::string placement = "{ position_mm = " + position_mm + ", rotation_deg = [0, 0, 0] }\n";
        return "[wrist.offset.\"" + std::string(source) + "\"]\nleft = " + placement + "right = " + placement;
    }
    // Where [wrist.view] has the hand by default, from the head, raised and turned inwards as its forearm.
    Motion before_head(std::size_t hand, XrTime time) const {
        const double side = hand == 0 ? -1 : 1;
        return attached(motion_of(runtime().head.get(), time),
                        placed_at({side * 180, -250, -350}, {33.4673, side * 9.5127, 0}));
    }
};

TEST_F(WristChange, AControllerThatIsLostAndComesBackNeverMakesTheHandJump) {
    write_config(offset(kTouchGrip, "[0, 0, 0]"));
    begin("grip");
    hold(0, kTouch);
    put_controller_at(0, {-0.6f, 1.5f, -0.3f});
    frames(60);
    expect_at(shown_[0], grip_of(0, shown_[0].time));

    put_down(0);
    EXPECT_LE(largest_step(0, 1.5), 1);
    expect_at(shown_[0], before_head(0, shown_[0].time));
    EXPECT_EQ(shown_[0].flags & XR_SPACE_LOCATION_POSITION_TRACKED_BIT, 0u);

    hold(0, kTouch);
    EXPECT_LE(largest_step(0, 1.5), 1);
    expect_at(shown_[0], grip_of(0, shown_[0].time));
    EXPECT_EQ(shown_[0].flags, test_runtime::kValidAndTracked);
}

// What was added for one change must be gone before the next: no offset grows.
TEST_F(WristChange, TenLossesLeaveNothingBehind) {
    write_config(offset(kTouchGrip, "[10, 20, 30]"));
    begin("grip");
    hold(1, kTouch);
    frames(60);
    for (int i = 0; i < 10; ++i) {
        put_down(1);
        frames(5 + 7 * (i % 3));
        hold(1, kTouch);
        frames(5 + 9 * (i % 4));
    }
    frames(100);
    expect_at(shown_[1], attached(grip_of(1, shown_[1].time), placed_at({10, 20, 30}, {})));
}

TEST_F(WristChange, ATrackerTakesOverFromAControllerAndGivesBack) {
    write_config("[wrist.tracker]\nleft = \"left_wrist\"\n" + offset("tracker", "[0, 0, 0]") +
                 offset(kTouchGrip, "[0, 0, 0]"));
    runtime().vive_tracker_revision = 3;
    begin("grip");
    hold(0, kTouch);
    put_controller_at(0, {-0.3f, 1.1f, -0.3f});
    frames(60);
    expect_at(shown_[0], grip_of(0, shown_[0].time));
    const MotionScript wrist{{{0.6f, 0, 0, 0.8f}, {-0.35f, 1.4f, -0.2f}},
                             {},
                             {},
                             0,
                             test_runtime::kValidAndTracked,
                             test_runtime::kVelocityValid};
    runtime().trackers = {{"left_wrist", "/devices/htc/vive_tracker.1", wrist}};
    EXPECT_LE(largest_step(0, 1.5), 1);
    expect_at(shown_[0], motion_of(wrist, 1));
    runtime().trackers = {};
    EXPECT_LE(largest_step(0, 1.5), 1);
    expect_at(shown_[0], grip_of(0, shown_[0].time));
}

TEST_F(WristChange, TheRuntimesOwnHandComesAndGoes) {
    write_config(offset(kTouchGrip, "[0, 0, 0]"));
    runtime().native_hands = NativeHands::supported;
    const XrPosef wrist{{0, 0, 0.6f, 0.8f}, {0.45f, 1.5f, -0.3f}};
    runtime().hands[1].change([&](NativeHandScript& hand) {
        hand.wrist_in_stage = wrist;
        hand.active = false;
    });
    begin("grip");
    hold(1, kTouch);
    frames(60);
    expect_at(shown_[1], grip_of(1, shown_[1].time));
    runtime().hands[1].change([](NativeHandScript& hand) { hand.active = true; });
    EXPECT_LE(largest_step(1, 1.5), 1);
    expect_at(shown_[1], {from_xr(wrist)});
    runtime().hands[1].change([](NativeHandScript& hand) { hand.active = false; });
    EXPECT_LE(largest_step(1, 1.5), 1);
    expect_at(shown_[1], grip_of(1, shown_[1].time));
}

TEST_F(WristChange, WhatHappensToOneHandIsNothingToTheOther) {
    write_config(offset(kTouchGrip, "[0, 0, 0]"));
    begin("grip");
    hold(0, kTouch);
    hold(1, kTouch);
    runtime().controllers[1].change([&](ControllerScript& right) {
        right.grip.linear_velocity = {0.2f, 0.1f, 0};
        right.grip.at = runtime().now();
    });
    frames(60);
    for (int i = 0; i < 100; ++i) {
        if (i % 20 == 0) {
            put_down(0);
        } else if (i % 20 == 7) {
            hold(0, kTouch);
        } else if (i % 20 == 13) {
            hold(0, kSimple);
        }
        frame();
        expect_at(shown_[1], grip_of(1, shown_[1].time));
    }
}

TEST_F(WristChange, AnotherControllerHasAnotherOffset) {
    write_config(offset(kTouchGrip, "[0, 0, 100]") + offset(kIndexGrip, "[0, 50, 0]"));
    begin("grip", {kTouch, kIndex});
    hold(0, kTouch);
    hold(1, kTouch);
    frames(60);
    expect_at(shown_[0], attached(grip_of(0, shown_[0].time), placed_at({0, 0, 100}, {})));
    put_down(0);
    frames(3);
    hold(0, kIndex);
    frames(120);
    expect_at(shown_[0], attached(grip_of(0, shown_[0].time), placed_at({0, 50, 0}, {})));
    expect_at(shown_[1], attached(grip_of(1, shown_[1].time), placed_at({0, 0, 100}, {})));
}

TEST_F(WristChange, ARecentringLeavesHandsWhereTheyAreInTheRoom) {
    write_config(offset(kTouchGrip, "[0, 0, 0]"));
    begin("grip");
    hold(0, kTouch);
    hold(1, kTouch);
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    frames(60);
    put_down(1);
    const XrTime lost = runtime().now();
    frames(5);  // this one is held
    (void)look(1, local, runtime().now());
    const Motion held = shown_[1].wrist;
    const Motion grip = grip_of(0, 1);
    const XrPosef new_local{{0, 0.6f, 0, 0.8f}, {1, 1.5f, -2}};
    const XrTime change_time = runtime().now() + 30'000'000;
    runtime().recentrings.change([&](std::vector<Recentring>& all) { all.push_back({new_local, change_time}); });
    for (int i = 0; i < 12; ++i) {
        frame();
        expect_at(shown_[0], grip);
        // A hand that is only held may be gone, as nobody says where the application's space is now; it is nowhere
        // else.
        if (shown_[1].active && shown_[1].time - lost < 150'000'000) {
            expect_at(shown_[1], held);
        }
        const Shown in_local = look(0, local, shown_[0].time);
        const XrPosef seen_from = shown_[0].time < change_time ? runtime().local_in_stage.get() : new_local;
        expect_at(in_local, relative(grip, {from_xr(seen_from)}));
    }
}

}  // namespace
}  // namespace glove::test
