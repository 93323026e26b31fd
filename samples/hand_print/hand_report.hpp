// SPDX-License-Identifier: Apache-2.0
// What hand_print prints of one frame, as text for people or as one line of JSON for programs.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "hand_print/hand_session.hpp"

namespace glove {

// Datagrams per second, over the last second, or since they began to come, or came again after a pause.
class PacketRate {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    void add(TimePoint time, std::uint64_t datagrams);
    // Nothing until the readings span a quarter of a second.
    [[nodiscard]] std::optional<double> per_second() const;
    [[nodiscard]] bool has_begun() const noexcept { return !readings_.empty(); }

private:
    struct Reading {
        TimePoint time;
        std::uint64_t datagrams;
    };
    std::deque<Reading> readings_;
    TimePoint heard_{};
};

struct HandReport {
    LocatedHand located;
    std::string source;  // "fsnh", …; "unknown" when only the runtime could say
    bool tracked;
    std::optional<double> packets_per_second;
    std::optional<double> age_ms;
};

struct FrameReport {
    int number;
    XrTime time;
    std::array<HandReport, kHandCount> hands;
};

struct PrintSettings {
    std::string space;
    bool velocities = false;
};

// With a line end. Millimetres; velocities in mm/s and rad/s.
// Flags: p position valid, P also tracked, o orientation valid, O also tracked, l linear and a angular velocity valid.
[[nodiscard]] std::string as_text(const FrameReport& frame, const PrintSettings& settings);
[[nodiscard]] std::string as_json(const FrameReport& frame, const PrintSettings& settings);

}  // namespace glove
