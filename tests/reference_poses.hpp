// SPDX-License-Identifier: Apache-2.0
// Hands that others measured, from data/reference-poses-npm.json (origin and licence: data/README.md).
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <string>
#include <vector>

#include "protocol/hand.hpp"

namespace glove::test {

// Wrist frame, OpenXR axes, metres, indexed by XrHandJointEXT. The palm is not in the data: it is the identity here.
using JointPoses = std::array<XrPosef, XR_HAND_JOINT_COUNT_EXT>;

struct ReferencePose {
    std::string name;  // "left fist, npm handy-work 3.1.13 ..."
    std::string pose;  // "fist"
    Hand hand;
    JointPoses joint_in_wrist;
};

// All 22. Throws when the file is not as expected: a test without its data must not pass.
[[nodiscard]] std::vector<ReferencePose> reference_poses();

// The first of that hand and pose, such as Hand::left, "flat". Throws when there is none.
[[nodiscard]] ReferencePose reference_pose(Hand hand, const std::string& pose);

}  // namespace glove::test
