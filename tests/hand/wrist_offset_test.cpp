// SPDX-License-Identifier: Apache-2.0
// The nominal wrist in OpenXR's pose identifiers, held against what the specification says of each axis. Not covered:
// how real controllers differ from it.
#include "hand/wrist_offset.hpp"

#include <gtest/gtest.h>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr float kSizeMm = 92;

class NominalWrist : public ::testing::TestWithParam<Hand> {
protected:
    // A direction of the hand (X right, Y out of the back, Z from the fingers to the wrist) in the pose's axes.
    [[nodiscard]] XrVector3f in_pose(PoseKind kind, const XrVector3f& of_hand) const {
        return rotate(nominal_wrist_in(kind, GetParam(), kSizeMm).orientation, of_hand);
    }
    [[nodiscard]] XrVector3f to_thumb() const { return {GetParam() == Hand::left ? 1.0f : -1.0f, 0, 0}; }
};

void expect_direction(const XrVector3f& a, const XrVector3f& b) {
    EXPECT_GT(dot(a, b), 0.999f) << a.x << ' ' << a.y << ' ' << a.z;
}

TEST_P(NominalWrist, GripsXIsThePalmsNormalOutOfTheLeftAndIntoTheRight) {
    const XrVector3f out_of_palm = in_pose(PoseKind::grip, {0, -1, 0});
    expect_direction(out_of_palm, {GetParam() == Hand::left ? 1.0f : -1.0f, 0, 0});
}

TEST_P(NominalWrist, GripsMinusZRunsThroughTheFistFromTheLittleFingerToTheThumb) {
    expect_direction(in_pose(PoseKind::grip, to_thumb()), {0, 0, -1});
}

TEST_P(NominalWrist, PalmsXIsThePalmsNormalAndItsMinusZGoesWithTheFingers) {
    expect_direction(in_pose(PoseKind::palm, {0, -1, 0}), {GetParam() == Hand::left ? 1.0f : -1.0f, 0, 0});
    expect_direction(in_pose(PoseKind::palm, {0, 0, -1}), {0, 0, -1});
}

TEST_P(NominalWrist, AimGoesWithTheFingers) {
    expect_direction(in_pose(PoseKind::aim, {0, 0, -1}), {0, 0, -1});
}

TEST_P(NominalWrist, LiesBehindWhatTheHandHolds) {
    for (const PoseKind kind : {PoseKind::palm, PoseKind::grip, PoseKind::aim}) {
        const XrPosef wrist = nominal_wrist_in(kind, GetParam(), kSizeMm);
        const XrVector3f seen_from_wrist = inverse(wrist).position;
        EXPECT_LT(seen_from_wrist.z, -0.04f) << name_of(kind);  // to the fingers
        EXPECT_GT(seen_from_wrist.z, -0.15f) << name_of(kind);
        EXPECT_LE(seen_from_wrist.y, -0.01f) << name_of(kind);  // below the palm
        EXPECT_GT(seen_from_wrist.y, -0.06f) << name_of(kind);
    }
}

TEST_P(NominalWrist, GrowsWithTheHand) {
    const float small = length(nominal_wrist_in(PoseKind::palm, GetParam(), 80).position);
    const float large = length(nominal_wrist_in(PoseKind::palm, GetParam(), 100).position);
    EXPECT_NEAR(large / small, 1.25f, 0.001f);
}

INSTANTIATE_TEST_SUITE_P(Hands, NominalWrist, ::testing::ValuesIn(kBothHands),
                         [](const auto& hand) { return std::string(name_of(hand.param)); });

TEST(NominalWrists, OfTheTwoHandsMirrorEachOther) {
    for (const PoseKind kind : {PoseKind::palm, PoseKind::grip, PoseKind::aim}) {
        const XrPosef left = nominal_wrist_in(kind, Hand::left, kSizeMm);
        const XrPosef right = nominal_wrist_in(kind, Hand::right, kSizeMm);
        EXPECT_NEAR(left.position.x, -right.position.x, 1e-6f) << name_of(kind);
        EXPECT_NEAR(left.position.y, right.position.y, 1e-6f) << name_of(kind);
        EXPECT_NEAR(left.position.z, right.position.z, 1e-6f) << name_of(kind);
        const XrQuaternionf mirror{right.orientation.x, -right.orientation.y, -right.orientation.z,
                                   right.orientation.w};
        EXPECT_LT(angle_between(left.orientation, mirror), 1e-3f) << name_of(kind);
    }
}

}  // namespace
}  // namespace glove
