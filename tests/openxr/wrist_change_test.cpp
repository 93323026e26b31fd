// SPDX-License-Identifier: Apache-2.0
// Hands whose source comes, goes or changes: they are led from one place to the other, each hand for itself, and end
// exactly where the new source has them. Times are the real ones, so a frame on a busy machine may be longer than 10
// ms; what a hand may go in it is longer too. Not covered: which source is preferred
// (tests/motion/source_selector_test.cpp).
#include <cstdio>

#include "openxr/wrist_fixture.hpp"

namespace glove::test {
namespace {

using test_runtime::attached;
using test_runtime::from_xr;
using test_runtime::relative;

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

// As of a program that shows hands in one space, and looks in another for something else now and then.
TEST_F(WristChange, AChangeThatIsFirstSeenInAnotherSpaceIsNoJumpInThisOne) {
    write_config(offset(kTouchGrip, "[0, 0, 0]"));
    begin("grip");
    hold(0, kTouch);
    put_controller_at(0, {-0.6f, 1.5f, -0.3f});
    frames(60);
    expect_at(shown_[0], grip_of(0, shown_[0].time));
    for (const bool held : {false, true}) {
        if (held) {
            hold(0, kTouch);
        } else {
            put_down(0);
        }
        for (int i = 0; i < 100; ++i) {
            send(gloves_[0]);
            EXPECT_TRUE(XR_SUCCEEDED(sync({set_})));
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            const Shown before = shown_[0];
            const XrSpace never_asked_before = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
            (void)look(0, never_asked_before, runtime().now());  // is the first to see it
            shown_[0] = look(0, stage_, runtime().now());
            EXPECT_TRUE(shown_[0].active);
            const double frames = std::max(1.0, static_cast<double>(shown_[0].time - before.time) / kFrameNs);
            EXPECT_LE(length(shown_[0].wrist.pose.position - before.wrist.pose.position), frames * kLargestStepM);
        }
        expect_at(shown_[0], held ? grip_of(0, shown_[0].time) : before_head(0, shown_[0].time));
    }
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

// Long enough away for nobody to hold it, not long enough to be forgotten.
TEST_F(WristChange, AHandThatWasNowhereAppearsWhereItIs) {
    write_config("[wrist]\nsource = \"controller\"\n" + offset(kTouchGrip, "[0, 0, 0]"));
    begin("grip");
    for (const XrVector3f& position : {XrVector3f{-0.6f, 1.5f, -0.3f}, {0.2f, 1.1f, -0.4f}, {-0.3f, 0.9f, -0.2f}}) {
        put_controller_at(0, position);
        hold(0, kTouch);
        frame();
        frame();  // the first of a controller says which it is
        ASSERT_TRUE(wait_for([this] {
            if (!shown_[0].active) {
                frame();
            }
            return shown_[0].active;
        }));
        expect_at(shown_[0], grip_of(0, shown_[0].time));
        frames(10);
        put_down(0);
        ASSERT_TRUE(wait_for([this] {
            frame();
            return !shown_[0].active;
        }));
    }
}

// It was before the head all the time, had anybody put on a glove; a controller that is picked up has a hand at once.
TEST_F(WristChange, AHandThatComesWithItsControllerIsOnItFromTheFirstFrame) {
    write_config(offset(kTouchGrip, "[0, 0, 0]"));
    begin("grip");
    put_controller_at(0, {-0.6f, 1.5f, -0.3f});
    const auto look_on = [this](bool active) {
        return wait_for([this, active] {
            EXPECT_TRUE(XR_SUCCEEDED(sync({set_})));  // and no glove is worn
            (void)poll_events();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            shown_[0] = look(0, stage_, runtime().now());
            return shown_[0].active == active;
        });
    };
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 40 * round; ++i) {
            ASSERT_TRUE(look_on(false));
        }
        hold(0, kTouch);
        ASSERT_TRUE(look_on(true));
        expect_at(shown_[0], grip_of(0, shown_[0].time));
        put_down(0);
        ASSERT_TRUE(look_on(false));
    }
}

// Looks at both hands in spaces that move and one that does not, before and after the user is given a new middle of the
// room, while the left hand is on its controller and the right one is held where it was lost.
class Recentred : public WristChange {
protected:
    void begin_with_one_hand_lost() {
        write_config(offset(kTouchGrip, "[0, 0, 0]"));
        begin("grip");
        hold(0, kTouch);
        hold(1, kTouch);
        spaces_ = {make_space(XR_REFERENCE_SPACE_TYPE_LOCAL), make_space(XR_REFERENCE_SPACE_TYPE_LOCAL, kOfTheGame)};
        for (int i = 0; i < 60; ++i) {
            frame();
            (void)in_spaces(1);
        }
        put_down(1);
        lost_ = runtime().now();
        frame();
    }
    void recentre(const XrPosef& local_in_stage, XrTime at, XrBool32 says_how_far = XR_TRUE) {
        runtime().recentrings.change([&](std::vector<Recentring>& all) {
            all.push_back({local_in_stage, at, says_how_far});
        });
    }
    [[nodiscard]] std::array<Shown, 2> in_spaces(std::size_t hand) {
        return {look(hand, spaces_[0], shown_[hand].time), look(hand, spaces_[1], shown_[hand].time)};
    }
    // Held for 200 ms; what comes late does not count.
    [[nodiscard]] bool is_held() const { return shown_[1].time - lost_ < 150'000'000; }
    void expect_in_spaces(std::size_t hand, const Motion& in_stage, const XrPosef& local_in_stage) {
        const std::array<Shown, 2> shown = in_spaces(hand);
        expect_at(shown[0], relative(in_stage, {from_xr(local_in_stage)}));
        expect_at(shown[1], relative(in_stage, attached({from_xr(local_in_stage)}, from_xr(kOfTheGame))));
    }

