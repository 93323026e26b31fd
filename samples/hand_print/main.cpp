// SPDX-License-Identifier: Apache-2.0
// hand_print: asks OpenXR for both hands, as any program would, and prints them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <optional>
#include <thread>

#include "hand_print/hand_report.hpp"
#include "hand_print/hand_session.hpp"

namespace {

using namespace glove;
using Clock = std::chrono::steady_clock;

constexpr int kExitHandMissing = 1;
constexpr int kExitWrongArguments = 2;
constexpr int kExitNoSession = 3;

constexpr auto kFramePeriod = std::chrono::microseconds(11'111);  // as of a 90 Hz display
constexpr auto kQuietWait = std::chrono::seconds(2);
constexpr auto kGlovesFirst = std::chrono::milliseconds(500);  // where the runtime has hands of its own at once

volatile std::sig_atomic_t stopped = 0;
extern "C" void stop(int) {
    stopped = 1;
}

const std::map<std::string, XrReferenceSpaceType> kSpaces{{"local", XR_REFERENCE_SPACE_TYPE_LOCAL},
                                                          {"stage", XR_REFERENCE_SPACE_TYPE_STAGE},
                                                          {"view", XR_REFERENCE_SPACE_TYPE_VIEW}};

struct Options {
    int frames = 1;
    bool json = false;
    double wait_seconds = 5;
    PrintSettings print{"local", false};
};

// Looks at the hands of a session, frame by frame.
class Watch {
public:
    explicit Watch(HandSession& session) : session_(session) {}

    // False when the session is over or the user stopped the program.
    [[nodiscard]] bool next_frame() {
        next_ = std::max(next_ + kFramePeriod, Clock::now());
        std::this_thread::sleep_until(next_);
        if (stopped != 0) {
            return false;
        }
        if (!session_.poll()) {
            std::fprintf(stderr, "hand_print: the runtime ended the session\n");
            return false;
        }
        frame_.time = session_.now();
        for (const Hand hand : kBothHands) {
            look_at(hand);
        }
        return true;
    }

    [[nodiscard]] const FrameReport& frame() const noexcept { return frame_; }
    [[nodiscard]] bool active(Hand hand) const noexcept { return frame_.hands[index_of(hand)].located.active; }
    [[nodiscard]] bool both_active() const noexcept { return active(Hand::left) && active(Hand::right); }
    // Of a glove that sends it is not known yet how often.
    [[nodiscard]] bool is_measuring() const {
        return std::any_of(rates_.begin(), rates_.end(),
                           [](const PacketRate& rate) { return rate.has_begun() && !rate.per_second(); });
    }
    void number_frame(int number) noexcept { frame_.number = number; }

    // A sentence's end for people who wait for hands: what is known of why they do not come.
    [[nodiscard]] std::string receiving() const {
        const auto status = session_.status(Hand::left);
        if (!status) {
            return "";
        }
        return status->port == 0 ? "; the layer has no port to receive on: another program may hold it"
                                 : "; the layer receives on port " + std::to_string(status->port);
    }

private:
    void look_at(Hand hand) {
        HandReport& report = frame_.hands[index_of(hand)];
        report.located = session_.locate(hand, frame_.time);
        // What a program sees, not how fresh the glove is: before the head a hand is valid and never tracked.
        constexpr XrSpaceLocationFlags kTracked =
            XR_SPACE_LOCATION_POSITION_TRACKED_BIT | XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT;
        const auto flags = report.located.joints[XR_HAND_JOINT_WRIST_EXT].locationFlags;
        report.tracked = report.located.active && (flags & kTracked) == kTracked;

        const auto status = session_.status(hand);
        if (!status) {
            report.source = "unknown (runtime)";
            return;
        }
        PacketRate& rate = rates_[index_of(hand)];
        rate.add(Clock::now(), status->datagrams);
        report.source =
            std::string(status->source, std::find(std::begin(status->source), std::end(status->source), '\0'));
        report.packets_per_second = rate.per_second();
        report.age_ms.reset();
        if (status->age_ns >= 0) {
            report.age_ms = 1e-6 * static_cast<double>(status->age_ns);
        }
    }

    HandSession& session_;
    Clock::time_point next_{};
    FrameReport frame_{};
    std::array<PacketRate, kHandCount> rates_;
};

// Until both hands are active, and have been looked at long enough to tell their rate.
bool wait_for_hands(Watch& watch, double wait_seconds) {
    const auto start = Clock::now();
    const auto give_up =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wait_seconds));
    auto next_word = start + kQuietWait;
    for (;;) {
        if (!watch.next_frame()) {
            return false;
        }
        const auto now = Clock::now();
        if (watch.both_active() && now - start >= kGlovesFirst && !watch.is_measuring()) {
            return true;
        }
        const bool over = now >= give_up;
        if (!watch.both_active() && (over || now >= next_word)) {
            const bool left = !watch.active(Hand::left);
            const bool right = !watch.active(Hand::right);
            std::fprintf(stderr, "hand_print: %s the %s not active%s\n", over ? "after the wait" : "waiting:",
                         left && right ? "hands are"
                         : left        ? "left hand is"
                                       : "right hand is",
                         watch.receiving().c_str());
            next_word += std::chrono::seconds(1);
        }
        if (over) {
            return true;
        }
    }
}

