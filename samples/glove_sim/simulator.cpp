// SPDX-License-Identifier: Apache-2.0
#include "glove_sim/simulator.hpp"

#include <algorithm>
#include <asio.hpp>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <utility>

#ifndef _WIN32
#include <fcntl.h>
#endif

#include "glove_sim/gloves.hpp"

namespace glove {
namespace {

using Clock = std::chrono::steady_clock;
using asio::ip::udp;

// After a longer pause of the whole process (a suspended machine, a debugger) what was missed is not sent after.
constexpr auto kLongestCatchUp = std::chrono::milliseconds(250);

class Simulator {
public:
    Simulator(const SimOptions& options, const udp::endpoint& to)
        : options_(options),
          gloves_(make_gloves(options)),
          to_(to),
          socket_(io_, to.protocol()),
          timer_(io_),
          signals_(io_, SIGINT, SIGTERM) {
        inherit_by_nobody();
        for (const Hand hand : options.hands) {
            const auto seed = options.seed + static_cast<std::uint32_t>(index_of(hand));
            links_.push_back({hand, FaultyLink(options.faults, seed, [this](const auto& bytes) { transmit(bytes); })});
        }
    }
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    void run() {
        signals_.async_wait([this](const std::error_code& error, int) {
            if (!error) {
                stop();
            }
        });
        start_ = Clock::now();
        next_status_ = start_ + std::chrono::seconds(1);
        wait_for_tick();
        io_.run();
        for (Link& link : links_) {
            link.faulty.finish();
        }
        report();
    }

    [[nodiscard]] bool sending_failed() const noexcept { return sent_ == 0 && failed_ > 0; }

private:
    struct Link {
        Hand hand;
        FaultyLink faulty;
    };

    void inherit_by_nobody() {
#ifdef _WIN32
        const SOCKET socket = socket_.native_handle();
        SetHandleInformation(reinterpret_cast<HANDLE>(socket), HANDLE_FLAG_INHERIT, 0);
#else
        static_cast<void>(fcntl(socket_.native_handle(), F_SETFD, FD_CLOEXEC));
#endif
    }

    [[nodiscard]] double seconds_at(std::uint64_t tick) const {
        return static_cast<double>(tick) / options_.rate_hz;
    }

    // From the start, not from the tick before: no error adds up.
    [[nodiscard]] Clock::time_point due(std::uint64_t tick) const {
        return start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_at(tick)));
    }

    void wait_for_tick() {
        timer_.expires_at(due(tick_));
        timer_.async_wait([this](const std::error_code& error) {
            if (error) {
                return;
            }
            const auto now = Clock::now();
            if (now - due(tick_) > kLongestCatchUp) {
                start_ += now - due(tick_);
            }
            send_hands();
            ++tick_;
            if (!options_.quiet && now >= next_status_) {
                print_status(now);
            }
            if (options_.seconds > 0 && tick_ >= last_tick()) {
                stop();
            } else {
                wait_for_tick();
            }
        });
    }

    [[nodiscard]] std::uint64_t last_tick() const {
        return std::max<std::uint64_t>(1,
                                       static_cast<std::uint64_t>(std::llround(options_.seconds * options_.rate_hz)));
    }

    // Not by cancelling the timer: a tick that is already due would arm it again.
    void stop() {
        io_.stop();
    }

    void send_hands() {
        const double seconds = seconds_at(tick_);
        const bool status_is_due = tick_ == 0 || std::floor(seconds) > std::floor(seconds_at(tick_ - 1));
        for (Link& link : links_) {
            const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch());
            const Gloves::Instant at{tick_, seconds, static_cast<std::uint64_t>(now.count())};
            if (status_is_due) {
                send(link, gloves_->status(link.hand));
            }
            send(link, gloves_->sample(link.hand, hand_joints(link.hand, options_.pose, seconds), at));
        }
    }

    static void send(Link& link, Gloves::Datagrams datagrams) {
        for (auto& datagram : datagrams) {
            link.faulty.send(std::move(datagram));
        }
    }

    void transmit(const FaultyLink::Datagram& datagram) {
        std::error_code error;
        socket_.send_to(asio::buffer(datagram), to_, 0, error);
        if (!error) {
            ++sent_;
            return;
        }
        if (failed_++ == 0) {
            std::fprintf(stderr, "glove_sim: cannot send to %s:%u: %s\n", options_.host.c_str(), options_.port,
                         error.message().c_str());
        }
    }

    void print_status(Clock::time_point now) {
        const Pose pose = options_.pose == Pose::tour ? tour_stop(seconds_at(tick_)) : options_.pose;
        std::fprintf(stderr, "glove_sim: %llu datagrams/s to %s:%u, frame %llu, %s\n",
                     static_cast<unsigned long long>(sent_ - sent_at_status_), options_.host.c_str(), options_.port,
                     static_cast<unsigned long long>(tick_), name_of(pose));
        sent_at_status_ = sent_;
        while (next_status_ <= now) {
            next_status_ += std::chrono::seconds(1);
        }
    }

    void report() const {
        FaultyLink::Counts counts;
        for (const Link& link : links_) {
            counts.lost += link.faulty.counts().lost;
            counts.reordered += link.faulty.counts().reordered;
            counts.duplicated += link.faulty.counts().duplicated;
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        std::printf(
            "glove_sim: sent %llu datagrams in %.1f s, %llu frames of %zu hand(s); lost %llu, reordered %llu, "
            "duplicated %llu, failed %llu\n",
            static_cast<unsigned long long>(sent_), seconds, static_cast<unsigned long long>(tick_), links_.size(),
            static_cast<unsigned long long>(counts.lost), static_cast<unsigned long long>(counts.reordered),
            static_cast<unsigned long long>(counts.duplicated), static_cast<unsigned long long>(failed_));
    }

    const SimOptions& options_;
    std::unique_ptr<Gloves> gloves_;
    udp::endpoint to_;
    asio::io_context io_;
    udp::socket socket_;
    asio::steady_timer timer_;
    asio::signal_set signals_;
    std::vector<Link> links_;
    Clock::time_point start_;
    Clock::time_point next_status_;
    std::uint64_t tick_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t sent_at_status_ = 0;
    std::uint64_t failed_ = 0;
};

}  // namespace

int simulate(const SimOptions& options) {
    asio::io_context io;
    std::error_code error;
    const auto found = udp::resolver(io).resolve(options.host, std::to_string(options.port), error);
    if (error || found.empty()) {
        std::fprintf(stderr, "glove_sim: no address for %s: %s\n", options.host.c_str(), error.message().c_str());
        return 1;
    }
    Simulator simulator(options, found.begin()->endpoint());
    simulator.run();
    return simulator.sending_failed() ? 1 : 0;
}

}  // namespace glove
