// SPDX-License-Identifier: Apache-2.0
// Bytes arrive: one UDP port, one thread, one call per datagram. The only folder that knows asio.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glove {

struct Sender {
    std::uint64_t id;  // the same for one address and port, different for others
    const char* text;  // "127.0.0.1:40123", valid during the call
};

class UdpReceiver {
public:
    struct Settings {
        std::string address;
        std::uint16_t port;                        // 0: any free one
        std::vector<std::string> allowed_senders;  // IP addresses; empty: all
    };
    // Called on the receiver's thread. `received_ns`: steady clock, taken once, here.
    using Handler =
        std::function<void(std::span<const std::byte> datagram, const Sender& sender, std::int64_t received_ns)>;

    // Largest datagram that is passed on; longer ones are counted and dropped. Larger than any known protocol's.
    static constexpr std::size_t kMaxDatagram = 8192;

    // Returns at once; binding happens on the thread, and is tried again every second while the port is taken.
    UdpReceiver(Settings settings, Handler handler);
    // Stops and joins the thread: no handler runs after it. Not from the handler.
    ~UdpReceiver();
    UdpReceiver(const UdpReceiver&) = delete;
    UdpReceiver& operator=(const UdpReceiver&) = delete;

    // The bound port; 0 while there is none.
    [[nodiscard]] std::uint16_t port() const noexcept;
    [[nodiscard]] std::uint64_t refused_senders() const noexcept;
    [[nodiscard]] std::uint64_t too_long() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glove
