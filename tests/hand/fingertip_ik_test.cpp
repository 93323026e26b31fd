// SPDX-License-Identifier: Apache-2.0
// What must hold for any fingers: the solver undoes its own model, moves as its input moves, does not know left from
// right or large from small, and stays a hand whatever the coils say.
// Not covered: how near it comes to real hands, see fingertip_accuracy_test.cpp.
#include "hand/fnim/fingertip_ik.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <random>

#include "fnim_encoding.hpp"
#include "hand/near.hpp"

namespace glove::test {
namespace {

constexpr float kSizeMm = 92;
constexpr double kDegree = std::numbers::pi / 180;
constexpr std::int64_t kFrameNs = 8'333'333;
constexpr std::int64_t kMs = 1'000'000;
const XrPosef kWristInTransmitter{{0, 0, 0, 1}, {0, -0.015f, 0.045f}};

// To the bit, which == on numbers is not.
template <class T>
bool same_bits(const T& a, const T& b) {
    using Bits = std::array<std::byte, sizeof(T)>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

bool live(const HandSample& sample, std::size_t joint) {
    return (sample.tracked & (1u << joint)) != 0;
}

JointPoses pose(Hand hand, const char* name) {
    return reference_pose(hand, name).joint_in_wrist;
}

fnim::Message message_of(Hand hand, const JointPoses& joints) {
    return fnim_message({.hand = hand}, tips_as_coils(joints, kWristInTransmitter));
}

void expect_hand(const FingertipIk& ik, const HandSample& sample) {
    for (const XrPosef& joint : sample.joint_in_wrist) {
        const XrQuaternionf& q = joint.orientation;
        ASSERT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-4);
        ASSERT_LT(std::sqrt(dot_product(row_of(joint.position), row_of(joint.position))), 0.3);
    }
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        const AngleRange& range = angle_range(finger == kThumb);
        for (std::size_t i = 0; i < kFingerAngleCount; ++i) {
            ASSERT_GE(ik.angles(finger)[i], range.low[i]);
            ASSERT_LE(ik.angles(finger)[i], range.high[i]);
        }
    }
}

// Bent so far from straight that every angle shows at the tip, and within the range; the coupling between the end
// joints as nature has it, give or take 5 deg, since the solver believes in it.
FingerAngles any_angles(bool thumb, std::mt19937& random) {
    const auto between = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random) * kDegree;
    };
    if (thumb) {
        return {between(-30, 30), between(-20, 40), between(-8, 8), between(20, 55), between(20, 65)};
    }
    const double middle = between(35, 95);
    return {between(-15, 15), between(-10, 80), 0, middle, 0.65 * middle + between(-13, 3)};
}

TEST(FingerChain, TheSolverUndoesTheModel) {
    std::mt19937 random(7);
    const HandCalibration hand = template_calibration(kSizeMm);
    std::array<FingerAngles, kFingerCount> worst{};
    for (int i = 0; i < 2000; ++i) {
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            const FingerModel& model = hand.fingers[finger];
            const FingerAngles truth = any_angles(model.thumb, random);
            double best_cost = std::numeric_limits<double>::infinity();
            FingerAngles found{};
            for (const double curl : {0.0, 0.5, 1.0}) {
                const FingerFit fit =
                    fit_finger(model, coil_at(model, truth), angles_of_curl(model.thumb, curl), kNothingExpected, 30);
                if (fit.cost < best_cost) {
                    best_cost = fit.cost;
                    found = fit.angles;
                }
            }
            for (std::size_t angle = 0; angle < kFingerAngleCount; ++angle) {
                worst[finger][angle] = std::max(worst[finger][angle], std::abs(found[angle] - truth[angle]) / kDegree);
            }
        }
    }
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        std::printf("finger %zu: worst angles off by", finger);
        for (const double off : worst[finger]) {
            std::printf(" %.2f", off);
            EXPECT_LT(off, 1.0);
        }
        std::printf(" deg\n");
    }
}

TEST(FingerChain, BonesKeepTheirLengths) {
    std::mt19937 random(8);
    const HandCalibration hand = template_calibration(kSizeMm);
    for (int i = 0; i < 1000; ++i) {
        for (const FingerModel& model : hand.fingers) {
            const FingerJoints joints = joints_at(model, any_angles(model.thumb, random));
            EXPECT_NEAR(millimetres_between(joints.root.position, joints.middle.position),
                        1000 * model.root_to_middle_m, 1e-3);
            EXPECT_NEAR(millimetres_between(joints.middle.position, joints.end.position), 1000 * model.middle_to_end_m,
                        1e-3);
            EXPECT_NEAR(millimetres_between(joints.end.position, joints.tip.position), -1000 * model.tip_in_end.z,
                        1e-3);
        }
    }
}

