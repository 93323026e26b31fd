// SPDX-License-Identifier: Apache-2.0
#include "motion/arm_model.hpp"

#include "hand/pose_math.hpp"

namespace glove {

namespace {

// Where the head turns on the spine, seen from between the eyes; metres. What phone viewers take for it.
constexpr XrVector3f kNeckInHead{0, -0.075f, 0.080f};

constexpr XrVector3f kHeadUp{0, 1, 0};

// 1 + cos of the angle between the head's up and the room's. Below it (a head within 2 degrees of standing on itself)
// there is no shortest way.
constexpr float kLeastUpright = 0.0006f;

}  // namespace

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

RootMotion hanging_hand(const RootMotion& head, const XrVector3f& up_in_base, const XrPosef& rest_in_head) noexcept {
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
