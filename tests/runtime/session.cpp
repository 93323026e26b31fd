// SPDX-License-Identifier: Apache-2.0
// The session's life and its frames. It is always headless (XR_MND_headless): it goes to FOCUSED without frames.
#include <algorithm>
#include <chrono>
#include <thread>

#include "runtime/runtime.hpp"

namespace glove::test_runtime {

void Runtime::enter(XrSession handle, Session& session, XrSessionState state) {
    session.state = state;
    instance->add_event(XrEventDataSessionStateChanged{XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED, nullptr, handle, state,
                                                       control().now()});
}

void Runtime::follow_script() {
    if (instance != nullptr) {
        follow_focus();
        tell_of_recentrings();
        tell_of_trackers();
    }
}

void Runtime::follow_focus() {
    const bool focused = control().focused.get();
    for (auto& [handle, session] : sessions) {
        if (session->state == XR_SESSION_STATE_VISIBLE && focused) {
            enter(handle, *session, XR_SESSION_STATE_FOCUSED);
        } else if (session->state == XR_SESSION_STATE_FOCUSED && !focused) {
            enter(handle, *session, XR_SESSION_STATE_VISIBLE);
        }
    }
}

void Runtime::tell_of_recentrings() {
    const std::vector<Recentring> recentrings = control().recentrings.get();
    if (recentrings.size() < instance->recentrings_told) {
        instance->recentrings_told = 0;  // a new script
    }
    for (; instance->recentrings_told < recentrings.size(); ++instance->recentrings_told) {
        const std::size_t i = instance->recentrings_told;
        const XrPosef before = i == 0 ? control().local_in_stage.get() : recentrings[i - 1].local_in_stage;
        const Motion moved = relative({from_xr(recentrings[i].local_in_stage)}, {from_xr(before)});
        for (const auto& [handle, session] : sessions) {
            instance->add_event(XrEventDataReferenceSpaceChangePending{
                XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING, nullptr, handle, XR_REFERENCE_SPACE_TYPE_LOCAL,
                recentrings[i].change_time, recentrings[i].says_how_far, to_xr(moved.pose)});
        }
    }
}

void Runtime::tell_of_trackers() {
    if (!instance->enabled(XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME)) {
        return;
    }
    for (const TrackerScript& tracker : control().trackers.get()) {
        const XrViveTrackerPathsHTCX paths{XR_TYPE_VIVE_TRACKER_PATHS_HTCX, nullptr,
                                           instance->atom(tracker.persistent_path),
                                           instance->atom(std::string(kTrackerRoles) + tracker.role)};
        const auto [at, is_new] = instance->tracker_events.try_emplace(tracker.persistent_path, paths);
        if (is_new) {
            instance->add_event(XrEventDataViveTrackerConnectedHTCX{XR_TYPE_EVENT_DATA_VIVE_TRACKER_CONNECTED_HTCX,
                                                                    nullptr, &at->second});
        }
    }
}

void Runtime::destroy_session(XrSession handle) {
    std::erase_if(spaces, [&](const auto& it) { return it.second->session == handle; });
    std::erase_if(hand_trackers, [&](const auto& it) { return it.second->session == handle; });
    std::erase_if(instance->events, [&](const XrEventDataBuffer& buffer) {
        // Each of the three begins with type, next and session.
        const auto& event = reinterpret_cast<const XrEventDataInteractionProfileChanged&>(buffer);
        const bool is_of_a_session = event.type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED ||
                                     event.type == XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED ||
                                     event.type == XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING;
        return is_of_a_session && event.session == handle;
    });
    sessions.erase(handle);
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrCreateSession(XrInstance instance, const XrSessionCreateInfo* info,
                                                      XrSession* out) {
    return answer(Function::xrCreateSession, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_SESSION_CREATE_INFO) || info->createFlags != 0 || out == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (info->systemId != kSystem) {
            return XR_ERROR_SYSTEM_INVALID;
        }
        if (!the_runtime.instance->enabled(XR_MND_HEADLESS_EXTENSION_NAME)) {
            return XR_ERROR_GRAPHICS_DEVICE_INVALID;  // no graphics extension is listed, so there can be no binding
        }
        if (!the_runtime.sessions.empty()) {
            return XR_ERROR_LIMIT_REACHED;
        }
        *out = the_runtime.new_handle<XrSession>();
        const auto session = std::make_shared<Session>();
        the_runtime.sessions.emplace(*out, session);
        the_runtime.enter(*out, *session, XR_SESSION_STATE_IDLE);
        the_runtime.enter(*out, *session, XR_SESSION_STATE_READY);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrDestroySession(XrSession handle) {
    return answer(Function::xrDestroySession, [&](Runtime& the_runtime) {
        if (find(the_runtime.sessions, handle) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        the_runtime.destroy_session(handle);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrBeginSession(XrSession handle, const XrSessionBeginInfo* info) {
    return answer(Function::xrBeginSession, [&](Runtime& the_runtime) {
        Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_SESSION_BEGIN_INFO)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (session->running) {
            return XR_ERROR_SESSION_RUNNING;
        }
        if (session->state != XR_SESSION_STATE_READY) {
            return XR_ERROR_SESSION_NOT_READY;
        }
        session->running = true;
        the_runtime.enter(handle, *session, XR_SESSION_STATE_SYNCHRONIZED);
        the_runtime.enter(handle, *session, XR_SESSION_STATE_VISIBLE);
        the_runtime.follow_focus();
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrRequestExitSession(XrSession handle) {
    return answer(Function::xrRequestExitSession, [&](Runtime& the_runtime) {
        Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!session->running) {
            return XR_ERROR_SESSION_NOT_RUNNING;
        }
        session->exit_requested = true;
        if (session->state == XR_SESSION_STATE_FOCUSED) {
            the_runtime.enter(handle, *session, XR_SESSION_STATE_VISIBLE);
        }
        if (session->state == XR_SESSION_STATE_VISIBLE) {
            the_runtime.enter(handle, *session, XR_SESSION_STATE_SYNCHRONIZED);
            the_runtime.enter(handle, *session, XR_SESSION_STATE_STOPPING);
        }
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEndSession(XrSession handle) {
    return answer(Function::xrEndSession, [&](Runtime& the_runtime) {
        Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!session->running) {
            return XR_ERROR_SESSION_NOT_RUNNING;
        }
        if (session->state != XR_SESSION_STATE_STOPPING) {
            return XR_ERROR_SESSION_NOT_STOPPING;
        }
        session->running = false;
        session->frame_waited = session->frame_begun = false;
        the_runtime.enter(handle, *session, XR_SESSION_STATE_IDLE);
        the_runtime.enter(handle, *session, XR_SESSION_STATE_EXITING);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrWaitFrame(XrSession handle, const XrFrameWaitInfo* info, XrFrameState* out) {
    XrTime wake = 0;
    const XrResult result = answer(Function::xrWaitFrame, [&](Runtime& the_runtime) {
        Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if ((info != nullptr && info->type != XR_TYPE_FRAME_WAIT_INFO) || !is_a(out, XR_TYPE_FRAME_STATE)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (!session->running) {
            return XR_ERROR_SESSION_NOT_RUNNING;
        }
        // A frame starts at each multiple of the period and is shown two periods later.
        const XrDuration period = control().frame_period_ns.get();
        const XrTime start = std::max((control().now() / period + 1) * period, session->last_display_time - period);
        session->frame_waited = true;
        session->last_display_time = start + 2 * period;
        *out = {out->type, out->next, start + 2 * period, period, XR_FALSE};
        wake = start;
        return XR_SUCCESS;
    });
    if (XR_SUCCEEDED(result)) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(wake - control().now()));
    }
    return result;
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrBeginFrame(XrSession handle, const XrFrameBeginInfo* info) {
    return answer(Function::xrBeginFrame, [&](Runtime& the_runtime) {
        Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (info != nullptr && info->type != XR_TYPE_FRAME_BEGIN_INFO) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (!session->running) {
            return XR_ERROR_SESSION_NOT_RUNNING;
        }
        if (!session->frame_waited) {
            return XR_ERROR_CALL_ORDER_INVALID;
        }
        session->frame_waited = false;
        const bool discarded = session->frame_begun;
        session->frame_begun = true;
        return discarded ? XR_FRAME_DISCARDED : XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEndFrame(XrSession handle, const XrFrameEndInfo* info) {
    return answer(Function::xrEndFrame, [&](Runtime& the_runtime) {
        Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_FRAME_END_INFO)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (!session->running) {
            return XR_ERROR_SESSION_NOT_RUNNING;
        }
        if (!session->frame_begun) {
            return XR_ERROR_CALL_ORDER_INVALID;
        }
        if (info->displayTime <= 0) {
            return XR_ERROR_TIME_INVALID;
        }
        if (info->environmentBlendMode != XR_ENVIRONMENT_BLEND_MODE_OPAQUE) {
            return XR_ERROR_ENVIRONMENT_BLEND_MODE_UNSUPPORTED;
        }
        if (info->layerCount != 0) {
            return XR_ERROR_LAYER_INVALID;  // there is no swapchain a layer could show
        }
        session->frame_begun = false;
        return XR_SUCCESS;
    });
}

}  // namespace glove::test_runtime