TEST(FingerChain, BonesPointAlongMinusZOfTheirJoint) {
    std::mt19937 random(9);
    const HandCalibration hand = template_calibration(kSizeMm);
    for (const FingerModel& model : hand.fingers) {
        const FingerJoints joints = joints_at(model, any_angles(model.thumb, random));
        for (const auto& [from, to] : {std::pair{joints.root, joints.middle}, std::pair{joints.middle, joints.end}}) {
            Row back = axis_of(from.orientation, 2);
            for (double& part : back) {
                part = -part;
            }
            EXPECT_LT(degrees_between(from_to(from.position, to.position), back), 0.1);
        }
    }
}

// Flexion is a turn about -X (OpenXR 12.31.5): the palm's side of a flat hand is -Y.
TEST(FingerChain, FlexionClosesTheHandAndAbductionSpreadsTowardTheLittleFinger) {
    const FingerModel middle = template_calibration(kSizeMm).fingers[2];
    const FingerJoints flat = joints_at(middle, {});
    const FingerJoints bent = joints_at(middle, {0, 0.5, 0, 0.5, 0.5});
    const FingerJoints aside = joints_at(middle, {0.2, 0, 0, 0, 0});
    EXPECT_LT(bent.tip.position.y, flat.tip.position.y - 0.03f);
    EXPECT_LT(aside.tip.position.x, flat.tip.position.x - 0.01f);  // a left hand's little finger is at -X
}

TEST(FingertipIk, ALargerHandDoesTheSameWithLongerBones) {
    const JointPoses joints = pose(Hand::left, "relax");
    HandSample small{};
    HandSample large{};
    FingertipIk small_ik(Hand::left, template_calibration(kSizeMm));
    constexpr float factor = 1.25f;
    HandCalibration larger = template_calibration(factor * kSizeMm);
    FingertipIk large_ik(Hand::left, larger);
    JointPoses scaled = joints;
    for (XrPosef& joint : scaled) {
        joint.position = {factor * joint.position.x, factor * joint.position.y, factor * joint.position.z};
    }
    small_ik.solve(message_of(Hand::left, joints), 0, small);
    large_ik.solve(message_of(Hand::left, scaled), 0, large);
    for (std::size_t joint = 0; joint < kJointCount; ++joint) {
        EXPECT_LT(degrees_between(small.joint_in_wrist[joint].orientation, large.joint_in_wrist[joint].orientation),
                  0.1);
        const XrVector3f& p = small.joint_in_wrist[joint].position;
        EXPECT_LT(millimetres_between({factor * p.x, factor * p.y, factor * p.z}, large.joint_in_wrist[joint].position),
                  0.05);
    }
}

TEST(FingertipIk, LeftIsTheMirrorImageOfRight) {
    FingertipIk left_ik(Hand::left, template_calibration(kSizeMm));
    FingertipIk right_ik(Hand::right, template_calibration(kSizeMm));
    for (const char* const name : {"relaxed", "pinch", "point"}) {  // those of iwer are mirrored in the data
        HandSample left{};
        HandSample right{};
        left_ik.reset();
        right_ik.reset();
        left_ik.solve(message_of(Hand::left, pose(Hand::left, name)), 0, left);
        right_ik.solve(message_of(Hand::right, pose(Hand::right, name)), 0, right);
        for (std::size_t joint = 0; joint < kJointCount; ++joint) {
            const XrPosef& a = left.joint_in_wrist[joint];
            const XrPosef& b = right.joint_in_wrist[joint];
            EXPECT_LT(millimetres_between({-a.position.x, a.position.y, a.position.z}, b.position), 0.05) << name;
            const XrQuaternionf& q = a.orientation;
            EXPECT_LT(degrees_between(XrQuaternionf{q.x, -q.y, -q.z, q.w}, b.orientation), 0.1) << name << joint;
        }
    }
}

