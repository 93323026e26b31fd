// SPDX-License-Identifier: Apache-2.0
// Who is listened to where several could speak: one protocol for a hand, one sender, one performer.
// Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <cstdint>

#include "hand/hand_sample.hpp"

namespace glove {

// Which protocol feeds a hand: the one that measures more of it, as long as it is live (FSNH joints, FNIM fingertips,
// Hand Engine's rotations: the order of Source).
class SourceChoice {
public:
    explicit SourceChoice(std::int64_t silence_ns) noexcept : silence_ns_(silence_ns) {}

    [[nodiscard]] bool may_feed(Source source, std::int64_t now_ns) const noexcept {
        return source_ == Source::none || source <= source_ || now_ns - fed_ns_ > silence_ns_;
    }
    void fed(Source source, std::int64_t now_ns) noexcept {
        source_ = source;
        fed_ns_ = now_ns;
    }
    // The one that fed last.
    [[nodiscard]] Source source() const noexcept { return source_; }

private:
    std::int64_t silence_ns_;
    std::int64_t fed_ns_ = 0;
    Source source_ = Source::none;
};

// Of equals the first, until it was silent for longer than `silence_ns`.
class FirstHeard {
public:
    explicit FirstHeard(std::int64_t silence_ns) noexcept : silence_ns_(silence_ns) {}

    // Whether `who` is the one. What is refused breaks no silence.
    [[nodiscard]] bool admit(std::uint64_t who, std::int64_t now_ns) noexcept {
        began_anew_ = !live_ || now_ns - heard_ns_ > silence_ns_;
        if (!began_anew_ && who != who_) {
            return false;
        }
        live_ = true;
        who_ = who;
        heard_ns_ = now_ns;
        return true;
    }
    // What admit() would answer.
    [[nodiscard]] bool would_admit(std::uint64_t who, std::int64_t now_ns) const noexcept {
        return !live_ || who == who_ || now_ns - heard_ns_ > silence_ns_;
    }
    // True right after an admit() that was the first after a silence.
    [[nodiscard]] bool began_anew() const noexcept { return began_anew_; }

private:
    std::int64_t silence_ns_;
    std::int64_t heard_ns_ = 0;
    std::uint64_t who_ = 0;
    bool live_ = false;
    bool began_anew_ = false;
};

}  // namespace glove
