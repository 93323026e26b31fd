// SPDX-License-Identifier: Apache-2.0
// A sender's hand that moves for long enough to show which axes it has.
#pragma once

#include <cstdint>

#include "hand/fsnh/retarget.hpp"

namespace glove::test {

inline constexpr std::int64_t kFrameNs = 8'333'333;

// Shows what `message` shows for so long, while the hand swells and shrinks: every direction stays. The time after it.
inline std::int64_t show_in_motion(FsnhRetarget& retarget, const fsnh::Message& message, std::int64_t now_ns = 0,
                                   std::int64_t for_ns = AxisVote::kDecideNs + 3 * kFrameNs) {
    fsnh::Message larger = message;
    for (fsnh::JointPose& joint : larger.joints) {
        for (float& part : joint.position) {
            part *= 1.06f;
        }
    }
    HandSample sample{};
    bool swells = true;
    for (const std::int64_t end_ns = now_ns + for_ns; now_ns < end_ns; now_ns += kFrameNs, swells = !swells) {
        retarget.retarget(swells ? larger : message, now_ns, sample);
    }
    return now_ns;
}

}  // namespace glove::test
