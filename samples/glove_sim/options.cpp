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

// What all gloves have in common, as it is written on the command line.
struct CommonWords {
    std::string hand = "both";
    std::string pose = name_of(Pose::tour);
    std::string to;
};

void add_common(CLI::App& gloves, SimOptions& options, CommonWords& words) {
    gloves.add_option("--hand", words.hand, "which hand sends")
        ->check(CLI::IsMember({"left", "right", "both"}))
        ->capture_default_str();
    gloves.add_option("--pose", words.pose, "what the hands do; tour goes through all")
        ->check(CLI::IsMember(pose_names()))
        ->capture_default_str();
    gloves.add_option("--seconds", options.seconds, "how long; 0: until stopped")
        ->check(between(0, 1e6))
        ->capture_default_str();
    gloves.add_option("--to", words.to, "where to; the host is a name or an address")
        ->check(endpoint())
        ->capture_default_str();
    gloves.add_option("--loss", options.faults.loss, "chance of a datagram to be lost")
        ->check(between(0, 1))
        ->capture_default_str();
    gloves.add_option("--reorder", options.faults.reorder, "chance to be held back until after the hand's next one")
        ->check(between(0, 1))
        ->capture_default_str();
    gloves.add_option("--duplicate", options.faults.duplicate, "chance to be sent twice")
        ->check(between(0, 1))
        ->capture_default_str();
    gloves.add_option("--seed", options.seed, "of all chances: the same seed, the same faults")->capture_default_str();
    gloves.add_flag("--quiet", options.quiet, "no status line every second");
}

void add_rate(CLI::App& gloves, SimOptions& options) {
    gloves.add_option("--rate", options.rate_hz, "datagrams per second and hand")
        ->check(between(1, 1000))
        ->capture_default_str();
}

void take_common(const CommonWords& words, SimOptions& options) {
    if (words.hand != "right") {
        options.hands.push_back(Hand::left);
    }
    if (words.hand != "left") {
        options.hands.push_back(Hand::right);
    }
    options.pose = *pose_named(words.pose);
    split_endpoint(words.to, options.host, options.port);
}

// Only one of these is parsed, so they may share `options`.
class FsnhCommand {
public:
    FsnhCommand(CLI::App& app, SimOptions& options) {
        app_ = app.add_subcommand("fsnh", "HumanHand joint poses, FSNH version 4");
        app_->add_option("--joints", joints_, "21: relative to the wrist; 22: relative to the forearm")
            ->check(CLI::IsMember({"21", "22"}))
            ->capture_default_str();
        add_rate(*app_, options);
        add_common(*app_, options, words_);
    }

    [[nodiscard]] bool take(SimOptions& options) const {
        if (!app_->parsed()) {
            return false;
        }
        take_common(words_, options);
        options.gloves = FsnhOptions{joints_ == "22"};
        return true;
    }

private:
    CLI::App* app_;
    CommonWords words_{.to = "127.0.0.1:15001"};
    std::string joints_ = "21";
};

class HandEngineCommand {
public:
    HandEngineCommand(CLI::App& app, SimOptions& options) {
        app_ = app.add_subcommand("hand-engine", "StretchSense Hand Engine, OSC");
        app_->add_option("--rig", rig_, "whose axes the rotations are in")
            ->check(CLI::IsMember({"unity-wave", "mirror-x"}))
            ->capture_default_str();
        app_->add_option("--glove", glove_, "studio: 12 sliders; fidelity: 21")
            ->check(CLI::IsMember({"studio", "fidelity"}))
            ->capture_default_str();
        app_->add_option(
                "--format", format_,
                "metacarpals, rotation: a message per finger, with metacarpals or without; sliders: one per hand")
            ->check(CLI::IsMember({"metacarpals", "rotation", "sliders"}))
            ->capture_default_str();
        app_->add_option("--rate", rate_, "samples per second and hand; 60 from a studio glove, else 120")
            ->check(CLI::IsMember({"60", "120"}));
        app_->add_option("--performer", hand_engine_.performer, "its number")
            ->check(CLI::Range(0, 99))
            ->capture_default_str();
        app_->add_flag("--bundles", hand_engine_.bundles, "a hand's messages in one datagram");
        app_->add_flag("--uncalibrated", uncalibrated_, "the gloves say that they are not calibrated");
        app_->add_option("--battery", hand_engine_.battery, "what the gloves say of their battery")
            ->check(between(0, 100))
            ->capture_default_str();
        add_common(*app_, options, words_);
    }

