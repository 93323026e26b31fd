// SPDX-License-Identifier: Apache-2.0
// 26 joints -> one FSNH version 4 datagram, as the HumanHand host would send it.
// Source: "UDP Reception – Joint Poses", sections 3 to 5.
#pragma once

#include <openxr/openxr.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "senders/hand_poses.hpp"

namespace glove {

struct FsnhFrame {
    Hand hand;
    std::uint32_t frame_index;   // per hand
    std::uint64_t timestamp_ns;  // the sender's monotonic clock
    bool new_solve = true;       // false: says that it repeats the frame before
};

// Relative to the wrist: 21 joints, 612 bytes.
[[nodiscard]] std::vector<std::byte> encode_fsnh(const FsnhFrame& frame, const HandJoints& joint_in_wrist);

// Relative to the forearm: 22 joints, 640 bytes. `forearm_live` false: `wrist_in_forearm` is the last good one.
[[nodiscard]] std::vector<std::byte> encode_fsnh_forearm(const FsnhFrame& frame, const HandJoints& joint_in_wrist,
                                                         const XrPosef& wrist_in_forearm, bool forearm_live = true);

}  // namespace glove
