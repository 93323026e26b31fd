// SPDX-License-Identifier: Apache-2.0
// What actions were at the newest xrSyncActions, and haptic feedback, which nobody feels.
#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

void write_value(XrActionStateBoolean& out, const InputState& state) {
    out.currentState = state.value.x != 0 ? XR_TRUE : XR_FALSE;
}
void write_value(XrActionStateFloat& out, const InputState& state) {
    out.currentState = state.value.x;
}
void write_value(XrActionStateVector2f& out, const InputState& state) {
    out.currentState = state.value;
}

template <class State>
void write_state(State& out, const InputState* state) {
    State fresh{};
    fresh.type = out.type;
    fresh.next = out.next;
    if (state != nullptr) {
        fresh.isActive = XR_TRUE;
        if constexpr (!std::is_same_v<State, XrActionStatePose>) {
            write_value(fresh, *state);
            fresh.changedSinceLastSync = state->changed ? XR_TRUE : XR_FALSE;
            fresh.lastChangeTime = state->changed_at;
        }
    }
    out = fresh;
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
            const std::string* user = the_runtime.instance->path(info->subactionPath);
            const auto state =
                session->states.find({find(the_runtime.actions, info->action), user == nullptr ? "" : *user});
            write_state(*out, state == session->states.end() ? nullptr : &state->second);
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

}  // namespace

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

XRAPI_ATTR XrResult XRAPI_CALL entry::xrApplyHapticFeedback(XrSession session, const XrHapticActionInfo* info,
                                                            const XrHapticBaseHeader* feedback) {
    return haptic(Function::xrApplyHapticFeedback, session, info, feedback != nullptr);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrStopHapticFeedback(XrSession session, const XrHapticActionInfo* info) {
    return haptic(Function::xrStopHapticFeedback, session, info, true);
}

}  // namespace glove::test_runtime
