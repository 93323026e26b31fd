// SPDX-License-Identifier: Apache-2.0
#include "openxr/input_fixture.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace glove::test {
namespace {

constexpr std::string_view kProfiles = "/interaction_profiles/";

void require(XrResult result, const std::string& what) {
    if (result != XR_SUCCESS) {
        throw std::runtime_error(what + " returned " + std::to_string(result));
    }
}

template <std::size_t size>
void write(char (&to)[size], const std::string& text) {
    to[text.copy(to, size - 1)] = '\0';
}

std::string full(std::string_view name) {
    return name.empty() || name.front() == '/' ? std::string(name) : "/user/hand/" + std::string(name);
}

template <class State, class Get>
State state_of(XrSession session, XrAction action, XrPath of, XrStructureType type, Get get) {
    const XrActionStateGetInfo info{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, action, of};
    State state;
    std::memset(&state, 0xA5, sizeof state);
    state.type = type;
    state.next = nullptr;
    require(get(session, &info, &state), "the state of an action");
    return state;
}

}  // namespace

XrPath InputTest::path(const std::string& text) const {
    XrPath made = XR_NULL_PATH;
    require(xrStringToPath(instance(), text.c_str(), &made), text);
    return made;
}

XrPath InputTest::user(std::string_view name) const {
    return name.empty() ? XR_NULL_PATH : path(full(name));
}

std::string InputTest::text(XrPath path) const {
    if (path == XR_NULL_PATH) {
        return "";
    }
    char buffer[XR_MAX_PATH_LENGTH];
    std::uint32_t size = 0;
    require(xrPathToString(instance(), path, sizeof buffer, &size, buffer), "xrPathToString");
    return buffer;
}

XrActionSet InputTest::make_set(const std::string& name, std::uint32_t priority) const {
    XrActionSetCreateInfo info{XR_TYPE_ACTION_SET_CREATE_INFO, nullptr, {}, {}, priority};
    write(info.actionSetName, name);
    write(info.localizedActionSetName, "The set " + name);
    XrActionSet set = XR_NULL_HANDLE;
    require(xrCreateActionSet(instance(), &info, &set), name);
    return set;
}

XrAction InputTest::make_action(XrActionSet set, const std::string& name, XrActionType type,
                                const std::vector<std::string>& users) const {
    std::vector<XrPath> paths;
    for (const std::string& each : users) {
        paths.push_back(user(each));
    }
    XrActionCreateInfo info{};
    info.type = XR_TYPE_ACTION_CREATE_INFO;
    write(info.actionName, name);
    write(info.localizedActionName, "The action " + name);
    info.actionType = type;
    info.countSubactionPaths = static_cast<std::uint32_t>(paths.size());
    info.subactionPaths = paths.data();
    XrAction action = XR_NULL_HANDLE;
    require(xrCreateAction(set, &info, &action), name);
    return action;
}

XrSpace InputTest::make_action_space(XrAction action, std::string_view of, const XrPosef& pose) const {
    const XrActionSpaceCreateInfo info{XR_TYPE_ACTION_SPACE_CREATE_INFO, nullptr, action, user(of), pose};
    XrSpace space = XR_NULL_HANDLE;
    require(xrCreateActionSpace(session(), &info, &space), "xrCreateActionSpace");
    return space;
}

XrResult InputTest::suggest(const std::string& profile,
                            const std::vector<std::pair<XrAction, std::string>>& bindings) const {
    std::vector<XrActionSuggestedBinding> suggested;
    for (const auto& [action, binding] : bindings) {
        suggested.push_back({action, path(full(binding))});
    }
    const XrInteractionProfileSuggestedBinding info{XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING, nullptr,
                                                    path(std::string(kProfiles) + profile),
                                                    static_cast<std::uint32_t>(suggested.size()), suggested.data()};
    return xrSuggestInteractionProfileBindings(instance(), &info);
}

XrResult InputTest::attach(const std::vector<XrActionSet>& sets) const {
    const XrSessionActionSetsAttachInfo info{XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO, nullptr,
                                             static_cast<std::uint32_t>(sets.size()), sets.data()};
    return xrAttachSessionActionSets(session(), &info);
}

