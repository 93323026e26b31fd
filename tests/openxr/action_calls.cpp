// SPDX-License-Identifier: Apache-2.0
#include "openxr/action_calls.hpp"

#include <cstdio>
#include <cstring>
#include <type_traits>

namespace glove::test {
namespace {

template <std::size_t size>
void write(char (&to)[size], const std::string& text) {
    to[text.copy(to, size - 1)] = '\0';
}

// To the last bit.
std::string text_of(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%a", static_cast<double>(value));
    return text;
}

std::string text_of(const XrVector3f& v) {
    return text_of(v.x) + ' ' + text_of(v.y) + ' ' + text_of(v.z);
}

std::string quoted(const std::string& text) {
    return '"' + text + '"';
}

template <class Handle>
std::uint64_t value_of(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<std::uintptr_t>(handle);
    } else {
        return handle;
    }
}

// What the runtime is to overwrite, or leave alone.
template <class Struct>
Struct untouched(XrStructureType type) {
    Struct out;
    std::memset(static_cast<void*>(&out), 0xA5, sizeof out);
    out.type = type;
    out.next = nullptr;
    return out;
}

}  // namespace

void ActionCalls::use(XrInstance instance) {
    instance_ = instance;
    names_.clear();
    named_ = 0;
    newest_.clear();
}

void ActionCalls::use(XrSession session) {
    session_ = session;
    (void)made("session", XR_SUCCESS, session);
}

XrPath ActionCalls::path(const std::string& text) {
    XrPath made = XR_NULL_PATH;
    if (!text.empty() && XR_FAILED(xrStringToPath(instance_, text.c_str(), &made))) {
        say("xrStringToPath refuses " + text);
    }
    return made;
}

std::string ActionCalls::text_of(XrPath path) {
    if (path == XR_NULL_PATH) {
        return "no path";
    }
    char text[XR_MAX_PATH_LENGTH];
    std::uint32_t size = 0;
    const XrResult result = xrPathToString(instance_, path, sizeof text, &size, text);
    return XR_SUCCEEDED(result) ? text : "path that gives " + std::to_string(result);
}

template <class Handle>
std::string ActionCalls::name_of(const char* kind, Handle handle) {
    if (handle == XR_NULL_HANDLE) {
        return "null";
    }
    const std::string key = kind + (' ' + std::to_string(value_of(handle)));
    const auto known = names_.find(key);
    return known != names_.end() ? known->second : names_[key] = kind + (' ' + std::to_string(named_++));
}

template <class Handle>
std::string ActionCalls::made(const char* kind, XrResult result, Handle handle) {
    if (XR_FAILED(result)) {
        return "";
    }
    names_.erase(kind + (' ' + std::to_string(value_of(handle))));  // a runtime may use a value again
    return name_of(kind, handle);
}

std::string ActionCalls::time_of(XrAction action, const std::string& user, XrTime time) {
    if (time == 0) {
        return "never";
    }
    XrTime& newest = newest_[name_of("action", action) + user];
    const bool is_new = time > newest;
    const bool is_old = time == newest;
    newest = time;
    return is_new ? "now" : is_old ? "before" : "backwards";
}

void ActionCalls::add(const char* function, const std::string& arguments, XrResult result, const std::string& out) {
    say(std::string(function) + '(' + arguments + ") = " + std::to_string(result) + (out.empty() ? "" : ": " + out));
}

XrActionSet ActionCalls::create_set(const std::string& name, const std::string& shown_name, std::uint32_t priority) {
    XrActionSetCreateInfo info{XR_TYPE_ACTION_SET_CREATE_INFO, nullptr, {}, {}, priority};
    write(info.actionSetName, name);
    write(info.localizedActionSetName, shown_name);
    XrActionSet set = XR_NULL_HANDLE;
    const XrResult result = xrCreateActionSet(instance_, &info, &set);
    add("xrCreateActionSet", quoted(name) + ", " + quoted(shown_name) + ", " + std::to_string(priority), result,
        made("set", result, set));
    return set;
}

XrResult ActionCalls::destroy(XrActionSet set) {
    const XrResult result = xrDestroyActionSet(set);
    add("xrDestroyActionSet", name_of("set", set), result);
    return result;
}

XrAction ActionCalls::create_action(XrActionSet set, const std::string& name, XrActionType type,
                                    const std::vector<std::string>& users) {
    XrActionCreateInfo info{};
    info.type = XR_TYPE_ACTION_CREATE_INFO;
    write(info.actionName, name);
    write(info.localizedActionName, "The " + name);
    info.actionType = type;
    std::vector<XrPath> paths;
    std::string arguments = name_of("set", set) + ", " + quoted(name) + ", " + std::to_string(type);
    for (const std::string& user : users) {
        paths.push_back(path(user));
        arguments += ", " + user;
    }
    info.countSubactionPaths = static_cast<std::uint32_t>(paths.size());
    info.subactionPaths = paths.data();
    XrAction action = XR_NULL_HANDLE;
    const XrResult result = xrCreateAction(set, &info, &action);
    add("xrCreateAction", arguments, result, made("action", result, action));
    return action;
}

