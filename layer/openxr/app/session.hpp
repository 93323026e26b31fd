// SPDX-License-Identifier: Apache-2.0
// One XrSession: whether it has the input focus, what its actions follow, and where its hands are.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "openxr/app/instance.hpp"
#include "openxr/input/session_input.hpp"
#include "openxr/loader/registry.hpp"
#include "openxr/wrist/reference_space_changes.hpp"
#include "openxr/wrist/wrist.hpp"
#include "openxr/wrist/wrist_probe.hpp"

namespace glove {

class Session {
public:
    // Throws std::bad_alloc.
    explicit Session(Registry<Instance>::Ref instance);

    [[nodiscard]] Instance& instance() const noexcept { return *instance_; }

    // Hands are inactive without the input focus (XR_EXT_hand_tracking, "isActive"). Follows the events that the
    // application itself is given.
    [[nodiscard]] bool is_focused() const noexcept { return focused_.load(std::memory_order_relaxed); }
    // At the time of the event, out of a call that began at `polled_ns` of the steady clock. Of two threads that poll
    // at once the one with the older event can come last: its event is then not news.
    void set_state(XrSessionState state, XrTime time, std::int64_t polled_ns) noexcept;

    [[nodiscard]] SessionInput& input() const noexcept { return *input_; }

    // Made at the first question for this hand; null when the runtime refuses. Lives as long as the session.
    [[nodiscard]] HandWrist* wrist(XrSession self, Hand hand);
    // That one, or null before the first question.
    [[nodiscard]] HandWrist* known_wrist(Hand hand) noexcept {
        const std::lock_guard lock(wrist_mutex_);
        return wrists_[index_of(hand)].get();
    }
    [[nodiscard]] WristProbe& probe(Hand hand) noexcept { return probes_[index_of(hand)]; }
    [[nodiscard]] ReferenceSpaceChanges& reference_space_changes() noexcept { return reference_space_changes_; }
    // Once per frame or so. For an application that attaches no actions of its own (`[wrist] self_attach`).
    void attach_for_itself(XrSession self);
    // Before the session goes: spaces are its children.
    void release_spaces() noexcept;
    // It did not go.
    void renew_spaces(XrSession self);

    [[nodiscard]] static Registry<Session>& all() noexcept;
    [[nodiscard]] static Registry<Session>::Ref find(XrSession session) noexcept { return all().find(key_of(session)); }

    // Throws std::bad_alloc.
    [[nodiscard]] static std::vector<XrSession> handles_of(XrInstance instance);

    template <class Visit>
    static void for_each_of(XrInstance instance, Visit visit) {
        all().for_each([&](std::uint64_t, Session& session) {
            if (session.instance().handle() == instance) {
                visit(session);
            }
        });
    }

private:
    Registry<Instance>::Ref instance_;
    std::mutex state_mutex_;  // never held while calling below
    XrTime state_time_ = 0;
    std::int64_t state_set_ns_ = 0;
    std::atomic<bool> focused_{false};
    std::atomic<std::int64_t> focused_since_ns_{0};
    std::atomic<std::int64_t> self_synced_ns_{0};
    std::shared_ptr<SessionInput> input_;  // Input knows it too
    ReferenceSpaceChanges reference_space_changes_;
    std::array<WristProbe, kHandCount> probes_;
    std::atomic_flag attaching_itself_ = ATOMIC_FLAG_INIT;
    std::mutex wrist_mutex_;  // never held while calling below
    std::array<std::unique_ptr<HandWrist>, kHandCount> wrists_;
};

}  // namespace glove
