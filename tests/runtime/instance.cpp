// SPDX-License-Identifier: Apache-2.0
// The instance, its events, and the atoms and names that belong to it.
#include <openxr/openxr_reflection.h>

#include <algorithm>
#include <cstdio>

#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

struct Extension {
    std::string name;
    std::uint32_t version;
};

std::vector<Extension> listed_extensions() {
    std::vector<Extension> extensions{{XR_MND_HEADLESS_EXTENSION_NAME, 2}};
    if (control().lists_time_conversion.get()) {
        extensions.push_back({GLOVE_TIME_CONVERSION_EXTENSION, 1});
    }
    if (control().native_hands.get() != NativeHands::absent) {
        extensions.push_back({XR_EXT_HAND_TRACKING_EXTENSION_NAME, 4});
    }
    if (control().lists_hand_aim.get()) {
        extensions.push_back({XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME, 1});
    }
    if (const std::uint32_t revision = control().vive_tracker_revision.get(); revision != 0) {
        extensions.push_back({XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME, revision});
    }
    for (const std::string& name : control().extra_extensions.get()) {
        extensions.push_back({name, 1});
    }
    return extensions;
}

// XR_ERROR_EXTENSION_DEPENDENCY_NOT_ENABLED, which headers have from 1.1.36 on.
constexpr auto kDependencyNotEnabled = static_cast<XrResult>(-1000710001);

XrResult check_extensions(const std::vector<std::string>& enabled) {
    const std::vector<Extension> listed = listed_extensions();
    for (const std::string& name : enabled) {
        if (std::none_of(listed.begin(), listed.end(), [&](const Extension& it) { return it.name == name; })) {
            return XR_ERROR_EXTENSION_NOT_PRESENT;
        }
    }
    const auto has = [&](const char* name) { return std::find(enabled.begin(), enabled.end(), name) != enabled.end(); };
    if (has(XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME) && !has(XR_EXT_HAND_TRACKING_EXTENSION_NAME)) {
        return kDependencyNotEnabled;
    }
    return XR_SUCCESS;
}

// Levels of a-z 0-9 - _ . behind one slash each, and no level of dots alone.
bool is_well_formed_path(std::string_view path) {
    if (path.empty() || path.front() != '/' || path.size() >= XR_MAX_PATH_LENGTH) {
        return false;
    }
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view level = path.substr(0, path.find('/'));
        if (level.find_first_not_of('.') == std::string_view::npos ||
            level.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") != std::string_view::npos) {
            return false;
        }
        path.remove_prefix(level.size());
    }
    return true;
}

}  // namespace

