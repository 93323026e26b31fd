// SPDX-License-Identifier: Apache-2.0
// glovectl: brings the layer to the OpenXR loader, says how things stand, and looks at the gloves.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "glovectl/calibrate.hpp"
#include "glovectl/library_trial.hpp"
#include "glovectl/monitor.hpp"
#include "glovectl/own_files.hpp"
#include "glovectl/registration.hpp"
#include "glovectl/status.hpp"
#include "glovectl/wrist_calibration.hpp"
#include "support/paths.hpp"

namespace glove::ctl {
namespace {

constexpr int kDone = 0;
constexpr int kNot = 1;
constexpr int kWrongArguments = 2;

int report(const Registration& registration) {
    std::fprintf(registration.done ? stdout : stderr, "%s\n", registration.message.c_str());
    return registration.done ? kDone : kNot;
}

// CLI11's own range check lets "nan" pass.
CLI::Validator seconds_up_to(double most) {
    return CLI::Validator(
        [most](const std::string& text) {
            double value = 0;
            const bool fits = CLI::detail::lexical_cast(text, value) && value >= 0 && value <= most;
            return fits ? std::string() : "'" + text + "' is not a number of seconds";
        },
        "SECONDS");
}

int run(int argc, char** argv) {
    CLI::App app("Registers the Glove Hands layer with OpenXR, says how things stand, and looks at the gloves.",
                 "glovectl");
    app.require_subcommand(1);
    app.footer(
        "Exit code: 0 done, or for status: the loader finds the layer exactly once and loads it for all who find it, "
        "or for monitor: a "
        "hand was there at the end; 1 not so, or nothing is kept; 2 wrong arguments.");

    bool system = false;
    CLI::App* registering = app.add_subcommand("register", "Let OpenXR programs load the layer");
    CLI::App* unregistering = app.add_subcommand("unregister", "Take that back");
    for (CLI::App* command : {registering, unregistering}) {
        command->add_flag("--system", system, "For everyone on this computer; without it, for this user");
    }

    bool json = false;
    CLI::App* status = app.add_subcommand("status", "Would an OpenXR program that starts here load the layer?");
    status->add_flag("--json", json, "For programs");

    MonitorOptions watching;
    CLI::App* monitoring = app.add_subcommand("monitor", "Show what the gloves send, and how well");
    monitoring->add_flag("--once", watching.once, "Look for a moment, say it and end");
    monitoring->add_flag("--json", watching.json, "For programs: one object per line");
    monitoring->add_option("--seconds", watching.seconds, "How long; 0: until Ctrl-C, or with --once a moment")
        ->check(seconds_up_to(1e6));

    CLI::App* calibrating = app.add_subcommand(
        "calibrate",
        "Fit the layer to your hands: it says which poses to hold. With --flat or --lengths, how a glove sits; with "
        "left "
        "or right, where that wrist is in the controller or tracker that carries it, while a program shows the hand");
    std::string flat;
    std::string lengths;
    CalibrateOptions capturing;
    const auto add_capture = [calibrating](const char* name, std::string& hands, const char* what) {
        return calibrating->add_option(name, hands, what)
            ->check(CLI::IsMember({"left", "right", "both"}))
            ->expected(0, 1);
    };
    CLI::Option* with_flat = add_capture("--flat", flat,
                                         "Flat hand: how coils are mounted (FNIM), or the rest pose (Hand Engine). "
                                         "Which hand; without: whichever sends");
    CLI::Option* with_lengths =
        add_capture("--lengths", lengths, "Flat hand, fist and pinch: the size of your hand too (FNIM)");
    with_flat->excludes(with_lengths);
    CLI::Option* with_yes =
        calibrating->add_flag("--yes", capturing.at_once, "No countdown: you are in the pose already");
    std::string wrist;
    WristCalibrateOptions measuring;
    CLI::Option* with_wrist = calibrating->add_option("wrist", wrist, "Whose wrist to measure")
                                  ->check(CLI::IsMember({"left", "right"}))
                                  ->excludes(with_flat)
                                  ->excludes(with_lengths)
                                  ->excludes(with_yes);
    calibrating
        ->add_flag("--auto", measuring.by_native_hand,
                   "Compare with the headset's own hand tracking, instead of a frozen hand that you bring yours into")
        ->needs(with_wrist);

#if defined(_WIN32)
    CLI::App* const trying = app.add_subcommand(kTrialCommand)->group("");  // of register and status alone
#endif

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kDone : kWrongArguments;  // 0: --help
    }

#if defined(_WIN32)
    if (trying->parsed()) {
        answer_trial();
        return kDone;
    }
#endif
    const Scope scope = system ? Scope::system : Scope::user;
    if (registering->parsed()) {
        return report(register_layer(built_manifest(), scope, places()));
    }
    if (unregistering->parsed()) {
        return report(unregister_layer(built_manifest(), scope, places()));
    }
    if (calibrating->parsed()) {
        if (with_wrist->count() > 0) {
            measuring.hand = wrist == "left" ? Hand::left : Hand::right;
            return calibrate_wrist(measuring, paths::calibration_file()) ? kDone : kNot;
        }
        if (with_flat->count() + with_lengths->count() == 0) {
            std::fprintf(stderr, "calibrate needs left, right, --flat or --lengths\n");
            return kWrongArguments;
        }
        capturing.lengths = with_lengths->count() > 0;
        const std::string& hands = capturing.lengths ? lengths : flat;
        capturing.hands = {hands != "right", hands != "left"};
        capturing.all_hands_must_come = hands == "both";
        return calibrate(capturing) ? kDone : kNot;
    }
    if (monitoring->parsed()) {
        return monitor(watching) ? kDone : kNot;
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
