// SPDX-License-Identifier: Apache-2.0
// A socket on loopback for tests, with a port the system chose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glove::test {

class UdpSocket {
public:
    // 0: the system chooses. Throws std::system_error.
    explicit UdpSocket(std::uint16_t port = 0, const char* address = "127.0.0.1");
    ~UdpSocket();

    [[nodiscard]] std::uint16_t port() const;

    // To this address of its own kind; by default to where it is itself.
    void send(std::span<const std::byte> datagram, std::uint16_t to_port, const char* to = nullptr);
    // Waits for one.
    [[nodiscard]] std::vector<std::byte> receive();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// One that nobody held a moment ago.
[[nodiscard]] std::uint16_t free_udp_port();

[[nodiscard]] bool is_free_udp_port(std::uint16_t port, const char* address = "127.0.0.1");

[[nodiscard]] inline bool has_ipv6_loopback() {
    return is_free_udp_port(0, "::1");
}

}  // namespace glove::test
