// SPDX-License-Identifier: Apache-2.0
// The simulated hands against anatomy, against OpenXR's conventions and against measured hands.
// Not covered: whether fingers pass through each other on the way from one pose to the next.
#include "senders/hand_poses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "fsnh_encoding.hpp"
#include "reference_poses.hpp"

namespace glove::test {
namespace {

constexpr std::array<XrHandJointEXT, 5> kTips{XR_HAND_JOINT_THUMB_TIP_EXT, XR_HAND_JOINT_INDEX_TIP_EXT,
                                              XR_HAND_JOINT_MIDDLE_TIP_EXT, XR_HAND_JOINT_RING_TIP_EXT,
                                              XR_HAND_JOINT_LITTLE_TIP_EXT};
constexpr std::array<XrHandJointEXT, 4> kFingerTips{kTips[1], kTips[2], kTips[3], kTips[4]};
constexpr double kTickSeconds = 1.0 / 120;
constexpr int kRoundSeconds = 12;  // of the tour

double distance_mm(const XrPosef& a, const XrPosef& b) {
    return 1000 * std::hypot(double{a.position.x} - b.position.x, double{a.position.y} - b.position.y,
                             double{a.position.z} - b.position.z);
}

double angle_deg(const XrQuaternionf& a, const XrQuaternionf& b) {
    const double cosine = double{a.x} * b.x + double{a.y} * b.y + double{a.z} * b.z + double{a.w} * b.w;
    return 2 * 180 / std::numbers::pi * std::acos(std::min(1.0, std::abs(cosine)));
}

// Of joint `to` as joint `from` sees it: radians times axis, for less than half a turn.
Row turn(const HandJoints& joints, int from, int to) {
    const Matrix a = matrix_of(joints[static_cast<std::size_t>(from)].orientation);
    const Matrix b = matrix_of(joints[static_cast<std::size_t>(to)].orientation);
    const Matrix r = transposed(a) * b;
    const double angle = std::acos(std::clamp((r[0][0] + r[1][1] + r[2][2] - 1) / 2, -1.0, 1.0));
    const double k = angle < 1e-6 ? 0.5 : angle / (2 * std::sin(angle));
    return {k * (r[2][1] - r[1][2]), k * (r[0][2] - r[2][0]), k * (r[1][0] - r[0][1])};
}

// Parent-side joint of every bone that has one.
std::vector<int> bone_starts() {
    std::vector<int> out;
    for (int joint = XR_HAND_JOINT_THUMB_METACARPAL_EXT; joint < XR_HAND_JOINT_LITTLE_TIP_EXT; ++joint) {
        if (std::find(kTips.begin(), kTips.end(), joint) == kTips.end()) {
            out.push_back(joint);
        }
    }
    return out;
}

template <class Check>
void for_every_instant(Check check) {
    for (const Hand hand : kBothHands) {
        for (const Pose pose : kPoses) {
            for (int step = 0; step < kRoundSeconds * 20; ++step) {
                const double seconds = step / 20.0;
                SCOPED_TRACE(std::string(name_of(hand)) + " " + name_of(pose) + " at " + std::to_string(seconds));
                check(hand, pose, seconds, hand_joints(hand, pose, seconds));
                if (testing::Test::HasFailure()) {
                    return;
                }
            }
        }
    }
}

TEST(HandPoses, HaveTheNamesThatFindThem) {
    for (const Pose pose : kPoses) {
        EXPECT_EQ(pose_named(name_of(pose)), pose);
    }
    EXPECT_FALSE(pose_named("salute"));
    EXPECT_FALSE(pose_named(""));
}

TEST(HandPoses, AreUnitQuaternionsAtFinitePositionsAroundAWristThatStays) {
    for_every_instant([](Hand, Pose, double, const HandJoints& joints) {
        for (const XrPosef& joint : joints) {
            const XrQuaternionf& q = joint.orientation;
            EXPECT_NEAR(std::hypot(std::hypot(q.x, q.y), std::hypot(q.z, q.w)), 1, 1e-6);
            EXPECT_LT(distance_mm(joint, XrPosef{}), 220);
        }
        EXPECT_EQ(distance_mm(joints[XR_HAND_JOINT_WRIST_EXT], XrPosef{}), 0);
        EXPECT_EQ(joints[XR_HAND_JOINT_WRIST_EXT].orientation.w, 1);
    });
}

TEST(HandPoses, PointEachBoneAlongMinusZ) {
    for_every_instant([](Hand, Pose, double, const HandJoints& joints) {
        for (const int start : bone_starts()) {
            const XrPosef& from = joints[static_cast<std::size_t>(start)];
            const XrPosef& to = joints[static_cast<std::size_t>(start) + 1];
            const Row z_axis = matrix_of(from.orientation) * Row{0, 0, 1};
            const double along = z_axis[0] * (from.position.x - to.position.x) +
                                 z_axis[1] * (from.position.y - to.position.y) +
                                 z_axis[2] * (from.position.z - to.position.z);
            EXPECT_NEAR(1000 * along, distance_mm(from, to), 0.001) << "joint " << start;
        }
    });
}

TEST(HandPoses, HaveAnAdultsBonesWhateverTheyDo) {
    struct Bone {
        XrHandJointEXT start;
        double least_mm, most_mm;
    };
    // Ranges over the hands of several platforms.
    const std::vector<Bone> bones{
        {XR_HAND_JOINT_THUMB_METACARPAL_EXT, 33, 48}, {XR_HAND_JOINT_THUMB_PROXIMAL_EXT, 30, 34},
        {XR_HAND_JOINT_THUMB_DISTAL_EXT, 15, 25},     {XR_HAND_JOINT_INDEX_METACARPAL_EXT, 56, 65},
        {XR_HAND_JOINT_INDEX_PROXIMAL_EXT, 35, 44},   {XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT, 22, 25},
        {XR_HAND_JOINT_INDEX_DISTAL_EXT, 12, 22},     {XR_HAND_JOINT_MIDDLE_METACARPAL_EXT, 55, 68},
        {XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT, 38, 47},  {XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT, 24, 28},
        {XR_HAND_JOINT_MIDDLE_DISTAL_EXT, 12, 25},    {XR_HAND_JOINT_RING_METACARPAL_EXT, 52, 61},
        {XR_HAND_JOINT_RING_PROXIMAL_EXT, 35, 43},    {XR_HAND_JOINT_RING_INTERMEDIATE_EXT, 21, 27},
        {XR_HAND_JOINT_RING_DISTAL_EXT, 12, 24},      {XR_HAND_JOINT_LITTLE_METACARPAL_EXT, 42, 56},
        {XR_HAND_JOINT_LITTLE_PROXIMAL_EXT, 25, 35},  {XR_HAND_JOINT_LITTLE_INTERMEDIATE_EXT, 16, 20},
        {XR_HAND_JOINT_LITTLE_DISTAL_EXT, 12, 22},
    };
    for_every_instant([&](Hand, Pose, double, const HandJoints& joints) {
        for (const Bone& bone : bones) {
            const double length = distance_mm(joints[bone.start], joints[bone.start + 1]);
            EXPECT_GE(length, bone.least_mm) << "joint " << bone.start;
            EXPECT_LE(length, bone.most_mm) << "joint " << bone.start;
        }
        EXPECT_NEAR(distance_mm(joints[XR_HAND_JOINT_WRIST_EXT], joints[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT]), 92, 1);
    });
}

TEST(HandPoses, BendEveryFingerAboutMinusXOnBothHands) {
    for (const Hand hand : kBothHands) {
        const HandJoints fist = hand_joints(hand, Pose::fist, 0);
        for (const XrHandJointEXT tip : kFingerTips) {
            for (int joint = tip - 3; joint < tip; ++joint) {
                const Row bend = turn(fist, joint - 1, joint);
                EXPECT_LT(bend[0], -0.9) << name_of(hand) << " joint " << joint;
                EXPECT_NEAR(bend[1], 0, 0.15);
                EXPECT_NEAR(bend[2], 0, 0.15);
            }
        }
        for (const int joint : {XR_HAND_JOINT_THUMB_PROXIMAL_EXT, XR_HAND_JOINT_THUMB_DISTAL_EXT}) {
            EXPECT_LT(turn(fist, joint - 1, joint)[0], -0.5) << name_of(hand) << " joint " << joint;
        }
    }
}

TEST(HandPoses, KeepTheHingesInTheirRange) {
    for_every_instant([](Hand, Pose, double, const HandJoints& joints) {
        for (const XrHandJointEXT tip : kFingerTips) {
            for (const int hinge : {tip - 2, tip - 1}) {
                const double flexion = -turn(joints, hinge - 1, hinge)[0] * 180 / std::numbers::pi;
                EXPECT_GE(flexion, -1) << "joint " << hinge;
                EXPECT_LE(flexion, 110) << "joint " << hinge;
            }
        }
    });
}

TEST(HandPoses, AreMirrorImagesOfEachOther) {
    for (const Pose pose : kPoses) {
        const HandJoints left = hand_joints(Hand::left, pose, 3.3);
        const HandJoints right = hand_joints(Hand::right, pose, 3.3);
        for (std::size_t i = 0; i < kJointCount; ++i) {
            EXPECT_EQ(right[i].position.x, -left[i].position.x);
            EXPECT_EQ(right[i].position.y, left[i].position.y);
            EXPECT_EQ(right[i].position.z, left[i].position.z);
            // A mirrored frame is left-handed; turning its x axis round makes it right-handed again.
            Matrix mirrored = matrix_of(left[i].orientation);
            for (std::size_t k = 0; k < 3; ++k) {
                mirrored[0][k] *= -1;
                mirrored[k][0] *= -1;
            }
            const Matrix turned = matrix_of(right[i].orientation);
            for (std::size_t k = 0; k < 9; ++k) {
                EXPECT_NEAR(turned[k / 3][k % 3], mirrored[k / 3][k % 3], 1e-6) << name_of(pose) << " joint " << i;
            }
        }
        EXPECT_GT(left[XR_HAND_JOINT_THUMB_METACARPAL_EXT].position.x, 0) << "a left thumb is on the right";
        EXPECT_LT(left[XR_HAND_JOINT_LITTLE_PROXIMAL_EXT].position.x, 0);
    }
}

TEST(HandPoses, PinchBringsThumbAndIndexTogetherAndNoOtherFinger) {
    for (const Hand hand : kBothHands) {
        const HandJoints joints = hand_joints(hand, Pose::pinch, 0);
        const XrPosef& thumb = joints[XR_HAND_JOINT_THUMB_TIP_EXT];
        EXPECT_LT(distance_mm(thumb, joints[XR_HAND_JOINT_INDEX_TIP_EXT]), 10);
        for (const XrHandJointEXT tip : {kTips[2], kTips[3], kTips[4]}) {
            EXPECT_GT(distance_mm(thumb, joints[tip]), 25) << "joint " << tip;
        }
    }
}

TEST(HandPoses, FistBringsFingertipsToThePalmAndOpenTakesThemAway) {
    const HandJoints fist = hand_joints(Hand::right, Pose::fist, 0);
    const HandJoints open = hand_joints(Hand::right, Pose::open, 0);
    for (const XrHandJointEXT tip : kFingerTips) {
        EXPECT_LT(distance_mm(fist[tip], fist[XR_HAND_JOINT_PALM_EXT]), 45) << "joint " << tip;
        EXPECT_LT(fist[tip].position.y, fist[XR_HAND_JOINT_PALM_EXT].position.y) << "not on the palm's side";
        EXPECT_GT(distance_mm(open[tip], open[XR_HAND_JOINT_PALM_EXT]), 85) << "joint " << tip;
    }
}

TEST(HandPoses, PointStretchesTheIndexAlone) {
    const HandJoints joints = hand_joints(Hand::left, Pose::point, 0);
    const XrPosef& wrist = joints[XR_HAND_JOINT_WRIST_EXT];
    EXPECT_GT(distance_mm(joints[XR_HAND_JOINT_INDEX_TIP_EXT], wrist), 160);
    for (const XrHandJointEXT tip : {kTips[2], kTips[3], kTips[4]}) {
        EXPECT_LT(distance_mm(joints[tip], wrist), 100) << "joint " << tip;
    }
}

// By the fingers: people differ in where they leave the thumb, and in how they relax.
TEST(HandPoses, AreNearestToTheMeasuredHandOfTheirName) {
    const std::vector<std::pair<Pose, std::string>> partners{
        {Pose::open, "flat"}, {Pose::fist, "fist"}, {Pose::point, "point"}, {Pose::pinch, "pinch"}};
    for (const Hand hand : kBothHands) {
        for (const auto& [pose, partner] : partners) {
            const HandJoints ours = hand_joints(hand, pose, 0);
            std::string nearest;
            double least_mm = 20;
            double its_deg = 0;
            for (const auto& [ignored, name] : partners) {
                const JointPoses measured = reference_pose(hand, name).joint_in_wrist;
                double mean_mm = 0;
                double mean_deg = 0;
                for (std::size_t joint = XR_HAND_JOINT_INDEX_METACARPAL_EXT; joint < kJointCount; ++joint) {
                    mean_mm += distance_mm(ours[joint], measured[joint]) / 20;
                    mean_deg += angle_deg(ours[joint].orientation, measured[joint].orientation) / 20;
                }
                if (mean_mm < least_mm) {
                    nearest = name;
                    least_mm = mean_mm;
                    its_deg = mean_deg;
                }
            }
            EXPECT_EQ(nearest, partner) << name_of(hand) << " " << name_of(pose);
            EXPECT_LT(its_deg, 30) << name_of(hand) << " " << name_of(pose);
        }
    }
}

TEST(HandPoses, NeverJump) {
    for (const Pose pose : kPoses) {
        HandJoints before = hand_joints(Hand::left, pose, 0);
        XrPosef wrist_before = moving_wrist_in_forearm(Hand::left, 0);
        for (int tick = 1; tick < 120 * 25; ++tick) {
            const double seconds = tick * kTickSeconds;
            const HandJoints now = hand_joints(Hand::left, pose, seconds);
            const XrPosef wrist = moving_wrist_in_forearm(Hand::left, seconds);
            for (std::size_t i = 0; i < kJointCount; ++i) {
                ASSERT_LT(distance_mm(now[i], before[i]), 4) << name_of(pose) << " joint " << i << " at " << seconds;
                ASSERT_LT(angle_deg(now[i].orientation, before[i].orientation), 4)
                    << name_of(pose) << " at " << seconds;
            }
            ASSERT_LT(angle_deg(wrist.orientation, wrist_before.orientation), 1);
            before = now;
            wrist_before = wrist;
        }
    }
}

TEST(HandPoses, MoveInWaveAndTourAndStandStillInTheOthers) {
    for (const Pose pose : kPoses) {
        const bool moves = pose == Pose::wave || pose == Pose::tour;
        const double moved = distance_mm(hand_joints(Hand::left, pose, 0)[XR_HAND_JOINT_INDEX_TIP_EXT],
                                         hand_joints(Hand::left, pose, 5.2)[XR_HAND_JOINT_INDEX_TIP_EXT]);
        EXPECT_EQ(moved > 10, moves) << name_of(pose);
        EXPECT_EQ(moved == 0, !moves) << name_of(pose);
    }
}

TEST(HandPoses, TourStopsAtEveryPose) {
    for (std::size_t i = 0; i + 1 < kPoses.size(); ++i) {
        const double seconds = static_cast<double>(i) * (kTourHoldSeconds + kTourEaseSeconds) + 0.5 * kTourHoldSeconds;
        EXPECT_EQ(tour_stop(seconds), kPoses[i]);
        const HandJoints tour = hand_joints(Hand::right, Pose::tour, seconds);
        const HandJoints stop = hand_joints(Hand::right, kPoses[i], seconds);
        EXPECT_EQ(distance_mm(tour[XR_HAND_JOINT_RING_TIP_EXT], stop[XR_HAND_JOINT_RING_TIP_EXT]), 0);
    }
}

TEST(HandPoses, WaveRunsFromTheIndexToTheLittleFinger) {
    // When each finger is bent most, within one period.
    std::array<double, 4> deepest{};
    for (std::size_t finger = 0; finger < 4; ++finger) {
        float lowest = 0;
        for (int step = 0; step < 150; ++step) {
            const double seconds = step / 100.0;
            const float y = hand_joints(Hand::left, Pose::wave, seconds)[kFingerTips[finger]].position.y;
            if (y < lowest) {
                lowest = y;
                deepest[finger] = seconds;
            }
        }
    }
    for (std::size_t finger = 1; finger < 4; ++finger) {
        const double later = std::fmod(deepest[finger] - deepest[finger - 1] + 1.5, 1.5);
        EXPECT_GT(later, 0.1) << finger;
        EXPECT_LT(later, 0.4) << finger;
    }
}

TEST(MovingWrist, StaysBehindTheHandAndWithinWhatAWristCanBend) {
    double most_deg = 0;
    for (int step = 0; step < 60 * 20; ++step) {
        const double seconds = step / 20.0;
        for (const Hand hand : kBothHands) {
            const XrPosef wrist = moving_wrist_in_forearm(hand, seconds);
            EXPECT_LT(wrist.position.z, -0.15f) << "the hand is ahead of the forearm, along -Z";
            EXPECT_GT(wrist.position.z, -0.30f);
            most_deg = std::max(most_deg, angle_deg(wrist.orientation, {0, 0, 0, 1}));
        }
    }
    EXPECT_GT(most_deg, 10);
    EXPECT_LT(most_deg, 35);
}

}  // namespace
}  // namespace glove::test
