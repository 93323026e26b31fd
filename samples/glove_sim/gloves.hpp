// SPDX-License-Identifier: Apache-2.0
// Simulated gloves of one protocol: what they put on the wire, and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "glove_sim/options.hpp"
#include "senders/hand_poses.hpp"

namespace glove {

class Gloves {
public:
    using Datagrams = std::vector<std::vector<std::byte>>;  // in the order of sending

    struct Instant {
        std::uint64_t tick;    // from 0
        double seconds;        // since the start
        std::uint64_t now_ns;  // the sender's monotonic clock
    };

    Gloves() = default;
    virtual ~Gloves() = default;
    Gloves(const Gloves&) = delete;
    Gloves& operator=(const Gloves&) = delete;

    // One hand's at one tick.
    [[nodiscard]] virtual Datagrams sample(Hand hand, const HandJoints& joint_in_wrist, const Instant& at) = 0;
    // And beside these once a second.
    [[nodiscard]] virtual Datagrams status(Hand /*hand*/) { return {}; }
};

[[nodiscard]] std::unique_ptr<Gloves> make_gloves(const SimOptions& options);

}  // namespace glove
