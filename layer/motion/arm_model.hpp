// SPDX-License-Identifier: Apache-2.0
// Where a hand hangs on a body of which only the head is known: a function of the head's motion alone.
#pragma once

#include "motion/placement.hpp"

namespace glove {

// The head, set upright along the shortest way: its Y is `up_in_base` then. A head that nods or tilts keeps its
// heading, also when it looks straight down. Only a head that stands on itself has none; it gets one.
[[nodiscard]] XrQuaternionf upright(const XrQuaternionf& head_in_base, const XrVector3f& up_in_base) noexcept;

// With the head level, the hand is at `rest_in_head`. It hangs from a neck and shoulders that turn with the head and
// stay upright: so a nod leaves the hand where it is, and level. `head` is of the point between the eyes (VIEW),
// `up_in_base` of unit length.
[[nodiscard]] RootMotion hanging_hand(const RootMotion& head, const XrVector3f& up_in_base,
                                      const XrPosef& rest_in_head) noexcept;

}  // namespace glove
