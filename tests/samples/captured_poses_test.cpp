// SPDX-License-Identifier: Apache-2.0
// Which measured hands pass for the pose that was asked for. The hands are others' reference poses.
// Not covered: hands that are no adult's.
#include "glovectl/captured_poses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "fnim_encoding.hpp"
#include "hand/pose_math.hpp"

namespace glove::ctl {
namespace {

using namespace test;

const XrPosef kWristInTransmitter{{0, 0, 0, 1}, {0, -0.015f, 0.045f}};

Recording coils_of(Hand hand, const char* pose) {
    const SenderCoils coils = tips_as_coils(reference_pose(hand, pose).joint_in_wrist, kWristInTransmitter);
    return {std::vector<fnim::Message>(5, fnim_message({.hand = hand}, coils)), {}};
}

TEST(CapturedPoses, AFlatHandReachesAsFarAsItCan) {
    for (const Hand hand : kBothHands) {
        for (const float size_mm : {80.0f, 92.0f, 105.0f}) {
            const HandCalibration expected = template_calibration(size_mm);
            EXPECT_EQ(why_no_flat_hand(expected, coils_of(hand, "flat")), "") << name_of(hand) << size_mm;
            EXPECT_NE(why_no_flat_hand(expected, coils_of(hand, "fist")), "") << name_of(hand) << size_mm;
        }
        EXPECT_EQ(why_no_flat_hand(template_calibration(92), coils_of(hand, "point")),
                  "the middle finger is not straight");
    }
}

TEST(CapturedPoses, AFistIsTheFistAlone) {
    for (const Hand hand : kBothHands) {
        const Recording flat = coils_of(hand, "flat");
        EXPECT_EQ(why_no_fist(flat, coils_of(hand, "fist")), "");
        for (const char* const other : {"flat", "relax", "point", "pinch", "vulcan"}) {
            EXPECT_NE(why_no_fist(flat, coils_of(hand, other)), "") << name_of(hand) << ' ' << other;
        }
        EXPECT_EQ(why_no_fist(flat, coils_of(hand, "point")), "the index finger is not closed");
    }
}

TEST(CapturedPoses, APinchIsNoOpenHandAndNoFist) {
    for (const Hand hand : kBothHands) {
        const Recording fist = coils_of(hand, "fist");
        EXPECT_EQ(why_no_pinch(fist, coils_of(hand, "pinch")), "");
        EXPECT_EQ(why_no_pinch(fist, coils_of(hand, "flat")), "thumb and index do not touch");
        EXPECT_EQ(why_no_pinch(fist, coils_of(hand, "relax")), "thumb and index do not touch");
        EXPECT_NE(why_no_pinch(fist, fist), "");
    }
}

TEST(CapturedPoses, APinchNeedsBothCoils) {
    Recording pinch = coils_of(Hand::left, "pinch");
    for (fnim::Message& message : pinch.coils) {
        message.coils[1].valid = false;
    }
    EXPECT_NE(why_no_pinch(coils_of(Hand::left, "fist"), pinch), "");
}

TEST(CapturedPoses, SayWhichCoilsWereNeverSeen) {
    Recording flat = coils_of(Hand::right, "flat");
    EXPECT_EQ(unseen_coils(flat.coils), "");
    for (std::size_t i = 0; i < flat.coils.size(); ++i) {
        flat.coils[i].coils[0].valid = false;
        flat.coils[i].coils[4].valid = false;
        flat.coils[i].coils[2].valid = i == 3;
    }
    EXPECT_EQ(unseen_coils(flat.coils), "thumb, little");
}

RestPose rest_with(std::size_t finger, float degrees) {
    RestPose rest;
    for (auto& bones : rest) {
        bones.fill(kNoRotation);
    }
    rest[finger][hand_engine::kIntermediate] =
        rotation_about({1, 0, 0}, degrees * static_cast<float>(kRadiansPerDegree));
    return rest;
}

TEST(CapturedPoses, AFlatHandHasNoBentFingerInItsRotations) {
    EXPECT_EQ(why_no_flat_hand(rest_with(2, 20)), "");
    EXPECT_EQ(why_no_flat_hand(rest_with(2, 80)), "the middle finger is not straight");
    EXPECT_EQ(why_no_flat_hand(rest_with(2, -80)), "the middle finger is not straight");
}

TEST(CapturedPoses, TheMeanOfRotationsLiesBetweenThem) {
    RestPose opposite = rest_with(1, 14);
    for (auto& bones : opposite) {
        for (XrQuaternionf& q : bones) {
            q = {-q.x, -q.y, -q.z, -q.w};  // the same rotation
        }
    }
    const MeanRest mean = mean_of({rest_with(1, 10), opposite});
    const XrQuaternionf& index = mean.rest[1][hand_engine::kIntermediate];
    EXPECT_NEAR(2 * std::atan2(index.x, index.w) / kRadiansPerDegree, 12, 1e-3);
    // Both 2 degrees off it in one bone of twenty.
    EXPECT_NEAR(mean.spread_rad / kRadiansPerDegree, 2 / std::sqrt(20.0), 1e-3);
}

TEST(CapturedPoses, AMessageWithoutRotationsAddsNothing) {
    hand_engine::HandMessage sliders{};
    sliders.from.fill(hand_engine::HandMessage::From::sliders);
    Recording recording;
    EXPECT_TRUE(add_to(recording, {0, sliders}).empty());
    EXPECT_EQ(recording.size(), 0u);
}

}  // namespace
}  // namespace glove::ctl
