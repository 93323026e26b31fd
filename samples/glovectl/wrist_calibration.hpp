// SPDX-License-Identifier: Apache-2.0
// Asks a program that shows the hand to measure where the wrist is in what carries it, and leads the person through it.
#pragma once

#include <chrono>
#include <filesystem>

#include "protocol/hand.hpp"

namespace glove::ctl {

struct WristCalibrateOptions {
    Hand hand = Hand::left;
    bool by_native_hand = false;  // compare with the headset's own hand; else freeze and align
};

struct WristPatience {
    std::chrono::milliseconds to_be_taken{10'000};
    std::chrono::milliseconds to_be_answered{45'000};  // after it was taken; the layer gives up after 30 s
};

// Talks through `file`, the layer's calibration file. Whether the wrist was measured; why not has been said.
[[nodiscard]] bool calibrate_wrist(const WristCalibrateOptions& options, const std::filesystem::path& file,
                                   const WristPatience& patience = {});

}  // namespace glove::ctl
