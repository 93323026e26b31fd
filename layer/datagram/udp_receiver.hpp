// SPDX-License-Identifier: Apache-2.0
// Bytes arrive: one UDP port of one or several addresses, one thread, one call per datagram.
#pragma once

#include <chrono>
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
    const char* text;  // "127.0.0.1:40123", "[::1]:40123"; valid during the call
};

class UdpReceiver {
public:
    struct Settings {
        // Each is listened on. A loopback address that this machine does not have is left out without a word where
        // another one is named, and so is what 0.0.0.0 or :: covers already.
        std::vector<std::string> addresses;
        std::uint16_t port;                        // 0: any free one
        std::vector<std::string> allowed_senders;  // addresses and networks; empty: all
    };
    // Called on the receiver's thread. `received_ns`: steady clock, taken once, here.
    using Handler =
        std::function<void(std::span<const std::byte> datagram, const Sender& sender, std::int64_t received_ns)>;

    // UDP carries no more: every datagram is passed on whole.
    static constexpr std::size_t kMaxDatagram = 65'507;
    // A thread that does nothing unforeseen ends within half of it, whatever happened to its sockets.
    static constexpr std::chrono::milliseconds kLongestStop{600};

    // Returns at once; binding happens on the thread, and what cannot be bound is tried again every second.
    UdpReceiver(Settings settings, Handler handler);
    ~UdpReceiver();
    UdpReceiver(const UdpReceiver&) = delete;
    UdpReceiver& operator=(const UdpReceiver&) = delete;

    // While it is not needed, it gives its port away after a second to a program that waits for it with need, and does
    // not ask for one. Needed again, it comes back. Needed from the beginning.
    void set_needed(bool needed) noexcept;

    // The thread is to end; returns at once.
    void begin_to_stop() noexcept;
    // Stops and waits for the thread: no handler runs after it. Not from the handler. False when the thread did not end
    // by then, or stayed behind in the process that forked this one: then it is left alone, and what the handler uses
    // must stay.
    [[nodiscard]] bool stop(std::chrono::steady_clock::time_point deadline) noexcept;

    // The bound port; 0 while there is none.
    [[nodiscard]] std::uint16_t port() const noexcept;
    // Where it listens, and where it means to and cannot. Empty before the first try.
    struct Address {
        std::string text;
        std::string problem;  // and its remedy; empty: bound
        bool taken;           // by another program
        bool operator==(const Address&) const = default;
    };
    [[nodiscard]] std::vector<Address> addresses() const;
    // Datagrams dropped because of who sent them.
    [[nodiscard]] std::uint64_t refused_senders() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glove
