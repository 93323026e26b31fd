// SPDX-License-Identifier: Apache-2.0
// What a person showed while holding a pose, and whether it can be the pose they were asked for. Pure.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "glovectl/held_pose.hpp"
#include "glovectl/raw_gloves.hpp"
#include "hand/fnim/hand_calibration.hpp"
#include "hand/hand_engine/bone_chain.hpp"

namespace glove::ctl {

// Of one hand, while it was held.
struct Recording {
    std::vector<fnim::Message> coils;
    std::vector<RestPose> rotations;

    [[nodiscard]] std::size_t size() const noexcept { return coils.size() + rotations.size(); }
};

// Adds it, and says where the parts of the hand are; empty when the message does not say.
[[nodiscard]] Parts add_to(Recording& recording, const RawMessage& message);

// The mean over all messages, and how far they are from it: root mean square over bones and messages, radians.
struct MeanRest {
    RestPose rest;
    double spread_rad;
};
[[nodiscard]] MeanRest mean_of(const std::vector<RestPose>& rotations);

// Why this can be no flat hand, fist or pinch; empty when it can. `flat` and `fist` were held before.
// `expected`: the hand as far as it is known.
[[nodiscard]] std::string why_no_flat_hand(const HandCalibration& expected, const Recording& candidate);
[[nodiscard]] std::string why_no_fist(const Recording& flat, const Recording& candidate);
[[nodiscard]] std::string why_no_pinch(const Recording& fist, const Recording& candidate);
// Likewise of rotations, in axes whose identity is a straight finger.
[[nodiscard]] std::string why_no_flat_hand(const RestPose& rest);

// Fingers whose coil was not seen once, for people; empty when all were.
[[nodiscard]] std::string unseen_coils(std::span<const fnim::Message> coils);

}  // namespace glove::ctl
