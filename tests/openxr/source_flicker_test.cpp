// SPDX-License-Identifier: Apache-2.0
// Sources that come and go faster than a hand gets from one to the next, in one base space and in two. Not covered: the
// wrist's own sources (wrist_change_test.cpp), which here stands still; the way itself
// (tests/motion/transition_test.cpp).
#include "openxr/source_switch_fixture.hpp"

namespace glove::test {
namespace {

using test_runtime::attached;
using test_runtime::from_xr;

class SourceFlicker : public SwitchTest, public ::testing::WithParamInterface<SourceOrder> {};

// The first comes and goes for two seconds, the second is there all the time.
TEST_P(SourceFlicker, LosesTheHandForNoFrameAndMovesItNoFasterThanAHand) {
    const std::string first = GetParam().first;
    begin_switching(GetParam());
    give(0, first, true);
    give(0, GetParam().second, true);
    ASSERT_TRUE(has_begun(first));
    stay(0.3);
    // A glove is believed at once and missed after 200 ms, so there and back takes longer; others have to prove
    // themselves.
    const int frames = first == "glove" ? 25 : 3;
    for (int i = 0; i < 200; ++i) {
        give(0, first, i / frames % 2 == 1);
        (void)next();
    }
    if (first == "glove") {
        EXPECT_GT(changes_[0], 3);
    } else {
        EXPECT_LE(changes_[0], 1 + late_frames_);
        EXPECT_EQ(newest_[0].source, name_of(GetParam().second));
    }
    give(0, first, true);
    (void)until_shown(first);
    stay(0.6);
    EXPECT_LT(length(wrist_of(newest_[0]) - (first == "native" ? kNativeWrist : kLeftWrist)), 1e-4);
    EXPECT_LE(changes_[1], late_frames_);
}

INSTANTIATE_TEST_SUITE_P(
    EveryPair, SourceFlicker,
    ::testing::Values(SourceOrder{"glove", "native", "controller"}, SourceOrder{"glove", "controller", "native"},
                      SourceOrder{"native", "glove", "controller"}, SourceOrder{"native", "controller", "glove"},
                      SourceOrder{"controller", "glove", "native"}, SourceOrder{"controller", "native", "glove"}),
    [](const auto& order) { return std::string(order.param.first) + "_beside_" + order.param.second; });

class SourceChange : public SwitchTest {
protected:
    static constexpr SourceOrder kOrder{"glove", "native", "controller"};
};

TEST_F(SourceChange, BothHandsChangeEachForItself) {
    begin_switching(kOrder);
    runtime().hands[1].change([](NativeHandScript& hand) {
        hand.wrist_in_stage = {{0, 0, 0, 1}, {0.2f, 1.1f, -0.4f}};
    });
    for (const std::size_t hand : {0u, 1u}) {
        for (const char* source : {"glove", "native", "controller"}) {
            give(hand, source, true);
        }
    }
    ASSERT_TRUE(has_begun("glove"));
    for (int i = 0; i < 200; ++i) {
        give(0, "glove", i % 70 < 35);
        give(0, "native", i % 100 < 70);
        give(1, "glove", i % 90 >= 40);
        give(1, "native", i % 50 >= 15);
        (void)next();
    }
    EXPECT_GT(changes_[0], 3);
    EXPECT_GT(changes_[1], 3);
}

// A base space that is asked for in every frame, and one that is asked for in turn with it.
TEST_F(SourceChange, IsTheSameInTwoBaseSpacesThatAreAskedForInTurn) {
    begin_switching(kOrder);
    const XrPosef elsewhere{{0.5f, 0.5f, -0.5f, 0.5f}, {1.5f, -0.4f, 2}};
    const std::array<XrSpace, 2> bases{stage_, make_space(XR_REFERENCE_SPACE_TYPE_STAGE, elsewhere)};
    give(0, "glove", true);
    give(0, "native", true);
    ASSERT_TRUE(has_begun("glove"));
    std::array<Vector, HandAnswer::kJoints> before{};
    Clock::time_point before_asked;
    double furthest = 0;
    for (int i = 0; i < 280; ++i) {
        give(0, "glove", i % 140 < 70);
        pass_frame();
        HandAnswer answer;
        const Clock::time_point asked = Clock::now();
        ASSERT_EQ(locate(trackers_[0], bases[static_cast<std::size_t>(i % 2)], runtime().now(), answer), XR_SUCCESS);
        const Clock::time_point answered = Clock::now();
        ASSERT_TRUE(answer.active());
        EXPECT_TRUE(is_whole(answer));
        for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
            const Pose pose = from_xr(answer.joints[joint].pose);
            const Vector in_stage = i % 2 == 0 ? pose.position : attached({from_xr(elsewhere)}, pose).pose.position;
            if (i > 0) {
                EXPECT_LT(length(in_stage - before[joint]),
                          longest_step(std::chrono::duration<double>(answered - before_asked).count()))
                    << joint << " in frame " << i;
            }
            before[joint] = in_stage;
        }
        furthest = std::max(furthest, length(before[XR_HAND_JOINT_WRIST_EXT] - kLeftWrist));
        before_asked = asked;
    }
    EXPECT_GT(furthest, 0.11);  // it was at the runtime's hand and came back
    EXPECT_LT(length(before[XR_HAND_JOINT_WRIST_EXT] - kNativeWrist), 1e-4);
}

}  // namespace
}  // namespace glove::test
