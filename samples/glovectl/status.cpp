// SPDX-License-Identifier: Apache-2.0
#include "glovectl/status.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "glovectl/closed_way.hpp"
#include "glovectl/library_trial.hpp"
#include "glovectl/own_files.hpp"
#include "glovectl/registration.hpp"
#include "support/config.hpp"
#include "support/log.hpp"
#include "support/paths.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_there(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

// The loader stops at a runtime whose manifest it cannot use; it does not look for another.
std::string problem_of_runtime(const std::optional<ActiveRuntime>& runtime) {
    if (!runtime) {
        return "none is installed";
    }
    std::ifstream in(runtime->manifest, std::ios::binary);
    if (!in) {
        return "its manifest cannot be read";
    }
    const Json document = Json::parse(in, nullptr, false, true);
    if (!document.is_object() || !document.contains("runtime") || !document["runtime"].is_object() ||
        !document["runtime"].contains("library_path") || !document["runtime"]["library_path"].is_string()) {
        return "its manifest names no library";
    }
    return {};
}

bool has_fault(const Status& status) {
    return std::any_of(status.layers.begin(), status.layers.end(),
                       [](const FoundLayer& layer) { return !layer.fault.empty(); });
}

// A manifest in the user's own place is nobody else's, and one that others cannot read they pass over.
bool is_for_others(const LayerManifest& manifest) {
    return manifest.file.parent_path() != places().user && !closed_to_others(manifest.file);
}

std::string fault_of(const LayerManifest& manifest) {
    if (!manifest.problem.empty()) {
        return {};  // the loader does not look at the library
    }
    const bool is_path = manifest.library.has_parent_path();  // else the system searches for it
    if (is_path) {
        if (const auto closed = closed_to_us(manifest.library)) {
            return "permission denied: " + text_of(*closed) + ": this stops every OpenXR program of yours";
        }
    }
    if (const std::string words = try_library(manifest.library); !words.empty()) {
        return "its library cannot be loaded, and OpenXR programs stop there: " + words;
    }
    if (is_path && is_for_others(manifest)) {
        if (const auto closed = closed_to_others(manifest.library)) {
            return "permission denied to others: " + text_of(*closed) +
                   ": this stops every OpenXR program of other users";
        }
    }
    return {};
}

std::string verdict_of(const Status& status, std::size_t loadable) {
    if (status.closed_folder) {
        return "permission denied: the loader cannot look into " + text_of(*status.closed_folder) +
               ": this stops every OpenXR program of yours";
    }
    if (status.layers.empty()) {
        return "the loader does not find the layer; run: glovectl register";
    }
    if (has_fault(status)) {
        return "the loader finds the layer, and programs stop at its library";
    }
    if (loadable == 0) {
        return "the loader finds the layer's manifest and skips it";
    }
    if (loadable > 1) {
        return "the loader finds the layer " + std::to_string(loadable) +
               " times and loads it as often; unregister all but one";
    }
    if (status.disabled) {
        return std::string("the loader finds the layer once, and ") + disable_environment() + " switches it off";
    }
    return "the loader finds the layer once";
}

std::string file_line(const char* what, const fs::path& file, bool there, const char* when_absent) {
    const std::string name = file.empty() ? "the environment names no place" : text_of(file);
    return what + name + (there || file.empty() ? "" : when_absent) + '\n';
}

Json as_json(const std::vector<PortHolder>& holders) {
    Json all = Json::array();
    for (const PortHolder& holder : holders) {
        all.push_back({{"process", holder.process != 0 ? Json(holder.process) : Json()}, {"program", holder.program}});
    }
    return all;
}

std::vector<Status::Port> glove_ports(const Config& config) {
    std::vector<Status::Port> ports{{"FSNH, FNIM", config.receiver.port, {}}};
    if (config.hand_engine.enabled) {
        ports.push_back({"Hand Engine", config.hand_engine.port, {}});
    }
    if (config.hand_engine.kinematic.enabled) {
        ports.push_back({"kinematic", config.hand_engine.kinematic.port, {}});
    }
    for (Status::Port& port : ports) {
        port.holders = holders_of_udp_port(port.port);
    }
    return ports;
}

}  // namespace

