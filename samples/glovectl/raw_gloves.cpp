// SPDX-License-Identifier: Apache-2.0
#include "glovectl/raw_gloves.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "glovectl/port_holder.hpp"

namespace glove::ctl {
namespace {

constexpr std::size_t kMostMessages = 10'000;  // many seconds' worth, should nobody take them

// Whole joints need no calibration, and would come before the rotations of the same glove.
Config without_kinematic(Config config) {
    config.hand_engine.kinematic.enabled = false;
    return config;
}

}  // namespace

RawGloves::RawGloves(const Config& config) : stream_(without_kinematic(config)) {
    stream_.set_raw_listener(*this);
    stream_.start();
}

std::vector<RawMessage> RawGloves::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(messages_, {});
}

bool RawGloves::hears_joint_poses() const noexcept {
    for (const Hand hand : kBothHands) {
        HandMotion motion{};
        if (stream_.hand(hand).motion.read(motion) && motion.sample.source == Source::fsnh) {
            return true;
        }
    }
    return false;
}

std::string RawGloves::port_problems() const {
    std::string text;
    for (const GloveStream::Port& port : stream_.ports()) {
        const auto missing = std::find_if(port.addresses.begin(), port.addresses.end(),
                                          [](const UdpReceiver::Address& address) { return !address.problem.empty(); });
        if (missing == port.addresses.end()) {
            continue;
        }
        text += (text.empty() ? "port " : "; port ") + std::to_string(port.port);
        text += missing->taken ? " is held by " + in_words(holders_of_udp_port(port.port)) +
                                     ", which gets the gloves' data; end it first"
                               : " cannot be listened on: " + missing->problem;
    }
    return text;
}

void RawGloves::heard(const fnim::Message& message, std::int64_t received_ns) noexcept {
    add({received_ns, message});
}

void RawGloves::heard(const hand_engine::HandMessage& message, std::int64_t received_ns) noexcept {
    add({received_ns, message});
}

void RawGloves::add(const RawMessage& message) noexcept {
    const std::lock_guard lock(mutex_);
    if (messages_.size() < kMostMessages) {
        try {
            messages_.push_back(message);
        } catch (const std::bad_alloc&) {  // the pose is asked for again
        }
    }
}

}  // namespace glove::ctl
