// SPDX-License-Identifier: Apache-2.0
#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

#include "glovectl/layer_manifest.hpp"
#include "glovectl/loader_search.hpp"
#include "glovectl/own_files.hpp"
#include "glovectl/registration.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kImplicitLayers = "openxr/1/api_layers/implicit.d";

fs::path file_in(const Places& places, Scope scope) {
    const fs::path& folder = scope == Scope::user ? places.user : places.system;
    return folder.empty() ? fs::path() : folder / manifest_file_name();
}

const char* command_to_unregister(Scope scope) {
    return scope == Scope::user ? "glovectl unregister" : "glovectl unregister --system";
}

bool same_file(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    return fs::equivalent(a, b, ignored);
}

std::string content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Where else the loader finds the layer, or would find it in another environment than this one.
std::optional<fs::path> found_elsewhere(const fs::path& target, const std::vector<fs::path>& other_places) {
    std::vector<fs::path> candidates = implicit_manifests();
    candidates.insert(candidates.end(), other_places.begin(), other_places.end());
    for (const fs::path& candidate : candidates) {
        std::error_code ignored;
        if (!candidate.empty() && fs::exists(candidate, ignored) && !same_file(candidate, target) &&
            read_layer_manifest(candidate).ours()) {
            return candidate;
        }
    }
    return std::nullopt;
}

// At no moment does the loader see half a file: the temporary one does not end in .json.
void replace_file(const fs::path& target, const std::string& content) {
    fs::create_directories(target.parent_path());
    fs::path temporary = target;
    temporary += "." + std::to_string(getpid()) + ".tmp";
    try {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out << content;
        out.close();
        if (!out) {
            throw fs::filesystem_error("cannot write", temporary, std::error_code(errno, std::generic_category()));
        }
        // Everyone's loader reads it, whatever the umask of who registers.
        fs::permissions(
            temporary, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read);
        fs::rename(temporary, target);
    } catch (...) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
    }
}

Registration failed(const fs::filesystem_error& error, Scope scope) {
    std::string message = text_of(error.path1()) + ": " + error.code().message();
    if (scope == Scope::system && error.code() == std::errc::permission_denied) {
        message += "; --system needs the administrator's rights (sudo)";
    }
    return {false, message};
}

}  // namespace

Places places() {
    Places result;
    const char* data_home = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    if (data_home != nullptr && *data_home != '\0') {
        result.user = fs::path(data_home) / kImplicitLayers;
    } else if (home != nullptr && *home != '\0') {
        result.user = fs::path(home) / ".local/share" / kImplicitLayers;
    }
    result.system = fs::path("/usr/share") / kImplicitLayers;
    // sudo changes HOME.
    if (const char* caller = std::getenv("SUDO_USER"); caller != nullptr) {
        if (const passwd* entry = getpwnam(caller); entry != nullptr) {
            result.callers = fs::path(entry->pw_dir) / ".local/share" / kImplicitLayers;
        }
    }
    return result;
}

Registration register_layer(const fs::path& manifest, Scope scope, const Places& places) try {
    const fs::path target = file_in(places, scope);
    if (target.empty()) {
        return {false, "neither XDG_DATA_HOME nor HOME says where this user's files are"};
    }
    const LayerManifest built = read_layer_manifest(manifest);
    if (built.name != layer_name() || built.library.empty()) {
        return {false, text_of(manifest) + " is not this layer's manifest: " + built.problem};
    }
    const Scope other = scope == Scope::user ? Scope::system : Scope::user;
    const fs::path other_file = file_in(places, other);
    const fs::path callers_file = places.callers.empty() ? fs::path() : places.callers / manifest_file_name();
    if (const std::optional<fs::path> elsewhere = found_elsewhere(target, {other_file, callers_file})) {
        std::string message = "not registered: the layer is already at " + text_of(*elsewhere) +
                              ", and one that is found twice is loaded twice";
        if (same_file(*elsewhere, other_file)) {
            message += std::string("; first run: ") + command_to_unregister(other);
        } else if (same_file(*elsewhere, callers_file)) {
            message += std::string("; first run, without sudo: ") + command_to_unregister(Scope::user);
        }
        return {false, message};
    }
    if (same_file(manifest, target)) {
        return {true, "already registered, by installation: " + text_of(target)};
    }
    std::error_code ignored;
    if (!fs::exists(built.library, ignored)) {
        return {false, "not registered: there is no " + text_of(built.library) + "; build or install the layer first"};
    }

    const std::string content = relocated_manifest(manifest);
    const bool present = fs::exists(fs::symlink_status(target));
    if (present && content_of(target) == content) {
        return {true, "already registered: " + text_of(target)};
    }
    replace_file(target, content);
    return {true, (present ? "registered anew: " : "registered: ") + text_of(target) +
                      "\nlibrary: " + text_of(fs::canonical(built.library))};
} catch (const fs::filesystem_error& error) {
    return failed(error, scope);
}

Registration unregister_layer(const fs::path& manifest, Scope scope, const Places& places) try {
    const fs::path target = file_in(places, scope);
    if (target.empty() || !fs::exists(fs::symlink_status(target))) {
        return {true, "not registered here: " + text_of(target)};
    }
    if (same_file(manifest, target)) {
        return {false, text_of(target) + " belongs to the installation of this program; uninstall that instead"};
    }
    if (!read_layer_manifest(target).ours()) {
        return {false, text_of(target) + " belongs to another layer; left as it is"};
    }
    fs::remove(target);
    return {true, "unregistered: " + text_of(target) + " is gone"};
} catch (const fs::filesystem_error& error) {
    return failed(error, scope);
}

}  // namespace glove::ctl