XrResult ActionCalls::destroy(XrAction action) {
    const XrResult result = xrDestroyAction(action);
    add("xrDestroyAction", name_of("action", action), result);
    return result;
}

void ActionCalls::suggest(const std::string& profile, const std::vector<std::pair<XrAction, std::string>>& bindings) {
    std::vector<XrActionSuggestedBinding> suggested;
    std::string arguments = profile;
    for (const auto& [action, binding] : bindings) {
        suggested.push_back({action, path(binding)});
        arguments += ", " + name_of("action", action) + " at " + binding;
    }
    const XrInteractionProfileSuggestedBinding info{XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING, nullptr,
                                                    path(profile), static_cast<std::uint32_t>(suggested.size()),
                                                    suggested.data()};
    add("xrSuggestInteractionProfileBindings", arguments, xrSuggestInteractionProfileBindings(instance_, &info));
}

XrResult ActionCalls::attach(const std::vector<XrActionSet>& sets) {
    std::string arguments;
    for (const XrActionSet set : sets) {
        arguments += name_of("set", set) + ' ';
    }
    const XrSessionActionSetsAttachInfo info{XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO, nullptr,
                                             static_cast<std::uint32_t>(sets.size()), sets.data()};
    const XrResult result = xrAttachSessionActionSets(session_, &info);
    add("xrAttachSessionActionSets", arguments, result);
    return result;
}

void ActionCalls::sync(const std::vector<std::pair<XrActionSet, std::string>>& sets) {
    std::vector<XrActiveActionSet> active;
    std::string arguments;
    for (const auto& [set, user] : sets) {
        active.push_back({set, path(user)});
        arguments += name_of("set", set) + ' ' + user + ' ';
    }
    const XrActionsSyncInfo info{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, static_cast<std::uint32_t>(active.size()),
                                 active.data()};
    add("xrSyncActions", arguments, xrSyncActions(session_, &info));
}

void ActionCalls::get_state(XrAction action, XrActionType type, const std::string& user) {
    const XrActionStateGetInfo info{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, action, path(user)};
    const std::string arguments = name_of("action", action) + ' ' + user;
    const auto describe = [&](XrResult result, const auto& state, const std::string& value) {
        return XR_FAILED(result) ? ""
                                 : "active " + std::to_string(state.isActive) + ", changed " +
                                       std::to_string(state.changedSinceLastSync) + ' ' +
                                       time_of(action, user, state.lastChangeTime) + ", " + value;
    };
    if (type == XR_ACTION_TYPE_BOOLEAN_INPUT) {
        auto state = untouched<XrActionStateBoolean>(XR_TYPE_ACTION_STATE_BOOLEAN);
        const XrResult result = xrGetActionStateBoolean(session_, &info, &state);
        add("xrGetActionStateBoolean", arguments, result, describe(result, state, std::to_string(state.currentState)));
    } else if (type == XR_ACTION_TYPE_FLOAT_INPUT) {
        auto state = untouched<XrActionStateFloat>(XR_TYPE_ACTION_STATE_FLOAT);
        const XrResult result = xrGetActionStateFloat(session_, &info, &state);
        add("xrGetActionStateFloat", arguments, result, describe(result, state, test::text_of(state.currentState)));
    } else if (type == XR_ACTION_TYPE_VECTOR2F_INPUT) {
        auto state = untouched<XrActionStateVector2f>(XR_TYPE_ACTION_STATE_VECTOR2F);
        const XrResult result = xrGetActionStateVector2f(session_, &info, &state);
        add("xrGetActionStateVector2f", arguments, result,
            describe(result, state, test::text_of(state.currentState.x) + ' ' + test::text_of(state.currentState.y)));
    } else {
        auto state = untouched<XrActionStatePose>(XR_TYPE_ACTION_STATE_POSE);
        const XrResult result = xrGetActionStatePose(session_, &info, &state);
        add("xrGetActionStatePose", arguments, result,
            XR_FAILED(result) ? "" : "active " + std::to_string(state.isActive));
    }
}

void ActionCalls::get_sources(XrAction action) {
    const XrBoundSourcesForActionEnumerateInfo info{XR_TYPE_BOUND_SOURCES_FOR_ACTION_ENUMERATE_INFO, nullptr, action};
    constexpr std::uint32_t kMany = 64;
    XrPath sources[kMany];
    std::uint32_t count = 0;
    const XrResult result = xrEnumerateBoundSourcesForAction(session_, &info, kMany, &count, sources);
    std::string out;
    for (std::uint32_t i = 0; XR_SUCCEEDED(result) && i < count; ++i) {
        out += text_of(sources[i]) + ' ';
    }
    add("xrEnumerateBoundSourcesForAction", name_of("action", action), result, out);
}

