// SPDX-License-Identifier: Apache-2.0
// What is kept of each base space that an application locates hands in. Applications use one or two.
#pragma once

#include <array>
#include <cstddef>

#include "openxr/loader/platform.hpp"

namespace glove {

inline constexpr std::size_t kBaseSpacesKept = 4;

// The entry of this base space, else the one that was used longest ago. An entry has `base` and `at_ns`.
template <class Entry>
[[nodiscard]] std::size_t entry_of(const std::array<Entry, kBaseSpacesKept>& entries, XrSpace base) noexcept {
    std::size_t oldest = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].base == base) {
            return i;
        }
        oldest = entries[i].at_ns < entries[oldest].at_ns ? i : oldest;
    }
    return oldest;
}

}  // namespace glove
