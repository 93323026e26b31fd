// SPDX-License-Identifier: Apache-2.0
#include "protocol/finger_assembly.hpp"

#include <algorithm>

namespace glove::hand_engine {
namespace {

using From = HandMessage::From;

constexpr Timecode kLastMinuteOfDay = 235'900'000;
constexpr Timecode kDayEnd = 236'000'000;
constexpr Timecode kFirstMinuteEnd = 100'000;

// As numbers, hhmmssfff and a plain counter both grow with time. Only midnight needs more.
bool newer(Timecode a, Timecode b) noexcept {
    const auto before_midnight = [](Timecode t) { return t >= kLastMinuteOfDay && t < kDayEnd; };
    const auto after_midnight = [](Timecode t) { return t >= 0 && t < kFirstMinuteEnd; };
    if (after_midnight(a) && before_midnight(b)) {
        return true;
    }
    if (before_midnight(a) && after_midnight(b)) {
        return false;
    }
    return a > b;
}

bool has_rotation(const FingerRotation& rotation) noexcept {
    // The thumb has no intermediate bone.
    return !is_null(rotation.bones[kProximal]) && !is_null(rotation.bones[kDistal]) &&
           (rotation.finger == Finger::thumb || !is_null(rotation.bones[kIntermediate]));
}

}  // namespace

FingerAssembly::FingerAssembly(Hand hand, std::int64_t silence_ns) noexcept : silence_ns_(silence_ns) {
    rotation_heard_ns_.fill(kNever);
    sample_.hand = hand;
}

std::optional<HandMessage> FingerAssembly::take(const FingerRotation& rotation, std::int64_t now_ns) noexcept {
    std::optional<HandMessage> finished;
    if (!has_rotation(rotation)) {
        ++counts_.null;
        return finished;
    }
    // Hand Engine can be set to send both; the one that says more wins.
    if (rotation.with_metacarpals) {
        metacarpals_heard_ns_ = now_ns;
    } else if (heard_lately(metacarpals_heard_ns_, now_ns)) {
        return finished;
    }
    const auto finger = static_cast<std::size_t>(rotation.finger);
    rotation_heard_ns_[finger] = now_ns;

    const bool upgrades = rotation.with_metacarpals && !with_metacarpals_;
    const bool repeats = sample_.from[finger] == From::rotation && !upgrades;
    if (!admit(rotation.timecode, repeats, now_ns, finished)) {
        return finished;
    }
    if (upgrades) {
        sample_.from.fill(From::nothing);
    }
    with_metacarpals_ = rotation.with_metacarpals;
    sample_.from[finger] = From::rotation;
    sample_.bones[finger] = rotation.bones;
    close_if_whole(now_ns, finished);
    return finished;
}

std::optional<HandMessage> FingerAssembly::take(const Sliders& sliders, std::int64_t now_ns) noexcept {
    std::optional<HandMessage> finished;
    if (!admit(sliders.timecode, has_sliders_, now_ns, finished)) {
        return finished;
    }
    has_sliders_ = true;
    sample_.sliders = sliders.values;
    close_if_whole(now_ns, finished);
    return finished;
}

bool FingerAssembly::heard_lately(std::int64_t heard_ns, std::int64_t now_ns) const noexcept {
    return heard_ns != kNever && now_ns - heard_ns <= silence_ns_;
}

bool FingerAssembly::admit(Timecode timecode, bool repeats, std::int64_t now_ns,
                           std::optional<HandMessage>& finished) noexcept {
    const bool live = heard_lately(heard_ns_, now_ns);
    heard_ns_ = now_ns;
    const bool same = timecode == sample_.timecode;
    bool begins = !live;
    if (live && timecode == osc::kNullInteger) {
        begins = !same || repeats || closed_;  // without timecodes, a finger that comes again begins the next sample
    } else if (live) {
        begins = newer(timecode, sample_.timecode);
        if (!begins && !same) {
            if (!restarted(timecode)) {
                ++counts_.late;
                return false;
            }
            ++counts_.restarts;
            begins = true;
        }
    }
    if (begins) {
        if (live) {  // else the open sample is too old to be of use
            close(now_ns, finished);
        }
        open(timecode, now_ns);
    } else if (closed_ || repeats) {
        ++counts_.duplicate;
        return false;
    }
    behind_ = 0;
    return true;
}

bool FingerAssembly::restarted(Timecode timecode) noexcept {
    if (behind_ > 0 && newer(newest_behind_, timecode)) {
        behind_ = 0;
    }
    newest_behind_ = timecode;
    return ++behind_ >= kRestartAfter;
}

void FingerAssembly::open(Timecode timecode, std::int64_t now_ns) noexcept {
    sample_.timecode = timecode;
    sample_.received_ns = now_ns;
    sample_.from.fill(From::nothing);
    has_sliders_ = false;
    closed_ = false;
}

void FingerAssembly::close(std::int64_t now_ns, std::optional<HandMessage>& finished) noexcept {
    if (closed_) {
        return;
    }
    closed_ = true;
    std::size_t fingers = 0;
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        From& from = sample_.from[finger];
        if (from == From::nothing && has_sliders_ && !heard_lately(rotation_heard_ns_[finger], now_ns)) {
            from = From::sliders;
        }
        fingers += from != From::nothing ? 1 : 0;
    }
    if (fingers == 0) {
        return;
    }
    ++(fingers == kFingerCount ? counts_.whole : counts_.partial);
    finished = sample_;
}

void FingerAssembly::close_if_whole(std::int64_t now_ns, std::optional<HandMessage>& finished) noexcept {
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        const bool by_sliders = has_sliders_ && !heard_lately(rotation_heard_ns_[finger], now_ns);
        if (sample_.from[finger] != From::rotation && !by_sliders) {
            return;
        }
    }
    close(now_ns, finished);
}

}  // namespace glove::hand_engine
