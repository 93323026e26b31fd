// SPDX-License-Identifier: Apache-2.0
// Maps a sender's timestamps to the local steady clock. Pure: time is a parameter.
#pragma once

#include <cstdint>

namespace glove {

// Minimum-delay filter: of all packets in the last few seconds the one that was fastest shows the clocks' difference
// best, so the delay of the others can be told and taken off. What remains is the fastest packet's own delay.
class SenderClock {
public:
    // When the sender took what it stamped `sent_ns` (any number), received at `received_ns` (local). Never later than
    // `received_ns`, never more than kMaxDelayNs before it: a clock that jumps is a new clock.
    [[nodiscard]] std::int64_t to_local(std::int64_t sent_ns, std::int64_t received_ns) noexcept;

    void reset() noexcept { *this = SenderClock{}; }

    static constexpr std::int64_t kMaxDelayNs = 250'000'000;
    // The fastest packet is looked for in the running window and the one before it. Long enough to meet a fast packet,
    // short enough that two quartz clocks do not part by more than a millisecond.
    static constexpr std::int64_t kWindowNs = 5'000'000'000;

private:
    void begin(std::int64_t difference, std::int64_t received_ns) noexcept;

    std::int64_t window_start_ns_ = 0;
    std::int64_t smallest_now_ = 0;     // smallest received - sent of the running window
    std::int64_t smallest_before_ = 0;  // and of the one before
    bool begun_ = false;
};

}  // namespace glove
