// SPDX-License-Identifier: Apache-2.0
// What HumanHand's datagrams share: the header and a pose. Source: "UDP Reception – Joint Poses" and "UDP Reception –
// EMF Poses", sections 4 and 5 of each. Templates, for each protocol has error codes of its own.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "protocol/byte_reader.hpp"

namespace glove::humanhand {

inline constexpr std::size_t kHeaderSize = 24;
inline constexpr std::size_t kPoseSize = 28;
inline constexpr std::uint32_t kQuatOrder = 0x77787A79;  // "wxyz"
// Longer than any forearm and hand; keeps later arithmetic far from overflow.
inline constexpr float kMaxReachM = 2.0f;

struct Header {
    std::uint8_t hand;
    std::array<std::uint8_t, 2> own;  // the protocol's
    std::uint32_t frame;              // per hand; wraps
    std::uint64_t timestamp_ns;       // the sender's monotonic clock
    std::uint32_t quat_order;
};

// The first 24 bytes, and whether they are this protocol's.
template <class DecodeError>
[[nodiscard]] DecodeError read_header(std::span<const std::byte, kHeaderSize> bytes, std::uint32_t magic,
                                      std::uint8_t version, Header& out) noexcept {
    ByteReader in(bytes);
    if (in.little<std::uint32_t>() != magic) {
        return DecodeError::magic;
    }
    if (in.little<std::uint8_t>() != version) {
        return DecodeError::version;
    }
    out.hand = in.little<std::uint8_t>();
    out.own[0] = in.little<std::uint8_t>();
    out.own[1] = in.little<std::uint8_t>();
    out.frame = in.little<std::uint32_t>();
    out.timestamp_ns = in.little<std::uint64_t>();
    out.quat_order = in.little<std::uint32_t>();
    return DecodeError::none;
}

// What every protocol allows alone.
template <class DecodeError>
[[nodiscard]] DecodeError check(const Header& header) noexcept {
    if (header.hand != 1 && header.hand != 2) {
        return DecodeError::hand;
    }
    return header.quat_order == kQuatOrder ? DecodeError::none : DecodeError::quat_order;
}

// Position x, y, z in units of `metres`, then orientation w, x, y, z. `out` gets metres and a unit quaternion, and
// nothing on an error.
template <class DecodeError, class Pose>
[[nodiscard]] DecodeError read_pose(std::span<const std::byte, kPoseSize> bytes, double metres, Pose& out) noexcept {
    constexpr double kShortestQuaternion = 0.5;
    constexpr double kLongestQuaternion = 1.5;
    ByteReader in(bytes);
    const double px = in.little<float>();
    const double py = in.little<float>();
    const double pz = in.little<float>();
    const double w = in.little<float>();
    const double x = in.little<float>();
    const double y = in.little<float>();
    const double z = in.little<float>();

    // The square of a float never overflows a double: a sum is finite exactly when each of its terms is.
    const double reach_squared = px * px + py * py + pz * pz;
    const double norm_squared = w * w + x * x + y * y + z * z;
    if (!std::isfinite(reach_squared + norm_squared)) {
        return DecodeError::not_finite;
    }
    const double reach = static_cast<double>(kMaxReachM) / metres;
    if (reach_squared > reach * reach) {
        return DecodeError::position;
    }
    if (norm_squared < kShortestQuaternion * kShortestQuaternion ||
        norm_squared > kLongestQuaternion * kLongestQuaternion) {
        return DecodeError::quaternion_length;
    }
    const double norm = std::sqrt(norm_squared);
    out.position = {static_cast<float>(px * metres), static_cast<float>(py * metres), static_cast<float>(pz * metres)};
    out.orientation_wxyz = {static_cast<float>(w / norm), static_cast<float>(x / norm), static_cast<float>(y / norm),
                            static_cast<float>(z / norm)};
    return DecodeError::none;
}

}  // namespace glove::humanhand
