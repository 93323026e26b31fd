// SPDX-License-Identifier: Apache-2.0
// Left and right, as every protocol and every stage of the layer means them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace glove {

enum class Hand : std::uint8_t { left, right };

inline constexpr std::size_t kHandCount = 2;
inline constexpr std::array<Hand, kHandCount> kBothHands{Hand::left, Hand::right};

[[nodiscard]] constexpr std::size_t index_of(Hand hand) noexcept {
    return static_cast<std::size_t>(hand);
}

[[nodiscard]] constexpr const char* name_of(Hand hand) noexcept {
    return hand == Hand::left ? "left" : "right";
}

}  // namespace glove
