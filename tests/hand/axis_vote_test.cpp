// SPDX-License-Identifier: Apache-2.0
// When a sender's joint axes are decided, and by what: time is the test's.
// Not covered: what is seen in one message (axis_check_test.cpp).
#include "hand/fsnh/axis_vote.hpp"

#include <gtest/gtest.h>

#include "hand/hand_model.hpp"
#include "hand_in_motion.hpp"
#include "near.hpp"

namespace glove {
namespace {

using namespace test;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr Matrix kOtherAxes{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};

fsnh::Message shown(const char* pose, const Matrix& finger_axes = kIdentityMatrix) {
    SenderHand joints = to_sender(Hand::left, reference_pose(Hand::left, pose).joint_in_wrist);
    for (std::size_t i = 1; i < joints.size(); ++i) {
        joints[i].rotation = joints[i].rotation * finger_axes;
    }
    return wrist_message({.hand = Hand::left}, joints);
}

// Of the fingers, to the hand that was meant.
double degrees_off(FsnhRetarget& retarget, const fsnh::Message& message, const char* pose, std::int64_t now_ns) {
    HandSample sample{};
    retarget.retarget(message, now_ns, sample);
    return degrees_between(sample.joint_in_wrist[XR_HAND_JOINT_INDEX_DISTAL_EXT].orientation,
                           reference_pose(Hand::left, pose).joint_in_wrist[XR_HAND_JOINT_INDEX_DISTAL_EXT].orientation);
}

class AxisVoting : public testing::Test {
protected:
    FsnhRetarget retarget_{Hand::left, kTemplateSizeMm};
};

TEST_F(AxisVoting, AHandWithTheDocumentsAxesIsRightFromTheFirstMessage) {
    EXPECT_LT(degrees_off(retarget_, shown("fist"), "fist", 0), 0.1);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::undecided);
    std::int64_t now_ns = show_in_motion(retarget_, shown("fist"), 0, kSecond / 2);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::undecided);
    now_ns = show_in_motion(retarget_, shown("fist"), now_ns);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::documented);
    EXPECT_LT(degrees_off(retarget_, shown("fist"), "fist", now_ns), 0.1);
}

TEST_F(AxisVoting, OtherAxesAreCorrectedAfterASecondOfMotion) {
    std::int64_t now_ns = show_in_motion(retarget_, shown("flat", kOtherAxes), 0, kSecond * 9 / 10);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::undecided);
    now_ns = show_in_motion(retarget_, shown("flat", kOtherAxes), now_ns, kSecond / 5);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::permuted);
    EXPECT_LT(degrees_off(retarget_, shown("fist", kOtherAxes), "fist", now_ns), 0.1);
}

TEST_F(AxisVoting, OneMessageDecidesNothing) {
    HandSample sample{};
    retarget_.retarget(shown("flat", kOtherAxes), 0, sample);
    const std::int64_t now_ns = show_in_motion(retarget_, shown("flat"), kFrameNs);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::documented);
    EXPECT_LT(degrees_off(retarget_, shown("fist"), "fist", now_ns), 0.1);
}

TEST_F(AxisVoting, AStillHandDecidesNothing) {
    std::int64_t now_ns = 0;
    HandSample sample{};
    const auto still = shown("flat", kOtherAxes);
    for (; now_ns < 60 * kSecond; now_ns += kFrameNs) {
        retarget_.retarget(still, now_ns, sample);
    }
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::undecided);
    // Nor does the pause count as motion once it ends.
    show_in_motion(retarget_, still, now_ns + 60 * kSecond, kSecond * 8 / 10);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::undecided);
}

TEST_F(AxisVoting, AStreamThatContradictsWhatWasDecidedIsBelievedAfterASecondAndOnce) {
    std::int64_t now_ns = show_in_motion(retarget_, shown("flat"), 0, 5 * kSecond);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::documented);
    HandSample sample{};
    int changes = 0;
    const auto flat = shown("flat", kOtherAxes), fist = shown("fist", kOtherAxes);
    for (int i = 0; i < 300; ++i, now_ns += kFrameNs) {
        retarget_.retarget(i % 2 == 0 ? flat : fist, now_ns, sample);
        changes += retarget_.axes_changed() ? 1 : 0;
        EXPECT_TRUE(changes == 0 || i * kFrameNs >= kSecond - 2 * kFrameNs) << i;
    }
    EXPECT_EQ(changes, 1);
    EXPECT_LT(degrees_off(retarget_, shown("fist", kOtherAxes), "fist", now_ns), 0.1);
}

TEST_F(AxisVoting, MessagesOfAnotherMindNowAndThenChangeNothing) {
    std::int64_t now_ns = show_in_motion(retarget_, shown("flat"), 0, 5 * kSecond);
    HandSample sample{};
    const std::array of_one_mind{shown("flat"), shown("fist")};
    const std::array of_another{shown("flat", kOtherAxes), shown("fist", kOtherAxes)};
    for (std::size_t i = 0; i < 3000; ++i, now_ns += kFrameNs) {
        retarget_.retarget((i % 5 < 2 ? of_another : of_one_mind)[i % 2], now_ns, sample);
        EXPECT_FALSE(retarget_.axes_changed()) << i;
    }
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::documented);
}

TEST_F(AxisVoting, WhatShowsNoHandHasNoVote) {
    SenderHand nothing{};
    for (SenderJoint& joint : nothing) {
        joint.rotation = kIdentityMatrix;
    }
    std::int64_t now_ns = show_in_motion(retarget_, wrist_message({.hand = Hand::left}, nothing), 0, 2 * kSecond);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::undecided);
    now_ns = show_in_motion(retarget_, shown("flat", kOtherAxes), now_ns);
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::permuted);
}

TEST_F(AxisVoting, AnotherSenderIsTakenAsDocumentedAgain) {
    const std::int64_t now_ns = show_in_motion(retarget_, shown("flat", kOtherAxes));
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::permuted);
    retarget_.reset();
    EXPECT_EQ(retarget_.axes().verdict(), AxisVerdict::undecided);
    EXPECT_LT(degrees_off(retarget_, shown("fist"), "fist", now_ns), 0.1);
}

}  // namespace
}  // namespace glove
