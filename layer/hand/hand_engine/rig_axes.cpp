// SPDX-License-Identifier: Apache-2.0
#include "hand/hand_engine/rig_axes.hpp"

#include <cmath>
#include <cstdlib>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr auto kBent = static_cast<float>(25 * kRadiansPerDegree);  // farther than a straight finger yields backwards
constexpr auto kMoved = static_cast<float>(3 * kRadiansPerDegree);  // more than a sensor's noise
constexpr float kDominant = 0.8f;                                   // cosine between the turn's axis and x
constexpr int kVotesToDecide = 8;                                   // one finger closing from 25 to 50 degrees
constexpr int kVotesToChange = 60;  // all four fingers closing and opening against the verdict

std::int8_t determinant(const AxisMatrix& m) noexcept {
    return static_cast<std::int8_t>(m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                                    m[2] * (m[3] * m[7] - m[4] * m[6]));
}

}  // namespace

bool is_axis_matrix(const AxisMatrix& matrix) noexcept {
    for (std::size_t i = 0; i < 3; ++i) {
        int in_row = 0;
        int in_column = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            in_row += std::abs(matrix[3 * i + j]);
            in_column += std::abs(matrix[3 * j + i]);
        }
        if (in_row != 1 || in_column != 1) {
            return false;
        }
    }
    return true;
}

XrQuaternionf to_openxr(const AxisMatrix& matrix, const XrQuaternionf& rotation) noexcept {
    const auto row = [&](std::size_t i) {
        return static_cast<float>(matrix[3 * i]) * rotation.x + static_cast<float>(matrix[3 * i + 1]) * rotation.y +
               static_cast<float>(matrix[3 * i + 2]) * rotation.z;
    };
    const auto sense = static_cast<float>(determinant(matrix));
    return {sense * row(0), sense * row(1), sense * row(2), rotation.w};
}

const char* name_of(RigVerdict verdict) noexcept {
    switch (verdict) {
        case RigVerdict::undecided:
            return "undecided";
        case RigVerdict::unity_wave:
            return "unity-wave";
        case RigVerdict::mirror_x:
            return "mirror-x";
        case RigVerdict::other:
            return "other";
    }
    return "unknown";
}

void RigDetector::see(hand_engine::Finger finger, const XrQuaternionf& intermediate) noexcept {
    if (finger == hand_engine::Finger::thumb) {
        return;
    }
    const XrVector3f turn = rotation_vector(intermediate);
    const float angle = length(turn);
    std::optional<XrQuaternionf>& voted_at = voted_at_[static_cast<std::size_t>(finger)];
    if (!voted_at) {
        voted_at = intermediate;
        return;
    }
    if (angle < kBent || angle_between(intermediate, *voted_at) < kMoved) {
        return;
    }
    voted_at = intermediate;

    RigVerdict seen = RigVerdict::other;
    if (std::abs(turn.x) >= kDominant * angle) {
        seen = turn.x > 0 ? RigVerdict::unity_wave : RigVerdict::mirror_x;
    }
    for (std::size_t i = 0; i < votes_.size(); ++i) {
        if (i != static_cast<std::size_t>(seen) && votes_[i] > 0) {
            --votes_[i];
        }
    }
    int& votes = votes_[static_cast<std::size_t>(seen)];
    ++votes;
    if (seen == verdict_) {
        votes = 0;  // nothing to prove; the others' were reduced
    } else if (votes >= (verdict_ == RigVerdict::undecided ? kVotesToDecide : kVotesToChange)) {
        verdict_ = seen;
        votes_.fill(0);
    }
}

void RigDetector::remember(RigVerdict verdict) noexcept {
    verdict_ = verdict;
    votes_.fill(0);
}

}  // namespace glove
