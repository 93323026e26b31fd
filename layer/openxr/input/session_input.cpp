// SPDX-License-Identifier: Apache-2.0
#include "openxr/input/session_input.hpp"

#include <algorithm>
#include <chrono>

#include "hand/pose_math.hpp"

namespace glove {

namespace {

constexpr std::chrono::seconds kLongestLook{1};

}  // namespace

void SessionInput::attached(Attached what) {
    {
        const std::lock_guard lock(mutex_);
        what_ = std::move(what);
    }
    stale_.store(true, std::memory_order_release);
    is_attached_.store(true, std::memory_order_release);
}

std::vector<InjectedSet> SessionInput::own_sets() const {
    const std::lock_guard lock(mutex_);
    return what_.own;
}

bool SessionInput::profiles_changed(const Profiles& profiles) {
    const std::lock_guard lock(mutex_);
    const bool is_new = profiles != profiles_;
    profiles_ = profiles;
    return is_new;
}

void SessionInput::set_exists(std::uint64_t action_id, bool exists) noexcept {
    const std::lock_guard lock(mutex_);
    for (PoseCandidate& candidate : what_.candidates) {
        if (candidate.action_id == action_id) {
            candidate.exists = exists;
        }
    }
    stale_.store(true);
}

void SessionInput::wait_until_unused() const noexcept {
    // Either the look that begins now sees that it is stale, or it is seen here: both sides write first, then read, all
    // in one order of all threads.
    const std::uint64_t under_way = looks_.load();
    if (under_way % 2 == 0 || looker_.load() == std::this_thread::get_id()) {  // a runtime that calls back
        return;
    }
    const auto end = std::chrono::steady_clock::now() + kLongestLook;
    while (looks_.load() == under_way && std::chrono::steady_clock::now() < end) {
        std::this_thread::yield();
    }
}

std::string SessionInput::source_name(TrackedDevice device, Hand hand) const {
    const std::lock_guard lock(mutex_);
    return slots_[device][index_of(hand)].source;
}

void SessionInput::after_sync(XrInstance instance, XrSession session, const NextTable& next, const HandPaths& paths,
                              const WristOffsets& offsets, std::span<const InjectedSet> own, std::int64_t now_ns) {
    const TryLock looks(looking_);
    if (!looks) {
        return;  // another thread of the application does it
    }
    looker_ = std::this_thread::get_id();
    struct Look {
        explicit Look(std::atomic<std::uint64_t>& counted) noexcept : looks(counted) { ++looks; }
        ~Look() { ++looks; }
        Look(const Look&) = delete;
        Look& operator=(const Look&) = delete;
        std::atomic<std::uint64_t>& looks;
    } const under_way(looks_);
    if (stale_.exchange(false) || ++syncs_ >= kSyncsBetweenLooks) {
        syncs_ = 0;
        look(instance, session, next, paths, offsets);
    }
    for (auto& of_device : slots_) {
        for (Slot& slot : of_device) {
            bool there = false;
            if (slot.action != XR_NULL_HANDLE) {
                const XrActionStateGetInfo info{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, slot.action, slot.subaction};
                XrActionStatePose state{XR_TYPE_ACTION_STATE_POSE, nullptr, XR_FALSE};
                there = XR_SUCCEEDED(next.xrGetActionStatePose(session, &info, &state)) && state.isActive == XR_TRUE;
            }
            slot.there.store(there, std::memory_order_release);
        }
    }
    if (std::any_of(own.begin(), own.end(), [](const InjectedSet& set) { return set.has_grasp(); })) {
        fingers_.after_sync(session, next, paths, own,
                            {is_there(kController, Hand::left), is_there(kController, Hand::right)}, now_ns);
    }
}

void SessionInput::look(XrInstance instance, XrSession session, const NextTable& next, const HandPaths& paths,
                        const WristOffsets& offsets) {
    Attached what;
    {
        const std::lock_guard lock(mutex_);
        what = what_;
    }
    for (const Hand hand : kBothHands) {
        // Legal only after an attach, so there is one.
        XrInteractionProfileState state{XR_TYPE_INTERACTION_PROFILE_STATE, nullptr, XR_NULL_PATH};
        if (XR_FAILED(next.xrGetCurrentInteractionProfile(session, paths.hand[index_of(hand)], &state))) {
            state.interactionProfile = XR_NULL_PATH;
        }
        const auto candidate = std::find_if(what.candidates.begin(), what.candidates.end(), [&](const auto& c) {
            return c.exists && c.hand == hand && c.profile == state.interactionProfile &&
                   state.interactionProfile != XR_NULL_PATH;
        });
        if (candidate == what.candidates.end()) {
            use(kController, hand, session, next, XR_NULL_HANDLE, XR_NULL_PATH, {kIdentityPose, ""}, false, {});
        } else {
            const PathText text(instance, next, candidate->profile);
            const std::string profile(text.view());
            use(kController, hand, session, next, candidate->action, candidate->subaction,
                offsets.of_controller(profile, candidate->kind, hand), false,
                controller_source(profile, candidate->kind));
        }

        // The newest set with the trackers in it; older ones say the same.
        const auto own = std::find_if(what.own.rbegin(), what.own.rend(),
                                      [](const InjectedSet& s) { return s.tracker != XR_NULL_HANDLE; });
        const XrPath role = what.tracker_roles[index_of(hand)];
        if (own == what.own.rend() || role == XR_NULL_PATH) {
            use(kTracker, hand, session, next, XR_NULL_HANDLE, XR_NULL_PATH, {kIdentityPose, ""}, false, {});
        } else {
            use(kTracker, hand, session, next, own->tracker, role, offsets.of_tracker(hand),
                what.tracker_is_forearm[index_of(hand)], std::string(kTrackerSource));
        }
    }
}

void SessionInput::use(TrackedDevice device, Hand hand, XrSession session, const NextTable& next, XrAction action,
                       XrPath subaction, const WristOffset& offset, bool is_forearm, std::string source) {
    Slot& slot = slots_[device][index_of(hand)];
    slot.action = action;
    slot.subaction = subaction;
    const XrSpace space = action == XR_NULL_HANDLE ? XR_NULL_HANDLE : space_of(session, next, action, subaction);
    slot.place.publish({space, offset.wrist_in_source, is_forearm});
    const std::lock_guard lock(mutex_);
    if (slot.source != source && space != XR_NULL_HANDLE) {
        log::info("wrist: the %s hand can follow %s (%s offset)", name_of(hand), source.c_str(), offset.from);
    }
    slot.source = std::move(source);
}

XrSpace SessionInput::space_of(XrSession session, const NextTable& next, XrAction action, XrPath subaction) {
    {
        const std::lock_guard lock(mutex_);
        for (const KnownSpace& known : spaces_) {
            if (known.action == action && known.subaction == subaction) {
                return known.space;
            }
        }
        spaces_.reserve(spaces_.size() + 1);  // before there is a space to lose
    }
    XrActionSpaceCreateInfo info{};
    info.type = XR_TYPE_ACTION_SPACE_CREATE_INFO;
    info.action = action;
    info.subactionPath = subaction;
    info.poseInActionSpace = kIdentityPose;
    XrSpace space = XR_NULL_HANDLE;
    if (XR_FAILED(next.xrCreateActionSpace(session, &info, &space))) {
        return XR_NULL_HANDLE;
    }
    const std::lock_guard lock(mutex_);
    spaces_.push_back({action, subaction, space});
    return space;
}

void SessionInput::release(const NextTable& next) noexcept {
    std::vector<KnownSpace> spaces;
    {
        const std::lock_guard lock(mutex_);
        spaces.swap(spaces_);
    }
    for (const KnownSpace& known : spaces) {
        next.xrDestroySpace(known.space);
    }
}

void SessionInput::renew_spaces() noexcept {
    for (auto& of_device : slots_) {
        for (Slot& slot : of_device) {
            slot.there.store(false, std::memory_order_release);
            slot.place.publish({XR_NULL_HANDLE, kIdentityPose, false});
        }
    }
    invalidate();
}

}  // namespace glove
