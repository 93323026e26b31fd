// SPDX-License-Identifier: Apache-2.0
#include "glove_stream/hand_output.hpp"

#include "support/log.hpp"

namespace glove {

bool HandOutput::accepts(Source source, const char* sender, std::int64_t now_ns) noexcept {
    count(feed_.datagrams);
    if (choice_.may_feed(source, now_ns)) {
        return true;
    }
    if (count(feed_.lower_priority) == 1) {
        log::warning("%s hand: %s sends %s too; it is ignored while %s is live", name_of(hand_), sender,
                     name_of(source), name_of(choice_.source()));
    }
    return false;
}

void HandOutput::admitted(Admission admission, std::uint32_t frame, bool began_anew) noexcept {
    const std::uint64_t times = count(feed_.admissions[static_cast<std::size_t>(admission)]);
    if (admission != Admission::sample && admission != Admission::alive) {
        if (times == 1 && admission != Admission::other_sender) {  // that one is the streams' to say, with the sender
            log::info("%s hand: a datagram is not used (%s); more of these are only counted", name_of(hand_),
                      name_of(admission));
        }
        return;
    }
    const std::uint32_t ahead = frame - frame_;
    if (!began_anew && ahead > 1 && ahead < 0x8000'0000u) {
        lost(ahead - 1);
    }
    frame_ = frame;
}

void HandOutput::lost(std::uint64_t samples) noexcept {
    feed_.lost.store(feed_.lost.load(std::memory_order_relaxed) + samples, std::memory_order_relaxed);
}

void HandOutput::empty() noexcept {
    if (count(feed_.empty) == 1) {
        log::info("%s hand: a sample has not one usable joint; more of these are only counted", name_of(hand_));
    }
}

void HandOutput::publish(const HandSample& sample, std::int64_t now_ns) noexcept {
    if (sample.source != source_) {
        source_ = sample.source;
        tracker_.reset();
    }
    feed_.motion.publish(tracker_.follow(sample));
    keep_alive(sample.source, now_ns);
    feed_.samples.fetch_add(1, std::memory_order_release);
}

void HandOutput::keep_alive(Source source, std::int64_t now_ns) noexcept {
    choice_.fed(source, now_ns);
    feed_.heard_ns.store(now_ns, std::memory_order_release);
}

}  // namespace glove
