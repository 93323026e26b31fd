// SPDX-License-Identifier: Apache-2.0
// Hands values from one writer thread to any number of reader threads: the newest, and a few before it.
//
// publish() never waits. read() does not wait for the writer either: a writer suspended half-way through a publish()
// leaves the values before it readable.
// The words are atomics, so there is no data race by the letter of the standard and ThreadSanitizer checks it as it is.
// Each word is stored and loaded with release and acquire: a reader that sees a word of a newer value thereby sees the
// counter that preceded it, and the last check of read_number() catches it. No fences, which ThreadSanitizer cannot
// model.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace glove {

template <class T, std::size_t Slots = 4>
class Latest {
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(Slots >= 3);

public:
    // Writer thread only.
    void publish(const T& value) noexcept {
        std::array<std::uint64_t, kWords> words{};
        std::memcpy(words.data(), &value, sizeof value);

        const std::uint64_t number = published_.load(std::memory_order_relaxed) + 1;
        Slot& slot = slots_[number % Slots];
        for (std::size_t i = 0; i < kWords; ++i) {
            slot[i].store(words[i], std::memory_order_release);
        }
        published_.store(number, std::memory_order_release);
    }

    // Number of the newest value; the first is 1, 0 means none. Any thread.
    [[nodiscard]] std::uint64_t newest() const noexcept { return published_.load(std::memory_order_acquire); }

    // Value `number`. False when it is not published yet, or so old that its slot was or is being reused.
    [[nodiscard]] bool read_number(std::uint64_t number, T& out) const noexcept {
        const std::uint64_t newest_before = newest();
        if (number == 0 || number > newest_before || newest_before - number >= Slots - 1) {
            return false;
        }
        const Slot& slot = slots_[number % Slots];
        std::array<std::uint64_t, kWords> words;
        for (std::size_t i = 0; i < kWords; ++i) {
            words[i] = slot[i].load(std::memory_order_acquire);
        }
        // This slot is next written by value number + Slots, which begins after number + Slots - 1 was published.
        if (published_.load(std::memory_order_relaxed) - number >= Slots - 1) {
            return false;
        }
        std::memcpy(static_cast<void*>(&out), words.data(), sizeof out);
        return true;
    }

    // The newest value. False until the first publish(). Repeated only if several values were completed meanwhile.
    [[nodiscard]] bool read(T& out) const noexcept {
        for (;;) {
            const std::uint64_t number = newest();
            if (number == 0) {
                return false;
            }
            if (read_number(number, out)) {
                return true;
            }
        }
    }

private:
    static constexpr std::size_t kWords = (sizeof(T) + 7) / 8;
    using Slot = std::array<std::atomic<std::uint64_t>, kWords>;

    std::array<Slot, Slots> slots_{};
    std::atomic<std::uint64_t> published_{0};
};

}  // namespace glove
