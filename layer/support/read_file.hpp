// SPDX-License-Identifier: Apache-2.0
// The one way to read a file here: programs that the host program starts meanwhile do not inherit it, which streams of
// the standard library cannot promise.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace glove {

// Up to `most` bytes from its beginning. Nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::filesystem::path& file, std::size_t most);

}  // namespace glove
