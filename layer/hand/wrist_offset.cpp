// SPDX-License-Identifier: Apache-2.0
#include "hand/wrist_offset.hpp"

#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"

namespace glove {

namespace {

constexpr float kHandleRadiusM = 0.017f;  // of what is held

// The palm joint is the middle of the middle metacarpal, whose head is the knuckle.
XrVector3f palm_in_wrist(Hand hand, float size_m) noexcept {
    constexpr std::size_t kMiddle = 1;
    return size_m * midpoint(metacarpal_base_fraction(hand, kMiddle), {0, 0, -1});
}

}  // namespace

XrPosef nominal_wrist_in(PoseKind kind, Hand hand, float size_mm) noexcept {
    const float radius = size_mm / kTemplateSizeMm * kRadiusM[XR_HAND_JOINT_PALM_EXT];  // joint to skin
    const XrVector3f palm = palm_in_wrist(hand, size_mm / 1000);
    const bool left = hand == Hand::left;
    constexpr float kHalfRoot = 0.70710678f;

    // The hand's axes (X right, Y out of the back, Z to the wrist) in the pose's axes, and the way from the pose's
    // origin to the palm joint in the hand's axes.
    XrQuaternionf hand_in_pose{};
    XrVector3f palm_in_hand{};
    switch (kind) {
        case PoseKind::palm:
            // X is the palm's normal (out of the left palm, into the right), Z like the hand's.
            hand_in_pose =
                left ? XrQuaternionf{0, 0, kHalfRoot, kHalfRoot} : XrQuaternionf{0, 0, -kHalfRoot, kHalfRoot};
            palm_in_hand = {0, radius, 0};
            break;
        case PoseKind::grip:
            // X is the palm's normal as above, -Z runs in the fist from the little finger to the thumb, so Y is the
            // hand's Z.
            hand_in_pose = left ? XrQuaternionf{-0.5f, 0.5f, 0.5f, 0.5f} : XrQuaternionf{-0.5f, -0.5f, -0.5f, 0.5f};
            palm_in_hand = {0, radius + kHandleRadiusM, 0};
            break;
        case PoseKind::aim:
            // A ray ahead of the hand: taken to lie in the fist, along the metacarpals.
            hand_in_pose = kNoRotation;
            palm_in_hand = {0, radius, -palm.z};
            break;
    }
    const XrVector3f wrist_in_hand = palm_in_hand - palm;
    return {hand_in_pose, rotate(hand_in_pose, wrist_in_hand)};
}

}  // namespace glove
