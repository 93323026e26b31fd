// SPDX-License-Identifier: Apache-2.0
#include "motion/joint_blend.hpp"

#include <algorithm>

#include "hand/pose_math.hpp"
#include "motion/blend_length.hpp"

namespace glove {

JointBlend blend_from(const JointPoses& shown, const XrHandJointLocationEXT* source, std::int64_t now_ns) noexcept {
    JointBlend blend;
    const XrQuaternionf to_wrist = conjugate(source[XR_HAND_JOINT_WRIST_EXT].pose.orientation);
    float furthest = 0;
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrPosef& pose = source[i].pose;
        blend.offset_in_wrist[i] = rotate(to_wrist, shown[i].position - pose.position);
        blend.turn_in_joint[i] = rotation_vector(multiply(conjugate(pose.orientation), shown[i].orientation));
        furthest = std::max(furthest, length(blend.offset_in_wrist[i]));
    }
    blend.begun_ns = now_ns;
    blend.length_ns = blend_length_ns(double{furthest / JointBlend::kFastestMps});
    return blend;
}

void apply(const JointBlend& blend, std::int64_t now_ns, XrHandJointLocationEXT* locations,
           XrHandJointVelocityEXT* velocities) noexcept {
    if (now_ns < blend.begun_ns || is_over(blend, now_ns)) {
        return;
    }
    const float rate = 1e9f / static_cast<float>(blend.length_ns);  // per second
    const float rest = 1.0f - static_cast<float>(now_ns - blend.begun_ns) / static_cast<float>(blend.length_ns);
    const XrQuaternionf wrist = locations[XR_HAND_JOINT_WRIST_EXT].pose.orientation;
    const XrVector3f wrist_turns =
        velocities != nullptr ? velocities[XR_HAND_JOINT_WRIST_EXT].angularVelocity : XrVector3f{0, 0, 0};
    for (std::size_t i = 0; i < kJointCount; ++i) {
        XrPosef& pose = locations[i].pose;
        const XrVector3f whole_offset = rotate(wrist, blend.offset_in_wrist[i]);
        const XrVector3f offset = rest * whole_offset;
        const XrVector3f& turn = blend.turn_in_joint[i];
        if (velocities != nullptr) {
            velocities[i].linearVelocity =
                velocities[i].linearVelocity + cross(wrist_turns, offset) - rate * whole_offset;
            velocities[i].angularVelocity = velocities[i].angularVelocity - rotate(pose.orientation, rate * turn);
        }
        pose.position = pose.position + offset;
        pose.orientation = normalised(multiply(pose.orientation, from_rotation_vector(rest * turn)));
    }
}

}  // namespace glove
