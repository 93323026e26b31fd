// SPDX-License-Identifier: Apache-2.0
#include "support/wrist_request.hpp"

#include <algorithm>
#include <charconv>

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

}  // namespace glove
