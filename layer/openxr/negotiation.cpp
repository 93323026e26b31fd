// SPDX-License-Identifier: Apache-2.0
// Where the loader enters: negotiation, instance creation, and function look-up.
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

#include "openxr/extensions.hpp"
#include "openxr/instance.hpp"
#include "openxr/loader_interface.hpp"
#include "openxr/wrist.hpp"

namespace glove {

namespace {

// A layer whose manifest is found twice is loaded twice into one chain, with one library image and one set of globals
// (rule 1.2.7). So every negotiation gets entry points of its own: each place in the chain knows what is below *it*,
// and only the outermost one does the layer's work.
constexpr std::size_t kPlaces = 4;

// Where the look-ups of an instance go that a place only passes on.
struct Passage {
    XrInstance instance = XR_NULL_HANDLE;
    PFN_xrGetInstanceProcAddr next = nullptr;  // null: not one of these instances
    bool hides_ours = false;                   // the application enabled none of our extensions
};

// Instances a place only passes on. They are not seen to end, so the oldest gives way.
class PassedOn {
public:
    void remember(const Passage& passage) noexcept {
        const std::lock_guard lock(mutex_);
        for (Passage& entry : entries_) {
            if (entry.instance == passage.instance) {
                entry = passage;
                return;
            }
        }
        entries_[oldest_] = passage;
        oldest_ = (oldest_ + 1) % entries_.size();
    }

    void forget(XrInstance instance) noexcept {
        const std::lock_guard lock(mutex_);
        for (Passage& entry : entries_) {
            if (entry.instance == instance) {
                entry = {};
            }
        }
    }

