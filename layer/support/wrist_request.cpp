// SPDX-License-Identifier: Apache-2.0
#include "support/wrist_request.hpp"

#include <algorithm>
#include <charconv>
#include <random>
#include <utility>

namespace glove {

namespace {

// The text up to the next blank, which goes too.
std::string_view take_word(std::string_view& text) noexcept {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return word;
}

bool read_number(std::string_view word, std::uint64_t& out) noexcept {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
    return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::uint64_t new_request_number() {
    std::random_device random;
    const std::uint64_t high = random();
    const std::uint64_t number = high << 32 | random();
    return number == kNobodysRequest ? 1 : number;
}

std::string as_text(const WristRequest& request) {
    return std::to_string(request.number) + (request.left ? " left" : " right") +
           (request.by_native_hand ? " auto" : " align");
}

std::optional<WristRequest> wrist_request_in(const CalibrationValues& values) {
    const std::string* text = values.find_text(kWristRequestKey);
    if (text == nullptr) {
        return std::nullopt;
    }
    std::string_view rest = *text;
    WristRequest request{};
    if (!read_number(take_word(rest), request.number)) {
        return std::nullopt;
    }
    const std::string_view hand = take_word(rest);
    const std::string_view how = take_word(rest);
    if ((hand != "left" && hand != "right") || (how != "auto" && how != "align") || !rest.empty()) {
        return std::nullopt;
    }
    request.left = hand == "left";
    request.by_native_hand = how == "auto";
    return request;
}

std::string as_text(const WristAnswer& answer) {
    std::string text = std::to_string(answer.number) + ' ' + answer.stage + ' ' + answer.words;
    text.resize(std::min(text.size(), CalibrationValues::kMaxTextBytes));
    // What the file takes; the words may hold a path.
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < 0x20 || c > 0x7e || c == '"' || c == '\\'; }, '/');
    return text;
}

std::optional<WristAnswer> wrist_answer_in(const CalibrationValues& values) {
    const std::string* text = values.find_text(kWristAnswerKey);
    if (text == nullptr) {
        return std::nullopt;
    }
    std::string_view rest = *text;
    WristAnswer answer;
    if (!read_number(take_word(rest), answer.number)) {
        return std::nullopt;
    }
    answer.stage = take_word(rest);
    answer.words = rest;
    return answer;
}

void WristRequestWatch::see(const CalibrationValues& values, std::int64_t now_ns) {
    // Between two looks it may have been asked at any time.
    const bool is_lately = looked_ns_ && now_ns - *looked_ns_ <= kGoodForNs;
    looked_ns_ = now_ns;
    const std::optional<WristRequest> request = wrist_request_in(values);
    const std::uint64_t number = request ? request->number : kNobodysRequest;
    const std::optional<WristAnswer> answer = wrist_answer_in(values);
    if (number == kNobodysRequest || (answer && answer->number == number)) {
        open_.reset();
    } else if (number != newest_) {
        open_ = is_lately ? request : std::nullopt;
        opened_ns_ = now_ns;
    }
    newest_ = number;
}

bool WristRequestWatch::open(std::int64_t now_ns) const noexcept {
    return open_ && now_ns - opened_ns_ <= kGoodForNs;
}

std::optional<WristRequest> WristRequestWatch::take() noexcept {
    return std::exchange(open_, std::nullopt);
}

}  // namespace glove
