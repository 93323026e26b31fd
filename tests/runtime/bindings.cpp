// SPDX-License-Identifier: Apache-2.0
// What inputs serve which actions: suggested, attached, and asked for.
#include <algorithm>

#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

// Of the profiles that are current.
std::vector<XrPath> bound_sources(const Session& session, const Action& action) {
    std::vector<XrPath> sources;
    for (const auto& [profile, suggested] : session.bindings) {
        for (const Binding& binding : suggested) {
            const auto current = session.profiles.find(binding.input.user);
            if (binding.action.get() == &action && current != session.profiles.end() && current->second == profile) {
                sources.push_back(binding.path);
            }
        }
    }
    return sources;
}

// As "left Index Controller trigger".
std::string localized_name(const Instance& instance, const Session& session, const InputPath& input,
                           XrInputSourceLocalizedNameFlags parts) {
    std::string name;
    const auto add = [&name](const std::string& part) { name += (name.empty() ? "" : " ") + part; };
    if (parts & XR_INPUT_SOURCE_LOCALIZED_NAME_USER_PATH_BIT) {
        add(input.user.substr(input.user.rfind('/') + 1));
    }
    const auto current = session.profiles.find(input.user);
    if ((parts & XR_INPUT_SOURCE_LOCALIZED_NAME_INTERACTION_PROFILE_BIT) && current != session.profiles.end()) {
        add(find_profile(instance, current->second)->title);
    }
    if (parts & XR_INPUT_SOURCE_LOCALIZED_NAME_COMPONENT_BIT) {
        add(input.identifier);
    }
    return name;
}

}  // namespace

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
        const Instance& known = *the_runtime.instance;
        const Profile* profile = find_profile(known, *name);
        if (profile == nullptr) {
            return XR_ERROR_PATH_UNSUPPORTED;
        }
        std::vector<Binding> suggested;
        for (std::uint32_t i = 0; i < info->countSuggestedBindings; ++i) {
            const auto& [handle, path] = info->suggestedBindings[i];
            if (find(the_runtime.actions, handle) == nullptr) {
                return XR_ERROR_HANDLE_INVALID;
            }
            const std::shared_ptr<Action>& action = the_runtime.actions.at(handle);
            if (action->set->attached) {
                return XR_ERROR_ACTIONSETS_ALREADY_ATTACHED;
            }
            const std::string* text = known.path(path);
            if (text == nullptr) {
                return XR_ERROR_PATH_INVALID;
            }
            const std::optional<InputPath> input = split_input_path(known, *text);
            if (!input || !may_bind(known, *profile, *input)) {
                return XR_ERROR_PATH_UNSUPPORTED;
            }
            suggested.push_back({action, path, *input});
        }
        the_runtime.instance->suggestions[profile->name] = suggested;
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
        session->bindings = the_runtime.instance->suggestions;
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
        const XrResult result = check_user_path(*the_runtime.instance, user_path);
        if (XR_SUCCEEDED(result)) {
            const auto current = session->profiles.find(*the_runtime.instance->path(user_path));
            out->interactionProfile =
                current == session->profiles.end() ? XR_NULL_PATH : the_runtime.instance->atom(current->second);
        }
        return result;
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
        const std::vector<XrPath> bound = bound_sources(*session, *action);
        return write_array(bound.size(), capacity, count, sources, [&](XrPath& out, std::size_t i) { out = bound[i]; });
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
        const std::optional<InputPath> input = split_input_path(*the_runtime.instance, *source);
        if (!input) {
            return XR_ERROR_PATH_UNSUPPORTED;
        }
        const std::string name = localized_name(*the_runtime.instance, *session, *input, info->whichComponents);
        return write_array(name.size() + 1, capacity, count, buffer,
                           [&](char& out, std::size_t i) { out = name.c_str()[i]; });
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateViveTrackerPathsHTCX(XrInstance handle, std::uint32_t capacity,
                                                                      std::uint32_t* count,
                                                                      XrViveTrackerPathsHTCX* paths) {
    return answer(Function::xrEnumerateViveTrackerPathsHTCX, [&](Runtime& the_runtime) {
        if (!the_runtime.is(handle)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const std::vector<TrackerScript> trackers = control().trackers.get();
        return write_array(trackers.size(), capacity, count, paths, [&](XrViveTrackerPathsHTCX& out, std::size_t i) {
            out.persistentPath = the_runtime.instance->atom(trackers[i].persistent_path);
            out.rolePath = the_runtime.instance->atom(std::string(kTrackerRoles) + trackers[i].role);
        });
    });
}

}  // namespace glove::test_runtime
