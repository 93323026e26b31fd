// SPDX-License-Identifier: Apache-2.0
// Settings, log and what is learnt in a scratch folder, and ports that nobody else uses: for programs that receive
// gloves.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "samples/run_program.hpp"
#include "udp_socket.hpp"

namespace glove::test {

class GlovesAtPorts {
public:
    GlovesAtPorts() : port(free_udp_port()), hand_engine_port(free_udp_port()) { configure(""); }

    // `more`: further lines of the configuration, after the ports.
    void configure(const std::string& more) const {
        std::ofstream(config()) << "[receiver]\nport = " << port << "\n[hand_engine]\nport = " << hand_engine_port
                                << '\n'
                                << more;
    }

    [[nodiscard]] Environment environment() const {
        const std::string folder = scratch_.path();
        return {{"GLOVE_HANDS_CONFIG", config()}, {"GLOVE_HANDS_LOG", folder + "/log"}, {"HOME", folder}};
    }

    // Until it is destroyed.
    [[nodiscard]] Program glove(std::vector<std::string> arguments) const {
        return Program("glove_sim", arguments_of(std::move(arguments)));
    }
    // Of glove_sim, with where to send.
    [[nodiscard]] std::vector<std::string> arguments_of(std::vector<std::string> arguments) const {
        const std::uint16_t to = arguments[0] == "hand-engine" ? hand_engine_port : port;
        arguments.insert(arguments.end(), {"--quiet", "--to", "127.0.0.1:" + std::to_string(to)});
        return arguments;
    }

    [[nodiscard]] std::string config() const { return scratch_.path() / "glove_hands.toml"; }
    [[nodiscard]] std::filesystem::path calibration() const { return scratch_.path() / "calibration.toml"; }
    [[nodiscard]] std::string calibration_text() const {
        std::ifstream in(calibration());
        return {std::istreambuf_iterator<char>(in), {}};
    }

    const std::uint16_t port;
    const std::uint16_t hand_engine_port;

private:
    ScratchFolder scratch_;
};

}  // namespace glove::test
