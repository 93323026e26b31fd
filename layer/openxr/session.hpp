// SPDX-License-Identifier: Apache-2.0
// One XrSession: whether it has the input focus, and where its hands are.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "openxr/instance.hpp"
#include "openxr/registry.hpp"
#include "openxr/wrist.hpp"

namespace glove {

class Session {
public:
    explicit Session(Registry<Instance>::Ref instance) noexcept : instance_(std::move(instance)) {}

    [[nodiscard]] Instance& instance() const noexcept { return *instance_; }

    // Hands are inactive without the input focus (XR_EXT_hand_tracking, "isActive"). Follows the events that the
    // application itself is given.
    [[nodiscard]] bool is_focused() const noexcept { return focused_.load(std::memory_order_relaxed); }
    void set_state(XrSessionState state) noexcept {
        focused_.store(state == XR_SESSION_STATE_FOCUSED, std::memory_order_relaxed);
    }

    // Made at the first question for this hand; null when the runtime refuses. Lives as long as the session.
    [[nodiscard]] const WristSource* wrist(XrSession self, Hand hand);
    // Before the session goes: spaces are its children.
    void release_wrists() noexcept;

    [[nodiscard]] static Registry<Session>& all() noexcept;
    [[nodiscard]] static Registry<Session>::Ref find(XrSession session) noexcept { return all().find(key_of(session)); }

private:
    Registry<Instance>::Ref instance_;
    std::atomic<bool> focused_{false};
    std::mutex wrist_mutex_;
    std::array<std::unique_ptr<WristSource>, kHandCount> wrists_;
};

// Forgets the session's hand trackers and spaces. Before the call below destroys it.
void forget_children(Session& session) noexcept;

}  // namespace glove
