// SPDX-License-Identifier: Apache-2.0
// Recordings that are not part of the project: in the folder that GLOVE_HANDS_DATA names. Tests that need one say that
// it is missing, and skip.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "folders.hpp"

namespace glove::test {

// Nothing when there is no such file.
inline std::optional<nlohmann::json> read_recording(const char* file) {
    const char* const folder = std::getenv("GLOVE_HANDS_DATA");
    std::ifstream in(std::filesystem::path(folder != nullptr ? folder : GLOVE_DATA_DEFAULT) / file);
    return in ? std::optional(nlohmann::json::parse(in)) : std::nullopt;
}

inline constexpr const char* kHandSession = "quest3-hands.json";
inline constexpr const char* kControllerSession = "quest3-controllers.json";
inline constexpr const char* kNoRecording =
    "no quest3-*.json, which are not part of the project (tests/data/README.md); set GLOVE_HANDS_DATA to their folder";

}  // namespace glove::test
