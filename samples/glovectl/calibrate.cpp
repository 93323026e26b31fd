// SPDX-License-Identifier: Apache-2.0
#include "glovectl/calibrate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "glove_stream/calibrations.hpp"
#include "glovectl/captured_poses.hpp"
#include "glovectl/own_files.hpp"
#include "glovectl/terminal.hpp"
#include "hand/pose_math.hpp"
#include "support/clock.hpp"
#include "support/paths.hpp"

namespace glove::ctl {
namespace {

constexpr double kWaitSeconds = 10;         // for the first glove
constexpr double kWaitForOtherSeconds = 1;  // after it
constexpr double kSuspiciousSeconds = 1.5;  // a glove that is on is heard by then
constexpr double kHoldSeconds = 2;
constexpr int kCountdownSeconds = 5;
constexpr int kMostAttempts = 5;
// Half of what the slowest glove sends in the time.
constexpr std::size_t kLeastMessages = 60;
// A hand whose coils are this far from where any hand could have them was not in the pose that was asked for.
constexpr double kLargestErrorM = 0.010;

struct Failure {
    std::string why;
};

double seconds_since(std::int64_t start_ns) {
    return 1e-9 * static_cast<double>(steady_now_ns() - start_ns);
}

std::string millimetres(double metres) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f mm", 1000 * metres);
    return text.data();
}

using BothHands = std::array<Recording, kHandCount>;

class Calibration {
public:
    Calibration(const CalibrateOptions& options, const Config& config)
        : options_(options), config_(config), gloves_(config) {}

    // Throws Failure.
    CalibrationValues run() {
        wait_for_gloves();
        const BothHands flat =
            hold("FLAT: hands flat on a table, palms down, fingers straight and together, thumbs beside them.",
                 [this](Hand, const Recording& recording) { return why_not_flat(recording); });
        CalibrationValues found;
        if (!options_.lengths) {
            for_each_hand([&](Hand hand) { fit_flat(hand, flat[index_of(hand)], found); });
            return found;
        }
        const BothHands fist = hold(
            "FIST: both hands closed, thumbs over the fingers.",
            [&flat](Hand hand, const Recording& recording) { return why_no_fist(flat[index_of(hand)], recording); });
        const BothHands pinch = hold(
            "PINCH: the tips of thumb and index touch, the other fingers at ease.",
            [&fist](Hand hand, const Recording& recording) { return why_no_pinch(fist[index_of(hand)], recording); });
        for_each_hand([&](Hand hand) {
            const std::size_t i = index_of(hand);
            const std::array<Capture, 3> captures{{{CapturedPose::flat, flat[i].coils},
                                                   {CapturedPose::fist, fist[i].coils},
                                                   {CapturedPose::pinch, pinch[i].coils}}};
            fit_coils(hand, configured_fingertips(config_), captures, found);
        });
        return found;
    }

private:
    template <class Action>
    void for_each_hand(Action action) const {
        for (const Hand hand : kBothHands) {
            if (heard_[index_of(hand)]) {
                action(hand);
            }
        }
    }

    // Lets time pass. Nothing may pile up meanwhile.
    std::vector<RawMessage> next_messages() {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (interrupted()) {
            throw Failure{"stopped"};
        }
        return gloves_.take();
    }

