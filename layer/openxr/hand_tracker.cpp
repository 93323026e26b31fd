// SPDX-License-Identifier: Apache-2.0
#include "openxr/hand_tracker.hpp"

#include <limits>

#include "hand/pose_math.hpp"
#include "support/clock.hpp"

namespace glove {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

// XrHandPoseTypeInfoMSFT and its value for "tracked": headers call them so, but only beside the mesh extension.
constexpr XrStructureType kHandPoseTypeInfo = XR_TYPE_HAND_POSE_TYPE_INFO_MSFT;

// The first struct of `type` in a chain of outputs; `others` tells whether the chain holds anything else.
XrBaseOutStructure* find_in_chain(void* chain, XrStructureType type, bool& others) noexcept {
    XrBaseOutStructure* found = nullptr;
    others = false;
    for (auto* item = static_cast<XrBaseOutStructure*>(chain); item != nullptr; item = item->next) {
        if (item->type == type && found == nullptr) {
            found = item;
        } else {
            others = true;
        }
    }
    return found;
}

bool asks_for_reference_pose(const XrHandTrackerCreateInfoEXT& info) noexcept {
    for (auto* item = static_cast<const XrBaseInStructure*>(info.next); item != nullptr; item = item->next) {
        if (item->type == kHandPoseTypeInfo) {
            return reinterpret_cast<const XrHandPoseTypeInfoMSFT*>(item)->handPoseType !=
                   XR_HAND_POSE_TYPE_TRACKED_MSFT;
        }
    }
    return false;
}

// Errors that say the session itself is gone: hiding them would not help the application.
bool is_fatal(XrResult result) noexcept {
    return result == XR_ERROR_SESSION_LOST || result == XR_ERROR_INSTANCE_LOST || result == XR_ERROR_HANDLE_INVALID;
}

// An error of xrLocateSpace as xrLocateHandJointsEXT may answer it: should a runtime fail with something else, that is
// its failure (rule 4.8).
XrResult as_locate_error(XrResult result) noexcept {
    switch (result) {
        case XR_ERROR_HANDLE_INVALID:
        case XR_ERROR_INSTANCE_LOST:
        case XR_ERROR_SESSION_LOST:
        case XR_ERROR_TIME_INVALID:
        case XR_ERROR_VALIDATION_FAILURE:
            return result;
        default:
            return XR_ERROR_RUNTIME_FAILURE;
    }
}

// Of two successes the one that says more.
XrResult stronger(XrResult a, XrResult b) noexcept {
    return a != XR_SUCCESS ? a : b;
}

}  // namespace

Registry<HandTracker>& HandTracker::all() noexcept {
    static Registry<HandTracker> registry;
    return registry;
}

bool HandTracker::glove_is_live(std::int64_t now_ns, bool& fresh) const noexcept {
    const Instance& instance = session_->instance();
    const std::int64_t heard_ns = instance.stream().hand(hand_).heard_ns.load(std::memory_order_acquire);
    const std::int64_t age_ns = now_ns - heard_ns;
    fresh = age_ns <= instance.config().age.tracked_ms * kNsPerMs;
    return heard_ns != 0 && age_ns <= instance.config().age.valid_ms * kNsPerMs;
}

XrResult HandTracker::ask_native(const XrHandJointsLocateInfoEXT& info, XrHandJointLocationsEXT& out) const noexcept {
    return session_->instance().next().xrLocateHandJointsEXT(native_, &info, &out);
}

bool HandTracker::native_wrist(const XrHandJointLocationsEXT& out, const XrHandJointVelocitiesEXT* velocities,
                               RootMotion& root) const noexcept {
    const XrHandJointLocationEXT& wrist = out.jointLocations[XR_HAND_JOINT_WRIST_EXT];
    constexpr XrSpaceLocationFlags kValid =
        XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
    if (out.isActive != XR_TRUE || (wrist.locationFlags & kValid) != kValid) {
        return false;
    }
    RootMotion at{};
    at.in_base = {normalised(wrist.pose.orientation), wrist.pose.position};
    at.orientation_tracked = (wrist.locationFlags & XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT) != 0;
    at.position_tracked = (wrist.locationFlags & XR_SPACE_LOCATION_POSITION_TRACKED_BIT) != 0;
    constexpr XrSpaceVelocityFlags kKnown = XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT;
    if (velocities != nullptr) {
        const XrHandJointVelocityEXT& moves = velocities->jointVelocities[XR_HAND_JOINT_WRIST_EXT];
        at.velocity_known = (moves.velocityFlags & kKnown) == kKnown;
        at.velocity = at.velocity_known ? Velocity{moves.linearVelocity, moves.angularVelocity} : Velocity{};
    }
    root = at;
    return true;
}

