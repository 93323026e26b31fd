// SPDX-License-Identifier: Apache-2.0
// What our programs have learnt about a user's gloves: a small file that only programs write, beside the user's own
// configuration, which no program touches. Lines of TOML, `"key" = [1, 2.5]` or `"key" = "text"`.
// Reads and writes a file, so never on the hot path.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace glove {

// Keys are of letters, digits, '.', '_' and '-', 1 to kMaxKeyBytes of them. Numbers are finite, at most kMaxNumbers to
// a key. Texts are printable ASCII without '"' and '\', at most kMaxTextBytes.
struct CalibrationValues {
    std::map<std::string, std::vector<double>> numbers;
    std::map<std::string, std::string> texts;

    // Null when there is no such key.
    [[nodiscard]] const std::vector<double>* find_numbers(const std::string& key) const;
    [[nodiscard]] const std::string* find_text(const std::string& key) const;

    bool operator==(const CalibrationValues&) const = default;

    static constexpr std::size_t kMaxKeys = 512;
    static constexpr std::size_t kMaxKeyBytes = 160;
    static constexpr std::size_t kMaxNumbers = 512;
    static constexpr std::size_t kMaxTextBytes = 120;
};

struct CalibrationResult {
    CalibrationValues values;
    std::vector<std::string> complaints;  // "FILE:LINE: what is wrong"; that line is passed over, the others count
};

// The file of paths::calibration_file(). No values and no complaint where there is none. Never throws but
// std::bad_alloc.
[[nodiscard]] CalibrationResult load_calibration();
[[nodiscard]] CalibrationResult load_calibration(const std::filesystem::path& file);

// Puts `changes` over what the file says at that moment and keeps its other keys, whoever wrote them. The file is
// replaced as a whole or not at all. Empty when it was, else why it was not. Never throws but std::bad_alloc.
[[nodiscard]] std::string save_calibration(const CalibrationValues& changes);
[[nodiscard]] std::string save_calibration(const CalibrationValues& changes, const std::filesystem::path& file);

// What save_calibration() would say now. Changes nothing but that folder and lock are made.
[[nodiscard]] std::string why_calibration_cannot_be_saved();

// A name from outside, of any bytes, as part of a key: different names give different parts of at most 64 bytes
// (longer names but for a hash that collides).
[[nodiscard]] std::string calibration_key_part(std::string_view name);

}  // namespace glove
