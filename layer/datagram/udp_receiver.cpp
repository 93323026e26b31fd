// SPDX-License-Identifier: Apache-2.0
// Sockets of the system's and nothing above them: what a program may close behind our back is then ours to check, and
// what wakes the thread is not all that ends it.
#include "datagram/udp_receiver.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "datagram/listen_failure.hpp"
#include "datagram/port_wanted.hpp"
#include "datagram/udp_socket.hpp"
#include "support/clock.hpp"
#include "support/log.hpp"
#include "support/own_thread.hpp"

namespace glove {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kRetryNs = 1000 * kNsPerMs;
constexpr std::int64_t kKeepUnneededNs = 1000 * kNsPerMs;
constexpr std::int64_t kBetweenLooksNs = 200 * kNsPerMs;  // for a program that wants the port
constexpr std::chrono::milliseconds kLongestWait(250);    // so the thread ends even when nothing wakes it

// So many receive errors in a row are a broken socket and not a few odd datagrams (Windows reports a peer's closed port
// as an error of our socket): bind again.
constexpr int kMaxErrorsInARow = 100;

// Of one socket before the others have their turn.
constexpr int kMostInATurn = 32;

constexpr std::size_t kBufferSize = 65'536;

std::uint64_t id_of(const UdpEndpoint& endpoint) noexcept {
    std::uint64_t id = endpoint.port;
    if (endpoint.address.is_v4()) {
        for (std::size_t i = 12; i < 16; ++i) {
            id |= std::uint64_t{endpoint.address.bytes[i]} << (8 * i - 80);
        }
        return id;
    }
    id ^= 0xCBF29CE484222325;  // FNV-1a over the 16 bytes; an IPv4 identity has its top 16 bits clear, this one not
    for (const std::uint8_t byte : endpoint.address.bytes) {
        id = (id ^ byte) * 0x100000001B3;
    }
    return id | std::uint64_t{1} << 63;
}

std::string text_of(const UdpEndpoint& endpoint) {
    const std::string address = text_of(endpoint.address);
    return (endpoint.address.is_v4() ? address : '[' + address + ']') + ':' + std::to_string(endpoint.port);
}

// Each once, and none that another one of them covers.
std::vector<IpAddress> addresses_of(const std::vector<std::string>& texts) {
    std::vector<IpAddress> all;
    for (const std::string& text : texts) {
        const std::optional<IpAddress> address = parse_ip_address(text);
        if (address && std::find(all.begin(), all.end(), *address) == all.end()) {
            all.push_back(*address);
        }
    }
    std::vector<IpAddress> needed;
    std::copy_if(all.begin(), all.end(), std::back_inserter(needed), [&all](const IpAddress& one) {
        return one.is_any() || std::none_of(all.begin(), all.end(), [&one](const IpAddress& other) {
                   return other.is_any() && other.is_v4() == one.is_v4();
               });
    });
    if (needed.size() > SocketWait::kMostSockets) {
        needed.resize(SocketWait::kMostSockets);
    }
    return needed;
}

}  // namespace

struct UdpReceiver::Impl {
    struct Listener {
        explicit Listener(const IpAddress& where) : address(where) {}
        IpAddress address;
        UdpSocket socket;
        std::string problem;    // empty: none
        bool taken = false;     // by another program; that is the problem
        bool left_out = false;  // this machine has no such loopback
        int errors_in_a_row = 0;
    };

    Impl(Settings to_have, Handler to) : settings(std::move(to_have)), handler(std::move(to)) {
        for (const std::string& text : settings.allowed_senders) {
            if (const std::optional<IpNetwork> network = parse_ip_network(text)) {
                allowed.push_back(*network);
            }
        }
        for (const IpAddress& address : addresses_of(settings.addresses)) {
            listeners.push_back(std::make_unique<Listener>(address));
            hears_v4_over_v6 = hears_v4_over_v6 && !address.is_v4();
        }
    }

    void run() noexcept {
        while (!stopping) {
            // Out of memory costs a turn or a datagram, not the thread.
            try {
                turn();
            } catch (const std::exception& error) {
                log::error("receiver: %s", error.what());
            } catch (...) {
                log::error("receiver: unknown exception");
            }
        }
        close_all();
    }

