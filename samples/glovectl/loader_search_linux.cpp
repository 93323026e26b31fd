// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "glovectl/closed_way.hpp"
#include "glovectl/loader_search.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

void add_list(std::vector<fs::path>& folders, std::string_view list) {
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(':'));
        list.remove_prefix(std::min(list.size(), entry.size() + 1));
        if (!entry.empty()) {
            folders.emplace_back(entry);
        }
    }
}

// An empty variable counts as unset.
void add_list_or(std::vector<fs::path>& folders, const char* variable, std::string_view fallback) {
    const std::string list = environment(variable);
    add_list(folders, list.empty() ? fallback : list);
}

void add_below_home(std::vector<fs::path>& folders, const char* variable, const char* below_home) {
    if (const std::string folder = environment(variable); !folder.empty()) {
        folders.emplace_back(folder);
    } else if (const std::string home = environment("HOME"); !home.empty()) {
        folders.push_back(fs::path(home) / below_home);
    }
}

// Compiled into the loader: /etc in those of distributions, first /usr/local/etc in one built without a prefix.
void add_system_configuration(std::vector<fs::path>& folders) {
    folders.emplace_back("/usr/local/etc");
    folders.emplace_back("/etc");
}

std::vector<fs::path> implicit_folders() {
    std::vector<fs::path> folders;
    add_list_or(folders, "XDG_CONFIG_DIRS", "/etc/xdg");
    add_system_configuration(folders);
    add_list_or(folders, "XDG_DATA_DIRS", "/usr/local/share:/usr/share");
    add_below_home(folders, "XDG_DATA_HOME", ".local/share");
    for (fs::path& folder : folders) {
        folder /= "openxr/1/api_layers/implicit.d";
    }
    return folders;
}

}  // namespace

std::vector<fs::path> implicit_manifests() {
    std::vector<fs::path> manifests;
    for (const fs::path& folder : implicit_folders()) {
        std::error_code failure;  // a folder that is not there holds nothing
        fs::directory_iterator entry(folder, failure);
        for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
            if (entry->path().extension() == ".json") {
                manifests.push_back(entry->path());
            }
        }
    }
    return manifests;
}

std::optional<fs::path> closed_search_folder() {
    for (const fs::path& folder : implicit_folders()) {
        if (auto closed = closed_to_us(folder)) {
            return closed;
        }
    }
    return std::nullopt;
}

std::optional<ActiveRuntime> active_runtime() {
    if (const std::string named = environment("XR_RUNTIME_JSON"); !named.empty()) {
        return ActiveRuntime{named, "XR_RUNTIME_JSON"};
    }
    std::vector<fs::path> folders;
    add_below_home(folders, "XDG_CONFIG_HOME", ".config");
    add_list_or(folders, "XDG_CONFIG_DIRS", "/etc/xdg");
    add_system_configuration(folders);
    for (const fs::path& folder : folders) {
        const fs::path file = folder / "openxr/1/active_runtime.json";
        std::error_code ignored;
        if (fs::exists(file, ignored)) {
            return ActiveRuntime{file, "active_runtime.json"};
        }
    }
    return std::nullopt;
}

}  // namespace glove::ctl
