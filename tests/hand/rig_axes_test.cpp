// SPDX-License-Identifier: Apache-2.0
// Which rig a glove's rotations are for: told by fingers that move, never by a hand that is still.
// Not here: whole hands and recordings in each rig (bone_chain_test.cpp).
#include "hand/hand_engine/rig_axes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "near.hpp"

namespace glove {
namespace {

using hand_engine::Finger;

// As a rig sends a turn about one axis; in degrees.
XrQuaternionf about(int axis, double degrees) {
    const double half = degrees * std::numbers::pi / 360;
    XrQuaternionf q{0, 0, 0, static_cast<float>(std::cos(half))};
    (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = static_cast<float>(std::sin(half));
    return q;
}

// All four fingers from straight to `degrees` and back, two seconds at 60 Hz.
void close_and_open(RigDetector& detector, int axis, double degrees) {
    for (int frame = 0; frame <= 120; ++frame) {
        const double angle = degrees * std::sin(frame * std::numbers::pi / 120);
        for (const Finger finger : {Finger::index, Finger::middle, Finger::ring, Finger::little}) {
            detector.see(finger, about(axis, angle));
        }
    }
}

TEST(RigDetector, TellsTheRigsApartByTheSignOfAFist) {
    RigDetector wave;
    close_and_open(wave, 0, 80);
    EXPECT_EQ(wave.verdict(), RigVerdict::unity_wave);
    RigDetector mirror;
    close_and_open(mirror, 0, -80);
    EXPECT_EQ(mirror.verdict(), RigVerdict::mirror_x);
    RigDetector other;
    close_and_open(other, 1, -80);
    EXPECT_EQ(other.verdict(), RigVerdict::other);
}

TEST(RigDetector, DoesNotMindTheSignOfTheQuaternion) {
    RigDetector detector;
    for (int frame = 0; frame <= 60; ++frame) {
        XrQuaternionf q = about(0, -80 * std::sin(frame * std::numbers::pi / 60));
        if (frame % 2 != 0) {
            q = {-q.x, -q.y, -q.z, -q.w};
        }
        detector.see(Finger::ring, q);
    }
    EXPECT_EQ(detector.verdict(), RigVerdict::mirror_x);
}

TEST(RigDetector, WaitsWhileFingersMoveLittleAboutStraight) {
    RigDetector detector;
    for (int k = 0; k < 50; ++k) {
        close_and_open(detector, 0, k % 2 == 0 ? 24 : -24);
    }
    EXPECT_EQ(detector.verdict(), RigVerdict::undecided);
}

TEST(RigDetector, NeverChangesOnAStillHand) {
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 0.5);
    for (const RigVerdict before : {RigVerdict::undecided, RigVerdict::unity_wave, RigVerdict::mirror_x}) {
        for (const double held : {90.0, -90.0, 30.0, -30.0, 0.0}) {
            RigDetector detector;
            detector.remember(before);
            for (int frame = 0; frame < 20'000; ++frame) {
                for (const Finger finger : {Finger::index, Finger::middle, Finger::ring, Finger::little}) {
                    detector.see(finger, about(0, held + std::clamp(noise(random), -1.4, 1.4)));
                }
            }
            EXPECT_EQ(detector.verdict(), before) << held;
        }
    }
}

TEST(RigDetector, KeepsItsVerdictThroughAMomentOfNonsense) {
    RigDetector detector;
    close_and_open(detector, 0, 80);
    for (int frame = 0; frame < 10; ++frame) {
        detector.see(Finger::index, about(0, frame % 2 == 0 ? -90 : -60));
    }
    EXPECT_EQ(detector.verdict(), RigVerdict::unity_wave);
}

TEST(RigDetector, FollowsAGloveThatIsRetargetedToAnotherRig) {
    RigDetector detector;
    close_and_open(detector, 0, 80);
    close_and_open(detector, 0, -80);
    close_and_open(detector, 0, -80);
    EXPECT_EQ(detector.verdict(), RigVerdict::mirror_x);
}

TEST(RigDetector, DoesNotAskTheThumb) {
    RigDetector detector;
    for (int frame = 0; frame < 500; ++frame) {
        detector.see(Finger::thumb, about(0, -80 * std::sin(frame * 0.1)));
    }
    EXPECT_EQ(detector.verdict(), RigVerdict::undecided);
}

TEST(AxisMatrix, IsOneOfFortyEight) {
    int found = 0;
    AxisMatrix matrix{};
    for (int code = 0; code < 19'683; ++code) {  // all of 0, 1 and -1
        int rest = code;
        for (std::int8_t& entry : matrix) {
            entry = static_cast<std::int8_t>(rest % 3 - 1);
            rest /= 3;
        }
        found += is_axis_matrix(matrix) ? 1 : 0;
    }
    EXPECT_EQ(found, 48);
    EXPECT_FALSE(is_axis_matrix({2, 0, 0, 0, 1, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace glove
