// SPDX-License-Identifier: Apache-2.0
// One measurement of a wrist, from its beginning to what was found or why nothing was.
// Pure: time is a parameter, on the caller's steady clock.
#pragma once

#include <openxr/openxr.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "motion/wrist_calibration.hpp"

namespace glove {

class WristTrial {
public:
    enum class Way : std::uint8_t {
        align,    // the shown hand is frozen, and the person brings their own into it and holds it still
        compare,  // what carries the hand is compared with the runtime's own hand
    };
    enum class Device : std::uint8_t { as_before, missing, came };

    struct Result {
        enum class Stage : std::uint8_t { goes_on, found, failed };
        Stage stage;
        std::string why;  // of failed; for a person
        XrPosef wrist_in_source;
        float residual_m;  // of compare
        float residual_rad;
    };

    WristTrial(Way way, std::int64_t now_ns) noexcept
        : way_(way), begun_ns_(now_ns), aligned_from_ns_(now_ns), measured_ns_(now_ns) {}

    // Whether anything carries the hand, at each look; `is_measured`: something did since the look before. Align alone
    // has to know, for what it waits for is the person.
    [[nodiscard]] Device watch(bool is_measured, std::int64_t now_ns) noexcept;

    // What carries the hand, and where the wrist is taken to be in it now. What was measured of another does not count.
    void carried_by(std::string_view source, const XrPosef& wrist_in_source);
    // The wrist as its tracked device has it, and where it truly is (align: where it is shown), in one base space at
    // one time.
    void add(const XrPosef& carried_wrist, const XrPosef& true_wrist, std::int64_t time_ns, std::int64_t now_ns);

    [[nodiscard]] Result result(std::int64_t now_ns) const;

    [[nodiscard]] Way way() const noexcept { return way_; }
    [[nodiscard]] const std::string& source() const noexcept { return source_; }  // empty: none yet

    // Time to bring the hand to where the frozen one is, before stillness counts.
    static constexpr std::int64_t kAlignAfterNs = 3'000'000'000;
    static constexpr std::int64_t kStillNs = 2'000'000'000;
    static constexpr std::int64_t kCompareNs = 3'000'000'000;
    // Then it is given up.
    static constexpr std::int64_t kLongestNs = 30'000'000'000;
    // A controller that is lost for a moment is no reason to speak.
    static constexpr std::int64_t kNoDeviceNs = 1'500'000'000;

private:
    Way way_;
    std::int64_t begun_ns_;
    std::int64_t aligned_from_ns_;  // since when there is a hand to bring to the frozen one
    std::int64_t measured_ns_;      // the last time
    bool is_missing_ = false;
    std::string source_;
    XrPosef wrist_in_source_{};
    XrPosef frozen_{};
    WristCalibration compared_;
    StillPose still_;
};

}  // namespace glove