Status current_status() {
    Status status{};
    for (const fs::path& file : implicit_manifests()) {
        if (LayerManifest manifest = read_layer_manifest(file); manifest.ours()) {
            std::string fault = fault_of(manifest);
            status.layers.push_back({std::move(manifest), std::move(fault)});
        }
    }
    status.closed_folder = closed_search_folder();
    status.disabled = std::getenv(disable_environment()) != nullptr;
    const auto loadable =
        static_cast<std::size_t>(std::count_if(status.layers.begin(), status.layers.end(),
                                               [](const FoundLayer& layer) { return layer.manifest.problem.empty(); }));
    status.usable = loadable == 1 && !status.disabled && !status.closed_folder && !has_fault(status);
    status.verdict = verdict_of(status, loadable);

    status.runtime = active_runtime();
    status.runtime_problem = problem_of_runtime(status.runtime);

    status.config_file = paths::config_file();
    status.config_exists = is_there(status.config_file);
    ConfigResult loaded = load_config();
    status.config_complaints = std::move(loaded.complaints);
    status.addresses = loaded.config.receiver.addresses;
    status.ports = glove_ports(loaded.config);

    status.log_file = paths::log_file();
    status.log_exists = is_there(status.log_file);
    status.log_problem = log::problem_of(status.log_file);
    return status;
}

std::string as_text(const Status& status) {
    std::string text = std::string("layer    ") + layer_name() + ": " + status.verdict + '\n';
    for (const auto& [manifest, fault] : status.layers) {
        text += "         " + text_of(manifest.file) + '\n';
        text += manifest.problem.empty() ? "           library " + text_of(manifest.library) + '\n'
                                         : "           skipped: " + manifest.problem + '\n';
        if (!fault.empty()) {
            text += "           " + fault + '\n';
        }
    }
    text += "runtime  ";
    if (status.runtime) {
        text += text_of(status.runtime->manifest) + " (" + status.runtime->named_by + ')';
    }
    if (!status.runtime_problem.empty()) {
        text += (status.runtime ? ": " : "") + status.runtime_problem;
    }
    text += '\n';
    text += file_line("config   ", status.config_file, status.config_exists, " (not there: everything by default)");
    for (const std::string& complaint : status.config_complaints) {
        text += "         " + complaint + '\n';
    }
    std::string addresses;
    for (const std::string& address : status.addresses) {
        addresses += (addresses.empty() ? "" : ", ") + address;
    }
    text += "gloves   a program with hands listens on " + addresses + '\n';
    for (const Status::Port& port : status.ports) {
        text += "         port " + std::to_string(port.port) + " (" + port.protocols + "): ";
        text += (port.holders.empty() ? "free now" : "held by " + in_words(port.holders)) + '\n';
    }
    text += file_line("log      ", status.log_file, status.log_exists, " (not there yet)");
    if (!status.log_problem.empty() && !status.log_file.empty()) {
        text += "         cannot be written: " + status.log_problem + '\n';
    }
    return text;
}

std::string as_json(const Status& status) {
    Json manifests = Json::array();
    for (const auto& [manifest, fault] : status.layers) {
        manifests.push_back({{"file", text_of(manifest.file)},
                             {"library", text_of(manifest.library)},
                             {"problem", manifest.problem},
                             {"fault", fault}});
    }
    Json ports = Json::array();
    for (const Status::Port& port : status.ports) {
        ports.push_back({{"port", port.port}, {"protocols", port.protocols}, {"holders", as_json(port.holders)}});
    }
    const Json document = {
        {"layer",
         {{"name", layer_name()},
          {"usable", status.usable},
          {"verdict", status.verdict},
          {"disabled", status.disabled},
          {"closed_folder", status.closed_folder ? text_of(*status.closed_folder) : ""},
          {"manifests", manifests}}},
        {"runtime",
         {{"manifest", status.runtime ? text_of(status.runtime->manifest) : ""},
          {"named_by", status.runtime ? status.runtime->named_by : ""},
          {"problem", status.runtime_problem}}},
        {"configuration",
         {{"file", text_of(status.config_file)},
          {"exists", status.config_exists},
          {"complaints", status.config_complaints}}},
        {"gloves", {{"addresses", status.addresses}, {"ports", ports}}},
        {"log", {{"file", text_of(status.log_file)}, {"exists", status.log_exists}, {"problem", status.log_problem}}},
    };
    // What complaints and dlerror quote need not be UTF-8.
    return document.dump(4, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace glove::ctl
