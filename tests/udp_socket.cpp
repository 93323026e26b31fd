// SPDX-License-Identifier: Apache-2.0
// The one file of the tests that reads asio's headers: they cost a file more than the rest of it.
#include "udp_socket.hpp"

#include <asio.hpp>
#include <system_error>

namespace glove::test {

struct UdpSocket::Impl {
    Impl(std::uint16_t port, const char* address) : socket(context, {asio::ip::make_address(address), port}) {}

    asio::io_context context;
    asio::ip::udp::socket socket;
};

UdpSocket::UdpSocket(std::uint16_t port, const char* address) : impl_(std::make_unique<Impl>(port, address)) {
}

UdpSocket::~UdpSocket() = default;

std::uint16_t UdpSocket::port() const {
    return impl_->socket.local_endpoint().port();
}

void UdpSocket::send(std::span<const std::byte> datagram, std::uint16_t to_port, const char* to) {
    const asio::ip::address address =
        to != nullptr ? asio::ip::make_address(to) : impl_->socket.local_endpoint().address();
    impl_->socket.send_to(asio::buffer(datagram.data(), datagram.size()), {address, to_port});
}

std::vector<std::byte> UdpSocket::receive() {
    std::vector<std::byte> datagram(65'536);
    asio::ip::udp::endpoint sender;
    datagram.resize(impl_->socket.receive_from(asio::buffer(datagram), sender));
    return datagram;
}

std::uint16_t free_udp_port() {
    return UdpSocket().port();
}

bool is_free_udp_port(std::uint16_t port, const char* address) {
    try {
        const UdpSocket holder(port, address);
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

}  // namespace glove::test
