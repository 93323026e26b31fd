// SPDX-License-Identifier: Apache-2.0
#include "motion/sender_clock.hpp"

namespace glove {
namespace {

// a - b, wrapping: the sender's number is any 64 bits, and the difference of two differences is right all the same.
std::int64_t minus(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t smaller(std::int64_t a, std::int64_t b) noexcept {
    return minus(a, b) < 0 ? a : b;
}

}  // namespace

std::int64_t SenderClock::to_local(std::int64_t sent_ns, std::int64_t received_ns) noexcept {
    const std::int64_t difference = minus(received_ns, sent_ns);
    const std::int64_t window_age_ns = received_ns - window_start_ns_;
    if (!begun_ || window_age_ns >= 2 * kWindowNs) {
        begin(difference, received_ns);
    } else if (window_age_ns >= kWindowNs) {
        smallest_before_ = smallest_now_;
        smallest_now_ = difference;
        window_start_ns_ = received_ns;
    }

    smallest_now_ = smaller(smallest_now_, difference);
    const std::int64_t delay_ns = minus(difference, smaller(smallest_now_, smallest_before_));
    if (delay_ns < 0 || delay_ns > kMaxDelayNs) {
        begin(difference, received_ns);
        return received_ns;
    }
    return received_ns - delay_ns;
}

void SenderClock::begin(std::int64_t difference, std::int64_t received_ns) noexcept {
    begun_ = true;
    window_start_ns_ = received_ns;
    smallest_now_ = difference;
    smallest_before_ = difference;
}

}  // namespace glove