    void turn() {
        const std::int64_t now_ns = steady_now_ns();
        look_who_needs_it(now_ns);
        if (!given_away && (now_ns >= try_again_ns || any_lost())) {
            open_missing(now_ns);
        }
        std::array<const UdpSocket*, SocketWait::kMostSockets> sockets{};
        for (std::size_t i = 0; i < listeners.size(); ++i) {
            sockets[i] = &listeners[i]->socket;
        }
        waiting.wait(sockets, kLongestWait);
        for (const std::unique_ptr<Listener>& listener : listeners) {
            receive(*listener);
        }
    }

    void look_who_needs_it(std::int64_t now_ns) {
        const std::int64_t since_ns = unneeded_since_ns;
        if (since_ns == 0) {
            if (std::exchange(given_away, false)) {
                try_again_ns = now_ns;
            }
            return;
        }
        asking.reset();
        if (given_away || now_ns - since_ns < kKeepUnneededNs || now_ns < look_ns || bound_port == 0) {
            return;
        }
        look_ns = now_ns + kBetweenLooksNs;
        if (is_wanted(bound_port)) {
            log::info("receiver: port %u goes to another program, which has the focus", unsigned{bound_port.load()});
            close_all();
            given_away = true;
        }
    }

    [[nodiscard]] bool any_lost() const noexcept {
        return std::any_of(listeners.begin(), listeners.end(),
                           [](const auto& listener) { return listener->socket.is_lost(); });
    }

    void open_missing(std::int64_t now_ns) {
        try_again_ns = now_ns + kRetryNs;
        for (const std::unique_ptr<Listener>& listener : listeners) {
            if (!listener->left_out && !listener->socket.is_open()) {
                open(*listener);
            }
        }
        publish_addresses();
        if (unneeded_since_ns == 0 &&
            std::any_of(listeners.begin(), listeners.end(), [](const auto& listener) { return listener->taken; })) {
            asking.emplace(settings.port);
        } else {
            asking.reset();
        }
    }

    void open(Listener& listener) {
        const std::string where = text_of(listener.address);
        if (listener.socket.is_lost()) {
            log::warning("receiver: this program has closed our socket on %s; opening it anew", where.c_str());
        }
        const std::uint16_t port = settings.port != 0 ? settings.port : chosen_port;
        const std::error_code error = listener.socket.open({listener.address, port}, hears_v4_over_v6);
        if (!error) {
            listener.problem.clear();
            listener.taken = false;
            listener.errors_in_a_row = 0;
            chosen_port = listener.socket.port();
            return;
        }
        const ListenFailure why = listen_failure(error);
        if (why == ListenFailure::no_such_address && listener.address.is_loopback() && listeners.size() > 1) {
            listener.left_out = true;
            return;
        }
        std::string problem = error.message() + ". " + remedy_of(why, port);
        if (problem != listener.problem) {
            log::error("receiver: cannot listen on %s port %u: %s Trying again every second.", where.c_str(),
                       unsigned{port}, problem.c_str());
        }
        listener.problem = std::move(problem);
        listener.taken = why == ListenFailure::port_taken;
    }

    // For whoever asks; a line where that is news. The port comes last: who sees it finds the rest done.
    void publish_addresses() {
        std::vector<Address> now;
        std::string bound;
        for (const std::unique_ptr<Listener>& listener : listeners) {
            if (listener->left_out) {
                continue;
            }
            now.push_back({text_of(listener->address), listener->problem, listener->taken});
            if (listener->socket.is_open()) {
                bound += (bound.empty() ? "" : " and ") + now.back().text;
            }
        }
        if (bound.empty()) {
            bound_port = chosen_port = 0;
        }
        const std::lock_guard lock(published_mutex);
        if (now != published && !bound.empty()) {
            log::info("receiver: listening on %s port %u", bound.c_str(), unsigned{chosen_port});
        }
        published = std::move(now);
        bound_port = chosen_port;
    }

    void close_all() noexcept {
        for (const std::unique_ptr<Listener>& listener : listeners) {
            listener->socket.close();
        }
        asking.reset();
        bound_port = chosen_port = 0;
        const std::lock_guard lock(published_mutex);
        published.clear();
    }

