// SPDX-License-Identifier: Apache-2.0
#include "protocol/fsnh.hpp"

#include <cmath>

#include "protocol/byte_reader.hpp"

namespace glove::fsnh {
namespace {

constexpr double kShortestQuaternion = 0.5;
constexpr double kLongestQuaternion = 1.5;
constexpr std::uint8_t kStatusReserved = 0xFC;  // bits 2 to 7

Refusal read_joint(std::span<const std::byte, kJointSize> bytes, JointPose& out) noexcept {
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
        return Refusal::not_finite;
    }
    if (reach_squared > static_cast<double>(kMaxReachM) * static_cast<double>(kMaxReachM)) {
        return Refusal::position;
    }
    if (norm_squared < kShortestQuaternion * kShortestQuaternion ||
        norm_squared > kLongestQuaternion * kLongestQuaternion) {
        return Refusal::quaternion_length;
    }

    const double norm = std::sqrt(norm_squared);
    out.position = {static_cast<float>(px), static_cast<float>(py), static_cast<float>(pz)};
    out.orientation_wxyz = {static_cast<float>(w / norm), static_cast<float>(x / norm), static_cast<float>(y / norm),
                            static_cast<float>(z / norm)};
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
        case Refusal::joint_count:
            return "joint count";
        case Refusal::hand:
            return "hand";
        case Refusal::quat_order:
            return "quaternion order";
        case Refusal::status:
            return "status";
        case Refusal::not_finite:
            return "number not finite";
        case Refusal::position:
            return "position out of reach";
        case Refusal::quaternion_length:
            return "quaternion length";
        case Refusal::count_:
            break;
    }
    return "unknown";
}

Refusal decode(std::span<const std::byte> datagram, Message& out) noexcept {
    const bool forearm_format = datagram.size() == kForearmDatagramSize;
    if (!forearm_format && datagram.size() != kWristDatagramSize) {
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
    const auto joint_count = in.little<std::uint8_t>();
    const auto status = in.little<std::uint8_t>();
    const auto frame_index = in.little<std::uint32_t>();
    const auto timestamp_ns = in.little<std::uint64_t>();
    const auto quat_order = in.little<std::uint32_t>();
    if (joint_count != (forearm_format ? kForearmJointCount : kWristJointCount)) {
        return Refusal::joint_count;
    }
    if (hand != 1 && hand != 2) {
        return Refusal::hand;
    }
    if (quat_order != kQuatOrder) {
        return Refusal::quat_order;
    }
    if ((status & kStatusReserved) != 0) {
        return Refusal::status;
    }

    Message message;
    message.hand = hand == 1 ? Hand::left : Hand::right;
    message.forearm_format = forearm_format;
    message.new_solve = (status & kStatusNew) != 0;
    // Section 5.2 says that the wrist format sends this bit as 0, but the checklist of section 8 does not make the
    // receiver look. It has no meaning there, so a sender that sets it loses nothing: the bit is ignored, not refused.
    message.forearm_live = forearm_format && (status & kStatusForearmLive) != 0;
    message.frame_index = frame_index;
    message.timestamp_ns = timestamp_ns;

    std::span<const std::byte> rest = in.rest();
    const auto next_joint = [&rest](JointPose& joint) {
        const auto bytes = rest.first<kJointSize>();
        rest = rest.subspan(kJointSize);
        return read_joint(bytes, joint);
    };
    if (forearm_format) {
        // The forearm itself, always the identity. Checked like the others, for a datagram damaged anywhere is not to
        // be trusted anywhere; then dropped, which leaves the wrist format's order.
        JointPose forearm;
        if (const Refusal refusal = next_joint(forearm); refusal != Refusal::none) {
            return refusal;
        }
    }
    for (JointPose& joint : message.joints) {
        if (const Refusal refusal = next_joint(joint); refusal != Refusal::none) {
            return refusal;
        }
    }
    out = message;
    return Refusal::none;
}

}  // namespace glove::fsnh
