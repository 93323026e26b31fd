// SPDX-License-Identifier: Apache-2.0
#include "glove_stream.hpp"

#include "support/clock.hpp"
#include "support/log.hpp"

namespace glove {

namespace {

// HumanHand's host sends these to the same port. Not ours to read here, and no fault either.
constexpr std::size_t kFnimDatagramSize = 240;   // coil poses
constexpr std::size_t kBodyDatagramSize = 1860;  // a headset's body joints

constexpr std::int64_t kNsPerMs = 1'000'000;

template <class Counter>
std::uint64_t count(Counter& counter) noexcept {
    // One writer, so no read-modify-write is needed.
    const std::uint64_t value = counter.load(std::memory_order_relaxed) + 1;
    counter.store(value, std::memory_order_relaxed);
    return value;
}

}  // namespace

GloveStream::PerHand::PerHand(Hand hand, const Config& config) noexcept
    : gate(config.age.valid_ms * kNsPerMs), retarget(hand, static_cast<float>(config.hand.size_mm)) {
}

GloveStream::GloveStream(const Config& config)
    : settings_(config.receiver), hands_{{{Hand::left, config}, {Hand::right, config}}} {
}

GloveStream::~GloveStream() {
    stop();
}

void GloveStream::start() {
    const std::lock_guard lock(receiver_mutex_);
    if (!receiver_) {
        receiver_ = std::make_unique<UdpReceiver>(
            UdpReceiver::Settings{settings_.address, settings_.port, settings_.allowed_senders},
            [this](std::span<const std::byte> datagram, const Sender& sender, std::int64_t received_ns) {
                take(datagram, sender, received_ns);
            });
    }
}

void GloveStream::stop() noexcept {
    const std::lock_guard lock(receiver_mutex_);
    receiver_.reset();
}

std::uint16_t GloveStream::port() const noexcept {
    const std::lock_guard lock(receiver_mutex_);
    return receiver_ ? receiver_->port() : std::uint16_t{0};
}

std::uint64_t GloveStream::refusals(fsnh::Refusal why) const noexcept {
    return refusals_[static_cast<std::size_t>(why)].load(std::memory_order_relaxed);
}

void GloveStream::take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept {
    if (datagram.size() == kFnimDatagramSize || datagram.size() == kBodyDatagramSize) {
        if (count(other_kinds_) == 1) {
            log::info("%s sends datagrams of %zu bytes (coil or body poses): ignored", sender.text, datagram.size());
        }
        return;
    }
    fsnh::Message message;
    const fsnh::Refusal refusal = fsnh::decode(datagram, message);
    if (refusal != fsnh::Refusal::none) {
        if (count(refusals_[static_cast<std::size_t>(refusal)]) == 1) {
            log::warning("%s sent a datagram of %zu bytes that is not usable FSNH (%s); more of these are only counted",
                         sender.text, datagram.size(), fsnh::name_of(refusal));
        }
        return;
    }
    take_fsnh(message, sender, now_ns);
}

void GloveStream::take_fsnh(const fsnh::Message& message, const Sender& sender, std::int64_t now_ns) noexcept {
    PerHand& hand = hands_[index_of(message.hand)];
    count(hand.feed.datagrams);

    const Admission admission = hand.gate.admit({sender.id, message.frame_index, message.new_solve}, now_ns);
    if (count(hand.feed.admissions[static_cast<std::size_t>(admission)]) == 1 && admission == Admission::other_sender) {
        log::warning("%s sends the %s hand too; it is ignored while the first sender is live", sender.text,
                     name_of(message.hand));
    }
    if (hand.gate.began_anew()) {
        log::info("%s hand: FSNH from %s, %s format", name_of(message.hand), sender.text,
                  message.forearm_format ? "forearm" : "wrist");
        hand.clock.reset();
        hand.retarget.reset();
        hand.tracker.reset();
    }
    if (admission != Admission::sample && admission != Admission::alive) {
        return;
    }
    if (admission == Admission::sample) {
        HandSample sample{};
        hand.retarget.retarget(message, sample);
        sample.time_ns = hand.clock.to_local(sample.sent_ns, now_ns);
        report(hand, message.hand);
        count(hand.feed.samples);
        hand.feed.motion.publish(hand.tracker.follow(sample));
    }
    hand.feed.heard_ns.store(now_ns, std::memory_order_release);
}

void GloveStream::report(PerHand& hand, Hand side) noexcept {
    const AxisVerdict verdict = hand.retarget.verdict();
    if (hand.reported == verdict) {
        return;
    }
    hand.reported = verdict;
    switch (verdict) {
        case AxisVerdict::undecided:
            break;
        case AxisVerdict::documented:
            log::info("%s hand: joint axes are as FSNH documents them", name_of(side));
            break;
        case AxisVerdict::permuted:
            log::warning("%s hand: joint axes differ from FSNH's document by a fixed turn; corrected", name_of(side));
            break;
        case AxisVerdict::rebuilt:
            log::warning("%s hand: joint orientations fit no axis order; rebuilt from the joint positions",
                         name_of(side));
            break;
    }
}

}  // namespace glove