    void receive(Listener& listener) {
        for (int i = 0; i < kMostInATurn && !stopping && listener.socket.is_open(); ++i) {
            std::size_t size = 0;
            UdpEndpoint sender;
            std::error_code error;
            switch (listener.socket.receive(buffer, size, sender, error)) {
                case UdpSocket::Took::nothing:
                    return;
                case UdpSocket::Took::datagram:
                    listener.errors_in_a_row = 0;
                    pass_on(std::span(buffer).first(size), sender);
                    break;
                case UdpSocket::Took::error:
                    if (++listener.errors_in_a_row >= kMaxErrorsInARow) {
                        log::error("receiver: %s, again and again; binding anew", error.message().c_str());
                        listener.socket.close();
                        try_again_ns = steady_now_ns() + kRetryNs;
                        listener.problem = error.message() + '.';
                        publish_addresses();
                    }
                    break;
            }
        }
    }

    void pass_on(std::span<const std::byte> datagram, const UdpEndpoint& sender) {
        const std::int64_t now_ns = steady_now_ns();
        if (!allowed.empty() && std::none_of(allowed.begin(), allowed.end(), [&sender](const IpNetwork& network) {
                return network.contains(sender.address);
            })) {
            if (refused_count.fetch_add(1, std::memory_order_relaxed) == 0) {
                log::warning("receiver: %s is not among allowed_senders; its datagrams are ignored",
                             text_of(sender.address).c_str());
            }
            return;
        }
        if (sender != named) {
            name = text_of(sender);
            named = sender;
        }
        handler(datagram, Sender{id_of(sender), name.c_str()}, now_ns);
    }

    Settings settings;
    Handler handler;
    std::vector<IpNetwork> allowed;
    SocketWait waiting;
    std::vector<std::unique_ptr<Listener>> listeners;
    std::optional<PortWanted> asking;
    std::int64_t try_again_ns = 0;
    std::int64_t look_ns = 0;
    std::uint16_t chosen_port = 0;  // of our open sockets; 0: none is
    UdpEndpoint named;
    std::string name;
    // Longer than any UDP datagram: Windows answers one that does not fit with an error.
    std::array<std::byte, kBufferSize> buffer{};

    std::atomic<std::int64_t> unneeded_since_ns{0};  // 0: needed
    std::atomic<std::uint64_t> refused_count{0};
    std::mutex published_mutex;
    std::vector<Address> published;
    std::atomic<std::uint16_t> bound_port{0};
    bool hears_v4_over_v6 = true;  // while no address of IPv4 is listened on by itself
    bool given_away = false;
    std::atomic<bool> stopping{false};

    std::optional<OwnThread> thread;
};

UdpReceiver::UdpReceiver(Settings settings, Handler handler)
    : impl_(std::make_unique<Impl>(std::move(settings), std::move(handler))) {
    impl_->thread.emplace("glove_receiver", [impl = impl_.get()] { impl->run(); });
}

UdpReceiver::~UdpReceiver() {
    if (impl_ != nullptr) {
        static_cast<void>(stop(std::chrono::steady_clock::now() + kLongestStop));
    }
}

void UdpReceiver::set_needed(bool needed) noexcept {
    if (needed) {
        impl_->unneeded_since_ns = 0;
    } else if (impl_->unneeded_since_ns == 0) {
        impl_->unneeded_since_ns = steady_now_ns();
    }
}

void UdpReceiver::begin_to_stop() noexcept {
    impl_->stopping = true;
    impl_->waiting.wake();
}

bool UdpReceiver::stop(std::chrono::steady_clock::time_point deadline) noexcept {
    begin_to_stop();
    if (impl_->thread->join_until(deadline)) {
        return true;
    }
    static_cast<void>(impl_.release());  // its thread's
    return false;
}

std::uint16_t UdpReceiver::port() const noexcept {
    return impl_->bound_port.load();
}

std::vector<UdpReceiver::Address> UdpReceiver::addresses() const {
    const std::lock_guard lock(impl_->published_mutex);
    return impl_->published;
}

std::uint64_t UdpReceiver::refused_senders() const noexcept {
    return impl_->refused_count.load(std::memory_order_relaxed);
}

}  // namespace glove
