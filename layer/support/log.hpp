// SPDX-License-Identifier: Apache-2.0
// One text file of the user's, or the pipe or terminal that the user names: never the program's stdout or stderr
// unless it is named. Any thread, but never the hot path: it locks and writes, and waits for nobody. Failing to write
// is silent: `glovectl status` tells.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "support/config.hpp"

namespace glove::log {

// A file that grows over this is renamed to <file>.1 (replacing an older one) and begun anew.
inline constexpr std::size_t kMaxBytes = std::size_t{1024} * 1024;

// Why no line can be written to this place; empty when it can, as far as can be seen without writing.
[[nodiscard]] std::string problem_of(const std::filesystem::path& path);

void set_level(LogLevel level) noexcept;

#if defined(__MINGW32__)
#define GLOVE_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define GLOVE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#endif

// One line: time (UTC), level, process id and name, text. Control characters and bytes over 126 are written as \xNN.
void error(const char* format, ...) noexcept GLOVE_PRINTF(1, 2);
void warning(const char* format, ...) noexcept GLOVE_PRINTF(1, 2);
void info(const char* format, ...) noexcept GLOVE_PRINTF(1, 2);
void debug(const char* format, ...) noexcept GLOVE_PRINTF(1, 2);

}  // namespace glove::log
