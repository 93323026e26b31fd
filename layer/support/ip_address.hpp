// SPDX-License-Identifier: Apache-2.0
// IP addresses as the configuration writes them and as sockets give them. Literals alone: host names are none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace glove {

// IPv4 is kept as sockets of IPv6 show it (::ffff:a.b.c.d), so one address is equal however it came.
struct IpAddress {
    std::array<std::uint8_t, 16> bytes{};

    [[nodiscard]] static IpAddress v4(const std::array<std::uint8_t, 4>& bytes) noexcept;
    [[nodiscard]] bool is_v4() const noexcept;
    // 127.0.0.0/8 or ::1: only programs of this computer reach it.
    [[nodiscard]] bool is_loopback() const noexcept;
    // 0.0.0.0 or ::, which stands for all addresses of this computer.
    [[nodiscard]] bool is_any() const noexcept;
    bool operator==(const IpAddress&) const = default;
};

[[nodiscard]] std::optional<IpAddress> parse_ip_address(const std::string& text) noexcept;
[[nodiscard]] std::string text_of(const IpAddress& address);

// "192.168.1.0/24", "fd00::/8"; one address is a network of its own.
struct IpNetwork {
    IpAddress address;
    int prefix_bits;  // of the 128

    [[nodiscard]] bool contains(const IpAddress& other) const noexcept;
};

[[nodiscard]] std::optional<IpNetwork> parse_ip_network(const std::string& text) noexcept;

}  // namespace glove
