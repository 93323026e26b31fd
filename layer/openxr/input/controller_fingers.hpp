// SPDX-License-Identifier: Apache-2.0
// The hand on a controller, as far as the controller feels it: a session's own source of finger motion.
#pragma once

#include <array>
#include <atomic>
#include <span>

#include "hand/controller/finger_curl.hpp"
#include "motion/hand_motion.hpp"
#include "openxr/input/hand_paths.hpp"
#include "openxr/input/injected_actions.hpp"
#include "support/config.hpp"

namespace glove {

class ControllerFingers {
public:
    explicit ControllerFingers(const Config& config) noexcept;

    // Right after an xrSyncActions that our sets were part of. One thread at a time. `holds`: whether the controller
    // is in that hand.
    void after_sync(XrSession session, const NextTable& next, const HandPaths& paths, std::span<const InjectedSet> own,
                    const std::array<bool, kHandCount>& holds, std::int64_t now_ns) noexcept;

    // Any thread, no lock. An application that stopped syncing has no controllers.
    [[nodiscard]] bool is_there(Hand hand, std::int64_t now_ns) const noexcept {
        const std::int64_t felt_ns = hands_[index_of(hand)].felt_ns.load(std::memory_order_acquire);
        return felt_ns != 0 && now_ns - felt_ns < kSilenceNs;
    }
    [[nodiscard]] const MotionHistory& motion(Hand hand) const noexcept { return hands_[index_of(hand)].motion; }

    static constexpr std::int64_t kSilenceNs = 500'000'000;

private:
    struct PerHand {
        PerHand(Hand hand, const Config& config) noexcept;
        FingerCurl curl;
        MotionTracker tracker;
        MotionHistory motion;
        std::atomic<std::int64_t> felt_ns{0};  // 0: no controller in this hand
    };
    std::array<PerHand, kHandCount> hands_;
};

}  // namespace glove
