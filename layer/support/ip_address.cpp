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
#include <array>

namespace glove {

AddressKind address_kind(const std::string& text) noexcept {
    if (text.find('\0') != std::string::npos) {
        return AddressKind::none;
    }
    std::array<std::uint8_t, 4> v4{};
    if (inet_pton(AF_INET, text.c_str(), v4.data()) == 1) {
        return v4[0] == 127 ? AddressKind::loopback : AddressKind::other;
    }
    std::array<std::uint8_t, 16> v6{};
    if (inet_pton(AF_INET6, text.c_str(), v6.data()) == 1) {
        const bool zeros = std::all_of(v6.begin(), v6.end() - 1, [](std::uint8_t byte) { return byte == 0; });
        return zeros && v6.back() == 1 ? AddressKind::loopback : AddressKind::other;
    }
    return AddressKind::none;
}

}  // namespace glove
