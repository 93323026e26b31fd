// SPDX-License-Identifier: Apache-2.0
// How the loader gets in, and how every function is found by name.
#include "openxr/loader/loader_interface.hpp"
#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

struct Row {
    std::string_view name;
    std::string_view extension;
    PFN_xrVoidFunction function;
};

#define GLOVE_ROW(name, extension) Row{#name, extension, reinterpret_cast<PFN_xrVoidFunction>(&entry::name)},
const std::array<Row, kFunctionCount> kTable{GLOVE_RUNTIME_FUNCTIONS(GLOVE_ROW)};
#undef GLOVE_ROW

[[nodiscard]] bool needs_no_instance(std::string_view name) {
    return name == "xrEnumerateInstanceExtensionProperties" || name == "xrCreateInstance";
}

}  // namespace

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetInstanceProcAddr(XrInstance instance, const char* name,
                                                            PFN_xrVoidFunction* function) {
    if (function != nullptr) {
        *function = nullptr;
    }
    return answer(Function::xrGetInstanceProcAddr, [&](Runtime& the_runtime) {
        if (function == nullptr || name == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (instance == XR_NULL_HANDLE ? !needs_no_instance(name) : !the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        for (const Row& row : kTable) {
            if (row.name == name && (row.extension.empty() || the_runtime.instance->enabled(row.extension))) {
                *function = row.function;
                return XR_SUCCESS;
            }
        }
        return XR_ERROR_FUNCTION_UNSUPPORTED;
    });
}

}  // namespace glove::test_runtime

extern "C" GLOVE_RUNTIME_EXPORT XRAPI_ATTR XrResult XRAPI_CALL
xrNegotiateLoaderRuntimeInterface(const XrNegotiateLoaderInfo* loader, XrNegotiateRuntimeRequest* request) {
    constexpr std::uint32_t kInterface = XR_CURRENT_LOADER_RUNTIME_VERSION;
    if (loader == nullptr || loader->structType != XR_LOADER_INTERFACE_STRUCT_LOADER_INFO ||
        loader->structVersion != XR_LOADER_INFO_STRUCT_VERSION || loader->structSize != sizeof *loader ||
        loader->minInterfaceVersion > kInterface || loader->maxInterfaceVersion < kInterface) {
        return XR_ERROR_INITIALIZATION_FAILED;
    }
    if (request == nullptr || request->structType != XR_LOADER_INTERFACE_STRUCT_RUNTIME_REQUEST ||
        request->structVersion != XR_RUNTIME_INFO_STRUCT_VERSION || request->structSize != sizeof *request) {
        return XR_ERROR_INITIALIZATION_FAILED;
    }
    request->runtimeInterfaceVersion = kInterface;
    request->runtimeApiVersion = XR_MAKE_VERSION(1, 0, 20);
    request->getInstanceProcAddr = &glove::test_runtime::entry::xrGetInstanceProcAddr;
    return XR_SUCCESS;
}