TEST(FingertipIk, TheSameMessagesGiveTheSameBits) {
    std::mt19937 random(3);
    FingertipIk one(Hand::right, template_calibration(kSizeMm));
    FingertipIk other(Hand::right, template_calibration(kSizeMm));
    for (int i = 0; i < 100; ++i) {
        SenderCoils coils = tips_as_coils(pose(Hand::right, i % 40 < 20 ? "fist" : "flat"), kWristInTransmitter);
        add_noise(coils, 1, 2, random);
        const fnim::Message message = fnim_message({.hand = Hand::right}, coils);
        HandSample a{};
        HandSample b{};
        one.solve(message, i * kFrameNs, a);
        other.solve(message, i * kFrameNs, b);
        ASSERT_TRUE(same_bits(a.joint_in_wrist, b.joint_in_wrist));
    }
}

// A finger of the model closes and opens; every joint must follow without a jump of its own.
TEST(FingertipIk, ASteadyMotionComesOutSteady) {
    const HandCalibration hand = template_calibration(kSizeMm);
    FingertipIk ik(Hand::left, hand);
    HandSample before{};
    for (int i = 0; i <= 240; ++i) {
        const double curl = 0.5 - 0.5 * std::cos(i * 2 * std::numbers::pi / 120);
        JointPoses joints{};
        joints.fill({{0, 0, 0, 1}, {0, 0, 0}});
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            const FingerModel& model = hand.fingers[finger];
            const std::size_t tip = XR_HAND_JOINT_THUMB_TIP_EXT + 5 * finger;
            joints[tip] = joints_at(model, angles_of_curl(model.thumb, curl)).tip;
        }
        HandSample now{};
        ik.solve(message_of(Hand::left, joints), i * kFrameNs, now);
        expect_hand(ik, now);
        for (std::size_t joint = 0; i > 0 && joint < kJointCount; ++joint) {
            // The fastest joint of this motion, a finger's distal joint, turns by 5.8 deg a frame.
            ASSERT_LT(degrees_between(before.joint_in_wrist[joint].orientation, now.joint_in_wrist[joint].orientation),
                      8)
                << "joint " << joint << " frame " << i;
        }
        before = now;
    }
}

TEST(FingertipIk, ACoilOutOfReachStretchesTheFingerTowardIt) {
    FingertipIk ik(Hand::left, template_calibration(kSizeMm));
    JointPoses joints = pose(Hand::left, "flat");
    joints[XR_HAND_JOINT_MIDDLE_TIP_EXT].position.z -= 0.3f;
    HandSample sample{};
    for (int i = 0; i < 100; ++i) {
        ik.solve(message_of(Hand::left, joints), i * kFrameNs, sample);
        expect_hand(ik, sample);
    }
    EXPECT_NEAR(ik.residual().position_m[2], 0.3, 0.03);
    EXPECT_LT(std::abs(ik.angles(2)[kMiddleFlexion]), 12 * kDegree);
    EXPECT_LT(std::abs(ik.angles(2)[kRootFlexion]), 12 * kDegree);
}

TEST(FingertipIk, ACoilThatContradictsItselfIsAnsweredSteadily) {
    std::mt19937 random(4);
    FingertipIk ik(Hand::left, template_calibration(kSizeMm));
    JointPoses joints = pose(Hand::left, "flat");
    for (const std::size_t tip : {4u, 10u, 15u, 20u, 25u}) {
        joints[tip].orientation = {0, 1, 0, 0};  // half a turn: the nail looks at the palm's back from behind
    }
    HandSample before{};
    for (int i = 0; i < 500; ++i) {
        SenderCoils coils = tips_as_coils(joints, kWristInTransmitter);
        add_noise(coils, 1, 2, random);
        HandSample now{};
        ik.solve(fnim_message({.hand = Hand::left}, coils), i * kFrameNs, now);
        expect_hand(ik, now);
        for (std::size_t joint = 0; i > 20 && joint < kJointCount; ++joint) {
            ASSERT_LT(degrees_between(before.joint_in_wrist[joint].orientation, now.joint_in_wrist[joint].orientation),
                      25)
                << "joint " << joint << " frame " << i;
        }
        before = now;
    }
    EXPECT_GT(ik.residual().turn_rad[2], 1);
}

TEST(FingertipIk, RandomCoilsNeverLeaveTheHand) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> any(-2, 2);
    FingertipIk ik(Hand::right, template_calibration(kSizeMm));
    HandSample sample{};
    for (int i = 0; i < 3000; ++i) {
        fnim::Message message{};
        message.hand = Hand::right;
        for (fnim::CoilPose& coil : message.coils) {
            coil.valid = any(random) > -1;
            const float reach = i % 3 == 0 ? 1.0f : 0.1f;
            coil.position = {reach * any(random) / 2, reach * any(random) / 2, reach * any(random) / 2};
            coil.orientation_wxyz = {any(random), any(random), any(random), any(random)};
        }
        ik.solve(message, i * kFrameNs, sample);
        expect_hand(ik, sample);
    }
}

