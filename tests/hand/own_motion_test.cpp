// SPDX-License-Identifier: Apache-2.0
// What the generator of motion promises to the tests that stand on it, and how it compares with a recorded hand.
#include "hand/own_motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "controller_session.hpp"
#include "hand/joint_distances.hpp"
#include "hand/moving_hand.hpp"
#include "hand/near.hpp"
#include "recordings.hpp"

namespace glove::test {
namespace {

constexpr std::array<std::size_t, kFingerCount> kTips{XR_HAND_JOINT_THUMB_TIP_EXT, XR_HAND_JOINT_INDEX_TIP_EXT,
                                                      XR_HAND_JOINT_MIDDLE_TIP_EXT, XR_HAND_JOINT_RING_TIP_EXT,
                                                      XR_HAND_JOINT_LITTLE_TIP_EXT};

struct Range {
    double low = 1000;
    double high = -1000;
    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

struct Character {
    double median_speed = 0;  // of all fingertips, m/s
    double p95_speed = 0;
    std::array<Range, 3> bend{};        // of the fingers at knuckle, middle and end joint, degrees
    std::array<Range, 3> thumb_base{};  // millimetres in the wrist frame
};

Character character_of(const std::vector<MovingHand>& hands) {
    Character out;
    std::vector<double> speeds;
    for (const MovingHand& hand : hands) {
        for (std::size_t i = 0; i < hand.frames.size(); ++i) {
            const JointPoses& now = hand.frames[i].joint_in_wrist;
            for (std::size_t finger = 1; finger < kFingerCount; ++finger) {
                for (std::size_t joint = 0; joint < out.bend.size(); ++joint) {
                    const std::size_t at = kRoot[finger] + joint;
                    const Matrix turn = transposed(matrix_of(now[at - 1].orientation)) * matrix_of(now[at].orientation);
                    out.bend[joint].add(std::atan2(turn[1][2], turn[2][2]) * 180 / std::numbers::pi);
                }
            }
            const Row base = row_of(now[XR_HAND_JOINT_THUMB_METACARPAL_EXT].position);
            for (std::size_t axis = 0; axis < base.size(); ++axis) {
                out.thumb_base[axis].add(1000 * base[axis] * (axis == 0 && hand.hand == Hand::right ? -1 : 1));
            }
            const double seconds =
                i == 0 ? 1 : static_cast<double>(hand.frames[i].time_ns - hand.frames[i - 1].time_ns) * 1e-9;
            if (seconds < 0.02) {  // there are gaps in the recording
                for (const std::size_t tip : kTips) {
                    speeds.push_back(
                        millimetres_between(now[tip].position, hand.frames[i - 1].joint_in_wrist[tip].position) / 1000 /
                        seconds);
                }
            }
        }
    }
    std::sort(speeds.begin(), speeds.end());
    out.median_speed = speeds[speeds.size() / 2];
    out.p95_speed = speeds[speeds.size() * 95 / 100];
    return out;
}

class Hash {  // FNV-1a
public:
    void add(float value) {
        for (int shift = 0; shift < 32; shift += 8) {
            hash_ = (hash_ ^ (std::bit_cast<std::uint32_t>(value) >> shift & 0xFFu)) * 0x100000001B3u;
        }
    }
    [[nodiscard]] std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0xCBF29CE484222325u;
};

// Figures that rest on it are the same for everybody.
TEST(OwnMotion, IsTheSameToTheLastBitOnEveryMachine) {
    Hash hash;
    for (const MotionSettings& settings : {kQuickMotion, kCalmMotion}) {
        const OwnMotion motion(settings, 5);
        for (int frame = 0; frame < 450; ++frame) {
            for (const XrPosef& joint : motion.at(frame / 90.0)) {
                const auto& [q, p] = joint;
                for (const float value : {q.x, q.y, q.z, q.w, p.x, p.y, p.z}) {
                    hash.add(value);
                }
            }
        }
    }
    EXPECT_EQ(hash.value(), 15019957052833099520u);
}

TEST(OwnControllerSession, IsTheSameToTheLastBitOnEveryMachine) {
    Hash hash;
    for (const ControllerFrame& frame : own_controller_session({})) {
        for (const ControllerSide& side : frame.sides) {
            const auto& [q, p] = side.grip;
            for (const float value : {q.x, q.w, side.ray.orientation.y, p.x, p.z}) {
                hash.add(value);
            }
            for (const ControllerSide::State& button : side.buttons) {
                hash.add(button.value);
                hash.add(button.touched ? 1.0f : 0.0f);
            }
        }
    }
    EXPECT_EQ(hash.value(), 13916210873068383452u);
}

TEST(OwnMotion, HoldsThePosesOfGloveSim) {
    for (const Hand hand : kBothHands) {
        const OwnMotion motion({.hand = hand}, 0);
        for (const Pose pose : {Pose::open, Pose::relaxed, Pose::fist, Pose::point, Pose::pinch}) {
            const JointPoses own = motion.held(pose);
            const HandJoints sims = hand_joints(hand, pose, 0);
            for (std::size_t joint = 0; joint < own.size(); ++joint) {
                EXPECT_LT(millimetres_between(own[joint].position, sims[joint].position), 12) << name_of(pose) << joint;
                EXPECT_LT(degrees_between(own[joint].orientation, sims[joint].orientation), 25)
                    << name_of(pose) << joint;
            }
        }
    }
}

TEST(OwnMotion, HasTheSizeAndTheBonesItIsGiven) {
    MotionSettings settings{.hand = Hand::right, .size_mm = 80};
    settings.bones_mm[1][2] = 33;
    const OwnMotion motion(settings, 5);
    for (const double seconds : {0.0, 1.1, 2.7, 9.0}) {
        const JointPoses joints = motion.at(seconds);
        EXPECT_NEAR(wrist_to_middle_knuckle_mm({{0, joints}}), 80, 1);
        EXPECT_NEAR(millimetres_between(joints[XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT].position,
                                        joints[XR_HAND_JOINT_INDEX_DISTAL_EXT].position),
                    33, 0.01);
        EXPECT_NEAR(millimetres_between(joints[XR_HAND_JOINT_RING_PROXIMAL_EXT].position,
                                        joints[XR_HAND_JOINT_RING_INTERMEDIATE_EXT].position),
                    40 * 80 / 92.0, 0.01);
        EXPECT_LT(joints[XR_HAND_JOINT_INDEX_PROXIMAL_EXT].position.x, 0) << "the index finger of a right hand";
    }
}

class MotionCharacter : public testing::TestWithParam<Motion> {};
INSTANTIATE_TEST_SUITE_P(Motion, MotionCharacter, testing::ValuesIn(kMotions), name_of_motion);

TEST_P(MotionCharacter, IsAHands) {
    const auto hands = moving_hands(GetParam());
    if (hands.empty()) {
        GTEST_SKIP() << kNoRecording;
    }
    const Character is = character_of(hands);
    std::printf(
        "fingertips median %.3f, p95 %.3f m/s; knuckle %.0f to %.0f, middle joint %.0f to %.0f, end joint %.0f "
        "to %.0f deg; base of the thumb moves %.1f, %.1f, %.1f mm\n",
        is.median_speed, is.p95_speed, is.bend[0].low, is.bend[0].high, is.bend[1].low, is.bend[1].high, is.bend[2].low,
        is.bend[2].high, is.thumb_base[0].high - is.thumb_base[0].low, is.thumb_base[1].high - is.thumb_base[1].low,
        is.thumb_base[2].high - is.thumb_base[2].low);
    EXPECT_GT(is.p95_speed, GetParam() == Motion::quick ? 1.0 : 0.2);
    EXPECT_LT(is.p95_speed, GetParam() == Motion::quick ? 2.5 : 0.8);
    for (const Range& bend : is.bend) {
        EXPECT_GT(bend.low, -15);
        EXPECT_LT(bend.low, 5);
        EXPECT_GT(bend.high, 60);
        EXPECT_LT(bend.high, 110);
    }
}

}  // namespace
}  // namespace glove::test
