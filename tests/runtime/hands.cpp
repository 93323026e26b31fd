// SPDX-License-Identifier: Apache-2.0
// XR_EXT_hand_tracking of the runtime itself, with XR_EXT_hand_tracking_data_source, and XR_FB_hand_tracking_aim as an
// example of what else may be chained.
#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

constexpr std::uint32_t kJointCount = XR_HAND_JOINT_COUNT_EXT;

// XrHandTrackingDataSourceStateEXT, which the oldest headers do not have.
constexpr auto kDataSourceStateType = static_cast<XrStructureType>(1000428001);
struct DataSourceState {
    XrStructureType type;
    void* next;
    XrBool32 is_active;
    std::int32_t data_source;
};

// Hands do not move here, but what they are seen from may.
Placed place_joint(const NativeHandScript& hand, std::size_t joint) {
    const Motion wrist{from_xr(hand.wrist_in_stage)};
    return {attached(wrist, from_xr(hand.joint_in_wrist[joint])), false, kValidAndTracked, kVelocityValid};
}

void write_aim(XrHandTrackingAimStateFB& aim, bool active, const Seen& wrist) {
    aim.status = active ? XR_HAND_TRACKING_AIM_COMPUTED_BIT_FB | XR_HAND_TRACKING_AIM_VALID_BIT_FB : 0;
    aim.aimPose = active ? wrist.pose : XrPosef{{0, 0, 0, 1}, {0, 0, 0}};
    aim.pinchStrengthIndex = active ? control().index_pinch.get() : 0;
    aim.pinchStrengthMiddle = aim.pinchStrengthRing = aim.pinchStrengthLittle = 0;
}

}  // namespace

XRAPI_ATTR XrResult XRAPI_CALL entry::xrCreateHandTrackerEXT(XrSession session, const XrHandTrackerCreateInfoEXT* info,
                                                             XrHandTrackerEXT* out) {
    return answer(Function::xrCreateHandTrackerEXT, [&](Runtime& the_runtime) {
        if (find(the_runtime.sessions, session) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT) || out == nullptr ||
            (info->hand != XR_HAND_LEFT_EXT && info->hand != XR_HAND_RIGHT_EXT) ||
            info->handJointSet != XR_HAND_JOINT_SET_DEFAULT_EXT) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (control().native_hands.get() != NativeHands::supported) {
            return XR_ERROR_FEATURE_UNSUPPORTED;
        }
        *out = the_runtime.new_handle<XrHandTrackerEXT>();
        the_runtime.hand_trackers.emplace(*out, std::make_shared<HandTracker>(HandTracker{session, info->hand}));
        control().created_hand_trackers.change([&](auto& handles) { handles.push_back(*out); });
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrDestroyHandTrackerEXT(XrHandTrackerEXT handle) {
    return answer(Function::xrDestroyHandTrackerEXT, [&](Runtime& the_runtime) {
        if (find(the_runtime.hand_trackers, handle) == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        the_runtime.hand_trackers.erase(handle);
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrLocateHandJointsEXT(XrHandTrackerEXT handle,
                                                            const XrHandJointsLocateInfoEXT* info,
                                                            XrHandJointLocationsEXT* out) {
    return answer(Function::xrLocateHandJointsEXT, [&](Runtime& the_runtime) {
        const HandTracker* tracker = find(the_runtime.hand_trackers, handle);
        if (tracker == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT) || !is_a(out, XR_TYPE_HAND_JOINT_LOCATIONS_EXT) ||
            out->jointCount != kJointCount || out->jointLocations == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        auto* velocities = chained<XrHandJointVelocitiesEXT>(out->next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
        if (velocities != nullptr &&
            (velocities->jointCount != kJointCount || velocities->jointVelocities == nullptr)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        const Space* base = find(the_runtime.spaces, info->baseSpace);
        if (base == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (base->session != tracker->session) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (info->time <= 0) {
            return XR_ERROR_TIME_INVALID;
        }

        const NativeHandScript hand = control().hands[tracker->hand == XR_HAND_LEFT_EXT ? 0 : 1].get();
        const Placed seen_from = place(*base, info->time);
        const Session& session = *the_runtime.sessions.at(tracker->session);
        const bool placeable = (seen_from.location_flags & kValidAndTracked) == kValidAndTracked;
        const bool active = hand.active && placeable && session.state == XR_SESSION_STATE_FOCUSED;

        out->isActive = active ? XR_TRUE : XR_FALSE;
        for (std::size_t i = 0; i < kJointCount; ++i) {
            const Seen joint = see(place_joint(hand, i), seen_from);
            out->jointLocations[i] = active ? XrHandJointLocationEXT{joint.location_flags, joint.pose, hand.radius}
                                            : XrHandJointLocationEXT{0, {{0, 0, 0, 1}, {0, 0, 0}}, 0};
            if (velocities != nullptr) {
                velocities->jointVelocities[i] =
                    active ? XrHandJointVelocityEXT{joint.velocity_flags, joint.linear_velocity, joint.angular_velocity}
                           : XrHandJointVelocityEXT{0, {0, 0, 0}, {0, 0, 0}};
            }
        }
        if (the_runtime.instance->enabled(XR_FB_HAND_TRACKING_AIM_EXTENSION_NAME)) {
            if (auto* aim = chained<XrHandTrackingAimStateFB>(out->next, XR_TYPE_HAND_TRACKING_AIM_STATE_FB)) {
                write_aim(*aim, active, see(place_joint(hand, XR_HAND_JOINT_WRIST_EXT), seen_from));
            }
        }
        if (the_runtime.instance->enabled("XR_EXT_hand_tracking_data_source")) {
            if (auto* state = chained<DataSourceState>(out->next, kDataSourceStateType)) {
                state->is_active = hand.has_device;
                state->data_source = hand.data_source;
            }
        }
        return XR_SUCCESS;
    });
}

}  // namespace glove::test_runtime
