// SPDX-License-Identifier: Apache-2.0
#include "openxr/loader/extensions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "openxr/loader/hand_extensions.hpp"
#include "openxr/loader/status_extension.hpp"

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

// What `enumerate` lists of the runtime and the layers below, in `names`.
XrResult read_names(PFN_xrEnumerateInstanceExtensionProperties enumerate, Names& names) {
    XrExtensionProperties empty{};
    empty.type = XR_TYPE_EXTENSION_PROPERTIES;
    std::uint32_t count = 0;
    XrResult result = enumerate(nullptr, 0, &count, nullptr);
    if (XR_FAILED(result) || count == 0) {
        return result;
    }
    std::vector<XrExtensionProperties> properties(count, empty);
    result = enumerate(nullptr, count, &count, properties.data());
    if (XR_FAILED(result)) {
        return result;
    }
    properties.resize(std::min<std::size_t>(count, properties.size()));
    for (const XrExtensionProperties& property : properties) {
        const char* const end = std::find(std::begin(property.extensionName), std::end(property.extensionName), '\0');
        names.emplace_back(std::begin(property.extensionName), end);
    }
    return result;
}

// The one of ours with this index.
void write_own(std::size_t index, XrExtensionProperties& out) noexcept {
    const std::size_t length = kOwnExtensions[index].copy(out.extensionName, XR_MAX_EXTENSION_NAME_SIZE - 1);
    out.extensionName[length] = '\0';
    out.extensionVersion = kOwnExtensionVersions[index];
}

ExtensionPlan plan_without_additions(const XrInstanceCreateInfo& info, const Names& below_has) {
    const bool has_hands = contains(below_has, XR_EXT_HAND_TRACKING_EXTENSION_NAME);
    ExtensionPlan plan;
    for_each_name(&info, [&](const char* name) {
        // What refines hand tracking may be refused without it (rule 2.7).
        if (!is_ours(name) || (has_hands && contains(below_has, name))) {
            plan.downstream.push_back(name);
            plan.native_hand_tracking |= std::string_view(name) == XR_EXT_HAND_TRACKING_EXTENSION_NAME;
            plan.native_data_source |= std::string_view(name) == XR_EXT_HAND_TRACKING_DATA_SOURCE_EXTENSION_NAME;
            plan.has_trackers |= std::string_view(name) == kTrackerExtension;
        }
    });
    return plan;
}

void add_ours(ExtensionPlan& plan, const Names& below_has, bool wants_trackers) {
    const auto is_in = [&plan](std::string_view name) {
        return std::find(plan.downstream.begin(), plan.downstream.end(), name) != plan.downstream.end();
    };
    if (!is_in(GLOVE_CONVERT_TIME_EXTENSION) && contains(below_has, GLOVE_CONVERT_TIME_EXTENSION)) {
        plan.downstream.push_back(GLOVE_CONVERT_TIME_EXTENSION);
        plan.adds_time_conversion = true;
    }
    if (wants_trackers && !plan.has_trackers && contains(below_has, kTrackerExtension)) {
        plan.downstream.push_back(kTrackerExtension);
        plan.adds_trackers = true;
        plan.has_trackers = true;
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
            lowest->nextGetInstanceProcAddr(XR_NULL_HANDLE, "xrEnumerateInstanceExtensionProperties", &function))) {
        return {};
    }
    return listed_by(reinterpret_cast<PFN_xrEnumerateInstanceExtensionProperties>(function));
}

std::vector<std::string> listed_by(PFN_xrEnumerateInstanceExtensionProperties enumerate) {
    Names names;
    if (enumerate == nullptr || XR_FAILED(read_names(enumerate, names))) {
        return {};
    }
    return names;
}

bool has_others_below(const XrApiLayerCreateInfo& layer_info) noexcept {
    constexpr std::string_view kOurName = GLOVE_LAYER_NAME;
    for (const XrApiLayerNextInfo* layer = layer_info.nextInfo->next; layer != nullptr; layer = layer->next) {
        const char* const end = std::find(std::begin(layer->layerName), std::end(layer->layerName), '\0');
        if (std::string_view(layer->layerName, static_cast<std::size_t>(end - layer->layerName)) != kOurName) {
            return true;
        }
    }
    return false;
}

std::vector<ExtensionPlan> plan_extensions(const XrInstanceCreateInfo& info, const Names& below_has,
                                           bool wants_trackers) {
    const ExtensionPlan asked = plan_without_additions(info, below_has);
    ExtensionPlan with_additions = asked;
    add_ours(with_additions, below_has, wants_trackers);
    if (with_additions.downstream == asked.downstream) {
        return {asked};
    }
    return {std::move(with_additions), asked};
}

XrResult list_with_ours(PFN_xrEnumerateInstanceExtensionProperties below, std::uint32_t capacity, std::uint32_t* count,
                        XrExtensionProperties* properties) {
    if (count == nullptr || (capacity != 0 && properties == nullptr)) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    Names names;
    XrResult result = read_names(below, names);
    if (XR_FAILED(result)) {
        return result;
    }
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < std::size(kOwnExtensions); ++i) {
        if (!contains(names, kOwnExtensions[i])) {
            missing.push_back(i);
        }
    }
    const std::size_t total = names.size() + missing.size();
    if (capacity == 0 || capacity < total) {
        *count = static_cast<std::uint32_t>(total);
        return capacity == 0 ? XR_SUCCESS : XR_ERROR_SIZE_INSUFFICIENT;
    }
    // Straight into the caller's structs, which may have others behind them.
    result = below(nullptr, capacity - static_cast<std::uint32_t>(missing.size()), count, properties);
    if (XR_SUCCEEDED(result)) {
        for (const std::size_t own : missing) {
            write_own(own, properties[(*count)++]);
        }
    } else if (result == XR_ERROR_SIZE_INSUFFICIENT) {
        *count += static_cast<std::uint32_t>(missing.size());  // it lists more than a moment ago
    }
    return result;
}

XrResult list_ours(std::uint32_t capacity, std::uint32_t* count, XrExtensionProperties* properties) noexcept {
    constexpr auto kTotal = static_cast<std::uint32_t>(std::size(kOwnExtensions));
    if (count == nullptr || (capacity != 0 && properties == nullptr)) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    *count = kTotal;
    if (capacity == 0 || capacity < kTotal) {
        return capacity == 0 ? XR_SUCCESS : XR_ERROR_SIZE_INSUFFICIENT;
    }
    for (std::uint32_t i = 0; i < kTotal; ++i) {
        write_own(i, properties[i]);
    }
    return XR_SUCCESS;
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
