// SPDX-License-Identifier: Apache-2.0
// Hears on a loopback port of its own until the program that sends has ended.
#pragma once

#include <asio.hpp>
#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace glove::test {

class UdpListener {
public:
    using Datagram = std::vector<std::byte>;

    UdpListener() : socket_(io_, {asio::ip::make_address_v4("127.0.0.1"), 0}), thread_([this] { listen(); }) {}
    ~UdpListener() { stop(); }
    UdpListener(const UdpListener&) = delete;
    UdpListener& operator=(const UdpListener&) = delete;

    [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(socket_.local_endpoint().port()); }

    // Every datagram whose sender has ended: it is in the socket's queue by now.
    std::vector<Datagram> stop() {
        if (thread_.joinable()) {
            asio::io_context io;
            asio::ip::udp::socket(io, asio::ip::udp::v4()).send_to(asio::buffer("", 0), socket_.local_endpoint());
            thread_.join();
        }
        return heard_;
    }

    [[nodiscard]] bool heard_something() const { return count_ > 0; }

private:
    void listen() {
        for (;;) {
            Datagram bytes(9000);
            asio::ip::udp::endpoint sender;
            bytes.resize(socket_.receive_from(asio::buffer(bytes), sender));
            if (bytes.empty()) {
                return;
            }
            heard_.push_back(std::move(bytes));
            ++count_;
        }
    }

    asio::io_context io_;
    asio::ip::udp::socket socket_;
    std::vector<Datagram> heard_;
    std::atomic<int> count_{0};
    std::thread thread_;
};

}  // namespace glove::test