bool Instance::enabled(std::string_view extension) const {
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

const std::string* Instance::path(XrPath path) const {
    return path == XR_NULL_PATH || path > paths.size() ? nullptr : &paths[static_cast<std::size_t>(path - 1)];
}

XrPath Instance::atom(std::string_view text) {
    auto found = std::find(paths.begin(), paths.end(), text);
    if (found == paths.end()) {
        found = paths.insert(paths.end(), std::string(text));
    }
    return static_cast<XrPath>(found - paths.begin()) + 1;
}

bool Runtime::is(XrInstance handle) const {
    if (instance != nullptr && instance->handle == handle) {
        return true;
    }
    ++control().unknown_handles;
    return false;
}

void Runtime::count_live() const {
    control().live_sessions = sessions.size();
    control().live_spaces = spaces.size();
    control().live_hand_trackers = hand_trackers.size();
    control().live_action_sets = action_sets.size();
    control().live_actions = actions.size();
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateInstanceExtensionProperties(const char* layer, std::uint32_t capacity,
                                                                             std::uint32_t* count,
                                                                             XrExtensionProperties* properties) {
    return answer(Function::xrEnumerateInstanceExtensionProperties, [&](Runtime&) {
        if (layer != nullptr) {
            return XR_ERROR_API_LAYER_NOT_PRESENT;
        }
        const std::vector<Extension> extensions = listed_extensions();
        return write_array(extensions.size(), capacity, count, properties,
                           [&](XrExtensionProperties& out, std::size_t i) {
                               write_text(out.extensionName, extensions[i].name);
                               out.extensionVersion = extensions[i].version;
                           });
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrCreateInstance(const XrInstanceCreateInfo* info, XrInstance* out) {
    return answer(Function::xrCreateInstance, [&](Runtime& the_runtime) {
        if (!is_a(info, XR_TYPE_INSTANCE_CREATE_INFO) || out == nullptr || info->createFlags != 0 ||
            (info->enabledExtensionCount != 0 && info->enabledExtensionNames == nullptr)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        const XrVersion wanted = info->applicationInfo.apiVersion;
        if (XR_VERSION_MAJOR(wanted) != 1 || XR_VERSION_MINOR(wanted) != 0) {
            return XR_ERROR_API_VERSION_UNSUPPORTED;
        }
        std::string application;
        if (!read_text(info->applicationInfo.applicationName, application) || application.empty()) {
            return XR_ERROR_NAME_INVALID;
        }
        const std::vector<std::string> extensions(info->enabledExtensionNames,
                                                  info->enabledExtensionNames + info->enabledExtensionCount);
        control().enabled_extensions = extensions;
        if (const XrResult result = check_extensions(extensions); XR_FAILED(result)) {
            return result;
        }
        if (the_runtime.instance != nullptr) {
            return XR_ERROR_LIMIT_REACHED;
        }
        the_runtime.instance =
            std::make_unique<Instance>(Instance{the_runtime.new_handle<XrInstance>(), extensions, {}, {}, {}, 0, {}});
        *out = the_runtime.instance->handle;
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrDestroyInstance(XrInstance instance) {
    return answer(Function::xrDestroyInstance, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        while (!the_runtime.sessions.empty()) {
            the_runtime.destroy_session(the_runtime.sessions.begin()->first);
        }
        the_runtime.actions.clear();
        the_runtime.action_sets.clear();
        the_runtime.instance.reset();
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetInstanceProperties(XrInstance instance, XrInstanceProperties* out) {
    return answer(Function::xrGetInstanceProperties, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(out, XR_TYPE_INSTANCE_PROPERTIES)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        out->runtimeVersion = XR_MAKE_VERSION(1, 0, 0);
        write_text(out->runtimeName, kName);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrPollEvent(XrInstance instance, XrEventDataBuffer* out) {
    return answer(Function::xrPollEvent, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(out, XR_TYPE_EVENT_DATA_BUFFER)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        std::deque<XrEventDataBuffer>& events = the_runtime.instance->events;
        if (events.empty()) {
            return XR_EVENT_UNAVAILABLE;
        }
        *out = events.front();
        events.pop_front();
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrResultToString(XrInstance instance, XrResult value,
                                                       char buffer[XR_MAX_RESULT_STRING_SIZE]) {
    return answer(Function::xrResultToString, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (buffer == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        std::snprintf(buffer, XR_MAX_RESULT_STRING_SIZE, "XR_UNKNOWN_%s_%d", XR_FAILED(value) ? "FAILURE" : "SUCCESS",
                      static_cast<int>(value));
        switch (value) {
#define GLOVE_CASE(constant, number)                                       \
    case constant:                                                         \
        std::snprintf(buffer, XR_MAX_RESULT_STRING_SIZE, "%s", #constant); \
        break;
            XR_LIST_ENUM_XrResult(GLOVE_CASE)
#undef GLOVE_CASE
        }
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrStructureTypeToString(XrInstance instance, XrStructureType value,
                                                              char buffer[XR_MAX_STRUCTURE_NAME_SIZE]) {
    return answer(Function::xrStructureTypeToString, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (buffer == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        std::snprintf(buffer, XR_MAX_STRUCTURE_NAME_SIZE, "XR_UNKNOWN_STRUCTURE_TYPE_%d", static_cast<int>(value));
        switch (value) {
#define GLOVE_CASE(constant, number)                                        \
    case constant:                                                          \
        std::snprintf(buffer, XR_MAX_STRUCTURE_NAME_SIZE, "%s", #constant); \
        break;
            XR_LIST_ENUM_XrStructureType(GLOVE_CASE)
#undef GLOVE_CASE
        }
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrStringToPath(XrInstance instance, const char* text, XrPath* out) {
    return answer(Function::xrStringToPath, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (text == nullptr || out == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (!is_well_formed_path(text)) {
            return XR_ERROR_PATH_FORMAT_INVALID;
        }
        *out = the_runtime.instance->atom(text);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrPathToString(XrInstance instance, XrPath path, std::uint32_t capacity,
                                                     std::uint32_t* count, char* buffer) {
    return answer(Function::xrPathToString, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const std::string* text = the_runtime.instance->path(path);
        if (text == nullptr) {
            return XR_ERROR_PATH_INVALID;
        }
        return write_array(text->size() + 1, capacity, count, buffer,
                           [&](char& out, std::size_t i) { out = text->c_str()[i]; });
    });
}

}  // namespace glove::test_runtime
