// SPDX-License-Identifier: Apache-2.0
// The one place where datagram, protocol, hand and motion meet: bytes in, the motion of two hands out.
// Used by the layer and by glovectl.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "datagram/udp_receiver.hpp"
#include "glove_stream/fnim_stream.hpp"
#include "glove_stream/fsnh_stream.hpp"
#include "glove_stream/hand_engine_stream.hpp"
#include "glove_stream/hand_output.hpp"
#include "glove_stream/raw_listener.hpp"
#include "support/config.hpp"

namespace glove {

class GloveStream {
public:
    // `calibration_file`: what was captured and learnt, paths::calibration_file() for the user's. Empty: nothing is
    // known and nothing is kept. Read here, once.
    explicit GloveStream(const Config& config, const std::filesystem::path& calibration_file = {});
    ~GloveStream();
    GloveStream(const GloveStream&) = delete;
    GloveStream& operator=(const GloveStream&) = delete;

    // Before start(); lives longer than what was started.
    void set_raw_listener(RawListener& listener) noexcept {
        fnim_.set_raw_listener(&listener);
        hand_engine_.set_raw_listener(&listener);
    }

    // Both return at once or after the threads have ended; both may be called again.
    void start();
    // False, now and later, when a receiver was left behind (UdpReceiver::stop): then this must stay.
    [[nodiscard]] bool stop() noexcept;
    // Whether anybody looks at the hands: who does not gives the ports away to who asks (UdpReceiver::set_needed).
    void set_needed(bool needed) noexcept;
    // After stop(): what was learnt is written, or somebody else's time is over.
    void finish_writing(std::chrono::steady_clock::time_point deadline) noexcept {
        hand_engine_.finish_writing(deadline);
    }

    // Any thread; no lock.
    [[nodiscard]] const HandFeed& hand(Hand hand) const noexcept { return outputs_[index_of(hand)].feed(); }
    [[nodiscard]] HandEngineStatus hand_engine_status() const noexcept { return hand_engine_.status(); }

    [[nodiscard]] std::uint64_t decode_errors(fsnh::DecodeError why) const noexcept {
        return fsnh_.decode_errors().of(why);
    }
    [[nodiscard]] std::uint64_t decode_errors(fnim::DecodeError why) const noexcept {
        return fnim_.decode_errors().of(why);
    }
    [[nodiscard]] std::uint64_t decode_errors(osc::DecodeError why) const noexcept {
        return hand_engine_.osc_decode_errors().of(why);
    }
    [[nodiscard]] std::uint64_t decode_errors(hand_engine::DecodeError why) const noexcept {
        return hand_engine_.decode_errors().of(why);
    }
    [[nodiscard]] std::uint64_t other_kinds() const noexcept { return other_kinds_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t other_performers() const noexcept { return hand_engine_.other_performers(); }
    [[nodiscard]] std::uint64_t other_senders() const noexcept { return hand_engine_.other_senders(); }
    // All that came and was not used: why, and how often. Only what did happen.
    [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> dropped() const;

    // Bound ports; 0 while there is none.
    [[nodiscard]] std::uint16_t port() const noexcept { return port_of(receiver_); }  // FSNH and FNIM
    [[nodiscard]] std::uint16_t hand_engine_port() const noexcept { return port_of(hand_engine_receiver_); }
    [[nodiscard]] std::uint16_t kinematic_port() const noexcept { return port_of(kinematic_receiver_); }

    struct Port {
        const char* protocols;  // what arrives there
        std::uint16_t port;     // as configured
        std::vector<UdpReceiver::Address> addresses;
    };
    [[nodiscard]] std::vector<Port> ports() const;

    // One datagram, as a receiver hands it over: on the port of FSNH and FNIM, and on those of OSC. Public for tests
    // and fuzzers; not beside started receivers.
    void take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept;
    void take_osc(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept;

private:
    GloveStream(const Config& config, const std::filesystem::path& calibration_file, CalibrationValues kept);

    using Take = void (GloveStream::*)(std::span<const std::byte>, const Sender&, std::int64_t) noexcept;
    [[nodiscard]] std::unique_ptr<UdpReceiver> receive(std::uint16_t port, Take taker);
    [[nodiscard]] std::uint16_t port_of(const std::unique_ptr<UdpReceiver>& receiver) const noexcept;
    [[nodiscard]] std::array<UdpReceiver*, 3> receivers() const noexcept;

    Config::Receiver receiver_settings_;
    Config::HandEngine hand_engine_settings_;
    std::array<HandOutput, kHandCount> outputs_;
    FsnhStream fsnh_;
    FnimStream fnim_;
    HandEngineStream hand_engine_;
    std::atomic<std::uint64_t> other_kinds_{0};  // a headset's body joints, on the port of FSNH and FNIM

    std::mutex take_mutex_;  // receivers in turn: a hand has one writer
    mutable std::mutex receiver_mutex_;
    bool needed_ = true;
    bool left_behind_ = false;
    std::unique_ptr<UdpReceiver> receiver_;
    std::unique_ptr<UdpReceiver> hand_engine_receiver_;
    std::unique_ptr<UdpReceiver> kinematic_receiver_;
};

}  // namespace glove
