// SPDX-License-Identifier: Apache-2.0
// HandSamples over time -> joints at an instant.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "hand/hand_sample.hpp"
#include "support/latest.hpp"

namespace glove {

struct Velocity {
    XrVector3f linear;   // m/s
    XrVector3f angular;  // rad/s, right-hand rule
};

// A sample and how it moves. All in the wrist frame; the wrist's own entry is zero.
struct HandMotion {
    HandSample sample;
    std::array<Velocity, kJointCount> velocity_in_wrist;
    Velocity wrist_in_forearm;  // in the forearm frame; zero unless sample.through_forearm
};
static_assert(std::is_trivially_copyable_v<HandMotion>);

// 125 ms from the oldest to the newest at 120 Hz: OpenXR asks for 50 ms of history (2.15 "Time").
using MotionHistory = Latest<HandMotion, 16>;

// Turns one hand's samples into motions: velocities by difference, smoothed. Writer thread only.
class MotionTracker {
public:
    // `sample` is newer than the one before, else its velocity is that one's.
    [[nodiscard]] HandMotion follow(const HandSample& sample) noexcept;
    void reset() noexcept { has_previous_ = false; }

    // Two samples further apart say nothing about how the hand moves now: it is taken to be at rest.
    static constexpr std::int64_t kLongestStepNs = 100'000'000;
    // Time constant of the low-pass. Measured on recorded hands: smaller lets jitter through, larger lags behind.
    static constexpr std::int64_t kSmoothingNs = 15'000'000;

private:
    bool has_previous_ = false;
    HandMotion previous_{};
};

// The hand at `time_ns` (local clock): between two samples interpolated, before the oldest kept one that one, after the
// newest the newest. An interpolated hand has the later sample's counter and sender time, and is tracked where both
// are. False until there is a sample. Any thread; no lock, no allocation.
[[nodiscard]] bool motion_at(const MotionHistory& history, std::int64_t time_ns, HandMotion& out) noexcept;

}  // namespace glove
