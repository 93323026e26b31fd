// SPDX-License-Identifier: Apache-2.0
#include "glovectl/closed_way.hpp"

namespace glove::ctl {

std::optional<std::filesystem::path> closed_to_us(const std::filesystem::path&) {
    return std::nullopt;
}

std::optional<std::filesystem::path> closed_to_others(const std::filesystem::path&) {
    return std::nullopt;
}

}  // namespace glove::ctl
