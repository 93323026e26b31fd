// SPDX-License-Identifier: Apache-2.0
#include "datagram/udp_socket.hpp"

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>

#include <windows.h>
#else
#include <netinet/in.h>
#include <sys/socket.h>

#include <poll.h>

#include <cerrno>
#endif

#include <algorithm>
#include <array>
#include <cstring>

namespace glove {
namespace {

#ifdef _WIN32
using Number = SOCKET;
using Length = int;
using PollEntry = WSAPOLLFD;

std::error_code last_error() noexcept {
    return {WSAGetLastError(), std::system_category()};
}
bool is_nothing_there(const std::error_code& error) noexcept {
    return error.value() == WSAEWOULDBLOCK;
}
#else
using Number = int;
using Length = socklen_t;
using PollEntry = pollfd;

std::error_code last_error() noexcept {
    return {errno, std::system_category()};
}
bool is_nothing_there(const std::error_code& error) noexcept {
    return error.value() == EAGAIN || error.value() == EWOULDBLOCK || error.value() == EINTR;
}
#endif

struct SystemAddress {
    sockaddr_storage storage{};
    Length length = sizeof(sockaddr_storage);

    SystemAddress() noexcept = default;
    explicit SystemAddress(const UdpEndpoint& endpoint) noexcept {
        if (endpoint.address.is_v4()) {
            sockaddr_in v4{};
            v4.sin_family = AF_INET;
            v4.sin_port = htons(endpoint.port);
            std::memcpy(&v4.sin_addr, endpoint.address.bytes.data() + 12, 4);
            std::memcpy(&storage, &v4, length = sizeof v4);
        } else {
            sockaddr_in6 v6{};
            v6.sin6_family = AF_INET6;
            v6.sin6_port = htons(endpoint.port);
            std::memcpy(&v6.sin6_addr, endpoint.address.bytes.data(), 16);
            std::memcpy(&storage, &v6, length = sizeof v6);
        }
    }
    [[nodiscard]] sockaddr* get() noexcept { return reinterpret_cast<sockaddr*>(&storage); }
    [[nodiscard]] const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&storage); }

    [[nodiscard]] UdpEndpoint endpoint() const noexcept {
        UdpEndpoint out;
        if (storage.ss_family == AF_INET) {
            sockaddr_in v4{};
            std::memcpy(&v4, &storage, sizeof v4);
            std::array<std::uint8_t, 4> bytes{};
            std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
            out = {IpAddress::v4(bytes), ntohs(v4.sin_port)};
        } else {
            sockaddr_in6 v6{};
            std::memcpy(&v6, &storage, sizeof v6);
            std::memcpy(out.address.bytes.data(), &v6.sin6_addr, out.address.bytes.size());
            out.port = ntohs(v6.sin6_port);
        }
        return out;
    }
};

template <class Value>
std::error_code set_option(Number socket, int level, int name, Value value) noexcept {
    return setsockopt(socket, level, name, reinterpret_cast<const char*>(&value), sizeof value) == 0 ? std::error_code{}
                                                                                                     : last_error();
}

}  // namespace

#ifdef _WIN32

bool UdpSocket::is_open() const noexcept {
    return socket_ != INVALID_SOCKET;
}

bool UdpSocket::is_lost() const noexcept {
    return false;
}

void UdpSocket::close() noexcept {
    if (is_open()) {
        closesocket(socket_);
        socket_ = INVALID_SOCKET;
    }
    port_ = 0;
}

#else

bool UdpSocket::is_open() const noexcept {
    return socket_.number() >= 0;
}

bool UdpSocket::is_lost() const noexcept {
    return socket_.was_opened() && socket_.number() < 0;
}

void UdpSocket::close() noexcept {
    socket_.close();
    port_ = 0;
}

#endif

std::error_code UdpSocket::open(const UdpEndpoint& at, bool hears_v4) {
    close();
    const int family = at.address.is_v4() ? AF_INET : AF_INET6;
    std::error_code error;
#ifdef _WIN32
    socket_ = WSASocketW(family, SOCK_DGRAM, IPPROTO_UDP, nullptr, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (!is_open()) {
        error = last_error();
    }
#else
    socket_.open([&] {
        const int number = ::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_UDP);
        if (number < 0) {
            error = last_error();
        }
        return number;
    });
#endif
    if (!error) {
        error = bind_to(at, hears_v4);
    }
    if (error) {
        close();
    }
    return error;
}

