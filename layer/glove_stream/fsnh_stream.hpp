// SPDX-License-Identifier: Apache-2.0
// FSNH datagrams -> samples of two hands.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "datagram/udp_receiver.hpp"
#include "glove_stream/hand_output.hpp"
#include "hand/fsnh/retarget.hpp"
#include "motion/sender_clock.hpp"
#include "protocol/fsnh.hpp"
#include "support/config.hpp"

namespace glove {

class FsnhStream {
public:
    FsnhStream(const Config& config, std::array<HandOutput, kHandCount>& outputs) noexcept;

    void take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept;

    [[nodiscard]] const ReasonCounts<fsnh::DecodeError>& decode_errors() const noexcept { return decode_errors_; }

private:
    struct PerHand {
        StreamGate gate;
        FsnhRetarget retarget;
        SenderClock clock{};
        std::uint64_t sender = 0;  // whose axes `retarget` knows
        bool warned_about_other_sender = false;
    };

    static void report(AxisVerdict verdict, Hand side) noexcept;

    std::array<HandOutput, kHandCount>& outputs_;
    std::array<PerHand, kHandCount> hands_;
    ReasonCounts<fsnh::DecodeError> decode_errors_;
};

}  // namespace glove
