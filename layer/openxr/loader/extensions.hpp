// SPDX-License-Identifier: Apache-2.0
// Which extensions the application asked for, which the runtime has, and what we ask of the runtime in turn.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "openxr/loader/loader_interface.hpp"
#include "openxr/loader/platform.hpp"

namespace glove {

// The manifest's list: both come from layer/CMakeLists.txt.
inline constexpr std::string_view kOwnExtensions[] = {GLOVE_LAYER_EXTENSIONS};
inline constexpr std::uint32_t kOwnExtensionVersions[] = {GLOVE_LAYER_EXTENSION_VERSIONS};
static_assert(std::size(kOwnExtensions) == std::size(kOwnExtensionVersions));

// What an instance was made with, as the application sees it.
struct EnabledFeatures {
    bool hand_tracking = false;
    bool motion_range = false;
    bool data_source = false;
    bool status = false;
    bool debug_utils = false;
    bool time_conversion = false;
    [[nodiscard]] bool any_of_ours() const noexcept { return hand_tracking || status; }
};

// `info` may be anything an application passes: a malformed one yields nothing.
[[nodiscard]] EnabledFeatures features_asked_for(const XrInstanceCreateInfo* info) noexcept;

// The runtime's own list, asked for through the loader's terminator: the last record of the chain reaches the runtime
// without touching the layers in between, which have no instance yet (rule 2.6). Empty when it cannot be had.
[[nodiscard]] std::vector<std::string> runtime_extensions(const XrApiLayerCreateInfo& layer_info);

// What `enumerate` lists; null lists nothing.
[[nodiscard]] std::vector<std::string> listed_by(PFN_xrEnumerateInstanceExtensionProperties enumerate);

// Whether another layer than this one, which may be found twice, stands between us and the runtime.
[[nodiscard]] bool has_others_below(const XrApiLayerCreateInfo& layer_info) noexcept;

// What goes down instead of the application's list.
struct ExtensionPlan {
    std::vector<const char*> downstream;  // points into the application's strings and into constants
    // These are in it: somebody below serves them.
    bool native_hand_tracking = false;
    bool native_data_source = false;
    // We ask for it, the application does not.
    bool adds_time_conversion = false;
    bool adds_trackers = false;
    bool has_trackers = false;  // XR_HTCX_vive_tracker_interaction is in it, whoever asked for it
};

// `below_has`: what is listed below us. Only names that this layer itself serves are taken out. What to try in turn, at
// least one: the last is without our additions.
[[nodiscard]] std::vector<ExtensionPlan> plan_extensions(const XrInstanceCreateInfo& info,
                                                         const std::vector<std::string>& below_has,
                                                         bool wants_trackers);

// xrEnumerateInstanceExtensionProperties as a layer above sees it: what `below` lists and, of ours, what that lacks.
[[nodiscard]] XrResult list_with_ours(PFN_xrEnumerateInstanceExtensionProperties below, std::uint32_t capacity,
                                      std::uint32_t* count, XrExtensionProperties* properties);
// And what it is when asked for this layer by name.
[[nodiscard]] XrResult list_ours(std::uint32_t capacity, std::uint32_t* count,
                                 XrExtensionProperties* properties) noexcept;

// The extension a tracker-taking function of another extension belongs to; empty for every other name.
[[nodiscard]] std::string_view tracker_extension_of(std::string_view function) noexcept;

}  // namespace glove
