// SPDX-License-Identifier: Apache-2.0
// One hand at one instant, whatever device it came from. Every source ends here; everything after is the same for all.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "protocol/hand.hpp"

namespace glove {

inline constexpr std::size_t kJointCount = XR_HAND_JOINT_COUNT_EXT;  // 26

enum class Source : std::uint8_t { none, fsnh, fnim, hand_engine, controller, native };

[[nodiscard]] constexpr const char* name_of(Source source) noexcept {
    switch (source) {
        case Source::none:
            return "none";
        case Source::fsnh:
            return "fsnh";
        case Source::fnim:
            return "fnim";
        case Source::hand_engine:
            return "hand_engine";
        case Source::controller:
            return "controller";
        case Source::native:
            return "native";
    }
    return "unknown";
}

inline constexpr std::uint32_t kAllJointsTracked = (1u << kJointCount) - 1;

struct HandSample {
    Hand hand;
    Source source;
    bool through_forearm;    // wrist_in_forearm is known: the stream is relative to the forearm
    bool forearm_live;       // false: wrist_in_forearm is the last good one
    std::uint32_t sequence;  // the sender's counter; wraps
    std::uint32_t tracked;   // bit per XrHandJointEXT: measured now, not held or guessed
    float scale;             // of the radii, 1 for the template hand
    std::int64_t sent_ns;    // the sender's clock
    std::int64_t time_ns;    // when the hand was like this, on this process's steady clock
    // Metres, OpenXR axes, indexed by XrHandJointEXT. The wrist is the identity.
    std::array<XrPosef, kJointCount> joint_in_wrist;
    XrPosef wrist_in_forearm;  // OpenXR axes; identity unless through_forearm
    // How the wrist turns in the room, by a sensor on the glove: wrist axes, rad/s, right-hand rule. Zero unless known.
    bool turn_rate_known;
    XrVector3f turn_rate;
};
static_assert(std::is_trivially_copyable_v<HandSample>);

}  // namespace glove
