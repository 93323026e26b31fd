// SPDX-License-Identifier: Apache-2.0
// Which source moves the fingers that one hand tracker shows. Any thread may ask; no lock, no allocation.
#pragma once

#include <array>
#include <atomic>
#include <optional>

#include "motion/source_selector.hpp"
#include "support/config.hpp"

namespace glove {

class FingerSource {
public:
    using Order = std::array<Config::HandSource, Config::kHandSourceCount>;

    explicit FingerSource(const Order& order) noexcept;

    struct Good {
        bool glove, native, controller;
    };
    // The source to show now; nothing where none is good. `steers`: of threads that ask at once the one that decides
    // for all; the others do as it decided before.
    [[nodiscard]] std::optional<Config::HandSource> choose(const Good& good, std::int64_t now_ns, bool steers) noexcept;

    // Whether one of ours stands before the runtime's hand, and will be chosen whatever the runtime has.
    [[nodiscard]] bool outranks_native(const Good& good) const noexcept;

    // What became of the choice. Nothing: no hand is shown.
    void set_shown(std::optional<Config::HandSource> source) noexcept {
        shown_.store(source ? static_cast<int>(*source) : kNone, std::memory_order_relaxed);
    }

private:
    static constexpr int kNone = -1;

    [[nodiscard]] std::size_t rank_of(Config::HandSource source) const noexcept;
    [[nodiscard]] Ranks ranks_of(const Good& good) const noexcept;

    const Order order_;
    SourceSelector selector_;
    std::atomic<int> shown_{kNone};
};

}  // namespace glove
