// SPDX-License-Identifier: Apache-2.0
// Moving hands, as truth for what the layer makes of a stream, and the hand models that fit them. A test runs on motion
// of our own, which is always there, and on a recording in addition, which is not part of the project.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "hand/fnim/hand_calibration.hpp"
#include "reference_poses.hpp"

namespace glove::test {

struct HandFrame {
    std::int64_t time_ns;
    JointPoses joint_in_wrist;  // no palm
};

struct MovingHand {
    std::string name;
    Hand hand;
    std::vector<HandFrame> frames;
    JointPoses flat, fist, pinch;  // as the same person holds them
};

enum class Motion : std::uint8_t { quick, calm, recorded };

// Left and right, five seconds at 90 Hz. None when there is no recording.
[[nodiscard]] std::vector<MovingHand> moving_hands(Motion motion);

// For INSTANTIATE_TEST_SUITE_P.
inline constexpr std::array kMotions{Motion::quick, Motion::calm, Motion::recorded};
inline std::string name_of_motion(const testing::TestParamInfo<Motion>& info) {
    constexpr std::array kNames{"Quick", "Calm", "Recorded"};
    return kNames.at(static_cast<std::size_t>(info.param));
}

// Lengths of bones and places of knuckles as these frames have them on average; the rest is the template's.
[[nodiscard]] HandCalibration measured_calibration(Hand hand, const std::vector<HandFrame>& frames);

// Each bone longer or shorter by up to `share`, each root joint moved by up to `shift_m` along each axis.
[[nodiscard]] HandCalibration disturbed(HandCalibration calibration, double share, double shift_m,
                                        std::mt19937& random);

[[nodiscard]] double wrist_to_middle_knuckle_mm(const std::vector<HandFrame>& frames);

}  // namespace glove::test
