// SPDX-License-Identifier: Apache-2.0
// What a session's actions say about where hands are: which action space follows which hand now.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "openxr/input/controller_fingers.hpp"
#include "openxr/input/injected_actions.hpp"
#include "openxr/input/pose_bindings.hpp"
#include "openxr/input/wrist_offsets.hpp"
#include "support/latest.hpp"
#include "support/try_lock.hpp"

namespace glove {

class SessionInput {
public:
    explicit SessionInput(const Config& config) noexcept : fingers_(config) {}

    // Things that are strapped to a hand.
    enum TrackedDevice : std::size_t { kController, kTracker, kTrackedDeviceCount };

    // Where a tracked device's space is, for the locating thread.
    struct Place {
        XrSpace space;            // XR_NULL_HANDLE: nothing follows this hand
        XrPosef wrist_in_source;  // or the forearm
        bool is_forearm;
    };

    struct Attached {
        std::vector<PoseCandidate> candidates;  // the best first
        std::vector<InjectedSet> own;
        std::array<XrPath, kHandCount> tracker_roles{};
        std::array<bool, kHandCount> tracker_is_forearm{};
    };

    // Action sets were attached, the application's or, with none of these, our own.
    void attached(Attached what);
    [[nodiscard]] bool is_attached() const noexcept { return is_attached_.load(std::memory_order_acquire); }
    // The layer attached actions for an application that attaches none (`[wrist] self_attach`). Then what the runtime
    // says of attached actions is about ours alone, and nothing for the application.
    [[nodiscard]] bool has_attached_itself() const noexcept { return attached_itself_.load(std::memory_order_acquire); }
    void set_attached_itself(bool is_so) noexcept { attached_itself_.store(is_so, std::memory_order_release); }
    // What the runtime said to an xrSyncActions without sets when nothing was attached: runtimes differ.
    void set_empty_sync(XrResult result) noexcept { empty_sync_.store(result, std::memory_order_relaxed); }
    [[nodiscard]] XrResult empty_sync() const noexcept { return empty_sync_.load(std::memory_order_relaxed); }
    // What to add to each xrSyncActions.
    [[nodiscard]] std::vector<InjectedSet> own_sets() const;

    // A profile-changed event passed by, or offsets were measured anew.
    void invalidate() noexcept { stale_.store(true, std::memory_order_release); }
    // Interaction profiles, one per user, of which an event told the application last.
    static constexpr std::size_t kProfileUsers = 6;
    using Profiles = std::array<XrPath, kProfileUsers>;
    // Whether these are others; they count from then on.
    [[nodiscard]] bool profiles_changed(const Profiles& profiles);
    // Whether this action of the application's, see PoseCandidate, still exists. Its spaces live on.
    void set_exists(std::uint64_t action_id, bool exists) noexcept;
    // Returns when no other thread asks below about actions that do not exist any more. The application may destroy an
    // action while another thread of it syncs, and knows nothing of our questions: so its destruction waits for those
    // that are under way, a few calls that take microseconds. A runtime that hangs in one is waited for a second.
    void wait_until_unused() const noexcept;

    // Right after an xrSyncActions of this session succeeded: which profiles are current, which tracked devices are
    // there.
    void after_sync(XrInstance instance, XrSession session, const NextTable& next, const HandPaths& paths,
                    const WristOffsets& offsets, std::span<const InjectedSet> own, std::int64_t now_ns);

    // Any thread, no lock.
    [[nodiscard]] bool is_there(TrackedDevice device, Hand hand) const noexcept {
        return slots_[device][index_of(hand)].there.load(std::memory_order_acquire);
    }
    [[nodiscard]] bool place(TrackedDevice device, Hand hand, Place& out) const noexcept {
        return slots_[device][index_of(hand)].place.read(out) && out.space != XR_NULL_HANDLE;
    }
    // The source's name in configuration and calibration: an interaction profile, or "tracker". Empty: none.
    [[nodiscard]] std::string source_name(TrackedDevice device, Hand hand) const;

    [[nodiscard]] const ControllerFingers& fingers() const noexcept { return fingers_; }

    // Before the session goes: spaces are its children.
    void release(const NextTable& next) noexcept;
    // It did not go: after its next xrSyncActions hands follow spaces again.
    void renew_spaces() noexcept;

private:
    struct Slot {
        Latest<Place> place;
        std::atomic<bool> there{false};
        // Of the thread that looks.
        XrAction action = XR_NULL_HANDLE;
        XrPath subaction = XR_NULL_PATH;
        std::string source;
    };
    struct KnownSpace {
        XrAction action;
        XrPath subaction;
        XrSpace space;
    };

    void look(XrInstance instance, XrSession session, const NextTable& next, const HandPaths& paths,
              const WristOffsets& offsets);
    void use(TrackedDevice device, Hand hand, XrSession session, const NextTable& next, XrAction action,
             XrPath subaction, const WristOffset& offset, bool is_forearm, std::string source);
    [[nodiscard]] XrSpace space_of(XrSession session, const NextTable& next, XrAction action, XrPath subaction);

    // A profile may change without the application asking for its events.
    static constexpr unsigned kSyncsBetweenLooks = 32;

    mutable std::mutex mutex_;  // never held while calling below
    Attached what_;
    std::vector<KnownSpace> spaces_;
    Profiles profiles_{};
    std::array<std::array<Slot, kHandCount>, kTrackedDeviceCount> slots_;
    ControllerFingers fingers_;
    std::atomic<bool> is_attached_{false};
    std::atomic<bool> attached_itself_{false};
    std::atomic<XrResult> empty_sync_{XR_ERROR_ACTIONSET_NOT_ATTACHED};
    std::atomic<bool> stale_{false};
    std::atomic_flag looking_ = ATOMIC_FLAG_INIT;
    std::atomic<std::uint64_t> looks_{0};  // begun and ended: odd while one is under way
    std::atomic<std::thread::id> looker_;  // the thread of that one
    unsigned syncs_ = 0;
};

}  // namespace glove