TEST(FingertipIk, CoilsThatAreNoNumbersCountAsLost) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    FingertipIk ik(Hand::left, template_calibration(kSizeMm));
    HandSample sample{};
    const fnim::Message good = message_of(Hand::left, pose(Hand::left, "relax"));
    ik.solve(good, 0, sample);
    const HandSample before = sample;
    int frame = 1;
    for (const float bad : {nan, std::numeric_limits<float>::infinity(), 1e30f, -3e38f}) {
        fnim::Message message = good;
        message.coils[0].position[1] = bad;
        message.coils[1].orientation_wxyz[2] = bad;
        message.coils[2].orientation_wxyz = {};
        ik.solve(message, frame++ * kMs, sample);
        expect_hand(ik, sample);
        for (const std::size_t joint : {4u, 10u, 15u}) {
            EXPECT_FALSE(live(sample, joint));
            EXPECT_LT(millimetres_between(before.joint_in_wrist[joint].position, sample.joint_in_wrist[joint].position),
                      1e-3);
        }
        EXPECT_TRUE(live(sample, 20));
    }
}

TEST(FingertipIk, ALostFingerIsHeldAndThenFollowsItsNeighbours) {
    FingertipIk ik(Hand::left, template_calibration(kSizeMm));
    HandSample sample{};
    ik.solve(message_of(Hand::left, pose(Hand::left, "flat")), 0, sample);
    EXPECT_EQ(sample.tracked, kAllJointsTracked);
    const FingerAngles straight = ik.angles(3);
    fnim::Message fist = message_of(Hand::left, pose(Hand::left, "fist"));
    fist.coils[3].valid = false;
    for (std::int64_t ms = 8; ms <= 100; ms += 4) {
        ik.solve(fist, ms * kMs, sample);
        ASSERT_EQ(ik.angles(3), straight) << ms;
    }
    for (std::size_t joint = 0; joint < kJointCount; ++joint) {
        EXPECT_EQ(live(sample, joint), joint < 16 || joint > 20) << joint;
    }
    HandSample before = sample;
    for (std::int64_t ms = 108; ms <= 1500; ms += 8) {
        ik.solve(fist, ms * kMs, sample);
        expect_hand(ik, sample);
        EXPECT_LT(degrees_between(before.joint_in_wrist[19].orientation, sample.joint_in_wrist[19].orientation), 25);
        before = sample;
    }
    const double neighbours = (curl_of(false, ik.angles(2)) + curl_of(false, ik.angles(4))) / 2;
    EXPECT_GT(neighbours, 0.7);
    EXPECT_NEAR(curl_of(false, ik.angles(3)), neighbours, 0.02);
    EXPECT_FALSE(live(sample, 19));
    EXPECT_EQ(ik.residual().position_m[3], 0);
}

TEST(FingertipIk, WithoutAnyCoilTheHandStaysAsItIs) {
    FingertipIk ik(Hand::right, template_calibration(kSizeMm));
    HandSample first{};
    ik.solve(message_of(Hand::right, pose(Hand::right, "fist")), 0, first);
    fnim::Message nothing{};
    nothing.hand = Hand::right;
    HandSample sample{};
    for (int i = 1; i < 200; ++i) {
        ik.solve(nothing, i * kFrameNs, sample);
    }
    EXPECT_TRUE(same_bits(first.joint_in_wrist, sample.joint_in_wrist));
    EXPECT_FALSE(live(sample, XR_HAND_JOINT_INDEX_TIP_EXT));
}

TEST(FingertipIk, AHandThatNeverHadACoilIsStillAHand) {
    FingertipIk ik(Hand::right, template_calibration(kSizeMm));
    HandSample sample{};
    ik.solve(fnim::Message{}, 0, sample);
    expect_hand(ik, sample);
}

