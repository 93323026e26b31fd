// SPDX-License-Identifier: Apache-2.0
#include "protocol/fsnh.hpp"

#include "protocol/humanhand.hpp"

namespace glove::fsnh {
namespace {

constexpr std::uint8_t kStatusReserved = 0xFC;  // bits 2 to 7

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
        case DecodeError::joint_count:
            return "joint count";
        case DecodeError::hand:
            return "hand";
        case DecodeError::quat_order:
            return "quaternion order";
        case DecodeError::status:
            return "status";
        case DecodeError::not_finite:
            return "number not finite";
        case DecodeError::position:
            return "position out of reach";
        case DecodeError::quaternion_length:
            return "quaternion length";
        case DecodeError::count_:
            break;
    }
    return "unknown";
}

DecodeError decode(std::span<const std::byte> datagram, Message& out) noexcept {
    const bool forearm_format = datagram.size() == kForearmDatagramSize;
    if (!forearm_format && datagram.size() != kWristDatagramSize) {
        return DecodeError::size;
    }

    humanhand::Header header{};
    if (const auto error = humanhand::read_header<DecodeError>(datagram.first<kHeaderSize>(), kMagic, kVersion, header);
        error != DecodeError::none) {
        return error;
    }
    const auto [joint_count, status] = header.own;
    if (joint_count != (forearm_format ? kForearmJointCount : kWristJointCount)) {
        return DecodeError::joint_count;
    }
    if (const auto error = humanhand::check<DecodeError>(header); error != DecodeError::none) {
        return error;
    }
    if ((status & kStatusReserved) != 0) {
        return DecodeError::status;
    }

    Message message;
    message.hand = header.hand == 1 ? Hand::left : Hand::right;
    message.forearm_format = forearm_format;
    message.new_solve = (status & kStatusNew) != 0;
    // Section 5.2 says that the wrist format sends this bit as 0, but the checklist of section 8 does not make the
    // receiver look. It has no meaning there, so a sender that sets it loses nothing: the bit is ignored, not refused.
    message.forearm_live = forearm_format && (status & kStatusForearmLive) != 0;
    message.frame_index = header.frame;
    message.timestamp_ns = header.timestamp_ns;

    std::span<const std::byte> rest = datagram.subspan(kHeaderSize);
    const auto next_joint = [&rest](JointPose& joint) {
        const auto bytes = rest.first<kJointSize>();
        rest = rest.subspan(kJointSize);
        return humanhand::read_pose<DecodeError>(bytes, 1.0, joint);
    };
    if (forearm_format) {
        // The forearm itself, always the identity. Checked like the others, for a datagram damaged anywhere is not to
        // be trusted anywhere; then dropped, which leaves the wrist format's order.
        JointPose forearm;
        if (const DecodeError error = next_joint(forearm); error != DecodeError::none) {
            return error;
        }
    }
    for (JointPose& joint : message.joints) {
        if (const DecodeError error = next_joint(joint); error != DecodeError::none) {
            return error;
        }
    }
    out = message;
    return DecodeError::none;
}

}  // namespace glove::fsnh
