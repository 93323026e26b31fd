// SPDX-License-Identifier: Apache-2.0
// The command line of glove_sim.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "glove_sim/faulty_link.hpp"
#include "protocol/hand.hpp"
#include "senders/hand_engine_sender.hpp"
#include "senders/hand_poses.hpp"

namespace glove {

struct FsnhOptions {
    bool forearm_format = false;  // 22 joints instead of 21
};

struct HandEngineOptions {
    HandEngineRig rig = HandEngineRig::unity_wave;
    HandEngineGlove glove = HandEngineGlove::studio;
    HandEngineFormat format = HandEngineFormat::metacarpals;
    std::int32_t performer = 0;
    bool bundles = false;
    bool calibrated = true;
    float battery = 80;
};

struct FnimOptions {
    double noise_mm = 0;  // standard deviation on each axis, as the next
    double noise_deg = 0;
    double dropout = 0;  // chance of a coil to be lost in a frame
    bool forearm = false;
};

struct SimOptions {
    std::variant<FsnhOptions, HandEngineOptions, FnimOptions> gloves;
    std::vector<Hand> hands;
    Pose pose = Pose::tour;
    double rate_hz = 120;
    double seconds = 0;  // 0: until stopped
    std::string host;
    std::uint16_t port = 0;
    FaultRates faults;
    std::uint32_t seed = 1;
    bool quiet = false;
};

inline constexpr int kExitWrongArguments = 2;

// Nothing when the program is to end at once, with `exit_code`: help was asked for, or an argument is wrong. What there
// is to say has been said.
[[nodiscard]] std::optional<SimOptions> parse_options(int argc, const char* const* argv, int& exit_code);

}  // namespace glove