    void wait_for_gloves() {
        std::printf("Waiting for the gloves\n");
        std::fflush(stdout);
        const std::int64_t start_ns = steady_now_ns();
        std::int64_t first_ns = 0;
        std::array<bool, kHandCount> coils{};
        const auto missing = [this] {
            return std::any_of(kBothHands.begin(), kBothHands.end(),
                               [this](Hand hand) { return options_.hands[index_of(hand)] && !heard_[index_of(hand)]; });
        };
        bool suspicious = false;
        while (missing() && (first_ns == 0 || seconds_since(first_ns) < kWaitForOtherSeconds)) {
            const double waited = seconds_since(start_ns);
            if (waited >= kSuspiciousSeconds && !suspicious && first_ns == 0) {
                suspicious = true;
                if (const std::string why = why_nothing_can_come(); !why.empty()) {
                    throw Failure{why};
                }
            }
            if (waited >= kWaitSeconds) {
                throw Failure{"nothing comes from the gloves that are asked for"};
            }
            for (const RawMessage& message : next_messages()) {
                const std::size_t i = index_of(message.hand());
                if (options_.hands[i]) {
                    heard_[i] = true;
                    coils[i] = std::holds_alternative<fnim::Message>(message.said);
                    first_ns = first_ns == 0 ? steady_now_ns() : first_ns;
                }
            }
        }
        if (options_.all_hands_must_come && missing()) {
            throw Failure{"not both of the hands that were asked for send"};
        }
        for_each_hand([&](Hand hand) {
            if (options_.lengths && !coils[index_of(hand)]) {
                throw Failure{std::string("the ") + name_of(hand) +
                              " glove sends rotations (Hand Engine), which need no lengths; --flat is for them"};
            }
            std::printf("%s hand: %s\n", name_of(hand),
                        coils[index_of(hand)] ? "coil poses (FNIM)" : "rotations (Hand Engine)");
        });
    }

    std::string why_nothing_can_come() const {
        if (std::string problem = gloves_.port_problems(); !problem.empty()) {
            return problem;
        }
        if (gloves_.hears_joint_poses()) {
            return "these gloves send whole joints (FSNH), which their own software has calibrated: nothing to do here";
        }
        return {};
    }

    // Asks for a pose until it was held long enough; a hand's recording has to pass `why_not`.
    template <class WhyNot>
    BothHands hold(const char* pose, WhyNot why_not) {
        std::printf("\n%s\n", pose);
        std::fflush(stdout);
        std::string why;
        for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
            if (!options_.at_once) {
                count_down();
            }
            BothHands recordings;
            why = record(recordings);
            for_each_hand([&](Hand hand) {
                if (why.empty()) {
                    why = why_not(hand, recordings[index_of(hand)]);
                    why += why.empty() ? "" : std::string(" (") + name_of(hand) + " hand)";
                }
            });
            screen_.show("");
            screen_.keep();
            if (why.empty()) {
                std::printf("  held%s\n", screen_.is_terminal() ? "\a" : "");  // somebody may not see the screen
                std::fflush(stdout);
                return recordings;
            }
            std::printf("  once more: %s\n", why.c_str());
            std::fflush(stdout);
        }
        throw Failure{why};
    }

    void count_down() {
        const std::int64_t start_ns = steady_now_ns();
        int said = kCountdownSeconds + 1;
        while (seconds_since(start_ns) < kCountdownSeconds) {
            const int left = kCountdownSeconds - static_cast<int>(seconds_since(start_ns));
            if (left < said) {
                screen_.show("  in " + std::to_string(left) + " seconds\n");
                said = left;
            }
            (void)next_messages();
        }
    }

    // Why the pose was not held; empty when it was.
    std::string record(BothHands& recordings) {
        if (!screen_.is_terminal()) {
            screen_.show("  hold still\n");
        }
        (void)gloves_.take();
        std::array<HeldPose, kHandCount> held;
        const std::int64_t start_ns = steady_now_ns();
        while (seconds_since(start_ns) < kHoldSeconds) {
            if (screen_.is_terminal()) {
                screen_.show("  hold still " + progress(seconds_since(start_ns) / kHoldSeconds) + '\n');
            }
            for (const RawMessage& message : next_messages()) {
                const std::size_t i = index_of(message.hand());
                const Parts parts = heard_[i] ? add_to(recordings[i], message) : Parts{};
                if (!parts.empty()) {
                    held[i].add(parts, message.received_ns);
                }
                if (held[i].moved()) {
                    return std::string("the ") + name_of(message.hand()) + " hand moved";
                }
            }
        }
        std::string why;
        for_each_hand([&](Hand hand) {
            if (why.empty() && recordings[index_of(hand)].size() < kLeastMessages) {
                why = std::string("too little came of the ") + name_of(hand) +
                      " hand's rotations or coils; sliders are not enough";
            }
        });
        return why;
    }