    [[nodiscard]] bool take(SimOptions& options) const {
        if (!app_->parsed()) {
            return false;
        }
        take_common(words_, options);
        HandEngineOptions out = hand_engine_;
        out.rig = rig_ == "mirror-x" ? HandEngineRig::mirror_x : HandEngineRig::unity_wave;
        out.glove = glove_ == "studio" ? HandEngineGlove::studio : HandEngineGlove::fidelity;
        out.format = format_ == "metacarpals" ? HandEngineFormat::metacarpals
                     : format_ == "rotation"  ? HandEngineFormat::rotation
                                              : HandEngineFormat::sliders;
        out.calibrated = !uncalibrated_;
        options.gloves = out;
        options.rate_hz = rate_ == "60" || (rate_.empty() && glove_ == "studio") ? 60 : 120;
        return true;
    }

private:
    CLI::App* app_;
    CommonWords words_{.to = "127.0.0.1:9400"};
    HandEngineOptions hand_engine_;
    std::string rig_ = "unity-wave";
    std::string glove_ = "studio";
    std::string format_ = "metacarpals";
    std::string rate_;
    bool uncalibrated_ = false;
};

class FnimCommand {
public:
    FnimCommand(CLI::App& app, SimOptions& options) {
        app_ = app.add_subcommand("fnim", "HumanHand coil poses, FNIM version 2");
        app_->add_option("--noise-mm", fnim_.noise_mm, "of a coil's position: standard deviation on each axis")
            ->check(between(0, 100))
            ->capture_default_str();
        app_->add_option("--noise-deg", fnim_.noise_deg, "and of its orientation")
            ->check(between(0, 180))
            ->capture_default_str();
        app_->add_option("--dropout", fnim_.dropout, "chance of a coil to be lost in a frame")
            ->check(between(0, 1))
            ->capture_default_str();
        app_->add_flag("--forearm", fnim_.forearm, "with a module on the forearm, and a wrist that bends");
        add_rate(*app_, options);
        add_common(*app_, options, words_);
    }

    [[nodiscard]] bool take(SimOptions& options) const {
        if (!app_->parsed()) {
            return false;
        }
        take_common(words_, options);
        options.gloves = fnim_;
        return true;
    }

private:
    CLI::App* app_;
    CommonWords words_{.to = "127.0.0.1:15001"};
    FnimOptions fnim_;
};

}  // namespace

std::optional<SimOptions> parse_options(int argc, const char* const* argv, int& exit_code) {
    SimOptions options;
    CLI::App app("Sends what data gloves send, without gloves.", "glove_sim");
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  glove_sim fsnh                                     both hands, through all poses, to this machine\n"
        "  glove_sim fsnh --hand left --pose fist --seconds 5\n"
        "  glove_sim fsnh --joints 22                         relative to a forearm that bends the wrist\n"
        "  glove_sim fsnh --loss 0.05 --reorder 0.02 --to 192.168.1.7:15001\n"
        "  glove_sim hand-engine --glove fidelity --rig mirror-x\n"
        "  glove_sim fnim --noise-mm 1 --noise-deg 2 --dropout 0.01\n"
        "Ends with status 0, 1 when nothing could be sent, 2 when an argument is wrong.");
    const FsnhCommand fsnh(app, options);
    const HandEngineCommand hand_engine(app, options);
    const FnimCommand fnim(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        exit_code = app.exit(error) == 0 ? 0 : kExitWrongArguments;
        return std::nullopt;
    }
    (void)(fsnh.take(options) || hand_engine.take(options) || fnim.take(options));
    return options;
}

}  // namespace glove
