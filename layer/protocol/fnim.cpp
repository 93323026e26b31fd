// SPDX-License-Identifier: Apache-2.0
#include "protocol/fnim.hpp"

#include <cmath>

#include "protocol/byte_reader.hpp"

namespace glove::fnim {
namespace {

constexpr double kMetresPerMillimetre = 0.001;
constexpr double kShortestQuaternion = 0.5;
constexpr double kLongestQuaternion = 1.5;
constexpr std::uint8_t kValid = 1;  // no other value means valid

// The square of a float never overflows a double: a sum of squares is finite exactly when each term is.
constexpr double squared(double x) noexcept {
    return x * x;
}

Refusal read_slot(ByteReader& in, CoilPose& out) noexcept {
    const double px = in.little<float>();
    const double py = in.little<float>();
    const double pz = in.little<float>();
    const double w = in.little<float>();
    const double x = in.little<float>();
    const double y = in.little<float>();
    const double z = in.little<float>();
    const bool valid = in.little<std::uint8_t>() == kValid;
    in.skip(3);  // reserved
    out = {};
    if (!valid) {
        return Refusal::none;  // what the pose then holds is not said, so it may be anything
    }

    const double reach_squared = squared(px) + squared(py) + squared(pz);
    const double norm_squared = squared(w) + squared(x) + squared(y) + squared(z);
    if (!std::isfinite(reach_squared + norm_squared)) {
        return Refusal::not_finite;
    }
    if (reach_squared > squared(double{kMaxReachM} / kMetresPerMillimetre)) {
        return Refusal::position;
    }
    if (norm_squared < squared(kShortestQuaternion) || norm_squared > squared(kLongestQuaternion)) {
        return Refusal::quaternion_length;
    }
    const double norm = std::sqrt(norm_squared);
    out.valid = true;
    out.position = {static_cast<float>(px * kMetresPerMillimetre), static_cast<float>(py * kMetresPerMillimetre),
                    static_cast<float>(pz * kMetresPerMillimetre)};
    out.orientation_wxyz = {static_cast<float>(w / norm), static_cast<float>(x / norm), static_cast<float>(y / norm),
                            static_cast<float>(z / norm)};
    return Refusal::none;
}

Refusal read_imu_axes(ByteReader& in, float most, std::array<float, 3>& out) noexcept {
    for (float& value : out) {
        value = in.little<float>();
    }
    for (const float value : out) {
        if (!std::isfinite(value)) {
            return Refusal::not_finite;
        }
        if (std::abs(value) > most) {
            return Refusal::imu;
        }
    }
    return Refusal::none;
}

}  // namespace

const char* name_of(Refusal refusal) noexcept {
    switch (refusal) {
        case Refusal::none:
            return "none";
        case Refusal::size:
            return "size";
        case Refusal::magic:
            return "magic";
        case Refusal::version:
            return "version";
        case Refusal::hand:
            return "hand";
        case Refusal::quat_order:
            return "quaternion order";
        case Refusal::not_finite:
            return "number not finite";
        case Refusal::position:
            return "position out of reach";
        case Refusal::quaternion_length:
            return "quaternion length";
        case Refusal::imu:
            return "IMU out of range";
        case Refusal::count_:
            break;
    }
    return "unknown";
}

Refusal decode(std::span<const std::byte> datagram, Message& out) noexcept {
    if (datagram.size() != kDatagramSize) {
        return Refusal::size;
    }

    // From here on the size is known to hold everything that is read.
    ByteReader in(datagram);
    if (in.little<std::uint32_t>() != kMagic) {
        return Refusal::magic;
    }
    if (in.little<std::uint8_t>() != kVersion) {
        return Refusal::version;
    }
    const auto hand = in.little<std::uint8_t>();
    in.skip(2);  // reserved
    Message message;
    message.frame_number = in.little<std::uint32_t>();
    message.timestamp_ns = in.little<std::uint64_t>();
    const auto quat_order = in.little<std::uint32_t>();
    if (hand != 1 && hand != 2) {
        return Refusal::hand;
    }
    if (quat_order != kQuatOrder) {
        return Refusal::quat_order;
    }
    message.hand = hand == 1 ? Hand::left : Hand::right;

    for (CoilPose& coil : message.coils) {
        if (const Refusal refusal = read_slot(in, coil); refusal != Refusal::none) {
            return refusal;
        }
    }
    if (const Refusal refusal = read_imu_axes(in, kMaxAcceleration, message.acceleration); refusal != Refusal::none) {
        return refusal;
    }
    if (const Refusal refusal = read_imu_axes(in, kMaxTurnRate, message.turn_rate); refusal != Refusal::none) {
        return refusal;
    }
    out = message;
    return Refusal::none;
}

}  // namespace glove::fnim
