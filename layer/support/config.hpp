// SPDX-License-Identifier: Apache-2.0
// The user's configuration file (TOML). Every value has a default, so no file is needed and no file can do harm:
// a wrong value or an unknown key is one complaint, and the default stays. samples/glove_hands.toml lists every key.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glove {

enum class LogLevel : std::uint8_t { error, warning, info, debug };

struct Config {
    struct Receiver {
        std::string address = "127.0.0.1";  // IPv4 or IPv6; one beyond this computer only with allowed_senders
        std::uint16_t port = 15001;
        std::vector<std::string> allowed_senders;  // IP addresses; empty: anyone who can reach the address
        bool operator==(const Receiver&) const = default;
    } receiver;

    struct Hand {
        double size_mm = 92;  // wrist pivot to middle knuckle; 60 to 130
        bool operator==(const Hand&) const = default;
    } hand;

    // OpenXR axes (x right, y up, z back). Turns about the fixed x, then y, then z axis.
    struct Placement {
        std::array<double, 3> position_mm;   // each within +-10000
        std::array<double, 3> rotation_deg;  // each within +-360
        bool operator==(const Placement&) const = default;
    };

    enum class WristSource : std::uint8_t { view, fixed };
    enum class FixedSpace : std::uint8_t { stage, local };

    struct Wrist {
        WristSource source = WristSource::view;
        struct View {  // in the head's frame
            Placement left{{-180, -250, -350}, {0, 0, 0}};
            Placement right{{180, -250, -350}, {0, 0, 0}};
            bool operator==(const View&) const = default;
        } view;
        struct Fixed {  // in a reference space
            FixedSpace space = FixedSpace::local;
            Placement left{{-180, -250, -350}, {0, 0, 0}};
            Placement right{{180, -250, -350}, {0, 0, 0}};
            bool operator==(const Fixed&) const = default;
        } fixed;
        bool operator==(const Wrist&) const = default;
    } wrist;

    struct Age {               // counted from the last datagram that said the hand is there
        int tracked_ms = 100;  // up to here VALID and TRACKED; 10 to 10000
        int valid_ms = 500;    // up to here VALID; then inactive; tracked_ms to 60000
        bool operator==(const Age&) const = default;
    } age;

    struct Log {
        LogLevel level = LogLevel::info;
        bool operator==(const Log&) const = default;
    } log;

    bool operator==(const Config&) const = default;
};

struct ConfigResult {
    Config config;
    std::vector<std::string> complaints;  // "FILE:LINE: what is wrong; what would be right"
};

// Never throws but std::bad_alloc. `file` is only for the complaints.
[[nodiscard]] ConfigResult parse_config(std::string_view text, std::string_view file);

// The file of paths::config_file(); defaults and no complaint where there is none.
[[nodiscard]] ConfigResult load_config();

}  // namespace glove
