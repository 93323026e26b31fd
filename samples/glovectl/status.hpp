// SPDX-License-Identifier: Apache-2.0
// What an OpenXR program that starts now, in this environment, would find.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "glovectl/layer_manifest.hpp"
#include "glovectl/loader_search.hpp"
#include "glovectl/port_holder.hpp"

namespace glove::ctl {

struct FoundLayer {
    LayerManifest manifest;
    std::string fault;  // why programs stop at it, this user's or others'; empty: they do not
};

struct Status {
    std::vector<FoundLayer> layers;                      // ours, in the loader's order
    std::optional<std::filesystem::path> closed_folder;  // where the loader stops because it may not look into it
    bool disabled;                                       // by the environment
    bool usable;                                         // loaded, and once, and no program stops
    std::string verdict;

    std::optional<ActiveRuntime> runtime;
    std::string runtime_problem;  // empty: its manifest names a library

    std::filesystem::path config_file;
    bool config_exists;
    std::vector<std::string> config_complaints;

    struct Port {
        const char* protocols;
        std::uint16_t port;
        std::vector<PortHolder> holders;  // programs that have it now
    };
    std::vector<std::string> addresses;  // where gloves are listened for, as configured
    std::vector<Port> ports;

    std::filesystem::path log_file;
    bool log_exists;
    std::string log_problem;  // why it cannot be written; empty: it can
};

[[nodiscard]] Status current_status();
[[nodiscard]] std::string as_text(const Status& status);
[[nodiscard]] std::string as_json(const Status& status);

}  // namespace glove::ctl
