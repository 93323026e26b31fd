// SPDX-License-Identifier: Apache-2.0
// Where the loader enters: negotiation, instance creation, and function look-up.
#include <array>
#include <atomic>
#include <cstring>
#include <iterator>
#include <utility>

#include "openxr/extensions.hpp"
#include "openxr/instance.hpp"
#include "openxr/loader_interface.hpp"
#include "openxr/passages.hpp"
#include "openxr/wrist.hpp"

namespace glove {

namespace {

// A layer whose manifest is found twice is loaded twice into one chain, with one library image and one set of globals
// (rule 1.2.7). So every negotiation gets entry points of its own: each place in the chain knows what is below *it*,
// and only the outermost one does the layer's work.
constexpr std::size_t kPlaces = 4;

std::array<Passages, kPlaces> g_passages;
constinit std::atomic<std::size_t> g_negotiations{0};

// How many of our places are inside xrCreateInstance on this thread: the first is the outermost.
constinit thread_local int t_creating = 0;

// What a place answers itself, whatever the application enabled. The rest is Instance's, or comes from below.
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

// Null where there is none.
template <class Function>
Function find_below(const Passage& passage, const char* name) noexcept {
    PFN_xrVoidFunction function = nullptr;
    return XR_SUCCEEDED(passage.next(passage.instance, name, &function)) ? reinterpret_cast<Function>(function)
                                                                         : nullptr;
}

// Some layers leave a pointer behind when they fail.
XrResult ask_below(const Passage& passage, const char* name, PFN_xrVoidFunction* function) noexcept {
    const XrResult result = passage.next(passage.instance, name, function);
    if (XR_FAILED(result)) {
        *function = nullptr;
    }
    return result;
}

XrResult get_proc(Passages& passages, const EntryPoints& self, XrInstance handle, const char* name,
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
    Passage passage;
    if (handle != XR_NULL_HANDLE) {
        passage = passages.find(handle);
    } else if (enumerates) {
        passage = passages.newest();
    }
    if (passage.next == nullptr) {
        return XR_ERROR_HANDLE_INVALID;
    }
    if (std::strcmp(name, "xrGetInstanceProcAddr") == 0) {
        *function = reinterpret_cast<PFN_xrVoidFunction>(self.get_proc);
        return XR_SUCCESS;
    }
    const bool ends = std::strcmp(name, "xrDestroyInstance") == 0;
    if (ends || enumerates) {
        const XrResult result = ask_below(passage, name, function);
        if (XR_SUCCEEDED(result) && *function != nullptr) {
            *function = ends ? reinterpret_cast<PFN_xrVoidFunction>(self.destroy_instance)
                             : reinterpret_cast<PFN_xrVoidFunction>(self.enumerate_extensions);
        }
        return result;
    }
    if (passage.role == Role::works) {
        const auto instance = Instance::find(handle);
        return instance ? instance->get_proc(name, function) : XR_ERROR_HANDLE_INVALID;
    }
    // Some layers give out pointers for functions that nobody has (rule 1.3).
    return passage.role == Role::not_asked && is_of_our_extensions(name) ? XR_ERROR_FUNCTION_UNSUPPORTED
                                                                         : ask_below(passage, name, function);
}

XrResult destroy_instance(Passages& passages, XrInstance handle) {
    const Passage passage = passages.take(handle);
    if (passage.next == nullptr) {
        return XR_ERROR_HANDLE_INVALID;
    }
    if (passage.role == Role::works) {
        return intercept::xrDestroyInstance(handle);
    }
    const auto destroy = find_below<PFN_xrDestroyInstance>(passage, "xrDestroyInstance");
    return destroy == nullptr ? XR_ERROR_RUNTIME_FAILURE : destroy(handle);
}

XrResult enumerate_extensions(Passages& passages, const char* layer, std::uint32_t capacity, std::uint32_t* count,
                              XrExtensionProperties* properties) {
    if (layer != nullptr && std::strcmp(layer, GLOVE_LAYER_NAME) == 0) {
        return list_ours(capacity, count, properties);
    }
    const Passage passage = passages.newest();
    if (passage.next == nullptr) {
        return XR_ERROR_RUNTIME_UNAVAILABLE;  // no instance lives any more
    }
    const auto below =
        find_below<PFN_xrEnumerateInstanceExtensionProperties>(passage, "xrEnumerateInstanceExtensionProperties");
    if (below == nullptr) {
        return XR_ERROR_RUNTIME_FAILURE;
    }
    // A copy that stands aside offers nothing: the other one does.
    return layer != nullptr || passage.role == Role::aside ? below(layer, capacity, count, properties)
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

XrResult create_below(const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo& layer_info, XrInstance* instance) {
    XrApiLayerCreateInfo below = layer_info;
    // A later loader's may be larger: this copy is not.
    below.structVersion = XR_API_LAYER_CREATE_INFO_STRUCT_VERSION;
    below.structSize = sizeof below;
    below.nextInfo = layer_info.nextInfo->next;
    return layer_info.nextInfo->nextCreateApiLayerInstance(info, &below, instance);
}

XrResult pass_on(Passages& passages, const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo& layer_info,
                 Role role, XrInstance* instance) {
    const XrResult result = create_below(info, layer_info, instance);
    if (XR_SUCCEEDED(result)) {
        passages.remember({*instance, layer_info.nextInfo->nextGetInstanceProcAddr, role});
    }
    return result;
}

bool wants_trackers_of(const Config::Wrist& wrist) noexcept {
    return (allowed_kinds(wrist.source) & bit_of(WristKind::tracker)) != 0 &&
           !(wrist.tracker.left.empty() && wrist.tracker.right.empty());
}

// Until one of the plans is accepted.
XrResult create_as_planned(const std::vector<ExtensionPlan>& plans, const XrInstanceCreateInfo& info,
                           const XrApiLayerCreateInfo& layer_info, Instance& instance, XrInstance* handle) {
    XrInstanceCreateInfo changed = info;
    XrResult result = XR_ERROR_RUNTIME_FAILURE;
    for (const ExtensionPlan& plan : plans) {
        instance.set_plan(plan);
        changed.enabledExtensionCount = static_cast<std::uint32_t>(plan.downstream.size());
        changed.enabledExtensionNames = plan.downstream.empty() ? nullptr : plan.downstream.data();
        result = create_below(&changed, layer_info, handle);
        if (XR_SUCCEEDED(result)) {
            break;
        }
    }
    return result;
}

void destroy_below(const Passage& passage) noexcept {
    if (const auto destroy = find_below<PFN_xrDestroyInstance>(passage, "xrDestroyInstance"); destroy != nullptr) {
        destroy(passage.instance);
    }
}

XrResult create_with_hands(Passages& passages, const XrInstanceCreateInfo& info, const EnabledFeatures& features,
                           const XrApiLayerCreateInfo& layer_info, XrInstance* handle) {
    Config config = read_config();
    const bool wants_trackers = features.hand_tracking && wants_trackers_of(config.wrist);
    std::vector<std::string> below_has = runtime_extensions(layer_info);
    std::vector<ExtensionPlan> plans = plan_extensions(info, below_has, wants_trackers);
    auto instance = Instance::all().hold(std::make_unique<Instance>(features, std::move(config)));
    XrResult result = create_as_planned(plans, info, layer_info, *instance, handle);
    if (XR_FAILED(result)) {
        return result;
    }
    Passage passage{*handle, layer_info.nextInfo->nextGetInstanceProcAddr, Role::works};
    const auto undo = [&] {
        destroy_below(passage);
        *handle = XR_NULL_HANDLE;
    };

    // Layers below can be asked only now (rule 2.6). When one of them offers what the runtime lacks, this instance was
    // made without it.
    std::vector<ExtensionPlan> better;
    if (has_others_below(layer_info)) {
        keep_or_undo(
            [&] {
                std::vector<std::string> listed = listed_by(find_below<PFN_xrEnumerateInstanceExtensionProperties>(
                    passage, "xrEnumerateInstanceExtensionProperties"));
                below_has.insert(below_has.end(), std::make_move_iterator(listed.begin()),
                                 std::make_move_iterator(listed.end()));
                better = plan_extensions(info, below_has, wants_trackers);
            },
            undo);
    }
    if (!better.empty() && better.front().downstream != plans.front().downstream) {
        undo();
        better.insert(better.end(), plans.begin(), plans.end());
        result = create_as_planned(better, info, layer_info, *instance, handle);
        if (XR_FAILED(result)) {
            return result;
        }
        passage.instance = *handle;
    }

    bool complete = false;
    keep_or_undo([&] { complete = instance->connect(passage.instance, passage.next); }, undo);
    if (!complete) {
        log::error("the element below lacks core functions; passing everything on");
        passages.remember({passage.instance, passage.next, Role::aside});
        return result;
    }
    const std::size_t name_size = sizeof info.applicationInfo.applicationName;
    log::info("instance of \"%.*s\" asks for hands; the runtime has %s hand tracking of its own",
              static_cast<int>(name_size), info.applicationInfo.applicationName, instance->is_native() ? "a" : "no");
    Instance::all().put_back(key_of(passage.instance), std::move(instance));
    passages.remember(passage);
    return result;
}

XrResult create_instance(Passages& passages, const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo* layer_info,
                         XrInstance* instance) {
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
        return pass_on(passages, info, *layer_info, is_outermost ? Role::not_asked : Role::aside, instance);
    }
    return create_with_hands(passages, *info, features, *layer_info, instance);
}

template <std::size_t Place>
struct At {
    static XRAPI_ATTR XrResult XRAPI_CALL get_proc(XrInstance instance, const char* name,
                                                   PFN_xrVoidFunction* function) {
        return guarded("xrGetInstanceProcAddr", XR_ERROR_OUT_OF_MEMORY,
                       [&] { return glove::get_proc(g_passages[Place], kEntryPoints, instance, name, function); });
    }
    static XRAPI_ATTR XrResult XRAPI_CALL create_instance(const XrInstanceCreateInfo* info,
                                                          const XrApiLayerCreateInfo* layer_info,
                                                          XrInstance* instance) {
        return guarded("xrCreateInstance", XR_ERROR_OUT_OF_MEMORY,
                       [&] { return glove::create_instance(g_passages[Place], info, layer_info, instance); });
    }
    static XRAPI_ATTR XrResult XRAPI_CALL destroy_instance(XrInstance instance) {
        return guarded("xrDestroyInstance", XR_ERROR_RUNTIME_FAILURE,
                       [&] { return glove::destroy_instance(g_passages[Place], instance); });
    }
    static XRAPI_ATTR XrResult XRAPI_CALL enumerate_extensions(const char* layer, std::uint32_t capacity,
                                                               std::uint32_t* count,
                                                               XrExtensionProperties* properties) {
        return guarded("xrEnumerateInstanceExtensionProperties", XR_ERROR_OUT_OF_MEMORY, [&] {
            return glove::enumerate_extensions(g_passages[Place], layer, capacity, count, properties);
        });
    }
    static constexpr EntryPoints kEntryPoints{&get_proc, &create_instance, &destroy_instance, &enumerate_extensions};
};

template <std::size_t... Places>
constexpr std::array<EntryPoints, sizeof...(Places)> make_entry_points(std::index_sequence<Places...>) noexcept {
    return {At<Places>::kEntryPoints...};
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
    static constexpr auto kEntryPoints = glove::make_entry_points(std::make_index_sequence<glove::kPlaces>{});
    const glove::EntryPoints& entry = kEntryPoints[glove::g_negotiations.fetch_add(1) % glove::kPlaces];
    request->layerInterfaceVersion = kInterfaceVersion;
    request->layerApiVersion = XR_MAKE_VERSION(1, 0, 0);
    request->getInstanceProcAddr = entry.get_proc;
    request->createApiLayerInstance = entry.create_instance;
    return XR_SUCCESS;
}
