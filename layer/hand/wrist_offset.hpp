// SPDX-License-Identifier: Apache-2.0
// Where the wrist is in what carries it, before anybody has measured: nominal constants for each of OpenXR's poses.
#pragma once

#include <openxr/openxr.h>

#include <cstdint>
#include <string_view>

#include "protocol/hand.hpp"

namespace glove {

// What an application's pose action is bound to. In order of preference: how rigidly it goes with the hand.
enum class PoseKind : std::uint8_t {
    palm,  // palm_ext/pose or grip_surface/pose: the palm's skin (XR_EXT_palm_pose)
    grip,  // grip/pose: the middle of a handle in the fist
    aim,   // aim/pose: a ray, stabilised at the runtime's will; only if there is nothing else
};
inline constexpr std::size_t kPoseKindCount = 3;

[[nodiscard]] constexpr const char* name_of(PoseKind kind) noexcept {
    switch (kind) {
        case PoseKind::palm:
            return "palm";
        case PoseKind::grip:
            return "grip";
        case PoseKind::aim:
            return "aim";
    }
    return "unknown";
}

// The wrist joint in the pose, of a hand of this size that holds a controller of this interaction profile. By OpenXR's
// definitions (6.3.1 "Standard pose identifier", 12.31.5 "Conventions of hand joints"); and in grip and aim by where
// the makers of Touch and Index controllers put the palm, some 20 and 35 degrees from a handle straight across the
// fist. Of other controllers nobody published it, and they keep the straight handle, some centimetres and 20 to 40
// degrees off. None of it was measured on hardware by us; calibration finds the rest.
[[nodiscard]] XrPosef nominal_wrist_in(std::string_view profile, PoseKind kind, Hand hand, float size_mm) noexcept;

}  // namespace glove
