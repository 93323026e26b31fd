// SPDX-License-Identifier: Apache-2.0
// Do a sender's joint orientations mean what its document says? And orientations from positions for when they do not.
//
// Everything here is in OpenXR axes, into which the documented joint axes turn alike on both hands: bones along local
// -Z, and local X along the knuckles, to the user's right with the palm down.
#pragma once

#include <openxr/openxr.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "hand/pose_math.hpp"
#include "protocol/fsnh.hpp"

namespace glove {

enum class AxisVerdict : std::uint8_t {
    undecided,   // not enough was seen yet; taken as documented
    documented,  // as the document says
    permuted,    // another signed axis order; corrected by a constant turn
    rebuilt,     // no axis order fits; orientations are made from the positions
};

[[nodiscard]] const char* name_of(AxisVerdict verdict) noexcept;

// The joints of one fsnh::Message, in its order, positions and orientations in OpenXR axes.
using SentJoints = std::array<XrPosef, fsnh::kWristJointCount>;

inline constexpr std::size_t kFingersSent = 5;      // thumb, index, middle, ring, little
inline constexpr std::size_t kJointsPerFinger = 4;  // the last is the tip
inline constexpr std::size_t kRootSent = 0;
[[nodiscard]] constexpr std::size_t first_joint_sent(std::size_t finger) noexcept {
    return 1 + kJointsPerFinger * finger;
}

struct AxisFit {
    AxisVerdict verdict = AxisVerdict::undecided;
    XrQuaternionf turn =
        kNoRotation;  // documented joint axes in the sender's; multiply it to the right of what was sent
};

// The root is a body of its own to a sender, so it is judged apart from the fingers.
struct HandAxes {
    AxisFit fingers;
    AxisFit root;

    // The further from the document of the two; undecided until both are decided.
    [[nodiscard]] AxisVerdict verdict() const noexcept {
        return std::min(fingers.verdict, root.verdict) == AxisVerdict::undecided
                   ? AxisVerdict::undecided
                   : std::max(fingers.verdict, root.verdict);
    }
};

// Undecided, both of them, when the positions do not show a hand.
[[nodiscard]] HandAxes check_axes(Hand hand, const SentJoints& joints) noexcept;

// The wrist's orientation: -Z to the middle knuckle, X along the knuckles.
[[nodiscard]] XrQuaternionf root_from_positions(Hand hand, const SentJoints& joints) noexcept;

// Sets every orientation but the root's: -Z along the bone, X along the hinge the finger bends about. `joints` in the
// wrist frame.
void fingers_from_positions(Hand hand, SentJoints& joints) noexcept;

}  // namespace glove
