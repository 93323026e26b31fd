// SPDX-License-Identifier: Apache-2.0
// Watches a StreamGate from outside and says what it did wrong. Keeps no more than what was sent and what was answered,
// so it shares no state with the gate; used by the random streams of the tests and by the fuzzer.
#pragma once

#include <cstdint>

#include "motion/stream_gate.hpp"

namespace glove::test {

class GateWatch {
public:
    explicit GateWatch(std::int64_t silence_ns) : silence_ns_(silence_ns) {}

    // What is wrong with the answer, or nullptr.
    const char* see(const StreamGate::Packet& packet, std::int64_t now_ns, Admission answer, bool began_anew) {
        const bool used = answer == Admission::sample || answer == Admission::alive;
        const bool live = begun_ && now_ns - heard_ns_ <= silence_ns_;
        const char* const fault = fault_of(packet, answer, began_anew, used, live);

        if (began_anew) {
            begun_ = true;
            sender_ = packet.sender;
        }
        if (answer == Admission::sample) {
            newest_ = packet.frame_index;
        }
        if (used) {
            heard_ns_ = now_ns;
            late_in_a_row_ = 0;
        }
        late_in_a_row_ += answer == Admission::late ? 1 : 0;
        return fault;
    }

private:
    // Half of all numbers are after a given one: the counter wraps.
    static bool is_after(std::uint32_t reference, std::uint32_t frame) {
        return frame != reference && frame - reference < 0x80000000u;
    }

    const char* fault_of(const StreamGate::Packet& packet, Admission answer, bool began_anew, bool used,
                         bool live) const {
        if (!live) {
            return answer == Admission::sample && began_anew ? nullptr : "silence does not end with a new stream";
        }
        if (packet.sender != sender_) {
            return answer == Admission::other_sender ? nullptr : "another sender mixes in";
        }
        if (answer == Admission::other_sender) {
            return "the stream's own sender is taken for another";
        }
        if (began_anew) {
            const bool restarted = !is_after(newest_, packet.frame_index) && packet.frame_index != newest_ &&
                                   late_in_a_row_ >= StreamGate::kRestartAfter - 1;
            return answer == Admission::sample && restarted ? nullptr : "a new stream without a reason";
        }
        if (used && answer == Admission::sample) {
            if (!packet.new_solve) {
                return "a repeat is a sample";
            }
            return is_after(newest_, packet.frame_index) ? nullptr : "a sample is not newer than the one before";
        }
        if (answer == Admission::alive) {
            return packet.new_solve ? "a new solve is dropped" : nullptr;
        }
        if (answer == Admission::duplicate) {
            return packet.frame_index == newest_ ? nullptr : "a frame that never came is a duplicate";
        }
        return is_after(newest_, packet.frame_index) ? "a newer frame is late" : nullptr;
    }

    std::int64_t silence_ns_;
    bool begun_ = false;
    std::uint64_t sender_ = 0;
    std::int64_t heard_ns_ = 0;
    std::uint32_t newest_ = 0;
    int late_in_a_row_ = 0;
};

}  // namespace glove::test
