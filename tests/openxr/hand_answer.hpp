// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <openxr/openxr.h>

#include <array>
#include <cstddef>

namespace glove::test {

// What xrLocateHandJointsEXT writes to, filled with a pattern before: so what is not written shows, and so does what is
// written behind the end.
class HandAnswer {
public:
    static constexpr std::size_t kJoints = XR_HAND_JOINT_COUNT_EXT;

    HandAnswer();
    HandAnswer(const HandAnswer&) = delete;
    HandAnswer& operator=(const HandAnswer&) = delete;

    // For the call. Counts and chain may be changed before it.
    XrHandJointVelocitiesEXT velocity_part;
    XrHandJointLocationsEXT location_part;

    std::array<XrHandJointLocationEXT, kJoints + 1> joints;
    std::array<XrHandJointVelocityEXT, kJoints + 1> velocities;

    [[nodiscard]] bool active() const { return location_part.isActive == XR_TRUE; }
    // Every byte is still the pattern.
    [[nodiscard]] bool untouched() const;
};

// One XrBool32, 26 joints, 26 velocities: all filled, and all valid or none (XR_EXT_hand_tracking, "isActive").
[[nodiscard]] ::testing::AssertionResult is_whole(const HandAnswer& answer);

}  // namespace glove::test
