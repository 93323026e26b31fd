// SPDX-License-Identifier: Apache-2.0
// A socket on loopback for tests, with a port the system chose.
#pragma once

#include <asio.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>

namespace glove::test {

class UdpSocket {
public:
    UdpSocket() : UdpSocket(0) {}
    explicit UdpSocket(std::uint16_t port, const char* address = "127.0.0.1")
        : socket_(context_, {asio::ip::make_address(address), port}) {}

    [[nodiscard]] std::uint16_t port() const { return socket_.local_endpoint().port(); }

    // To this address of its own kind; by default to where it is itself.
    void send(std::span<const std::byte> datagram, std::uint16_t to_port, const char* to = nullptr) {
        const asio::ip::address address =
            to != nullptr ? asio::ip::make_address(to) : socket_.local_endpoint().address();
        socket_.send_to(asio::buffer(datagram.data(), datagram.size()), {address, to_port});
    }

private:
    asio::io_context context_;
    asio::ip::udp::socket socket_;
};

// One that nobody held a moment ago.
[[nodiscard]] inline std::uint16_t free_udp_port() {
    return UdpSocket().port();
}

[[nodiscard]] inline bool is_free_udp_port(std::uint16_t port, const char* address = "127.0.0.1") {
    try {
        const UdpSocket holder(port, address);
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

[[nodiscard]] inline bool has_ipv6_loopback() {
    return is_free_udp_port(0, "::1");
}

}  // namespace glove::test
