// SPDX-License-Identifier: Apache-2.0
#include "glovectl/library_trial.hpp"

#include "glovectl/layer_manifest.hpp"

namespace glove::ctl {

std::string problem_of_negotiation(NegotiateLayer negotiate) {
    if (negotiate == nullptr) {
        return std::string("it has no ") + kNegotiation + ", so it is no API layer";
    }
    // What every loader from 1.0.20 to 1.1.61 sends.
    XrNegotiateLoaderInfo loader{};
    loader.structType = XR_LOADER_INTERFACE_STRUCT_LOADER_INFO;
    loader.structVersion = XR_LOADER_INFO_STRUCT_VERSION;
    loader.structSize = sizeof loader;
    loader.minInterfaceVersion = 1;
    loader.maxInterfaceVersion = 1;
    loader.minApiVersion = XR_MAKE_VERSION(1, 0, 0);
    loader.maxApiVersion = XR_MAKE_VERSION(1, 1023, 4095);
    XrNegotiateApiLayerRequest request{};
    request.structType = XR_LOADER_INTERFACE_STRUCT_API_LAYER_REQUEST;
    request.structVersion = XR_API_LAYER_INFO_STRUCT_VERSION;
    request.structSize = sizeof request;
    if (const XrResult result = negotiate(&loader, layer_name(), &request); XR_FAILED(result)) {
        return "it refuses to negotiate: XrResult " + std::to_string(static_cast<int>(result));
    }
    if (request.layerInterfaceVersion != 1 || request.getInstanceProcAddr == nullptr ||
        request.createApiLayerInstance == nullptr) {
        return "it negotiates and gives no entry points";
    }
    return {};
}

}  // namespace glove::ctl
