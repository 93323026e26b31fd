// SPDX-License-Identifier: Apache-2.0
// The paths that this layer needs, as the runtime's atoms.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "hand/wrist_offset.hpp"
#include "openxr/loader/dispatch.hpp"

namespace glove {

struct HandPaths {
    // Throws std::bad_alloc at most. A path the runtime refuses is XR_NULL_PATH, which nothing is equal to.
    HandPaths(XrInstance instance, const NextTable& next);

    struct Pose {
        Hand hand;
        PoseKind kind;
    };
    // Of a binding such as "/user/hand/left/input/grip/pose"; nothing for every other.
    [[nodiscard]] std::optional<Pose> pose_of(XrPath binding) const noexcept;

    std::array<XrPath, kHandCount> hand;  // "/user/hand/left", "/user/hand/right"
    std::array<XrPath, kHandCount> grip;  // ".../input/grip/pose"

private:
    static constexpr std::size_t kPoses = 4;
    std::array<std::array<XrPath, kPoses>, kHandCount> poses_;
};

[[nodiscard]] XrPath path_of(XrInstance instance, const NextTable& next, const char* text) noexcept;

// The text of a path, empty when the runtime does not know it. Allocates nothing.
class PathText {
public:
    PathText(XrInstance instance, const NextTable& next, XrPath path) noexcept;
    [[nodiscard]] std::string_view view() const noexcept { return text_.data(); }

private:
    std::array<char, XR_MAX_PATH_LENGTH> text_{};
};

}  // namespace glove
