// SPDX-License-Identifier: Apache-2.0
// Where a hand is: gloves say how fingers bend, this says where the hand stands in the application's space. It asks the
// best source there is; motion/transition holds the hand when that is lost, and leads it from one source to another.
#pragma once

#include <atomic>

#include "motion/source_selector.hpp"
#include "motion/wrist_kind.hpp"
#include "openxr/wrist/wrist_source.hpp"
#include "support/latest.hpp"
#include "support/try_lock.hpp"

namespace glove {

// The sources that `[wrist] source` allows.
[[nodiscard]] WristKinds allowed_kinds(Config::WristSource source) noexcept;

// One hand of one session. Any thread may ask; no lock, no allocation.
class HandWrist {
public:
    HandWrist(const Config::Wrist& config, Hand hand, const NextTable& next, const SessionInput& input,
              std::unique_ptr<ReferenceWrist> reference) noexcept;

    struct Question {
        XrSpace base;
        XrTime time;
        bool with_velocity;
        std::int64_t now_ns;  // steady clock
        bool is_shown;        // else only base space and time are checked, and nobody sees the hand
        // The runtime's own hand, located with the same base and time; null when it has none or shows none.
        const RootMotion* native;
        const HandMotion& motion;  // for sources that hold the forearm
    };
    struct Answer {
        bool found = false;  // `root` is the wrist's
        bool held = false;   // its source was lost a moment ago: the hand stays where it was shown
        WristKind kind = WristKind::reference;
        RootMotion root{};
    };
    // One xrLocateSpace below, two where sources change; none where the runtime's own hand serves. An error of it is
    // the application's answer.
    [[nodiscard]] XrResult locate(const Question& question, Answer& answer) noexcept;

    // Whether the answer may depend on the runtime's own hand.
    [[nodiscard]] bool wants_native() const noexcept;

    // Before the session goes, see ReferenceWrist.
    void release() noexcept { reference_->release(); }
    // It did not go, and is to have spaces again.
    void renew(std::unique_ptr<ReferenceWrist> reference) noexcept { reference_ = std::move(reference); }

private:
    // What the hand follows.
    struct WristState {
        WristKind kind = WristKind::reference;
        bool known = false;
        bool held = false;
    };
    [[nodiscard]] XrResult ask(WristKind kind, const Question& question, RootMotion& root, bool& found) const noexcept;
    [[nodiscard]] WristKinds ready(const Question& question) const noexcept;
    // Only the thread that holds `steering_`.
    [[nodiscard]] XrResult steer(const Question& question, WristState& state, Answer& answer) noexcept;

    const Hand hand_;
    const WristKinds allowed_;
    const NextTable& next_;
    const SessionInput& input_;
    std::unique_ptr<ReferenceWrist> reference_;

    // Whoever finds it free decides for all; the others do as decided before. Nobody waits.
    std::atomic_flag steering_ = ATOMIC_FLAG_INIT;
    SourceSelector selector_;
    std::int64_t in_use_ns_ = 0;  // when the hand was seen last
    Latest<WristState> state_;
};

}  // namespace glove
