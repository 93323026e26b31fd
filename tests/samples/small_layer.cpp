// SPDX-License-Identifier: Apache-2.0
// As much of a layer as glovectl and a loader that only negotiates ask for. GLOVE_SMALL_LAYER says what it does wrong.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "openxr/loader/loader_interface.hpp"

namespace {

XRAPI_ATTR XrResult XRAPI_CALL get_proc(XrInstance, const char*, PFN_xrVoidFunction*) {
    return XR_ERROR_HANDLE_INVALID;
}

XRAPI_ATTR XrResult XRAPI_CALL create(const XrInstanceCreateInfo*, const XrApiLayerCreateInfo*, XrInstance*) {
    return XR_ERROR_INITIALIZATION_FAILED;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) XRAPI_ATTR XrResult XRAPI_CALL
xrNegotiateLoaderApiLayerInterface(const XrNegotiateLoaderInfo*, const char*, XrNegotiateApiLayerRequest* request) {
    const char* const variable = std::getenv("GLOVE_SMALL_LAYER");
    const std::string_view fault = variable == nullptr ? "" : variable;
    std::puts("a layer that prints");
    std::fflush(stdout);
    if (fault == "dies") {
        std::raise(SIGKILL);
    }
    if (fault == "hangs") {
        pause();
    }
    if (fault == "refuses") {
        return XR_ERROR_INITIALIZATION_FAILED;
    }
    request->layerInterfaceVersion = 1;
    request->layerApiVersion = XR_MAKE_VERSION(1, 0, 0);
    request->getInstanceProcAddr = &get_proc;
    request->createApiLayerInstance = fault == "gives nothing" ? nullptr : &create;
    return XR_SUCCESS;
}
