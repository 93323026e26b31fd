// SPDX-License-Identifier: Apache-2.0
#include "openxr/loader/hand_extensions.hpp"

namespace glove {

XrResult read_data_sources(const XrHandTrackerCreateInfoEXT& info, DataSources& out) noexcept {
    const auto* wanted = find_in_chain<const XrHandTrackingDataSourceInfoEXT>(info.next, kDataSourceInfoType);
    if (wanted == nullptr) {
        return XR_SUCCESS;
    }
    if (wanted->requestedDataSourceCount == 0 || wanted->requestedDataSources == nullptr) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    out = {true, false, false};
    for (std::uint32_t i = 0; i < wanted->requestedDataSourceCount; ++i) {
        bool* source = nullptr;
        switch (static_cast<std::int32_t>(wanted->requestedDataSources[i])) {
            case XR_HAND_TRACKING_DATA_SOURCE_UNOBSTRUCTED_EXT:
                source = &out.unobstructed;
                break;
            case XR_HAND_TRACKING_DATA_SOURCE_CONTROLLER_EXT:
                source = &out.controller;
                break;
            default:
                return XR_ERROR_VALIDATION_FAILURE;
        }
        if (*source) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        *source = true;
    }
    return XR_SUCCESS;
}

bool has_known_motion_range(const XrHandJointsLocateInfoEXT& info) noexcept {
    const auto* range =
        find_in_chain<const XrHandJointsMotionRangeInfoEXT>(info.next, XR_TYPE_HAND_JOINTS_MOTION_RANGE_INFO_EXT);
    if (range == nullptr) {
        return true;
    }
    const auto value = static_cast<std::int32_t>(range->handJointsMotionRange);
    return value == XR_HAND_JOINTS_MOTION_RANGE_UNOBSTRUCTED_EXT ||
           value == XR_HAND_JOINTS_MOTION_RANGE_CONFORMING_TO_CONTROLLER_EXT;
}

}  // namespace glove
