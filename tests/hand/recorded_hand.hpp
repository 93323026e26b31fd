// SPDX-License-Identifier: Apache-2.0
// Hands that a headset recorded, as truth for fingers computed from their tips, and the hand models that fit them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "hand/hand_calibration.hpp"
#include "reference_poses.hpp"

namespace glove::test {

struct RecordedFrame {
    std::int64_t time_ns;
    JointPoses joint_in_wrist;  // no palm
};

struct RecordedHand {
    std::string file;
    Hand hand;
    std::vector<RecordedFrame> frames;
};

// Both hands of every *-hands.json in $GLOVE_HANDS_DATA, or in the default place. None when there is no such file.
[[nodiscard]] std::vector<RecordedHand> recorded_hands();

// Lengths of bones and places of knuckles as these frames have them on average; the rest is the template's.
[[nodiscard]] HandCalibration measured_calibration(Hand hand, const std::vector<RecordedFrame>& frames);

// Each bone longer or shorter by up to `share`, each root joint moved by up to `shift_m` along each axis.
[[nodiscard]] HandCalibration disturbed(HandCalibration calibration, double share, double shift_m,
                                        std::mt19937& random);

[[nodiscard]] double wrist_to_middle_knuckle_mm(const std::vector<RecordedFrame>& frames);

}  // namespace glove::test
