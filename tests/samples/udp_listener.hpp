// SPDX-License-Identifier: Apache-2.0
// Hears on a loopback port of its own until the program that sends has ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "udp_socket.hpp"

namespace glove::test {

class UdpListener {
public:
    using Datagram = std::vector<std::byte>;

    UdpListener() : thread_([this] { listen(); }) {}
    ~UdpListener() { stop(); }
    UdpListener(const UdpListener&) = delete;
    UdpListener& operator=(const UdpListener&) = delete;

    [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(socket_.port()); }

    // Every datagram whose sender has ended: it is in the socket's queue by now.
    std::vector<Datagram> stop() {
        if (thread_.joinable()) {
            UdpSocket().send({}, socket_.port());
            thread_.join();
        }
        return heard_;
    }

    [[nodiscard]] bool heard_something() const { return count_ > 0; }

private:
    void listen() {
        for (;;) {
            Datagram bytes = socket_.receive();
            if (bytes.empty()) {
                return;
            }
            heard_.push_back(std::move(bytes));
            ++count_;
        }
    }

    UdpSocket socket_;
    std::vector<Datagram> heard_;
    std::atomic<int> count_{0};
    std::thread thread_;
};

}  // namespace glove::test
