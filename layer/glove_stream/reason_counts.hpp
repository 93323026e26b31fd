// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace glove {

// One more, and how many that makes. For counters with one writer: no read-modify-write is needed.
inline std::uint64_t count(std::atomic<std::uint64_t>& counter) noexcept {
    const std::uint64_t value = counter.load(std::memory_order_relaxed) + 1;
    counter.store(value, std::memory_order_relaxed);
    return value;
}

// How often each reason of an enumeration that ends with count_ was met. One writer, any number of readers.
template <class Reason>
class ReasonCounts {
public:
    std::uint64_t add(Reason reason) noexcept { return count(counts_[static_cast<std::size_t>(reason)]); }
    [[nodiscard]] std::uint64_t of(Reason reason) const noexcept {
        return counts_[static_cast<std::size_t>(reason)].load(std::memory_order_relaxed);
    }

private:
    std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Reason::count_)> counts_{};
};

}  // namespace glove
