// SPDX-License-Identifier: Apache-2.0
// A socket on loopback for tests, with a port the system chose.
#pragma once

#include <asio.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glove::test {

class UdpSocket {
public:
    UdpSocket() : socket_(context_, {asio::ip::make_address_v4("127.0.0.1"), 0}) {}
    explicit UdpSocket(std::uint16_t port) : socket_(context_, {asio::ip::make_address_v4("127.0.0.1"), port}) {}

    [[nodiscard]] std::uint16_t port() const { return socket_.local_endpoint().port(); }

    void send(std::span<const std::byte> datagram, std::uint16_t to_port) {
        socket_.send_to(asio::buffer(datagram.data(), datagram.size()),
                        {asio::ip::make_address_v4("127.0.0.1"), to_port});
    }

private:
    asio::io_context context_;
    asio::ip::udp::socket socket_;
};

// One that nobody held a moment ago.
[[nodiscard]] inline std::uint16_t free_udp_port() {
    return UdpSocket().port();
}

}  // namespace glove::test
