// SPDX-License-Identifier: Apache-2.0
// Tells the OpenXR loader where the layer is, for this user or for everyone on this computer, and takes it back.
#pragma once

#include <filesystem>
#include <string>

namespace glove::ctl {

enum class Scope { user, system };

struct Registration {
    bool done;            // what was asked for is so, whether by this call or from before
    std::string message;  // what happened, or why nothing did
};

// Folders of the manifests; on Windows the registry is meant and these are empty.
struct Places {
    std::filesystem::path user;  // empty when the environment names none
    std::filesystem::path system;
    std::filesystem::path callers;  // of the user who became administrator with sudo; empty when nobody did
};
[[nodiscard]] Places places();

// `manifest`: as built or installed with this program.
[[nodiscard]] Registration register_layer(const std::filesystem::path& manifest, Scope scope, const Places& places);
[[nodiscard]] Registration unregister_layer(const std::filesystem::path& manifest, Scope scope, const Places& places);

}  // namespace glove::ctl
