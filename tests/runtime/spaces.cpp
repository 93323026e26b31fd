// SPDX-License-Identifier: Apache-2.0
// Reference spaces and action spaces, and where they are to each other.
#include "runtime/devices.hpp"
#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

std::vector<XrReferenceSpaceType> reference_spaces() {
    std::vector<XrReferenceSpaceType> types{XR_REFERENCE_SPACE_TYPE_VIEW, XR_REFERENCE_SPACE_TYPE_LOCAL};
    if (control().has_stage.get()) {
        types.push_back(XR_REFERENCE_SPACE_TYPE_STAGE);
    }
    return types;
}

bool is_supported(XrReferenceSpaceType wanted) {
    for (const XrReferenceSpaceType type : reference_spaces()) {
        if (type == wanted) {
            return true;
        }
    }
    return false;
}

Placed place_head(XrTime time) {
    Placed head = place(control().head.get(), time);
    head.on_head = true;
    return head;
}

XrPosef local_in_stage_at(XrTime time) {
    XrPosef local = control().local_in_stage.get();
    for (const Recentring& recentring : control().recentrings.get()) {
        if (recentring.change_time <= time) {
            local = recentring.local_in_stage;
        }
    }
    return local;
}

Placed place_reference(XrReferenceSpaceType type, XrTime time) {
    if (type == XR_REFERENCE_SPACE_TYPE_VIEW) {
        return place_head(time);
    }
    const bool local = type == XR_REFERENCE_SPACE_TYPE_LOCAL;
    const XrPosef in_stage = local ? local_in_stage_at(time) : XrPosef{{0, 0, 0, 1}, {0, 0, 0}};
    return {{from_xr(in_stage)}, false, kValidAndTracked, kVelocityValid};
}

// Only what was active in the newest xrSyncActions, and only with the focus.
Placed place_action(const Space& space, XrTime time) {
    const Session& session = *runtime().sessions.at(space.session);
    if (session.state != XR_SESSION_STATE_FOCUSED) {
        return kNowhere;
    }
    const std::string* user = runtime().instance->path(space.subaction_path);
    const auto state = session.states.find({space.action.get(), user == nullptr ? "" : *user});
    return state == session.states.end() ? kNowhere : place_device_pose(state->second.source, time);
}

}  // namespace

