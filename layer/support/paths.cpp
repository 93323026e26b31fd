// SPDX-License-Identifier: Apache-2.0
#include "support/paths.hpp"

#if defined(_WIN32)
#include <windows.h>
#else
#include <cstdlib>
#endif

#include <string>

namespace glove::paths {
namespace {

namespace fs = std::filesystem;

// Empty when the variable is unset or empty.
#if defined(_WIN32)
fs::path environment(const wchar_t* name) {
    std::wstring value(256, L'\0');
    for (;;) {
        const DWORD size = GetEnvironmentVariableW(name, value.data(), static_cast<DWORD>(value.size()));
        const bool fits = size < value.size();
        value.resize(size);
        if (fits) {
            return value;
        }
    }
}

fs::path user_file(const wchar_t* override_name, const wchar_t* file) {
    fs::path path = environment(override_name);
    if (path.empty()) {
        path = environment(L"LOCALAPPDATA");
        if (!path.empty()) {
            path = path / L"glove_hands" / file;
        }
    }
    return path;
}
#else
fs::path environment(const char* name) {
    const char* value = secure_getenv(name);
    return value == nullptr ? fs::path() : fs::path(value);
}

// `xdg_name` and its default below the home folder: XDG Base Directory Specification, which has relative paths ignored.
fs::path user_file(const char* override_name, const char* xdg_name, const char* below_home, const char* file) {
    if (fs::path path = environment(override_name); !path.empty()) {
        return path;
    }
    fs::path folder = environment(xdg_name);
    if (!folder.is_absolute()) {
        folder = environment("HOME");
        if (!folder.is_absolute()) {
            return {};
        }
        folder /= below_home;
    }
    return folder / "glove_hands" / file;
}
#endif

}  // namespace

std::filesystem::path config_file() {
#if defined(_WIN32)
    return user_file(L"GLOVE_HANDS_CONFIG", L"glove_hands.toml");
#else
    return user_file("GLOVE_HANDS_CONFIG", "XDG_CONFIG_HOME", ".config", "glove_hands.toml");
#endif
}

std::filesystem::path calibration_file() {
    const fs::path beside = config_file();
    return beside.empty() ? fs::path() : beside.parent_path() / "calibration.toml";
}

std::filesystem::path log_file() {
#if defined(_WIN32)
    return user_file(L"GLOVE_HANDS_LOG", L"glove_hands.log");
#else
    return user_file("GLOVE_HANDS_LOG", "XDG_STATE_HOME", ".local/state", "glove_hands.log");
#endif
}

}  // namespace glove::paths
