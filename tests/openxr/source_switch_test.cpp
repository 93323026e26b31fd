// SPDX-License-Identifier: Apache-2.0
// A hand goes from one source to another and back, for every ordered pair of glove, runtime and controller, frame by
// frame, while the other hand stays on its glove. Not covered: sources that come and go while the hand is on its way
// (source_flicker_test.cpp), and the wrist's own sources (wrist_change_test.cpp), which here stands still.
#include "openxr/source_switch_fixture.hpp"

namespace glove::test {
namespace {

class SourceSwitch : public SwitchTest, public ::testing::WithParamInterface<SourceOrder> {};

// The first is preferred, lost and found again, the second there all the time, the third never.
TEST_P(SourceSwitch, LosesTheHandForNoFrameAndMovesItNoFasterThanAHand) {
    const auto& [first, second, third] = GetParam();
    begin_switching(GetParam());
    give(0, first, true);
    give(0, second, true);
    ASSERT_TRUE(has_begun(first));
    stay(0.6);

    give(0, first, false);
    const double there = until_shown(second);
    EXPECT_LT(there, unless_late(1.0));
    stay(0.6);

    give(0, first, true);
    const double back = until_shown(first);
    if (std::string(first) == "glove") {
        EXPECT_LT(back, unless_late(0.25));  // at once
    } else {
        EXPECT_GT(back, 0.28);  // it has to prove itself
        EXPECT_LT(back, unless_late(1.5));
    }
    stay(0.6);
    EXPECT_LE(changes_[1], late_frames_);
    EXPECT_EQ(newest_[1].source, "fsnh");
    EXPECT_LT(length(wrist_of(newest_[1]) - kRightWrist), 1e-4);
    if (std::string(first) == "native" || std::string(second) == "native") {
        // 120 mm there and back, in as many frames as the machine had time for.
        EXPECT_TRUE(moving_frames_ >= 2 || late_frames_ > 0);
        EXPECT_TRUE(compared_speeds_ > 3 || moving_frames_ < 20);
    }
}

INSTANTIATE_TEST_SUITE_P(
    EveryPair, SourceSwitch,
    ::testing::Values(SourceOrder{"glove", "native", "controller"}, SourceOrder{"glove", "controller", "native"},
                      SourceOrder{"native", "glove", "controller"}, SourceOrder{"native", "controller", "glove"},
                      SourceOrder{"controller", "glove", "native"}, SourceOrder{"controller", "native", "glove"}),
    [](const auto& order) { return std::string(order.param.first) + "_then_" + order.param.second; });

}  // namespace
}  // namespace glove::test
