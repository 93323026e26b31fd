// SPDX-License-Identifier: Apache-2.0
// What was captured of a user's hand as a plain row of numbers, for whoever keeps it, and back.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hand/fnim/hand_calibration.hpp"
#include "hand/hand_engine/bone_chain.hpp"

namespace glove {

[[nodiscard]] std::vector<double> numbers_of(const HandCalibration& calibration);
[[nodiscard]] std::vector<double> numbers_of(const RestPose& rest);
[[nodiscard]] std::vector<double> numbers_of(const XrPosef& wrist_in_source);

// Nothing when the numbers are none of the above: too few or too many, not finite, no rotation where one is meant, or
// of no human size. So a solver may be given whatever comes out.
[[nodiscard]] std::optional<HandCalibration> hand_calibration_of(std::span<const double> numbers) noexcept;
// Of a wrist in a controller or tracker; what follows its numbers is not looked at.
[[nodiscard]] std::optional<XrPosef> wrist_offset_of(std::span<const double> numbers) noexcept;
[[nodiscard]] std::optional<RestPose> rest_pose_of(std::span<const double> numbers) noexcept;

}  // namespace glove
