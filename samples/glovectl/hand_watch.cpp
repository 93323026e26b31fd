// SPDX-License-Identifier: Apache-2.0
#include "glovectl/hand_watch.hpp"

#include <algorithm>

#include "hand/pose_math.hpp"

namespace glove::ctl {
namespace {

constexpr std::int64_t kWindowNs = 1'000'000'000;
constexpr std::size_t kFingers = 5;

std::size_t metacarpal_of(std::size_t finger) noexcept {
    return finger == 0 ? std::size_t{XR_HAND_JOINT_THUMB_METACARPAL_EXT} : 1 + 5 * finger;
}

std::size_t tip_of(std::size_t finger) noexcept {
    return 5 * finger + 5;
}

std::uint64_t repeats(const HandFeed& feed) noexcept {
    return feed.admissions[static_cast<std::size_t>(Admission::alive)].load(std::memory_order_relaxed);
}

}  // namespace

std::array<double, 5> finger_curls(const HandSample& sample) noexcept {
    // What the joints of a finger turn together from straight to a fist: knuckle, middle and end joint; of the thumb
    // the last two.
    constexpr double kFistRad = 230 * kRadiansPerDegree;
    constexpr double kThumbFistRad = 80 * kRadiansPerDegree;
    std::array<double, kFingers> curls{};
    for (std::size_t finger = 0; finger < kFingers; ++finger) {
        double flexion = 0;
        for (std::size_t joint = metacarpal_of(finger) + 1; joint < tip_of(finger); ++joint) {
            const XrQuaternionf turn = multiply(conjugate(sample.joint_in_wrist[joint - 1].orientation),
                                                sample.joint_in_wrist[joint].orientation);
            flexion -= double{rotation_vector(turn).x};  // fingers close about -X
        }
        curls[finger] = std::clamp(flexion / (finger == 0 ? kThumbFistRad : kFistRad), 0.0, 1.0);
    }
    return curls;
}

HandReading HandWatch::look(const HandFeed& feed, const Config::Age& age, std::int64_t now_ns) {
    HandReading reading;
    const std::int64_t heard_ns = feed.heard_ns.load(std::memory_order_acquire);
    HandMotion motion{};
    if (heard_ns != 0 && feed.motion.read(motion)) {
        reading.age_ms = std::max(0.0, 1e-6 * static_cast<double>(now_ns - heard_ns));
        reading.live = *reading.age_ms <= age.valid_ms;
    }

    const HandSample& sample = motion.sample;
    if (sample.source != source_ || !reading.live) {
        past_.clear();
        source_ = sample.source;
    }
    const Counts now{now_ns, feed.samples.load(std::memory_order_relaxed) + repeats(feed),
                     feed.lost.load(std::memory_order_relaxed)};
    past_.push_back(now);
    while (past_.size() > 2 && now_ns - past_[1].at_ns >= kWindowNs) {
        past_.pop_front();
    }
    if (!reading.live) {
        return reading;
    }

    const Counts& first = past_.front();
    const auto used = static_cast<double>(now.used - first.used);
    const auto lost = static_cast<double>(now.lost - first.lost);
    if (now_ns > first.at_ns) {
        reading.rate_hz = used / (1e-9 * static_cast<double>(now_ns - first.at_ns));
    }
    if (lost > 0) {
        // Hand Engine's are not missing: they came without a finger.
        reading.loss = std::min(1.0, lost / (sample.source == Source::hand_engine ? used : used + lost));
    }
    reading.source = sample.source;
    reading.tracked = *reading.age_ms <= age.tracked_ms && sample.tracked != 0;
    reading.curl = finger_curls(sample);
    return reading;
}

}  // namespace glove::ctl
