// SPDX-License-Identifier: Apache-2.0
// The one system: a stereo headset that shows nothing, and what it says it can do.
#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

constexpr std::size_t kViewCount = 2;

// What every function about a system checks first.
XrResult check_system(const Runtime& the_runtime, XrInstance instance, XrSystemId system) {
    if (!the_runtime.is(instance)) {
        return XR_ERROR_HANDLE_INVALID;
    }
    return system == kSystem ? XR_SUCCESS : XR_ERROR_SYSTEM_INVALID;
}

XrResult check_view_configuration(XrViewConfigurationType type) {
    return type == XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO ? XR_SUCCESS
                                                             : XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED;
}

}  // namespace

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetSystem(XrInstance instance, const XrSystemGetInfo* info, XrSystemId* out) {
    return answer(Function::xrGetSystem, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_SYSTEM_GET_INFO) || out == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (info->formFactor != XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY) {
            return info->formFactor == XR_FORM_FACTOR_HANDHELD_DISPLAY ? XR_ERROR_FORM_FACTOR_UNSUPPORTED
                                                                       : XR_ERROR_VALIDATION_FAILURE;
        }
        *out = kSystem;
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetSystemProperties(XrInstance instance, XrSystemId system,
                                                            XrSystemProperties* out) {
    return answer(Function::xrGetSystemProperties, [&](Runtime& the_runtime) {
        if (const XrResult result = check_system(the_runtime, instance, system); XR_FAILED(result)) {
            return result;
        }
        if (!is_a(out, XR_TYPE_SYSTEM_PROPERTIES)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        out->systemId = kSystem;
        out->vendorId = 0;
        write_text(out->systemName, kName);
        out->graphicsProperties = {4096, 4096, XR_MIN_COMPOSITION_LAYERS_SUPPORTED};
        out->trackingProperties = {XR_TRUE, XR_TRUE};
        if (the_runtime.instance->enabled(XR_EXT_HAND_TRACKING_EXTENSION_NAME)) {
            auto* hands =
                chained<XrSystemHandTrackingPropertiesEXT>(out->next, XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT);
            if (hands != nullptr) {
                hands->supportsHandTracking =
                    control().native_hands.get() == NativeHands::supported ? XR_TRUE : XR_FALSE;
            }
        }
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateEnvironmentBlendModes(XrInstance instance, XrSystemId system,
                                                                       XrViewConfigurationType type,
                                                                       std::uint32_t capacity, std::uint32_t* count,
                                                                       XrEnvironmentBlendMode* modes) {
    return answer(Function::xrEnumerateEnvironmentBlendModes, [&](Runtime& the_runtime) {
        if (const XrResult result = check_system(the_runtime, instance, system); XR_FAILED(result)) {
            return result;
        }
        if (const XrResult result = check_view_configuration(type); XR_FAILED(result)) {
            return result;
        }
        return write_array(1, capacity, count, modes,
                           [](XrEnvironmentBlendMode& out, std::size_t) { out = XR_ENVIRONMENT_BLEND_MODE_OPAQUE; });
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateViewConfigurations(XrInstance instance, XrSystemId system,
                                                                    std::uint32_t capacity, std::uint32_t* count,
                                                                    XrViewConfigurationType* types) {
    return answer(Function::xrEnumerateViewConfigurations, [&](Runtime& the_runtime) {
        if (const XrResult result = check_system(the_runtime, instance, system); XR_FAILED(result)) {
            return result;
        }
        return write_array(1, capacity, count, types, [](XrViewConfigurationType& out, std::size_t) {
            out = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
        });
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetViewConfigurationProperties(XrInstance instance, XrSystemId system,
                                                                       XrViewConfigurationType type,
                                                                       XrViewConfigurationProperties* out) {
    return answer(Function::xrGetViewConfigurationProperties, [&](Runtime& the_runtime) {
        if (const XrResult result = check_system(the_runtime, instance, system); XR_FAILED(result)) {
            return result;
        }
        if (!is_a(out, XR_TYPE_VIEW_CONFIGURATION_PROPERTIES)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (const XrResult result = check_view_configuration(type); XR_FAILED(result)) {
            return result;
        }
        out->viewConfigurationType = type;
        out->fovMutable = XR_FALSE;
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateViewConfigurationViews(XrInstance instance, XrSystemId system,
                                                                        XrViewConfigurationType type,
                                                                        std::uint32_t capacity, std::uint32_t* count,
                                                                        XrViewConfigurationView* views) {
    return answer(Function::xrEnumerateViewConfigurationViews, [&](Runtime& the_runtime) {
        if (const XrResult result = check_system(the_runtime, instance, system); XR_FAILED(result)) {
            return result;
        }
        if (const XrResult result = check_view_configuration(type); XR_FAILED(result)) {
            return result;
        }
        return write_array(kViewCount, capacity, count, views, [](XrViewConfigurationView& out, std::size_t) {
            out = {out.type, out.next, 1440, 4096, 1600, 4096, 1, 1};
        });
    });
}

}  // namespace glove::test_runtime
