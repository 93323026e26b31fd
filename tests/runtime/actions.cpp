// SPDX-License-Identifier: Apache-2.0
// Action sets, actions and bindings by the rules of OpenXR 1.0, chapter 11. No controller is present: every action is
// inactive and no interaction profile is current.
#include <algorithm>

#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

constexpr std::string_view kLeft = "/user/hand/left";
constexpr std::string_view kRight = "/user/hand/right";
constexpr std::array<std::string_view, 2> kHands{kLeft, kRight};
constexpr std::array<std::string_view, 5> kTopLevel{kLeft, kRight, "/user/head", "/user/gamepad", "/user/treadmill"};

// The interaction profiles we know, with the components that both hands have and those of one hand.
struct Profile {
    std::string_view name;
    std::vector<std::string_view> both;
    std::vector<std::string_view> left;
    std::vector<std::string_view> right;
};

const std::vector<Profile>& profiles() {
    static const std::vector<Profile> list{
        {"/interaction_profiles/khr/simple_controller",
         {"/input/select/click", "/input/menu/click", "/input/grip/pose", "/input/aim/pose", "/output/haptic"},
         {},
         {}},
        {"/interaction_profiles/oculus/touch_controller",
         {"/input/squeeze/value", "/input/trigger/value", "/input/trigger/touch", "/input/thumbstick",
          "/input/thumbstick/x", "/input/thumbstick/y", "/input/thumbstick/click", "/input/thumbstick/touch",
          "/input/thumbrest/touch", "/input/grip/pose", "/input/aim/pose", "/output/haptic"},
         {"/input/x/click", "/input/x/touch", "/input/y/click", "/input/y/touch", "/input/menu/click"},
         {"/input/a/click", "/input/a/touch", "/input/b/click", "/input/b/touch", "/input/system/click"}},
    };
    return list;
}

bool contains(const std::vector<std::string_view>& list, std::string_view wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
}

bool has_binding(const Profile& profile, std::string_view binding) {
    for (const std::string_view hand : kHands) {
        if (binding.starts_with(hand)) {
            const std::string_view component = binding.substr(hand.size());
            return contains(profile.both, component) ||
                   contains(hand == kLeft ? profile.left : profile.right, component);
        }
    }
    return false;
}

// Of action sets and actions: one level of a path.
XrResult check_name(const std::string& name) {
    if (name.empty()) {
        return XR_ERROR_NAME_INVALID;
    }
    const bool allowed = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string::npos;
    return allowed ? XR_SUCCESS : XR_ERROR_PATH_FORMAT_INVALID;
}

// `others` are the objects beside which a new one must be unique.
template <class Objects>
XrResult check_unique(const Objects& others, const std::string& name, const std::string& localized_name) {
    for (const auto& [handle, other] : others) {
        if (other->name == name) {
            return XR_ERROR_NAME_DUPLICATED;
        }
        if (other->localized_name == localized_name) {
            return XR_ERROR_LOCALIZED_NAME_DUPLICATED;
        }
    }
    return XR_SUCCESS;
}

// A user path, null excluded.
XrResult check_top_level(const Instance& instance, XrPath path) {
    const std::string* text = instance.path(path);
    if (text == nullptr) {
        return XR_ERROR_PATH_INVALID;
    }
    return std::find(kTopLevel.begin(), kTopLevel.end(), *text) != kTopLevel.end() ? XR_SUCCESS
                                                                                   : XR_ERROR_PATH_UNSUPPORTED;
}

bool is_attached(const Session& session, const std::shared_ptr<ActionSet>& set) {
    return std::find(session.action_sets.begin(), session.action_sets.end(), set) != session.action_sets.end();
}

// What every look at an action's state or output checks, in this order.
XrResult check_action(const Runtime& the_runtime, const Session& session, XrAction handle, XrPath subaction_path,
                      XrActionType type) {
    const Action* action = find(the_runtime.actions, handle);
    if (action == nullptr) {
        return XR_ERROR_HANDLE_INVALID;
    }
    if (!is_attached(session, action->set)) {
        return XR_ERROR_ACTIONSET_NOT_ATTACHED;
    }
    if (action->type != type) {
        return XR_ERROR_ACTION_TYPE_MISMATCH;
    }
    return check_subaction_path(*the_runtime.instance, *action, subaction_path);
}

