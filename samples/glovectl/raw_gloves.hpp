// SPDX-License-Identifier: Apache-2.0
// What gloves say before any model of a hand is laid on it: for calibration.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "protocol/finger_assembly.hpp"
#include "protocol/fnim.hpp"
#include "support/config.hpp"

namespace glove::ctl {

struct RawMessage {
    std::int64_t received_ns;
    std::variant<fnim::Message, hand_engine::HandMessage> said;

    [[nodiscard]] Hand hand() const {
        return std::visit([](const auto& message) { return message.hand; }, said);
    }
};

class RawGloves {
public:
    // Listens where the layer would.
    explicit RawGloves(const Config& config);
    ~RawGloves();
    RawGloves(const RawGloves&) = delete;
    RawGloves& operator=(const RawGloves&) = delete;

    // All since the call before, of one sender and one protocol per hand: the first that was heard.
    [[nodiscard]] std::vector<RawMessage> take();

    // Joint poses arrive, which somebody else has calibrated.
    [[nodiscard]] bool hears_joint_poses() const noexcept;
    // Ports that another program has, for people; empty: all are ours.
    [[nodiscard]] std::string ports_held() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glove::ctl
