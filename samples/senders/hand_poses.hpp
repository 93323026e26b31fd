// SPDX-License-Identifier: Apache-2.0
// A hand that moves by itself: named poses and a tour through them, as the 26 joints at an instant.
// A pure function of time, so a test can ask again for what was sent.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hand/hand_sample.hpp"

namespace glove {

// Metres, OpenXR axes, indexed by XrHandJointEXT, in the wrist frame. The wrist is the identity.
using HandJoints = std::array<XrPosef, kJointCount>;

enum class Pose : std::uint8_t {
    open,
    relaxed,
    fist,
    point,
    pinch,
    wave,  // the wrist stays, the fingers ripple
    tour,  // all of the above in turn
};

inline constexpr std::array<Pose, 7> kPoses{Pose::open,  Pose::relaxed, Pose::fist, Pose::point,
                                            Pose::pinch, Pose::wave,    Pose::tour};

[[nodiscard]] const char* name_of(Pose pose) noexcept;
[[nodiscard]] std::optional<Pose> pose_named(std::string_view name) noexcept;

// Degrees. Flexion closes the hand. All zero is a straight finger along its metacarpal.
struct FingerBend {
    double mcp;
    double pip;
    double dip;
    double splay;  // toward the thumb
};

struct ThumbBend {
    double radial;  // away from the index finger, in the plane of the palm
    double palmar;  // out of that plane, to where the palm looks
    double roll;    // of the nail, from where the back of the hand looks to away from the fingers
    double mcp;
    double ip;
};

struct HandAngles {
    ThumbBend thumb;
    std::array<FingerBend, 4> fingers;  // index, middle, ring, little
};

[[nodiscard]] HandAngles pose_angles(Pose pose, double seconds) noexcept;

// The tour stays in a pose for this long, then takes this long to ease into the next.
inline constexpr double kTourHoldSeconds = 1.0;
inline constexpr double kTourEaseSeconds = 1.0;

// The pose, other than tour, which a tour holds at `seconds` or is leaving.
[[nodiscard]] Pose tour_stop(double seconds) noexcept;

// Both hands do the same, each the other's mirror image. `seconds` >= 0 from the start.
[[nodiscard]] HandJoints hand_joints(Hand hand, Pose pose, double seconds) noexcept;

// The wrist as a module on the forearm sees it: 200 mm ahead of it, bending and turning aside slowly.
[[nodiscard]] XrPosef moving_wrist_in_forearm(Hand hand, double seconds) noexcept;

}  // namespace glove
