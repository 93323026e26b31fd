// SPDX-License-Identifier: Apache-2.0
#include "openxr/loader/instance_with_hands.hpp"

#include <iterator>
#include <utility>

#include "openxr/app/instance.hpp"
#include "openxr/loader/next_element.hpp"
#include "openxr/wrist/wrist.hpp"

namespace glove::instance_with_hands {
namespace {

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

}  // namespace

XrResult create(const XrInstanceCreateInfo& info, const EnabledFeatures& features,
                const XrApiLayerCreateInfo& layer_info, XrInstance* handle, Role& role) {
    Config config = read_config();
    const bool wants_trackers = features.hand_tracking && wants_trackers_of(config.wrist);
    std::vector<std::string> below_has = runtime_extensions(layer_info);
    std::vector<ExtensionPlan> plans = plan_extensions(info, below_has, wants_trackers);
    auto instance = Instance::all().hold(std::make_unique<Instance>(features, std::move(config)));
    XrResult result = create_as_planned(plans, info, layer_info, *instance, handle);
    if (XR_FAILED(result)) {
        return result;
    }
    const PFN_xrGetInstanceProcAddr next = layer_info.nextInfo->nextGetInstanceProcAddr;
    const auto undo = [&] {
        if (const auto destroy = find_below<PFN_xrDestroyInstance>(next, *handle, "xrDestroyInstance")) {
            destroy(*handle);
        }
        *handle = XR_NULL_HANDLE;
    };

    // Layers below can be asked only now (rule 2.6). When one of them offers what the runtime lacks, this instance was
    // made without it.
    std::vector<ExtensionPlan> better;
    if (has_others_below(layer_info)) {
        keep_or_undo(
            [&] {
                std::vector<std::string> listed = listed_by(find_below<PFN_xrEnumerateInstanceExtensionProperties>(
                    next, *handle, "xrEnumerateInstanceExtensionProperties"));
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
    }

    bool complete = false;
    keep_or_undo([&] { complete = instance->connect(*handle, next); }, undo);
    if (!complete) {
        log::error("the element below lacks core functions; passing everything on");
        role = Role::aside;
        return result;
    }
    const std::size_t name_size = sizeof info.applicationInfo.applicationName;
    log::info("instance of \"%.*s\" asks for hands; the runtime has %s hand tracking of its own",
              static_cast<int>(name_size), info.applicationInfo.applicationName, instance->is_native() ? "a" : "no");
    Instance::all().put_back(key_of(*handle), std::move(instance));
    role = Role::works;
    return result;
}

XrResult get_proc(XrInstance handle, const char* name, PFN_xrVoidFunction* function) noexcept {
    const auto instance = Instance::find(handle);
    return instance ? instance->get_proc(name, function) : XR_ERROR_HANDLE_INVALID;
}

}  // namespace glove::instance_with_hands
