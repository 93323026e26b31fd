// SPDX-License-Identifier: Apache-2.0
// Figures of an adult hand: radii, and where the finger metacarpals begin.
#pragma once

#include <openxr/openxr.h>

#include <array>

#include "hand/hand_sample.hpp"

namespace glove {

// Wrist pivot to middle knuckle of the template hand, in millimetres. `[hand] size_mm` is this distance on the user's
// hand.
inline constexpr float kTemplateSizeMm = 92.0f;

// Joint centre to skin in metres, template hand, indexed by XrHandJointEXT. Measured on Quest hands; palm from Monado.
extern const std::array<float, kJointCount> kRadiusM;

// Base of a finger's metacarpal in the wrist frame (OpenXR axes), as a fraction of the distance wrist to middle
// knuckle. Mean of five platforms, which disagree by 5 to 8 mm. Finger 0 index, 1 middle, 2 ring, 3 little.
[[nodiscard]] XrVector3f metacarpal_base_fraction(Hand hand, std::size_t finger) noexcept;

}  // namespace glove
