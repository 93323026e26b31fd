// SPDX-License-Identifier: Apache-2.0
// Hands that move as people's do, made by us: from one of glove_sim's poses to another, each finger a little before or
// after the others, with pauses and a tremor. A pure function of settings and time, the same to the last bit on every
// machine, without arithmetic of the layer's.
// Not here: what no hinges can do (skin, knuckles that sink in a fist), and a wrist that moves.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstdint>
#include <vector>

#include "fsnh_encoding.hpp"
#include "reference_poses.hpp"
#include "senders/hand_poses.hpp"

namespace glove::test {

struct MotionSettings {
    Hand hand = Hand::left;
    std::uint64_t seed = 1;
    double gesture_s = 0.17;    // from one pose to the next, on average
    double pause_s = 0.3;       // held there, on average
    double tremor_deg = 0.15;   // of each joint, root mean square, 8 to 12 Hz; and a slow sway of three times that
    double size_mm = 92;        // wrist to the knuckle of the middle finger
    double hinges_off_deg = 2;  // at most so far are this hand's hinges turned from where others have them
    // From the wrist's side to the tip; thumb (three), index, middle, ring, little. 0: as usual for that size.
    std::array<std::array<double, 4>, 5> bones_mm{};
};

// Fingertips go faster than a metre a second now and then; or are in no hurry.
inline constexpr MotionSettings kQuickMotion{};
inline constexpr MotionSettings kCalmMotion{.gesture_s = 0.9, .pause_s = 0.4};

class OwnMotion {
public:
    // Moves for this long, and stays in the last pose then.
    OwnMotion(const MotionSettings& settings, double seconds);

    // 26 joints in the wrist frame, `seconds` >= 0 from the start.
    [[nodiscard]] JointPoses at(double seconds) const;
    // The same hand, still and without tremor.
    [[nodiscard]] JointPoses held(Pose pose) const;

private:
    // Degrees: five of the thumb, then four of each finger, as in HandAngles.
    using Angles = std::array<double, 21>;
    struct Gesture {
        double begin_s;
        double end_s;
        std::array<double, 5> lag;  // of each finger, as a share of the gesture
        Angles target;
    };
    struct Wave {
        double hertz;
        double turns;  // at the start
        double degrees;
    };

    static Angles angles_of(Pose pose);
    [[nodiscard]] JointPoses joints_of(const Angles& angles) const;

    Hand hand_;
    double size_mm_;
    std::array<std::array<double, 4>, 5> bones_mm_;
    std::array<std::array<Matrix, 3>, 5> hinges_{};  // each in the joint before it, not bent
    Row thumb_from_pivot_mm_{};
    Angles start_{};
    std::vector<Gesture> gestures_;
    std::array<std::array<Wave, 3>, std::tuple_size_v<Angles>> waves_{};
};

}  // namespace glove::test
