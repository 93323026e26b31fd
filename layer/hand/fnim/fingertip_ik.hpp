// SPDX-License-Identifier: Apache-2.0
// FNIM message -> the 26 joints: the fingers' hinges are turned until the coils on the tips are where they were
// measured.
#pragma once

#include <array>
#include <cstdint>

#include "hand/fnim/finger_chain.hpp"
#include "hand/fnim/hand_calibration.hpp"
#include "hand/hand_sample.hpp"
#include "protocol/fnim.hpp"

namespace glove {

// How well the last solution explains its message, per finger. Zero for a finger that was not measured.
struct FingertipResidual {
    std::array<float, kFingerCount> position_m;
    std::array<float, kFingerCount> turn_rad;
};

// One per hand. Starts from the solution before it; deterministic, never allocates, a bounded number of steps.
class FingertipIk {
public:
    FingertipIk(Hand hand, const HandCalibration& calibration) noexcept;

    // All joints finite and within anatomical limits whatever the message says. Sets everything of `out` but time_ns.
    // `time_ns`: of the message, on any steady clock. A finger without a coil is held for kHoldNs, then closes as far
    // as its neighbours; it is not TRACKED.
    void solve(const fnim::Message& message, std::int64_t time_ns, HandSample& out) noexcept;

    // A new sender or a new user: nothing before counts.
    void reset() noexcept;

    [[nodiscard]] const FingertipResidual& residual() const noexcept { return residual_; }
    // Radians, as a left hand's.
    [[nodiscard]] const FingerAngles& angles(std::size_t finger) const noexcept { return fingers_[finger].angles; }

    static constexpr std::int64_t kHoldNs = 100'000'000;

private:
    struct Finger {
        FingerAngles angles;
        FingerAngles rate;  // rad/s, smoothed
        std::int64_t measured_ns;
        unsigned doubts;  // solutions that may have been wrong ones
        bool ever_measured;
    };

    void measure(std::size_t finger, const XrPosef& coil_in_wrist, std::int64_t time_ns) noexcept;
    void relax(std::size_t finger, unsigned live, double seconds) noexcept;

    Hand hand_;
    float size_m_;  // wrist to middle knuckle: sets radii and metacarpals
    HandCalibration calibration_;
    std::array<Finger, kFingerCount> fingers_{};
    std::int64_t solved_ns_ = 0;
    bool ever_solved_ = false;
    bool forearm_known_ = false;
    XrPosef wrist_in_forearm_;
    FingertipResidual residual_{};
};

// The wrist's angular velocity in the wrist frame, rad/s, OpenXR axes, from the transmitter's own sensor. False, and
// `out` untouched, when the sender has none.
[[nodiscard]] bool turn_rate_in_wrist(const fnim::Message& message, const HandCalibration& calibration,
                                      XrVector3f& out) noexcept;

}  // namespace glove
