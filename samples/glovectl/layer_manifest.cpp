// SPDX-License-Identifier: Apache-2.0
#include "glovectl/layer_manifest.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "glovectl/own_files.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;  // keeps the order of the file

Json parse(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        throw std::runtime_error("it cannot be read");
    }
    Json document;
    try {
        document = Json::parse(in, nullptr, true, true);
    } catch (const Json::parse_error& error) {
        throw std::runtime_error("it is not JSON, from byte " + std::to_string(error.byte) + " on");
    }
    if (!document.is_object() || !document.contains("api_layer") || !document["api_layer"].is_object()) {
        throw std::runtime_error("it is not the manifest of an API layer");
    }
    return document;
}

// Empty when absent or of another type: the loader wants each of these to be a string.
std::string text(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_folder(std::string_view path) {
    return path.find_first_of("/\\") != std::string_view::npos;
}

fs::path library_of(const Json& layer, const fs::path& manifest) {
    const std::string path = text(layer, "library_path");
    if (!has_folder(path)) {
        return path;
    }
    // The loader does not follow a symbolic link to the manifest; a relative path starts where the link is.
    return (fs::absolute(manifest).parent_path() / path).lexically_normal();
}

// Windows' loader opens files by UTF-8 bytes, and Windows reads these as its own code page.
bool loader_can_open([[maybe_unused]] const fs::path& path) {
#if defined(_WIN32)
    return std::all_of(path.native().begin(), path.native().end(), [](wchar_t c) { return c < 0x80; });
#else
    return true;
#endif
}

std::string problem_of(const Json& document, const fs::path& library) {
    const Json& layer = document["api_layer"];
    if (text(document, "file_format_version") != "1.0.0") {
        return "its file_format_version is not \"1.0.0\"";
    }
    const std::string api_version = text(layer, "api_version");
    if (api_version.rfind("1.", 0) != 0) {
        return "its api_version is not 1.x";
    }
    if (!all_digits(text(layer, "implementation_version"))) {
        return "its implementation_version is not a whole number in quotes";
    }
    if (text(layer, "disable_environment").empty()) {
        return "it has no disable_environment, which an implicit layer must have";
    }
    if (const std::string enable = text(layer, "enable_environment");
        !enable.empty() && std::getenv(enable.c_str()) == nullptr) {
        return "it waits for the environment variable " + enable;
    }
    if (library.empty()) {
        return "it has no library_path";
    }
    std::error_code failure;  // who may not look does not know
    if (library.has_parent_path() && !fs::exists(library, failure) && !failure) {
        return "its library does not exist: " + text_of(library);
    }
    return {};
}

}  // namespace

const char* layer_name() {
    return GLOVE_LAYER_NAME;
}
const char* manifest_file_name() {
    return GLOVE_LAYER_MANIFEST;
}
const char* disable_environment() {
    return GLOVE_LAYER_DISABLE_ENVIRONMENT;
}

bool LayerManifest::ours() const {
    return name == layer_name() || (name.empty() && file.filename() == manifest_file_name());
}

LayerManifest read_layer_manifest(const fs::path& file) {
    LayerManifest manifest{file, {}, {}, {}};
    try {
        const Json document = parse(file);
        manifest.name = text(document["api_layer"], "name");
        manifest.library = library_of(document["api_layer"], file);
        manifest.problem = manifest.name.empty() ? "it names no layer" : problem_of(document, manifest.library);
        if (!loader_can_open(file) || !loader_can_open(manifest.library)) {
            manifest.problem =
                "the loader opens paths of plain ASCII alone; install the layer in a folder with such a name";
        }
    } catch (const std::exception& error) {
        manifest.problem = error.what();
    }
    return manifest;
}

std::string relocated_manifest(const fs::path& file) {
    Json document = parse(file);
    const fs::path library = library_of(document["api_layer"], fs::canonical(file));
    if (!is_utf8(library)) {
        throw std::runtime_error("a manifest is JSON and can name UTF-8 alone, which " + text_of(library) +
                                 " is not; install the layer in a folder with a plain name");
    }
    document["api_layer"]["library_path"] = text_of(library);
    return document.dump(4) + '\n';
}

}  // namespace glove::ctl
