// SPDX-License-Identifier: Apache-2.0
#include "hand/hand_engine/bone_chain.hpp"

#include <algorithm>

#include "hand/hand_engine/slider_map.hpp"
#include "hand/pose_math.hpp"

namespace glove {
namespace {

using hand_engine::Finger;
using hand_engine::HandMessage;
using hand_engine::is_null;
using hand_engine::kBoneCount;
using hand_engine::kDistal;
using hand_engine::kFingerCount;
using hand_engine::kIntermediate;
using hand_engine::kMetacarpal;
using hand_engine::kProximal;

constexpr auto kThumb = static_cast<std::size_t>(Finger::thumb);

// Lengths and thumb base of the template hand, millimetres; the figures lie amid those of five platforms' hands.
constexpr std::array<std::array<float, kBoneCount>, kFingerCount> kBoneMm{{
    {40, 32, 0, 20},
    {60, 40, 24, 17},
    {62, 44, 27, 18},
    {55, 40, 25, 18},
    {48, 32, 19, 16},
}};
constexpr XrVector3f kLeftThumbBaseMm{25, -16, -31};

// A flat left hand, degrees, amid measured hands: how far metacarpals and straight fingers fan out about the wrist's
// +Y, and the thumb's metacarpal as axis times angle.
constexpr std::array<float, kFingerCount> kMetacarpalFan{0, -7, 0, 9, 17};
constexpr std::array<float, kFingerCount> kFingerFan{0, -3, 1, 7, 11};
constexpr XrVector3f kLeftThumbTurn{0, -47, -75};

// A quaternion of another length is no rotation that somebody meant.
constexpr float kShortestQuaternion = 0.5f;
constexpr float kLongestQuaternion = 1.5f;

// No joint is that far from its parent; keeps later arithmetic far from overflow.
constexpr float kMaxOffsetM = 1.0f;

constexpr std::array<std::size_t, kFingerCount> kFirstJoint{
    XR_HAND_JOINT_THUMB_METACARPAL_EXT, XR_HAND_JOINT_INDEX_METACARPAL_EXT, XR_HAND_JOINT_MIDDLE_METACARPAL_EXT,
    XR_HAND_JOINT_RING_METACARPAL_EXT, XR_HAND_JOINT_LITTLE_METACARPAL_EXT};

constexpr std::uint32_t bit(std::size_t joint) noexcept {
    return 1u << joint;
}

constexpr bool has_bone(std::size_t finger, std::size_t bone) noexcept {
    return finger != kThumb || bone != kIntermediate;
}

// The other hand's, seen in a mirror across the plane x = 0.
constexpr XrVector3f mirrored(const XrVector3f& v) noexcept {
    return {-v.x, v.y, v.z};
}
constexpr XrQuaternionf mirrored(const XrQuaternionf& q) noexcept {
    return {q.x, -q.y, -q.z, q.w};
}

bool to_rotation(const hand_engine::Quaternion& sent, XrQuaternionf& out) noexcept {
    const double square =
        double{sent[0]} * sent[0] + double{sent[1]} * sent[1] + double{sent[2]} * sent[2] + double{sent[3]} * sent[3];
    constexpr double kLeast = double{kShortestQuaternion} * kShortestQuaternion;
    constexpr double kMost = double{kLongestQuaternion} * kLongestQuaternion;
    if (!(square >= kLeast && square <= kMost)) {  // a null is not a number, so it ends here as well
        return false;
    }
    out = normalised({sent[0], sent[1], sent[2], sent[3]});
    return true;
}

HandSample blank(Hand hand, std::uint32_t sequence, float scale) noexcept {
    HandSample sample{};
    sample.hand = hand;
    sample.source = Source::hand_engine;
    sample.sequence = sequence;
    sample.scale = scale;
    sample.wrist_in_forearm = kIdentityPose;
    sample.joint_in_wrist.fill(kIdentityPose);
    return sample;
}

}  // namespace

std::optional<RestPose> rest_pose_of(const HandMessage& message) noexcept {
    RestPose rest{};
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        if (message.from[finger] != HandMessage::From::rotation) {
            return std::nullopt;
        }
        for (std::size_t bone = 0; bone < kBoneCount; ++bone) {
            rest[finger][bone] = kNoRotation;
            const auto& sent = message.bones[finger][bone];
            const bool may_lack = bone == kMetacarpal && is_null(sent);
            if (has_bone(finger, bone) && !may_lack && !to_rotation(sent, rest[finger][bone])) {
                return std::nullopt;
            }
        }
    }
    return rest;
}

