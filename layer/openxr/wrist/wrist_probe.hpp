// SPDX-License-Identifier: Apache-2.0
// What is shown and noted in the locating threads while a wrist's offset is measured: the measurement itself goes on
// beside them (app/wrist_measurement).
#pragma once

#include <atomic>
#include <cstdint>

#include "openxr/wrist/reference_space_changes.hpp"
#include "openxr/wrist/wrist.hpp"
#include "support/latest.hpp"

namespace glove {

// Of one hand of one session. Any thread.
class WristProbe {
public:
    WristProbe(Hand hand, const NextTable& next, const SessionInput& input,
               const ReferenceSpaceChanges& reference_space_changes) noexcept
        : hand_(hand), next_(next), input_(input), reference_space_changes_(reference_space_changes) {}

    enum class Trial : std::uint8_t {
        none,
        compare,  // tracked device against the runtime's own hand
        freeze,   // the hand stays where it is, the tracked device is brought to it
    };
    void begin(Trial trial) noexcept;
    void end() noexcept { trial_.store(Trial::none, std::memory_order_release); }
    [[nodiscard]] bool wants_native() const noexcept {
        return trial_.load(std::memory_order_acquire) == Trial::compare;
    }

    // After each answer, which is the frozen hand's where that is asked for. Then true.
    bool follow(const HandWrist::Question& question, HandWrist::Answer& answer) noexcept;

    struct Measured {
        XrTime time;
        WristKind device;
        XrPosef carried_wrist;  // by the offset as it is now
        XrPosef true_wrist;     // the runtime's hand, or where the hand was frozen; same base and time
    };
    // Counted from 1; the last kMeasuredKept of them are kept.
    [[nodiscard]] std::uint64_t newest_measured() const noexcept { return measured_.newest(); }
    [[nodiscard]] bool measured(std::uint64_t number, Measured& out) const noexcept {
        return measured_.read_number(number, out);
    }
    static constexpr std::size_t kMeasuredKept = 256;  // seconds, at any rate that displays have

private:
    [[nodiscard]] bool freeze(const HandWrist::Question& question, const HandWrist::Answer& answer) noexcept;
    // Where the device that is strapped to this hand has the wrist. False where none does.
    [[nodiscard]] bool carried_wrist(const HandWrist::Question& question, WristKind& device,
                                     XrPosef& wrist) const noexcept;

    const Hand hand_;
    const NextTable& next_;
    const SessionInput& input_;
    const ReferenceSpaceChanges& reference_space_changes_;

    std::atomic<Trial> trial_{Trial::none};
    std::atomic<std::uint32_t> trials_{0};
    Latest<Measured, kMeasuredKept> measured_;
    // Whoever finds it free measures. Where the hand was frozen, in the base space of that moment.
    std::atomic_flag measuring_ = ATOMIC_FLAG_INIT;
    std::uint32_t frozen_in_trial_ = 0;
    XrSpace frozen_base_ = XR_NULL_HANDLE;
    XrTime frozen_time_ = 0;
    XrPosef frozen_{};
};

}  // namespace glove
