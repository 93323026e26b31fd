// SPDX-License-Identifier: Apache-2.0
#include "glove_sim/options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <sstream>
#include <string_view>

namespace glove {
namespace {

// CLI11's own range check lets "nan" pass.
CLI::Validator between(double low, double high) {
    std::ostringstream range;
    range << low << " to " << high;
    return CLI::Validator(
        [low, high, text = range.str()](const std::string& input) {
            double value = 0;
            const bool fits = CLI::detail::lexical_cast(input, value) && value >= low && value <= high;
            return fits ? std::string() : "'" + input + "' is not a number from " + text;
        },
        range.str());
}

// "localhost:15001", "192.168.1.7:15001", "[::1]:15001".
bool split_endpoint(std::string_view text, std::string& host, std::uint16_t& port) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) {
        return false;
    }
    std::string_view name = text.substr(0, colon);
    if (name.front() == '[' && name.back() == ']') {
        name = name.substr(1, name.size() - 2);
    } else if (name.find(':') != std::string_view::npos) {
        return false;  // an IPv6 address whose last group would be taken for the port
    }
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (name.empty() || error != std::errc{} || end != digits.data() + digits.size() || port == 0) {
        return false;
    }
    host = name;
    return true;
}

CLI::Validator endpoint() {
    return CLI::Validator(
        [](const std::string& input) {
            std::string host;
            std::uint16_t port = 0;
            return split_endpoint(input, host, port) ? std::string()
                                                     : "'" + input + "' is not HOST:PORT, as in 127.0.0.1:15001";
        },
        "HOST:PORT");
}

std::vector<std::string> pose_names() {
    std::vector<std::string> names;
    names.reserve(kPoses.size());
    for (const Pose pose : kPoses) {
        names.emplace_back(name_of(pose));
    }
    return names;
}

}  // namespace

std::optional<SimOptions> parse_options(int argc, const char* const* argv, int& exit_code) {
    SimOptions options;
    std::string joints = "21";
    std::string hand = "both";
    std::string pose = name_of(options.pose);
    std::string to = "127.0.0.1:15001";

    CLI::App app("Sends what data gloves send, without gloves.", "glove_sim");
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  glove_sim fsnh                                     both hands, through all poses, to this machine\n"
        "  glove_sim fsnh --hand left --pose fist --seconds 5\n"
        "  glove_sim fsnh --joints 22                         relative to a forearm that bends the wrist\n"
        "  glove_sim fsnh --loss 0.05 --reorder 0.02 --to 192.168.1.7:15001\n"
        "Ends with status 0, 1 when nothing could be sent, 2 when an argument is wrong.");

    CLI::App* fsnh = app.add_subcommand("fsnh", "HumanHand joint poses, FSNH version 4");
    fsnh->add_option("--joints", joints, "21: relative to the wrist; 22: relative to the forearm")
        ->check(CLI::IsMember({"21", "22"}))
        ->capture_default_str();
    fsnh->add_option("--hand", hand, "which hand sends")
        ->check(CLI::IsMember({"left", "right", "both"}))
        ->capture_default_str();
    fsnh->add_option("--pose", pose, "what the hands do; tour goes through all")
        ->check(CLI::IsMember(pose_names()))
        ->capture_default_str();
    fsnh->add_option("--rate", options.rate_hz, "datagrams per second and hand")
        ->check(between(1, 1000))
        ->capture_default_str();
    fsnh->add_option("--seconds", options.seconds, "how long; 0: until stopped")
        ->check(between(0, 1e6))
        ->capture_default_str();
    fsnh->add_option("--to", to, "where to; the host is a name or an address")
        ->check(endpoint())
        ->capture_default_str();
    fsnh->add_option("--loss", options.faults.loss, "chance of a datagram to be lost")
        ->check(between(0, 1))
        ->capture_default_str();
    fsnh->add_option("--reorder", options.faults.reorder, "chance to be held back until after the hand's next one")
        ->check(between(0, 1))
        ->capture_default_str();
    fsnh->add_option("--duplicate", options.faults.duplicate, "chance to be sent twice")
        ->check(between(0, 1))
        ->capture_default_str();
    fsnh->add_option("--seed", options.seed, "of these chances: the same seed, the same faults")->capture_default_str();
    fsnh->add_flag("--quiet", options.quiet, "no status line every second");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        exit_code = app.exit(error) == 0 ? 0 : kExitWrongArguments;
        return std::nullopt;
    }

    options.forearm_format = joints == "22";
    if (hand != "right") {
        options.hands.push_back(Hand::left);
    }
    if (hand != "left") {
        options.hands.push_back(Hand::right);
    }
    options.pose = *pose_named(pose);
    split_endpoint(to, options.host, options.port);
    return options;
}

}  // namespace glove
