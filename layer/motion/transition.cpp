// SPDX-License-Identifier: Apache-2.0
#include "motion/transition.hpp"

#include <algorithm>

#include "hand/pose_math.hpp"
#include "motion/blend_length.hpp"

namespace glove {

namespace {

// Two poses nearer together or further apart say nothing of how fast the hand is.
constexpr std::int64_t kShortestStepNs = 1'000'000;
constexpr std::int64_t kLongestStepNs = 100'000'000;

constexpr std::size_t kWrist = XR_HAND_JOINT_WRIST_EXT;

// The longest way of any joint if it went all of it as fast as where it is fastest, in metres.
float longest_way(const HandBlend& blend, const std::array<XrVector3f, kJointCount>& source_in_wrist) noexcept {
    const XrVector3f turn = rotation_vector(blend.wrist.orientation);
    float longest = 0;
    for (const float rest : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
        const XrQuaternionf turned = from_rotation_vector(rest * turn);
        for (std::size_t i = 0; i < kJointCount; ++i) {
            const XrVector3f arm = rotate(turned, source_in_wrist[i] + rest * blend.offset_in_wrist[i]);
            longest = std::max(
                longest, length(blend.wrist.position + cross(turn, arm) + rotate(turned, blend.offset_in_wrist[i])));
        }
    }
    return longest;
}

}  // namespace

HandBlend blend_from(const JointPoses& shown, const XrHandJointLocationEXT* source, std::int64_t now_ns) noexcept {
    HandBlend blend;
    const XrPosef to_source = inverse(source[kWrist].pose);
    const XrPosef to_shown = inverse(shown[kWrist]);
    blend.wrist = compose(to_source, shown[kWrist]);
    std::array<XrVector3f, kJointCount> source_in_wrist;
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrPosef in_source = compose(to_source, source[i].pose);
        const XrPosef in_shown = compose(to_shown, shown[i]);
        source_in_wrist[i] = in_source.position;
        blend.offset_in_wrist[i] = in_shown.position - in_source.position;
        blend.turn_in_joint[i] = rotation_vector(multiply(conjugate(in_source.orientation), in_shown.orientation));
    }
    blend.begun_ns = now_ns;
    blend.length_ns =
        blend_length_ns(double{std::max(longest_way(blend, source_in_wrist) / HandBlend::kFastestMps,
                                        length(rotation_vector(blend.wrist.orientation)) / HandBlend::kFastestRadps)});
    return blend;
}

void apply(const HandBlend& blend, std::int64_t now_ns, XrHandJointLocationEXT* locations,
           XrHandJointVelocityEXT* velocities) noexcept {
    if (now_ns < blend.begun_ns || is_over(blend, now_ns)) {
        return;
    }
    const float rate = -1e9f / static_cast<float>(blend.length_ns);  // per second, of what is left
    const float rest = 1.0f - static_cast<float>(now_ns - blend.begun_ns) / static_cast<float>(blend.length_ns);
    const XrPosef wrist = locations[kWrist].pose;
    const XrPosef to_wrist = inverse(wrist);
    const XrVector3f turn = rotation_vector(blend.wrist.orientation);
    const XrPosef shown = compose(wrist, {from_rotation_vector(rest * turn), rest * blend.wrist.position});

    Velocity was{};
    Velocity is{};  // of the wrist
    if (velocities != nullptr) {
        was = {velocities[kWrist].linearVelocity, velocities[kWrist].angularVelocity};
        is.angular = was.angular + rotate(wrist.orientation, rate * turn);
        is.linear = was.linear + cross(was.angular, shown.position - wrist.position) +
                    rotate(wrist.orientation, rate * blend.wrist.position);
    }
    for (std::size_t i = 0; i < kJointCount; ++i) {
        XrPosef& pose = locations[i].pose;
        const XrPosef in_wrist = compose(to_wrist, pose);
        const XrVector3f place = in_wrist.position + rest * blend.offset_in_wrist[i];
        if (velocities != nullptr) {
            XrHandJointVelocityEXT& velocity = velocities[i];
            const XrVector3f drift =
                rotate(to_wrist.orientation,
                       velocity.linearVelocity - was.linear - cross(was.angular, pose.position - wrist.position));
            const XrVector3f spin = rotate(to_wrist.orientation, velocity.angularVelocity - was.angular);
            velocity.linearVelocity = is.linear + cross(is.angular, rotate(shown.orientation, place)) +
                                      rotate(shown.orientation, drift + rate * blend.offset_in_wrist[i]);
            velocity.angularVelocity =
                is.angular +
                rotate(shown.orientation, spin + rotate(in_wrist.orientation, rate * blend.turn_in_joint[i]));
        }
        pose = compose(shown,
                       {multiply(in_wrist.orientation, from_rotation_vector(rest * blend.turn_in_joint[i])), place});
        pose.orientation = normalised(pose.orientation);
    }
}

void Transition::derive_velocity(int source, const Instant& now, const SpaceChange& change,
                                 RootMotion& root) const noexcept {
    const PoseMemory::Entry* const before = memory_.find(now);
    if (root.velocity_known || before == nullptr || !change) {
        return;
    }
    const std::int64_t step_ns = now.time - before->at.time;
    if (before->source == source && step_ns >= kShortestStepNs && step_ns <= kLongestStepNs) {
        const XrPosef was = compose(*change, before->source_wrist);
        const float per_second = 1e9f / static_cast<float>(step_ns);
        root.velocity.linear = per_second * (root.in_base.position - was.position);
        root.velocity.angular =
            per_second * rotation_vector(multiply(root.in_base.orientation, conjugate(was.orientation)));
        root.velocity_known = true;
    } else if (step_ns > -kLongestStepNs && step_ns <= kLongestStepNs) {  // the same frame again, or another source
        root.velocity = {rotate(change->orientation, before->source_velocity.linear),
                         rotate(change->orientation, before->source_velocity.angular)};
        root.velocity_known = before->velocity_known;
    }
}

bool Transition::follow(int source, bool held, const Instant& now, const SpaceChange& change, const RootMotion* root,
                        XrHandJointLocationEXT* locations, XrHandJointVelocityEXT* velocities) noexcept {
    bool changed = false;
    if (!is_shown_ || source != source_ || held != held_) {
        const PoseMemory::Entry* const before = memory_.find(now);
        if (is_shown_ && before == nullptr && memory_.is_anywhere(now)) {
            return false;  // the way begins in a base space that the hand was shown in
        }
        if (is_shown_ && before != nullptr && change) {
            JointPoses shown = before->joints;
            for (XrPosef& joint : shown) {
                joint = compose(*change, joint);
            }
            blend_ = blend_from(shown, locations, now.now_ns);
        } else {
            blend_.length_ns = 0;
        }
        changed = true;
    }
    source_ = source;
    held_ = held;
    is_shown_ = true;
    const XrPosef source_wrist = locations[kWrist].pose;
    apply(blend_, now.now_ns, locations, velocities);
    memory_.remember(now, [&](PoseMemory::Entry& entry) {
        entry.source = source;
        entry.source_wrist = source_wrist;
        entry.velocity_known = root != nullptr && root->velocity_known;
        entry.source_velocity = entry.velocity_known ? root->velocity : Velocity{};
        for (std::size_t i = 0; i < kJointCount; ++i) {
            entry.joints[i] = locations[i].pose;
        }
    });
    return changed;
}

}  // namespace glove
