// SPDX-License-Identifier: Apache-2.0
// HumanHand joint poses, "FSNH" version 4: what one datagram says about one hand, in the sender's own axes and order.
// Source: "UDP Reception – Joint Poses", sections 3 to 5 and the receiver checklist in section 8.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "protocol/hand.hpp"
#include "protocol/humanhand.hpp"

namespace glove::fsnh {

inline constexpr std::uint32_t kMagic = 0x464E4853;  // "FSNH"
inline constexpr std::uint8_t kVersion = 4;
using humanhand::kQuatOrder;
inline constexpr std::uint8_t kStatusNew = 0x01;
inline constexpr std::uint8_t kStatusForearmLive = 0x02;

using humanhand::kHeaderSize;
inline constexpr std::size_t kJointSize = humanhand::kPoseSize;
inline constexpr std::size_t kWristJointCount = 21;    // joint 0 is the palm root
inline constexpr std::size_t kForearmJointCount = 22;  // joint 0 is the forearm, joint 1 the palm root
inline constexpr std::size_t kWristDatagramSize = kHeaderSize + kWristJointCount * kJointSize;      // 612
inline constexpr std::size_t kForearmDatagramSize = kHeaderSize + kForearmJointCount * kJointSize;  // 640

// Position in metres, orientation of unit length, both in the sender's axes (section 3: left hand right-forward-up,
// right hand left-back-up) and relative to the message's origin: the palm root, or the forearm.
struct JointPose {
    std::array<float, 3> position;          // x, y, z
    std::array<float, 4> orientation_wxyz;  // w, x, y, z
};

struct Message {
    Hand hand;
    bool forearm_format;         // 22 joints, relative to the forearm
    bool new_solve;              // false: a repeat of the previous tick
    bool forearm_live;           // forearm format only; false: the last good forearm pose
    std::uint32_t frame_index;   // per hand; wraps
    std::uint64_t timestamp_ns;  // the sender's monotonic clock
    // Order of the wrist format whatever the datagram's: 0 palm root, 1-4 thumb, 5-8 index, 9-12 middle, 13-16 ring,
    // 17-20 little. In the forearm format joint 0 is the wrist in the forearm's frame.
    std::array<JointPose, kWristJointCount> joints;
};

enum class DecodeError : std::uint8_t {
    none,
    size,               // neither 612 nor 640 bytes
    magic,              // not FSNH
    version,            // FSNH, but not version 4
    joint_count,        // does not fit the datagram's size
    hand,               // neither 1 nor 2
    quat_order,         // not wxyz
    status,             // a reserved bit is set
    not_finite,         // a float is infinite or not a number
    position,           // a joint more than kMaxReachM from the origin: no hand is that large
    quaternion_length,  // outside 0.5 to 1.5: not a rotation
    count_,
};

using humanhand::kMaxReachM;

[[nodiscard]] const char* name_of(DecodeError error) noexcept;

// Checks everything section 8 asks for and that every number is usable. `out` is written only when the answer is none.
// Quaternions come out normalised. Never throws, never reads outside `datagram`.
[[nodiscard]] DecodeError decode(std::span<const std::byte> datagram, Message& out) noexcept;

}  // namespace glove::fsnh
