// SPDX-License-Identifier: Apache-2.0
// FNIM datagrams -> samples of two hands.
#pragma once

#include <array>
#include <span>

#include "datagram/udp_receiver.hpp"
#include "glove_stream/calibrations.hpp"
#include "glove_stream/hand_output.hpp"
#include "glove_stream/raw_listener.hpp"
#include "hand/fnim/fingertip_ik.hpp"
#include "motion/sender_clock.hpp"
#include "protocol/fnim.hpp"
#include "support/config.hpp"

namespace glove {

class FnimStream {
public:
    FnimStream(const Config& config, const CalibrationValues& kept, std::array<HandOutput, kHandCount>& outputs);

    // Whether a datagram is meant to be FNIM, by its size or its first bytes.
    [[nodiscard]] static bool is_meant(std::span<const std::byte> datagram) noexcept;

    void take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept;

    // May be null; before the first take().
    void set_raw_listener(RawListener* listener) noexcept { raw_listener_ = listener; }

    [[nodiscard]] const ReasonCounts<fnim::DecodeError>& decode_errors() const noexcept { return decode_errors_; }

private:
    struct PerHand {
        StreamGate gate;
        SenderClock clock;
        FingertipIk ik;
        bool warned_about_other_sender = false;
    };
    [[nodiscard]] static PerHand hand_of(Hand side, const Config& config, const CalibrationValues& kept);

    std::array<HandOutput, kHandCount>& outputs_;
    std::array<PerHand, kHandCount> hands_;
    ReasonCounts<fnim::DecodeError> decode_errors_;
    RawListener* raw_listener_ = nullptr;
};

}  // namespace glove