BoneChain::BoneChain(Hand hand, const BoneChainSettings& settings) noexcept
    : hand_(hand),
      scale_(settings.size_mm / kTemplateSizeMm),
      axes_(settings.axes),
      custom_axes_(settings.custom_axes[index_of(hand)]),
      rest_(settings.rest[index_of(hand)]) {
    const bool right = hand == Hand::right;
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        for (std::size_t bone = 0; bone < kBoneCount; ++bone) {
            const float mm = settings.bone_mm[finger][bone];
            length_m_[finger][bone] = 0.001f * (mm > 0 ? mm : scale_ * kBoneMm[finger][bone]);
        }
        if (finger == kThumb) {
            const XrVector3f base = 0.001f * scale_ * kLeftThumbBaseMm;
            const XrQuaternionf metacarpal =
                from_rotation_vector(static_cast<float>(kRadiansPerDegree) * kLeftThumbTurn);
            base_m_[finger] = right ? mirrored(base) : base;
            flat_[finger].fill(right ? mirrored(metacarpal) : metacarpal);
        } else {
            base_m_[finger] = 0.001f * settings.size_mm * metacarpal_base_fraction(hand, finger - 1);
            const double sign = right ? -1 : 1;
            flat_[finger].fill(from_euler_degrees(0, sign * kFingerFan[finger], 0));
            flat_[finger][kMetacarpal] = from_euler_degrees(0, sign * kMetacarpalFan[finger], 0);
        }
    }
    last_ = flat_;
}

void BoneChain::pose(const HandMessage& message, HandSample& out) noexcept {
    out = blank(hand_, static_cast<std::uint32_t>(message.timecode), scale_);
    out.sent_ns = message.received_ns;
    out.time_ns = message.received_ns;
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        bool tracked = false;
        switch (message.from[finger]) {
            case HandMessage::From::nothing:
                break;
            case HandMessage::From::rotation:
                tracked = from_rotations(message, finger, last_[finger]);
                break;
            case HandMessage::From::sliders:
                from_sliders(message.sliders, finger, last_[finger]);
                tracked = true;
                break;
        }
        std::size_t joint = kFirstJoint[finger];
        XrVector3f position = base_m_[finger];
        const auto place = [&](const XrQuaternionf& orientation) {
            out.joint_in_wrist[joint] = {orientation, position};
            out.tracked |= tracked ? bit(joint) : 0;
            ++joint;
        };
        for (std::size_t bone = 0; bone < kBoneCount; ++bone) {
            if (has_bone(finger, bone)) {
                const XrQuaternionf& orientation = last_[finger][bone];
                place(orientation);
                position = position + rotate(orientation, {0, 0, -length_m_[finger][bone]});
            }
        }
        place(last_[finger][kDistal]);  // the tip points where its bone does
    }
    const XrPosef& metacarpal = out.joint_in_wrist[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT];
    const XrPosef& proximal = out.joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT];
    out.joint_in_wrist[XR_HAND_JOINT_PALM_EXT] = {metacarpal.orientation,
                                                  midpoint(metacarpal.position, proximal.position)};
    if ((out.tracked & bit(XR_HAND_JOINT_MIDDLE_METACARPAL_EXT)) != 0) {
        out.tracked |= bit(XR_HAND_JOINT_PALM_EXT);
    }
    if (out.tracked != 0) {
        out.tracked |= bit(XR_HAND_JOINT_WRIST_EXT);
    }
}

const AxisMatrix& BoneChain::axes() const noexcept {
    switch (axes_) {
        case Axes::automatic:
            return verdict() == RigVerdict::mirror_x ? kMirrorXAxes : kUnityWaveAxes;
        case Axes::unity_wave:
            return kUnityWaveAxes;
        case Axes::mirror_x:
            return kMirrorXAxes;
        case Axes::openxr:
            return kOpenXrAxes;
        case Axes::custom:
            return custom_axes_;
    }
    return kUnityWaveAxes;
}

