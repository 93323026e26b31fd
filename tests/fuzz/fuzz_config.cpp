// SPDX-License-Identifier: Apache-2.0
// Any bytes as a configuration file: numbers keep to the limits that config.hpp names, and every complaint is
// one short line that a terminal can be given.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "expect.hpp"
#include "support/config.hpp"
#include "support/ip_address.hpp"

namespace {

using namespace glove;

constexpr std::string_view kFile = "gloves.toml";
constexpr std::size_t kLongestComplaint = 1000;

void expect_within(const Config::Placement& placement) {
    for (const double millimetres : placement.position_mm) {
        GLOVE_FUZZ_EXPECT(std::abs(millimetres) <= 10'000);
    }
    for (const double degrees : placement.rotation_deg) {
        GLOVE_FUZZ_EXPECT(std::abs(degrees) <= 360);
    }
}

void expect_usable(const Config& config) {
    GLOVE_FUZZ_EXPECT(config.receiver.port != 0);
    GLOVE_FUZZ_EXPECT(!config.receiver.addresses.empty());
    for (const std::string& text : config.receiver.addresses) {
        const std::optional<IpAddress> address = parse_ip_address(text);
        GLOVE_FUZZ_EXPECT(address.has_value());
        // Beyond this computer nobody is heard who is not named.
        GLOVE_FUZZ_EXPECT(address->is_loopback() || !config.receiver.allowed_senders.empty());
    }
    for (const std::string& sender : config.receiver.allowed_senders) {
        GLOVE_FUZZ_EXPECT(parse_ip_network(sender).has_value());
    }
    GLOVE_FUZZ_EXPECT(config.hand.size_mm >= 60 && config.hand.size_mm <= 130);
    expect_within(config.wrist.view.left);
    expect_within(config.wrist.view.right);
    expect_within(config.wrist.fixed.left);
    expect_within(config.wrist.fixed.right);
    GLOVE_FUZZ_EXPECT(config.age.tracked_ms >= 10 && config.age.tracked_ms <= 10'000);
    GLOVE_FUZZ_EXPECT(config.age.valid_ms >= config.age.tracked_ms && config.age.valid_ms <= 60'000);
}

void expect_readable(std::string_view complaint, std::size_t lines) {
    GLOVE_FUZZ_EXPECT(complaint.size() < kLongestComplaint);
    GLOVE_FUZZ_EXPECT(std::none_of(complaint.begin(), complaint.end(), [](char character) {
        return static_cast<unsigned char>(character) < 0x20 || character == 0x7f;
    }));
    GLOVE_FUZZ_EXPECT(complaint.starts_with(kFile) && complaint[kFile.size()] == ':');
    std::size_t line = 0;
    const auto [end, error] =
        std::from_chars(complaint.data() + kFile.size() + 1, complaint.data() + complaint.size(), line);
    GLOVE_FUZZ_EXPECT(error == std::errc() && *end == ':');
    GLOVE_FUZZ_EXPECT(line >= 1 && line <= lines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ConfigResult result = parse_config(text, kFile);
    expect_usable(result.config);
    // TOML has one kind of line end; the parser counts a line more behind the last.
    const std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 2;
    for (const std::string& complaint : result.complaints) {
        expect_readable(complaint, lines);
    }
    return 0;
}
