// SPDX-License-Identifier: Apache-2.0
// Which axes a sender's joints have, by a vote over its messages while the hand moves: one message may be a default
// value, a fault or a pose that fits no hand. Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hand/fsnh/axis_check.hpp"

namespace glove {

// One per hand and sender.
class AxisVote {
public:
    // A still hand shows the same again and again, so it has no vote.
    void see(Hand hand, const SentJoints& joints, std::int64_t now_ns) noexcept;

    // Undecided, which is taken as documented, until one answer led for kDecideNs of motion. It stays until another
    // leads for as long.
    [[nodiscard]] const HandAxes& axes() const noexcept { return axes_; }
    // By the last message.
    [[nodiscard]] bool changed() const noexcept { return changed_; }

    static constexpr std::int64_t kDecideNs = 1'000'000'000;

private:
    using TipDistances = std::array<float, kFingersSent>;  // from the root: the same in all axes

    // Of fingers or of root.
    struct Rival {
        AxisFit fit;
        std::int64_t lead_ns = 0;
    };
    void count(const AxisFit& seen, std::int64_t moved_ns, Rival& rival, AxisFit& chosen) noexcept;

    HandAxes axes_;
    bool changed_ = false;
    Rival fingers_;
    Rival root_;
    TipDistances voted_at_{};  // where the tips were when the hand last had its vote
    std::optional<std::int64_t> voted_ns_;
};

}  // namespace glove
