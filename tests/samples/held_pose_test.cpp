// SPDX-License-Identifier: Apache-2.0
// Not covered: how still people can hold a hand; the limits are judged, not measured.
#include "glovectl/held_pose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace glove::ctl {
namespace {

constexpr std::int64_t kStepNs = 8'333'333;  // 120 Hz

// A turn about x.
XrPosef part_at(double x_m, double degrees) {
    const double half = degrees * 3.14159265358979 / 360;
    return {{static_cast<float>(std::sin(half)), 0, 0, static_cast<float>(std::cos(half))},
            {static_cast<float>(x_m), 0, 0}};
}

// Over two seconds, `at(seconds)` says where the part is.
template <class At>
bool moves(At at) {
    HeldPose held;
    for (int i = 0; i < 240; ++i) {
        held.add({at(i / 120.0)}, i * kStepNs);
    }
    return held.moved();
}

TEST(HeldPose, TakesNoiseForNoMotion) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    EXPECT_FALSE(moves([&](double) { return part_at(0.1 + 0.002 * normal(random), 4 * normal(random)); }));
}

TEST(HeldPose, SeesAPartThatGoesSomewhereElse) {
    EXPECT_TRUE(moves([](double seconds) { return part_at(seconds < 1 ? 0.100 : 0.110, 0); }));
}

TEST(HeldPose, SeesASlowDrift) {
    EXPECT_TRUE(moves([](double seconds) { return part_at(0.1 + 0.005 * seconds, 0); })) << "9 mm in all";
    EXPECT_FALSE(moves([](double seconds) { return part_at(0.1 + 0.002 * seconds, 0); })) << "4 mm in all";
}

TEST(HeldPose, SeesAPartThatTurns) {
    EXPECT_TRUE(moves([](double seconds) { return part_at(0.1, seconds < 1 ? 0 : 12); }));
    EXPECT_FALSE(moves([](double seconds) { return part_at(0.1, seconds < 1 ? 0 : 5); }));
}

TEST(HeldPose, TakesTheTwoSignsOfAQuaternionForOneRotation) {
    int i = 0;
    EXPECT_FALSE(moves([&i](double) {
        const XrPosef part = part_at(0.1, 100);
        const XrQuaternionf& q = part.orientation;
        return ++i % 2 == 0 ? part : XrPosef{{-q.x, -q.y, -q.z, -q.w}, part.position};
    }));
}

TEST(HeldPose, ComparesAPartFromWhereItIsFirstSeen) {
    const auto lost_then_at = [](double x) {
        HeldPose held;
        for (int i = 0; i < 240; ++i) {
            Parts parts(2);
            parts[0] = part_at(0.1, 0);
            if (i >= 60) {
                parts[1] = part_at(i < 150 ? 0.2 : x, 0);
            }
            held.add(parts, i * kStepNs);
        }
        return held.moved();
    };
    EXPECT_FALSE(lost_then_at(0.2));
    EXPECT_TRUE(lost_then_at(0.22));
}

}  // namespace
}  // namespace glove::ctl
