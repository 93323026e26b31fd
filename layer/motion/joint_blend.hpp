// SPDX-License-Identifier: Apache-2.0
// From one source's hand to another's without a jump: every joint is led from where it was shown to where the new
// source has it. Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstdint>

#include "hand/hand_sample.hpp"

namespace glove {

using JointPoses = std::array<XrPosef, kJointCount>;

struct JointBlend {
    // What was shown less what the new source had, at the beginning. In frames that move with the new hand, so that it
    // holds in every base space.
    std::array<XrVector3f, kJointCount> offset_in_wrist;  // in one frame for all: fingers that close do not stretch
    std::array<XrVector3f, kJointCount> turn_in_joint;    // axis times angle
    std::int64_t begun_ns = 0;
    std::int64_t length_ns = 0;  // 0: no blend

    static constexpr float kFastestMps = 1.2f;  // of the joint that has furthest to go
};

// Both in one base space at one time; `source` is what place_joints() or the runtime wrote.
[[nodiscard]] JointBlend blend_from(const JointPoses& shown, const XrHandJointLocationEXT* source,
                                    std::int64_t now_ns) noexcept;

[[nodiscard]] inline bool is_over(const JointBlend& blend, std::int64_t now_ns) noexcept {
    return now_ns - blend.begun_ns >= blend.length_ns;
}

// Moves the joints to where they are to be shown now, with the velocities that this makes; `velocities` may be null.
// PALM stays the middle of the middle metacarpal and proximal where both hands have it there.
void apply(const JointBlend& blend, std::int64_t now_ns, XrHandJointLocationEXT* locations,
           XrHandJointVelocityEXT* velocities) noexcept;

}  // namespace glove
