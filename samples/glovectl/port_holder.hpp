// SPDX-License-Identifier: Apache-2.0
// Which programs hold a UDP port of this computer, on whatever address.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glove::ctl {

struct PortHolder {
    std::int64_t process;  // 0: not ours to see, as a program of another user may be
    std::string program;   // empty when not known
};

[[nodiscard]] std::vector<PortHolder> holders_of_udp_port(std::uint16_t port);

// "game (process 4711), a program of another user".
[[nodiscard]] std::string in_words(const std::vector<PortHolder>& holders);

}  // namespace glove::ctl
