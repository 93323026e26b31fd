// SPDX-License-Identifier: Apache-2.0
// Which of several sources is believed: by priority, but a better one is on trial first and a lost one is waited for.
// Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace glove {

// Sources by rank: 0 is the best. A set of them has a bit for each.
using Ranks = std::uint8_t;
inline constexpr std::size_t kMostRanks = 8;
[[nodiscard]] constexpr Ranks bit_of_rank(std::size_t rank) noexcept {
    return static_cast<Ranks>(1u << rank);
}

class SourceSelector {
public:
    struct Settings {
        std::int64_t trial_ns;  // so long a better source has to be there before it is believed
        std::int64_t hold_ns;   // so long a lost source is waited for
        Ranks at_once = 0;      // these need no trial
    };
    // Of whatever can flicker: long enough for a source to prove itself, short enough not to be missed.
    static constexpr std::int64_t kTrialNs = 300'000'000;

    explicit SourceSelector(const Settings& settings) noexcept : settings_(settings) {}

    struct Answer {
        std::size_t rank;
        bool known;  // false: there is no source
        bool held;   // `rank` was lost a moment ago
    };

    // `good`: the sources that are there now.
    [[nodiscard]] Answer choose(Ranks good, std::int64_t now_ns) noexcept {
        for (std::size_t rank = 0; rank < kMostRanks; ++rank) {
            if ((good & ~good_ & bit_of_rank(rank)) != 0) {
                good_since_ns_[rank] = now_ns;
            }
        }
        good_ = good;
        if (known_) {
            for (std::size_t rank = 0; rank < current_; ++rank) {
                if ((good & bit_of_rank(rank)) != 0 && ((settings_.at_once & bit_of_rank(rank)) != 0 ||
                                                        now_ns - good_since_ns_[rank] >= settings_.trial_ns)) {
                    current_ = rank;
                    break;
                }
            }
            if ((good & bit_of_rank(current_)) != 0) {
                lost_ = false;
                return {current_, true, false};
            }
            if (!lost_) {
                lost_ = true;
                lost_ns_ = now_ns;
            }
            if (now_ns - lost_ns_ < settings_.hold_ns) {
                return {current_, true, true};
            }
        }
        // Nothing to wait for: the best there is.
        lost_ = false;
        known_ = good != 0;
        for (std::size_t rank = 0; rank < kMostRanks; ++rank) {
            if ((good & bit_of_rank(rank)) != 0) {
                current_ = rank;
                break;
            }
        }
        return {current_, known_, false};
    }

private:
    Settings settings_;
    std::array<std::int64_t, kMostRanks> good_since_ns_{};
    Ranks good_ = 0;
    std::size_t current_ = 0;
    std::int64_t lost_ns_ = 0;
    bool known_ = false;
    bool lost_ = false;
};

}  // namespace glove
