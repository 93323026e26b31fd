// SPDX-License-Identifier: Apache-2.0
// 26 joints -> one FNIM version 2 datagram: coils on the five tips, as the HumanHand host would send them.
// Source: "UDP Reception – EMF Poses", sections 3 to 5.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "senders/hand_poses.hpp"

namespace glove {

struct Coil {
    bool valid;
    XrPosef in_transmitter;  // metres, OpenXR axes
};
using Coils = std::array<Coil, 6>;  // thumb, index, middle, ring, little, forearm

// The transmitter on the back of the hand, where the layer takes it to be unless told otherwise.
inline constexpr XrPosef kWristInTransmitter{{0, 0, 0, 1}, {0, -0.015f, 0.045f}};

// Coils at the tips. The forearm's slot is not valid.
[[nodiscard]] Coils coils_on_tips(const HandJoints& joint_in_wrist,
                                  const XrPosef& wrist_in_transmitter = kWristInTransmitter) noexcept;

[[nodiscard]] Coil forearm_coil(const XrPosef& wrist_in_forearm,
                                const XrPosef& wrist_in_transmitter = kWristInTransmitter) noexcept;

// What coils do to the truth. The same seed gives the same faults.
class CoilFaults {
public:
    // `noise_mm`, `noise_deg`: standard deviation on each axis. `dropout`: how likely a coil is lost in a frame, 0
    // to 1.
    CoilFaults(double noise_mm, double noise_deg, double dropout, std::uint32_t seed = 1);

    [[nodiscard]] Coils apply(const Coils& coils);

private:
    double noise_m_;
    double noise_rad_;
    double dropout_;
    std::mt19937 random_;
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> chance_{0, 1};
};

struct FnimFrame {
    Hand hand;
    std::uint32_t frame_number;  // per hand
    std::uint64_t timestamp_ns;  // the sender's monotonic clock
    XrVector3f acceleration{};   // of the transmitter, m/s^2, OpenXR axes; both zero: it has no such sensor
    XrVector3f turn_rate{};      // rad/s
};

[[nodiscard]] std::vector<std::byte> encode_fnim(const FnimFrame& frame, const Coils& coils);  // 240 bytes

}  // namespace glove
