// SPDX-License-Identifier: Apache-2.0
#include "motion/hand_motion.hpp"

#include <cmath>
#include <cstddef>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr Velocity kAtRest{{0, 0, 0}, {0, 0, 0}};

// One step of the low-pass: the old velocity keeps `keep` of itself, a difference in pose enters times `gain`.
// `gain` is never above 1 / kSmoothingNs however short the step, so two samples almost at once make no spike.
struct Smoothing {
    float keep;
    float gain;  // 1/s
};

Smoothing smoothing_over(std::int64_t step_ns) noexcept {
    const double steps = static_cast<double>(step_ns) / static_cast<double>(MotionTracker::kSmoothingNs);
    const double share = -std::expm1(-steps);
    return {static_cast<float>(1.0 - share), static_cast<float>(share * 1e9 / static_cast<double>(step_ns))};
}

// The rotation is taken on the left, thus in the parent's axes: the frame in which both poses are given.
Velocity smoothed(const Velocity& before, const XrPosef& from, const XrPosef& to, const Smoothing& smoothing) noexcept {
    const XrQuaternionf turn = multiply(to.orientation, conjugate(from.orientation));
    return {smoothing.keep * before.linear + smoothing.gain * (to.position - from.position),
            smoothing.keep * before.angular + smoothing.gain * rotation_vector(turn)};
}

XrVector3f lerp(const XrVector3f& a, const XrVector3f& b, float t) noexcept {
    return a + t * (b - a);
}

Velocity lerp(const Velocity& a, const Velocity& b, float t) noexcept {
    return {lerp(a.linear, b.linear, t), lerp(a.angular, b.angular, t)};
}

XrPosef between(const XrPosef& a, const XrPosef& b, float t) noexcept {
    return {slerp(a.orientation, b.orientation, t), lerp(a.position, b.position, t)};
}

// `earlier` at or before `time_ns`, `later` after it.
void interpolate(const HandMotion& earlier, const HandMotion& later, std::int64_t time_ns, HandMotion& out) noexcept {
    const HandSample& a = earlier.sample;
    const HandSample& b = later.sample;
    // Nothing lies between the hands of two devices. At a sample's own time its numbers come out to the bit.
    if (a.time_ns == time_ns || a.source != b.source || a.through_forearm != b.through_forearm) {
        out = earlier;
        return;
    }
    const auto t =
        static_cast<float>(static_cast<double>(time_ns - a.time_ns) / static_cast<double>(b.time_ns - a.time_ns));
    HandMotion result = later;
    result.sample.time_ns = time_ns;
    result.sample.tracked = a.tracked & b.tracked;
    result.sample.forearm_live = a.forearm_live && b.forearm_live;
    for (std::size_t joint = 0; joint < kJointCount; ++joint) {
        result.sample.joint_in_wrist[joint] = between(a.joint_in_wrist[joint], b.joint_in_wrist[joint], t);
        result.velocity_in_wrist[joint] = lerp(earlier.velocity_in_wrist[joint], later.velocity_in_wrist[joint], t);
    }
    result.sample.wrist_in_forearm = between(a.wrist_in_forearm, b.wrist_in_forearm, t);
    result.wrist_in_forearm = lerp(earlier.wrist_in_forearm, later.wrist_in_forearm, t);
    out = result;
}

// The newest motion and its number; 0 when there is none.
std::uint64_t read_newest(const MotionHistory& history, HandMotion& out) noexcept {
    // A try fails only if the writer completed nearly all slots during it, which takes a tenth of a second at a glove's
    // rate. The bound keeps a caller from being held up even so.
    for (int tries = 0; tries < 64; ++tries) {
        const std::uint64_t number = history.newest();
        if (number == 0 || history.read_number(number, out)) {
            return number;
        }
    }
    return 0;
}

}  // namespace

HandMotion MotionTracker::follow(const HandSample& sample) noexcept {
    HandMotion motion{};
    motion.sample = sample;
    const HandSample& before = previous_.sample;
    const std::int64_t step_ns = sample.time_ns - before.time_ns;
    if (has_previous_ && step_ns <= 0) {
        motion.velocity_in_wrist = previous_.velocity_in_wrist;
        motion.wrist_in_forearm = previous_.wrist_in_forearm;
    } else if (has_previous_ && step_ns <= kLongestStepNs) {
        const Smoothing smoothing = smoothing_over(step_ns);
        for (std::size_t joint = 0; joint < kJointCount; ++joint) {
            motion.velocity_in_wrist[joint] = smoothed(previous_.velocity_in_wrist[joint], before.joint_in_wrist[joint],
                                                       sample.joint_in_wrist[joint], smoothing);
        }
        // A forearm that is not live holds its last pose; from there to the next live one is a jump, not a motion.
        const bool forearm_seen =
            before.through_forearm && before.forearm_live && sample.through_forearm && sample.forearm_live;
        motion.wrist_in_forearm = forearm_seen ? smoothed(previous_.wrist_in_forearm, before.wrist_in_forearm,
                                                          sample.wrist_in_forearm, smoothing)
                                               : kAtRest;
    }
    previous_ = motion;
    has_previous_ = true;
    return motion;
}

bool motion_at(const MotionHistory& history, std::int64_t time_ns, HandMotion& out) noexcept {
    std::uint64_t number = read_newest(history, out);
    if (number == 0) {
        return false;
    }
    // Backwards until a sample at or before the time is found; the slots wait for nobody, so at most a history's
    // length.
    HandMotion earlier;
    while (out.sample.time_ns > time_ns && history.read_number(--number, earlier)) {
        if (earlier.sample.time_ns <= time_ns) {
            interpolate(earlier, out, time_ns, out);
            return true;
        }
        out = earlier;
    }
    return true;
}

}  // namespace glove
