// SPDX-License-Identifier: Apache-2.0
// Leads a person through the poses that fit the layer to their hands, and keeps what they show.
#pragma once

#include <array>

#include "protocol/hand.hpp"

namespace glove::ctl {

struct CalibrateOptions {
    bool lengths = false;  // flat hand, fist and pinch; else the flat hand alone
    std::array<bool, kHandCount> hands{true, true};
    bool all_hands_must_come = false;  // else whichever of them do
    bool at_once = false;              // no countdown, for scripts
};

// Whether something was kept. When not, the file is as it was, and why has been said.
[[nodiscard]] bool calibrate(const CalibrateOptions& options);

}  // namespace glove::ctl
