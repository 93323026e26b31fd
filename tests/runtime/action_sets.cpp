// SPDX-License-Identifier: Apache-2.0
// Action sets and actions by the rules of OpenXR 1.0, chapter 11: how they are made, and who may use them.
#include <algorithm>

#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

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

XrResult check_user_path(const Instance& instance, XrPath path) {
    const std::string* text = instance.path(path);
    if (text == nullptr) {
        return XR_ERROR_PATH_INVALID;
    }
    return is_user_path(instance, *text) ? XR_SUCCESS : XR_ERROR_PATH_UNSUPPORTED;
}

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

bool is_attached(const Session& session, const std::shared_ptr<ActionSet>& set) {
    return std::find(session.action_sets.begin(), session.action_sets.end(), set) != session.action_sets.end();
}

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
        set.priority = info->priority;
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
            if (const XrResult result = check_user_path(*the_runtime.instance, path); XR_FAILED(result)) {
                return result;
            }
            const std::vector<XrPath>& before = action.subaction_paths;
            if (std::find(before.begin(), before.end(), path) != before.end()) {
                return XR_ERROR_PATH_UNSUPPORTED;
            }
            action.subaction_paths.push_back(path);
        }
        action.type = info->actionType;
        set->subaction_paths.insert(action.subaction_paths.begin(), action.subaction_paths.end());
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

}  // namespace glove::test_runtime
