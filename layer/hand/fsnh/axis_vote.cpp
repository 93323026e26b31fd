// SPDX-License-Identifier: Apache-2.0
#include "hand/fsnh/axis_vote.hpp"

#include <algorithm>
#include <cmath>

namespace glove {
namespace {

constexpr float kMovedM = 0.003f;                     // more than a sensor's noise
constexpr std::int64_t kLongestVoteNs = 100'000'000;  // a hand that was still before moved for no longer

bool is_same(const AxisFit& a, const AxisFit& b) noexcept {
    return a.verdict == b.verdict && angle_between(a.turn, b.turn) < 0.1f;
}

}  // namespace

void AxisVote::see(Hand hand, const SentJoints& joints, std::int64_t now_ns) noexcept {
    changed_ = false;
    TipDistances distances{};
    float moved_m = 0;
    for (std::size_t finger = 0; finger < kFingersSent; ++finger) {
        const XrPosef& tip = joints[first_joint_sent(finger) + kJointsPerFinger - 1];
        distances[finger] = length(tip.position - joints[kRootSent].position);
        moved_m = std::max(moved_m, std::abs(distances[finger] - voted_at_[finger]));
    }
    if (voted_ns_ && !(moved_m > kMovedM)) {
        return;
    }
    const std::int64_t moved_ns = voted_ns_ ? std::clamp(now_ns - *voted_ns_, std::int64_t{0}, kLongestVoteNs) : 0;
    voted_at_ = distances;
    voted_ns_ = now_ns;
    const HandAxes seen = check_axes(hand, joints);
    count(seen.fingers, moved_ns, fingers_, axes_.fingers);
    count(seen.root, moved_ns, root_, axes_.root);
}

void AxisVote::count(const AxisFit& seen, std::int64_t moved_ns, Rival& rival, AxisFit& chosen) noexcept {
    if (seen.verdict == AxisVerdict::undecided) {
        return;
    }
    const bool agrees = is_same(seen, chosen);
    if (agrees || !is_same(seen, rival.fit)) {
        rival.lead_ns -= moved_ns;
        if (rival.lead_ns < 0) {
            rival = agrees ? Rival{} : Rival{seen, -rival.lead_ns};
        }
        return;
    }
    rival.lead_ns += moved_ns;
    if (rival.lead_ns >= kDecideNs) {
        chosen = rival.fit;
        rival = {};
        changed_ = true;
    }
}

}  // namespace glove