int print_hands(const Options& options) {
    HandSession session({"hand_print", kSpaces.at(options.print.space)});
    Watch watch(session);
    if (!wait_for_hands(watch, options.wait_seconds)) {
        return kExitHandMissing;
    }
    for (int number = 1; number <= options.frames; ++number) {
        if (number > 1 && !watch.next_frame()) {
            return kExitHandMissing;
        }
        watch.number_frame(number);
        const FrameReport& frame = watch.frame();
        const std::string text = options.json ? as_json(frame, options.print) : as_text(frame, options.print);
        std::fputs(text.c_str(), stdout);
        std::fflush(stdout);
    }
    return watch.both_active() ? 0 : kExitHandMissing;
}

// Nothing when the program is to end at once, with `exit_code`; what there is to say has been said.
std::optional<Options> parse_options(int argc, char** argv, int& exit_code) {
    Options options;
    CLI::App app("Prints the hands that OpenXR gives to any program.", "hand_print");
    app.footer(
        "Examples:\n"
        "  hand_print                              both hands, once\n"
        "  hand_print --frames 900 --json          ten seconds, one JSON object per line\n"
        "Flags: p position valid, P and tracked; o, O the orientation; l, a linear and angular velocity valid.\n"
        "Ends with status 0 when both hands were active in the last frame, 1 when not, 2 when an argument is wrong,\n"
        "3 when there is no OpenXR runtime, no hand tracking or no headless session.");
    app.add_option("--frames", options.frames, "how many to print, 90 a second")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    app.add_flag("--json", options.json, "one JSON object per frame and line");
    app.add_option("--space", options.print.space, "the reference space that poses are in")
        ->check(CLI::IsMember(kSpaces))
        ->capture_default_str();
    app.add_flag("--velocities", options.print.velocities, "the joints' velocities too");
    app.add_option("--wait-seconds", options.wait_seconds, "how long to wait for both hands to be active")
        ->check([](const std::string& text) {
            double value = 0;
            const bool fits = CLI::detail::lexical_cast(text, value) && value >= 0 && value <= 86400;
            return fits ? std::string() : "'" + text + "' is not a number of seconds from 0 to 86400";
        })
        ->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        exit_code = app.exit(error) == 0 ? 0 : kExitWrongArguments;
        return std::nullopt;
    }
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGINT, stop);
    std::signal(SIGTERM, stop);
    try {
        int exit_code = 0;
        const std::optional<Options> options = parse_options(argc, argv, exit_code);
        return options ? print_hands(*options) : exit_code;
    } catch (const NoHandSession& error) {
        std::fprintf(stderr, "hand_print: %s\n", error.what());
        return kExitNoSession;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hand_print: %s\n", error.what());
        return kExitHandMissing;
    }
}
