// SPDX-License-Identifier: Apache-2.0
// The recorder: passes everything on and keeps book. 64-bit only, where each kind of handle is a type of its own.
#include "layers/recorder_control.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "layers/element.hpp"
#include "openxr/loader/registry.hpp"

namespace glove::test_layer {
namespace {

// Never destroyed: a program may leave main() with its instance alive.
RecorderControl& control() {
    static RecorderControl& the_control = *new RecorderControl;
    return the_control;
}

template <class T>
constexpr XrObjectType kTypeOf = XR_OBJECT_TYPE_UNKNOWN;  // not a handle
template <>
constexpr XrObjectType kTypeOf<XrInstance> = XR_OBJECT_TYPE_INSTANCE;
template <>
constexpr XrObjectType kTypeOf<XrSession> = XR_OBJECT_TYPE_SESSION;
template <>
constexpr XrObjectType kTypeOf<XrSwapchain> = XR_OBJECT_TYPE_SWAPCHAIN;
template <>
constexpr XrObjectType kTypeOf<XrSpace> = XR_OBJECT_TYPE_SPACE;
template <>
constexpr XrObjectType kTypeOf<XrActionSet> = XR_OBJECT_TYPE_ACTION_SET;
template <>
constexpr XrObjectType kTypeOf<XrAction> = XR_OBJECT_TYPE_ACTION;
template <>
constexpr XrObjectType kTypeOf<XrHandTrackerEXT> = XR_OBJECT_TYPE_HAND_TRACKER_EXT;

template <class Handle>
RecorderControl::Object object_of(Handle handle) {
    return {kTypeOf<Handle>, key_of(handle)};
}

// Handles among a call's arguments, and those inside the structs that carry any.
template <class Argument>
void look_at(std::string_view function, Argument argument) {
    if constexpr (kTypeOf<Argument> != XR_OBJECT_TYPE_UNKNOWN) {
        control().seen(function, object_of(argument));
    }
}
void look_at(std::string_view function, const XrHandJointsLocateInfoEXT* info) {
    look_at(function, info->baseSpace);
}
void look_at(std::string_view function, const XrViewLocateInfo* info) {
    look_at(function, info->space);
}
void look_at(std::string_view function, const XrActionSpaceCreateInfo* info) {
    look_at(function, info->action);
}
void look_at(std::string_view function, const XrActionStateGetInfo* info) {
    look_at(function, info->action);
}
void look_at(std::string_view function, const XrInteractionProfileSuggestedBinding* info) {
    for (std::uint32_t i = 0; i < info->countSuggestedBindings; ++i) {
        look_at(function, info->suggestedBindings[i].action);
    }
}
void look_at(std::string_view function, const XrSessionActionSetsAttachInfo* info) {
    for (std::uint32_t i = 0; i < info->countActionSets; ++i) {
        look_at(function, info->actionSets[i]);
    }
}
void look_at(std::string_view function, const XrActionsSyncInfo* info) {
    for (std::uint32_t i = 0; i < info->countActiveActionSets; ++i) {
        look_at(function, info->activeActionSets[i].actionSet);
    }
}
void look_at(std::string_view function, const XrDebugUtilsObjectNameInfoEXT* info) {
    if (info->objectType == XR_OBJECT_TYPE_HAND_TRACKER_EXT || info->objectType == XR_OBJECT_TYPE_SESSION) {
        control().seen(function, {info->objectType, info->objectHandle});
    }
}

// The handles that a call gave out, as children of its first argument.
template <class Parent, class Argument>
void note_created(Parent parent, Argument argument) {
    if constexpr (std::is_pointer_v<Argument>) {
        using Pointee = std::remove_pointer_t<Argument>;
        if constexpr (kTypeOf<Pointee> != XR_OBJECT_TYPE_UNKNOWN) {
            control().created(object_of(parent), object_of(*argument));
        }
    }
}

// XR_EXT_hand_tracking for a runtime that lacks it: both hands are there, all joints in one place. Nothing for every
// other call.
template <class... Arguments>
std::optional<XrResult> serve(Arguments...) {
    return std::nullopt;
}
std::optional<XrResult> serve(XrSession, const XrHandTrackerCreateInfoEXT*, XrHandTrackerEXT* tracker) {
    *tracker = handle_of<XrHandTrackerEXT>(control().new_handle());
    return XR_SUCCESS;
}
std::optional<XrResult> serve(XrHandTrackerEXT) {
    return XR_SUCCESS;
}
std::optional<XrResult> serve(XrHandTrackerEXT, const XrHandJointsLocateInfoEXT*, XrHandJointLocationsEXT* out) {
    constexpr XrSpaceLocationFlags kFlags =
        XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT |
        XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;
    out->isActive = XR_TRUE;
    std::fill_n(out->jointLocations, out->jointCount,
                XrHandJointLocationEXT{kFlags, RecorderControl::kServedJoint, 0.01f});
    return XR_SUCCESS;
}

struct Recorder {
    template <class Call, class First, class... Rest>
    static XrResult around(std::string_view function, Call&& call, First first, Rest... rest) {
        control().called(function);
        if constexpr (std::is_same_v<First, const XrInstanceCreateInfo*>) {
            control().enabled(*first);
        }
        look_at(function, first);
        (look_at(function, rest), ...);
        std::optional<XrResult> served;
        if (control().offers_hands) {
            served = serve(first, rest...);
        }
        const XrResult result = served ? *served : call();
        if (XR_FAILED(result)) {
            return result;
        }
        if (function.starts_with("xrDestroy")) {
            control().destroyed(object_of(first));
        } else if (function.starts_with("xrCreate")) {
            (note_created(first, rest), ...);
        }
        return result;
    }
    static XrResult look_up(XrInstance instance, std::string_view name, PFN_xrVoidFunction*) {
        control().looked_up(instance, name);
        return XR_SUCCESS;
    }
    static bool gives_out_everything() { return control().gives_out_everything; }
    static std::string_view offers() {
        return control().offers_hands ? XR_EXT_HAND_TRACKING_EXTENSION_NAME : std::string_view{};
    }
    static bool looks_around() { return control().looks_around; }
    static void saw(const Listed& through_instance, const Listed& through_none) {
        control().saw(through_instance, through_none);
    }
};

}  // namespace
}  // namespace glove::test_layer

GLOVE_TEST_LAYER(glove::test_layer::Recorder)

GLOVE_LAYER_EXPORT glove::test_layer::RecorderControl* glove_recorder_control() {
    return &glove::test_layer::control();
}
