// SPDX-License-Identifier: Apache-2.0
#include "motion/arm_model.hpp"

#include <algorithm>
#include <cmath>

#include "hand/pose_math.hpp"

namespace glove {

namespace {

// Where the head turns on the spine, seen from between the eyes; metres. What phone viewers take for it.
constexpr XrVector3f kNeckInHead{0, -0.075f, 0.080f};

// The right arm of a grown-up, metres. The joint of the shoulder lies under its tip (0.39 between both tips), which
// lies some 0.2 under the eyes; the other two are the lengths between joints.
constexpr XrVector3f kShoulderInHead{0.175f, -0.230f, 0.100f};
constexpr float kUpperArmM = 0.290f;
constexpr float kForearmM = 0.260f;
// Where the elbow would like to be, from the line between shoulder and wrist: down, and out a little.
constexpr XrVector3f kElbowWay{0.25f, -1, 0};

constexpr XrVector3f kHeadUp{0, 1, 0};

// 1 + cos of the angle between the head's up and the room's. Below it (a head within 2 degrees of standing on itself)
// there is no shortest way.
constexpr float kLeastUpright = 0.0006f;

}  // namespace

XrQuaternionf forearm_at(Hand hand, const XrVector3f& wrist_in_head) noexcept {
    const float side = hand == Hand::left ? -1.0f : 1.0f;
    const XrVector3f shoulder{side * kShoulderInHead.x, kShoulderInHead.y, kShoulderInHead.z};
    const XrVector3f elbow_way{side * kElbowWay.x, kElbowWay.y, kElbowWay.z};

    // The triangle of shoulder, elbow and wrist: the elbow's place along the line, and how far from it.
    const XrVector3f reach = wrist_in_head - shoulder;
    const XrVector3f ahead = direction(reach, {0, 0, -1});
    const float far = std::clamp(length(reach), kUpperArmM - kForearmM + 0.001f, kUpperArmM + kForearmM);
    const float along = (far * far + kUpperArmM * kUpperArmM - kForearmM * kForearmM) / (2 * far);
    const float aside = std::sqrt(std::max(0.0f, kUpperArmM * kUpperArmM - along * along));
    const XrVector3f away = direction(elbow_way - dot(elbow_way, ahead) * ahead, {0, 0, 1});
    const XrVector3f elbow_to_wrist = (far - along) * ahead - aside * away;

    // Up, or what was up before the arm was raised to there.
    return bone_orientation(elbow_to_wrist, kHeadUp, bone_orientation(elbow_to_wrist, {0, 0, 1}, kNoRotation));
}

XrQuaternionf upright(const XrQuaternionf& head_in_base, const XrVector3f& up_in_base) noexcept {
    const XrVector3f head_up = rotate(head_in_base, kHeadUp);
    const float uprightness = 1 + dot(head_up, up_in_base);
    if (uprightness < kLeastUpright) {
        constexpr XrQuaternionf kHalfTurnAboutX{1, 0, 0, 0};  // as if it had nodded to there
        return upright(multiply(head_in_base, kHalfTurnAboutX), up_in_base);
    }
    const XrVector3f axis = cross(head_up, up_in_base);
    return normalised(multiply(normalised({axis.x, axis.y, axis.z, uprightness}), head_in_base));
}

RootMotion head_anchored_hand(const RootMotion& head, const XrVector3f& up_in_base,
                              const XrPosef& rest_in_head) noexcept {
    const XrQuaternionf& turned = head.in_base.orientation;
    const XrQuaternionf body = upright(turned, up_in_base);
    const XrVector3f neck = rotate(turned, kNeckInHead);
    const XrVector3f arm = rotate(body, rest_in_head.position - kNeckInHead);

    RootMotion hand = head;
    hand.in_base = {normalised(multiply(body, rest_in_head.orientation)), head.in_base.position + neck + arm};

    // How fast the upright frame turns: about the room's up alone, and by the share of the head's turn that is about
    // the middle between its own up and the room's.
    const XrVector3f head_up = rotate(turned, kHeadUp);
    const float uprightness = 1 + dot(head_up, up_in_base);
    const float rate = uprightness < kLeastUpright ? 0 : dot(head.velocity.angular, head_up + up_in_base) / uprightness;
    hand.velocity.angular = rate * up_in_base;
    hand.velocity.linear =
        head.velocity.linear + cross(head.velocity.angular, neck) + cross(hand.velocity.angular, arm);
    return hand;
}

}  // namespace glove
