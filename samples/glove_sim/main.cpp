// SPDX-License-Identifier: Apache-2.0
// glove_sim: sends what data gloves send, without gloves.
#include <cstdio>
#include <exception>

#include "glove_sim/options.hpp"
#include "glove_sim/simulator.hpp"

int main(int argc, char** argv) {
    try {
        int exit_code = 0;
        const auto options = glove::parse_options(argc, argv, exit_code);
        return options ? glove::simulate(*options) : exit_code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "glove_sim: %s\n", error.what());
        return 1;
    }
}
