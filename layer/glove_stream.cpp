// SPDX-License-Identifier: Apache-2.0
#include "glove_stream.hpp"

#include <utility>

#include "support/log.hpp"

namespace glove {

namespace {

// HumanHand's host sends a headset's body joints to the same port. Not ours to read here, and no fault either.
constexpr std::size_t kBodyDatagramSize = 1860;

CalibrationValues kept_in(const std::filesystem::path& file) {
    CalibrationResult result = load_calibration(file);
    for (const std::string& complaint : result.complaints) {
        log::warning("calibration: %s", complaint.c_str());
    }
    return std::move(result.values);
}

}  // namespace

GloveStream::GloveStream(const Config& config, const std::filesystem::path& calibration_file)
    : GloveStream(config, calibration_file, kept_in(calibration_file)) {
}

GloveStream::GloveStream(const Config& config, const std::filesystem::path& calibration_file, CalibrationValues kept)
    : receiver_settings_(config.receiver),
      hand_engine_settings_(config.hand_engine),
      outputs_{{{Hand::left, silence_ns(config)}, {Hand::right, silence_ns(config)}}},
      fsnh_(config, outputs_),
      fnim_(config, kept, outputs_),
      hand_engine_(config, std::move(kept), calibration_file, outputs_) {
}

GloveStream::~GloveStream() {
    stop();
}

void GloveStream::start() {
    const std::lock_guard lock(receiver_mutex_);
    if (!receiver_) {
        receiver_ = receive(receiver_settings_.port, &GloveStream::take);
    }
    if (!hand_engine_receiver_ && hand_engine_settings_.enabled) {
        hand_engine_receiver_ = receive(hand_engine_settings_.port, &GloveStream::take_osc);
    }
    if (!kinematic_receiver_ && hand_engine_settings_.kinematic.enabled) {
        kinematic_receiver_ = receive(hand_engine_settings_.kinematic.port, &GloveStream::take_osc);
    }
}

std::unique_ptr<UdpReceiver> GloveStream::receive(std::uint16_t port, Take taker) {
    return std::make_unique<UdpReceiver>(
        UdpReceiver::Settings{receiver_settings_.address, port, receiver_settings_.allowed_senders},
        [this, taker](std::span<const std::byte> datagram, const Sender& sender, std::int64_t received_ns) {
            const std::lock_guard lock(take_mutex_);
            (this->*taker)(datagram, sender, received_ns);
        });
}

void GloveStream::stop() noexcept {
    const std::lock_guard lock(receiver_mutex_);
    receiver_.reset();
    hand_engine_receiver_.reset();
    kinematic_receiver_.reset();
}

std::uint16_t GloveStream::port_of(const std::unique_ptr<UdpReceiver>& receiver) const noexcept {
    const std::lock_guard lock(receiver_mutex_);
    return receiver ? receiver->port() : std::uint16_t{0};
}

void GloveStream::take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept {
    if (datagram.size() == kBodyDatagramSize) {
        if (count(other_kinds_) == 1) {
            log::info("%s sends datagrams of %zu bytes (body joints): ignored", sender.text, datagram.size());
        }
    } else if (FnimStream::is_meant(datagram)) {
        fnim_.take(datagram, sender, now_ns);
    } else {
        fsnh_.take(datagram, sender, now_ns);
    }
}

void GloveStream::take_osc(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept {
    hand_engine_.take(datagram, sender, now_ns);
}

}  // namespace glove
