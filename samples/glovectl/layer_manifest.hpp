// SPDX-License-Identifier: Apache-2.0
// A layer's manifest, read the way the OpenXR loader reads it.
#pragma once

#include <filesystem>
#include <string>

namespace glove::ctl {

[[nodiscard]] const char* layer_name();           // XR_APILAYER_…
[[nodiscard]] const char* manifest_file_name();   // XrApiLayer_….json
[[nodiscard]] const char* disable_environment();  // set, to whatever value: the loader does not see the layer

struct LayerManifest {
    std::filesystem::path file;
    std::string name;               // of the layer; empty when the file does not say
    std::filesystem::path library;  // absolute; a bare name when the system's search path is asked for it
    std::string problem;            // why the loader skips this file; empty: it does not

    // Ours by its name, or by the file's name when the content says none.
    [[nodiscard]] bool ours() const;
};

// Never throws for what is in the file.
[[nodiscard]] LayerManifest read_layer_manifest(const std::filesystem::path& file);

// The manifest in `file` for use elsewhere: with an absolute library_path. Throws when it is none, or cannot name it.
[[nodiscard]] std::string relocated_manifest(const std::filesystem::path& file);

}  // namespace glove::ctl
