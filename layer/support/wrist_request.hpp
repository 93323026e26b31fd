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
    std::uint64_t number;  // new_request_number(), so that its answer is known
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
// Of what was not asked in the file.
inline constexpr std::uint64_t kNobodysRequest = 0;

// By chance and not by a clock, which may be set back. Never kNobodysRequest.
[[nodiscard]] std::uint64_t new_request_number();

[[nodiscard]] std::string as_text(const WristRequest& request);
[[nodiscard]] std::optional<WristRequest> wrist_request_in(const CalibrationValues& values);
[[nodiscard]] std::string as_text(const WristAnswer& answer);
[[nodiscard]] std::optional<WristAnswer> wrist_answer_in(const CalibrationValues& values);

// Which request in the file is to be taken up, as the file is looked at again and again. Pure: time is a parameter, on
// the caller's steady clock, and the file's own words have no part in it.
class WristRequestWatch {
public:
    // What the file says, at the first look and whenever it changed. A request is new when it was not there at the look
    // before: what was there at the first is of an earlier time.
    void see(const CalibrationValues& values, std::int64_t now_ns);
    // It says what it said.
    void see_no_change(std::int64_t now_ns) noexcept { looked_ns_ = now_ns; }

    // Asked for lately, not taken up by this program, and not answered or taken back.
    [[nodiscard]] bool open(std::int64_t now_ns) const noexcept;
    [[nodiscard]] std::optional<WristRequest> take() noexcept;
    // Number of what the file asks for; kNobodysRequest: nothing.
    [[nodiscard]] std::uint64_t newest() const noexcept { return newest_; }

    // A person who asked has gone on to something else by then.
    static constexpr std::int64_t kGoodForNs = 60'000'000'000;

private:
    std::optional<std::int64_t> looked_ns_;
    std::uint64_t newest_ = kNobodysRequest;
    std::optional<WristRequest> open_;
    std::int64_t opened_ns_ = 0;
};

}  // namespace glove
