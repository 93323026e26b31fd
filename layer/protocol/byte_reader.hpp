// SPDX-License-Identifier: Apache-2.0
// Reads numbers from a datagram, one after the other.
// Reading past the end never touches memory: it yields zero and is remembered, so a decoder asks once, after its last
// read.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace glove {

// Types of which every bit pattern is a value: of bool only two are.
template <class T>
concept WireNumber = (std::integral<T> && !std::same_as<T, bool>) || std::floating_point<T>;

class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

    template <WireNumber T>
    [[nodiscard]] T little() noexcept {
        return read<T, std::endian::little>();
    }

    template <WireNumber T>
    [[nodiscard]] T big() noexcept {
        return read<T, std::endian::big>();
    }

    void skip(std::size_t count) noexcept {
        if (count > rest_.size()) {
            overrun_ = true;
            count = rest_.size();
        }
        rest_ = rest_.subspan(count);
    }

    [[nodiscard]] bool overrun() const noexcept { return overrun_; }
    [[nodiscard]] std::span<const std::byte> rest() const noexcept { return rest_; }

private:
    template <class T, std::endian Order>
    [[nodiscard]] T read() noexcept {
        if (rest_.size() < sizeof(T)) {
            overrun_ = true;
            rest_ = {};
            return T{};
        }
        // Copied whole, not byte by byte: compilers make one load of it.
        std::array<std::byte, sizeof(T)> bytes;
        std::memcpy(bytes.data(), rest_.data(), sizeof(T));
        if constexpr (Order != std::endian::native) {
            std::reverse(bytes.begin(), bytes.end());
        }
        rest_ = rest_.subspan(sizeof(T));
        return std::bit_cast<T>(bytes);
    }

    std::span<const std::byte> rest_;
    bool overrun_ = false;
};

}  // namespace glove
