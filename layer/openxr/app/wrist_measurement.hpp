// SPDX-License-Identifier: Apache-2.0
// Finds a wrist's constant offset while the application runs: on request of glovectl or of a gesture. Works beside the
// frame loop, when the application asks for events, and not on the locating threads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "motion/wrist_trial.hpp"
#include "openxr/app/session.hpp"
#include "openxr/loader/registry.hpp"
#include "support/calibration_writer.hpp"
#include "support/try_lock.hpp"
#include "support/wrist_request.hpp"

namespace glove {

class WristMeasurement {
public:
    WristMeasurement(const Instance& instance, WristOffsets& offsets, std::filesystem::path file);

    // Whenever the application asks for events; most calls do nothing. Never throws but std::bad_alloc.
    void tick(std::int64_t now_ns);

    void finish_writing(std::chrono::steady_clock::time_point deadline) noexcept { writer_.wait_until(deadline); }

private:
    // One measurement that runs.
    struct Running {
        Hand hand;
        XrSession session;
        bool asked_in_file;   // else by the gesture
        std::uint64_t taken;  // of WristProbe's measurements
        WristTrial trial;
    };

    // What the file says, if it was written since the look before.
    [[nodiscard]] std::optional<CalibrationValues> read_anew(std::int64_t now_ns);
    void look_at_file(std::int64_t now_ns);
    void look_at_gesture(std::int64_t now_ns);
    [[nodiscard]] XrSession focused_session() const;
    void begin(const WristRequest& request, bool asked_in_file, std::int64_t now_ns);
    void advance(std::int64_t now_ns);
    [[nodiscard]] bool is_taken_back(std::int64_t now_ns);
    void take(const WristProbe::Measured& measured, Session& session, std::int64_t now_ns);
    void keep(const WristTrial::Result& found, Session& session);
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
    WristRequestWatch requests_;
    std::uint64_t answered_ = 0;
    std::array<std::int64_t, kHandCount> gesture_since_ns_{};
    std::unique_ptr<Running> running_;
};

}  // namespace glove
