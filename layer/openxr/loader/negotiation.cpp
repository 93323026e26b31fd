// SPDX-License-Identifier: Apache-2.0
// Where the loader enters: negotiation, and what each slot of this layer in the chain answers.
#include <array>
#include <atomic>
#include <cstring>
#include <iterator>
#include <utility>

#include "openxr/loader/dispatch.hpp"
#include "openxr/loader/extensions.hpp"
#include "openxr/loader/instance_with_hands.hpp"
#include "openxr/loader/loader_interface.hpp"
#include "openxr/loader/next_element.hpp"
#include "openxr/loader/pass_through_instances.hpp"

namespace glove {

namespace {

// A layer whose manifest is found twice is loaded twice into one chain, with one library image and one set of globals
// (rule 1.2.7). So every negotiation gets entry points of its own: each slot in the chain knows what is below *it*,
// and only the outermost one does the layer's work.
constexpr std::size_t kChainSlots = 4;

std::array<PassThroughInstances, kChainSlots> g_chain_slots;
constinit std::atomic<std::size_t> g_negotiations{0};

// How many of our slots are inside xrCreateInstance on this thread: the first is the outermost.
constinit thread_local int t_creating = 0;

// What a slot answers itself, whatever the application enabled. The rest is Instance's, or comes from below.
struct EntryPoints {
    PFN_xrGetInstanceProcAddr get_proc;
    PFN_xrCreateApiLayerInstance create_instance;
    PFN_xrDestroyInstance destroy_instance;
    PFN_xrEnumerateInstanceExtensionProperties enumerate_extensions;
};

bool is_of_our_extensions(const char* name) noexcept {
    const Intercepted own = find_intercepted(name);
    return own.feature == Feature::hand_tracking || own.feature == Feature::status;
}

// Some layers leave a pointer behind when they fail.
XrResult ask_below(const PassThroughInstance& known, const char* name, PFN_xrVoidFunction* function) noexcept {
    const XrResult result = known.next(known.instance, name, function);
    if (XR_FAILED(result)) {
        *function = nullptr;
    }
    return result;
}

XrResult get_proc(PassThroughInstances& instances, const EntryPoints& self, XrInstance handle, const char* name,
                  PFN_xrVoidFunction* function) {
    if (function == nullptr) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    *function = nullptr;
    if (name == nullptr) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    const bool enumerates = std::strcmp(name, "xrEnumerateInstanceExtensionProperties") == 0;
    // It takes no instance, but what is below can only be asked through one (rule 2.6).
    PassThroughInstance known;
    if (handle != XR_NULL_HANDLE) {
        known = instances.find(handle);
    } else if (enumerates) {
        known = instances.newest();
    }
    if (known.next == nullptr) {
        return XR_ERROR_HANDLE_INVALID;
    }
    if (std::strcmp(name, "xrGetInstanceProcAddr") == 0) {
        *function = reinterpret_cast<PFN_xrVoidFunction>(self.get_proc);
        return XR_SUCCESS;
    }
    const bool ends = std::strcmp(name, "xrDestroyInstance") == 0;
    if (ends || enumerates) {
        const XrResult result = ask_below(known, name, function);
        if (XR_SUCCEEDED(result) && *function != nullptr) {
            *function = ends ? reinterpret_cast<PFN_xrVoidFunction>(self.destroy_instance)
                             : reinterpret_cast<PFN_xrVoidFunction>(self.enumerate_extensions);
        }
        return result;
    }
    if (known.role == Role::works) {
        return instance_with_hands::get_proc(handle, name, function);
    }
    // Some layers give out pointers for functions that nobody has (rule 1.3).
    return known.role == Role::not_asked && is_of_our_extensions(name) ? XR_ERROR_FUNCTION_UNSUPPORTED
                                                                       : ask_below(known, name, function);
}

XrResult destroy_instance(PassThroughInstances& instances, XrInstance handle) {
    const PassThroughInstance known = instances.take(handle);
    if (known.next == nullptr) {
        return XR_ERROR_HANDLE_INVALID;
    }
    if (known.role == Role::works) {
        return intercept::xrDestroyInstance(handle);
    }
    const auto destroy = find_below<PFN_xrDestroyInstance>(known.next, known.instance, "xrDestroyInstance");
    return destroy == nullptr ? XR_ERROR_RUNTIME_FAILURE : destroy(handle);
}

XrResult enumerate_extensions(PassThroughInstances& instances, const char* layer, std::uint32_t capacity,
                              std::uint32_t* count, XrExtensionProperties* properties) {
    if (layer != nullptr && std::strcmp(layer, GLOVE_LAYER_NAME) == 0) {
        return list_ours(capacity, count, properties);
    }
    const PassThroughInstance known = instances.newest();
    if (known.next == nullptr) {
        return XR_ERROR_RUNTIME_UNAVAILABLE;  // no instance lives any more
    }
    const auto below = find_below<PFN_xrEnumerateInstanceExtensionProperties>(known.next, known.instance,
                                                                              "xrEnumerateInstanceExtensionProperties");
    if (below == nullptr) {
        return XR_ERROR_RUNTIME_FAILURE;
    }
    // A copy that stands aside offers nothing: the other one does.
    return layer != nullptr || known.role == Role::aside ? below(layer, capacity, count, properties)
                                                         : list_with_ours(below, capacity, count, properties);
}

bool is_well_formed(const XrApiLayerCreateInfo* info) noexcept {
    // "At least" our sizes: a later loader may append fields.
    return info != nullptr && info->structType == XR_LOADER_INTERFACE_STRUCT_API_LAYER_CREATE_INFO &&
           info->structVersion >= XR_API_LAYER_CREATE_INFO_STRUCT_VERSION &&
           info->structSize >= sizeof(XrApiLayerCreateInfo) && info->nextInfo != nullptr &&
           info->nextInfo->structType == XR_LOADER_INTERFACE_STRUCT_API_LAYER_NEXT_INFO &&
           info->nextInfo->structVersion >= XR_API_LAYER_NEXT_INFO_STRUCT_VERSION &&
           info->nextInfo->structSize >= sizeof(XrApiLayerNextInfo) &&
           info->nextInfo->nextGetInstanceProcAddr != nullptr && info->nextInfo->nextCreateApiLayerInstance != nullptr;
}

XrResult pass_on(PassThroughInstances& instances, const XrInstanceCreateInfo* info,
                 const XrApiLayerCreateInfo& layer_info, Role role, XrInstance* instance) {
    const XrResult result = create_below(info, layer_info, instance);
    if (XR_SUCCEEDED(result)) {
        instances.remember({*instance, layer_info.nextInfo->nextGetInstanceProcAddr, role});
    }
    return result;
}

XrResult create_instance(PassThroughInstances& instances, const XrInstanceCreateInfo* info,
                         const XrApiLayerCreateInfo* layer_info, XrInstance* instance) {
    if (!is_well_formed(layer_info) || info == nullptr || instance == nullptr) {
        return XR_ERROR_INITIALIZATION_FAILED;
    }
    struct Depth {
        Depth() noexcept { ++t_creating; }
        ~Depth() { --t_creating; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;
    } depth;
    const EnabledFeatures features = features_asked_for(info);
    const bool is_outermost = t_creating == 1;
    if (!is_outermost || !features.any_of_ours()) {
        return pass_on(instances, info, *layer_info, is_outermost ? Role::not_asked : Role::aside, instance);
    }
    Role role = Role::aside;
    const XrResult result = instance_with_hands::create(*info, features, *layer_info, instance, role);
    if (XR_SUCCEEDED(result)) {
        instances.remember({*instance, layer_info->nextInfo->nextGetInstanceProcAddr, role});
    }
    return result;
}

template <std::size_t Slot>
struct ChainSlot {
    static XRAPI_ATTR XrResult XRAPI_CALL get_proc(XrInstance instance, const char* name,
                                                   PFN_xrVoidFunction* function) {
        return guarded("xrGetInstanceProcAddr", XR_ERROR_OUT_OF_MEMORY,
                       [&] { return glove::get_proc(g_chain_slots[Slot], kEntryPoints, instance, name, function); });
    }
    static XRAPI_ATTR XrResult XRAPI_CALL create_instance(const XrInstanceCreateInfo* info,
                                                          const XrApiLayerCreateInfo* layer_info,
                                                          XrInstance* instance) {
        return guarded("xrCreateInstance", XR_ERROR_OUT_OF_MEMORY,
                       [&] { return glove::create_instance(g_chain_slots[Slot], info, layer_info, instance); });
    }
    static XRAPI_ATTR XrResult XRAPI_CALL destroy_instance(XrInstance instance) {
        return guarded("xrDestroyInstance", XR_ERROR_RUNTIME_FAILURE,
                       [&] { return glove::destroy_instance(g_chain_slots[Slot], instance); });
    }
    static XRAPI_ATTR XrResult XRAPI_CALL enumerate_extensions(const char* layer, std::uint32_t capacity,
                                                               std::uint32_t* count,
                                                               XrExtensionProperties* properties) {
        return guarded("xrEnumerateInstanceExtensionProperties", XR_ERROR_OUT_OF_MEMORY, [&] {
            return glove::enumerate_extensions(g_chain_slots[Slot], layer, capacity, count, properties);
        });
    }
    static constexpr EntryPoints kEntryPoints{&get_proc, &create_instance, &destroy_instance, &enumerate_extensions};
};

template <std::size_t... Slots>
constexpr std::array<EntryPoints, sizeof...(Slots)> make_entry_points(std::index_sequence<Slots...>) noexcept {
    return {ChainSlot<Slots>::kEntryPoints...};
}

// Compares major and minor only: the patch part does not count in negotiation.
bool is_api_in_range(const XrNegotiateLoaderInfo& info) noexcept {
    const auto major_minor = [](XrVersion version) { return version >> 32; };
    const std::uint64_t ours = major_minor(XR_MAKE_VERSION(1, 0, 0));
    return major_minor(info.minApiVersion) <= ours && ours <= major_minor(info.maxApiVersion);
}

}  // namespace

}  // namespace glove

// The library's only exported symbol. Refuses malformed structs and nothing else: a refusal by the only layer present
// keeps the application from starting (rule 1.1.5).
extern "C"
#ifdef _WIN32
    __declspec(dllexport)
#else
    __attribute__((visibility("default")))
#endif
        XRAPI_ATTR XrResult XRAPI_CALL
    xrNegotiateLoaderApiLayerInterface(const XrNegotiateLoaderInfo* loader, const char* /*layer_name*/,
                                       XrNegotiateApiLayerRequest* request) {
    constexpr std::uint32_t kInterfaceVersion = XR_CURRENT_LOADER_API_LAYER_VERSION;
    if (loader == nullptr || loader->structType != XR_LOADER_INTERFACE_STRUCT_LOADER_INFO ||
        loader->structVersion != XR_LOADER_INFO_STRUCT_VERSION || loader->structSize != sizeof(XrNegotiateLoaderInfo) ||
        request == nullptr || request->structType != XR_LOADER_INTERFACE_STRUCT_API_LAYER_REQUEST ||
        request->structVersion != XR_API_LAYER_INFO_STRUCT_VERSION ||
        request->structSize != sizeof(XrNegotiateApiLayerRequest) || loader->minInterfaceVersion > kInterfaceVersion ||
        loader->maxInterfaceVersion < kInterfaceVersion || !glove::is_api_in_range(*loader)) {
        return XR_ERROR_INITIALIZATION_FAILED;
    }
    static constexpr auto kEntryPoints = glove::make_entry_points(std::make_index_sequence<glove::kChainSlots>{});
    const glove::EntryPoints& entry = kEntryPoints[glove::g_negotiations.fetch_add(1) % glove::kChainSlots];
    request->layerInterfaceVersion = kInterfaceVersion;
    request->layerApiVersion = XR_MAKE_VERSION(1, 0, 0);
    request->getInstanceProcAddr = entry.get_proc;
    request->createApiLayerInstance = entry.create_instance;
    return XR_SUCCESS;
}
