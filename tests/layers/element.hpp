// SPDX-License-Identifier: Apache-2.0
// An API layer without a purpose: negotiation, creation, look-up and a wrapper round every function of functions.hpp.
// The layers of this folder say what happens in the wrappers:
//
//   struct Layer {
//       // Round each call: `call()` is the call below. For xrCreateInstance, too.
//       template <class Call, class... Arguments>
//       static XrResult around(std::string_view function, Call&& call, Arguments... arguments);
//       // Before each look-up. An error ends it there, with whatever `*function` then is.
//       static XrResult look_up(XrInstance instance, std::string_view name, PFN_xrVoidFunction* function);
//       // Wrappers are given out even for functions that nobody below has, as core_validation 1.0.20 does.
//       static bool gives_out_everything();
//   };
//   GLOVE_TEST_LAYER(Layer)
//
// One place in one chain: put a copy of the library's file at a second place.
#pragma once

#include <algorithm>
#include <atomic>

#include "layers/functions.hpp"

namespace glove::test_layer {

template <class Layer>
class Element {
public:
    static XRAPI_ATTR XrResult XRAPI_CALL get_proc(XrInstance instance, const char* name,
                                                   PFN_xrVoidFunction* function) {
        if (function == nullptr || name == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        *function = nullptr;
        if (const XrResult result = Layer::look_up(instance, name, function); XR_FAILED(result)) {
            return result;
        }
        if (instance == XR_NULL_HANDLE || next_get_proc_ == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (std::string_view(name) == "xrGetInstanceProcAddr") {
            *function = reinterpret_cast<PFN_xrVoidFunction>(&get_proc);
            return XR_SUCCESS;
        }
        PFN_xrVoidFunction next = nullptr;
        const XrResult result = next_get_proc_.load()(instance, name, &next);
        const auto found = std::find(kFunctionNames.begin(), kFunctionNames.end(), name);
        if (found == kFunctionNames.end() || !is_wrapped(name)) {
            *function = next;
            return result;
        }
        const auto index = static_cast<std::size_t>(found - kFunctionNames.begin());
        next_[index] = next;
        if (XR_FAILED(result) && !Layer::gives_out_everything()) {
            return result;
        }
        *function = kWrappers[index];
        return XR_SUCCESS;
    }

    static XRAPI_ATTR XrResult XRAPI_CALL create(const XrInstanceCreateInfo* info,
                                                 const XrApiLayerCreateInfo* layer_info, XrInstance* instance) {
        const XrApiLayerNextInfo& next = *layer_info->nextInfo;
        const auto call = [&] {
            XrApiLayerCreateInfo below = *layer_info;
            below.nextInfo = next.next;
            const XrResult result = next.nextCreateApiLayerInstance(info, &below, instance);
            if (XR_SUCCEEDED(result)) {
                next_get_proc_ = next.nextGetInstanceProcAddr;
            }
            return result;
        };
        return Layer::around("xrCreateInstance", call, info, instance);
    }

private:
    template <std::size_t Index, class Function>
    struct Wrapper;
    template <std::size_t Index, class... Arguments>
    struct Wrapper<Index, XrResult(XRAPI_PTR*)(Arguments...)> {
        static XRAPI_ATTR XrResult XRAPI_CALL wrapper(Arguments... arguments) {
            const auto call = [&] {
                const auto next = reinterpret_cast<XrResult(XRAPI_PTR*)(Arguments...)>(next_[Index].load());
                return next == nullptr ? XR_ERROR_FUNCTION_UNSUPPORTED : next(arguments...);
            };
            return Layer::around(kFunctionNames[Index], call, arguments...);
        }
    };

    enum Indices : std::size_t {
#define GLOVE_INDEX(name, extension) index_of_##name,
        GLOVE_WRAPPED_FUNCTIONS(GLOVE_INDEX)
#undef GLOVE_INDEX
    };
    static inline const std::array<PFN_xrVoidFunction, kFunctionNames.size()> kWrappers{
#define GLOVE_WRAPPER(name, extension) \
    reinterpret_cast<PFN_xrVoidFunction>(&Wrapper<index_of_##name, PFN_##name>::wrapper),
        GLOVE_WRAPPED_FUNCTIONS(GLOVE_WRAPPER)
#undef GLOVE_WRAPPER
    };

    static inline std::atomic<PFN_xrGetInstanceProcAddr> next_get_proc_{nullptr};
    static inline std::array<std::atomic<PFN_xrVoidFunction>, kFunctionNames.size()> next_{};
};

}  // namespace glove::test_layer

#define GLOVE_LAYER_EXPORT extern "C" __attribute__((visibility("default")))

#define GLOVE_TEST_LAYER(Layer)                                                           \
    GLOVE_LAYER_EXPORT XRAPI_ATTR XrResult XRAPI_CALL xrNegotiateLoaderApiLayerInterface( \
        const XrNegotiateLoaderInfo*, const char*, XrNegotiateApiLayerRequest* request) { \
        request->layerInterfaceVersion = XR_CURRENT_LOADER_API_LAYER_VERSION;             \
        request->layerApiVersion = XR_MAKE_VERSION(1, 0, 0);                              \
        request->getInstanceProcAddr = &glove::test_layer::Element<Layer>::get_proc;      \
        request->createApiLayerInstance = &glove::test_layer::Element<Layer>::create;     \
        return XR_SUCCESS;                                                                \
    }
