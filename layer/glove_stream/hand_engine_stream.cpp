// SPDX-License-Identifier: Apache-2.0
#include "glove_stream/hand_engine_stream.hpp"

#include <functional>
#include <new>
#include <utility>
#include <variant>

#include "support/log.hpp"

namespace glove {
namespace {

// Names come from the sender, which may change them as often as it likes.
constexpr int kMostRigsKept = 16;

constexpr int kMostOfAnAddress = 100;  // bytes of it that the log shows

// A sender's two streams of one hand are not mixed either.
std::uint64_t stream_id(const Sender& sender, bool kinematic) noexcept {
    return kinematic ? ~sender.id : sender.id;
}

}  // namespace

HandEngineStream::PerHand::PerHand(Hand side, const BoneChainSettings& settings, std::int64_t silence_ns) noexcept
    : sender(silence_ns), kinematic_gate(silence_ns), assembly(side, silence_ns), chain(side, settings) {
}

HandEngineStream::HandEngineStream(const Config& config, CalibrationValues kept, std::filesystem::path calibration_file,
                                   std::array<HandOutput, kHandCount>& outputs)
    : settings_(bone_chain_settings(config, kept)),
      wanted_performer_(config.hand_engine.performer),
      silence_ns_(silence_ns(config)),
      kept_(std::move(kept)),
      calibration_writer_(std::move(calibration_file)),
      outputs_(outputs),
      performer_(silence_ns_),
      hands_{{{Hand::left, settings_, silence_ns_}, {Hand::right, settings_, silence_ns_}}} {
    for (const Hand side : kBothHands) {
        if (config.hand_engine.rest == Config::Rest::captured && !settings_.rest[index_of(side)]) {
            const bool is_damaged = kept_.find_numbers(rest_pose_key(side)) != nullptr;
            log::warning("%s hand: hand_engine.rest is \"captured\", but %s; run glovectl calibrate", name_of(side),
                         is_damaged ? "the capture is damaged" : "there is no capture");
        }
    }
}

HandEngineStatus HandEngineStream::status() const noexcept {
    HandEngineStatus out;
    static_cast<void>(status_.read(out));  // as it is when nothing was heard yet
    return out;
}

void HandEngineStream::take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept {
    osc::PacketReader reader(datagram);
    osc::Message packet;
    while (reader.next(packet)) {
        hand_engine::Message message;
        const hand_engine::DecodeError error = hand_engine::decode(packet, message);
        if (error != hand_engine::DecodeError::none) {
            refuse(error, packet.address, sender);
        } else if (const auto* rotation = std::get_if<hand_engine::FingerRotation>(&message)) {
            take(*rotation, sender, now_ns);
        } else if (const auto* sliders = std::get_if<hand_engine::Sliders>(&message)) {
            take(*sliders, sender, now_ns);
        } else if (const auto* kinematic = std::get_if<hand_engine::KinematicHand>(&message)) {
            take(*kinematic, sender, now_ns);
        } else if (const auto* performer = std::get_if<hand_engine::Performer>(&message)) {
            take(*performer, now_ns);
        } else if (const auto* glove = std::get_if<hand_engine::GloveStatus>(&message)) {
            take(*glove, sender, now_ns);
        } else if (const auto* dongle = std::get_if<hand_engine::DongleStatus>(&message)) {
            take(*dongle, now_ns);
        }
        // Positions are a fixed model's offsets: of no use.
    }
    if (reader.error() != osc::DecodeError::none && osc_decode_errors_.add(reader.error()) == 1) {
        log::warning("%s sent a datagram of %zu bytes that is not usable OSC (%s); more of these are only counted",
                     sender.text, datagram.size(), osc::name_of(reader.error()));
    }
}

void HandEngineStream::refuse(hand_engine::DecodeError why, std::string_view address, const Sender& sender) noexcept {
    decode_errors_.add(why);
    const int shown = static_cast<int>(std::min<std::size_t>(address.size(), kMostOfAnAddress));
    if (why == hand_engine::DecodeError::unknown_address) {  // Hand Engine has more to say than is of use here
        if (!std::exchange(warned_about_unknown_address_, true)) {
            log::info("%s sent \"%.*s\", which is not used; other addresses than those that are used are only counted",
                      sender.text, shown, address.data());
        }
        return;
    }
    if (addresses_warned_ == addresses_warned_about_.size()) {
        return;
    }
    const std::size_t hash = std::hash<std::string_view>{}(address);
    for (std::size_t i = 0; i < addresses_warned_; ++i) {
        if (addresses_warned_about_[i] == hash) {
            return;
        }
    }
    addresses_warned_about_[addresses_warned_++] = hash;
    log::warning("%s sent \"%.*s\" with arguments of another form (%s); more of these are only counted", sender.text,
                 shown, address.data(), hand_engine::name_of(why));
}

bool HandEngineStream::is_wanted(std::int32_t performer) const noexcept {
    return wanted_performer_ == 0 || performer == wanted_performer_;
}

bool HandEngineStream::admit(std::int32_t performer, Hand side, bool kinematic, const Sender& sender,
                             std::int64_t now_ns) noexcept {
    if (!is_wanted(performer) || !performer_.admit(static_cast<std::uint32_t>(performer), now_ns)) {
        if (count(other_performers_) == 1) {
            log::info("%s sends performer %d too; only one performer's hands are used (hand_engine.performer)",
                      sender.text, performer);
        }
        return false;
    }
    HandOutput& output = outputs_[index_of(side)];
    if (!output.accepts(Source::hand_engine, sender.text, now_ns)) {
        return false;
    }
    PerHand& hand = hands_[index_of(side)];
    if (!hand.sender.admit(stream_id(sender, kinematic), now_ns)) {
        count(other_senders_);
        if (!std::exchange(hand.warned_about_other_sender, true)) {
            log::warning("%s sends the %s hand too; it is ignored while the first sender is live", sender.text,
                         name_of(side));
        }
        return false;
    }
    if (hand.sender.began_anew()) {
        log::info("%s hand: Hand Engine%s from %s, performer %d", name_of(side), kinematic ? " (kinematic)" : "",
                  sender.text, performer);
        PerHand fresh(side, settings_, silence_ns_);
        fresh.sender = hand.sender;
        fresh.warned_about_other_sender = hand.warned_about_other_sender;
        fresh.warned_about_calibration = hand.warned_about_calibration;
        const ShortText glove_id = hand.glove_id;
        hand = fresh;
        output.begin_anew();
        now_.performer = performer;
        wear(side, glove_id.view());
        status_.publish(now_);
    }
    return true;
}

void HandEngineStream::take(const hand_engine::FingerRotation& rotation, const Sender& sender,
                            std::int64_t now_ns) noexcept {
    if (admit(rotation.performer, rotation.hand, false, sender, now_ns)) {
        publish(hands_[index_of(rotation.hand)].assembly.take(rotation, now_ns), now_ns);
    }
}

void HandEngineStream::take(const hand_engine::Sliders& sliders, const Sender& sender, std::int64_t now_ns) noexcept {
    if (admit(sliders.performer, sliders.hand, false, sender, now_ns)) {
        wear(sliders.hand, sliders.glove_id);
        publish(hands_[index_of(sliders.hand)].assembly.take(sliders, now_ns), now_ns);
    }
}

void HandEngineStream::publish(const std::optional<hand_engine::HandMessage>& message, std::int64_t now_ns) noexcept {
    if (!message) {
        return;
    }
    if (raw_listener_ != nullptr) {
        raw_listener_->heard(*message, now_ns);
    }
    PerHand& hand = hands_[index_of(message->hand)];
    HandOutput& output = outputs_[index_of(message->hand)];
    HandSample sample;
    hand.chain.pose(*message, sample);
    if (sample.tracked == 0) {
        output.empty();  // nothing says that the hand is there
        return;
    }
    report_rig(message->hand);
    constexpr auto nothing = hand_engine::HandMessage::From::nothing;
    if (std::find(message->from.begin(), message->from.end(), nothing) != message->from.end()) {
        output.lost(1);
    }
    if (!now_.gloves[index_of(message->hand)].calibrated) {
        sample.tracked = 0;
    }
    output.publish(sample, now_ns);
}

void HandEngineStream::take(const hand_engine::KinematicHand& kinematic, const Sender& sender,
                            std::int64_t now_ns) noexcept {
    if (!admit(kinematic.performer, kinematic.hand, true, sender, now_ns)) {
        return;
    }
    StreamGate& gate = hands_[index_of(kinematic.hand)].kinematic_gate;
    HandOutput& output = outputs_[index_of(kinematic.hand)];
    const auto frame = static_cast<std::uint32_t>(kinematic.timecode);
    if (const Admission admission = gate.admit({stream_id(sender, true), frame, true}, now_ns);
        admission != Admission::sample) {
        output.admitted(admission, frame, false);
        return;
    }
    wear(kinematic.hand, kinematic.glove_id);
    HandSample sample;
    if (!pose_kinematic(kinematic, settings_.size_mm, sample)) {
        output.empty();
        return;
    }
    sample.time_ns = now_ns;
    output.publish(sample, now_ns);
}

void HandEngineStream::take(const hand_engine::Performer& performer, std::int64_t now_ns) noexcept {
    if (is_wanted(performer.performer) &&
        performer_.would_admit(static_cast<std::uint32_t>(performer.performer), now_ns)) {
        now_.performer_received_ns = now_ns;
        now_.performer = performer.performer;
        now_.performer_name = performer.name;
        now_.staged = performer.staged;
        status_.publish(now_);
    }
}

void HandEngineStream::take(const hand_engine::GloveStatus& status, const Sender& sender,
                            std::int64_t now_ns) noexcept {
    const std::optional<Hand> side = status.profile_hand ? status.profile_hand : status.glove_hand;
    if (!side || !is_wanted(status.performer) ||
        !performer_.would_admit(static_cast<std::uint32_t>(status.performer), now_ns)) {
        return;
    }
    PerHand& hand = hands_[index_of(*side)];
    if (!hand.sender.would_admit(stream_id(sender, false), now_ns)) {
        return;
    }
    wear(*side, status.glove_id);
    HandEngineStatus::Glove& glove = now_.gloves[index_of(*side)];
    glove.received_ns = now_ns;
    glove.calibrated = status.calibrated;
    glove.battery = status.battery;
    glove.revision = status.glove_revision;
    glove.product = status.product;
    glove.firmware = status.firmware;
    glove.dongle = status.dongle_id;
    if (!status.calibrated && !std::exchange(hand.warned_about_calibration, true)) {
        log::warning("%s hand: the glove is not calibrated in Hand Engine; the hand is not reported as tracked",
                     name_of(*side));
    }
    status_.publish(now_);
}

void HandEngineStream::take(const hand_engine::DongleStatus& status, std::int64_t now_ns) noexcept {
    // Its own place, else a free one, else that of the one not heard of for longest.
    HandEngineStatus::Dongle* place = now_.dongles.data();
    for (HandEngineStatus::Dongle& dongle : now_.dongles) {
        if (dongle.received_ns != 0 && dongle.id.view() == status.dongle_id) {
            place = &dongle;
            break;
        }
        if (dongle.received_ns < place->received_ns) {
            place = &dongle;
        }
    }
    place->received_ns = now_ns;
    place->id = status.dongle_id;
    place->firmware = status.firmware;
    status_.publish(now_);
}

void HandEngineStream::wear(Hand side, std::string_view glove_id) noexcept {
    PerHand& hand = hands_[index_of(side)];
    ShortText id;
    id = glove_id;
    if (hand.rig_looked_up && id.view() == hand.glove_id.view()) {
        return;
    }
    hand.rig_looked_up = true;
    hand.glove_id = id;
    now_.gloves[index_of(side)].id = id;
    try {
        const RigVerdict kept = kept_rig(kept_, side, id.view());
        if (hand.chain.verdict() == RigVerdict::undecided && kept != RigVerdict::undecided) {
            hand.chain.remember(kept);
            report_rig(side);
        } else {
            keep_rig(side);
        }
    } catch (const std::bad_alloc&) {  // it will be seen again from the fingers
    }
}

void HandEngineStream::report_rig(Hand side) noexcept {
    PerHand& hand = hands_[index_of(side)];
    const RigVerdict verdict = hand.chain.verdict();
    if (hand.reported == verdict) {
        return;
    }
    hand.reported = verdict;
    now_.gloves[index_of(side)].rig = verdict;
    status_.publish(now_);
    const bool automatic = settings_.axes == Axes::automatic;
    const bool fits = automatic || settings_.axes == Axes::custom ||
                      (settings_.axes == Axes::unity_wave) == (verdict == RigVerdict::unity_wave);
    if (verdict == RigVerdict::other) {
        if (settings_.axes != Axes::custom) {
            log::warning(
                "%s hand: the fingers bend about another axis than in the rigs known here; set Hand Engine to retarget "
                "to HTC-VIVE-Wave-Hands, or configure hand_engine.axes and rest",
                name_of(side));
        }
    } else if (!fits) {
        log::warning("%s hand: the fingers bend as in the axes \"%s\", which is not what hand_engine.axes says",
                     name_of(side), name_of(verdict));
    } else if (automatic) {
        log::info("%s hand: the rig's axes are \"%s\"", name_of(side), name_of(verdict));
    }
    keep_rig(side);
}

void HandEngineStream::keep_rig(Hand side) noexcept {
    const PerHand& hand = hands_[index_of(side)];
    const RigVerdict verdict = hand.chain.verdict();
    if (settings_.axes != Axes::automatic || verdict == RigVerdict::undecided || rigs_kept_ == kMostRigsKept) {
        return;
    }
    try {
        if (kept_rig(kept_, side, hand.glove_id.view()) == verdict) {
            return;
        }
        ++rigs_kept_;
        CalibrationValues rig;
        rig.texts[rig_key(side, hand.glove_id.view())] = name_of(verdict);
        kept_.texts.insert_or_assign(rig.texts.begin()->first, rig.texts.begin()->second);
        calibration_writer_.write(std::move(rig), std::string("the rig of the ") + name_of(side) + " glove");
    } catch (const std::bad_alloc&) {  // it will be seen again from the fingers
    }
}

}  // namespace glove
