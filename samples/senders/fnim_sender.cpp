// SPDX-License-Identifier: Apache-2.0
#include "senders/fnim_sender.hpp"

#include <bit>

#include "hand/pose_math.hpp"
#include "protocol/fnim.hpp"

namespace glove {
namespace {

constexpr std::array<XrHandJointEXT, 5> kTips{XR_HAND_JOINT_THUMB_TIP_EXT, XR_HAND_JOINT_INDEX_TIP_EXT,
                                              XR_HAND_JOINT_MIDDLE_TIP_EXT, XR_HAND_JOINT_RING_TIP_EXT,
                                              XR_HAND_JOINT_LITTLE_TIP_EXT};

// OpenXR has x right, y up, z back; FNIM, on both hands, x right, y forward, z up.
XrVector3f fnim_axes(const XrVector3f& v) noexcept {
    return {v.x, -v.z, v.y};
}

XrPosef composed(const XrPosef& a_in_base, const XrPosef& b_in_a) noexcept {
    XrPosef b_in_base = compose(a_in_base, b_in_a);
    b_in_base.orientation = normalised(b_in_base.orientation);
    return b_in_base;
}

void put(std::vector<std::byte>& bytes, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        bytes.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
    }
}

// A sum with 0 is never -0: the document says 0 where axes that turn make one.
void put(std::vector<std::byte>& bytes, float value) {
    put(bytes, std::bit_cast<std::uint32_t>(value + 0.0f), sizeof value);
}

void put(std::vector<std::byte>& bytes, const XrVector3f& v) {
    put(bytes, v.x);
    put(bytes, v.y);
    put(bytes, v.z);
}

}  // namespace

Coils coils_on_tips(const HandJoints& joint_in_wrist, const XrPosef& wrist_in_transmitter) noexcept {
    Coils coils{};
    for (std::size_t i = 0; i < kTips.size(); ++i) {
        coils[i] = {true, composed(wrist_in_transmitter, joint_in_wrist[kTips[i]])};
    }
    return coils;
}

Coil forearm_coil(const XrPosef& wrist_in_forearm, const XrPosef& wrist_in_transmitter) noexcept {
    return {true, composed(wrist_in_transmitter, inverse(wrist_in_forearm))};
}

CoilFaults::CoilFaults(double noise_mm, double noise_deg, double dropout, std::uint32_t seed)
    : noise_m_(noise_mm * 0.001), noise_rad_(noise_deg * kRadiansPerDegree), dropout_(dropout), random_(seed) {
}

Coils CoilFaults::apply(const Coils& coils) {
    const auto any_vector = [this](double sigma) {
        const auto x = static_cast<float>(sigma * normal_(random_));
        const auto y = static_cast<float>(sigma * normal_(random_));
        const auto z = static_cast<float>(sigma * normal_(random_));
        return XrVector3f{x, y, z};
    };
    Coils out = coils;
    for (Coil& coil : out) {
        const XrVector3f shift = any_vector(noise_m_);
        const XrVector3f turn = any_vector(noise_rad_);
        const bool lost = chance_(random_) < dropout_;
        coil.valid = coil.valid && !lost;
        coil.in_transmitter = composed(coil.in_transmitter, {from_rotation_vector(turn), {0, 0, 0}});
        coil.in_transmitter.position = coil.in_transmitter.position + shift;
    }
    return out;
}

std::vector<std::byte> encode_fnim(const FnimFrame& frame, const Coils& coils) {
    std::vector<std::byte> bytes;
    bytes.reserve(fnim::kDatagramSize);
    put(bytes, fnim::kMagic, 4);
    put(bytes, fnim::kVersion, 1);
    put(bytes, frame.hand == Hand::left ? 1 : 2, 1);
    put(bytes, 0, 2);
    put(bytes, frame.frame_number, 4);
    put(bytes, frame.timestamp_ns, 8);
    put(bytes, fnim::kQuatOrder, 4);
    for (const Coil& coil : coils) {
        const XrPosef pose = coil.valid ? coil.in_transmitter : XrPosef{};
        const XrQuaternionf& q = pose.orientation;
        put(bytes, 1000.0f * fnim_axes(pose.position));
        put(bytes, q.w);
        put(bytes, fnim_axes({q.x, q.y, q.z}));
        put(bytes, coil.valid ? 1 : 0, 4);
    }
    put(bytes, fnim_axes(frame.acceleration));
    put(bytes, fnim_axes(frame.turn_rate));
    return bytes;
}

}  // namespace glove
