// SPDX-License-Identifier: Apache-2.0
// The command line of glove_sim.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "glove_sim/faulty_link.hpp"
#include "protocol/hand.hpp"
#include "senders/hand_poses.hpp"

namespace glove {

struct SimOptions {
    bool forearm_format = false;  // 22 joints instead of 21
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
