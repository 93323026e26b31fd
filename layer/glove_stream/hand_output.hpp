// SPDX-License-Identifier: Apache-2.0
// Where the streams of one hand come together: one protocol at a time, its samples in order, out to any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "glove_stream/reason_counts.hpp"
#include "motion/hand_motion.hpp"
#include "motion/source_choice.hpp"
#include "motion/stream_gate.hpp"
#include "support/config.hpp"

namespace glove {

// Whoever was silent for longer is gone: the hand is no longer reported either.
[[nodiscard]] inline std::int64_t silence_ns(const Config& config) noexcept {
    return config.age.valid_ms * std::int64_t{1'000'000};
}

// What any thread may read of one hand. Written by one receiver's thread at a time.
struct HandFeed {
    MotionHistory motion;
    std::atomic<std::int64_t> heard_ns{0};  // last datagram that said the hand is there; 0: none yet
    std::atomic<std::uint64_t> datagrams{0};
    std::atomic<std::uint64_t> samples{0};  // who reads it with acquire finds that many in `motion`
    // Samples that did not come, or came too late, by the sender's own counter. Hand Engine has no counter to rely on:
    // its samples that lacked a finger.
    std::atomic<std::uint64_t> lost{0};
    std::atomic<std::uint64_t> lower_priority{0};  // datagrams of a protocol while a better one is live
    std::atomic<std::uint64_t> empty{0};           // samples without one usable joint
    // FSNH and FNIM.
    std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Admission::count_)> admissions{};
};

class HandOutput {
public:
    HandOutput(Hand hand, std::int64_t silence_ns) noexcept : hand_(hand), choice_(silence_ns) {}

    [[nodiscard]] const HandFeed& feed() const noexcept { return feed_; }
    [[nodiscard]] Hand hand() const noexcept { return hand_; }

    // A datagram of this hand has come. False when a better protocol feeds it: then the datagram is only counted.
    [[nodiscard]] bool accepts(Source source, const char* sender, std::int64_t now_ns) noexcept;

    // By the gate of a numbered stream: counts it. `frame` is the sender's number.
    void admitted(Admission admission, std::uint32_t frame, bool began_anew) noexcept;
    // Samples that lack a part, or did not come.
    void lost(std::uint64_t samples) noexcept;
    // A sample says nothing of the hand.
    void empty() noexcept;

    // Another sender or device: how the hand moved before says nothing.
    void begin_anew() noexcept { tracker_.reset(); }
    void publish(const HandSample& sample, std::int64_t now_ns) noexcept;
    // The hand is there, as it was.
    void keep_alive(Source source, std::int64_t now_ns) noexcept;

private:
    Hand hand_;
    HandFeed feed_;
    SourceChoice choice_;
    MotionTracker tracker_;
    Source source_ = Source::none;  // of the newest sample
    std::uint32_t frame_ = 0;
};

}  // namespace glove
