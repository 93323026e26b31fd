// SPDX-License-Identifier: Apache-2.0
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "glovectl/closed_way.hpp"
#include "glovectl/layer_manifest.hpp"
#include "glovectl/library_trial.hpp"
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

fs::path existing_part(fs::path path) {
    std::error_code failure;
    while (!fs::exists(path, failure) && !failure && path.has_relative_path()) {
        path = path.parent_path();
    }
    return path;
}

// Why other users' programs would stop at what is to be registered for them; empty: they would not.
std::string refusal_for_others(const fs::path& library, const fs::path& target) {
    for (const fs::path& way : {library, existing_part(target.parent_path())}) {
        if (const std::optional<fs::path> closed = closed_to_others(way)) {
            const char* const mode = *closed != way ? "o+x" : fs::is_directory(way) ? "o+rx" : "o+r";
            return "not registered: other users have no access to " + text_of(*closed) +
                   ", and every OpenXR program of theirs would stop there; " +
                   (way == library ? "install the layer for all, below /usr/local, or run: " : "run: ") + "chmod " +
                   mode + ' ' + text_of(*closed);
        }
    }
    return {};
}

// Programs in a container see other folders under the same names. They run on, without hands.
std::string note_on_containers(const fs::path& library, Scope scope) {
    const char* const home = std::getenv("HOME");
    std::error_code failure;
    const fs::path real = fs::canonical(library, failure);
    const auto is_below = [&real](const fs::path& folder) {
        std::error_code none;
        const fs::path top = fs::canonical(folder, none);
        return !none && std::mismatch(top.begin(), top.end(), real.begin(), real.end()).first == top.end();
    };
    if (scope == Scope::user && home != nullptr && *home != '\0' && is_below(home)) {
        return {};
    }
    std::string note =
        "\nnote: programs in Steam's container (Proton too) and in Flatpak do not find the layer there: ";
    if (scope == Scope::system || is_below("/usr")) {
        note += "their /usr is another one. For them install it below your home and register it without --system";
    } else {
        note += "they see " + text_of(library.parent_path()) + " only where it is shared with them";
    }
    return note + ". README.md, \"Steam, Proton, Flatpak, WebXR browsers\", says more";
}

// For all to enter, whatever the umask.
void create_folders(const fs::path& folder, Scope scope) {
    if (scope == Scope::user) {
        fs::create_directories(folder);
        return;
    }
    const mode_t before = umask(S_IWGRP | S_IWOTH);
    std::error_code failure;
    fs::create_directories(folder, failure);
    umask(before);
    if (failure) {
        throw fs::filesystem_error("cannot make", folder, failure);
    }
}

// At no moment does the loader see half a file: the temporary one does not end in .json.
void replace_file(const fs::path& target, const std::string& content) {
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
    std::error_code ignored;
    if (!fs::exists(built.library, ignored)) {
        return {false, "not registered: there is no " + text_of(built.library) + "; build or install the layer first"};
    }

    if (scope == Scope::system) {
        if (std::string closed = refusal_for_others(built.library, target); !closed.empty()) {
            return {false, std::move(closed)};
        }
    }
    if (const std::string words = try_library(built.library); !words.empty()) {
        return {false, "not registered: " + text_of(built.library) +
                           " cannot be loaded, and OpenXR programs would stop there: " + words};
    }

    if (same_file(manifest, target)) {
        return {true, "already registered, by installation: " + text_of(target)};
    }
    const std::string content = relocated_manifest(manifest);
    const std::string note = note_on_containers(built.library, scope);
    const bool present = fs::exists(fs::symlink_status(target));
    if (present && content_of(target) == content) {
        return {true, "already registered: " + text_of(target) + note};
    }
    create_folders(target.parent_path(), scope);
    replace_file(target, content);
    return {true, (present ? "registered anew: " : "registered: ") + text_of(target) +
                      "\nlibrary: " + text_of(fs::canonical(built.library)) + note};
} catch (const fs::filesystem_error& error) {
    return failed(error, scope);
} catch (const std::runtime_error& error) {
    return {false, std::string("not registered: ") + error.what()};
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
