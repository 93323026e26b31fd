// SPDX-License-Identifier: Apache-2.0
// Which of several sources says where the hand is, and how the hand gets from one source's word to another's.
// Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "motion/choice.hpp"
#include "motion/placement.hpp"

namespace glove {

// In order of preference.
enum class WristKind : std::uint8_t {
    tracker,     // a tracker strapped to the hand or the forearm
    native,      // the runtime's own hand tracking
    controller,  // a controller strapped to the hand
    reference,   // the head, or a fixed place: always there, never measured
};
inline constexpr std::size_t kWristKindCount = 4;

using WristKinds = std::uint8_t;  // a bit per WristKind
[[nodiscard]] constexpr WristKinds bit_of(WristKind kind) noexcept {
    return static_cast<WristKinds>(1u << static_cast<unsigned>(kind));
}

// One per hand.
class WristChoice {
public:
    struct Answer {
        WristKind kind;
        bool known;  // false: nothing says where the hand is
        bool held;   // `kind` was lost a moment ago: the hand stays where it was shown last
    };

    // `good`: which sources could say where the hand is, now.
    [[nodiscard]] Answer choose(WristKinds good, std::int64_t now_ns) noexcept {
        const Choice::Answer answer = choice_.choose(good, now_ns);
        return {static_cast<WristKind>(answer.rank), answer.known, answer.held};
    }

    static constexpr std::int64_t kTrialNs = 300'000'000;
    static constexpr std::int64_t kHoldNs = 200'000'000;

private:
    Choice choice_{{kTrialNs, kHoldNs}};
};

// From where the hand was shown to where another source has it, without a jump.
struct WristBlend {
    XrPosef shown_in_source = {{0, 0, 0, 1}, {0, 0, 0}};  // at the beginning
    std::int64_t begun_ns = 0;
    std::int64_t length_ns = 0;  // 0: no blend

    // Long enough for the hand to go no faster than a hand goes.
    static constexpr float kFastestMps = 1.2f;
    static constexpr float kFastestRadps = 6.0f;
};

// Both poses in one base space at one time.
[[nodiscard]] WristBlend blend_from(const XrPosef& shown, const XrPosef& source, std::int64_t now_ns) noexcept;

// Moves `root`, the source's word, to where the hand is to be shown now, with the velocity that this makes.
void apply(const WristBlend& blend, std::int64_t now_ns, RootMotion& root) noexcept;

}  // namespace glove
