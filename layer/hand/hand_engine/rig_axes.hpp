// SPDX-License-Identifier: Apache-2.0
// Hand Engine's rotations are in the axes of whatever rig it is set to retarget to. Which axes these are is configured,
// or seen from the way the fingers bend.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstdint>
#include <optional>

#include "protocol/hand_engine.hpp"

namespace glove {

// Rows of a 3x3 matrix of 0, 1 and -1 that turns a rig's axes into OpenXR's: v_openxr = M v_rig.
using AxisMatrix = std::array<std::int8_t, 9>;

// Unity axes of the vendor's OpenXR hand (bones along +Z, Y dorsal, left-handed): z changes sign.
inline constexpr AxisMatrix kUnityWaveAxes{1, 0, 0, 0, 1, 0, 0, 0, -1};
// Left-handed with bones along -Z: x changes sign.
inline constexpr AxisMatrix kMirrorXAxes{-1, 0, 0, 0, 1, 0, 0, 0, 1};
inline constexpr AxisMatrix kOpenXrAxes{1, 0, 0, 0, 1, 0, 0, 0, 1};

// Exactly one 1 or -1 in each row and column.
[[nodiscard]] bool is_axis_matrix(const AxisMatrix& matrix) noexcept;

// The same rotation in OpenXR axes. A mirroring matrix turns the sense of rotation, as seen from the new axes.
[[nodiscard]] XrQuaternionf to_openxr(const AxisMatrix& matrix, const XrQuaternionf& rotation) noexcept;

enum class RigVerdict : std::uint8_t {
    undecided,  // no finger has bent far yet
    unity_wave,
    mirror_x,
    other,  // fingers bend about another axis than x: axes and rest pose have to be configured
};
inline constexpr std::size_t kRigVerdictCount = 4;

[[nodiscard]] const char* name_of(RigVerdict verdict) noexcept;

// Tells unity-wave from mirror-x by the middle joints of the four fingers: they bend one way only, up to 110 degrees,
// and the two rigs disagree about its sign. One per hand.
class RigDetector {
public:
    // A finger's intermediate bone as sent, of unit length. Only a finger that moves has a say, so a still hand never
    // changes the verdict, whatever it looks like.
    void see(hand_engine::Finger finger, const XrQuaternionf& intermediate) noexcept;

    [[nodiscard]] RigVerdict verdict() const noexcept { return verdict_; }
    // From an earlier session with the same glove.
    void remember(RigVerdict verdict) noexcept;

private:
    RigVerdict verdict_ = RigVerdict::undecided;
    std::array<int, kRigVerdictCount> votes_{};
    // Where each finger was when it last had its say, or was first seen.
    std::array<std::optional<XrQuaternionf>, hand_engine::kFingerCount> voted_at_;
};

}  // namespace glove
