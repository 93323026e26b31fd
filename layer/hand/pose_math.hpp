// SPDX-License-Identifier: Apache-2.0
// Arithmetic on OpenXR's vectors, quaternions and poses. Metres, radians, right-handed axes, quaternions x, y, z, w.
// Poses are named by both frames, parent first: compose(a_in_base, b_in_a) is b_in_base.
#pragma once

#include <openxr/openxr.h>

#include <cmath>
#include <numbers>

namespace glove {

inline constexpr XrQuaternionf kNoRotation{0, 0, 0, 1};
inline constexpr XrPosef kIdentityPose{{0, 0, 0, 1}, {0, 0, 0}};
inline constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;

[[nodiscard]] constexpr XrVector3f operator+(const XrVector3f& a, const XrVector3f& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr XrVector3f operator-(const XrVector3f& a, const XrVector3f& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr XrVector3f operator-(const XrVector3f& a) noexcept {
    return {-a.x, -a.y, -a.z};
}
[[nodiscard]] constexpr XrVector3f operator*(float factor, const XrVector3f& a) noexcept {
    return {factor * a.x, factor * a.y, factor * a.z};
}
[[nodiscard]] constexpr float dot(const XrVector3f& a, const XrVector3f& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] constexpr XrVector3f cross(const XrVector3f& a, const XrVector3f& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline float length(const XrVector3f& a) noexcept {
    return std::sqrt(dot(a, a));
}
[[nodiscard]] constexpr XrVector3f midpoint(const XrVector3f& a, const XrVector3f& b) noexcept {
    return {0.5f * (a.x + b.x), 0.5f * (a.y + b.y), 0.5f * (a.z + b.z)};
}

// Unit vector along `a`; `fallback` when `a` is too short to have a direction.
[[nodiscard]] XrVector3f direction(const XrVector3f& a, const XrVector3f& fallback) noexcept;

// First `b`, then `a`, as with matrices.
[[nodiscard]] constexpr XrQuaternionf multiply(const XrQuaternionf& a, const XrQuaternionf& b) noexcept {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
[[nodiscard]] constexpr XrQuaternionf conjugate(const XrQuaternionf& q) noexcept {
    return {-q.x, -q.y, -q.z, q.w};
}
[[nodiscard]] constexpr XrVector3f rotate(const XrQuaternionf& q, const XrVector3f& v) noexcept {
    const XrVector3f u{q.x, q.y, q.z};
    const XrVector3f t = 2.0f * cross(u, v);
    return v + q.w * t + cross(u, t);
}

// To unit length, in double precision. kNoRotation when `q` has no length or is not finite.
[[nodiscard]] XrQuaternionf normalised(const XrQuaternionf& q) noexcept;

// `axis` of unit length, `angle` in radians, right-hand rule.
[[nodiscard]] XrQuaternionf rotation_about(const XrVector3f& axis, float angle) noexcept;

// Axis times angle in radians, angle 0 to pi; and back.
[[nodiscard]] XrVector3f rotation_vector(const XrQuaternionf& unit) noexcept;
[[nodiscard]] XrQuaternionf from_rotation_vector(const XrVector3f& v) noexcept;

// The rotation whose matrix has these columns: unit length, perpendicular, right-handed.
[[nodiscard]] XrQuaternionf from_axes(const XrVector3f& x, const XrVector3f& y, const XrVector3f& z) noexcept;

// The joint orientation of a bone (OpenXR 12.31.5 "Conventions of hand joints"): -Z along `toward_tip`, +Y as near `up`
// as that allows. `fallback` when the two do not span a plane.
[[nodiscard]] XrQuaternionf bone_orientation(const XrVector3f& toward_tip, const XrVector3f& up,
                                             const XrQuaternionf& fallback) noexcept;

// Turns about the fixed x, then y, then z axis; degrees.
[[nodiscard]] XrQuaternionf from_euler_degrees(double x, double y, double z) noexcept;

// Angle between two rotations, radians, 0 to pi.
[[nodiscard]] float angle_between(const XrQuaternionf& a, const XrQuaternionf& b) noexcept;

// From `a` at 0 to `b` at 1 along the shorter arc. `t` is not clamped.
[[nodiscard]] XrQuaternionf slerp(const XrQuaternionf& a, const XrQuaternionf& b, float t) noexcept;

[[nodiscard]] constexpr XrPosef compose(const XrPosef& a_in_base, const XrPosef& b_in_a) noexcept {
    return {multiply(a_in_base.orientation, b_in_a.orientation),
            a_in_base.position + rotate(a_in_base.orientation, b_in_a.position)};
}
[[nodiscard]] constexpr XrPosef inverse(const XrPosef& a_in_b) noexcept {
    const XrQuaternionf q = conjugate(a_in_b.orientation);
    return {q, -rotate(q, a_in_b.position)};
}

}  // namespace glove
