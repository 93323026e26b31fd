// SPDX-License-Identifier: Apache-2.0
// What this layer knows of interaction profiles: which have a grip pose, and which inputs tell how a hand lies on the
// controller.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/hand.hpp"

namespace glove {

// Whether both hands of this interaction profile have a grip pose.
[[nodiscard]] bool has_grip_pose(std::string_view interaction_profile) noexcept;

enum class GraspInput : std::uint8_t {
    trigger,        // 0 to 1
    trigger_touch,  // the index finger lies on it
    grip,           // 0 to 1
    thumb,          // the thumb lies on something
    thumbstick,     // for controllers that do not feel a thumb: a stick that is moved has one on it
};
inline constexpr std::size_t kGraspInputCount = 5;

struct GraspBinding {
    GraspInput input;
    std::string path;  // "/user/hand/left/input/trigger/value"
};

// Of both hands; none for a profile that is not known. Several of one input are one or the other (OpenXR 11.5
// "Input action state": the largest, or any).
[[nodiscard]] std::vector<GraspBinding> grasp_bindings(std::string_view interaction_profile);

}  // namespace glove