std::error_code UdpSocket::bind_to(const UdpEndpoint& at, bool hears_v4) {
    std::error_code error;
#ifdef _WIN32
    const Number socket = socket_;
    u_long not_blocking = 1;
    if (ioctlsocket(socket, static_cast<long>(FIONBIO), &not_blocking) != 0) {
        return last_error();
    }
    // Otherwise a second program could bind the same port and take half of the datagrams.
    error = set_option(socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, BOOL{TRUE});
    using Flag = DWORD;
#else
    const Number socket = socket_.number();
    using Flag = int;
#endif
    if (!error && !at.address.is_v4()) {
        error = set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, static_cast<Flag>(hears_v4 ? 0 : 1));
    }
    if (error) {
        return error;
    }
    const SystemAddress wanted(at);
    SystemAddress bound;
    if (::bind(socket, wanted.get(), wanted.length) != 0 || getsockname(socket, bound.get(), &bound.length) != 0) {
        return last_error();
    }
    port_ = bound.endpoint().port;
    return {};
}

UdpSocket::Took UdpSocket::receive(std::span<std::byte> buffer, std::size_t& size, UdpEndpoint& from,
                                   std::error_code& error) const noexcept {
#ifdef _WIN32
    const Number socket = socket_;
    const auto room = static_cast<int>(buffer.size());
#else
    const Number socket = socket_.number();
    const std::size_t room = buffer.size();
#endif
    SystemAddress sender;
    const auto received =
        recvfrom(socket, reinterpret_cast<char*>(buffer.data()), room, 0, sender.get(), &sender.length);
    if (received >= 0) {
        size = static_cast<std::size_t>(received);
        from = sender.endpoint();
        return Took::datagram;
    }
    error = last_error();
    return is_nothing_there(error) ? Took::nothing : Took::error;
}

#ifdef _WIN32

SocketWait::SocketWait() {
    WSADATA data{};
    static_cast<void>(WSAStartup(MAKEWORD(2, 2), &data));
}

SocketWait::~SocketWait() {
    WSACleanup();
}

void SocketWait::wake() noexcept {
}

void SocketWait::wait(std::span<const UdpSocket* const> sockets, std::chrono::milliseconds limit) const noexcept {
    // Nothing to wake it with: it looks up often.
    const int timeout = static_cast<int>(std::min(limit, std::chrono::milliseconds(30)).count());
    std::array<PollEntry, kMostSockets> entries{};
    ULONG count = 0;
    for (const UdpSocket* socket : sockets.first(std::min(sockets.size(), kMostSockets))) {
        if (socket != nullptr && socket->is_open()) {
            entries[count++] = {socket->socket_, POLLRDNORM, 0};
        }
    }
    if (count == 0) {
        Sleep(static_cast<DWORD>(timeout));
    } else {
        WSAPoll(entries.data(), count, timeout);
    }
}

#else

SocketWait::SocketWait() {
    bell_.open([] { return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); });
}

SocketWait::~SocketWait() = default;

void SocketWait::wake() noexcept {
    if (const int bell = bell_.number(); bell >= 0) {
        shutdown(bell, SHUT_RDWR);
    }
}

void SocketWait::wait(std::span<const UdpSocket* const> sockets, std::chrono::milliseconds limit) const noexcept {
    std::array<PollEntry, kMostSockets + 1> entries{};
    nfds_t count = 0;
    entries[count++] = {bell_.number(), POLLIN, 0};  // poll() leaves out what is less than 0
    for (const UdpSocket* socket : sockets.first(std::min(sockets.size(), kMostSockets))) {
        if (socket != nullptr) {
            entries[count++] = {socket->socket_.number(), POLLIN, 0};
        }
    }
    ::poll(entries.data(), count, static_cast<int>(limit.count()));
}

#endif

}  // namespace glove
