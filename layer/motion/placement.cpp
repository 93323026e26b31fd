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

// A rotation that many vectors go through: nine products each instead of fifteen and two cross products.
struct Matrix {
    explicit Matrix(const XrQuaternionf& q) noexcept
        : x{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w)},
          y{2 * (q.x * q.y - q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.x * q.w)},
          z{2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)} {}

    [[nodiscard]] XrVector3f turned(const XrVector3f& v) const noexcept { return v.x * x + v.y * y + v.z * z; }

    XrVector3f x, y, z;  // the turned frame's axes
};

}  // namespace

RootMotion at_wrist(const RootMotion& root, const HandMotion& motion) noexcept {
    RootMotion wrist = root;
    wrist.is_forearm = false;
    if (root.is_forearm && motion.sample.through_forearm) {
        wrist.in_base = compose(root.in_base, motion.sample.wrist_in_forearm);
        wrist.in_base.orientation = trimmed(wrist.in_base.orientation);
        wrist.velocity = carried(root.velocity, wrist.in_base.position - root.in_base.position,
                                 turned(root.in_base.orientation, motion.wrist_in_forearm));
        wrist.position_tracked = root.position_tracked && motion.sample.forearm_live;
    }
    return wrist;
}

void place_joints(const HandMotion& motion, const RootMotion& root, bool fresh, XrHandJointLocationEXT* locations,
                  XrHandJointVelocityEXT* velocities) noexcept {
    const HandSample& sample = motion.sample;
    const RootMotion at = at_wrist(root, motion);
    const XrPosef& wrist = at.in_base;
    const bool position_tracked = fresh && at.position_tracked;
    const bool orientation_tracked = fresh && at.orientation_tracked;
    const XrSpaceLocationFlags tracked =
        (orientation_tracked ? XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT : XrSpaceLocationFlags{0}) |
        (position_tracked ? XR_SPACE_LOCATION_POSITION_TRACKED_BIT : XrSpaceLocationFlags{0});

    const Matrix turn(wrist.orientation);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrPosef& joint = sample.joint_in_wrist[i];
        XrHandJointLocationEXT& location = locations[i];
        location.locationFlags = kValid | ((sample.tracked >> i & 1u) != 0 ? tracked : XrSpaceLocationFlags{0});
        location.pose.orientation = trimmed(multiply(wrist.orientation, joint.orientation));
        location.pose.position = wrist.position + turn.turned(joint.position);
        location.radius = sample.scale * kRadiusM[i];
    }
    const XrPosef& metacarpal = locations[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].pose;
    const XrPosef& proximal = locations[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].pose;
    locations[XR_HAND_JOINT_PALM_EXT].pose = {metacarpal.orientation, midpoint(metacarpal.position, proximal.position)};

    if (velocities == nullptr) {
        return;
    }
    XrSpaceVelocityFlags known = at.velocity_known
                                     ? XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT
                                     : XrSpaceVelocityFlags{0};
    Velocity moving = at.velocity;
    if (!at.velocity_known && sample.turn_rate_known) {
        moving.angular = turn.turned(sample.turn_rate);
        known = XR_SPACE_VELOCITY_ANGULAR_VALID_BIT;
    }
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrVector3f offset = locations[i].pose.position - wrist.position;
        const Velocity& own = motion.velocity_in_wrist[i];
        const Velocity v = carried(moving, offset, {turn.turned(own.linear), turn.turned(own.angular)});
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
