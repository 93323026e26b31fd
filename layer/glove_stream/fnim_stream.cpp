// SPDX-License-Identifier: Apache-2.0
#include "glove_stream/fnim_stream.hpp"

#include <algorithm>
#include <utility>

#include "support/log.hpp"

namespace glove {
namespace {

constexpr std::array<std::byte, 4> kFirstBytes{std::byte{'M'}, std::byte{'I'}, std::byte{'N'}, std::byte{'F'}};

bool measures_a_finger(const fnim::Message& message) noexcept {
    return std::any_of(message.coils.begin(), message.coils.begin() + fnim::kForearmSlot,
                       [](const fnim::CoilPose& coil) { return coil.valid; });
}

}  // namespace

FnimStream::PerHand FnimStream::hand_of(Hand side, const Config& config, const CalibrationValues& kept) {
    const std::optional<HandCalibration> captured = captured_fingertips(kept, side);
    if (!captured && kept.find_numbers(fingertips_key(side)) != nullptr) {
        log::warning("%s hand: the captured fingertips are damaged; run glovectl calibrate", name_of(side));
    }
    return {
        StreamGate(silence_ns(config)), {}, FingertipIk(side, captured ? *captured : configured_fingertips(config))};
}

FnimStream::FnimStream(const Config& config, const CalibrationValues& kept, std::array<HandOutput, kHandCount>& outputs)
    : outputs_(outputs), hands_{{hand_of(Hand::left, config, kept), hand_of(Hand::right, config, kept)}} {
}

bool FnimStream::is_meant(std::span<const std::byte> datagram) noexcept {
    return datagram.size() == fnim::kDatagramSize ||
           (datagram.size() >= kFirstBytes.size() &&
            std::equal(kFirstBytes.begin(), kFirstBytes.end(), datagram.begin()));
}

void FnimStream::take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept {
    fnim::Message message;
    const fnim::DecodeError error = fnim::decode(datagram, message);
    if (error != fnim::DecodeError::none) {
        if (decode_errors_.add(error) == 1) {
            log::warning("%s sent a datagram of %zu bytes that is not usable FNIM (%s); more of these are only counted",
                         sender.text, datagram.size(), fnim::name_of(error));
        }
        return;
    }
    PerHand& hand = hands_[index_of(message.hand)];
    HandOutput& output = outputs_[index_of(message.hand)];
    if (!output.accepts(Source::fnim, sender.text, now_ns)) {
        return;
    }

    const Admission admission = hand.gate.admit({sender.id, message.frame_number, true}, now_ns);
    const bool began_anew = hand.gate.began_anew();
    output.admitted(admission, message.frame_number, began_anew);
    if (admission == Admission::other_sender && !std::exchange(hand.warned_about_other_sender, true)) {
        log::warning("%s sends the %s hand too; it is ignored while the first sender is live", sender.text,
                     name_of(message.hand));
    }
    if (began_anew) {
        log::info("%s hand: FNIM from %s", name_of(message.hand), sender.text);
        hand.clock.reset();
        hand.ik.reset();
        output.begin_anew();
    }
    if (admission != Admission::sample) {
        return;
    }
    if (!measures_a_finger(message)) {
        output.empty();  // nothing says that the hand is there
        return;
    }
    if (raw_listener_ != nullptr) {
        raw_listener_->heard(message, now_ns);
    }
    HandSample sample{};
    // By the sender's clock: how far a finger can have moved since the sample before does not depend on the network.
    hand.ik.solve(message, static_cast<std::int64_t>(message.timestamp_ns), sample);
    sample.time_ns = hand.clock.to_local(sample.sent_ns, now_ns);
    output.publish(sample, now_ns);
}

}  // namespace glove
