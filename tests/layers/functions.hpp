// SPDX-License-Identifier: Apache-2.0
// What the test layers wrap: all that the test runtime has, every other function that takes a hand tracker, and the
// naming of objects. Nothing else in this folder lists functions.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "openxr/loader/loader_interface.hpp"
#include "openxr/loader/platform.hpp"
#include "runtime/functions.hpp"

#define GLOVE_WRAPPED_FUNCTIONS(X)                                          \
    GLOVE_RUNTIME_FUNCTIONS(X)                                              \
    X(xrSetDebugUtilsObjectNameEXT, XR_EXT_DEBUG_UTILS_EXTENSION_NAME)      \
    X(xrCreateHandMeshSpaceMSFT, XR_MSFT_HAND_TRACKING_MESH_EXTENSION_NAME) \
    X(xrUpdateHandMeshMSFT, XR_MSFT_HAND_TRACKING_MESH_EXTENSION_NAME)      \
    X(xrGetHandMeshFB, XR_FB_HAND_TRACKING_MESH_EXTENSION_NAME)             \
    X(xrApplyForceFeedbackCurlMNDX, "XR_MNDX_force_feedback_curl")          \
    X(xrGetHandGestureQCOM, "XR_QCOM_hand_tracking_gesture")

namespace glove::test_layer {

#define GLOVE_NAME(name, extension) std::string_view(#name),
inline constexpr std::array kFunctionNames{GLOVE_WRAPPED_FUNCTIONS(GLOVE_NAME)};
#undef GLOVE_NAME

#define GLOVE_EXTENSION(name, extension) std::string_view(extension),
inline constexpr std::array kExtensionsOfFunctions{GLOVE_WRAPPED_FUNCTIONS(GLOVE_EXTENSION)};
#undef GLOVE_EXTENSION

// Of a loader alone, or answered by an element of the chain in its own way.
[[nodiscard]] constexpr bool is_wrapped(std::string_view name) {
    return name != "xrGetInstanceProcAddr" && name != "xrEnumerateInstanceExtensionProperties" &&
           name != "xrCreateInstance";
}

}  // namespace glove::test_layer
