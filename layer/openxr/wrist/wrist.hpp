// SPDX-License-Identifier: Apache-2.0
// Where a hand is: gloves say how fingers bend, this says where the hand stands in the application's space. It asks the
// best source there is, holds the hand when that is lost, and leads it from one source's word to another's.
#pragma once

#include <array>
#include <atomic>

#include "motion/wrist_choice.hpp"
#include "openxr/wrist/per_base_space.hpp"
#include "openxr/wrist/reference_space_changes.hpp"
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
              const ReferenceSpaceChanges& reference_space_changes, std::unique_ptr<ReferenceWrist> reference) noexcept;

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
    // One xrLocateSpace below, two where sources change; none where the runtime's own hand serves. An error of it is
    // the application's answer. `root` is the wrist's; `found` is false, and `root` not written, when nobody knows it.
    [[nodiscard]] XrResult locate(const Question& question, RootMotion& root, bool& found) noexcept;

    // Whether the answer may depend on the runtime's own hand.
    [[nodiscard]] bool wants_native() const noexcept;

    // What the locating threads show and measure while the wrist's offset is sought. Any thread.
    enum class Trial : std::uint8_t {
        none,
        compare,  // tracked device against the runtime's own hand
        freeze,   // the hand stays where it is, the tracked device is brought to it
    };
    struct Measured {
        XrTime time;
        WristKind device;
        XrPosef carried_wrist;  // by the offset as it is now
        XrPosef true_wrist;     // the runtime's hand, or where the hand was frozen; same base and time
    };
    void begin_trial(Trial trial) noexcept;
    void end_trial() noexcept { trial_.store(Trial::none, std::memory_order_release); }
    // Counted from 1; the last kMeasuredKept of them are kept.
    [[nodiscard]] std::uint64_t newest_measured() const noexcept { return measured_.newest(); }
    [[nodiscard]] bool measured(std::uint64_t number, Measured& out) const noexcept {
        return measured_.read_number(number, out);
    }
    static constexpr std::size_t kMeasuredKept = 256;  // seconds, at any rate that displays have

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
        WristBlend blend;
    };
    // Where the hand was shown in one base space.
    struct Shown {
        XrSpace base;
        XrTime time;
        std::int64_t at_ns;
        RootMotion root;
    };
    [[nodiscard]] XrResult ask(WristKind kind, const Question& question, RootMotion& root, bool& found) const noexcept;
    [[nodiscard]] WristKinds ready(const Question& question) const noexcept;
    [[nodiscard]] bool shown_in(const Question& question, Shown& out) const noexcept;
    // `shown` as the same place in the same space at `time`. False where nobody knows.
    [[nodiscard]] bool bring_to(XrTime time, Shown& shown) const noexcept;
    [[nodiscard]] bool is_shown_elsewhere(const Question& question) const noexcept;
    // Writers: only the thread that holds `steering_`.
    [[nodiscard]] XrResult steer(const Question& question, WristState& course, RootMotion& root, bool& found) noexcept;
    void remember(const Question& question, RootMotion& root) noexcept;
    void measure(const Question& question, Trial trial, RootMotion& root, bool found) noexcept;

    const Hand hand_;
    const WristKinds allowed_;
    const NextTable& next_;
    const SessionInput& input_;
    const ReferenceSpaceChanges& reference_space_changes_;
    std::unique_ptr<ReferenceWrist> reference_;

    // Whoever finds it free decides for all; the others do as decided before. Nobody waits.
    std::atomic_flag steering_ = ATOMIC_FLAG_INIT;
    WristChoice choice_;
    Latest<WristState> course_;
    std::array<Latest<Shown>, kBaseSpacesKept> shown_;
    std::array<Shown, kBaseSpacesKept> kept_{};  // the same, of the thread that steers
    std::int64_t in_use_ns_ = 0;                 // when the hand was seen last; of the thread that steers
    // A change is due and was seen in a base space that the hand was not shown in lately: nobody else is told of it,
    // for the way to the new source begins where the hand was. Of the thread that steers.
    bool begins_elsewhere_ = false;

    std::atomic<Trial> trial_{Trial::none};
    std::atomic<std::uint32_t> trials_{0};
    Latest<Measured, kMeasuredKept> measured_;
    // While frozen: where, in the base space it was frozen in. Written by the thread that steers.
    Shown frozen_{};
    std::uint32_t frozen_in_trial_ = 0;
};

}  // namespace glove
