// SPDX-License-Identifier: Apache-2.0
// How far the joints of a solution are from those of the truth: the table that fingertips are judged by, at the solver
// and through the layer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hand/fnim/finger_chain.hpp"
#include "hand/moving_hand.hpp"
#include "hand/near.hpp"

namespace glove::test {

// The joint that a finger bends from; three more follow it.
inline constexpr std::array<std::size_t, kFingerCount> kRoot{
    XR_HAND_JOINT_THUMB_METACARPAL_EXT, XR_HAND_JOINT_INDEX_PROXIMAL_EXT, XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT,
    XR_HAND_JOINT_RING_PROXIMAL_EXT, XR_HAND_JOINT_LITTLE_PROXIMAL_EXT};

// Millimetres at the middle joint, the end joint and the tip.
struct Distances {
    std::array<std::vector<double>, 3> of;

    void add(const JointPoses& solved, const JointPoses& truth, std::size_t finger) {
        for (std::size_t i = 0; i < of.size(); ++i) {
            const std::size_t joint = kRoot[finger] + 1 + i;
            of[i].push_back(millimetres_between(solved[joint].position, truth[joint].position));
        }
    }
    [[nodiscard]] double mean(std::size_t i) const {
        return std::accumulate(of[i].begin(), of[i].end(), 0.0) / static_cast<double>(of[i].size());
    }
    [[nodiscard]] double p95(std::size_t i) const {
        std::vector<double> sorted = of[i];
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() * 95 / 100];
    }
};

struct HandDistances {
    Distances thumb;
    Distances fingers;

    void add(const JointPoses& solved, const JointPoses& truth) {
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            (finger == kThumb ? thumb : fingers).add(solved, truth, finger);
        }
    }
    void print(const std::string& what) const {
        for (const auto& [name, distances] : {std::pair{"fingers", &fingers}, std::pair{"thumb", &thumb}}) {
            std::printf("%-52s %-7s", what.c_str(), name);
            for (std::size_t i = 0; i < 3; ++i) {
                std::printf("  %5.2f (p95 %5.2f)", distances->mean(i), distances->p95(i));
            }
            std::printf("\n");
        }
    }
};

// How much further than the truth a joint turned between two frames, degrees.
inline double extra_turn(const JointPoses& before, const JointPoses& now, const JointPoses& truth_before,
                         const JointPoses& truth_now) {
    double most = 0;
    for (const std::size_t root : kRoot) {
        for (std::size_t joint = root; joint < root + 4; ++joint) {
            most = std::max(most, degrees_between(before[joint].orientation, now[joint].orientation) -
                                      degrees_between(truth_before[joint].orientation, truth_now[joint].orientation));
        }
    }
    return most;
}

}  // namespace glove::test