    [[nodiscard]] Passage find(XrInstance instance) noexcept {
        const std::lock_guard lock(mutex_);
        for (const Passage& entry : entries_) {
            if (entry.instance == instance) {
                return entry;
            }
        }
        return {};
    }

private:
    std::mutex mutex_;
    std::array<Passage, 8> entries_{};
    std::size_t oldest_ = 0;
};

std::array<PassedOn, kPlaces> g_passed_on;
constinit std::atomic<std::size_t> g_negotiations{0};

// How many of our places are inside xrCreateInstance on this thread: the first is the outermost.
constinit thread_local int t_creating = 0;

template <std::size_t Place>
XRAPI_ATTR XrResult XRAPI_CALL get_proc_at(XrInstance instance, const char* name, PFN_xrVoidFunction* function);

bool is_of_our_extensions(const char* name) noexcept {
    const Intercepted own = find_intercepted(name);
    return own.feature == Feature::hand_tracking || own.feature == Feature::status;
}

XrResult get_proc(std::size_t place, PFN_xrGetInstanceProcAddr self, XrInstance handle, const char* name,
                  PFN_xrVoidFunction* function) {
    if (function == nullptr) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    *function = nullptr;
    if (name == nullptr) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    if (handle == XR_NULL_HANDLE) {
        return XR_ERROR_HANDLE_INVALID;
    }
    if (const Passage passage = g_passed_on[place].find(handle); passage.next != nullptr) {
        // Some layers give out pointers for functions that nobody has (rule 1.3).
        return passage.hides_ours && is_of_our_extensions(name) ? XR_ERROR_FUNCTION_UNSUPPORTED
                                                                : passage.next(handle, name, function);
    }
    const auto instance = Instance::find(handle);
    if (!instance) {
        return XR_ERROR_HANDLE_INVALID;
    }
    if (std::strcmp(name, "xrGetInstanceProcAddr") == 0) {
        *function = reinterpret_cast<PFN_xrVoidFunction>(self);
        return XR_SUCCESS;
    }
    return instance->get_proc(name, function);
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
    below.nextInfo = layer_info.nextInfo->next;
    return layer_info.nextInfo->nextCreateApiLayerInstance(info, &below, instance);
}

XrResult pass_on(std::size_t place, const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo& layer_info,
                 bool hides_ours, XrInstance* instance) {
    const XrResult result = create_below(info, layer_info, instance);
    if (XR_SUCCEEDED(result)) {
        g_passed_on[place].remember({*instance, layer_info.nextInfo->nextGetInstanceProcAddr, hides_ours});
    }
    return result;
}

bool wants_trackers_of(const Config::Wrist& wrist) noexcept {
    return (allowed_kinds(wrist.source) & bit_of(WristKind::tracker)) != 0 &&
           !(wrist.tracker.left.empty() && wrist.tracker.right.empty());
}

XrResult create_with_hands(std::size_t place, const XrInstanceCreateInfo& info, const EnabledFeatures& features,
                           const XrApiLayerCreateInfo& layer_info, XrInstance* handle) {
    Config config = read_config();
    const bool wants_trackers = features.hand_tracking && wants_trackers_of(config.wrist);
    ExtensionPlan plan = plan_extensions(info, runtime_extensions(layer_info), wants_trackers);
    // Made before the call below: once an instance exists there, nothing may fail here.
    auto instance = std::make_unique<Instance>(features, plan, std::move(config));

    XrInstanceCreateInfo changed = info;
    const auto create = [&] {
        changed.enabledExtensionCount = static_cast<std::uint32_t>(plan.downstream.size());
        changed.enabledExtensionNames = plan.downstream.empty() ? nullptr : plan.downstream.data();
        return create_below(&changed, layer_info, handle);
    };
    XrResult result = create();
    if (XR_FAILED(result) && plan.adds_anything()) {
        // Whatever it was, it shall not have been our addition.
        plan.give_up_additions();
        instance->plan_changed(plan);
        result = create();
    }
    if (XR_FAILED(result)) {
        return result;
    }

    const PFN_xrGetInstanceProcAddr next = layer_info.nextInfo->nextGetInstanceProcAddr;
    g_passed_on[place].forget(*handle);
    if (!instance->connect(*handle, next)) {
        log::error("the element below lacks core functions; passing everything on");
        g_passed_on[place].remember({*handle, next, false});
        return result;
    }
    const std::size_t name_size = sizeof info.applicationInfo.applicationName;
    log::info("instance of \"%.*s\" asks for hands; the runtime has %s hand tracking of its own",
              static_cast<int>(name_size), info.applicationInfo.applicationName,
              plan.native_hand_tracking ? "a" : "no");
    try {
        Instance::all().add(key_of(*handle), std::move(instance));
    } catch (const std::bad_alloc&) {
        g_passed_on[place].remember({*handle, next, false});
        log::error("out of memory; passing everything on");
    }
    return result;
}

XrResult create_instance(std::size_t place, const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo* layer_info,
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
        return pass_on(place, info, *layer_info, is_outermost, instance);
    }
    return create_with_hands(place, *info, features, *layer_info, instance);
}

template <std::size_t Place>
XRAPI_ATTR XrResult XRAPI_CALL get_proc_at(XrInstance instance, const char* name, PFN_xrVoidFunction* function) {
    return guarded("xrGetInstanceProcAddr", XR_ERROR_OUT_OF_MEMORY,
                   [&] { return get_proc(Place, &get_proc_at<Place>, instance, name, function); });
}

template <std::size_t Place>
XRAPI_ATTR XrResult XRAPI_CALL create_instance_at(const XrInstanceCreateInfo* info,
                                                  const XrApiLayerCreateInfo* layer_info, XrInstance* instance) {
    return guarded("xrCreateInstance", XR_ERROR_OUT_OF_MEMORY,
                   [&] { return create_instance(Place, info, layer_info, instance); });
}

struct EntryPoints {
    PFN_xrGetInstanceProcAddr get_proc;
    PFN_xrCreateApiLayerInstance create_instance;
};

template <std::size_t... Places>
constexpr std::array<EntryPoints, sizeof...(Places)> make_entry_points(std::index_sequence<Places...>) noexcept {
    return {EntryPoints{&get_proc_at<Places>, &create_instance_at<Places>}...};
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
