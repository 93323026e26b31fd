// SPDX-License-Identifier: Apache-2.0
// What glovectl monitor shows, for people and for programs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "glove_stream.hpp"
#include "glovectl/hand_watch.hpp"
#include "glovectl/port_holder.hpp"
#include "protocol/hand.hpp"

namespace glove::ctl {

struct PortReading {
    GloveStream::Port port;
    std::vector<PortHolder> holders;  // other programs that have it; empty where nothing is missing
};

struct MonitorReading {
    std::array<HandReading, kHandCount> hands;
    std::vector<PortReading> ports;
    HandEngineStatus hand_engine;
    std::vector<std::pair<std::string, std::uint64_t>> refused;  // why, and how often: GloveStream::dropped()
};

[[nodiscard]] bool any_live(const MonitorReading& reading) noexcept;

// Several lines, at most 80 wide: a table with the fingers as bars.
[[nodiscard]] std::string as_table(const MonitorReading& reading);
// One line for each hand, and for each port that another program has.
[[nodiscard]] std::string as_lines(const MonitorReading& reading);
// One object in one line.
[[nodiscard]] std::string as_json(const MonitorReading& reading);

}  // namespace glove::ctl
