// SPDX-License-Identifier: Apache-2.0
// The loader does not pass over a folder that its user may not enter: it stops there, and the program with it.
#pragma once

#include <filesystem>
#include <optional>

namespace glove::ctl {

// The first folder on the way to `path` that cannot be entered, or `path` itself when it cannot be read. Both the path
// as it is written and the real one count. Nothing: the way is open, or ends at what is not there.
// On Windows always nothing: the loader passes over what it may not read.
[[nodiscard]] std::optional<std::filesystem::path> closed_to_us(const std::filesystem::path& path);

// For users who neither own it nor are in its group, by the mode bits alone.
[[nodiscard]] std::optional<std::filesystem::path> closed_to_others(const std::filesystem::path& path);

}  // namespace glove::ctl
