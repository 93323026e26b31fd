// SPDX-License-Identifier: Apache-2.0
#include "hand/wrist_offset.hpp"

#include <algorithm>
#include <array>

#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"

namespace glove {

namespace {

constexpr float kHandleRadiusM = 0.017f;  // of what is held, where nothing better is known

// The palm joint is the middle of the middle metacarpal, whose head is the knuckle.
XrVector3f palm_in_wrist(Hand hand, float size_m) noexcept {
    constexpr std::size_t kMiddle = 1;
    return size_m * midpoint(metacarpal_base_fraction(hand, kMiddle), {0, 0, -1});
}

// By the definitions alone, of a handle that runs straight across the fist.
XrPosef ideal_wrist_in(PoseKind kind, Hand hand, float size_mm) noexcept {
    const float radius = size_mm / kTemplateSizeMm * kRadiusM[XR_HAND_JOINT_PALM_EXT];  // joint to skin
    const XrVector3f palm = palm_in_wrist(hand, size_mm / 1000);
    const bool left = hand == Hand::left;
    constexpr float kHalfRoot = 0.70710678f;

    // X is the palm's normal (out of the left palm, into the right), Z like the hand's.
    const XrQuaternionf thumb_up =
        left ? XrQuaternionf{0, 0, kHalfRoot, kHalfRoot} : XrQuaternionf{0, 0, -kHalfRoot, kHalfRoot};
    // The hand's axes (X right, Y out of the back, Z to the wrist) in the pose's axes, and the way from the pose's
    // origin to the palm joint in the hand's axes.
    XrQuaternionf hand_in_pose{};
    XrVector3f palm_in_hand{};
    switch (kind) {
        case PoseKind::palm:
            hand_in_pose = thumb_up;
            palm_in_hand = {0, radius, 0};
            break;
        case PoseKind::grip:
            // X is the palm's normal as above, -Z runs in the fist from the little finger to the thumb, so Y is the
            // hand's Z.
            hand_in_pose = left ? XrQuaternionf{-0.5f, 0.5f, 0.5f, 0.5f} : XrQuaternionf{-0.5f, -0.5f, -0.5f, 0.5f};
            palm_in_hand = {0, radius + kHandleRadiusM, 0};
            break;
        case PoseKind::aim:
            // A ray ahead of the hand: taken to lie in the fist, along the metacarpals. Makers turn it from grip about
            // the palm's normal, so whoever points ahead has the thumb up.
            hand_in_pose = thumb_up;
            palm_in_hand = {0, radius, -palm.z};
            break;
    }
    const XrVector3f wrist_in_hand = palm_in_hand - palm;
    return {hand_in_pose, rotate(hand_in_pose, wrist_in_hand)};
}

// The palm pose of the left hand in another pose of its controller: turned about X, the palm's normal, then moved. In
// grip, -90 degrees are the ideal handle, straight across the fist; less than that leans the fingers from -Y to -Z, for
// a handle crosses the palm aslant, its end at the thumb nearer to the fingers. The right hand mirrors the left in X.
struct PalmPlace {
    float pitch_deg;
    XrVector3f position_m;
};
struct ControllerPalm {
    PalmPlace in_grip;
    PalmPlace in_aim;
};

// Not measured on hardware by us, but what the makers' own runtimes say.
// Touch: Meta's on a PC, of a controller that lay still, as written down in VirtualDesktop-OpenXR, action.cpp.
// SteamVR's (its render models' openxr_handmodel in openxr_grip, the same grip) is -60 degrees, the palm 17 mm from
// there.
constexpr ControllerPalm kTouch{{-70, {-0.010f, 0.013f, 0.0075f}}, {-10, {-0.010f, -0.030f, 0.110f}}};
// Index: SteamVR, in Valve's OpenXR-Canonical-Pose-Tool (cpt_SteamVR-valve_index_controller.xml), and the same from its
// render model; 3 degrees about the other axes left out.
constexpr ControllerPalm kIndex{{-55, {-0.015f, 0, 0.001f}}, {0, {-0.017f, -0.071f, 0.085f}}};

struct KnownController {
    std::string_view profile;
    ControllerPalm palm;
};
constexpr std::array<KnownController, 8> kKnownControllers{{
    {"/interaction_profiles/oculus/touch_controller", kTouch},
    {"/interaction_profiles/meta/touch_controller_quest_1_rift_s", kTouch},
    {"/interaction_profiles/meta/touch_controller_quest_2", kTouch},
    {"/interaction_profiles/meta/touch_plus_controller", kTouch},
    {"/interaction_profiles/meta/touch_controller_plus", kTouch},
    {"/interaction_profiles/meta/touch_pro_controller", kTouch},
    {"/interaction_profiles/facebook/touch_controller_pro", kTouch},
    {"/interaction_profiles/valve/index_controller", kIndex},
}};

XrPosef pose_of(const PalmPlace& left, Hand hand) noexcept {
    const float out_of_palm = hand == Hand::left ? left.position_m.x : -left.position_m.x;
    return {rotation_about({1, 0, 0}, static_cast<float>(left.pitch_deg * kRadiansPerDegree)),
            {out_of_palm, left.position_m.y, left.position_m.z}};
}

}  // namespace

XrPosef nominal_wrist_in(std::string_view profile, PoseKind kind, Hand hand, float size_mm) noexcept {
    const auto known = std::find_if(kKnownControllers.begin(), kKnownControllers.end(),
                                    [profile](const KnownController& item) { return item.profile == profile; });
    if (kind == PoseKind::palm || known == kKnownControllers.end()) {
        return ideal_wrist_in(kind, hand, size_mm);
    }
    const PalmPlace& palm = kind == PoseKind::grip ? known->palm.in_grip : known->palm.in_aim;
    return compose(pose_of(palm, hand), ideal_wrist_in(PoseKind::palm, hand, size_mm));
}

}  // namespace glove
