// SPDX-License-Identifier: Apache-2.0
#include "glove_stream/fsnh_stream.hpp"

#include <utility>

#include "support/log.hpp"

namespace glove {
FsnhStream::FsnhStream(const Config& config, std::array<HandOutput, kHandCount>& outputs) noexcept
    : outputs_(outputs),
      hands_{{{StreamGate(silence_ns(config)), FsnhRetarget(Hand::left, static_cast<float>(config.hand.size_mm))},
              {StreamGate(silence_ns(config)), FsnhRetarget(Hand::right, static_cast<float>(config.hand.size_mm))}}} {
}

void FsnhStream::take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept {
    fsnh::Message message;
    const fsnh::DecodeError error = fsnh::decode(datagram, message);
    if (error != fsnh::DecodeError::none) {
        if (decode_errors_.add(error) == 1) {
            log::warning("%s sent a datagram of %zu bytes that is not usable FSNH (%s); more of these are only counted",
                         sender.text, datagram.size(), fsnh::name_of(error));
        }
        return;
    }
    PerHand& hand = hands_[index_of(message.hand)];
    HandOutput& output = outputs_[index_of(message.hand)];
    if (!output.accepts(Source::fsnh, sender.text, now_ns)) {
        return;
    }

    const Admission admission = hand.gate.admit({sender.id, message.frame_index, message.new_solve}, now_ns);
    const bool began_anew = hand.gate.began_anew();
    output.admitted(admission, message.frame_index, began_anew);
    if (admission == Admission::other_sender && !hand.warned_about_other_sender) {
        hand.warned_about_other_sender = true;
        log::warning("%s sends the %s hand too; it is ignored while the first sender is live", sender.text,
                     name_of(message.hand));
    }
    if (began_anew) {
        log::info("%s hand: FSNH from %s, %s format", name_of(message.hand), sender.text,
                  message.forearm_format ? "forearm" : "wrist");
        hand.clock.reset();
        if (std::exchange(hand.sender, sender.id) != sender.id) {
            hand.retarget.reset();  // one that was only silent has the axes that it had
        }
        output.begin_anew();
    }
    if (admission == Admission::sample) {
        HandSample sample{};
        hand.retarget.retarget(message, now_ns, sample);
        sample.time_ns = hand.clock.to_local(sample.sent_ns, now_ns);
        if (hand.retarget.axes_changed()) {
            report(hand.retarget.axes().verdict(), message.hand);
            output.begin_anew();  // no joint has turned so fast
        }
        output.publish(sample, now_ns);
    } else if (admission == Admission::alive) {
        output.keep_alive(Source::fsnh, now_ns);
    }
}

void FsnhStream::report(AxisVerdict verdict, Hand side) noexcept {
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
