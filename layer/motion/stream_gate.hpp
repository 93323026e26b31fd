// SPDX-License-Identifier: Apache-2.0
// Decides for one hand which packets of a stream count: one sender at a time, in order, each frame once.
// Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <cstdint>

namespace glove {

enum class Admission : std::uint8_t {
    sample,        // new data: use it
    alive,         // a repeat that says the hand is still there: no new data
    duplicate,     // the frame came before
    late,          // older than what was used already
    other_sender,  // somebody else sends this hand while the first is live
    count_,
};

[[nodiscard]] const char* name_of(Admission admission) noexcept;

class StreamGate {
public:
    struct Packet {
        std::uint64_t sender;       // any number that is the same for one sender and differs between two
        std::uint32_t frame_index;  // counts up, wraps
        bool new_solve;             // false: the sender says that it repeats its last frame
    };

    // A sender silent for longer than `silence_ns` is gone: the next packet, from anyone and with any index, begins
    // anew. Only samples and repeats break the silence; what is dropped does not.
    explicit StreamGate(std::int64_t silence_ns) noexcept : silence_ns_(silence_ns) {}

    [[nodiscard]] Admission admit(const Packet& packet, std::int64_t now_ns) noexcept;

    // True right after an admit() that began a new stream: what was learnt about the sender no longer holds.
    // The packet that begins a stream is a sample even if it is a repeat, for there is nothing else to keep alive.
    [[nodiscard]] bool began_anew() const noexcept { return began_anew_; }

    // So many packets in a row behind the newest, themselves in order, are a restarted sender and not late packets.
    static constexpr int kRestartAfter = 10;

private:
    Admission begin(const Packet& packet, std::int64_t now_ns) noexcept;
    [[nodiscard]] bool is_restart(std::uint32_t frame_index) noexcept;

    std::int64_t silence_ns_;
    std::int64_t heard_ns_ = 0;
    std::uint64_t sender_ = 0;
    std::uint32_t newest_ = 0;         // frame of the newest sample
    std::uint32_t newest_behind_ = 0;  // and of the newest packet of the run behind it
    int behind_ = 0;                   // length of that run
    bool live_ = false;
    bool began_anew_ = false;
};

}  // namespace glove
