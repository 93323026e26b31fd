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
//       // The extension that this layer lists and serves, whatever is below. Empty: none.
//       static std::string_view offers();
//       // Before its own instance: whether it makes one that asks for nothing, just to see what is listed below. And
//       // what that was: each name with its version, through the instance and through none.
//       static bool looks_around();
//       static void saw(const Listed& through_instance, const Listed& through_none);
//   };
//   GLOVE_TEST_LAYER(Layer)
//
// One place in one chain: put a copy of the library's file at a second place.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "layers/functions.hpp"

namespace glove::test_layer {

using Listed = std::vector<std::pair<std::string, std::uint32_t>>;
inline constexpr std::uint32_t kOfferedVersion = 77;

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
        if (std::string_view(name) == kEnumerate && !Layer::offers().empty()) {
            next_enumerate_ = reinterpret_cast<PFN_xrEnumerateInstanceExtensionProperties>(next);
            *function = reinterpret_cast<PFN_xrVoidFunction>(&enumerate);
            return result;
        }
        const auto found = std::find(kFunctionNames.begin(), kFunctionNames.end(), name);
        if (found == kFunctionNames.end() || !is_wrapped(name)) {
            *function = next;
            return result;
        }
        const auto index = static_cast<std::size_t>(found - kFunctionNames.begin());
        next_[index] = next;
        const bool serves = !Layer::offers().empty() && kExtensionsOfFunctions[index] == Layer::offers();
        if (XR_FAILED(result) && !Layer::gives_out_everything() && !serves) {
            return result;
        }
        *function = kWrappers[index];
        return XR_SUCCESS;
    }

    static XRAPI_ATTR XrResult XRAPI_CALL create(const XrInstanceCreateInfo* info,
                                                 const XrApiLayerCreateInfo* layer_info, XrInstance* instance) {
        const XrApiLayerNextInfo& next = *layer_info->nextInfo;
        if (Layer::looks_around()) {
            look_around(*info, *layer_info);
        }
        const auto call = [&] {
            std::vector<const char*> names(info->enabledExtensionNames,
                                           info->enabledExtensionNames + info->enabledExtensionCount);
            std::erase_if(names, [](const char* name) { return name == Layer::offers(); });
            const XrResult result = create_below(*info, names, *layer_info, instance);
            if (XR_SUCCEEDED(result)) {
                next_get_proc_ = next.nextGetInstanceProcAddr;
            }
            return result;
        };
        return Layer::around("xrCreateInstance", call, info, instance);
    }

private:
    static constexpr const char* kEnumerate = "xrEnumerateInstanceExtensionProperties";

    static XrResult create_below(const XrInstanceCreateInfo& info, const std::vector<const char*>& names,
                                 const XrApiLayerCreateInfo& layer_info, XrInstance* instance) {
        XrInstanceCreateInfo asked = info;
        asked.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
        asked.enabledExtensionNames = names.empty() ? nullptr : names.data();
        XrApiLayerCreateInfo below = layer_info;
        below.nextInfo = layer_info.nextInfo->next;
        return layer_info.nextInfo->nextCreateApiLayerInstance(&asked, &below, instance);
    }

    static Listed listed_by(PFN_xrEnumerateInstanceExtensionProperties enumerates) {
        std::uint32_t count = 0;
        if (enumerates == nullptr || XR_FAILED(enumerates(nullptr, 0, &count, nullptr))) {
            return {};
        }
        std::vector<XrExtensionProperties> all(count, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
        Listed listed;
        if (XR_SUCCEEDED(enumerates(nullptr, count, &count, all.data()))) {
            for (const XrExtensionProperties& one : all) {
                listed.emplace_back(one.extensionName, one.extensionVersion);
            }
        }
        return listed;
    }

    static void look_around(const XrInstanceCreateInfo& info, const XrApiLayerCreateInfo& layer_info) {
        const PFN_xrGetInstanceProcAddr below = layer_info.nextInfo->nextGetInstanceProcAddr;
        XrInstance throw_away = XR_NULL_HANDLE;
        if (XR_FAILED(create_below(info, {}, layer_info, &throw_away))) {
            return;
        }
        const auto find = [below](XrInstance instance, const char* name) {
            PFN_xrVoidFunction function = nullptr;
            (void)below(instance, name, &function);
            return function;
        };
        Layer::saw(
            listed_by(reinterpret_cast<PFN_xrEnumerateInstanceExtensionProperties>(find(throw_away, kEnumerate))),
            listed_by(reinterpret_cast<PFN_xrEnumerateInstanceExtensionProperties>(find(XR_NULL_HANDLE, kEnumerate))));
        reinterpret_cast<PFN_xrDestroyInstance>(find(throw_away, "xrDestroyInstance"))(throw_away);
    }

    // What is below, and the one that this layer offers.
    static XRAPI_ATTR XrResult XRAPI_CALL enumerate(const char* layer, std::uint32_t capacity, std::uint32_t* count,
                                                    XrExtensionProperties* properties) {
        const std::uint32_t room = capacity == 0 ? 0 : capacity - 1;
        const XrResult result = next_enumerate_.load()(layer, room, count, room == 0 ? nullptr : properties);
        if (XR_SUCCEEDED(result) && capacity != 0) {
            Layer::offers().copy(properties[*count].extensionName, XR_MAX_EXTENSION_NAME_SIZE - 1);
            properties[*count].extensionVersion = kOfferedVersion;
        }
        ++*count;
        return result;
    }

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
    static inline std::atomic<PFN_xrEnumerateInstanceExtensionProperties> next_enumerate_{nullptr};
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
