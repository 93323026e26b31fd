// SPDX-License-Identifier: Apache-2.0
#include "hand/fsnh/retarget.hpp"

#include <cmath>

#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr std::array<XrHandJointEXT, fsnh::kWristJointCount> kJointSent{
    XR_HAND_JOINT_WRIST_EXT,  // the palm root
    XR_HAND_JOINT_THUMB_METACARPAL_EXT,
    XR_HAND_JOINT_THUMB_PROXIMAL_EXT,
    XR_HAND_JOINT_THUMB_DISTAL_EXT,
    XR_HAND_JOINT_THUMB_TIP_EXT,
    XR_HAND_JOINT_INDEX_PROXIMAL_EXT,
    XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT,
    XR_HAND_JOINT_INDEX_DISTAL_EXT,
    XR_HAND_JOINT_INDEX_TIP_EXT,
    XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT,
    XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT,
    XR_HAND_JOINT_MIDDLE_DISTAL_EXT,
    XR_HAND_JOINT_MIDDLE_TIP_EXT,
    XR_HAND_JOINT_RING_PROXIMAL_EXT,
    XR_HAND_JOINT_RING_INTERMEDIATE_EXT,
    XR_HAND_JOINT_RING_DISTAL_EXT,
    XR_HAND_JOINT_RING_TIP_EXT,
    XR_HAND_JOINT_LITTLE_PROXIMAL_EXT,
    XR_HAND_JOINT_LITTLE_INTERMEDIATE_EXT,
    XR_HAND_JOINT_LITTLE_DISTAL_EXT,
    XR_HAND_JOINT_LITTLE_TIP_EXT,
};

constexpr std::array<std::size_t, 4> kFingerMetacarpals{
    XR_HAND_JOINT_INDEX_METACARPAL_EXT,
    XR_HAND_JOINT_MIDDLE_METACARPAL_EXT,
    XR_HAND_JOINT_RING_METACARPAL_EXT,
    XR_HAND_JOINT_LITTLE_METACARPAL_EXT,
};

// Left: right, forward, up. Right: left, back, up. Both are right-handed, so the change of axes is a rotation and the
// vector part of a quaternion changes as a position does; no mirroring.
XrPosef to_openxr_axes(Hand hand, const fsnh::JointPose& sent) noexcept {
    const auto [x, y, z] = sent.position;
    const auto [qw, qx, qy, qz] = sent.orientation_wxyz;
    if (hand == Hand::left) {
        return {normalised({qx, qz, -qy, qw}), {x, z, -y}};
    }
    return {normalised({-qx, qz, qy, qw}), {-x, z, y}};
}

// A tip continues the distal bone (OpenXR 12.31.5 has no bone of its own for it). A tip far off that is a default value
// or a sensor's own axes, and would bend a fingertip that does not bend.
void straighten_odd_tips(SentJoints& joints) noexcept {
    constexpr float kCosHalf30Degrees = 0.9659258f;
    for (std::size_t finger = 0; finger < kFingersSent; ++finger) {
        const XrQuaternionf& distal = joints[first_joint_sent(finger) + kJointsPerFinger - 2].orientation;
        XrQuaternionf& tip = joints[first_joint_sent(finger) + kJointsPerFinger - 1].orientation;
        const float cos_half = distal.x * tip.x + distal.y * tip.y + distal.z * tip.z + distal.w * tip.w;
        if (std::abs(cos_half) < kCosHalf30Degrees) {
            tip = distal;
        }
    }
}

// Metacarpals do not move against the wrist by more than platforms disagree about where they are: a template is enough.
void add_metacarpals_and_palm(Hand hand, std::array<XrPosef, kJointCount>& joint_in_wrist) noexcept {
    const float size = length(joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position);
    constexpr XrVector3f back_of_hand{0, 1, 0};
    for (std::size_t finger = 0; finger < kFingerMetacarpals.size(); ++finger) {
        XrPosef& metacarpal = joint_in_wrist[kFingerMetacarpals[finger]];
        const XrVector3f& knuckle = joint_in_wrist[kFingerMetacarpals[finger] + 1].position;
        metacarpal.position = size * metacarpal_base_fraction(hand, finger);
        metacarpal.orientation = bone_orientation(knuckle - metacarpal.position, back_of_hand, kNoRotation);
    }
    const XrPosef& middle = joint_in_wrist[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT];
    joint_in_wrist[XR_HAND_JOINT_PALM_EXT] = {
        middle.orientation, midpoint(middle.position, joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position)};
}

}  // namespace

FsnhRetarget::FsnhRetarget(Hand hand, float size_mm) noexcept : hand_(hand), scale_(size_mm / kTemplateSizeMm) {
}

void FsnhRetarget::retarget(const fsnh::Message& message, std::int64_t now_ns, HandSample& out) noexcept {
    SentJoints joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        joints[i] = to_openxr_axes(hand_, message.joints[i]);
    }
    vote_.see(hand_, joints, now_ns);
    const HandAxes& axes = vote_.axes();

    XrPosef root = joints[kRootSent];
    root.orientation = axes.root.verdict == AxisVerdict::rebuilt
                           ? root_from_positions(hand_, joints)
                           : normalised(multiply(root.orientation, axes.root.turn));

    joints[kRootSent] = kIdentityPose;
    const XrPosef origin_in_wrist = inverse(root);
    for (std::size_t i = 1; i < joints.size(); ++i) {
        joints[i] = compose(origin_in_wrist, joints[i]);
        joints[i].orientation = normalised(multiply(joints[i].orientation, axes.fingers.turn));
    }
    if (axes.fingers.verdict == AxisVerdict::rebuilt) {
        fingers_from_positions(hand_, joints);
    } else {
        straighten_odd_tips(joints);
    }

    for (std::size_t i = 0; i < joints.size(); ++i) {
        out.joint_in_wrist[kJointSent[i]] = joints[i];
    }
    add_metacarpals_and_palm(hand_, out.joint_in_wrist);

    out.hand = hand_;
    out.source = Source::fsnh;
    out.through_forearm = message.forearm_format;
    out.forearm_live = message.forearm_live;
    out.sequence = message.frame_index;
    out.tracked = kAllJointsTracked;
    out.scale = scale_;
    out.sent_ns = static_cast<std::int64_t>(message.timestamp_ns);
    out.wrist_in_forearm = message.forearm_format ? root : kIdentityPose;
    out.turn_rate_known = false;
    out.turn_rate = {0, 0, 0};
}

}  // namespace glove