template <class State>
XrResult get_state(Function function, XrSession handle, const XrActionStateGetInfo* info, State* out,
                   XrStructureType state_type, XrActionType action_type) {
    return answer(function, [&](Runtime& the_runtime) {
        const Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_ACTION_STATE_GET_INFO) || !is_a(out, state_type)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        const XrResult result = check_action(the_runtime, *session, info->action, info->subactionPath, action_type);
        if (XR_SUCCEEDED(result)) {
            State inactive{};
            inactive.type = out->type;
            inactive.next = out->next;
            *out = inactive;
        }
        return result;
    });
}

XrResult haptic(Function function, XrSession handle, const XrHapticActionInfo* info, bool feedback_given) {
    return answer(function, [&](Runtime& the_runtime) {
        const Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_HAPTIC_ACTION_INFO) || !feedback_given) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        const XrResult result =
            check_action(the_runtime, *session, info->action, info->subactionPath, XR_ACTION_TYPE_VIBRATION_OUTPUT);
        if (XR_FAILED(result)) {
            return result;
        }
        return session->state == XR_SESSION_STATE_FOCUSED ? XR_SUCCESS : XR_SESSION_NOT_FOCUSED;
    });
}

bool is_action_type(XrActionType type) {
    switch (type) {
        case XR_ACTION_TYPE_BOOLEAN_INPUT:
        case XR_ACTION_TYPE_FLOAT_INPUT:
        case XR_ACTION_TYPE_VECTOR2F_INPUT:
        case XR_ACTION_TYPE_POSE_INPUT:
        case XR_ACTION_TYPE_VIBRATION_OUTPUT:
            return true;
        default:
            return false;
    }
}

}  // namespace

