// SPDX-License-Identifier: Apache-2.0
// Where the OpenXR loader looks, in its order.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace glove::ctl {

// Every manifest of an implicit layer that the loader reads, as often as it reads it: a folder that is listed twice is
// read twice, and a layer that is found twice is loaded twice.
[[nodiscard]] std::vector<std::filesystem::path> implicit_manifests();

// The first place among those where it looks that this user may not look into: the loader stops there. On Windows none.
[[nodiscard]] std::optional<std::filesystem::path> closed_search_folder();

struct ActiveRuntime {
    std::filesystem::path manifest;
    std::string named_by;  // for people: what led there
};

[[nodiscard]] std::optional<ActiveRuntime> active_runtime();

}  // namespace glove::ctl