bool is_valid(const XrPosef& pose) {
    const XrQuaternionf& q = pose.orientation;
    const float norm = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    const XrVector3f& p = pose.position;
    return norm > 0.99f && norm < 1.01f && std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

Placed place(const MotionScript& script, XrTime time) {
    const Motion then{from_xr(script.in_stage), from_xr(script.linear_velocity), from_xr(script.angular_velocity)};
    return {moved(then, 1e-9 * static_cast<double>(time - script.at)), false, script.location_flags,
            script.velocity_flags};
}

Placed place(const Space& space, XrTime time) {
    Placed placed = space.action != nullptr ? place_action(space, time) : place_reference(space.reference, time);
    placed.motion = attached(placed.motion, space.pose_in_reference);
    return placed;
}

Seen see(const Placed& placed, const Placed& base) {
    const bool fixed = placed.on_head && base.on_head;
    const Motion motion = relative(placed.motion, base.motion);
    const XrPosef pose = to_xr(motion.pose);

    Seen seen{fixed ? kValidAndTracked : placed.location_flags & base.location_flags,
              {{0, 0, 0, 1}, {0, 0, 0}},
              fixed ? kVelocityValid : placed.velocity_flags & base.velocity_flags,
              {0, 0, 0},
              {0, 0, 0}};
    if (seen.location_flags & XR_SPACE_LOCATION_ORIENTATION_VALID_BIT) {
        seen.pose.orientation = pose.orientation;
    }
    if (seen.location_flags & XR_SPACE_LOCATION_POSITION_VALID_BIT) {
        seen.pose.position = pose.position;
    }
    if (seen.velocity_flags & XR_SPACE_VELOCITY_LINEAR_VALID_BIT) {
        seen.linear_velocity = to_xr(motion.linear);
    }
    if (seen.velocity_flags & XR_SPACE_VELOCITY_ANGULAR_VALID_BIT) {
        seen.angular_velocity = to_xr(motion.angular);
    }
    return seen;
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrEnumerateReferenceSpaces(XrSession session, std::uint32_t capacity,
                                                                 std::uint32_t* count, XrReferenceSpaceType* out) {
    return answer(Function::xrEnumerateReferenceSpaces, [&](Runtime& the_runtime) {
        if (find(the_runtime.sessions, session) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const std::vector<XrReferenceSpaceType> types = reference_spaces();
        return write_array(types.size(), capacity, count, out,
                           [&](XrReferenceSpaceType& type, std::size_t i) { type = types[i]; });
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrCreateReferenceSpace(XrSession session, const XrReferenceSpaceCreateInfo* info,
                                                             XrSpace* out) {
    return answer(Function::xrCreateReferenceSpace, [&](Runtime& the_runtime) {
        if (find(the_runtime.sessions, session) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_REFERENCE_SPACE_CREATE_INFO) || out == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (!is_supported(info->referenceSpaceType)) {
            return XR_ERROR_REFERENCE_SPACE_UNSUPPORTED;
        }
        if (!is_valid(info->poseInReferenceSpace)) {
            return XR_ERROR_POSE_INVALID;
        }
        *out = the_runtime.new_handle<XrSpace>();
        the_runtime.spaces.emplace(
            *out, std::make_shared<Space>(Space{session, info->referenceSpaceType, nullptr, XR_NULL_PATH,
                                                from_xr(info->poseInReferenceSpace)}));
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrGetReferenceSpaceBoundsRect(XrSession session, XrReferenceSpaceType type,
                                                                    XrExtent2Df* out) {
    return answer(Function::xrGetReferenceSpaceBoundsRect, [&](Runtime& the_runtime) {
        if (find(the_runtime.sessions, session) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (out == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (!is_supported(type)) {
            return XR_ERROR_REFERENCE_SPACE_UNSUPPORTED;
        }
        if (type != XR_REFERENCE_SPACE_TYPE_STAGE) {
            *out = {0, 0};
            return XR_SPACE_BOUNDS_UNAVAILABLE;
        }
        *out = {3, 2};
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrCreateActionSpace(XrSession handle, const XrActionSpaceCreateInfo* info,
                                                          XrSpace* out) {
    return answer(Function::xrCreateActionSpace, [&](Runtime& the_runtime) {
        const Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_ACTION_SPACE_CREATE_INFO) || out == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (find(the_runtime.actions, info->action) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const std::shared_ptr<Action>& action = the_runtime.actions.at(info->action);
        if (!session->action_sets.empty() && !is_attached(*session, action->set)) {
            return XR_ERROR_ACTIONSET_NOT_ATTACHED;
        }
        if (action->type != XR_ACTION_TYPE_POSE_INPUT) {
            return XR_ERROR_ACTION_TYPE_MISMATCH;
        }
        if (const XrResult result = check_subaction_path(*the_runtime.instance, *action, info->subactionPath);
            XR_FAILED(result)) {
            return result;
        }
        if (!is_valid(info->poseInActionSpace)) {
            return XR_ERROR_POSE_INVALID;
        }
        *out = the_runtime.new_handle<XrSpace>();
        the_runtime.spaces.emplace(
            *out, std::make_shared<Space>(Space{handle, XR_REFERENCE_SPACE_TYPE_VIEW, action, info->subactionPath,
                                                from_xr(info->poseInActionSpace)}));
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrLocateSpace(XrSpace space, XrSpace base_space, XrTime time,
                                                    XrSpaceLocation* out) {
    return answer(Function::xrLocateSpace, [&](Runtime& the_runtime) {
        const Space* located = find(the_runtime.spaces, space);
        const Space* base = find(the_runtime.spaces, base_space);
        if (located == nullptr || base == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(out, XR_TYPE_SPACE_LOCATION) || located->session != base->session) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (time <= 0) {
            return XR_ERROR_TIME_INVALID;
        }
        const Seen seen = see(place(*located, time), place(*base, time));
        out->locationFlags = seen.location_flags;
        out->pose = seen.pose;
        if (auto* velocity = chained<XrSpaceVelocity>(out->next, XR_TYPE_SPACE_VELOCITY)) {
            velocity->velocityFlags = seen.velocity_flags;
            velocity->linearVelocity = seen.linear_velocity;
            velocity->angularVelocity = seen.angular_velocity;
        }
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrDestroySpace(XrSpace space) {
    return answer(Function::xrDestroySpace, [&](Runtime& the_runtime) {
        if (find(the_runtime.spaces, space) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        the_runtime.spaces.erase(space);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrLocateViews(XrSession session, const XrViewLocateInfo* info, XrViewState* state,
                                                    std::uint32_t capacity, std::uint32_t* count, XrView* views) {
    return answer(Function::xrLocateViews, [&](Runtime& the_runtime) {
        if (find(the_runtime.sessions, session) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_VIEW_LOCATE_INFO) || !is_a(state, XR_TYPE_VIEW_STATE)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        const Space* base = find(the_runtime.spaces, info->space);
        if (base == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (info->viewConfigurationType != XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO) {
            return XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED;
        }
        if (info->displayTime <= 0) {
            return XR_ERROR_TIME_INVALID;
        }
        const Placed base_placed = place(*base, info->displayTime);
        const Placed head = place_head(info->displayTime);
        state->viewStateFlags = see(head, base_placed).location_flags;  // the bits mean the same
        return write_array(2, capacity, count, views, [&](XrView& view, std::size_t eye) {
            constexpr double kHalfEyeDistance = 0.032;
            constexpr float kHalfView = 0.785398f;  // 45 degrees
            Placed placed = head;
            placed.motion =
                attached(head.motion, {{1, {0, 0, 0}}, {eye == 0 ? -kHalfEyeDistance : kHalfEyeDistance, 0, 0}});
            view.pose = see(placed, base_placed).pose;
            view.fov = {-kHalfView, kHalfView, kHalfView, -kHalfView};
        });
    });
}

}  // namespace glove::test_runtime
