// SPDX-License-Identifier: Apache-2.0
// Finds a wrist's constant offset while the application runs: on request of glovectl or of a gesture. Works beside the
// frame loop, when the application asks for events, and not on the locating threads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "motion/wrist_calibration.hpp"
#include "openxr/registry.hpp"
#include "openxr/session.hpp"
#include "support/calibration_writer.hpp"
#include "support/try_lock.hpp"
#include "support/wrist_request.hpp"

namespace glove {

class Calibrator {
public:
    Calibrator(const Instance& instance, WristOffsets& offsets, std::filesystem::path file);

    // Whenever the application asks for events; most calls do nothing. Never throws but std::bad_alloc.
    void tick(std::int64_t now_ns);

private:
    // One measurement that runs.
    struct Trial {
        WristRequest request;
        Hand hand;
        XrSession session;
        std::int64_t begun_ns;
        std::int64_t aligned_from_ns;  // since when there is a hand to bring to the frozen one
        std::int64_t measured_ns;      // the last time
        std::uint64_t taken;           // of HandWrist's measurements
        std::string source;            // what carries the hand; empty until the first measurement
        XrPosef offset;                // as it is now
        XrPosef frozen;                // in the base space of the measurements
        WristCalibration compared;
        StillPose still;
        bool asked_in_file;  // else by the gesture
        bool waits;          // nothing tracked carries the hand, and that was said
    };

    void look_at_file(std::int64_t now_ns);
    void look_at_gesture(std::int64_t now_ns);
    [[nodiscard]] XrSession focused_session() const;
    void begin(const WristRequest& request, std::int64_t now_ns);
    void advance(std::int64_t now_ns);
    void watch_carrier(bool is_measured, std::int64_t now_ns);
    [[nodiscard]] bool is_taken_back(std::int64_t now_ns);
    void take(const HandWrist::Measured& measured, Session& session);
    void keep(const XrPosef& offset, float residual_m, float residual_rad, Session& session);
    // The answer and what was found go into the file together, or neither.
    void finish(const char* stage, const std::string& words, CalibrationValues found = {});
    void answer(const char* stage, const std::string& words, CalibrationValues found = {});

    const Instance& instance_;
    WristOffsets& offsets_;
    const std::filesystem::path file_;
    CalibrationWriter writer_;

    std::atomic_flag ticking_ = ATOMIC_FLAG_INIT;
    std::int64_t last_ns_ = 0;
    std::int64_t looked_ns_ = 0;
    std::filesystem::file_time_type written_{};
    std::uint64_t answered_ = 0;
    std::array<std::int64_t, kHandCount> gesture_since_ns_{};
    std::unique_ptr<Trial> trial_;
};

}  // namespace glove
