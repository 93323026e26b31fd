// SPDX-License-Identifier: Apache-2.0
#include "motion/stream_gate.hpp"

namespace glove {
namespace {

// How many frames `frame` comes after `reference`, negative when before. The counter wraps, so the shorter way counts.
std::int32_t frames_after(std::uint32_t reference, std::uint32_t frame) noexcept {
    return static_cast<std::int32_t>(frame - reference);
}

}  // namespace

const char* name_of(Admission admission) noexcept {
    switch (admission) {
        case Admission::sample:
            return "sample";
        case Admission::alive:
            return "alive";
        case Admission::duplicate:
            return "duplicate";
        case Admission::late:
            return "late";
        case Admission::other_sender:
            return "other sender";
        case Admission::count_:
            break;
    }
    return "unknown";
}

Admission StreamGate::admit(const Packet& packet, std::int64_t now_ns) noexcept {
    began_anew_ = false;
    if (!live_ || now_ns - heard_ns_ > silence_ns_) {
        return begin(packet, now_ns);
    }
    if (packet.sender != sender_) {
        return Admission::other_sender;
    }

    const std::int32_t ahead = frames_after(newest_, packet.frame_index);
    if (ahead < 0) {
        return is_restart(packet.frame_index) ? begin(packet, now_ns) : Admission::late;
    }
    if (packet.new_solve && ahead == 0) {
        return Admission::duplicate;
    }

    heard_ns_ = now_ns;
    behind_ = 0;
    if (!packet.new_solve) {
        // Some senders count repeats and some do not. The frame is not noted, so that the solve of the same number,
        // overtaken by its repeat, is still used.
        return Admission::alive;
    }
    newest_ = packet.frame_index;
    return Admission::sample;
}

Admission StreamGate::begin(const Packet& packet, std::int64_t now_ns) noexcept {
    live_ = true;
    began_anew_ = true;
    behind_ = 0;
    sender_ = packet.sender;
    newest_ = packet.frame_index;
    heard_ns_ = now_ns;
    return Admission::sample;
}

bool StreamGate::is_restart(std::uint32_t frame_index) noexcept {
    const std::int32_t ahead = behind_ == 0 ? 1 : frames_after(newest_behind_, frame_index);
    if (ahead == 0) {
        return false;  // a repeat within the run: neither breaks it nor makes it longer
    }
    behind_ = ahead > 0 ? behind_ + 1 : 1;
    newest_behind_ = frame_index;
    return behind_ >= kRestartAfter;
}

}  // namespace glove