    static constexpr XrPosef kOfTheGame{{0, 0, 0.6f, 0.8f}, {0.5f, -0.25f, 1}};
    static constexpr XrPosef kNewMiddle{{0, 0.6f, 0, 0.8f}, {1, 1.5f, -2}};
    static constexpr XrPosef kNewerMiddle{{0, -0.28f, 0, 0.96f}, {-1, 1.25f, 0.5f}};
    std::array<XrSpace, 2> spaces_{};
    XrTime lost_ = 0;
};

TEST_F(Recentred, HandsStayWhereTheyAreInTheRoom) {
    begin_with_one_hand_lost();
    const Motion held = shown_[1].wrist;
    const XrTime change_time = runtime().now() + 15'000'000;
    recentre(kNewMiddle, change_time);
    int held_after = 0;
    for (int i = 0; i < 12; ++i) {
        frame();
        const bool is_after = shown_[0].time >= change_time;
        const XrPosef local = is_after ? kNewMiddle : runtime().local_in_stage.get();
        expect_at(shown_[0], grip_of(0, 1));
        expect_in_spaces(0, grip_of(0, 1), local);
        if (is_held()) {
            expect_at(shown_[1], held);
            expect_in_spaces(1, held, local);
            held_after += is_after ? 1 : 0;
        }
    }
    EXPECT_GT(held_after, 0) << "too slow a machine";
}

TEST_F(Recentred, AHeldHandIsFollowedThroughTwoChanges) {
    begin_with_one_hand_lost();
    const Motion held = shown_[1].wrist;
    const XrTime change_time = runtime().now() + 5'000'000;
    recentre(kNewMiddle, change_time);
    recentre(kNewerMiddle, change_time + 10'000'000);
    int held_after = 0;
    while (is_held()) {
        frame();
        if (is_held() && shown_[1].time >= change_time + 10'000'000) {
            expect_in_spaces(1, held, kNewerMiddle);
            ++held_after;
        }
    }
    EXPECT_GT(held_after, 0) << "too slow a machine";
}

// It is nowhere rather than somewhere else, and only in the spaces that moved.
TEST_F(Recentred, AHeldHandIsGoneWhereNobodySaysHowFarTheSpaceMoved) {
    begin_with_one_hand_lost();
    const Motion held = shown_[1].wrist;
    const XrTime change_time = runtime().now() + 5'000'000;
    recentre(kNewMiddle, change_time, XR_FALSE);
    int held_after = 0;
    while (is_held()) {
        frame();
        if (is_held()) {
            expect_at(shown_[1], held);
            const bool is_after = shown_[1].time >= change_time;
            for (const Shown& shown : in_spaces(1)) {
                EXPECT_EQ(shown.active, !is_after);
            }
            held_after += is_after ? 1 : 0;
        }
    }
    EXPECT_GT(held_after, 0) << "too slow a machine";
    frames(60);
    expect_in_spaces(1, before_head(1, shown_[1].time), kNewMiddle);
}

// Where the runtime knows no velocities, they are worked out from frame to frame.
TEST_F(Recentred, IsNoMotion) {
    write_config(offset(kTouchGrip, "[0, 0, 0]"));
    begin("grip");
    hold(0, kTouch);
    runtime().controllers[0].change([](ControllerScript& controller) { controller.grip.velocity_flags = 0; });
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    for (int i = 0; i < 60; ++i) {
        if (i == 50) {
            recentre(kNewMiddle, runtime().now() + 30'000'000);
        }
        frame();
        const Shown shown = look(0, local, shown_[0].time);
        if (i > 40) {
            EXPECT_LT(length(shown.wrist.linear), 0.01);
            EXPECT_LT(length(shown.wrist.angular), 0.05);
        }
    }
    expect_at(look(0, local, shown_[0].time), relative(grip_of(0, 1), {from_xr(kNewMiddle)}));
}

}  // namespace
}  // namespace glove::test
