// SPDX-License-Identifier: Apache-2.0
// What has to be known about a hand before fingertips alone can tell its joints: a template of a hand, and how poses
// that the user holds for a moment fit it to the user's hand.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <span>

#include "hand/fnim/finger_chain.hpp"
#include "protocol/fnim.hpp"

namespace glove {

// As a left hand; a right hand's is the mirror image. Metres, OpenXR axes.
struct HandCalibration {
    XrPosef wrist_in_transmitter;
    std::array<FingerModel, kFingerCount> fingers;
};

// A template hand of this size (wrist to middle knuckle), coils at the tips, the transmitter on the back of the hand.
[[nodiscard]] HandCalibration template_calibration(float size_mm) noexcept;

// A coil's pose relative to the transmitter in OpenXR axes, as of a left hand: a right hand's is mirrored.
[[nodiscard]] XrPosef coil_as_left(Hand hand, const fnim::CoilPose& coil) noexcept;
[[nodiscard]] XrPosef mirrored(const XrPosef& pose) noexcept;

// What the user was asked to do while messages were recorded.
enum class CapturedPose : std::uint8_t {
    flat,  // fingers straight and together, thumb beside the hand
    fist,
    pinch,  // thumb and index tips touch
};

struct Capture {
    CapturedPose pose;
    std::span<const fnim::Message> messages;  // all of one hand
};

struct CalibrationReport {
    HandCalibration calibration;
    double error_before_m;  // root mean square of coil positions over the captures, model against measurement
    double error_after_m;
    std::size_t coils_used;
};

// Least squares over all captures at once. Expected to one standard deviation are `before`'s size to 6 %, bones to 5 %,
// root joints to 3 mm and 4 deg, the transmitter's place to 2 mm and 1.5 deg, coils to 4 deg; but a coil which the flat
// hand shows to be mounted another way round is taken as shown. What the captures do not show stays as before.
// Allocates.
[[nodiscard]] CalibrationReport calibrate(const HandCalibration& before, std::span<const Capture> captures);

}  // namespace glove
