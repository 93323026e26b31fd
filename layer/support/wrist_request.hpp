// SPDX-License-Identifier: Apache-2.0
// How glovectl asks a running layer to measure where a wrist is, and hears how that goes: through two texts of the
// calibration file, which both look at. No port, no pipe: whichever program has the hands picks it up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/calibration_file.hpp"

namespace glove {

struct WristRequest {
    std::uint64_t number;  // milliseconds since 1970 at the time of asking, so that nobody answers an old one
    bool left;             // else right
    bool by_native_hand;   // compare with the runtime's own hand; else freeze and align
};

// The layer answers several times: "took", then "done" or "failed". In between, "waits" and "took" again: what it waits
// for is missing, and came.
struct WristAnswer {
    std::uint64_t number;
    std::string stage;  // one word
    std::string words;  // for a person
};

inline constexpr const char* kWristRequestKey = "wrist.request";
inline constexpr const char* kWristAnswerKey = "wrist.answer";
// A layer does not take up what was asked longer ago.
inline constexpr std::uint64_t kWristRequestGoodForMs = 60'000;

[[nodiscard]] std::string as_text(const WristRequest& request);
[[nodiscard]] std::optional<WristRequest> wrist_request_in(const CalibrationValues& values);
[[nodiscard]] std::string as_text(const WristAnswer& answer);
[[nodiscard]] std::optional<WristAnswer> wrist_answer_in(const CalibrationValues& values);

}  // namespace glove
