// SPDX-License-Identifier: Apache-2.0
#include "openxr/extensions.hpp"

#include <algorithm>
#include <array>

#include "openxr/hand_extensions.hpp"
#include "openxr/status_extension.hpp"

namespace glove {

namespace {

using Names = std::vector<std::string>;

constexpr const char* kTrackerExtension = "XR_HTCX_vive_tracker_interaction";

bool contains(const Names& names, std::string_view name) noexcept {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_ours(std::string_view name) noexcept {
    return std::find(std::begin(kOwnExtensions), std::end(kOwnExtensions), name) != std::end(kOwnExtensions);
}

// Extensions that only refine hand tracking. A runtime that gets one of these without XR_EXT_hand_tracking may refuse
// the instance (rule 2.7), so they go when it goes.
bool depends_on_hand_tracking(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 9> kNames{
        "XR_EXT_hand_joints_motion_range", "XR_EXT_hand_tracking_data_source", "XR_ULTRALEAP_hand_tracking_forearm",
        "XR_FB_hand_tracking_aim",         "XR_FB_hand_tracking_capsules",     "XR_FB_hand_tracking_mesh",
        "XR_MSFT_hand_tracking_mesh",      "XR_MNDX_force_feedback_curl",      "XR_QCOM_hand_tracking_gesture"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || name.starts_with("XR_META_hand_tracking_");
}

template <class Visit>
void for_each_name(const XrInstanceCreateInfo* info, Visit visit) {
    if (info == nullptr || info->type != XR_TYPE_INSTANCE_CREATE_INFO || info->enabledExtensionNames == nullptr) {
        return;
    }
    for (std::uint32_t i = 0; i < info->enabledExtensionCount; ++i) {
        if (const char* name = info->enabledExtensionNames[i]; name != nullptr) {
            visit(name);
        }
    }
}

}  // namespace

EnabledFeatures features_asked_for(const XrInstanceCreateInfo* info) noexcept {
    EnabledFeatures features;
    for_each_name(info, [&features](const std::string_view name) {
        features.hand_tracking |= name == XR_EXT_HAND_TRACKING_EXTENSION_NAME;
        features.motion_range |= name == XR_EXT_HAND_JOINTS_MOTION_RANGE_EXTENSION_NAME;
        features.data_source |= name == XR_EXT_HAND_TRACKING_DATA_SOURCE_EXTENSION_NAME;
        features.status |= name == XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME;
        features.debug_utils |= name == XR_EXT_DEBUG_UTILS_EXTENSION_NAME;
        features.time_conversion |= name == GLOVE_CONVERT_TIME_EXTENSION;
    });
    return features;
}

std::vector<std::string> runtime_extensions(const XrApiLayerCreateInfo& layer_info) {
    const XrApiLayerNextInfo* lowest = layer_info.nextInfo;
    while (lowest->next != nullptr) {
        lowest = lowest->next;
    }
    PFN_xrVoidFunction function = nullptr;
    if (lowest->nextGetInstanceProcAddr == nullptr ||
        XR_FAILED(
            lowest->nextGetInstanceProcAddr(XR_NULL_HANDLE, "xrEnumerateInstanceExtensionProperties", &function)) ||
        function == nullptr) {
        return {};
    }
    const auto enumerate = reinterpret_cast<PFN_xrEnumerateInstanceExtensionProperties>(function);

    std::uint32_t count = 0;
    if (XR_FAILED(enumerate(nullptr, 0, &count, nullptr)) || count == 0) {
        return {};
    }
    XrExtensionProperties empty{};
    empty.type = XR_TYPE_EXTENSION_PROPERTIES;
    std::vector<XrExtensionProperties> properties(count, empty);
    if (XR_FAILED(enumerate(nullptr, count, &count, properties.data()))) {
        return {};
    }
    Names names;
    properties.resize(std::min<std::size_t>(count, properties.size()));
    for (const XrExtensionProperties& property : properties) {
        const char* const end = std::find(std::begin(property.extensionName), std::end(property.extensionName), '\0');
        names.emplace_back(std::begin(property.extensionName), end);
    }
    return names;
}

void ExtensionPlan::give_up_additions() {
    const std::size_t added = (adds_time_conversion ? 1u : 0u) + (adds_trackers ? 1u : 0u);
    downstream.resize(downstream.size() - added);
    has_trackers = has_trackers && !adds_trackers;
    adds_time_conversion = false;
    adds_trackers = false;
}

ExtensionPlan plan_extensions(const XrInstanceCreateInfo& info, const Names& runtime_has, bool wants_trackers) {
    ExtensionPlan plan;
    plan.native_hand_tracking = contains(runtime_has, XR_EXT_HAND_TRACKING_EXTENSION_NAME);
    plan.native_data_source =
        plan.native_hand_tracking && contains(runtime_has, XR_EXT_HAND_TRACKING_DATA_SOURCE_EXTENSION_NAME);
    bool has_time_conversion = false;
    for_each_name(&info, [&](const char* name) {
        const bool dropped = (is_ours(name) && !contains(runtime_has, name)) ||
                             (depends_on_hand_tracking(name) && !plan.native_hand_tracking);
        if (!dropped) {
            plan.downstream.push_back(name);
        }
        has_time_conversion |= std::string_view(name) == GLOVE_CONVERT_TIME_EXTENSION;
        plan.has_trackers |= std::string_view(name) == kTrackerExtension;
    });
    if (!has_time_conversion && contains(runtime_has, GLOVE_CONVERT_TIME_EXTENSION)) {
        plan.downstream.push_back(GLOVE_CONVERT_TIME_EXTENSION);
        plan.adds_time_conversion = true;
    }
    if (wants_trackers && !plan.has_trackers && contains(runtime_has, kTrackerExtension)) {
        plan.downstream.push_back(kTrackerExtension);
        plan.adds_trackers = true;
        plan.has_trackers = true;
    }
    return plan;
}

std::string_view tracker_extension_of(std::string_view function) noexcept {
    if (function == "xrCreateHandMeshSpaceMSFT" || function == "xrUpdateHandMeshMSFT") {
        return "XR_MSFT_hand_tracking_mesh";
    }
    if (function == "xrGetHandMeshFB") {
        return "XR_FB_hand_tracking_mesh";
    }
    if (function == "xrApplyForceFeedbackCurlMNDX") {
        return "XR_MNDX_force_feedback_curl";
    }
    if (function == "xrGetHandGestureQCOM") {
        return "XR_QCOM_hand_tracking_gesture";
    }
    return {};
}

}  // namespace glove
