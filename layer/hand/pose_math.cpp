// SPDX-License-Identifier: Apache-2.0
#include "hand/pose_math.hpp"

namespace glove {
namespace {

// Metres, or the sine of an angle between unit vectors: below it float positions hold no direction worth having.
constexpr double kShortest = 1e-6;

// Sine of the angle below which "up" is taken to lie along the bone (0.06 degrees).
constexpr float kCollinear = 1e-3f;

// In double precision: squares of short float vectors would lose their digits.
double length_in_double(double x, double y, double z) noexcept {
    return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

XrVector3f direction(const XrVector3f& a, const XrVector3f& fallback) noexcept {
    const double size = length_in_double(a.x, a.y, a.z);
    if (!(size > kShortest) || !std::isfinite(size)) {
        return fallback;
    }
    return {static_cast<float>(a.x / size), static_cast<float>(a.y / size), static_cast<float>(a.z / size)};
}

XrQuaternionf normalised(const XrQuaternionf& q) noexcept {
    const double x = q.x;
    const double y = q.y;
    const double z = q.z;
    const double w = q.w;
    const double size = std::sqrt(x * x + y * y + z * z + w * w);
    if (!(size > kShortest) || !std::isfinite(size)) {
        return kNoRotation;
    }
    return {static_cast<float>(x / size), static_cast<float>(y / size), static_cast<float>(z / size),
            static_cast<float>(w / size)};
}

XrQuaternionf rotation_about(const XrVector3f& axis, float angle) noexcept {
    const float sine = std::sin(0.5f * angle);
    return {sine * axis.x, sine * axis.y, sine * axis.z, std::cos(0.5f * angle)};
}

XrVector3f rotation_vector(const XrQuaternionf& unit) noexcept {
    // q and -q are one rotation; the one with w >= 0 turns by pi at most.
    const double sign = unit.w < 0 ? -1 : 1;
    const double sine = length_in_double(unit.x, unit.y, unit.z);
    const double factor = sine > 0 ? sign * 2 * std::atan2(sine, sign * unit.w) / sine : 0;
    return {static_cast<float>(factor * unit.x), static_cast<float>(factor * unit.y),
            static_cast<float>(factor * unit.z)};
}

XrQuaternionf from_rotation_vector(const XrVector3f& v) noexcept {
    const double angle = length_in_double(v.x, v.y, v.z);
    const double factor = angle > 0 ? std::sin(0.5 * angle) / angle : 0;
    return {static_cast<float>(factor * v.x), static_cast<float>(factor * v.y), static_cast<float>(factor * v.z),
            static_cast<float>(std::cos(0.5 * angle))};
}

XrQuaternionf from_axes(const XrVector3f& x, const XrVector3f& y, const XrVector3f& z) noexcept {
    // Four times the square of each component; the largest is safe to divide by (Shepperd 1978).
    const float xx = 1 + x.x - y.y - z.z;
    const float yy = 1 - x.x + y.y - z.z;
    const float zz = 1 - x.x - y.y + z.z;
    const float ww = 1 + x.x + y.y + z.z;
    if (ww >= xx && ww >= yy && ww >= zz) {
        return normalised({y.z - z.y, z.x - x.z, x.y - y.x, ww});
    }
    if (xx >= yy && xx >= zz) {
        return normalised({xx, x.y + y.x, z.x + x.z, y.z - z.y});
    }
    if (yy >= zz) {
        return normalised({x.y + y.x, yy, y.z + z.y, z.x - x.z});
    }
    return normalised({z.x + x.z, y.z + z.y, zz, x.y - y.x});
}

XrQuaternionf bone_orientation(const XrVector3f& toward_tip, const XrVector3f& up,
                               const XrQuaternionf& fallback) noexcept {
    constexpr XrVector3f nowhere{0, 0, 0};
    const XrVector3f z = -direction(toward_tip, nowhere);
    const XrVector3f across = cross(direction(up, nowhere), z);
    if (!(length(across) > kCollinear)) {
        return fallback;
    }
    const XrVector3f x = direction(across, nowhere);
    return from_axes(x, cross(z, x), z);
}

XrQuaternionf from_euler_degrees(double x, double y, double z) noexcept {
    const auto about = [](const XrVector3f& axis, double degrees) {
        return rotation_about(axis, static_cast<float>(degrees * kRadiansPerDegree));
    };
    return normalised(multiply(about({0, 0, 1}, z), multiply(about({0, 1, 0}, y), about({1, 0, 0}, x))));
}

float angle_between(const XrQuaternionf& a, const XrQuaternionf& b) noexcept {
    const XrQuaternionf turn = multiply(conjugate(a), b);
    return static_cast<float>(2 * std::atan2(length_in_double(turn.x, turn.y, turn.z), std::abs(double{turn.w})));
}

XrQuaternionf slerp(const XrQuaternionf& a, const XrQuaternionf& b, float t) noexcept {
    return normalised(multiply(a, from_rotation_vector(t * rotation_vector(multiply(conjugate(a), b)))));
}

}  // namespace glove