    static std::string progress(double share) {
        constexpr std::size_t kWidth = 20;
        const auto full = static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * kWidth));
        return std::string(full, '#') + std::string(kWidth - full, '.');
    }

    std::string why_not_flat(const Recording& recording) const {
        if (!recording.coils.empty()) {
            return why_no_flat_hand(configured_fingertips(config_), recording);
        }
        if (config_.hand_engine.axes == Config::Axes::custom) {
            return {};  // what a rig with axes of its own sends for a flat hand is what we are here to see
        }
        return why_no_flat_hand(mean_of(recording.rotations).rest);
    }

    void fit_flat(Hand hand, const Recording& recording, CalibrationValues& found) const {
        if (!recording.coils.empty()) {
            const auto kept = captured_fingertips(load_calibration().values, hand);
            const std::array<Capture, 1> captures{{{CapturedPose::flat, recording.coils}}};
            fit_coils(hand, kept.value_or(configured_fingertips(config_)), captures, found);
            return;
        }
        const MeanRest mean = mean_of(recording.rotations);
        found.numbers[rest_pose_key(hand)] = numbers_of(mean.rest);
        std::printf("%s hand: rest pose from %zu samples, within %.2f degrees of each other\n", name_of(hand),
                    recording.rotations.size(), mean.spread_rad / kRadiansPerDegree);
        if (config_.hand_engine.rest != Config::Rest::captured) {
            std::printf("  It is used with rest = \"captured\" under [hand_engine] in %s\n",
                        text_of(paths::config_file()).c_str());
        }
    }

    static void fit_coils(Hand hand, const HandCalibration& before, std::span<const Capture> captures,
                          CalibrationValues& found) {
        const CalibrationReport report = glove::calibrate(before, captures);
        std::printf("%s hand: coils off by %s before, by %s after\n", name_of(hand),
                    millimetres(report.error_before_m).c_str(), millimetres(report.error_after_m).c_str());
        const std::string unseen = unseen_coils(captures.front().messages);
        if (!unseen.empty()) {
            std::printf("  Not seen, so as before: %s\n", unseen.c_str());
        }
        if (report.coils_used == 0) {
            throw Failure{std::string("no coil of the ") + name_of(hand) + " hand was seen"};
        }
        std::vector<double> numbers = numbers_of(report.calibration);
        if (!(report.error_after_m <= std::min(kLargestErrorM, report.error_before_m)) ||
            !hand_calibration_of(numbers)) {
            throw Failure{std::string("what the ") + name_of(hand) + " hand showed fits no hand in these poses"};
        }
        found.numbers[fingertips_key(hand)] = std::move(numbers);
    }

    CalibrateOptions options_;
    Config config_;
    RawGloves gloves_;
    Screen screen_;
    std::array<bool, kHandCount> heard_{};
};

}  // namespace

bool calibrate(const CalibrateOptions& options) {
    const ConfigResult loaded = load_config();
    for (const std::string& complaint : loaded.complaints) {
        std::fprintf(stderr, "%s\n", complaint.c_str());
    }
    catch_interruption();
    try {
        // Before anybody holds a pose for it.
        if (const std::string why = why_calibration_cannot_be_saved(); !why.empty()) {
            throw Failure{why};
        }
        const CalibrationValues found = Calibration(options, loaded.config).run();
        if (const std::string why = save_calibration(found); !why.empty()) {
            throw Failure{why};
        }
    } catch (const Failure& failure) {
        std::fflush(stdout);
        std::fprintf(stderr, "Nothing is kept: %s\n", failure.why.c_str());
        return false;
    }
    std::printf("Kept in %s, for programs that start OpenXR from now on\n", text_of(paths::calibration_file()).c_str());
    return true;
}

}  // namespace glove::ctl
