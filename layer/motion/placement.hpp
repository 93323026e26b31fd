// SPDX-License-Identifier: Apache-2.0
// From the wrist frame into any base space: the last arithmetic before joints leave. On the hot path.
#pragma once

#include <openxr/openxr.h>

#include "motion/hand_motion.hpp"

namespace glove {

// Where the origin of a hand's data is in the base space: its wrist, or its forearm (HandSample::through_forearm).
struct RootMotion {
    XrPosef in_base;      // unit orientation
    Velocity velocity;    // in the base space's axes; zero when not known
    bool velocity_known;  // both parts
    bool orientation_tracked;
    bool position_tracked;
};

// Writes all 26 joints, and all 26 velocities unless null. Every joint has both VALID bits.
// TRACKED bits need `fresh`, a tracked root and a tracked joint; a held forearm clears POSITION_TRACKED.
// PALM is the exact middle of what was written for the middle metacarpal and proximal, with the metacarpal's
// orientation: so OpenXR's conformance test compares it, to 1 % of each coordinate, in whatever base space.
void place_joints(const HandMotion& motion, const RootMotion& root, bool fresh, XrHandJointLocationEXT* locations,
                  XrHandJointVelocityEXT* velocities) noexcept;

// An inactive hand: no flag, identity orientations, everything else zero. Applications read poses without asking.
void clear_joints(XrHandJointLocationEXT* locations, XrHandJointVelocityEXT* velocities) noexcept;

}  // namespace glove
