// SPDX-License-Identifier: Apache-2.0
#include "protocol/fnim.hpp"

#include <cmath>

#include "protocol/humanhand.hpp"

namespace glove::fnim {
namespace {

constexpr double kMetresPerMillimetre = 0.001;
constexpr std::uint8_t kValid = 1;  // no other value means valid

DecodeError read_slot(std::span<const std::byte, kSlotSize> bytes, CoilPose& out) noexcept {
    out = {};
    if (std::to_integer<std::uint8_t>(bytes[humanhand::kPoseSize]) != kValid) {
        return DecodeError::none;  // what the pose then holds is not said, so it may be anything
    }
    const DecodeError error =
        humanhand::read_pose<DecodeError>(bytes.first<humanhand::kPoseSize>(), kMetresPerMillimetre, out);
    out.valid = error == DecodeError::none;
    return error;
}

DecodeError read_imu_axes(ByteReader& in, float most, std::array<float, 3>& out) noexcept {
    for (float& value : out) {
        value = in.little<float>();
    }
    for (const float value : out) {
        if (!std::isfinite(value)) {
            return DecodeError::not_finite;
        }
        if (std::abs(value) > most) {
            return DecodeError::imu;
        }
    }
    return DecodeError::none;
}

}  // namespace

const char* name_of(DecodeError error) noexcept {
    switch (error) {
        case DecodeError::none:
            return "none";
        case DecodeError::size:
            return "size";
        case DecodeError::magic:
            return "magic";
        case DecodeError::version:
            return "version";
        case DecodeError::hand:
            return "hand";
        case DecodeError::quat_order:
            return "quaternion order";
        case DecodeError::not_finite:
            return "number not finite";
        case DecodeError::position:
            return "position out of reach";
        case DecodeError::quaternion_length:
            return "quaternion length";
        case DecodeError::imu:
            return "IMU out of range";
        case DecodeError::count_:
            break;
    }
    return "unknown";
}

DecodeError decode(std::span<const std::byte> datagram, Message& out) noexcept {
    if (datagram.size() != kDatagramSize) {
        return DecodeError::size;
    }

    humanhand::Header header{};
    if (const auto error = humanhand::read_header<DecodeError>(datagram.first<kHeaderSize>(), kMagic, kVersion, header);
        error != DecodeError::none) {
        return error;
    }
    if (const auto error = humanhand::check<DecodeError>(header); error != DecodeError::none) {
        return error;
    }
    Message message;
    message.hand = header.hand == 1 ? Hand::left : Hand::right;
    message.frame_number = header.frame;
    message.timestamp_ns = header.timestamp_ns;

    std::span<const std::byte> rest = datagram.subspan(kHeaderSize);
    for (CoilPose& coil : message.coils) {
        if (const DecodeError error = read_slot(rest.first<kSlotSize>(), coil); error != DecodeError::none) {
            return error;
        }
        rest = rest.subspan(kSlotSize);
    }
    ByteReader in(rest);
    if (const DecodeError error = read_imu_axes(in, kMaxAcceleration, message.acceleration);
        error != DecodeError::none) {
        return error;
    }
    if (const DecodeError error = read_imu_axes(in, kMaxTurnRate, message.turn_rate); error != DecodeError::none) {
        return error;
    }
    out = message;
    return DecodeError::none;
}

}  // namespace glove::fnim
