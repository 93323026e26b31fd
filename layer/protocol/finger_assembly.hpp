// SPDX-License-Identifier: Apache-2.0
// Joins the finger messages that Hand Engine sends for one sample of one hand: they arrive one by one, in any order,
// and belong together by their timecode. Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "protocol/hand_engine.hpp"

namespace glove::hand_engine {

// What was said of one hand at one timecode. Nothing in it is of another timecode.
struct HandMessage {
    enum class From : std::uint8_t {
        nothing,   // no word of this finger: it is where it was
        rotation,  // `bones`
        sliders,   // `sliders`, as this finger's rotations are not being sent
    };

    Hand hand;
    Timecode timecode;
    std::int64_t received_ns;  // the first message of this timecode
    std::array<From, kFingerCount> from;
    std::array<std::array<Quaternion, kBoneCount>, kFingerCount> bones;
    SliderValues sliders;
};

// One per hand and sender. Hands out a sample when all that is being sent has come, or, without what is missing, when a
// newer timecode begins. What comes after its sample was handed out is dropped.
class FingerAssembly {
public:
    struct Counts {
        std::uint64_t whole = 0;      // samples with all five fingers
        std::uint64_t partial = 0;    // samples with fewer
        std::uint64_t late = 0;       // messages behind their sample
        std::uint64_t duplicate = 0;  // messages that came before
        std::uint64_t null = 0;       // finger messages without a rotation in them
        std::uint64_t restarts = 0;   // the timecode went back for good
    };

    // What was not heard for longer than `silence_ns` is not being sent any more.
    FingerAssembly(Hand hand, std::int64_t silence_ns) noexcept;

    [[nodiscard]] std::optional<HandMessage> take(const FingerRotation& rotation, std::int64_t now_ns) noexcept;
    [[nodiscard]] std::optional<HandMessage> take(const Sliders& sliders, std::int64_t now_ns) noexcept;

    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

private:
    // So many messages in a row behind the newest, themselves in order, are a restarted sender: two samples of one
    // hand.
    static constexpr int kRestartAfter = 10;
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

    [[nodiscard]] bool heard_lately(std::int64_t heard_ns, std::int64_t now_ns) const noexcept;
    // Whether a message of this timecode belongs to the open sample, which is a new one when the timecode is newer.
    // The sample that was open goes to `finished` unless it was handed out before.
    [[nodiscard]] bool admit(Timecode timecode, bool repeats, std::int64_t now_ns,
                             std::optional<HandMessage>& finished) noexcept;
    [[nodiscard]] bool restarted(Timecode timecode) noexcept;
    void open(Timecode timecode, std::int64_t now_ns) noexcept;
    void close(std::int64_t now_ns, std::optional<HandMessage>& finished) noexcept;
    void close_if_whole(std::int64_t now_ns, std::optional<HandMessage>& finished) noexcept;

    std::int64_t silence_ns_;
    std::array<std::int64_t, kFingerCount> rotation_heard_ns_;
    std::int64_t metacarpals_heard_ns_ = kNever;
    std::int64_t heard_ns_ = kNever;

    HandMessage sample_{};
    bool has_sliders_ = false;
    bool with_metacarpals_ = false;
    bool closed_ = true;  // `sample_` was handed out, or there was none

    int behind_ = 0;
    Timecode newest_behind_ = 0;
    Counts counts_;
};

}  // namespace glove::hand_engine
