// SPDX-License-Identifier: Apache-2.0
#include "motion/placement.hpp"

#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"

namespace glove {

namespace {

constexpr XrSpaceLocationFlags kValid = XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;

// One Newton step toward unit length: exact to float precision for a product of two unit quaternions, and much cheaper
// than a square root and a division for each of 26 joints.
XrQuaternionf trimmed(const XrQuaternionf& q) noexcept {
    const float factor = 1.5f - 0.5f * (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {factor * q.x, factor * q.y, factor * q.z, factor * q.w};
}

// The velocity of a point at `offset` from a moving frame's origin, itself moving in that frame; all in base axes.
Velocity carried(const Velocity& frame, const XrVector3f& offset, const Velocity& in_frame) noexcept {
    return {frame.linear + cross(frame.angular, offset) + in_frame.linear, frame.angular + in_frame.angular};
}

Velocity turned(const XrQuaternionf& q, const Velocity& v) noexcept {
    return {rotate(q, v.linear), rotate(q, v.angular)};
}

}  // namespace

void place_joints(const HandMotion& motion, const RootMotion& root, bool fresh, XrHandJointLocationEXT* locations,
                  XrHandJointVelocityEXT* velocities) noexcept {
    const HandSample& sample = motion.sample;

    XrPosef wrist = root.in_base;
    Velocity wrist_velocity = root.velocity;
    bool position_tracked = fresh && root.position_tracked;
    const bool orientation_tracked = fresh && root.orientation_tracked;
    if (sample.through_forearm) {
        wrist = compose(root.in_base, sample.wrist_in_forearm);
        wrist.orientation = trimmed(wrist.orientation);
        wrist_velocity = carried(root.velocity, wrist.position - root.in_base.position,
                                 turned(root.in_base.orientation, motion.wrist_in_forearm));
        position_tracked = position_tracked && sample.forearm_live;
    }
    const XrSpaceLocationFlags tracked =
        (orientation_tracked ? XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT : XrSpaceLocationFlags{0}) |
        (position_tracked ? XR_SPACE_LOCATION_POSITION_TRACKED_BIT : XrSpaceLocationFlags{0});

    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrPosef& joint = sample.joint_in_wrist[i];
        XrHandJointLocationEXT& location = locations[i];
        location.locationFlags = kValid | ((sample.tracked >> i & 1u) != 0 ? tracked : XrSpaceLocationFlags{0});
        location.pose.orientation = trimmed(multiply(wrist.orientation, joint.orientation));
        location.pose.position = wrist.position + rotate(wrist.orientation, joint.position);
        location.radius = sample.scale * kRadiusM[i];
    }
    const XrPosef& metacarpal = locations[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].pose;
    const XrPosef& proximal = locations[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].pose;
    locations[XR_HAND_JOINT_PALM_EXT].pose = {metacarpal.orientation, midpoint(metacarpal.position, proximal.position)};

    if (velocities == nullptr) {
        return;
    }
    const XrSpaceVelocityFlags known = root.velocity_known
                                           ? XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT
                                           : XrSpaceVelocityFlags{0};
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrVector3f offset = locations[i].pose.position - wrist.position;
        const Velocity v = carried(wrist_velocity, offset, turned(wrist.orientation, motion.velocity_in_wrist[i]));
        velocities[i] = {known, v.linear, v.angular};
    }
}

void clear_joints(XrHandJointLocationEXT* locations, XrHandJointVelocityEXT* velocities) noexcept {
    for (std::size_t i = 0; i < kJointCount; ++i) {
        locations[i] = {0, kIdentityPose, 0};
    }
    if (velocities != nullptr) {
        for (std::size_t i = 0; i < kJointCount; ++i) {
            velocities[i] = {0, {0, 0, 0}, {0, 0, 0}};
        }
    }
}

}  // namespace glove
