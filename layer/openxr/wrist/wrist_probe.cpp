// SPDX-License-Identifier: Apache-2.0
#include "openxr/wrist/wrist_probe.hpp"

#include <optional>

#include "hand/pose_math.hpp"
#include "support/try_lock.hpp"

namespace glove {

void WristProbe::begin(Trial trial) noexcept {
    trials_.fetch_add(1, std::memory_order_relaxed);
    trial_.store(trial, std::memory_order_release);
}

bool WristProbe::freeze(const HandWrist::Question& question, const HandWrist::Answer& answer) noexcept {
    const std::uint32_t number = trials_.load(std::memory_order_relaxed);
    if (frozen_in_trial_ == number && frozen_base_ == question.base) {
        const std::optional<XrPosef> change =
            reference_space_changes_.previous_in_current(question.base, frozen_time_, question.time);
        if (change) {
            frozen_ = compose(*change, frozen_);
            frozen_time_ = question.time;
            return true;
        }
        frozen_in_trial_ = 0;  // anew, where the hand is now
    }
    if (answer.found && frozen_in_trial_ != number) {
        frozen_in_trial_ = number;
        frozen_base_ = question.base;
        frozen_time_ = question.time;
        frozen_ = answer.root.in_base;
    }
    return frozen_in_trial_ == number && frozen_base_ == question.base;
}

bool WristProbe::carried_wrist(const HandWrist::Question& question, WristKind& device, XrPosef& wrist) const noexcept {
    for (const WristKind kind : {WristKind::tracker, WristKind::controller}) {
        SessionInput::Place place;
        const auto slot = kind == WristKind::tracker ? SessionInput::kTracker : SessionInput::kController;
        if (!input_.is_there(slot, hand_) || !input_.place(slot, hand_, place)) {
            continue;
        }
        RootMotion root{};
        bool found = false;
        const XrResult result =
            locate_root(next_, place.space, place.wrist_in_source, question.base, question.time, false, root, found);
        device = kind;
        wrist = root.in_base;
        return XR_SUCCEEDED(result) && found && root.position_tracked && root.orientation_tracked;
    }
    return false;
}

bool WristProbe::follow(const HandWrist::Question& question, HandWrist::Answer& answer) noexcept {
    const Trial trial = trial_.load(std::memory_order_acquire);
    const TryLock measures(measuring_);
    if (trial == Trial::none || !measures) {
        return false;
    }
    const bool is_frozen = trial == Trial::freeze && freeze(question, answer);
    const bool is_compared = trial == Trial::compare && question.native != nullptr &&
                             question.native->position_tracked && question.native->orientation_tracked;
    WristKind device{};
    XrPosef carried{};
    if ((is_frozen || is_compared) && carried_wrist(question, device, carried)) {
        measured_.publish({question.time, device, carried, is_frozen ? frozen_ : question.native->in_base});
    }
    if (is_frozen && answer.found) {
        answer.root.in_base = frozen_;
        answer.root.velocity = {};
        answer.root.velocity_known = true;
    }
    return is_frozen;
}

}  // namespace glove
