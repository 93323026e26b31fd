// SPDX-License-Identifier: Apache-2.0
// Where a hand hangs on a body of which only the head is known: an arm from the shoulder, and a neck that carries both.
// A function of the head's motion alone.
#pragma once

#include "motion/placement.hpp"

namespace glove {

// How the forearm lies of an arm whose wrist is at `wrist_in_head` of a level head (VIEW axes, metres): -Z along it
// from the elbow to the wrist, Y as near up as that allows. A grown-up's shoulder, upper arm and forearm; the elbow is
// as low as they let it, and a little aside. A wrist beyond the arm's reach is pointed at.
[[nodiscard]] XrQuaternionf forearm_at(Hand hand, const XrVector3f& wrist_in_head) noexcept;

// The head, set upright along the shortest way: its Y is `up_in_base` then. A head that nods or tilts keeps its
// heading, also when it looks straight down. Only a head that stands on itself has none; it gets one.
[[nodiscard]] XrQuaternionf upright(const XrQuaternionf& head_in_base, const XrVector3f& up_in_base) noexcept;

// With the head level, the hand is at `rest_in_head`. It hangs from a neck and shoulders that turn with the head and
// stay upright: so a nod leaves the hand where it is, and level. `head` is of the point between the eyes (VIEW),
// `up_in_base` of unit length.
[[nodiscard]] RootMotion head_anchored_hand(const RootMotion& head, const XrVector3f& up_in_base,
                                            const XrPosef& rest_in_head) noexcept;

}  // namespace glove
