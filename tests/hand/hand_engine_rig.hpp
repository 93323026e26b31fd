// SPDX-License-Identifier: Apache-2.0
// A Hand Engine for tests: hands to OSC datagrams, with 3x3 matrices in double precision and liblo's encoder, sharing
// no arithmetic with the layer, so that a wrong sign on either side shows.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "fsnh_encoding.hpp"
#include "osc_encoding.hpp"
#include "protocol/hand.hpp"
#include "reference_poses.hpp"

namespace glove::test {

// What turns OpenXR's axes into the rig's: v_rig = M v_openxr.
inline constexpr Matrix kUnityWaveRig{{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
inline constexpr Matrix kMirrorXRig{{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

using Turn = std::array<double, 4>;  // x, y, z, w

// From the diagonal and the differences across it; the sign of each part by the difference.
inline Turn quaternion_of(const Matrix& r) {
    const double x = std::sqrt(std::max(0.0, 1 + r[0][0] - r[1][1] - r[2][2])) / 2;
    const double y = std::sqrt(std::max(0.0, 1 - r[0][0] + r[1][1] - r[2][2])) / 2;
    const double z = std::sqrt(std::max(0.0, 1 - r[0][0] - r[1][1] + r[2][2])) / 2;
    const double w = std::sqrt(std::max(0.0, 1 + r[0][0] + r[1][1] + r[2][2])) / 2;
    return {std::copysign(x, r[2][1] - r[1][2]), std::copysign(y, r[0][2] - r[2][0]),
            std::copysign(z, r[1][0] - r[0][1]), w};
}

// Joint orientations in the wrist frame, OpenXR axes.
using Orientations = std::array<Matrix, XR_HAND_JOINT_COUNT_EXT>;

inline Orientations orientations_of(const JointPoses& joints) {
    Orientations out{};
    const Matrix wrist = matrix_of(joints[XR_HAND_JOINT_WRIST_EXT].orientation);
    for (std::size_t joint = 0; joint < out.size(); ++joint) {
        out[joint] = transposed(wrist) * matrix_of(joints[joint].orientation);
    }
    return out;
}

inline constexpr std::array<const char*, 5> kFingerNames{"Thumb", "Index", "Middle", "Ring", "Little"};

// Metacarpal, proximal, intermediate, distal of a finger; the thumb's intermediate is nowhere.
inline std::array<std::size_t, 4> joints_of(std::size_t finger) {
    if (finger == 0) {
        return {XR_HAND_JOINT_THUMB_METACARPAL_EXT, XR_HAND_JOINT_THUMB_PROXIMAL_EXT, XR_HAND_JOINT_COUNT_EXT,
                XR_HAND_JOINT_THUMB_DISTAL_EXT};
    }
    const std::size_t first = XR_HAND_JOINT_INDEX_METACARPAL_EXT + 5 * (finger - 1);
    return {first, first + 1, first + 2, first + 3};
}

struct Rig {
    Matrix axes = kUnityWaveRig;
    bool metacarpals = true;
    Turn thumb_intermediate{0, 0, 0, 1};
};

// A finger's parent-local turns in the rig, from the first bone that the rig has.
inline std::vector<Turn> finger_turns(const Rig& rig, const Orientations& hand, std::size_t finger) {
    const std::array<std::size_t, 4> joints = joints_of(finger);
    std::vector<Turn> turns;
    Matrix parent = kIdentityMatrix;
    for (std::size_t bone = rig.metacarpals ? 0 : 1; bone < joints.size(); ++bone) {
        if (joints[bone] == XR_HAND_JOINT_COUNT_EXT) {
            turns.push_back(rig.thumb_intermediate);
            continue;
        }
        const Matrix& own = hand[joints[bone]];
        turns.push_back(quaternion_of(rig.axes * (transposed(parent) * own) * transposed(rig.axes)));
        parent = own;
    }
    return turns;
}

inline Bytes finger_message(Hand hand, std::size_t finger, std::int32_t timecode, bool metacarpals,
                            const std::vector<Turn>& turns) {
    OscEncoder encoder("/v1/animation/0/" + std::string(hand == Hand::left ? "1/" : "2/") + kFingerNames[finger] +
                       (metacarpals ? "/rotationWithMetacarpals" : "/rotation"));
    encoder.i(timecode);
    for (const Turn& turn : turns) {
        for (const double part : turn) {
            encoder.f(part);
        }
    }
    return encoder.bytes();
}

inline Bytes finger_message(const Rig& rig, Hand hand, std::size_t finger, std::int32_t timecode,
                            const Orientations& orientations) {
    return finger_message(hand, finger, timecode, rig.metacarpals, finger_turns(rig, orientations, finger));
}

}  // namespace glove::test
