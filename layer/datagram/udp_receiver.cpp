// SPDX-License-Identifier: Apache-2.0
#include "datagram/udp_receiver.hpp"

#include <array>
#include <asio.hpp>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "support/clock.hpp"
#include "support/log.hpp"
#include "support/own_library.hpp"
#include "support/signals_blocked.hpp"

#ifdef __linux__
#include <pthread.h>
#endif

namespace glove {

namespace {

constexpr auto kRetryAfter = std::chrono::seconds(1);

// So many receive errors in a row are a broken socket and not a few odd datagrams (Windows reports a peer's closed port
// as an error of our socket): bind again.
constexpr int kMaxErrorsInARow = 100;

asio::ip::address plain(const asio::ip::address& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped()) {
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
    }
    return address;
}

std::uint64_t id_of(const asio::ip::udp::endpoint& endpoint) {
    std::uint64_t id = endpoint.port();
    if (endpoint.address().is_v4()) {
        return id | std::uint64_t{endpoint.address().to_v4().to_uint()} << 16;
    }
    id ^= 0xCBF29CE484222325;  // FNV-1a over the 16 bytes; an IPv4 identity has its top 16 bits clear, this one not
    for (const unsigned char byte : endpoint.address().to_v6().to_bytes()) {
        id = (id ^ byte) * 0x100000001B3;
    }
    return id | std::uint64_t{1} << 63;
}

}  // namespace

struct UdpReceiver::Impl {
    Impl(Settings wanted, Handler to) : settings(std::move(wanted)), handler(std::move(to)) {
        for (const std::string& text : settings.allowed_senders) {
            std::error_code error;
            const asio::ip::address address = asio::ip::make_address(text, error);
            if (!error) {
                allowed.push_back(plain(address));
            }
        }
    }

    void bind() {
        std::error_code error;
        const asio::ip::udp::endpoint wanted(asio::ip::make_address(settings.address, error), settings.port);
        socket.close();
        if (!error) {
            error = open_at(wanted);
        }
        if (error) {
            socket.close();
            if (!complained) {
                complained = true;
                log::error(
                    "receiver: cannot listen on %s port %u: %s. Gloves stay silent until the port is free; another "
                    "program that reads gloves may hold it. Trying again every second.",
                    settings.address.c_str(), unsigned{settings.port}, error.message().c_str());
            }
            retry();
            return;
        }
        complained = false;
        log::info("receiver: listening on %s port %u", settings.address.c_str(), unsigned{bound_port.load()});
        receive();
    }

    std::error_code open_at(const asio::ip::udp::endpoint& wanted) {
        std::error_code error;
        socket.open(wanted.protocol(), error);
        if (error) {
            return error;
        }
#ifdef _WIN32
        // Otherwise a second program could bind the same port and take half of the datagrams.
        socket.set_option(asio::detail::socket_option::boolean<SOL_SOCKET, SO_EXCLUSIVEADDRUSE>(true), error);
        if (error) {
            return error;
        }
#endif
        socket.bind(wanted, error);
        if (error) {
            return error;
        }
        bound_port = socket.local_endpoint(error).port();
        return error;
    }

    void retry() {
        bound_port = 0;
        timer.expires_after(kRetryAfter);
        timer.async_wait([this](std::error_code error) {
            if (!error) {
                bind();
            }
        });
    }

    void receive() {
        socket.async_receive_from(asio::buffer(buffer), sender, [this](std::error_code error, std::size_t size) {
            if (error == asio::error::operation_aborted) {
                return;
            }
            if (error) {
                if (++errors_in_a_row >= kMaxErrorsInARow) {
                    log::error("receiver: %s, again and again; binding anew", error.message().c_str());
                    errors_in_a_row = 0;
                    socket.close();
                    retry();
                    return;
                }
            } else {
                errors_in_a_row = 0;
                pass_on(size);
            }
            receive();
        });
    }

    void pass_on(std::size_t size) {
        const std::int64_t now_ns = steady_now_ns();
        if (size > kMaxDatagram) {
            count(too_long_count);
            return;
        }
        if (!allowed.empty() && !is_allowed(plain(sender.address()))) {
            if (count(refused_count) == 1) {
                log::warning("receiver: %s is not among allowed_senders; its datagrams are ignored",
                             sender.address().to_string().c_str());
            }
            return;
        }
        if (sender != named) {
            named = sender;
            name = sender.address().to_string() + ":" + std::to_string(sender.port());
        }
        handler(std::span<const std::byte>(buffer.data(), size), Sender{id_of(sender), name.c_str()}, now_ns);
    }

    [[nodiscard]] bool is_allowed(const asio::ip::address& address) const {
        for (const asio::ip::address& other : allowed) {
            if (other == address) {
                return true;
            }
        }
        return false;
    }

    static std::uint64_t count(std::atomic<std::uint64_t>& counter) {
        return counter.fetch_add(1, std::memory_order_relaxed) + 1;
    }

    void run() noexcept {
#ifdef __linux__
        pthread_setname_np(pthread_self(), "glove_receiver");
#endif
        // A handler that throws (out of memory) costs one datagram, not the thread.
        for (;;) {
            try {
                context.run();
                return;
            } catch (const std::exception& error) {
                log::error("receiver: %s", error.what());
            } catch (...) {
                log::error("receiver: unknown exception");
            }
            if (!context.stopped() && socket.is_open()) {
                receive();
            }
        }
    }

    Settings settings;
    Handler handler;
    std::vector<asio::ip::address> allowed;

    asio::io_context context{1};
    // Else the context would stop by itself when a handler throws and leaves nothing to wait for.
    asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
    asio::ip::udp::socket socket{context};
    asio::steady_timer timer{context};
    asio::ip::udp::endpoint sender;
    asio::ip::udp::endpoint named;
    std::string name;
    // Longer than any UDP datagram: Windows answers one that does not fit with an error, Wine with a broken completion.
    std::array<std::byte, 65536> buffer{};
    int errors_in_a_row = 0;
    bool complained = false;

    std::atomic<std::uint16_t> bound_port{0};
    std::atomic<std::uint64_t> refused_count{0};
    std::atomic<std::uint64_t> too_long_count{0};

    KeepsOwnLibrary keeps_own_library;  // as long as the thread
    std::thread thread;
};

UdpReceiver::UdpReceiver(Settings settings, Handler handler)
    : impl_(std::make_unique<Impl>(std::move(settings), std::move(handler))) {
    asio::post(impl_->context, [impl = impl_.get()] { impl->bind(); });
    [[maybe_unused]] const SignalsBlocked blocked;
    impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

UdpReceiver::~UdpReceiver() {
    impl_->context.stop();
    impl_->thread.join();
}

std::uint16_t UdpReceiver::port() const noexcept {
    return impl_->bound_port.load(std::memory_order_relaxed);
}

std::uint64_t UdpReceiver::refused_senders() const noexcept {
    return impl_->refused_count.load(std::memory_order_relaxed);
}

std::uint64_t UdpReceiver::too_long() const noexcept {
    return impl_->too_long_count.load(std::memory_order_relaxed);
}

}  // namespace glove
