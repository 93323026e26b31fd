// SPDX-License-Identifier: Apache-2.0
// Wrist frame to base space, against 3x3 matrices in double and against differences of two instants.
// Not covered: where the root comes from (test_openxr).
#include "motion/placement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fsnh_encoding.hpp"
#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"
#include "reference_poses.hpp"

namespace glove {
namespace {

using test::Matrix;
using test::matrix_of;
using test::Row;
using test::operator*;
using glove::operator*;

using Locations = std::array<XrHandJointLocationEXT, kJointCount>;
using Velocities = std::array<XrHandJointVelocityEXT, kJointCount>;

constexpr XrSpaceLocationFlags kValid = 0x3;
constexpr XrSpaceLocationFlags kOrientationTracked = 0x4;
constexpr XrSpaceLocationFlags kPositionTracked = 0x8;

HandMotion still(const char* pose, Hand hand = Hand::left) {
    HandMotion motion{};
    motion.sample.hand = hand;
    motion.sample.tracked = kAllJointsTracked;
    motion.sample.scale = 1;
    motion.sample.joint_in_wrist = test::reference_pose(hand, pose).joint_in_wrist;
    motion.sample.wrist_in_forearm = kIdentityPose;
    return motion;
}

RootMotion root_at(const XrPosef& pose) {
    return {pose, true, {}, true, true, true};
}

XrQuaternionf any_rotation(std::mt19937& random) {
    std::normal_distribution<float> normal;
    return normalised({normal(random), normal(random), normal(random), normal(random)});
}

XrVector3f any_vector(std::mt19937& random, float size) {
    std::uniform_real_distribution<float> uniform(-size, size);
    return {uniform(random), uniform(random), uniform(random)};
}

Row row(const XrVector3f& v) {
    return {v.x, v.y, v.z};
}

TEST(Placement, PutsEveryJointWhereTheMatricesPutIt) {
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        const HandMotion motion = still(i % 2 == 0 ? "fist" : "point");
        const XrPosef wrist{any_rotation(random), any_vector(random, 3)};
        Locations joints;
        place_joints(motion, root_at(wrist), true, joints.data(), nullptr);

        const Matrix base = matrix_of(wrist.orientation);
        for (std::size_t joint = 1; joint < kJointCount; ++joint) {
            const XrPosef& in_wrist = motion.sample.joint_in_wrist[joint];
            const Row turned = base * row(in_wrist.position);
            const XrVector3f& p = joints[joint].pose.position;
            EXPECT_NEAR(p.x, turned[0] + wrist.position.x, 1e-6);
            EXPECT_NEAR(p.y, turned[1] + wrist.position.y, 1e-6);
            EXPECT_NEAR(p.z, turned[2] + wrist.position.z, 1e-6);
            const Matrix expected = base * matrix_of(in_wrist.orientation);
            const Matrix actual = matrix_of(joints[joint].pose.orientation);
            for (std::size_t r = 0; r < 3; ++r) {
                for (std::size_t c = 0; c < 3; ++c) {
                    EXPECT_NEAR(actual[r][c], expected[r][c], 2e-6) << joint;
                }
            }
            EXPECT_FLOAT_EQ(joints[joint].radius, kRadiusM[joint]);
        }
    }
}

TEST(Placement, GivesUnitQuaternionsToWithinAMillionth) {
    std::mt19937 random(12);
    for (int i = 0; i < 1000; ++i) {
        Locations joints;
        place_joints(still("relaxed", Hand::right), root_at({any_rotation(random), any_vector(random, 100)}), true,
                     joints.data(), nullptr);
        for (const XrHandJointLocationEXT& joint : joints) {
            const XrQuaternionf& q = joint.pose.orientation;
            const double norm =
                std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
            EXPECT_NEAR(norm, 1.0, 1e-6);
        }
    }
}

TEST(Placement, PutsThePalmInTheMiddleToOnePercentOfEachCoordinateAnywhere) {
    std::mt19937 random(13);
    for (int i = 0; i < 1000; ++i) {
        Locations joints;
        place_joints(still("flat"), root_at({any_rotation(random), any_vector(random, i < 500 ? 0.05f : 5.0f)}), true,
                     joints.data(), nullptr);
        const XrVector3f& a = joints[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].pose.position;
        const XrVector3f& b = joints[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].pose.position;
        const XrVector3f& palm = joints[XR_HAND_JOINT_PALM_EXT].pose.position;
        EXPECT_NEAR(palm.x, (double{a.x} + b.x) / 2, 0.01 * std::abs((double{a.x} + b.x) / 2));
        EXPECT_NEAR(palm.y, (double{a.y} + b.y) / 2, 0.01 * std::abs((double{a.y} + b.y) / 2));
        EXPECT_NEAR(palm.z, (double{a.z} + b.z) / 2, 0.01 * std::abs((double{a.z} + b.z) / 2));
    }
}

TEST(Placement, ComposesForearmAndWrist) {
    std::mt19937 random(14);
    HandMotion motion = still("fist");
    motion.sample.through_forearm = true;
    motion.sample.forearm_live = true;
    for (int i = 0; i < 100; ++i) {
        motion.sample.wrist_in_forearm = {any_rotation(random), any_vector(random, 0.3f)};
        const XrPosef forearm{any_rotation(random), any_vector(random, 2)};
        Locations joints;
        place_joints(motion, root_at(forearm), true, joints.data(), nullptr);

        const Row wrist = matrix_of(forearm.orientation) * row(motion.sample.wrist_in_forearm.position);
        const XrPosef& actual = joints[XR_HAND_JOINT_WRIST_EXT].pose;
        EXPECT_NEAR(actual.position.x, wrist[0] + forearm.position.x, 1e-6);
        EXPECT_NEAR(actual.position.y, wrist[1] + forearm.position.y, 1e-6);
        EXPECT_NEAR(actual.position.z, wrist[2] + forearm.position.z, 1e-6);
    }
}

TEST(Placement, SetsTrackedOnlyWhereEverythingIsTracked) {
    HandMotion motion = still("fist");
    motion.sample.tracked = kAllJointsTracked & ~(1u << XR_HAND_JOINT_RING_TIP_EXT);
    RootMotion root = root_at(kIdentityPose);
    Locations joints;

    place_joints(motion, root, true, joints.data(), nullptr);
    EXPECT_EQ(joints[XR_HAND_JOINT_INDEX_TIP_EXT].locationFlags, kValid | kOrientationTracked | kPositionTracked);
    EXPECT_EQ(joints[XR_HAND_JOINT_RING_TIP_EXT].locationFlags, kValid);

    place_joints(motion, root, false, joints.data(), nullptr);
    EXPECT_EQ(joints[XR_HAND_JOINT_INDEX_TIP_EXT].locationFlags, kValid);

    root.position_tracked = false;
    place_joints(motion, root, true, joints.data(), nullptr);
    EXPECT_EQ(joints[XR_HAND_JOINT_INDEX_TIP_EXT].locationFlags, kValid | kOrientationTracked);
}

TEST(Placement, ClearsPositionTrackedWhileTheForearmIsHeld) {
    HandMotion motion = still("fist");
    motion.sample.through_forearm = true;
    motion.sample.forearm_live = false;
    Locations joints;
    place_joints(motion, root_at(kIdentityPose), true, joints.data(), nullptr);
    for (const XrHandJointLocationEXT& joint : joints) {
        EXPECT_EQ(joint.locationFlags, kValid | kOrientationTracked);
    }
}

// A forearm, a wrist and a joint that all turn and move: the velocity must be what two close instants show.
TEST(Placement, GivesTheVelocitiesThatTwoInstantsShow) {
    std::mt19937 random(15);
    constexpr float kStep = 1e-3f;
    const auto moved = [](const XrPosef& pose, const Velocity& v) {
        return XrPosef{multiply(from_rotation_vector(kStep * v.angular), pose.orientation),
                       pose.position + kStep * v.linear};
    };
    for (const bool through_forearm : {false, true}) {
        for (int i = 0; i < 50; ++i) {
            HandMotion now = still("fist");
            now.sample.through_forearm = through_forearm;
            now.sample.forearm_live = true;
            if (through_forearm) {
                now.sample.wrist_in_forearm = {any_rotation(random), any_vector(random, 0.3f)};
                now.wrist_in_forearm = {any_vector(random, 0.5f), any_vector(random, 2)};
            }
            RootMotion root = root_at({any_rotation(random), any_vector(random, 1)});
            root.velocity = {any_vector(random, 1), any_vector(random, 3)};
            HandMotion later = now;
            for (std::size_t joint = 2; joint < kJointCount; ++joint) {
                now.velocity_in_wrist[joint] = {any_vector(random, 1), any_vector(random, 5)};
                later.sample.joint_in_wrist[joint] =
                    moved(now.sample.joint_in_wrist[joint], now.velocity_in_wrist[joint]);
            }
            later.sample.wrist_in_forearm = moved(now.sample.wrist_in_forearm, now.wrist_in_forearm);
            RootMotion root_later = root;
            root_later.in_base = moved(root.in_base, root.velocity);

            Locations joints;
            Locations joints_later;
            Velocities velocities;
            place_joints(now, root, true, joints.data(), velocities.data());
            place_joints(later, root_later, true, joints_later.data(), nullptr);
            for (std::size_t joint = 1; joint < kJointCount; ++joint) {
                const XrVector3f linear =
                    (1 / kStep) * (joints_later[joint].pose.position - joints[joint].pose.position);
                const XrVector3f angular =
                    (1 / kStep) * rotation_vector(normalised(multiply(joints_later[joint].pose.orientation,
                                                                      conjugate(joints[joint].pose.orientation))));
                EXPECT_LT(length(linear - velocities[joint].linearVelocity), 0.02f) << joint;
                EXPECT_LT(length(angular - velocities[joint].angularVelocity), 0.05f) << joint;
                EXPECT_EQ(velocities[joint].velocityFlags, 0x3u);
            }
        }
    }
}

TEST(Placement, WritesVelocitiesWithoutValidBitsWhenTheRootsIsNotKnown) {
    RootMotion root = root_at(kIdentityPose);
    root.velocity_known = false;
    Locations joints;
    Velocities velocities;
    for (XrHandJointVelocityEXT& velocity : velocities) {
        velocity = {0xFF, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    place_joints(still("fist"), root, true, joints.data(), velocities.data());
    for (const XrHandJointVelocityEXT& velocity : velocities) {
        EXPECT_EQ(velocity.velocityFlags, 0u);
        EXPECT_EQ(velocity.linearVelocity.x, 0.0f);
        EXPECT_EQ(velocity.angularVelocity.z, 0.0f);
    }
}

// A glove's own sensor, turned at a known rate about an axis of the wrist, against the turn that two instants show.
TEST(Placement, TakesTheGlovesOwnTurnRateWhereTheRootsVelocityIsNotKnown) {
    std::mt19937 random(16);
    constexpr double step = 1e-3;
    for (int i = 0; i < 50; ++i) {
        HandMotion motion = still("fist");
        motion.sample.turn_rate_known = true;
        motion.sample.turn_rate = any_vector(random, 5);
        RootMotion root = root_at({any_rotation(random), any_vector(random, 1)});
        root.velocity = {};
        root.velocity_known = false;
        Locations joints;
        Velocities velocities;
        place_joints(motion, root, true, joints.data(), velocities.data());

        // The wrist a moment later, turned about its own axes: on the right of its orientation.
        const XrVector3f& rate = motion.sample.turn_rate;
        const XrVector3f turn{static_cast<float>(step * rate.x), static_cast<float>(step * rate.y),
                              static_cast<float>(step * rate.z)};
        const Matrix before = matrix_of(root.in_base.orientation);
        const Matrix after = before * matrix_of(from_rotation_vector(turn));
        const Matrix change = after * test::transposed(before);
        for (const XrHandJointVelocityEXT& velocity : velocities) {
            EXPECT_EQ(velocity.velocityFlags, XrSpaceVelocityFlags{XR_SPACE_VELOCITY_ANGULAR_VALID_BIT});
            EXPECT_NEAR(velocity.angularVelocity.x, (change[2][1] - change[1][2]) / 2 / step, 0.02);
            EXPECT_NEAR(velocity.angularVelocity.y, (change[0][2] - change[2][0]) / 2 / step, 0.02);
            EXPECT_NEAR(velocity.angularVelocity.z, (change[1][0] - change[0][1]) / 2 / step, 0.02);
        }
    }
}

TEST(Placement, BelievesTheRootsVelocityMoreThanTheGloves) {
    HandMotion motion = still("fist");
    motion.sample.turn_rate_known = true;
    motion.sample.turn_rate = {9, 9, 9};
    RootMotion root = root_at(kIdentityPose);
    root.velocity.angular = {1, 2, 3};
    Locations joints;
    Velocities velocities;
    place_joints(motion, root, true, joints.data(), velocities.data());
    EXPECT_EQ(velocities[XR_HAND_JOINT_WRIST_EXT].velocityFlags, 0x3u);
    EXPECT_FLOAT_EQ(velocities[XR_HAND_JOINT_WRIST_EXT].angularVelocity.y, 2);
}

TEST(Placement, ClearsAllOfAnInactiveHand) {
    Locations joints;
    Velocities velocities;
    std::memset(joints.data(), 0xA5, sizeof joints);
    std::memset(velocities.data(), 0xA5, sizeof velocities);
    clear_joints(joints.data(), velocities.data());
    for (std::size_t i = 0; i < kJointCount; ++i) {
        EXPECT_EQ(joints[i].locationFlags, 0u);
        EXPECT_EQ(joints[i].pose.orientation.w, 1.0f);
        EXPECT_EQ(joints[i].pose.position.x, 0.0f);
        EXPECT_EQ(joints[i].radius, 0.0f);
        EXPECT_EQ(velocities[i].velocityFlags, 0u);
        EXPECT_EQ(velocities[i].linearVelocity.y, 0.0f);
    }
}

}  // namespace
}  // namespace glove
