// SPDX-License-Identifier: Apache-2.0
// Hand Engine's sliders -> the turns of one finger's joints. Coarser than rotations: one hinge per joint, one splay.
#pragma once

#include <openxr/openxr.h>

#include <array>

#include "protocol/hand_engine.hpp"

namespace glove {

// Radians. Fingers: at the proximal, intermediate and distal joint; thumb: metacarpal, proximal, distal.
struct FingerAngles {
    std::array<float, 3> flexion;  // positive closes the fist
    float radial;                  // the first joint's turn to the thumb's side; of the thumb away from the fingers
};

// The document gives sliders a range but no angles: the ranges here are those of an adult hand. Values beyond the range
// bend on until the joint's limit. A missing distal bend follows the intermediate one, a missing splay the hand's.
[[nodiscard]] FingerAngles finger_angles(const hand_engine::SliderValues& sliders, hand_engine::Finger finger) noexcept;

// The joint's turn in its parent, from straight. OpenXR axes: a finger bends about -X on both hands.
[[nodiscard]] XrQuaternionf bend(float flexion) noexcept;
[[nodiscard]] XrQuaternionf splay(Hand hand, float radial) noexcept;

}  // namespace glove
