// SPDX-License-Identifier: Apache-2.0
// From one source's hand to another's without a jump: the whole hand goes rigidly from where it was shown to where the
// new source has it, and each joint on it from its old place to its new one. Whatever changes, the wrist's source or
// the fingers', it is one way. Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstdint>
#include <optional>

#include "motion/placement.hpp"
#include "motion/pose_memory.hpp"

namespace glove {

// What was shown less what the new source had, at the beginning. In frames that move with the new hand, so it holds in
// every base space.
struct HandBlend {
    XrPosef wrist = {{0, 0, 0, 1}, {0, 0, 0}};            // the shown wrist in the source's
    std::array<XrVector3f, kJointCount> offset_in_wrist;  // between joints, each in its own hand's wrist
    std::array<XrVector3f, kJointCount> turn_in_joint;    // axis times angle
    std::int64_t begun_ns = 0;
    std::int64_t length_ns = 0;  // 0: no blend

    static constexpr float kFastestMps = 1.2f;    // of the joint that has furthest to go
    static constexpr float kFastestRadps = 6.0f;  // of the wrist
};

// Both in one base space at one time; `source` is what place_joints() or the runtime wrote.
[[nodiscard]] HandBlend blend_from(const JointPoses& shown, const XrHandJointLocationEXT* source,
                                   std::int64_t now_ns) noexcept;

[[nodiscard]] inline bool is_over(const HandBlend& blend, std::int64_t now_ns) noexcept {
    return now_ns - blend.begun_ns >= blend.length_ns;
}

// Moves the joints to where they are to be shown now, with the velocities that this makes; `velocities` may be null.
// PALM stays the middle of the middle metacarpal and proximal where both hands have it there.
void apply(const HandBlend& blend, std::int64_t now_ns, XrHandJointLocationEXT* locations,
           XrHandJointVelocityEXT* velocities) noexcept;

// What one hand tracker shows, from call to call. One thread at a time, except where it is said.
class Transition {
public:
    // What was shown in a space before, seen from that space as it is at the question's time. Nothing where nobody
    // knows: the space moved, and the runtime did not say how far.
    using SpaceChange = std::optional<XrPosef>;

    // Any thread: when and where the hand was shown in this space last. False: not lately.
    [[nodiscard]] bool shown_wrist(const Instant& now, PoseMemory::Wrist& out) const noexcept {
        return memory_.wrist_in(now, out);
    }

    // The source's velocity by difference, where the runtime says none.
    void derive_velocity(int source, const Instant& now, const SpaceChange& change, RootMotion& root) const noexcept;

    // The joints are `source`'s; where `held`, on the wrist that was shown before. Leads them on from what was shown.
    // `root` is null for a hand that is the runtime's own. True where a way began or was given up.
    bool follow(int source, bool held, const Instant& now, const SpaceChange& change, const RootMotion* root,
                XrHandJointLocationEXT* locations, XrHandJointVelocityEXT* velocities) noexcept;
    [[nodiscard]] const HandBlend& blend() const noexcept { return blend_; }

    // Nothing is shown: the next hand comes from nowhere.
    void nothing() noexcept { is_shown_ = false; }

private:
    PoseMemory memory_;
    HandBlend blend_{};
    int source_ = 0;
    bool held_ = false;
    bool is_shown_ = false;
};

}  // namespace glove
