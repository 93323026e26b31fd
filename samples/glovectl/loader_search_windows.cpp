// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include <array>
#include <cstdlib>

#include "glovectl/loader_search.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;

constexpr const wchar_t* kImplicitLayers = L"SOFTWARE\\Khronos\\OpenXR\\1\\ApiLayers\\Implicit";
constexpr const wchar_t* kOpenXr = L"SOFTWARE\\Khronos\\OpenXR\\1";

// The name of each value is the path of a manifest; data 0 switches it on.
void add_manifests(std::vector<fs::path>& manifests, HKEY hive) {
    HKEY key = nullptr;
    if (RegOpenKeyExW(hive, kImplicitLayers, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS) {
        return;
    }
    for (DWORD index = 0;; ++index) {
        std::array<wchar_t, 16384> name{};  // longer names there are not
        auto name_size = static_cast<DWORD>(name.size());
        DWORD type = 0;
        DWORD off = 1;
        DWORD off_size = sizeof off;
        const LSTATUS status = RegEnumValueW(key, index, name.data(), &name_size, nullptr, &type,
                                             reinterpret_cast<BYTE*>(&off), &off_size);
        if (status == ERROR_MORE_DATA) {
            continue;  // not a DWORD
        }
        if (status != ERROR_SUCCESS) {
            break;
        }
        if (type == REG_DWORD && off == 0) {
            manifests.emplace_back(name.data());
        }
    }
    RegCloseKey(key);
}

}  // namespace

std::vector<fs::path> implicit_manifests() {
    std::vector<fs::path> manifests;
    add_manifests(manifests, HKEY_LOCAL_MACHINE);
    add_manifests(manifests, HKEY_CURRENT_USER);
    return manifests;
}

std::optional<fs::path> closed_search_folder() {
    return std::nullopt;
}

std::optional<ActiveRuntime> active_runtime() {
    if (const wchar_t* named = _wgetenv(L"XR_RUNTIME_JSON"); named != nullptr && *named != L'\0') {
        return ActiveRuntime{named, "XR_RUNTIME_JSON"};
    }
    std::array<wchar_t, 1024> path{};
    DWORD bytes = sizeof path;
    if (RegGetValueW(HKEY_LOCAL_MACHINE, kOpenXr, L"ActiveRuntime", RRF_RT_REG_SZ, nullptr, path.data(), &bytes) !=
        ERROR_SUCCESS) {
        return std::nullopt;
    }
    return ActiveRuntime{path.data(), "registry, HKLM, ActiveRuntime"};
}

}  // namespace glove::ctl
