// SPDX-License-Identifier: Apache-2.0
#include "glovectl/raw_gloves.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "datagram/udp_receiver.hpp"
#include "glovectl/port_holder.hpp"
#include "protocol/fsnh.hpp"
#include "protocol/hand_engine.hpp"
#include "protocol/osc.hpp"

namespace glove::ctl {

struct RawGloves::Impl {
    explicit Impl(const Config& config)
        : wanted_performer(config.hand_engine.performer),
          assemblies{{{Hand::left, config.age.valid_ms * kNsPerMs}, {Hand::right, config.age.valid_ms * kNsPerMs}}} {
        listen(config.receiver.port, config, [this](auto datagram, const Sender& sender, std::int64_t received_ns) {
            take_human_hand(datagram, sender, received_ns);
        });
        if (config.hand_engine.enabled) {
            listen(config.hand_engine.port, config,
                   [this](auto datagram, const Sender& sender, std::int64_t received_ns) {
                       take_hand_engine(datagram, sender, received_ns);
                   });
        }
    }

    void listen(std::uint16_t port, const Config& config, UdpReceiver::Handler handler) {
        const UdpReceiver::Settings settings{config.receiver.address, port, config.receiver.allowed_senders};
        receivers.push_back({port, std::make_unique<UdpReceiver>(settings, std::move(handler))});
    }

    void take_human_hand(std::span<const std::byte> datagram, const Sender& sender, std::int64_t received_ns) {
        fnim::Message coils{};
        if (fnim::decode(datagram, coils) == fnim::Refusal::none) {
            if (is_chosen(coils.hand, {sender.id, Protocol::fnim})) {
                add({received_ns, coils});
            }
            return;
        }
        fsnh::Message joints{};
        if (fsnh::decode(datagram, joints) == fsnh::Refusal::none) {
            joint_poses = true;
        }
    }

    void take_hand_engine(std::span<const std::byte> datagram, const Sender& sender, std::int64_t received_ns) {
        osc::PacketReader packet(datagram);
        osc::Message message;
        hand_engine::Message decoded;
        while (packet.next(message)) {
            if (hand_engine::decode(message, decoded) != hand_engine::Refusal::none) {
                continue;
            }
            std::optional<hand_engine::HandMessage> whole;
            if (const auto* rotation = std::get_if<hand_engine::FingerRotation>(&decoded)) {
                if (is_wanted(rotation->performer) && is_chosen(rotation->hand, {sender.id, Protocol::hand_engine})) {
                    whole = assemblies[index_of(rotation->hand)].take(*rotation, received_ns);
                }
            } else if (const auto* sliders = std::get_if<hand_engine::Sliders>(&decoded)) {
                if (is_wanted(sliders->performer) && is_chosen(sliders->hand, {sender.id, Protocol::hand_engine})) {
                    whole = assemblies[index_of(sliders->hand)].take(*sliders, received_ns);
                }
            }
            if (whole) {
                add({received_ns, *whole});
            }
        }
    }

    void add(const RawMessage& message) {
        const std::lock_guard lock(mutex);
        if (messages.size() < kMostMessages) {
            messages.push_back(message);
        }
    }

    // Both hands are one performer's: the configured one, or the first that was heard (0).
    bool is_wanted(std::int32_t performer) {
        if (wanted_performer == 0 && !first_performer) {
            first_performer = performer;
        }
        return performer == (wanted_performer != 0 ? wanted_performer : *first_performer);
    }

    enum class Protocol : std::uint8_t { fnim, hand_engine };
    using Origin = std::pair<std::uint64_t, Protocol>;  // a sender and what it sends

    bool is_chosen(Hand hand, const Origin& origin) {
        const std::lock_guard lock(mutex);
        auto& chosen = origins[index_of(hand)];
        chosen = chosen.value_or(origin);
        return *chosen == origin;
    }

    static constexpr std::int64_t kNsPerMs = 1'000'000;
    static constexpr std::size_t kMostMessages = 10'000;  // many seconds' worth, should nobody take them

    // Of the second receiver's thread.
    std::int32_t wanted_performer;
    std::optional<std::int32_t> first_performer;
    std::array<hand_engine::FingerAssembly, kHandCount> assemblies;

    std::atomic<bool> joint_poses{false};
    std::mutex mutex;
    std::array<std::optional<Origin>, kHandCount> origins;
    std::vector<RawMessage> messages;

    struct Receiver {
        std::uint16_t port;
        std::unique_ptr<UdpReceiver> receiver;
    };
    std::vector<Receiver> receivers;  // last: their threads end before what they use
};

RawGloves::RawGloves(const Config& config) : impl_(std::make_unique<Impl>(config)) {
}

RawGloves::~RawGloves() = default;

std::vector<RawMessage> RawGloves::take() {
    const std::lock_guard lock(impl_->mutex);
    return std::exchange(impl_->messages, {});
}

bool RawGloves::hears_joint_poses() const noexcept {
    return impl_->joint_poses;
}

std::string RawGloves::ports_held() const {
    std::string text;
    for (const Impl::Receiver& one : impl_->receivers) {
        if (one.receiver->port() != 0) {
            continue;
        }
        text += (text.empty() ? "port " : "; port ") + std::to_string(one.port) + " is held by ";
        text += in_words(holders_of_udp_port(one.port));
    }
    return text;
}

}  // namespace glove::ctl
