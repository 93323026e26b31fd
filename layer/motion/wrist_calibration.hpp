// SPDX-License-Identifier: Apache-2.0
// The constant pose of a wrist in the thing that is strapped to it, from looking at both for a few seconds.
// Pure: time is a parameter, in nanoseconds of any clock.
#pragma once

#include <openxr/openxr.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glove {

class WristCalibration {
public:
    enum class Outcome : std::uint8_t {
        solved,
        too_short,  // less than kShortestNs or kFewest poses
        too_still,  // the hand hardly turned: a constant offset cannot be told from a wrong measurement
        not_rigid,  // the two do not move as one: the strap slips, or this is another hand
    };

    struct Result {
        Outcome outcome;
        XrPosef wrist_in_source;
        float residual_m;  // root mean square of what is left, outliers out
        float residual_rad;
        std::size_t used;  // poses within three times the median distance from the first guess
    };

    // Both in one base space, at one time. Beyond kMost the oldest go.
    void add(const XrPosef& source_in_base, const XrPosef& wrist_in_base, std::int64_t time_ns);
    void clear() noexcept { pairs_.clear(); }

    [[nodiscard]] Result solve() const;

    [[nodiscard]] bool empty() const noexcept { return pairs_.empty(); }
    [[nodiscard]] std::int64_t span_ns() const noexcept {
        return pairs_.empty() ? 0 : pairs_.back().time_ns - pairs_.front().time_ns;
    }

    static constexpr std::int64_t kShortestNs = 2'000'000'000;
    static constexpr std::size_t kFewest = 60;
    static constexpr std::size_t kMost = 1200;
    // The source has to turn at least so far about one axis, and half as far about a second one.
    static constexpr float kLeastTurnRad = 0.35f;  // 20 degrees
    static constexpr float kMostResidualM = 0.02f;
    static constexpr float kMostResidualRad = 0.20f;

private:
    struct Pair {
        XrPosef source_in_base;
        XrPosef wrist_in_source;
        std::int64_t time_ns;
    };
    std::vector<Pair> pairs_;
};

[[nodiscard]] const char* name_of(WristCalibration::Outcome outcome) noexcept;

// What a pose looks like while the hand is held still: freeze-and-align. False until `poses` of the last
// `still_ns` all lie within 1 cm and 5 degrees of their mean.
class StillPose {
public:
    void add(const XrPosef& pose, std::int64_t time_ns);
    void clear() noexcept { poses_.clear(); }
    [[nodiscard]] bool still_for(std::int64_t still_ns, XrPosef& mean) const noexcept;

    static constexpr float kMostMotionM = 0.01f;
    static constexpr float kMostTurnRad = 0.09f;

private:
    struct Timed {
        XrPosef pose;
        std::int64_t time_ns;
    };
    std::vector<Timed> poses_;
};

}  // namespace glove
