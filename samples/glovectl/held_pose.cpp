// SPDX-License-Identifier: Apache-2.0
#include "glovectl/held_pose.hpp"

#include "hand/pose_math.hpp"

namespace glove::ctl {

void HeldPose::add(const Parts& parts, std::int64_t now_ns) {
    if (sums_.empty()) {
        sums_.resize(parts.size());
        first_.resize(parts.size());
        began_ns_ = now_ns;
    } else if (now_ns - began_ns_ >= kMeanOverNs) {
        compare_means();
        sums_.assign(parts.size(), Sum{});
        began_ns_ = now_ns;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i]) {
            continue;
        }
        Sum& sum = sums_[i];
        const XrQuaternionf& q = parts[i]->orientation;
        const XrQuaternionf& so_far = sum.orientation;
        // q and -q are one rotation.
        const bool opposite = q.x * so_far.x + q.y * so_far.y + q.z * so_far.z + q.w * so_far.w < 0;
        const float sign = opposite ? -1.0f : 1.0f;
        sum.orientation = {so_far.x + sign * q.x, so_far.y + sign * q.y, so_far.z + sign * q.z, so_far.w + sign * q.w};
        sum.position = sum.position + parts[i]->position;
        ++sum.count;
    }
}

void HeldPose::compare_means() {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        const Sum& sum = sums_[i];
        if (sum.count == 0) {
            continue;
        }
        const XrPosef mean{normalised(sum.orientation), (1 / static_cast<float>(sum.count)) * sum.position};
        if (!first_[i]) {
            first_[i] = mean;
            continue;
        }
        const float shift = length(mean.position - first_[i]->position);
        const float turn = angle_between(mean.orientation, first_[i]->orientation);
        moved_ = moved_ || shift > kMostShiftM || turn > kMostTurnDegrees * static_cast<float>(kRadiansPerDegree);
    }
}

}  // namespace glove::ctl
