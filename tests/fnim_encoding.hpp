// SPDX-License-Identifier: Apache-2.0
// A coil glove for tests: OpenXR joints to FNIM datagrams, written from the protocol document with 3x3 matrices and
// sharing no arithmetic and no layout with the layer, so that a wrong sign on either side shows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "fsnh_encoding.hpp"
#include "protocol/fnim.hpp"

namespace glove::test {

// In the sender's axes, right-forward-up. Rotation columns are the coil's own axes.
struct SenderCoil {
    bool valid = false;
    Matrix rotation = kIdentityMatrix;
    Row position_mm{};
};
using SenderCoils = std::array<SenderCoil, 6>;  // thumb, index, middle, ring, little, forearm

struct FnimHeader {
    Hand hand = Hand::left;
    std::uint32_t frame_number = 1;
    std::uint64_t timestamp_ns = 1'000'000'000;
    Row acceleration{};
    Row turn_rate{};
};

// The tips as five coils, as the transmitter sees them. No forearm. `wrist_in_transmitter` is in OpenXR axes.
[[nodiscard]] SenderCoils tips_as_coils(const JointPoses& joint_in_wrist, const XrPosef& wrist_in_transmitter);

// A pose in OpenXR axes relative to the transmitter, as a coil.
[[nodiscard]] SenderCoil as_coil(const XrPosef& in_transmitter);

// Gaussian, each axis for itself.
void add_noise(SenderCoils& coils, double sigma_mm, double sigma_degrees, std::mt19937& random);

[[nodiscard]] std::vector<std::byte> fnim_datagram(const FnimHeader& header, const SenderCoils& coils);  // 240 bytes

// What a decoder should make of that datagram.
[[nodiscard]] fnim::Message fnim_message(const FnimHeader& header, const SenderCoils& coils);

}  // namespace glove::test
