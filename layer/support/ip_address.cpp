// SPDX-License-Identifier: Apache-2.0
#include "support/ip_address.hpp"

#if defined(_WIN32)
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <sys/socket.h>
#endif

#include <algorithm>
#include <charconv>
#include <system_error>

namespace glove {
namespace {

constexpr int kBits = 128;
constexpr int kV4PrefixBits = 96;  // of ::ffff:0:0
constexpr std::array<std::uint8_t, 12> kV4Prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

bool is_zero(std::uint8_t byte) noexcept {
    return byte == 0;
}

}  // namespace

IpAddress IpAddress::v4(const std::array<std::uint8_t, 4>& bytes) noexcept {
    IpAddress address;
    std::copy(bytes.begin(), bytes.end(), std::copy(kV4Prefix.begin(), kV4Prefix.end(), address.bytes.begin()));
    return address;
}

bool IpAddress::is_v4() const noexcept {
    return std::equal(kV4Prefix.begin(), kV4Prefix.end(), bytes.begin());
}

bool IpAddress::is_loopback() const noexcept {
    if (is_v4()) {
        return bytes[kV4Prefix.size()] == 127;
    }
    return std::all_of(bytes.begin(), bytes.end() - 1, is_zero) && bytes.back() == 1;
}

bool IpAddress::is_any() const noexcept {
    return std::all_of(bytes.begin() + (is_v4() ? kV4Prefix.size() : 0), bytes.end(), is_zero);
}

std::optional<IpAddress> parse_ip_address(const std::string& text) noexcept {
    if (text.find('\0') != std::string::npos) {
        return std::nullopt;
    }
    std::array<std::uint8_t, 4> v4{};
    if (inet_pton(AF_INET, text.c_str(), v4.data()) == 1) {
        return IpAddress::v4(v4);
    }
    IpAddress v6;
    if (inet_pton(AF_INET6, text.c_str(), v6.bytes.data()) == 1) {
        return v6;
    }
    return std::nullopt;
}

std::string text_of(const IpAddress& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.is_v4()) {
        inet_ntop(AF_INET, address.bytes.data() + kV4Prefix.size(), text.data(), text.size());
    } else {
        inet_ntop(AF_INET6, address.bytes.data(), text.data(), text.size());
    }
    return text.data();
}

bool IpNetwork::contains(const IpAddress& other) const noexcept {
    // ::/0 is every address of IPv6, and IPv4's are none of these.
    if (other.is_v4() != (address.is_v4() && prefix_bits >= kV4PrefixBits)) {
        return false;
    }
    const auto whole = static_cast<std::ptrdiff_t>(prefix_bits / 8);
    if (!std::equal(address.bytes.begin(), address.bytes.begin() + whole, other.bytes.begin())) {
        return false;
    }
    const int rest = prefix_bits % 8;
    const auto mask = static_cast<std::uint8_t>(0xFF << (8 - rest));
    return rest == 0 ||
           ((address.bytes[static_cast<std::size_t>(whole)] ^ other.bytes[static_cast<std::size_t>(whole)]) & mask) ==
               0;
}

std::optional<IpNetwork> parse_ip_network(const std::string& text) noexcept {
    const std::size_t slash = text.find('/');
    try {
        const std::optional<IpAddress> address = parse_ip_address(text.substr(0, slash));
        if (!address || slash == std::string::npos) {
            return address ? std::optional(IpNetwork{*address, kBits}) : std::nullopt;
        }
        const bool written_as_v4 = text.find(':') == std::string::npos;
        int bits = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + slash + 1, end, bits);
        const int most = written_as_v4 ? kBits - kV4PrefixBits : kBits;
        if (error != std::errc{} || stop != end || bits < 0 || bits > most) {
            return std::nullopt;
        }
        return IpNetwork{*address, written_as_v4 ? bits + kV4PrefixBits : bits};
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

}  // namespace glove
