// SPDX-License-Identifier: Apache-2.0
#include "openxr/input/hand_paths.hpp"

#include <string>

namespace glove {

namespace {

constexpr std::array<const char*, kHandCount> kHandPaths{"/user/hand/left", "/user/hand/right"};

struct PoseComponent {
    const char* text;
    PoseKind kind;
};
constexpr std::array<PoseComponent, 4> kComponents{{{"/input/grip_surface/pose", PoseKind::palm},
                                                    {"/input/palm_ext/pose", PoseKind::palm},
                                                    {"/input/grip/pose", PoseKind::grip},
                                                    {"/input/aim/pose", PoseKind::aim}}};
constexpr std::size_t kGrip = 2;

}  // namespace

XrPath path_of(XrInstance instance, const NextTable& next, const char* text) noexcept {
    XrPath path = XR_NULL_PATH;
    return XR_SUCCEEDED(next.xrStringToPath(instance, text, &path)) ? path : XR_NULL_PATH;
}

PathText::PathText(XrInstance instance, const NextTable& next, XrPath path) noexcept {
    std::uint32_t size = 0;
    if (path == XR_NULL_PATH ||
        XR_FAILED(next.xrPathToString(instance, path, static_cast<std::uint32_t>(text_.size()), &size, text_.data()))) {
        text_.front() = '\0';
    }
    text_.back() = '\0';
}

HandPaths::HandPaths(XrInstance instance, const NextTable& next) {
    static_assert(kPoses == kComponents.size());
    for (std::size_t side = 0; side < kHandCount; ++side) {
        hand[side] = path_of(instance, next, kHandPaths[side]);
        for (std::size_t i = 0; i < kPoses; ++i) {
            const std::string text = std::string(kHandPaths[side]) + kComponents[i].text;
            poses_[side][i] = path_of(instance, next, text.c_str());
        }
        grip[side] = poses_[side][kGrip];
    }
}

std::optional<HandPaths::Pose> HandPaths::pose_of(XrPath binding) const noexcept {
    if (binding == XR_NULL_PATH) {
        return std::nullopt;
    }
    for (std::size_t side = 0; side < kHandCount; ++side) {
        for (std::size_t i = 0; i < kPoses; ++i) {
            if (poses_[side][i] == binding) {
                return Pose{static_cast<Hand>(side), kComponents[i].kind};
            }
        }
    }
    return std::nullopt;
}

}  // namespace glove
