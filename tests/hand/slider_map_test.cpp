// SPDX-License-Identifier: Apache-2.0
// Sliders to joint angles: ranges, limits, and what a Studio glove does not send.
// Not here: the hand they make (bone_chain_test.cpp).
#include "hand/hand_engine/slider_map.hpp"

#include <gtest/gtest.h>

#include "near.hpp"

namespace glove {
namespace {

using hand_engine::Finger;
using hand_engine::SliderValues;

constexpr std::array<Finger, 4> kFourFingers{Finger::index, Finger::middle, Finger::ring, Finger::little};

SliderValues all_bent(float value) {
    SliderValues sliders{};
    for (auto& bends : sliders.bend) {
        bends.fill(value);
    }
    return sliders;
}

SliderValues studio(float value, float global_splay) {
    SliderValues sliders = all_bent(value);
    for (auto& bends : sliders.bend) {
        bends[2] = osc::kNull;
    }
    sliders.global_splay = global_splay;
    for (std::size_t finger = 1; finger < 5; ++finger) {
        sliders.splay[finger] = osc::kNull;
    }
    return sliders;
}

double degrees(float radians) {
    return radians * 180 / std::numbers::pi;
}

void expect_flexion(const FingerAngles& angles, double first, double second, double third) {
    EXPECT_NEAR(degrees(angles.flexion[0]), first, 0.01);
    EXPECT_NEAR(degrees(angles.flexion[1]), second, 0.01);
    EXPECT_NEAR(degrees(angles.flexion[2]), third, 0.01);
}

TEST(SliderMap, IsStraightAtZeroAndFullyBentAtOne) {
    for (const Finger finger : kFourFingers) {
        expect_flexion(finger_angles(all_bent(0), finger), 0, 0, 0);
        expect_flexion(finger_angles(all_bent(1), finger), 85, 100, 65);
        expect_flexion(finger_angles(all_bent(0.5f), finger), 42.5, 50, 32.5);
    }
    expect_flexion(finger_angles(all_bent(1), Finger::thumb), 40, 55, 80);
}

TEST(SliderMap, BendsBeyondTheRangeUntilTheJointsLimit) {
    expect_flexion(finger_angles(all_bent(1.1f), Finger::index), 93.5, 110, 71.5);
    expect_flexion(finger_angles(all_bent(9), Finger::index), 95, 115, 80);
    expect_flexion(finger_angles(all_bent(-0.05f), Finger::index), -4.25, -5, -3.25);
    expect_flexion(finger_angles(all_bent(-9), Finger::index), -30, -10, -10);
}

TEST(SliderMap, LetsStudiosLastJointFollowTheMiddleOne) {
    for (const Finger finger : kFourFingers) {
        expect_flexion(finger_angles(studio(0.5f, 0), finger), 42.5, 50, 31);
    }
    expect_flexion(finger_angles(studio(0.5f, 0), Finger::thumb), 20, 27.5, 40);
}

TEST(SliderMap, SpreadsStudiosFingersByTheHandsSplay) {
    const SliderValues open = studio(0, 1);
    EXPECT_NEAR(degrees(finger_angles(open, Finger::index).radial), 18, 0.01);
    EXPECT_NEAR(degrees(finger_angles(open, Finger::middle).radial), 1.8, 0.01);
    EXPECT_NEAR(degrees(finger_angles(open, Finger::ring).radial), -9, 0.01);
    EXPECT_NEAR(degrees(finger_angles(open, Finger::little).radial), -18, 0.01);
    EXPECT_NEAR(degrees(finger_angles(studio(0, -0.5f), Finger::index).radial), -9, 0.01);
}

TEST(SliderMap, PrefersAFingersOwnSplay) {
    SliderValues sliders{};
    sliders.global_splay = 1;
    sliders.splay = {0.5f, 0.5f, 0, 0.5f, 0.5f};
    EXPECT_NEAR(degrees(finger_angles(sliders, Finger::thumb).radial), 9, 0.01);
    EXPECT_NEAR(degrees(finger_angles(sliders, Finger::index).radial), 9, 0.01);
    EXPECT_NEAR(degrees(finger_angles(sliders, Finger::middle).radial), 0, 0.01);
    EXPECT_NEAR(degrees(finger_angles(sliders, Finger::little).radial), -9, 0.01);
}

TEST(SliderMap, IsStraightWhereAllIsNull) {
    SliderValues sliders = all_bent(osc::kNull);
    sliders.splay.fill(osc::kNull);
    sliders.global_splay = osc::kNull;
    for (std::size_t finger = 0; finger < 5; ++finger) {
        const FingerAngles angles = finger_angles(sliders, static_cast<Finger>(finger));
        expect_flexion(angles, 0, 0, 0);
        EXPECT_EQ(angles.radial, 0);
    }
}

TEST(SliderMap, TurnsToTheThumbsSideOnEitherHand) {
    // The thumb is at +X of a left hand, back up and fingers forward, and at -X of a right one.
    const auto forward = [](const XrQuaternionf& q) {
        const test::Row z = test::axis_of(q, 2);
        return test::Row{-z[0], -z[1], -z[2]};
    };
    EXPECT_GT(forward(splay(Hand::left, 0.3f))[0], 0.2);
    EXPECT_LT(forward(splay(Hand::right, 0.3f))[0], -0.2);
    EXPECT_LT(forward(bend(0.3f))[1], -0.2) << "a bent finger points below the palm";
}

}  // namespace
}  // namespace glove
