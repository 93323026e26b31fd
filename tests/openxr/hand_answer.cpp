// SPDX-License-Identifier: Apache-2.0
#include "openxr/hand_answer.hpp"

#include <cmath>
#include <cstring>

namespace glove::test {
namespace {

constexpr std::byte kPattern{0xA5};

template <class Array>
bool is_pattern(const Array& array, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
        std::array<std::byte, sizeof array[i]> bytes;
        std::memcpy(bytes.data(), &array[i], sizeof array[i]);
        for (const std::byte byte : bytes) {
            if (byte != kPattern) {
                return false;
            }
        }
    }
    return true;
}

bool is_finite(const XrVector3f& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool is_unit(const XrQuaternionf& q) {
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    return std::abs(x * x + y * y + z * z + w * w - 1) < 1e-5;
}

}  // namespace

HandAnswer::HandAnswer() {
    std::memset(static_cast<void*>(joints.data()), static_cast<int>(kPattern), sizeof joints);
    std::memset(static_cast<void*>(velocities.data()), static_cast<int>(kPattern), sizeof velocities);
    velocity_part = {XR_TYPE_HAND_JOINT_VELOCITIES_EXT, nullptr, kJoints, velocities.data()};
    location_part = {XR_TYPE_HAND_JOINT_LOCATIONS_EXT, &velocity_part, 0xA5A5A5A5u, kJoints, joints.data()};
}

bool HandAnswer::untouched() const {
    return location_part.isActive == 0xA5A5A5A5u && is_pattern(joints, 0, joints.size()) &&
           is_pattern(velocities, 0, velocities.size());
}

::testing::AssertionResult is_whole(const HandAnswer& answer) {
    constexpr XrSpaceLocationFlags kValid =
        XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
    const XrBool32 active = answer.location_part.isActive;
    if (active != XR_TRUE && active != XR_FALSE) {
        return ::testing::AssertionFailure() << "isActive is " << active;
    }
    for (std::size_t i = 0; i < HandAnswer::kJoints; ++i) {
        const XrHandJointLocationEXT& joint = answer.joints[i];
        const XrHandJointVelocityEXT& velocity = answer.velocities[i];
        const auto fault = [&](const char* what) {
            return ::testing::AssertionFailure()
                   << "joint " << i << " of an " << (active ? "active" : "inactive") << " hand: " << what;
        };
        if (is_pattern(answer.joints, i, i + 1) || is_pattern(answer.velocities, i, i + 1)) {
            return fault("not written");
        }
        if (!is_finite(joint.pose.position) || !is_unit(joint.pose.orientation) || !std::isfinite(joint.radius) ||
            !is_finite(velocity.linearVelocity) || !is_finite(velocity.angularVelocity)) {
            return fault("not a pose");
        }
        if ((joint.locationFlags & kValid) != (active ? kValid : 0)) {
            return fault("VALID bits");
        }
        const XrSpaceLocationFlags tracked = joint.locationFlags >> 2;  // TRACKED bits are two above their VALID bits
        if ((tracked & ~(joint.locationFlags & kValid)) != 0) {
            return fault("tracked but not valid");
        }
        if (active ? joint.radius <= 0 : velocity.velocityFlags != 0) {
            return fault(active ? "no radius" : "velocity flags");
        }
    }
    if (!is_pattern(answer.joints, HandAnswer::kJoints, HandAnswer::kJoints + 1) ||
        !is_pattern(answer.velocities, HandAnswer::kJoints, HandAnswer::kJoints + 1)) {
        return ::testing::AssertionFailure() << "written behind the end";
    }
    return ::testing::AssertionSuccess();
}

}  // namespace glove::test
