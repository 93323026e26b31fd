// SPDX-License-Identifier: Apache-2.0
// What can say where a hand is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glove {

// In order of preference.
enum class WristKind : std::uint8_t {
    tracker,     // a tracker strapped to the hand or the forearm
    native,      // the runtime's own hand tracking
    controller,  // a controller strapped to the hand
    reference,   // the head, or a fixed place: always there, never measured
};
inline constexpr std::size_t kWristKindCount = 4;

using WristKinds = std::uint8_t;  // a bit per WristKind: Ranks of a SourceSelector
[[nodiscard]] constexpr WristKinds bit_of(WristKind kind) noexcept {
    return static_cast<WristKinds>(1u << static_cast<unsigned>(kind));
}

}  // namespace glove
