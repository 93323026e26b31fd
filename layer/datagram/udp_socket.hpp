// SPDX-License-Identifier: Apache-2.0
// A bound UDP socket of the system's. No child process inherits it, and it notices when the program has closed it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <system_error>

#include "support/ip_address.hpp"

#ifndef _WIN32
#include "support/own_descriptor.hpp"
#endif

namespace glove {

struct UdpEndpoint {
    IpAddress address;
    std::uint16_t port = 0;
    bool operator==(const UdpEndpoint&) const = default;
};

class UdpSocket {
public:
    UdpSocket() noexcept = default;
    ~UdpSocket() { close(); }
    UdpSocket(const UdpSocket&) = delete;
    UdpSocket& operator=(const UdpSocket&) = delete;

    // Why not; then it is closed. `hears_v4`: a socket of IPv6 takes what comes over IPv4 as well.
    [[nodiscard]] std::error_code open(const UdpEndpoint& at, bool hears_v4);
    void close() noexcept;
    [[nodiscard]] bool is_open() const noexcept;
    // It was open, and the program has closed it behind our back.
    [[nodiscard]] bool is_lost() const noexcept;
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

    enum class Took : std::uint8_t { datagram, nothing, error };
    // What has come, if anything; never waits. `buffer` is larger than any datagram.
    [[nodiscard]] Took receive(std::span<std::byte> buffer, std::size_t& size, UdpEndpoint& from,
                               std::error_code& error) const noexcept;

private:
    friend class SocketWait;
    [[nodiscard]] std::error_code bind_to(const UdpEndpoint& at, bool hears_v4);

#ifdef _WIN32
    std::uintptr_t socket_ = ~std::uintptr_t{0};  // INVALID_SOCKET
#else
    OwnDescriptor socket_;
#endif
    std::uint16_t port_ = 0;
};

// Waits for datagrams, and can be woken once and for all by another thread.
class SocketWait {
public:
    SocketWait();
    ~SocketWait();
    SocketWait(const SocketWait&) = delete;
    SocketWait& operator=(const SocketWait&) = delete;

    // Any thread, any number of times. Where the program has closed what this works with, the waiting thread looks up
    // when its time is over.
    void wake() noexcept;

    // Of up to kMostSockets; null ones are left out.
    static constexpr std::size_t kMostSockets = 16;
    void wait(std::span<const UdpSocket* const> sockets, std::chrono::milliseconds limit) const noexcept;

private:
#ifndef _WIN32
    OwnDescriptor bell_;  // a socket that nobody sends to, and that is shut down to wake
#endif
};

}  // namespace glove
