// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glove {

// The known name that a misspelt one stands for, most likely: the fewest letters missing, added, changed or swapped,
// upper and lower case alike. Empty when none is near.
[[nodiscard]] std::string_view nearest_name(std::string_view written, std::span<const std::string> known);

}  // namespace glove
