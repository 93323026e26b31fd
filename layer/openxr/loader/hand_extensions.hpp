// SPDX-License-Identifier: Apache-2.0
// What XR_EXT_hand_tracking_data_source and XR_EXT_hand_joints_motion_range add to the calls about hands. The former is
// newer than the oldest headers we build with.
#pragma once

#include <cstdint>
#include <type_traits>

#include "openxr/loader/platform.hpp"

#ifndef XR_EXT_hand_tracking_data_source
#define XR_EXT_HAND_TRACKING_DATA_SOURCE_EXTENSION_NAME "XR_EXT_hand_tracking_data_source"
enum XrHandTrackingDataSourceEXT {
    XR_HAND_TRACKING_DATA_SOURCE_UNOBSTRUCTED_EXT = 1,
    XR_HAND_TRACKING_DATA_SOURCE_CONTROLLER_EXT = 2,
    XR_HAND_TRACKING_DATA_SOURCE_MAX_ENUM_EXT = 0x7FFFFFFF
};
struct XrHandTrackingDataSourceInfoEXT {
    XrStructureType type;
    const void* next;
    uint32_t requestedDataSourceCount;
    XrHandTrackingDataSourceEXT* requestedDataSources;
};
struct XrHandTrackingDataSourceStateEXT {
    XrStructureType type;
    void* next;
    XrBool32 isActive;
    XrHandTrackingDataSourceEXT dataSource;
};
#endif

namespace glove {

inline constexpr auto kDataSourceInfoType = static_cast<XrStructureType>(1000428000);
inline constexpr auto kDataSourceStateType = static_cast<XrStructureType>(1000428001);

// The first struct of `type` in a chain that begins with `chain`, which is of inputs where Struct is const.
template <class Struct>
[[nodiscard]] Struct* find_in_chain(std::conditional_t<std::is_const_v<Struct>, const void*, void*> chain,
                                    XrStructureType type) noexcept {
    using Item = std::conditional_t<std::is_const_v<Struct>, const XrBaseInStructure, XrBaseOutStructure>;
    for (auto* item = static_cast<Item*>(chain); item != nullptr; item = item->next) {
        if (item->type == type) {
            return reinterpret_cast<Struct*>(item);
        }
    }
    return nullptr;
}

// Which kinds of source a hand tracker may be fed from.
struct DataSources {
    bool asked = false;  // the application named them; else anything goes
    bool unobstructed = true;
    bool controller = true;
};

// From the chain of a create info. XR_ERROR_VALIDATION_FAILURE for none, doubled and unknown sources.
[[nodiscard]] XrResult read_data_sources(const XrHandTrackerCreateInfoEXT& info, DataSources& out) noexcept;

// Whether the motion range in a locate info's chain is one; none is fine.
[[nodiscard]] bool has_known_motion_range(const XrHandJointsLocateInfoEXT& info) noexcept;

}  // namespace glove