XrResult InputTest::sync(const std::vector<XrActionSet>& sets) const {
    std::vector<XrActiveActionSet> active;
    for (const XrActionSet set : sets) {
        active.push_back({set, XR_NULL_PATH});
    }
    const XrActionsSyncInfo info{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, static_cast<std::uint32_t>(active.size()),
                                 active.data()};
    return xrSyncActions(session(), &info);
}

XrActionStateBoolean InputTest::boolean(XrAction action, std::string_view of) const {
    return state_of<XrActionStateBoolean>(session(), action, user(of), XR_TYPE_ACTION_STATE_BOOLEAN,
                                          xrGetActionStateBoolean);
}

XrActionStateFloat InputTest::number(XrAction action, std::string_view of) const {
    return state_of<XrActionStateFloat>(session(), action, user(of), XR_TYPE_ACTION_STATE_FLOAT, xrGetActionStateFloat);
}

XrActionStateVector2f InputTest::vector(XrAction action, std::string_view of) const {
    return state_of<XrActionStateVector2f>(session(), action, user(of), XR_TYPE_ACTION_STATE_VECTOR2F,
                                           xrGetActionStateVector2f);
}

bool InputTest::is_active_pose(XrAction action, std::string_view of) const {
    return state_of<XrActionStatePose>(session(), action, user(of), XR_TYPE_ACTION_STATE_POSE, xrGetActionStatePose)
               .isActive == XR_TRUE;
}

std::string InputTest::current_profile(std::string_view of) const {
    XrInteractionProfileState state{XR_TYPE_INTERACTION_PROFILE_STATE, nullptr, 77};
    require(xrGetCurrentInteractionProfile(session(), user(of), &state), "xrGetCurrentInteractionProfile");
    const std::string name = text(state.interactionProfile);
    return name.empty() ? "" : name.substr(kProfiles.size());
}

std::vector<std::string> InputTest::bound_sources(XrAction action) const {
    const XrBoundSourcesForActionEnumerateInfo info{XR_TYPE_BOUND_SOURCES_FOR_ACTION_ENUMERATE_INFO, nullptr, action};
    std::uint32_t count = 0;
    require(xrEnumerateBoundSourcesForAction(session(), &info, 0, &count, nullptr), "bound sources");
    std::vector<XrPath> paths(count);
    require(xrEnumerateBoundSourcesForAction(session(), &info, count, &count, paths.data()), "bound sources");
    std::vector<std::string> sources;
    for (const XrPath source : paths) {
        sources.push_back(text(source));
    }
    return sources;
}

InputTest::Located InputTest::locate_space(XrSpace space, XrSpace base, XrTime time) const {
    Located located;
    located.location.next = &located.velocity;
    require(xrLocateSpace(space, base, time, &located.location), "xrLocateSpace");
    located.location.next = nullptr;
    return located;
}

std::vector<XrEventDataBuffer> InputTest::poll_events() const {
    std::vector<XrEventDataBuffer> events;
    for (;;) {
        XrEventDataBuffer buffer{};
        buffer.type = XR_TYPE_EVENT_DATA_BUFFER;
        if (xrPollEvent(instance(), &buffer) != XR_SUCCESS) {
            return events;
        }
        events.push_back(buffer);
    }
}

int InputTest::count(const std::vector<XrEventDataBuffer>& events, XrStructureType type) {
    return static_cast<int>(std::count_if(events.begin(), events.end(),
                                          [type](const XrEventDataBuffer& event) { return event.type == type; }));
}

void InputTest::hold(std::size_t hand, const std::string& profile) const {
    runtime().controllers[hand].change([&](ControllerScript& controller) {
        controller.present = true;
        controller.profile = std::string(kProfiles) + profile;
    });
}

void InputTest::press(std::size_t hand, const std::string& input, float value) const {
    runtime().controllers[hand].change([&](ControllerScript& controller) { controller.inputs[input] = value; });
}

}  // namespace glove::test
