// SPDX-License-Identifier: Apache-2.0
// From the wrist frame into any base space: the last arithmetic before joints leave. On the hot path.
#pragma once

#include <openxr/openxr.h>

#include "motion/hand_motion.hpp"

namespace glove {

// Where the hand is held in the base space: at its wrist, or at its forearm.
struct RootMotion {
    XrPosef in_base;      // unit orientation
    bool is_forearm;      // then the hand moves on it, if its data say how (HandSample::through_forearm)
    Velocity velocity;    // in the base space's axes; zero when not known
    bool velocity_known;  // both parts
    bool orientation_tracked;
    bool position_tracked;
};

// The wrist's place where the root is the forearm and the hand's data say how the hand stands on it; else `root`.
[[nodiscard]] RootMotion at_wrist(const RootMotion& root, const HandMotion& motion) noexcept;

// Writes all 26 joints, and all 26 velocities unless null. Every joint has both VALID bits.
// TRACKED bits need `fresh`, a tracked root and a tracked joint; a held forearm clears POSITION_TRACKED.
// Where the root's velocity is not known, a glove that measures how the wrist turns gives the angular velocities; the
// base space is taken to stand still in the room then.
// PALM is the exact middle of what was written for the middle metacarpal and proximal, with the metacarpal's
// orientation: so OpenXR's conformance test compares it, to 1 % of each coordinate, in whatever base space.
void place_joints(const HandMotion& motion, const RootMotion& root, bool fresh, XrHandJointLocationEXT* locations,
                  XrHandJointVelocityEXT* velocities) noexcept;

// An inactive hand: no flag, identity orientations, everything else zero. Applications read poses without asking.
void clear_joints(XrHandJointLocationEXT* locations, XrHandJointVelocityEXT* velocities) noexcept;

}  // namespace glove
