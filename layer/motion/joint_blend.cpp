// SPDX-License-Identifier: Apache-2.0
#include "motion/joint_blend.hpp"

#include <algorithm>

#include "hand/pose_math.hpp"

namespace glove {

JointBlend blend_from(const JointPoses& shown, const XrHandJointLocationEXT* source, std::int64_t now_ns) noexcept {
    JointBlend blend;
    float furthest = 0;
    for (std::size_t i = 0; i < kJointCount; ++i) {
        blend.shown_in_joint[i] = compose(inverse(source[i].pose), shown[i]);
        furthest = std::max(furthest, length(blend.shown_in_joint[i].position));
    }
    const double seconds = static_cast<double>(furthest / JointBlend::kFastestMps);
    blend.begun_ns = now_ns;
    blend.length_ns = std::max(JointBlend::kShortestNs, static_cast<std::int64_t>(seconds * 1e9));
    return blend;
}

void apply(const JointBlend& blend, std::int64_t now_ns, XrHandJointLocationEXT* locations,
           XrHandJointVelocityEXT* velocities) noexcept {
    if (now_ns < blend.begun_ns || is_over(blend, now_ns)) {
        return;
    }
    const float rate = 1e9f / static_cast<float>(blend.length_ns);  // per second
    const float rest = 1.0f - static_cast<float>(now_ns - blend.begun_ns) / static_cast<float>(blend.length_ns);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrPosef& difference = blend.shown_in_joint[i];
        XrPosef& pose = locations[i].pose;
        const XrVector3f turn = rotation_vector(difference.orientation);
        const XrVector3f offset = rotate(pose.orientation, rest * difference.position);
        if (velocities != nullptr) {
            velocities[i].linearVelocity = velocities[i].linearVelocity + cross(velocities[i].angularVelocity, offset) +
                                           rotate(pose.orientation, -rate * difference.position);
            velocities[i].angularVelocity = velocities[i].angularVelocity + rotate(pose.orientation, -rate * turn);
        }
        pose.position = pose.position + offset;
        pose.orientation = normalised(multiply(pose.orientation, from_rotation_vector(rest * turn)));
    }
    const XrPosef& metacarpal = locations[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].pose;
    const XrPosef& proximal = locations[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].pose;
    locations[XR_HAND_JOINT_PALM_EXT].pose = {metacarpal.orientation, midpoint(metacarpal.position, proximal.position)};
}

}  // namespace glove
