// SPDX-License-Identifier: Apache-2.0
// Golden files: bytes as hexadecimal digits, where '#' begins a comment that ends with the line.
// The first line of each says where its bytes come from.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "folders.hpp"

namespace glove::test {

[[nodiscard]] inline std::vector<std::byte> bytes_from_hex(std::string_view text) {
    std::vector<std::byte> bytes;
    int high = -1;  // first digit of a pair
    bool comment = false;
    for (const char c : text) {
        if (c == '\n') {
            comment = false;
        }
        if (comment || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            continue;
        }
        if (c == '#') {
            comment = true;
            continue;
        }
        const std::size_t digit = std::string_view("0123456789abcdef0123456789ABCDEF").find(c);
        if (digit == std::string_view::npos) {
            throw std::runtime_error(std::string("not a hexadecimal digit: ") + c);
        }
        const int value = static_cast<int>(digit % 16);
        if (high < 0) {
            high = value;
        } else {
            bytes.push_back(static_cast<std::byte>(high * 16 + value));
            high = -1;
        }
    }
    if (high >= 0) {
        throw std::runtime_error("half a byte at the end");
    }
    return bytes;
}

// A file as it is, but for *.hex the bytes that its digits stand for.
[[nodiscard]] inline std::vector<std::byte> bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        throw std::runtime_error("cannot read " + file.string());
    }
    const std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (file.extension() == ".hex") {
        return bytes_from_hex(content);
    }
    std::vector<std::byte> bytes;
    for (const char c : content) {
        bytes.push_back(static_cast<std::byte>(c));
    }
    return bytes;
}

// `name` is relative to tests/golden, as in "fsnh/wrist_right_fist.hex".
[[nodiscard]] inline std::vector<std::byte> golden_file(const std::string& name) {
    return bytes_of(std::filesystem::path(GLOVE_TESTS_DIR) / "golden" / name);
}

}  // namespace glove::test