bool BoneChain::from_rotations(const HandMessage& message, std::size_t finger, Orientations& out) noexcept {
    const auto& sent = message.bones[finger];
    const bool with_metacarpal = !is_null(sent[kMetacarpal]);
    std::array<XrQuaternionf, kBoneCount> raw{};
    for (std::size_t bone = with_metacarpal ? kMetacarpal : kProximal; bone < kBoneCount; ++bone) {
        if (has_bone(finger, bone) && !to_rotation(sent[bone], raw[bone])) {
            return false;
        }
    }
    if (has_bone(finger, kIntermediate)) {
        detector_.see(static_cast<Finger>(finger), raw[kIntermediate]);
    }
    // A rig without metacarpals hangs its fingers on the hand itself.
    out[kMetacarpal] = flat_[finger][kMetacarpal];
    bool parent_is_wrist = true;
    XrQuaternionf parent = kNoRotation;
    for (std::size_t bone = with_metacarpal ? kMetacarpal : kProximal; bone < kBoneCount; ++bone) {
        if (has_bone(finger, bone)) {
            parent = normalised(multiply(parent, turn_of(finger, bone, parent_is_wrist, raw[bone])));
            out[bone] = parent;
            parent_is_wrist = false;
        }
    }
    return true;
}

XrQuaternionf BoneChain::turn_of(std::size_t finger, std::size_t bone, bool parent_is_wrist,
                                 const XrQuaternionf& raw) const noexcept {
    if (!rest_) {
        return to_openxr(axes(), raw);
    }
    const XrQuaternionf from_flat = to_openxr(axes(), multiply(conjugate((*rest_)[finger][bone]), raw));
    const XrQuaternionf flat_parent = parent_is_wrist ? kNoRotation : flat_[finger][bone - 1];
    return multiply(multiply(conjugate(flat_parent), flat_[finger][bone]), from_flat);
}

void BoneChain::from_sliders(const hand_engine::SliderValues& sliders, std::size_t finger,
                             Orientations& out) const noexcept {
    const FingerAngles angles = finger_angles(sliders, static_cast<Finger>(finger));
    out = flat_[finger];
    const std::size_t first = finger == kThumb ? kMetacarpal : kProximal;
    XrQuaternionf orientation = multiply(flat_[finger][first], splay(hand_, angles.radial));
    std::size_t hinge = 0;
    for (std::size_t bone = first; bone < kBoneCount; ++bone) {
        if (has_bone(finger, bone)) {
            orientation = normalised(multiply(orientation, bend(angles.flexion[hinge++])));
            out[bone] = orientation;
        }
    }
}

bool pose_kinematic(const hand_engine::KinematicHand& kinematic, float size_mm, HandSample& out) noexcept {
    HandSample sample =
        blank(kinematic.hand, static_cast<std::uint32_t>(kinematic.timecode), size_mm / kTemplateSizeMm);
    for (std::size_t joint = 0; joint < kJointCount; ++joint) {
        if (joint == XR_HAND_JOINT_WRIST_EXT) {
            continue;  // where the glove is in the room is not its business here
        }
        const auto& sent = kinematic.joints[joint];
        XrPosef in_parent{kNoRotation, {sent.position[0], sent.position[1], sent.position[2]}};
        if (!(length(in_parent.position) <= kMaxOffsetM) || !to_rotation(sent.orientation, in_parent.orientation)) {
            return false;
        }
        const bool on_wrist = joint == XR_HAND_JOINT_PALM_EXT ||
                              std::find(kFirstJoint.begin(), kFirstJoint.end(), joint) != kFirstJoint.end();
        XrPosef& pose = sample.joint_in_wrist[joint];
        pose = on_wrist ? in_parent : compose(sample.joint_in_wrist[joint - 1], in_parent);
        pose.orientation = normalised(pose.orientation);
    }
    sample.tracked = kAllJointsTracked;
    out = sample;
    return true;
}

}  // namespace glove
