// SPDX-License-Identifier: Apache-2.0
// A glove for tests: OpenXR joints to FSNH datagrams, written from the protocol document with 3x3 matrices and sharing
// no arithmetic and no layout with the layer, so that a wrong sign on either side shows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "protocol/fsnh.hpp"
#include "reference_poses.hpp"

namespace glove::test {

using Row = std::array<double, 3>;
using Matrix = std::array<Row, 3>;

inline constexpr Matrix kIdentityMatrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

[[nodiscard]] Matrix operator*(const Matrix& a, const Matrix& b);
[[nodiscard]] Row operator*(const Matrix& a, const Row& v);
[[nodiscard]] Matrix transposed(const Matrix& a);
[[nodiscard]] Matrix matrix_of(const XrQuaternionf& q);

// In the sender's axes: left hand right-forward-up, right hand left-back-up. Rotation columns are the joint's own axes.
struct SenderJoint {
    Matrix rotation;
    Row position;
};
using SenderHand = std::array<SenderJoint, 21>;  // palm root, then thumb, index, middle, ring, little: four each

struct FsnhHeader {
    Hand hand = Hand::left;
    std::uint32_t frame_index = 1;
    std::uint64_t timestamp_ns = 1'000'000'000;
    bool new_solve = true;
    bool forearm_live = true;  // not sent in the wrist format
};

// Relative to the palm root, which is the OpenXR wrist. Palm and finger metacarpals are not sent.
[[nodiscard]] SenderHand to_sender(Hand hand, const JointPoses& joint_in_wrist);

// The same hand relative to the forearm. `wrist_in_forearm` is in OpenXR axes.
[[nodiscard]] SenderHand seen_from_forearm(Hand hand, const SenderHand& in_root, const XrPosef& wrist_in_forearm);

[[nodiscard]] std::vector<std::byte> wrist_datagram(const FsnhHeader& header, const SenderHand& joints);    // 612 bytes
[[nodiscard]] std::vector<std::byte> forearm_datagram(const FsnhHeader& header, const SenderHand& joints);  // 640 bytes

// What a decoder should make of those datagrams.
[[nodiscard]] fsnh::Message wrist_message(const FsnhHeader& header, const SenderHand& joints);
[[nodiscard]] fsnh::Message forearm_message(const FsnhHeader& header, const SenderHand& joints);

}  // namespace glove::test
