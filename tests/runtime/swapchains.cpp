// SPDX-License-Identifier: Apache-2.0
// A headless session offers no format, so no swapchain ever exists. The functions are there because OpenXR 1.0 has
// them.
#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

XrResult refuse(Function function) {
    return answer(function, [](Runtime&) {
        ++control().unknown_handles;
        return XR_ERROR_HANDLE_INVALID;
    });
}

}  // namespace

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateSwapchainFormats(XrSession session, std::uint32_t capacity,
                                                                  std::uint32_t* count, std::int64_t* formats) {
    return answer(Function::xrEnumerateSwapchainFormats, [&](Runtime& the_runtime) {
        if (find(the_runtime.sessions, session) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        return write_array(0, capacity, count, formats, [](std::int64_t&, std::size_t) {});
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrCreateSwapchain(XrSession session, const XrSwapchainCreateInfo* info,
                                                        XrSwapchain* out) {
    return answer(Function::xrCreateSwapchain, [&](Runtime& the_runtime) {
        if (find(the_runtime.sessions, session) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_SWAPCHAIN_CREATE_INFO) || out == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        return XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrDestroySwapchain(XrSwapchain) {
    return refuse(Function::xrDestroySwapchain);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateSwapchainImages(XrSwapchain, std::uint32_t, std::uint32_t*,
                                                                 XrSwapchainImageBaseHeader*) {
    return refuse(Function::xrEnumerateSwapchainImages);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrAcquireSwapchainImage(XrSwapchain, const XrSwapchainImageAcquireInfo*,
                                                              std::uint32_t*) {
    return refuse(Function::xrAcquireSwapchainImage);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrWaitSwapchainImage(XrSwapchain, const XrSwapchainImageWaitInfo*) {
    return refuse(Function::xrWaitSwapchainImage);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrReleaseSwapchainImage(XrSwapchain, const XrSwapchainImageReleaseInfo*) {
    return refuse(Function::xrReleaseSwapchainImage);
}

}  // namespace glove::test_runtime
