// SPDX-License-Identifier: Apache-2.0
// How one hand's glove is doing, told from what the stream counts and publishes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "glove_stream.hpp"

namespace glove::ctl {

struct HandReading {
    bool live = false;     // heard within age.valid_ms
    bool tracked = false;  // heard within age.tracked_ms, and at least one joint was measured
    Source source = Source::none;
    std::optional<double> age_ms;  // since it was last heard
    double rate_hz = 0;            // samples and repeats
    double loss = 0;               // share, 0 to 1, of samples that did not come, or not whole
    std::array<double, 5> curl{};  // thumb first; 0 straight, 1 a fist
};

// 0 straight, 1 as in a fist. Thumb first.
[[nodiscard]] std::array<double, 5> finger_curls(const HandSample& sample) noexcept;

class HandWatch {
public:
    [[nodiscard]] HandReading look(const HandFeed& feed, const Config::Age& age, std::int64_t now_ns);

private:
    // Rates are differences over the last second.
    struct Counts {
        std::int64_t at_ns;
        std::uint64_t used;  // samples and repeats
        std::uint64_t lost;
    };

    std::deque<Counts> past_;
    Source source_ = Source::none;
};

}  // namespace glove::ctl