XrResult check_subaction_path(const Instance& instance, const Action& action, XrPath path) {
    if (path == XR_NULL_PATH) {
        return XR_SUCCESS;
    }
    if (instance.path(path) == nullptr) {
        return XR_ERROR_PATH_INVALID;
    }
    const std::vector<XrPath>& allowed = action.subaction_paths;
    return std::find(allowed.begin(), allowed.end(), path) != allowed.end() ? XR_SUCCESS : XR_ERROR_PATH_UNSUPPORTED;
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrCreateActionSet(XrInstance instance, const XrActionSetCreateInfo* info,
                                                        XrActionSet* out) {
    return answer(Function::xrCreateActionSet, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        ActionSet set;
        if (!is_a(info, XR_TYPE_ACTION_SET_CREATE_INFO) || out == nullptr ||
            !read_text(info->actionSetName, set.name) || !read_text(info->localizedActionSetName, set.localized_name)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (const XrResult result = check_name(set.name); XR_FAILED(result)) {
            return result;
        }
        if (set.localized_name.empty()) {
            return XR_ERROR_LOCALIZED_NAME_INVALID;
        }
        if (const XrResult result = check_unique(the_runtime.action_sets, set.name, set.localized_name);
            XR_FAILED(result)) {
            return result;
        }
        *out = the_runtime.new_handle<XrActionSet>();
        the_runtime.action_sets.emplace(*out, std::make_shared<ActionSet>(set));
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrDestroyActionSet(XrActionSet handle) {
    return answer(Function::xrDestroyActionSet, [&](Runtime& the_runtime) {
        const ActionSet* set = find(the_runtime.action_sets, handle);
        if (set == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        std::erase_if(the_runtime.actions, [&](const auto& it) { return it.second->set.get() == set; });
        the_runtime.action_sets.erase(handle);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrCreateAction(XrActionSet set_handle, const XrActionCreateInfo* info,
                                                     XrAction* out) {
    return answer(Function::xrCreateAction, [&](Runtime& the_runtime) {
        if (find(the_runtime.action_sets, set_handle) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const std::shared_ptr<ActionSet>& set = the_runtime.action_sets.at(set_handle);
        Action action{set, {}, {}, {}, {}};
        if (!is_a(info, XR_TYPE_ACTION_CREATE_INFO) || out == nullptr || !read_text(info->actionName, action.name) ||
            !read_text(info->localizedActionName, action.localized_name) || !is_action_type(info->actionType) ||
            (info->countSubactionPaths != 0 && info->subactionPaths == nullptr)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (set->attached) {
            return XR_ERROR_ACTIONSETS_ALREADY_ATTACHED;
        }
        if (const XrResult result = check_name(action.name); XR_FAILED(result)) {
            return result;
        }
        if (action.localized_name.empty()) {
            return XR_ERROR_LOCALIZED_NAME_INVALID;
        }
        std::map<XrAction, std::shared_ptr<Action>> siblings = the_runtime.actions;
        std::erase_if(siblings, [&](const auto& it) { return it.second->set != set; });
        if (const XrResult result = check_unique(siblings, action.name, action.localized_name); XR_FAILED(result)) {
            return result;
        }
        for (std::uint32_t i = 0; i < info->countSubactionPaths; ++i) {
            const XrPath path = info->subactionPaths[i];
            if (const XrResult result = check_top_level(*the_runtime.instance, path); XR_FAILED(result)) {
                return result;
            }
            const std::vector<XrPath>& before = action.subaction_paths;
            if (std::find(before.begin(), before.end(), path) != before.end()) {
                return XR_ERROR_PATH_UNSUPPORTED;
            }
            action.subaction_paths.push_back(path);
        }
        action.type = info->actionType;
        *out = the_runtime.new_handle<XrAction>();
        the_runtime.actions.emplace(*out, std::make_shared<Action>(action));
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrDestroyAction(XrAction handle) {
    return answer(Function::xrDestroyAction, [&](Runtime& the_runtime) {
        if (find(the_runtime.actions, handle) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        the_runtime.actions.erase(handle);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL
entry::xrSuggestInteractionProfileBindings(XrInstance instance, const XrInteractionProfileSuggestedBinding* info) {
    return answer(Function::xrSuggestInteractionProfileBindings, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING) || info->countSuggestedBindings == 0 ||
            info->suggestedBindings == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        const std::string* name = the_runtime.instance->path(info->interactionProfile);
        if (name == nullptr) {
            return XR_ERROR_PATH_INVALID;
        }
        const auto profile = std::find_if(profiles().begin(), profiles().end(),
                                          [&](const Profile& candidate) { return candidate.name == *name; });
        if (profile == profiles().end()) {
            return XR_ERROR_PATH_UNSUPPORTED;
        }
        for (std::uint32_t i = 0; i < info->countSuggestedBindings; ++i) {
            const Action* action = find(the_runtime.actions, info->suggestedBindings[i].action);
            if (action == nullptr) {
                return XR_ERROR_HANDLE_INVALID;
            }
            if (action->set->attached) {
                return XR_ERROR_ACTIONSETS_ALREADY_ATTACHED;
            }
            const std::string* binding = the_runtime.instance->path(info->suggestedBindings[i].binding);
            if (binding == nullptr) {
                return XR_ERROR_PATH_INVALID;
            }
            if (!has_binding(*profile, *binding)) {
                return XR_ERROR_PATH_UNSUPPORTED;
            }
        }
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrAttachSessionActionSets(XrSession handle,
                                                                const XrSessionActionSetsAttachInfo* info) {
    return answer(Function::xrAttachSessionActionSets, [&](Runtime& the_runtime) {
        Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO) || info->countActionSets == 0 ||
            info->actionSets == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        std::vector<std::shared_ptr<ActionSet>> sets;
        for (std::uint32_t i = 0; i < info->countActionSets; ++i) {
            if (find(the_runtime.action_sets, info->actionSets[i]) == nullptr) {
                return XR_ERROR_HANDLE_INVALID;
            }
            sets.push_back(the_runtime.action_sets.at(info->actionSets[i]));
        }
        if (!session->action_sets.empty()) {
            return XR_ERROR_ACTIONSETS_ALREADY_ATTACHED;
        }
        session->action_sets = sets;
        for (const auto& set : sets) {
            set->attached = true;
        }
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetCurrentInteractionProfile(XrSession handle, XrPath user_path,
                                                                     XrInteractionProfileState* out) {
    return answer(Function::xrGetCurrentInteractionProfile, [&](Runtime& the_runtime) {
        const Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(out, XR_TYPE_INTERACTION_PROFILE_STATE)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (session->action_sets.empty()) {
            return XR_ERROR_ACTIONSET_NOT_ATTACHED;
        }
        const XrResult result = check_top_level(*the_runtime.instance, user_path);
        if (XR_SUCCEEDED(result)) {
            out->interactionProfile = XR_NULL_PATH;
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetActionStateBoolean(XrSession session, const XrActionStateGetInfo* info,
                                                              XrActionStateBoolean* out) {
    return get_state(Function::xrGetActionStateBoolean, session, info, out, XR_TYPE_ACTION_STATE_BOOLEAN,
                     XR_ACTION_TYPE_BOOLEAN_INPUT);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetActionStateFloat(XrSession session, const XrActionStateGetInfo* info,
                                                            XrActionStateFloat* out) {
    return get_state(Function::xrGetActionStateFloat, session, info, out, XR_TYPE_ACTION_STATE_FLOAT,
                     XR_ACTION_TYPE_FLOAT_INPUT);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetActionStateVector2f(XrSession session, const XrActionStateGetInfo* info,
                                                               XrActionStateVector2f* out) {
    return get_state(Function::xrGetActionStateVector2f, session, info, out, XR_TYPE_ACTION_STATE_VECTOR2F,
                     XR_ACTION_TYPE_VECTOR2F_INPUT);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetActionStatePose(XrSession session, const XrActionStateGetInfo* info,
                                                           XrActionStatePose* out) {
    return get_state(Function::xrGetActionStatePose, session, info, out, XR_TYPE_ACTION_STATE_POSE,
                     XR_ACTION_TYPE_POSE_INPUT);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrSyncActions(XrSession handle, const XrActionsSyncInfo* info) {
    return answer(Function::xrSyncActions, [&](Runtime& the_runtime) {
        const Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_ACTIONS_SYNC_INFO) ||
            (info->countActiveActionSets != 0 && info->activeActionSets == nullptr)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        for (std::uint32_t i = 0; i < info->countActiveActionSets; ++i) {
            const XrActiveActionSet& active = info->activeActionSets[i];
            if (find(the_runtime.action_sets, active.actionSet) == nullptr) {
                return XR_ERROR_HANDLE_INVALID;
            }
            if (!is_attached(*session, the_runtime.action_sets.at(active.actionSet))) {
                return XR_ERROR_ACTIONSET_NOT_ATTACHED;
            }
            if (active.subactionPath != XR_NULL_PATH) {
                const XrResult result = check_top_level(*the_runtime.instance, active.subactionPath);
                if (XR_FAILED(result)) {
                    return result;
                }
            }
        }
        return session->state == XR_SESSION_STATE_FOCUSED ? XR_SUCCESS : XR_SESSION_NOT_FOCUSED;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateBoundSourcesForAction(XrSession handle,
                                                                       const XrBoundSourcesForActionEnumerateInfo* info,
                                                                       std::uint32_t capacity, std::uint32_t* count,
                                                                       XrPath* sources) {
    return answer(Function::xrEnumerateBoundSourcesForAction, [&](Runtime& the_runtime) {
        const Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_BOUND_SOURCES_FOR_ACTION_ENUMERATE_INFO)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        const Action* action = find(the_runtime.actions, info->action);
        if (action == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_attached(*session, action->set)) {
            return XR_ERROR_ACTIONSET_NOT_ATTACHED;
        }
        return write_array(0, capacity, count, sources, [](XrPath&, std::size_t) {});
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetInputSourceLocalizedName(XrSession handle,
                                                                    const XrInputSourceLocalizedNameGetInfo* info,
                                                                    std::uint32_t capacity, std::uint32_t* count,
                                                                    char* buffer) {
    return answer(Function::xrGetInputSourceLocalizedName, [&](Runtime& the_runtime) {
        const Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_INPUT_SOURCE_LOCALIZED_NAME_GET_INFO) || info->whichComponents == 0) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (session->action_sets.empty()) {
            return XR_ERROR_ACTIONSET_NOT_ATTACHED;
        }
        const std::string* source = the_runtime.instance->path(info->sourcePath);
        if (source == nullptr) {
            return XR_ERROR_PATH_INVALID;
        }
        return write_array(source->size() + 1, capacity, count, buffer,
                           [&](char& out, std::size_t i) { out = source->c_str()[i]; });
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrApplyHapticFeedback(XrSession session, const XrHapticActionInfo* info,
                                                            const XrHapticBaseHeader* feedback) {
    return haptic(Function::xrApplyHapticFeedback, session, info, feedback != nullptr);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrStopHapticFeedback(XrSession session, const XrHapticActionInfo* info) {
    return haptic(Function::xrStopHapticFeedback, session, info, true);
}

}  // namespace glove::test_runtime
