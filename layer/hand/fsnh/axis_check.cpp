// SPDX-License-Identifier: Apache-2.0
#include "hand/fsnh/axis_check.hpp"

namespace glove {
namespace {

constexpr std::size_t kIndexKnuckle = first_joint_sent(1);
constexpr std::size_t kMiddleKnuckle = first_joint_sent(2);
constexpr std::size_t kLittleKnuckle = first_joint_sent(4);

// Anything shorter is a default value or a fault, not a hand (a child's: bones 10 mm, knuckle row 40 mm, palm 60 mm).
constexpr float kShortestBoneM = 0.004f;
constexpr float kShortestKnuckleRowM = 0.02f;
constexpr float kShortestPalmM = 0.03f;
constexpr std::size_t kBonesNeeded = 8;  // of 15

// Mean agreement, 1 for perfect. Hands of three platforms in all poses reach 0.99 and 0.94; random orientations 0.5.
constexpr float kBoneAgreement = 0.906f;    // 25 degrees
constexpr float kAcrossAgreement = 0.707f;  // 45 degrees: beyond it another axis is nearer

// Where a left thumb's joints have their X axis in the wrist frame, on average; the right one is the mirror image.
constexpr XrVector3f kLeftThumbHinge{-0.087f, -0.815f, 0.573f};

// How much a straight finger's hinge counts beside the square of the sines of its bends. It decides up to bends of some
// 15 degrees, where the bending plane is mostly noise.
constexpr float kRestHingeWeight = 0.1f;

constexpr std::array<XrVector3f, 6> kAxes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};

// Along the knuckles, to the user's right with the palm down: toward the thumb on the left hand, away from it on the
// right.
XrVector3f across_knuckles(Hand hand, const SentJoints& joints) noexcept {
    const XrVector3f to_index = joints[kIndexKnuckle].position - joints[kLittleKnuckle].position;
    return hand == Hand::left ? to_index : -to_index;
}

// `bone` and `across`: where the joints, on average, have the direction to their child and along the knuckles, in their
// own axes. As the document has it these are -Z and X. A mean of scattered directions is short, so it agrees with
// nothing.
AxisFit fit(const XrVector3f& bone, const XrVector3f& across) noexcept {
    XrVector3f best_x = kAxes[0];
    XrVector3f best_z = kAxes[2];
    float best = -3;
    for (const XrVector3f& z : kAxes) {
        for (const XrVector3f& x : kAxes) {
            const float agreement = dot(across, x) - dot(bone, z);
            if (dot(x, z) == 0 && agreement > best) {
                best = agreement;
                best_x = x;
                best_z = z;
            }
        }
    }
    if (dot(bone, -best_z) < kBoneAgreement || dot(across, best_x) < kAcrossAgreement) {
        return {AxisVerdict::rebuilt, kNoRotation};
    }
    const bool as_documented = best_x.x == 1 && best_z.z == 1;
    return {as_documented ? AxisVerdict::documented : AxisVerdict::permuted,
            from_axes(best_x, cross(best_z, best_x), best_z)};
}

}  // namespace

const char* name_of(AxisVerdict verdict) noexcept {
    switch (verdict) {
        case AxisVerdict::undecided:
            return "undecided";
        case AxisVerdict::documented:
            return "documented";
        case AxisVerdict::permuted:
            return "permuted";
        case AxisVerdict::rebuilt:
            return "rebuilt";
    }
    return "unknown";
}

HandAxes check_axes(Hand hand, const SentJoints& joints) noexcept {
    const XrVector3f knuckle_row = across_knuckles(hand, joints);
    const XrVector3f palm = joints[kMiddleKnuckle].position - joints[kRootSent].position;
    if (length(knuckle_row) < kShortestKnuckleRowM || length(palm) < kShortestPalmM) {
        return {};
    }
    const XrVector3f across = direction(knuckle_row, kAxes[0]);

    XrVector3f bone_sum{0, 0, 0};
    XrVector3f across_sum{0, 0, 0};
    float bones = 0;
    float finger_bones = 0;
    for (std::size_t finger = 0; finger < kFingersSent; ++finger) {
        for (std::size_t i = 0; i + 1 < kJointsPerFinger; ++i) {
            const XrPosef& joint = joints[first_joint_sent(finger) + i];
            const XrVector3f bone = joints[first_joint_sent(finger) + i + 1].position - joint.position;
            if (length(bone) < kShortestBoneM) {
                continue;
            }
            const XrQuaternionf to_own_axes = conjugate(joint.orientation);
            bone_sum = bone_sum + rotate(to_own_axes, direction(bone, kAxes[0]));
            bones += 1;
            if (finger != 0) {  // the thumb is rolled against the knuckles
                across_sum = across_sum + rotate(to_own_axes, across);
                finger_bones += 1;
            }
        }
    }
    if (bones < kBonesNeeded) {
        return {};
    }

    const XrQuaternionf to_root_axes = conjugate(joints[kRootSent].orientation);
    return {fit(1 / bones * bone_sum, 1 / finger_bones * across_sum),
            fit(rotate(to_root_axes, direction(palm, kAxes[0])), rotate(to_root_axes, across))};
}

XrQuaternionf root_from_positions(Hand hand, const SentJoints& joints) noexcept {
    const XrVector3f palm = joints[kMiddleKnuckle].position - joints[kRootSent].position;
    return bone_orientation(palm, cross(across_knuckles(hand, joints), palm), kNoRotation);
}

void fingers_from_positions(Hand hand, SentJoints& joints) noexcept {
    const XrVector3f thumb_hinge =
        hand == Hand::left ? kLeftThumbHinge : XrVector3f{kLeftThumbHinge.x, -kLeftThumbHinge.y, -kLeftThumbHinge.z};
    const XrVector3f knuckles = direction(across_knuckles(hand, joints), kAxes[0]);

    for (std::size_t finger = 0; finger < kFingersSent; ++finger) {
        XrPosef* const joint = &joints[first_joint_sent(finger)];

        // A bone without length goes on in the direction of the one before it.
        std::array<XrVector3f, kJointsPerFinger - 1> bone{};
        XrVector3f toward_tip{0, 0, -1};
        for (std::size_t i = 0; i < bone.size(); ++i) {
            toward_tip = direction(joint[i + 1].position - joint[i].position, toward_tip);
            bone[i] = toward_tip;
        }

        // `bend` lies along the hinge, as long as the finger is bent. Its sign says flexion or overstretching, and is
        // noise in a straight finger; as it stands here twice, only the rest hinge decides where X points.
        const XrVector3f& rest_hinge = finger == 0 ? thumb_hinge : knuckles;
        const XrVector3f bend = cross(bone[0], bone[1]) + cross(bone[1], bone[2]);
        const XrVector3f hinge = dot(bend, rest_hinge) * bend + kRestHingeWeight * rest_hinge;

        XrQuaternionf orientation = kNoRotation;
        for (std::size_t i = 0; i < bone.size(); ++i) {
            orientation = bone_orientation(bone[i], cross(hinge, bone[i]), orientation);
            joint[i].orientation = orientation;
        }
        joint[kJointsPerFinger - 1].orientation = orientation;
    }
}

}  // namespace glove
