// SPDX-License-Identifier: Apache-2.0
#include "motion/wrist_trial.hpp"

#include "hand/pose_math.hpp"

namespace glove {

WristTrial::Device WristTrial::watch(bool is_measured, std::int64_t now_ns) noexcept {
    if (way_ == Way::compare) {
        return Device::as_before;
    }
    if (is_measured) {
        measured_ns_ = now_ns;
        if (is_missing_) {
            is_missing_ = false;
            aligned_from_ns_ = now_ns;
            still_.clear();
            return Device::came;
        }
    } else if (!is_missing_ && now_ns - measured_ns_ >= kNoDeviceNs) {
        is_missing_ = true;
        return Device::missing;
    }
    return Device::as_before;
}

void WristTrial::carried_by(std::string_view source, const XrPosef& wrist_in_source) {
    if (source != source_) {
        source_ = source;
        wrist_in_source_ = wrist_in_source;
        compared_.clear();
        still_.clear();
    }
}

void WristTrial::add(const XrPosef& carried_wrist, const XrPosef& true_wrist, std::int64_t time_ns,
                     std::int64_t now_ns) {
    if (way_ == Way::compare) {
        compared_.add(carried_wrist, true_wrist, time_ns);
    } else if (now_ns - aligned_from_ns_ >= kAlignAfterNs) {
        frozen_ = true_wrist;
        still_.add(carried_wrist, time_ns);
    }
}

WristTrial::Result WristTrial::result(std::int64_t now_ns) const {
    const bool is_old = now_ns - begun_ns_ > kLongestNs;
    const auto given_up = [](const char* why) { return Result{Result::Stage::failed, why, kIdentityPose, 0, 0}; };
    if (way_ == Way::compare) {
        if (compared_.span_ns() >= kCompareNs || is_old) {
            const WristCalibration::Result solved = compared_.solve();
            if (solved.outcome == WristCalibration::Outcome::solved) {
                return {Result::Stage::found,
                        {},
                        compose(wrist_in_source_, solved.wrist_in_source),
                        solved.residual_m,
                        solved.residual_rad};
            }
            if (is_old) {
                return given_up(compared_.empty()
                                    ? "controller or tracker and the headset's hand were never seen together"
                                    : name_of(solved.outcome));
            }
        }
    } else {
        XrPosef mean{};
        if (still_.still_for(kStillNs, mean)) {
            return {Result::Stage::found, {}, compose(wrist_in_source_, compose(inverse(mean), frozen_)), 0, 0};
        }
        if (is_old) {
            return given_up(is_missing_ ? "no controller or tracker follows this hand"
                                        : "the hand was not held still for two seconds");
        }
    }
    return {Result::Stage::goes_on, {}, kIdentityPose, 0, 0};
}

}  // namespace glove
