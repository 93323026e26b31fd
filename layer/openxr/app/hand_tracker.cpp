// SPDX-License-Identifier: Apache-2.0
#include "openxr/app/hand_tracker.hpp"

#include <limits>

#include "hand/pose_math.hpp"
#include "support/clock.hpp"
#include "support/try_lock.hpp"

namespace glove {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

// XrHandPoseTypeInfoMSFT and its value for "tracked": headers call them so, but only beside the mesh extension.
constexpr XrStructureType kHandPoseTypeInfo = XR_TYPE_HAND_POSE_TYPE_INFO_MSFT;

// What an application wants besides the joints.
struct Outputs {
    XrHandJointVelocitiesEXT* velocities;
    XrHandTrackingDataSourceStateEXT* data_source;
    bool has_others;  // for the runtime to fill
};
Outputs outputs_of(const XrHandJointLocationsEXT& out, bool has_data_source) noexcept {
    Outputs outputs{};
    for (auto* item = static_cast<XrBaseOutStructure*>(out.next); item != nullptr; item = item->next) {
        if (item->type == XR_TYPE_HAND_JOINT_VELOCITIES_EXT && outputs.velocities == nullptr) {
            outputs.velocities = reinterpret_cast<XrHandJointVelocitiesEXT*>(item);
        } else if (has_data_source && item->type == kDataSourceStateType && outputs.data_source == nullptr) {
            outputs.data_source = reinterpret_cast<XrHandTrackingDataSourceStateEXT*>(item);
        } else {
            outputs.has_others = true;
        }
    }
    return outputs;
}

bool asks_for_reference_pose(const XrHandTrackerCreateInfoEXT& info) noexcept {
    const auto* pose = find_in_chain<const XrHandPoseTypeInfoMSFT>(info.next, kHandPoseTypeInfo);
    return pose != nullptr && pose->handPoseType != XR_HAND_POSE_TYPE_TRACKED_MSFT;
}

// The wrist of the runtime's hand in `out`, which it filled. False when that hand is not there.
bool native_wrist(const XrHandJointLocationsEXT& out, const XrHandJointVelocitiesEXT* velocities,
                  RootMotion& root) noexcept {
    const XrHandJointLocationEXT& wrist = out.jointLocations[XR_HAND_JOINT_WRIST_EXT];
    XrSpaceVelocity velocity{XR_TYPE_SPACE_VELOCITY, nullptr, 0, {}, {}};
    if (velocities != nullptr) {
        const XrHandJointVelocityEXT& moves = velocities->jointVelocities[XR_HAND_JOINT_WRIST_EXT];
        velocity.velocityFlags = moves.velocityFlags;
        velocity.linearVelocity = moves.linearVelocity;
        velocity.angularVelocity = moves.angularVelocity;
    }
    return out.isActive == XR_TRUE && read_root(wrist.locationFlags, wrist.pose, velocity, root);
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

// Of what says where the fingers and the wrist are.
int id_of(Config::HandSource fingers, WristKind wrist) noexcept {
    return static_cast<int>(fingers) * static_cast<int>(kWristKindCount) + static_cast<int>(wrist);
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

HandTracker::HandTracker(Registry<Session>::Ref session, Hand hand, HandWrist* wrist, XrHandTrackerEXT native,
                         bool native_only, const DataSources& sources) noexcept
    : session_(std::move(session)),
      hand_(hand),
      wrist_(wrist),
      native_(native),
      native_only_(native_only),
      sources_(sources),
      may_use_controllers_(session_->instance().may_use_controllers(sources)),
      may_show_native_(native != XR_NULL_HANDLE &&
                       (sources.unobstructed || session_->instance().is_native_data_source())),
      fingers_(session_->instance().config().fallback.order) {
}

FingerSource::Good HandTracker::ours(std::int64_t now_ns, bool& fresh) const noexcept {
    FingerSource::Good good{};
    if (wrist_ != nullptr && session_->is_focused()) {
        good.glove = sources_.unobstructed && glove_is_live(now_ns, fresh);
        good.controller = may_use_controllers_ && session_->input().fingers().is_there(hand_, now_ns);
    }
    return good;
}

bool HandTracker::motion_of(Config::HandSource source, XrTime time, HandMotion& motion) const noexcept {
    std::int64_t local_ns = 0;
    if (!session_->instance().to_local_clock(time, local_ns)) {
        local_ns = std::numeric_limits<std::int64_t>::max();  // the newest is the best guess
    }
    return motion_at(source == Config::HandSource::controller ? session_->input().fingers().motion(hand_)
                                                              : session_->instance().stream().hand(hand_).motion,
                     local_ns, motion);
}

void HandTracker::fill(XrHandTrackingDataSourceStateEXT& state, const FingerSource::Good& good,
                       std::optional<Config::HandSource> shown) const noexcept {
    // A device may be there while the hand is not shown, for want of a wrist.
    state.isActive = good.glove || good.controller || good.native ? XR_TRUE : XR_FALSE;
    const bool by_controller =
        shown ? *shown == Config::HandSource::controller : good.controller && !good.glove && !good.native;
    state.dataSource = sources_.controller && (by_controller || !sources_.unobstructed)
                           ? XR_HAND_TRACKING_DATA_SOURCE_CONTROLLER_EXT
                           : XR_HAND_TRACKING_DATA_SOURCE_UNOBSTRUCTED_EXT;
}

// One call on its way to an answer.
struct HandTracker::Call {
    const XrHandJointsLocateInfoEXT& info;
    XrHandJointLocationsEXT& out;
    Outputs outputs;
    std::int64_t now_ns;
    FingerSource::Good good{};
    bool fresh = false;  // the glove's data
    Source shown = Source::none;

    bool asked_native = false;
    XrResult native_result = XR_SUCCESS;
    bool has_native_wrist = false;
    RootMotion native_wrist{};
    bool steers = false;
    Instant at{};
    PoseMemory::Wrist before{};        // as shown in this base space last
    Transition::SpaceChange change{};  // since then; nothing where the hand was not shown in it lately
    HandWrist::Answer wrist{};
    bool is_frozen = false;

    [[nodiscard]] XrHandJointVelocityEXT* joint_velocities() const noexcept {
        return outputs.velocities != nullptr ? outputs.velocities->jointVelocities : nullptr;
    }
};

XrResult HandTracker::ask_native(Call& call) const noexcept {
    call.asked_native = true;
    call.native_result = session_->instance().next().xrLocateHandJointsEXT(native_, &call.info, &call.out);
    if (XR_SUCCEEDED(call.native_result)) {
        call.good.native = may_show_native_ && call.out.isActive == XR_TRUE;
        call.has_native_wrist = native_wrist(call.out, call.outputs.velocities, call.native_wrist);
    }
    return call.native_result;
}

XrResult HandTracker::locate_wrist(Call& call, const HandMotion& motion,
                                   std::optional<Config::HandSource> source) noexcept {
    HandWrist::Answer& wrist = call.wrist;
    const HandWrist::Question question{call.info.baseSpace,
                                       call.info.time,
                                       call.outputs.velocities != nullptr,
                                       call.now_ns,
                                       source.has_value(),
                                       call.has_native_wrist ? &call.native_wrist : nullptr,
                                       motion};
    const XrResult result = wrist_->locate(question, wrist);
    if (XR_FAILED(result)) {
        return result;
    }
    if (wrist.held) {
        wrist.found = call.change.has_value();
        if (wrist.found) {
            wrist.root = {compose(*call.change, call.before.pose), false, {}, false, false, false};
        }
    } else if (source && wrist.found && call.steers && question.with_velocity) {
        transition_.derive_velocity(id_of(*source, wrist.kind), call.at, call.change, wrist.root);
    }
    call.is_frozen = session_->probe(hand_).follow(question, wrist);
    return result;
}

XrResult HandTracker::place(Call& call, std::optional<Config::HandSource>& source) noexcept {
    HandMotion motion;
    if (!source || !motion_of(*source, call.info.time, motion)) {
        source = std::nullopt;
        motion.sample.through_forearm = false;
    }
    // The call below also checks base space and time for us, so it is made even when there is no hand to place.
    XrResult result = call.native_result;
    if (wrist_ != nullptr && !(call.asked_native && !source)) {
        const XrResult wrist_result = locate_wrist(call, motion, source);
        if (XR_FAILED(wrist_result) && native_ == XR_NULL_HANDLE) {
            return as_locate_error(wrist_result);
        }
        result = stronger(wrist_result, call.native_result);
    }
    if (source && call.wrist.found) {
        call.out.isActive = XR_TRUE;
        place_joints(motion, call.wrist.root, call.fresh || source == Config::HandSource::controller,
                     call.out.jointLocations, call.joint_velocities());
        call.shown = motion.sample.source;
        return result;
    }
    // Without a wrist the hand is the runtime's, if it has one; that needs no wrist of ours.
    source = std::nullopt;
    if (native_ == XR_NULL_HANDLE) {
        return result;
    }
    if (!call.asked_native && XR_FAILED(ask_native(call))) {
        return call.native_result;
    }
    if (call.good.native) {
        source = Config::HandSource::native;
    }
    return call.native_result;
}

void HandTracker::lead_on(const Call& call, Config::HandSource source) noexcept {
    const bool is_native = source == Config::HandSource::native;
    if (call.steers) {
        fingers_.set_shown(source);
        if (transition_.follow(id_of(source, is_native ? WristKind::native : call.wrist.kind),
                               !is_native && (call.wrist.held || call.is_frozen), call.at, call.change,
                               is_native ? nullptr : &call.wrist.root, call.out.jointLocations,
                               call.joint_velocities())) {
            const HandBlend& blend = transition_.blend();
            blend_.publish(blend);
            blends_until_ns_.store(blend.begun_ns + blend.length_ns, std::memory_order_release);
        }
    } else if (HandBlend blend; call.now_ns < blends_until_ns_.load(std::memory_order_acquire) && blend_.read(blend)) {
        apply(blend, call.now_ns, call.out.jointLocations, call.joint_velocities());
    }
}

XrResult HandTracker::locate(const XrHandJointsLocateInfoEXT* info, XrHandJointLocationsEXT* out) noexcept {
    if (info == nullptr || info->type != XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT || out == nullptr ||
        out->type != XR_TYPE_HAND_JOINT_LOCATIONS_EXT || out->jointLocations == nullptr) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    Instance& instance = session_->instance();
    if (native_only_) {
        return instance.next().xrLocateHandJointsEXT(native_, info, out);
    }
    if (out->jointCount != kJointCount || (instance.has_motion_range() && !has_known_motion_range(*info))) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    const Outputs outputs = outputs_of(*out, instance.has_data_source());
    const XrHandJointVelocitiesEXT* const velocities = outputs.velocities;
    if ((velocities != nullptr && (velocities->jointCount != kJointCount || velocities->jointVelocities == nullptr)) ||
        (outputs.data_source != nullptr && !sources_.asked)) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    if (info->time <= 0) {
        return XR_ERROR_TIME_INVALID;
    }

    Call call{*info, *out, outputs, steady_now_ns()};
    const TryLock steers(steering_);
    call.steers = static_cast<bool>(steers);
    call.at = {key_of(info->baseSpace), info->time, call.now_ns};
    if (transition_.shown_wrist(call.at, call.before)) {
        call.change =
            session_->reference_space_changes().previous_in_current(info->baseSpace, call.before.at.time, info->time);
    }
    call.good = ours(call.now_ns, call.fresh);
    // The runtime fills what it knows; where the hand comes from elsewhere, its joints then replace the runtime's.
    const bool needs_native = outputs.has_others || wrist_ == nullptr || wrist_->wants_native() ||
                              session_->probe(hand_).wants_native() || !fingers_.outranks_native(call.good);
    if (native_ != XR_NULL_HANDLE && needs_native && XR_FAILED(ask_native(call))) {
        return call.native_result;
    }
    std::optional<Config::HandSource> source = fingers_.choose(call.good, call.now_ns, call.steers);
    const XrResult result = source == Config::HandSource::native ? call.native_result : place(call, source);
    if (XR_FAILED(result)) {
        return result;
    }

    if (!source) {
        if (call.steers) {
            fingers_.set_shown(std::nullopt);
            transition_.nothing();
        }
        if (!may_show_native_) {
            out->isActive = XR_FALSE;
            clear_joints(out->jointLocations, call.joint_velocities());
        }
    } else {
        lead_on(call, *source);
    }
    instance.shown(hand_, source == Config::HandSource::native ? Source::native : call.shown);
    // What the runtime says of its devices stands, shown or not, unless one of ours is there.
    const bool native_answered = call.asked_native && instance.is_native_data_source();
    if (outputs.data_source != nullptr && !(native_answered && (source ? source == Config::HandSource::native
                                                                       : !call.good.glove && !call.good.controller))) {
        fill(*outputs.data_source, call.good, source);
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
    DataSources sources;
    if (instance.has_data_source()) {
        if (const XrResult wrong = read_data_sources(*info, sources); XR_FAILED(wrong)) {
            return wrong;
        }
    }

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
        auto tracker = std::make_unique<HandTracker>(std::move(session), hand, wrist, native, native_only, sources);
        const XrHandTrackerEXT created =
            native != XR_NULL_HANDLE ? native
                                     : handle_of<XrHandTrackerEXT>(
                                           static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(tracker.get())));
        HandTracker::all().add(key_of(created), std::move(tracker));
        instance.update_stream();
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
