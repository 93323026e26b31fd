// SPDX-License-Identifier: Apache-2.0
// What gloves say before any model of a hand is laid on it: for calibration.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "glove_stream.hpp"
#include "support/config.hpp"

namespace glove::ctl {

struct RawMessage {
    std::int64_t received_ns;
    std::variant<fnim::Message, hand_engine::HandMessage> said;

    [[nodiscard]] Hand hand() const {
        return std::visit([](const auto& message) { return message.hand; }, said);
    }
};

class RawGloves final : private RawListener {
public:
    // Listens where the layer would, and to the same senders.
    explicit RawGloves(const Config& config);

    // All since the call before.
    [[nodiscard]] std::vector<RawMessage> take();

    // Joint poses arrive, which somebody else has calibrated.
    [[nodiscard]] bool hears_joint_poses() const noexcept;
    // Ports that cannot be listened on, and why, for people; empty: all are ours.
    [[nodiscard]] std::string port_problems() const;

private:
    void heard(const fnim::Message& message, std::int64_t received_ns) noexcept override;
    void heard(const hand_engine::HandMessage& message, std::int64_t received_ns) noexcept override;
    void add(const RawMessage& message) noexcept;

    std::mutex mutex_;
    std::vector<RawMessage> messages_;
    GloveStream stream_;  // last: its threads end before what they use
};

}  // namespace glove::ctl