XrResult HandTracker::locate(const XrHandJointsLocateInfoEXT* info, XrHandJointLocationsEXT* out) const noexcept {
    if (info == nullptr || info->type != XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT || out == nullptr ||
        out->type != XR_TYPE_HAND_JOINT_LOCATIONS_EXT || out->jointLocations == nullptr) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    if (native_only_) {
        return ask_native(*info, *out);
    }
    if (out->jointCount != kJointCount) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    bool has_foreign_outputs = false;
    auto* const velocities = reinterpret_cast<XrHandJointVelocitiesEXT*>(
        find_in_chain(out->next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT, has_foreign_outputs));
    if (velocities != nullptr && (velocities->jointCount != kJointCount || velocities->jointVelocities == nullptr)) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    if (info->time <= 0) {
        return XR_ERROR_TIME_INVALID;
    }

    const std::int64_t now_ns = steady_now_ns();
    bool fresh = false;
    HandMotion motion{};
    bool active = wrist_ != nullptr && session_->is_focused() && glove_is_live(now_ns, fresh);
    if (active) {
        std::int64_t local_ns = 0;
        if (!session_->instance().to_local_clock(info->time, local_ns)) {
            local_ns = std::numeric_limits<std::int64_t>::max();  // the newest is the best guess
        }
        active = motion_at(session_->instance().stream().hand(hand_).motion, local_ns, motion);
    }
    if (!active && native_ != XR_NULL_HANDLE) {
        return ask_native(*info, *out);
    }

    // The runtime fills what it knows; where a glove is live, its joints then replace the runtime's.
    RootMotion native{};
    bool has_native = false;
    XrResult native_result = XR_SUCCESS;
    const bool asks_native = native_ != XR_NULL_HANDLE && (has_foreign_outputs || wrist_->wants_native());
    if (asks_native) {
        native_result = ask_native(*info, *out);
        if (XR_FAILED(native_result)) {
            return native_result;
        }
        has_native = native_wrist(*out, velocities, native);
    }

    // The call below also checks base space and time for us, so it is made even when there is no hand to place.
    RootMotion root{};
    bool found = false;
    XrResult result = XR_SUCCESS;
    if (wrist_ != nullptr) {
        result = wrist_->locate(
            {info->baseSpace, info->time, velocities != nullptr, now_ns, has_native ? &native : nullptr, motion}, root,
            found);
        if (XR_FAILED(result)) {
            // A hand of the runtime's own needs no wrist of ours.
            return native_ == XR_NULL_HANDLE ? as_locate_error(result)
                   : asks_native             ? native_result
                                             : ask_native(*info, *out);
        }
    }
    active = active && found;
    if (!active && native_ != XR_NULL_HANDLE) {
        return asks_native ? native_result : ask_native(*info, *out);
    }
    result = stronger(result, native_result);

    out->isActive = active ? XR_TRUE : XR_FALSE;
    XrHandJointVelocityEXT* const joint_velocities = velocities != nullptr ? velocities->jointVelocities : nullptr;
    if (active) {
        place_joints(motion, root, fresh, out->jointLocations, joint_velocities);
    } else {
        clear_joints(out->jointLocations, joint_velocities);
    }
    return result;
}

XrResult create_hand_tracker(XrSession session_handle, const XrHandTrackerCreateInfoEXT* info,
                             XrHandTrackerEXT* handle) {
    Registry<Session>::Ref session = Session::find(session_handle);
    if (!session) {
        return XR_ERROR_HANDLE_INVALID;
    }
    if (info == nullptr || info->type != XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT || handle == nullptr ||
        (info->hand != XR_HAND_LEFT_EXT && info->hand != XR_HAND_RIGHT_EXT)) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    Instance& instance = session->instance();
    const Hand hand = info->hand == XR_HAND_LEFT_EXT ? Hand::left : Hand::right;
    const bool is_default_set = info->handJointSet == XR_HAND_JOINT_SET_DEFAULT_EXT;

    XrHandTrackerEXT native = XR_NULL_HANDLE;
    XrResult result = XR_SUCCESS;
    if (instance.is_native()) {
        result = instance.next().xrCreateHandTrackerEXT(session_handle, info, &native);
        if (XR_FAILED(result)) {
            // A runtime may list the extension and have no hands (FEATURE_UNSUPPORTED): then the gloves alone serve.
            if (is_fatal(result) || !is_default_set) {
                return result;
            }
            native = XR_NULL_HANDLE;
            result = XR_SUCCESS;
        }
    } else if (!is_default_set) {
        return XR_ERROR_VALIDATION_FAILURE;  // no extension that defines another set can be on
    }
    const bool native_only = native != XR_NULL_HANDLE && (!is_default_set || asks_for_reference_pose(*info));

    try {
        HandWrist* const wrist = native_only ? nullptr : session->wrist(session_handle, hand);
        if (!native_only) {
            instance.start_stream();
        }
        auto tracker = std::make_unique<HandTracker>(std::move(session), hand, wrist, native, native_only);
        const XrHandTrackerEXT created =
            native != XR_NULL_HANDLE ? native
                                     : handle_of<XrHandTrackerEXT>(
                                           static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(tracker.get())));
        HandTracker::all().add(key_of(created), std::move(tracker));
        *handle = created;
        return result;
    } catch (...) {
        if (native != XR_NULL_HANDLE) {
            instance.next().xrDestroyHandTrackerEXT(native);
        }
        throw;
    }
}

}  // namespace glove
