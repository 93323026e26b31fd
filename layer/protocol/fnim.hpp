// SPDX-License-Identifier: Apache-2.0
// HumanHand coil poses, "FNIM" version 2: what one datagram says about one hand, in the sender's own axes.
// Source: "UDP Reception – EMF Poses", sections 3 to 5 and the receiver checklist in section 8.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "protocol/hand.hpp"
#include "protocol/humanhand.hpp"

namespace glove::fnim {

inline constexpr std::uint32_t kMagic = 0x464E494D;  // "FNIM"
inline constexpr std::uint8_t kVersion = 2;
using humanhand::kQuatOrder;

using humanhand::kHeaderSize;
inline constexpr std::size_t kSlotSize = 32;
inline constexpr std::size_t kSlotCount = 6;
inline constexpr std::size_t kForearmSlot = 5;  // 0 thumb, 1 index, 2 middle, 3 ring, 4 little
inline constexpr std::size_t kImuSize = 24;
inline constexpr std::size_t kDatagramSize = kHeaderSize + kSlotCount * kSlotSize + kImuSize;  // 240

// Relative to the magnetic transmitter on the same glove; right-forward-up axes on both hands (section 3).
// Metres, although millimetres travel; orientation of unit length.
struct CoilPose {
    bool valid;                             // false: the rest is zero, whatever was sent
    std::array<float, 3> position;          // x, y, z
    std::array<float, 4> orientation_wxyz;  // w, x, y, z
};

struct Message {
    Hand hand;
    std::uint32_t frame_number;  // per hand; wraps
    std::uint64_t timestamp_ns;  // the sender's monotonic clock
    std::array<CoilPose, kSlotCount> coils;
    // The transmitter's own motion, in the same axes. All zero when the sender has no such sensor.
    std::array<float, 3> acceleration;  // m/s^2
    std::array<float, 3> turn_rate;     // rad/s
};

enum class DecodeError : std::uint8_t {
    none,
    size,               // not 240 bytes
    magic,              // not FNIM
    version,            // FNIM, but not version 2
    hand,               // neither 1 nor 2
    quat_order,         // not wxyz
    not_finite,         // a float of a valid slot or of the IMU is infinite or not a number
    position,           // a valid coil more than kMaxReachM from the transmitter: no glove is that large
    quaternion_length,  // of a valid slot, outside 0.5 to 1.5: not a rotation
    imu,                // the IMU reports what no hand can do
    count_,
};

using humanhand::kMaxReachM;
// Beyond the range of any such sensor (16 g and 4000 deg/s are usual), and of any hand.
inline constexpr float kMaxAcceleration = 1000.0f;
inline constexpr float kMaxTurnRate = 200.0f;

[[nodiscard]] const char* name_of(DecodeError error) noexcept;

// Checks everything section 8 asks for and that every number that may be used is usable. The reserved fields and the
// poses of slots that are not valid are not looked at. `out` is written only when the answer is none.
// Never throws, never reads outside `datagram`.
[[nodiscard]] DecodeError decode(std::span<const std::byte> datagram, Message& out) noexcept;

}  // namespace glove::fnim
