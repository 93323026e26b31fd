// SPDX-License-Identifier: Apache-2.0
// What the user configured and what was captured -> how the solvers of hand/ are set up. And under which keys captures
// are kept: `glovectl calibrate` writes them, the stream reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hand/calibration_numbers.hpp"
#include "hand/fnim/hand_calibration.hpp"
#include "hand/hand_engine/bone_chain.hpp"
#include "support/calibration_file.hpp"
#include "support/config.hpp"

namespace glove {

// numbers_of() a RestPose, and of a HandCalibration.
[[nodiscard]] std::string rest_pose_key(Hand hand);
[[nodiscard]] std::string fingertips_key(Hand hand);
// name_of() a RigVerdict. `glove_id`: any bytes of the sender's; empty where it says none.
[[nodiscard]] std::string rig_key(Hand hand, std::string_view glove_id);

// Nothing where nothing is kept, or where what is kept is no capture.
[[nodiscard]] std::optional<RestPose> captured_rest_pose(const CalibrationValues& kept, Hand hand);
[[nodiscard]] std::optional<HandCalibration> captured_fingertips(const CalibrationValues& kept, Hand hand);
[[nodiscard]] RigVerdict kept_rig(const CalibrationValues& kept, Hand hand, std::string_view glove_id);

[[nodiscard]] BoneChainSettings bone_chain_settings(const Config& config, const CalibrationValues& kept);
// From the configuration alone: what a capture begins with.
[[nodiscard]] HandCalibration configured_fingertips(const Config& config);

}  // namespace glove