TEST(FingertipIk, PalmAndMetacarpalsKeepTheConventions) {
    for (const Hand hand : kBothHands) {
        FingertipIk ik(hand, template_calibration(kSizeMm));
        HandSample sample{};
        ik.solve(message_of(hand, pose(hand, "relax")), 0, sample);
        const auto& joints = sample.joint_in_wrist;
        const XrVector3f& a = joints[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].position;
        const XrVector3f& b = joints[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position;
        const XrVector3f middle{(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
        EXPECT_LT(millimetres_between(joints[XR_HAND_JOINT_PALM_EXT].position, middle), 0.01);
        for (std::size_t metacarpal = 6; metacarpal < kJointCount; metacarpal += 5) {
            Row forward = axis_of(joints[metacarpal].orientation, 2);
            for (double& part : forward) {
                part = -part;
            }
            EXPECT_LT(degrees_between(from_to(joints[metacarpal].position, joints[metacarpal + 1].position), forward),
                      0.1);
            EXPECT_GT(axis_of(joints[metacarpal].orientation, 1)[1], 0.8);
        }
    }
}

TEST(FingertipIk, TheForearmCoilTellsTheWrist) {
    // Forearm coil 200 mm behind the wrist, the wrist bent down by 30 deg and turned aside by 20.
    for (const Hand hand : kBothHands) {
        const Matrix bend = turn_about_x(-30);
        const double c = std::cos(20 * kDegree);
        const double s = std::sin(20 * kDegree);
        const Matrix wrist_in_forearm = Matrix{{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}} * bend;
        const Row wrist_at{0.004, -0.012, -0.2};
        // forearm_in_transmitter = wrist_in_transmitter * forearm_in_wrist; the transmitter's axes are the wrist's.
        SenderCoils coils = tips_as_coils(pose(hand, "relax"), kWristInTransmitter);
        const Matrix forearm = transposed(wrist_in_forearm);
        const Row back = forearm * wrist_at;
        SenderCoil coil = as_coil(kWristInTransmitter);
        const Matrix m{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
        coil.rotation = transposed(m) * forearm * m;
        const Row offset = transposed(m) * Row{-1000 * back[0], -1000 * back[1], -1000 * back[2]};
        for (std::size_t i = 0; i < 3; ++i) {
            coil.position_mm[i] += offset[i];
        }
        coils[5] = coil;
        FingertipIk ik(hand, template_calibration(kSizeMm));
        HandSample sample{};
        ik.solve(fnim_message({.hand = hand}, coils), 0, sample);
        EXPECT_TRUE(sample.through_forearm);
        EXPECT_TRUE(sample.forearm_live);
        EXPECT_LT(degrees_between(matrix_of(sample.wrist_in_forearm.orientation), wrist_in_forearm), 0.05);
        EXPECT_NEAR(sample.wrist_in_forearm.position.x, wrist_at[0], 1e-5);
        EXPECT_NEAR(sample.wrist_in_forearm.position.y, wrist_at[1], 1e-5);
        EXPECT_NEAR(sample.wrist_in_forearm.position.z, wrist_at[2], 1e-5);

        const XrPosef last = sample.wrist_in_forearm;
        coils[5].valid = false;
        ik.solve(fnim_message({.hand = hand}, coils), kFrameNs, sample);
        EXPECT_TRUE(sample.through_forearm);
        EXPECT_FALSE(sample.forearm_live);
        EXPECT_TRUE(same_bits(last, sample.wrist_in_forearm));
    }
}

TEST(FingertipIk, WithoutAForearmCoilTheWristIsItself) {
    FingertipIk ik(Hand::left, template_calibration(kSizeMm));
    HandSample sample{};
    ik.solve(message_of(Hand::left, pose(Hand::left, "relax")), 0, sample);
    EXPECT_FALSE(sample.through_forearm);
    EXPECT_FALSE(sample.forearm_live);
}

TEST(FingertipIk, TheGyroTurnsTheWristInOpenXrAxes) {
    const HandCalibration hand = template_calibration(kSizeMm);
    XrVector3f rate{7, 7, 7};
    EXPECT_FALSE(turn_rate_in_wrist(fnim_message({.hand = Hand::left}, {}), hand, rate));
    EXPECT_EQ(rate.x, 7);
    // Right-forward-up (1, 2, 3) is right 1, up 3, back -2.
    ASSERT_TRUE(turn_rate_in_wrist(fnim_message({.hand = Hand::right, .turn_rate = {1, 2, 3}}, {}), hand, rate));
    EXPECT_NEAR(rate.x, 1, 1e-6);
    EXPECT_NEAR(rate.y, 3, 1e-6);
    EXPECT_NEAR(rate.z, -2, 1e-6);
}

}  // namespace
}  // namespace glove::test
