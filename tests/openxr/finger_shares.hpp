// SPDX-License-Identifier: Apache-2.0
// How far each finger is closed, as a program sees it in the 26 joints: from the angle of each bone to the one before
// it, between the flat hand and the fist that others measured. Only angles are compared, so neither the layer's table
// nor its numbers for bones come into it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "openxr/wrist_fixture.hpp"
#include "reference_poses.hpp"

namespace glove::test {

using Shares = std::array<double, 5>;  // thumb first: 0 as in the flat hand, 1 as in the fist

struct ControllerInputs {
    double trigger = 0;
    double grip = 0;
    bool touch = false;
};

// Thumb first: at rest, by the trigger, by the grip, by a touch of the thumb.
using CurlTable = std::array<std::array<double, 4>, 5>;
inline constexpr CurlTable kPublishedTable{
    {{0.4, 0.4, -1.8, 1.0}, {0.0, 1.0, 0.0, 0.2}, {0.1, 0.6, 1.0, 0.2}, {0.2, 0.4, 1.0, 0.2}, {0.3, 0.2, 1.0, 0.2}}};

// The sum is cut off at both ends.
inline Shares shares_of_table(const ControllerInputs& inputs, const CurlTable& table = kPublishedTable) {
    Shares shares{};
    for (std::size_t finger = 0; finger < shares.size(); ++finger) {
        const auto& [rest, trigger, grip, touch] = table[finger];
        const double sum = rest + trigger * inputs.trigger + grip * inputs.grip + (inputs.touch ? touch : 0);
        shares[finger] = std::clamp(sum, 0.0, 1.0);
    }
    return shares;
}

// A bone as the one before it sees it. The first of the thumb hangs on the wrist, those of fingers on metacarpals.
using Turns = std::array<test_runtime::Quaternion, 15>;  // three bones a finger
inline Turns turns_of(const JointPoses& joints) {
    Turns turns{};
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const std::size_t finger = i / 3;
        const std::size_t joint = finger == 0 ? XR_HAND_JOINT_THUMB_METACARPAL_EXT + i
                                              : XR_HAND_JOINT_INDEX_PROXIMAL_EXT + 5 * (finger - 1) + i % 3;
        const std::size_t before = i == 0 ? std::size_t{XR_HAND_JOINT_WRIST_EXT} : joint - 1;
        turns[i] = conjugate(test_runtime::from_xr(joints[before]).orientation) *
                   test_runtime::from_xr(joints[joint]).orientation;
    }
    return turns;
}

inline JointPoses poses_of(const HandAnswer& answer) {
    JointPoses joints{};
    for (std::size_t joint = 0; joint < joints.size(); ++joint) {
        joints[joint] = answer.joints[joint].pose;
    }
    return joints;
}

// The largest turn of a bone between two hands, in degrees.
inline double largest_turn(const Turns& a, const Turns& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, degrees_between(a[i], b[i]));
    }
    return largest;
}

class FingerShares {
public:
    explicit FingerShares(Hand hand)
        : open_(turns_of(measured(hand, "flat"))), closed_(turns_of(measured(hand, "fist"))) {}

    // Fails the test where a bone is not on its way from open to closed, or not as far as the rest of its finger.
    [[nodiscard]] Shares of(const HandAnswer& answer) const {
        const Turns shown = turns_of(poses_of(answer));
        Shares shares{};
        for (std::size_t finger = 0; finger < shares.size(); ++finger) {
            double from_open = 0;
            double whole = 0;
            for (std::size_t i = 3 * finger; i < 3 * finger + 3; ++i) {
                from_open += degrees_between(open_[i], shown[i]);
                whole += degrees_between(open_[i], closed_[i]);
            }
            shares[finger] = from_open / whole;
            for (std::size_t i = 3 * finger; i < 3 * finger + 3; ++i) {
                const double of_bone = degrees_between(open_[i], closed_[i]);
                EXPECT_NEAR(degrees_between(open_[i], shown[i]), shares[finger] * of_bone, 0.5) << "bone " << i;
                EXPECT_NEAR(degrees_between(shown[i], closed_[i]), (1 - shares[finger]) * of_bone, 0.5) << "bone " << i;
            }
        }
        return shares;
    }

    static void expect_near(const Shares& shares, const Shares& wanted) {
        for (std::size_t finger = 0; finger < shares.size(); ++finger) {
            EXPECT_NEAR(shares[finger], wanted[finger], 0.02) << "finger " << finger;
        }
    }

private:
    // Both hands are one that was measured, the left: the right one's recording is up to 12 degrees away from it.
    static JointPoses measured(Hand hand, const char* pose) {
        JointPoses joints = reference_pose(Hand::left, pose).joint_in_wrist;
        if (hand == Hand::right) {
            for (auto& [q, p] : joints) {
                q = {q.x, -q.y, -q.z, q.w};
                p.x = -p.x;
            }
        }
        return joints;
    }

    Turns open_;
    Turns closed_;
};

}  // namespace glove::test
