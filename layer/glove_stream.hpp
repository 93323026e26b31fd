// SPDX-License-Identifier: Apache-2.0
// The one place where datagram, protocol, hand and motion meet: bytes in, the motion of two hands out.
// Used by the layer and by glovectl.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "datagram/udp_receiver.hpp"
#include "hand/joint_map.hpp"
#include "motion/hand_motion.hpp"
#include "motion/sender_clock.hpp"
#include "motion/stream_gate.hpp"
#include "protocol/fsnh.hpp"
#include "support/config.hpp"

namespace glove {

// What any thread may read of one hand. Written by the receiver's thread alone.
struct HandFeed {
    MotionHistory motion;
    std::atomic<std::int64_t> heard_ns{0};  // last datagram that said the hand is there; 0: none yet
    std::atomic<std::uint64_t> datagrams{0};
    std::atomic<std::uint64_t> samples{0};
    std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Admission::count_)> admissions{};
};

class GloveStream {
public:
    explicit GloveStream(const Config& config);
    ~GloveStream();

    // Both return at once or after the thread has ended; both may be called again.
    void start();
    void stop() noexcept;

    [[nodiscard]] const HandFeed& hand(Hand hand) const noexcept { return hands_[index_of(hand)].feed; }
    [[nodiscard]] std::uint64_t refusals(fsnh::Refusal why) const noexcept;
    [[nodiscard]] std::uint64_t other_kinds() const noexcept { return other_kinds_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint16_t port() const noexcept;

    // One datagram, as the receiver hands it over. Public for tests and fuzzers; not beside a started receiver.
    void take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept;

private:
    struct PerHand {
        PerHand(Hand hand, const Config& config) noexcept;
        HandFeed feed;
        StreamGate gate;
        SenderClock clock;
        FsnhRetarget retarget;
        MotionTracker tracker;
        AxisVerdict reported = AxisVerdict::undecided;
    };

    void take_fsnh(const fsnh::Message& message, const Sender& sender, std::int64_t now_ns) noexcept;
    static void report(PerHand& hand, Hand side) noexcept;  // the axis verdict, once

    Config::Receiver settings_;
    std::array<PerHand, kHandCount> hands_;
    std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(fsnh::Refusal::count_)> refusals_{};
    std::atomic<std::uint64_t> other_kinds_{0};  // other senders' datagrams of known size: FNIM coils, body joints
    mutable std::mutex receiver_mutex_;
    std::unique_ptr<UdpReceiver> receiver_;
};

}  // namespace glove
