// SPDX-License-Identifier: Apache-2.0
#include "glovectl/port_holder.hpp"

namespace glove::ctl {

std::string in_words(const std::vector<PortHolder>& holders) {
    std::string text;
    for (const PortHolder& holder : holders) {
        text += text.empty() ? "" : ", ";
        if (holder.process == 0) {
            text += "a program of another user";
        } else {
            text += holder.program.empty() ? "a program" : holder.program;
            text += " (process " + std::to_string(holder.process) + ")";
        }
    }
    return text.empty() ? "nobody" : text;
}

}  // namespace glove::ctl
