// SPDX-License-Identifier: Apache-2.0
// Rigid motion in double precision. Written apart from the layer's pose_math, so that a fault there shows in tests.
#pragma once

#include <openxr/openxr.h>

#include <cmath>

namespace glove::test_runtime {

struct Vector {
    double x, y, z;
};

inline Vector operator+(const Vector& a, const Vector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector operator-(const Vector& a, const Vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vector operator*(double factor, const Vector& a) {
    return {factor * a.x, factor * a.y, factor * a.z};
}
inline Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vector& a) {
    return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// w + v, as Hamilton wrote them.
struct Quaternion {
    double w;
    Vector v;
};

inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    const double dot = a.v.x * b.v.x + a.v.y * b.v.y + a.v.z * b.v.z;
    return {a.w * b.w - dot, a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
inline Quaternion conjugate(const Quaternion& q) {
    return {q.w, -1.0 * q.v};
}
inline Vector rotate(const Quaternion& q, const Vector& a) {
    return (q * Quaternion{0, a} * conjugate(q)).v;
}

struct Pose {
    Quaternion orientation;
    Vector position;
};

// A frame in the world: its pose there, and how its origin moves and it turns, both in the world's axes.
struct Motion {
    Pose pose;
    Vector linear{0, 0, 0};
    Vector angular{0, 0, 0};
};

inline Vector from_xr(const XrVector3f& a) {
    return {a.x, a.y, a.z};
}
inline XrVector3f to_xr(const Vector& a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
// To unit length on the way in: OpenXR lets a program be 1 % off.
inline Pose from_xr(const XrPosef& pose) {
    const XrQuaternionf& q = pose.orientation;
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    const double factor = 1.0 / std::sqrt(x * x + y * y + z * z + w * w);
    return {{factor * w, factor * Vector{x, y, z}}, from_xr(pose.position)};
}
inline XrPosef to_xr(const Pose& pose) {
    const XrVector3f v = to_xr(pose.orientation.v);
    return {{v.x, v.y, v.z, static_cast<float>(pose.orientation.w)}, to_xr(pose.position)};
}

// `pose` fixed to `tracked device`.
inline Motion attached(const Motion& device, const Pose& pose) {
    const Vector arm = rotate(device.pose.orientation, pose.position);
    return {{device.pose.orientation * pose.orientation, device.pose.position + arm},
            device.linear + cross(device.angular, arm),
            device.angular};
}

// `a` as an observer in `base` sees it, in the axes of `base`.
inline Motion relative(const Motion& a, const Motion& base) {
    const Quaternion to_base = conjugate(base.pose.orientation);
    const Vector between = a.pose.position - base.pose.position;
    return {{to_base * a.pose.orientation, rotate(to_base, between)},
            rotate(to_base, a.linear - base.linear - cross(base.angular, between)),
            rotate(to_base, a.angular - base.angular)};
}

// After `seconds` at constant velocities.
inline Motion moved(const Motion& motion, double seconds) {
    const double angle = seconds * length(motion.angular);
    Quaternion turn{1, {0, 0, 0}};
    if (angle != 0) {
        turn = {std::cos(angle / 2), (std::sin(angle / 2) * seconds / angle) * motion.angular};
    }
    return {{turn * motion.pose.orientation, motion.pose.position + seconds * motion.linear},
            motion.linear,
            motion.angular};
}

}  // namespace glove::test_runtime
