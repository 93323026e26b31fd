// SPDX-License-Identifier: Apache-2.0
// glovectl: brings the layer to the OpenXR loader, and says how things stand.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "glovectl/own_files.hpp"
#include "glovectl/registration.hpp"
#include "glovectl/status.hpp"

namespace glove::ctl {
namespace {

constexpr int kDone = 0;
constexpr int kNot = 1;
constexpr int kWrongArguments = 2;

int report(const Registration& registration) {
    std::fprintf(registration.done ? stdout : stderr, "%s\n", registration.message.c_str());
    return registration.done ? kDone : kNot;
}

int run(int argc, char** argv) {
    CLI::App app("Registers the Glove Hands layer with OpenXR, and says how things stand.", "glovectl");
    app.require_subcommand(1);
    app.footer(
        "Exit code: 0 done, or for status: the loader finds the layer exactly once and can use it; 1 not so; "
        "2 wrong arguments.");

    bool system = false;
    CLI::App* registering = app.add_subcommand("register", "Let OpenXR programs load the layer");
    CLI::App* unregistering = app.add_subcommand("unregister", "Take that back");
    for (CLI::App* command : {registering, unregistering}) {
        command->add_flag("--system", system, "For everyone on this computer; without it, for this user");
    }

    bool json = false;
    CLI::App* status = app.add_subcommand("status", "Would an OpenXR program that starts here load the layer?");
    status->add_flag("--json", json, "For programs");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kDone : kWrongArguments;  // 0: --help
    }

    const Scope scope = system ? Scope::system : Scope::user;
    if (registering->parsed()) {
        return report(register_layer(built_manifest(), scope, places()));
    }
    if (unregistering->parsed()) {
        return report(unregister_layer(built_manifest(), scope, places()));
    }
    const Status current = current_status();
    std::fputs((json ? as_json(current) : as_text(current)).c_str(), stdout);
    return current.usable ? kDone : kNot;
}

}  // namespace
}  // namespace glove::ctl

int main(int argc, char** argv) {
    try {
        return glove::ctl::run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "glovectl: %s\n", error.what());
        return 1;
    }
}
