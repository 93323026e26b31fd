// SPDX-License-Identifier: Apache-2.0
// What stands beside glovectl, in the build as in an installation.
#pragma once

#include <filesystem>
#include <string>

namespace glove::ctl {

// The manifest that was built with this program; it may be missing.
[[nodiscard]] std::filesystem::path built_manifest();

// UTF-8, for people and for JSON. What in a path is none is written as \xNN.
[[nodiscard]] std::string text_of(const std::filesystem::path& path);
[[nodiscard]] bool is_utf8(const std::filesystem::path& path);

}  // namespace glove::ctl