void ActionCalls::get_name(const std::string& source, XrInputSourceLocalizedNameFlags parts) {
    const XrInputSourceLocalizedNameGetInfo info{XR_TYPE_INPUT_SOURCE_LOCALIZED_NAME_GET_INFO, nullptr, path(source),
                                                 parts};
    char name[256] = "";
    std::uint32_t size = 0;
    const XrResult result = xrGetInputSourceLocalizedName(session_, &info, sizeof name, &size, name);
    add("xrGetInputSourceLocalizedName", source + ", " + std::to_string(parts), result, name);
}

void ActionCalls::get_profile(const std::string& user) {
    XrInteractionProfileState state{XR_TYPE_INTERACTION_PROFILE_STATE, nullptr, XR_NULL_PATH};
    const XrResult result = xrGetCurrentInteractionProfile(session_, path(user), &state);
    add("xrGetCurrentInteractionProfile", user, result, text_of(state.interactionProfile));
}

void ActionCalls::look_up(const char* function) {
    PFN_xrVoidFunction found = nullptr;
    const XrResult result = xrGetInstanceProcAddr(instance_, function, &found);
    add("xrGetInstanceProcAddr", function, result, found == nullptr ? "nothing" : "a function");
}

void ActionCalls::apply_haptics(XrAction action, const std::string& user) {
    const XrHapticActionInfo info{XR_TYPE_HAPTIC_ACTION_INFO, nullptr, action, path(user)};
    const XrHapticVibration vibration{XR_TYPE_HAPTIC_VIBRATION, nullptr, 1'000'000, XR_FREQUENCY_UNSPECIFIED, 0.5f};
    add("xrApplyHapticFeedback", name_of("action", action) + ' ' + user,
        xrApplyHapticFeedback(session_, &info, reinterpret_cast<const XrHapticBaseHeader*>(&vibration)));
}

void ActionCalls::stop_haptics(XrAction action, const std::string& user) {
    const XrHapticActionInfo info{XR_TYPE_HAPTIC_ACTION_INFO, nullptr, action, path(user)};
    add("xrStopHapticFeedback", name_of("action", action) + ' ' + user, xrStopHapticFeedback(session_, &info));
}

XrSpace ActionCalls::create_space(XrAction action, const std::string& user) {
    const XrActionSpaceCreateInfo info{
        XR_TYPE_ACTION_SPACE_CREATE_INFO, nullptr, action, path(user), {{0, 0, 0, 1}, {0, 0, 0}}};
    XrSpace space = XR_NULL_HANDLE;
    const XrResult result = xrCreateActionSpace(session_, &info, &space);
    add("xrCreateActionSpace", name_of("action", action) + ' ' + user, result, made("space", result, space));
    return space;
}

XrSpace ActionCalls::create_space(XrReferenceSpaceType type) {
    const XrReferenceSpaceCreateInfo info{
        XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, type, {{0, 0, 0, 1}, {0, 0, 0}}};
    XrSpace space = XR_NULL_HANDLE;
    const XrResult result = xrCreateReferenceSpace(session_, &info, &space);
    add("xrCreateReferenceSpace", std::to_string(type), result, made("space", result, space));
    return space;
}

XrResult ActionCalls::destroy(XrSpace space) {
    const XrResult result = xrDestroySpace(space);
    add("xrDestroySpace", name_of("space", space), result);
    return result;
}

void ActionCalls::locate(XrSpace space, XrSpace base, XrTime time) {
    auto velocity = untouched<XrSpaceVelocity>(XR_TYPE_SPACE_VELOCITY);
    auto location = untouched<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
    location.next = &velocity;
    const XrResult result = xrLocateSpace(space, base, time, &location);
    std::string out = "flags " + std::to_string(location.locationFlags) + ' ' + std::to_string(velocity.velocityFlags);
    if (with_poses_) {
        const XrQuaternionf& q = location.pose.orientation;
        out += " at " + test::text_of(location.pose.position) + " turned " + test::text_of({q.x, q.y, q.z}) + ' ' +
               test::text_of(q.w) + " moving " + test::text_of(velocity.linearVelocity) + ", " +
               test::text_of(velocity.angularVelocity);
    }
    add("xrLocateSpace", name_of("space", space) + " in " + name_of("space", base), result,
        XR_SUCCEEDED(result) ? out : "");
}

std::vector<XrSessionState> ActionCalls::poll() {
    std::vector<XrSessionState> states;
    for (;;) {
        XrEventDataBuffer buffer{};
        buffer.type = XR_TYPE_EVENT_DATA_BUFFER;
        const XrResult result = xrPollEvent(instance_, &buffer);
        if (result == XR_EVENT_UNAVAILABLE) {
            return states;
        }
        if (XR_FAILED(result)) {
            add("xrPollEvent", "", result);
            return states;
        }
        if (buffer.type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) {
            states.push_back(reinterpret_cast<const XrEventDataSessionStateChanged&>(buffer).state);
        } else if (buffer.type == XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED) {
            const auto& event = reinterpret_cast<const XrEventDataInteractionProfileChanged&>(buffer);
            say("event: the interaction profile of " + name_of("session", event.session));
        } else {
            say("event: " + std::to_string(buffer.type));
        }
    }
}

}  // namespace glove::test
