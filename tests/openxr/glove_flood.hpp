// SPDX-License-Identifier: Apache-2.0
// Both gloves at work on a thread of its own, at 1000 Hz: five times what gloves send.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "fsnh_encoding.hpp"
#include "reference_poses.hpp"
#include "udp_socket.hpp"

namespace glove::test {

class GloveFlood {
public:
    enum class Sends {
        hands,          // nothing else
        hands_and_junk  // one datagram in four is cut, changed or made up
    };

    GloveFlood(std::uint16_t port, Sends sends)
        : port_(port), sends_(sends), hands_{hand_of(Hand::left), hand_of(Hand::right)} {
        thread_ = std::thread([this] { run(); });
    }
    ~GloveFlood() {
        stop_ = true;
        thread_.join();
    }
    GloveFlood(const GloveFlood&) = delete;
    GloveFlood& operator=(const GloveFlood&) = delete;

    // A silence, as of a glove out of reach.
    void pause(bool paused) { paused_ = paused; }

    [[nodiscard]] std::uint64_t sent() const { return sent_; }

private:
    static SenderHand hand_of(Hand hand) { return to_sender(hand, reference_pose(hand, "flat").joint_in_wrist); }

    void run() {
        auto next = std::chrono::steady_clock::now();
        while (!stop_) {
            next += std::chrono::milliseconds(1);
            std::this_thread::sleep_until(next);
            if (!paused_) {
                socket_.send(datagram(), port_);
                ++sent_;
            }
        }
    }

    std::vector<std::byte> datagram() {
        FsnhHeader header;
        header.hand = sent_ % 2 == 0 ? Hand::left : Hand::right;
        header.frame_index = ++frame_index_;
        header.timestamp_ns = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
        header.new_solve = random_() % 8 != 0;
        std::vector<std::byte> bytes = wrist_datagram(header, hands_[index_of(header.hand)]);
        if (sends_ == Sends::hands_and_junk && random_() % 4 == 0) {
            spoil(bytes);
        }
        return bytes;
    }

    void spoil(std::vector<std::byte>& bytes) {
        const std::size_t at = random_() % bytes.size();
        switch (random_() % 4) {
            case 0:
                bytes.resize(at);
                break;
            case 1:
                bytes[at] ^= static_cast<std::byte>(1 + random_() % 255);
                break;
            case 2:
                bytes.resize(random_() % 9000);  // zeros behind the hand; some longer than is taken
                break;
            default:
                for (std::byte& byte : bytes) {
                    byte = static_cast<std::byte>(random_() % 256);
                }
        }
    }

    const std::uint16_t port_;
    const Sends sends_;
    const std::array<SenderHand, kHandCount> hands_;
    UdpSocket socket_;
    std::mt19937 random_{20250307};
    std::uint32_t frame_index_ = 0;
    std::atomic<std::uint64_t> sent_{0};
    std::atomic<bool> paused_{false};
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace glove::test
