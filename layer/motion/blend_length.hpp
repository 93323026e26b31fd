// SPDX-License-Identifier: Apache-2.0
// How long a hand is led from one source's word to another's.
#pragma once

#include <algorithm>
#include <cstdint>

namespace glove {

inline constexpr std::int64_t kShortestBlendNs = 150'000'000;
// A hand goes no farther in that time: what is farther away is no way that a hand could have gone.
inline constexpr std::int64_t kLongestBlendNs = 10'000'000'000;

// `seconds`: what the way needs, whatever a runtime made of it: beyond all numbers, or none.
[[nodiscard]] inline std::int64_t blend_length_ns(double seconds) noexcept {
    const double ns = std::min(seconds * 1e9, static_cast<double>(kLongestBlendNs));
    return ns > static_cast<double>(kShortestBlendNs) ? static_cast<std::int64_t>(ns) : kShortestBlendNs;
}

}  // namespace glove
