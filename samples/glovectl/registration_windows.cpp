// SPDX-License-Identifier: Apache-2.0
// The registry is what the loader reads; the manifest stays where it was installed.
#include <windows.h>

#include <system_error>

#include "glovectl/layer_manifest.hpp"
#include "glovectl/library_trial.hpp"
#include "glovectl/loader_search.hpp"
#include "glovectl/own_files.hpp"
#include "glovectl/registration.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;

constexpr const wchar_t* kImplicitLayers = L"SOFTWARE\\Khronos\\OpenXR\\1\\ApiLayers\\Implicit";

HKEY hive_of(Scope scope) {
    return scope == Scope::user ? HKEY_CURRENT_USER : HKEY_LOCAL_MACHINE;
}

std::string name_of(Scope scope, const fs::path& manifest) {
    return std::string(scope == Scope::user ? "HKCU" : "HKLM") +
           "\\SOFTWARE\\Khronos\\OpenXR\\1\\ApiLayers\\Implicit: " + text_of(manifest);
}

Registration failed(LSTATUS status, Scope scope) {
    std::string message = std::system_category().message(static_cast<int>(status));
    if (scope == Scope::system && status == ERROR_ACCESS_DENIED) {
        message += "; --system needs a command prompt that runs as administrator";
    }
    return {false, message};
}

bool is_registered(Scope scope, const fs::path& manifest) {
    DWORD off = 1;
    DWORD size = sizeof off;
    return RegGetValueW(hive_of(scope), kImplicitLayers, manifest.c_str(), RRF_RT_REG_DWORD, nullptr, &off, &size) ==
               ERROR_SUCCESS &&
           off == 0;
}

}  // namespace

Places places() {
    return {};
}

Registration register_layer(const fs::path& manifest, Scope scope, const Places&) {
    const LayerManifest built = read_layer_manifest(manifest);
    if (!built.problem.empty() || !built.ours()) {
        return {false, "not registered: " + text_of(manifest) + ": " + built.problem};
    }
    if (const std::string words = try_library(built.library); !words.empty()) {
        return {false, "not registered: " + text_of(built.library) +
                           " cannot be loaded, and OpenXR programs would stop there: " + words};
    }
    if (is_registered(scope, manifest)) {
        return {true, "already registered: " + name_of(scope, manifest)};
    }
    for (const fs::path& found : implicit_manifests()) {
        if (read_layer_manifest(found).ours()) {
            return {false, "not registered: the layer is already registered as " + text_of(found) +
                               ", and one that is found twice is loaded twice"};
        }
    }
    HKEY key = nullptr;
    LSTATUS status = RegCreateKeyExW(hive_of(scope), kImplicitLayers, 0, nullptr, REG_OPTION_NON_VOLATILE,
                                     KEY_SET_VALUE, nullptr, &key, nullptr);
    if (status != ERROR_SUCCESS) {
        return failed(status, scope);
    }
    const DWORD on = 0;
    status = RegSetValueExW(key, manifest.c_str(), 0, REG_DWORD, reinterpret_cast<const BYTE*>(&on), sizeof on);
    RegCloseKey(key);
    if (status != ERROR_SUCCESS) {
        return failed(status, scope);
    }
    return {true, "registered: " + name_of(scope, manifest)};
}

Registration unregister_layer(const fs::path& manifest, Scope scope, const Places&) {
    const LSTATUS status = RegDeleteKeyValueW(hive_of(scope), kImplicitLayers, manifest.c_str());
    if (status == ERROR_FILE_NOT_FOUND) {
        return {true, "not registered here: " + name_of(scope, manifest)};
    }
    if (status != ERROR_SUCCESS) {
        return failed(status, scope);
    }
    return {true, "unregistered: " + name_of(scope, manifest)};
}

}  // namespace glove::ctl
