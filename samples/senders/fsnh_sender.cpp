// SPDX-License-Identifier: Apache-2.0
#include "senders/fsnh_sender.hpp"

#include <array>
#include <bit>
#include <type_traits>
#include <utility>

#include "hand/pose_math.hpp"
#include "protocol/fsnh.hpp"

namespace glove {
namespace {

// OpenXR joints in FSNH's order, which knows neither the palm nor the fingers' metacarpals.
constexpr std::array<XrHandJointEXT, fsnh::kWristJointCount> kJointOrder{
    XR_HAND_JOINT_WRIST_EXT,
    XR_HAND_JOINT_THUMB_METACARPAL_EXT,
    XR_HAND_JOINT_THUMB_PROXIMAL_EXT,
    XR_HAND_JOINT_THUMB_DISTAL_EXT,
    XR_HAND_JOINT_THUMB_TIP_EXT,
    XR_HAND_JOINT_INDEX_PROXIMAL_EXT,
    XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT,
    XR_HAND_JOINT_INDEX_DISTAL_EXT,
    XR_HAND_JOINT_INDEX_TIP_EXT,
    XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT,
    XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT,
    XR_HAND_JOINT_MIDDLE_DISTAL_EXT,
    XR_HAND_JOINT_MIDDLE_TIP_EXT,
    XR_HAND_JOINT_RING_PROXIMAL_EXT,
    XR_HAND_JOINT_RING_INTERMEDIATE_EXT,
    XR_HAND_JOINT_RING_DISTAL_EXT,
    XR_HAND_JOINT_RING_TIP_EXT,
    XR_HAND_JOINT_LITTLE_PROXIMAL_EXT,
    XR_HAND_JOINT_LITTLE_INTERMEDIATE_EXT,
    XR_HAND_JOINT_LITTLE_DISTAL_EXT,
    XR_HAND_JOINT_LITTLE_TIP_EXT,
};

// OpenXR has x right, y up, z back; FSNH left x right, y forward, z up; FSNH right x left, y back, z up.
// All three are right-handed, so vectors and the axes of rotations turn alike.
XrVector3f fsnh_axes(Hand hand, const XrVector3f& v) noexcept {
    return hand == Hand::left ? XrVector3f{v.x, -v.z, v.y} : XrVector3f{-v.x, v.z, v.y};
}

class ByteWriter {
public:
    explicit ByteWriter(std::size_t size) { bytes_.reserve(size); }

    template <class T>
    requires std::is_unsigned_v<T>
    void little(T value) {
        for (std::size_t i = 0; i < sizeof value; ++i) {
            bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
        }
    }
    // The documents say 0 where axes that turn make a -0.
    void little(float value) { little(std::bit_cast<std::uint32_t>(value + 0.0f)); }

    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

void write_header(ByteWriter& out, const FsnhFrame& frame, std::size_t joint_count, std::uint8_t status) {
    out.little(fsnh::kMagic);
    out.little(fsnh::kVersion);
    out.little(static_cast<std::uint8_t>(frame.hand == Hand::left ? 1 : 2));
    out.little(static_cast<std::uint8_t>(joint_count));
    out.little(status);
    out.little(frame.frame_index);
    out.little(frame.timestamp_ns);
    out.little(fsnh::kQuatOrder);
}

void write_joint(ByteWriter& out, Hand hand, const XrPosef& pose) {
    const XrVector3f position = fsnh_axes(hand, pose.position);
    const XrQuaternionf& q = pose.orientation;
    const XrVector3f axis = fsnh_axes(hand, {q.x, q.y, q.z});
    for (const float value : {position.x, position.y, position.z, q.w, axis.x, axis.y, axis.z}) {
        out.little(value);
    }
}

}  // namespace

std::vector<std::byte> encode_fsnh(const FsnhFrame& frame, const HandJoints& joint_in_wrist) {
    ByteWriter out(fsnh::kWristDatagramSize);
    write_header(out, frame, fsnh::kWristJointCount, frame.new_solve ? fsnh::kStatusNew : std::uint8_t{0});
    for (const XrHandJointEXT joint : kJointOrder) {
        write_joint(out, frame.hand, joint_in_wrist[joint]);
    }
    return out.take();
}

std::vector<std::byte> encode_fsnh_forearm(const FsnhFrame& frame, const HandJoints& joint_in_wrist,
                                           const XrPosef& wrist_in_forearm, bool forearm_live) {
    ByteWriter out(fsnh::kForearmDatagramSize);
    const unsigned status = (frame.new_solve ? fsnh::kStatusNew : 0u) | (forearm_live ? fsnh::kStatusForearmLive : 0u);
    write_header(out, frame, fsnh::kForearmJointCount, static_cast<std::uint8_t>(status));
    write_joint(out, frame.hand, kIdentityPose);  // the forearm itself
    for (const XrHandJointEXT joint : kJointOrder) {
        XrPosef in_forearm = compose(wrist_in_forearm, joint_in_wrist[joint]);
        in_forearm.orientation = normalised(in_forearm.orientation);
        write_joint(out, frame.hand, in_forearm);
    }
    return out.take();
}

}  // namespace glove
