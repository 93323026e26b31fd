// SPDX-License-Identifier: Apache-2.0
// The next element of the chain, before there is a table of its functions.
#pragma once

#include "openxr/loader/loader_interface.hpp"
#include "openxr/loader/platform.hpp"

namespace glove {

// Null where there is none.
template <class Function>
[[nodiscard]] Function find_below(PFN_xrGetInstanceProcAddr next, XrInstance instance, const char* name) noexcept {
    PFN_xrVoidFunction function = nullptr;
    return XR_SUCCEEDED(next(instance, name, &function)) ? reinterpret_cast<Function>(function) : nullptr;
}

// Its xrCreateInstance, as `layer_info` names it.
[[nodiscard]] inline XrResult create_below(const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo& layer_info,
                                           XrInstance* instance) {
    XrApiLayerCreateInfo below = layer_info;
    // A later loader's may be larger: this copy is not.
    below.structVersion = XR_API_LAYER_CREATE_INFO_STRUCT_VERSION;
    below.structSize = sizeof below;
    below.nextInfo = layer_info.nextInfo->next;
    return layer_info.nextInfo->nextCreateApiLayerInstance(info, &below, instance);
}

}  // namespace glove
