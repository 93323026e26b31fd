// SPDX-License-Identifier: Apache-2.0
// One finger as a chain of hinges from the wrist to the coil on its tip, and the angles that bring the coil to a pose.
//
// Everything here is a left hand: a right hand is solved as its mirror image. Metres, radians, OpenXR axes.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstddef>

namespace glove {

inline constexpr std::size_t kFingerCount = 5;  // thumb, index, middle, ring, little, as in FNIM's slots
inline constexpr std::size_t kThumb = 0;

// The first three turn the root joint: a finger's knuckle, or the thumb's base. All zero is the finger straight ahead.
enum FingerAngle : std::size_t {
    kAbduction,      // about the back's normal; positive toward the little finger
    kRootFlexion,    // positive closes the hand, as do the next two
    kRootTwist,      // about the bone; the thumb's only
    kMiddleFlexion,  // fingers: intermediate joint (PIP); thumb: proximal joint (MCP)
    kEndFlexion,     // distal joint (DIP, IP)
    kFingerAngleCount,
};
using FingerAngles = std::array<double, kFingerAngleCount>;

struct FingerModel {
    bool thumb;
    XrPosef root_in_wrist;  // with all angles zero
    XrVector3f
        root_from_pivot;     // in root's axes: the thumb's base is carried round by a bone of the wrist; fingers zero
    float root_to_middle_m;  // along the root joint's -Z
    float middle_to_end_m;   // along the middle joint's -Z
    XrQuaternionf middle_turn;  // hinges of a finger are not quite parallel: the middle joint in the root joint ...
    XrQuaternionf end_turn;     // ... and the end joint in the middle joint, at angle zero
    XrVector3f tip_in_end;      // near (0, 0, -length of the last bone)
    XrPosef coil_in_tip;        // the tip has the end joint's axes
};

struct FingerJoints {
    XrPosef root, middle, end, tip;  // in the wrist frame
};

struct AngleRange {
    FingerAngles low, high;
};

[[nodiscard]] const AngleRange& angle_range(bool thumb) noexcept;

[[nodiscard]] FingerJoints joints_at(const FingerModel& model, const FingerAngles& angles) noexcept;
[[nodiscard]] XrPosef coil_at(const FingerModel& model, const FingerAngles& angles) noexcept;

// The angles of a hand that closes in the usual way: curl 0 is straight, 1 a fist.
[[nodiscard]] FingerAngles angles_of_curl(bool thumb, double curl) noexcept;
// How far a finger is closed: 0 straight, 1 a fist.
[[nodiscard]] double curl_of(bool thumb, const FingerAngles& angles) noexcept;

// What is expected of the angles before the coil is looked at.
struct AnglePrior {
    FingerAngles mean;
    FingerAngles sigma;  // standard deviations; infinite: nothing is expected
};

extern const AnglePrior kNothingExpected;

// Model minus measurement in standard deviations: position, then turn, each in three axes.
using CoilResidual = std::array<double, 6>;
[[nodiscard]] CoilResidual coil_residual(const FingerModel& model, const XrPosef& coil_in_wrist,
                                         const FingerAngles& angles) noexcept;

struct FingerFit {
    FingerAngles angles;      // within angle_range()
    double cost;              // sum of squares of all residuals, each in standard deviations
    double position_error_m;  // coil of the model to the coil measured
    double turn_error;        // likewise
    int iterations;
};

// Least squares by damped steps from `start`, at most `most_iterations`. Uses position and orientation of the coil;
// never leaves the range. Where the coil is out of reach or contradicts itself, the nearest pose. `coil_in_wrist` is
// finite and its orientation of unit length.
[[nodiscard]] FingerFit fit_finger(const FingerModel& model, const XrPosef& coil_in_wrist, const FingerAngles& start,
                                   const AnglePrior& prior, int most_iterations) noexcept;

}  // namespace glove
