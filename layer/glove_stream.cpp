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
    static_cast<void>(stop());
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
    auto receiver = std::make_unique<UdpReceiver>(
        UdpReceiver::Settings{receiver_settings_.addresses, port, receiver_settings_.allowed_senders},
        [this, taker](std::span<const std::byte> datagram, const Sender& sender, std::int64_t received_ns) {
            const std::lock_guard lock(take_mutex_);
            (this->*taker)(datagram, sender, received_ns);
        });
    receiver->set_needed(needed_);
    return receiver;
}

// Holds receiver_mutex_. Null for those that do not run.
std::array<UdpReceiver*, 3> GloveStream::receivers() const noexcept {
    return {receiver_.get(), hand_engine_receiver_.get(), kinematic_receiver_.get()};
}

bool GloveStream::stop() noexcept {
    const std::lock_guard lock(receiver_mutex_);
    for (UdpReceiver* receiver : receivers()) {
        if (receiver != nullptr) {
            receiver->begin_to_stop();
        }
    }
    const auto deadline = std::chrono::steady_clock::now() + UdpReceiver::kLongestStop;
    for (UdpReceiver* receiver : receivers()) {
        if (receiver != nullptr && !receiver->stop(deadline)) {
            left_behind_ = true;
        }
    }
    receiver_.reset();
    hand_engine_receiver_.reset();
    kinematic_receiver_.reset();
    return !left_behind_;
}

void GloveStream::set_needed(bool needed) noexcept {
    const std::lock_guard lock(receiver_mutex_);
    needed_ = needed;
    for (UdpReceiver* receiver : receivers()) {
        if (receiver != nullptr) {
            receiver->set_needed(needed);
        }
    }
}

std::vector<GloveStream::Port> GloveStream::ports() const {
    const std::lock_guard lock(receiver_mutex_);
    std::vector<Port> all;
    const auto add = [&all](const char* protocols, std::uint16_t port, const std::unique_ptr<UdpReceiver>& receiver) {
        all.push_back({protocols, port, receiver ? receiver->addresses() : std::vector<UdpReceiver::Address>{}});
    };
    add("FSNH, FNIM", receiver_settings_.port, receiver_);
    if (hand_engine_settings_.enabled) {
        add("Hand Engine", hand_engine_settings_.port, hand_engine_receiver_);
    }
    if (hand_engine_settings_.kinematic.enabled) {
        add("kinematic", hand_engine_settings_.kinematic.port, kinematic_receiver_);
    }
    return all;
}

std::vector<std::pair<std::string, std::uint64_t>> GloveStream::dropped() const {
    std::vector<std::pair<std::string, std::uint64_t>> all;
    const auto add = [&all](std::string why, std::uint64_t number) {
        if (number > 0) {
            all.emplace_back(std::move(why), number);
        }
    };
    const auto add_decode_errors = [&]<class DecodeError>(const std::string& protocol,
                                                          const ReasonCounts<DecodeError>& counts) {
        for (std::size_t i = 1; i < static_cast<std::size_t>(DecodeError::count_); ++i) {
            add(protocol + ": " + name_of(static_cast<DecodeError>(i)), counts.of(static_cast<DecodeError>(i)));
        }
    };
    {
        const std::lock_guard lock(receiver_mutex_);
        std::uint64_t strangers = 0;
        for (const UdpReceiver* receiver : receivers()) {
            strangers += receiver != nullptr ? receiver->refused_senders() : 0;
        }
        add("sender not allowed", strangers);
    }
    add("body joints", other_kinds());
    add_decode_errors("FSNH", fsnh_.decode_errors());
    add_decode_errors("FNIM", fnim_.decode_errors());
    add_decode_errors("OSC", hand_engine_.osc_decode_errors());
    add_decode_errors("Hand Engine", hand_engine_.decode_errors());
    add("Hand Engine: other performer", other_performers());
    add("Hand Engine: other sender", other_senders());
    for (const Hand side : kBothHands) {
        const HandFeed& feed = hand(side);
        const std::string of_hand = std::string(name_of(side)) + ": ";
        for (const Admission why : {Admission::duplicate, Admission::late, Admission::other_sender}) {
            add(of_hand + name_of(why), feed.admissions[static_cast<std::size_t>(why)]);
        }
        add(of_hand + "better stream live", feed.lower_priority);
        add(of_hand + "nothing measured", feed.empty);
    }
    return all;
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
