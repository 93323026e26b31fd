// SPDX-License-Identifier: Apache-2.0
// Which extensions the application asked for, which the runtime has, and what we ask of the runtime in turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "openxr/loader_interface.hpp"
#include "openxr/platform.hpp"

namespace glove {

// The same list as in the manifest.
inline constexpr std::string_view kOwnExtensions[] = {"XR_EXT_hand_tracking", "XR_EXT_hand_joints_motion_range",
                                                      "XR_EXT_hand_tracking_data_source",
                                                      "XR_NOVENDOR_glove_hands_status"};

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

// What goes down instead of the application's list.
struct ExtensionPlan {
    std::vector<const char*> downstream;  // points into the application's strings and into constants
    bool native_hand_tracking = false;    // the runtime lists XR_EXT_hand_tracking
    bool native_data_source = false;      // and XR_EXT_hand_tracking_data_source
    // We ask for it, the application does not. What we add is last in the list.
    bool adds_time_conversion = false;
    bool adds_trackers = false;
    bool has_trackers = false;  // XR_HTCX_vive_tracker_interaction goes down, whoever asked for it
    [[nodiscard]] bool adds_anything() const noexcept { return adds_time_conversion || adds_trackers; }
    void give_up_additions();
};
[[nodiscard]] ExtensionPlan plan_extensions(const XrInstanceCreateInfo& info,
                                            const std::vector<std::string>& runtime_has, bool wants_trackers);

// The extension a tracker-taking function of another extension belongs to; empty for every other name.
[[nodiscard]] std::string_view tracker_extension_of(std::string_view function) noexcept;

}  // namespace glove
