// SPDX-License-Identifier: Apache-2.0
// The receiver on real sockets, loopback only. What becomes of them in a process of others:
// in_other_processes_test.cpp. Not covered: receive errors, which a loopback socket on Linux does not produce on
// demand.
#include "datagram/udp_receiver.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "support/clock.hpp"
#include "udp_socket.hpp"
#include "wait_for.hpp"

namespace glove {
namespace {

using test::free_udp_port;
using test::UdpSocket;
using test::wait_for;

struct Received {
    std::mutex mutex;
    std::vector<std::vector<std::byte>> datagrams;
    std::set<std::uint64_t> ids;
    std::string last_sender;
    std::int64_t last_ns = 0;

    UdpReceiver::Handler handler() {
        return [this](std::span<const std::byte> datagram, const Sender& sender, std::int64_t received_ns) {
            const std::lock_guard lock(mutex);
            datagrams.emplace_back(datagram.begin(), datagram.end());
            ids.insert(sender.id);
            last_sender = sender.text;
            last_ns = received_ns;
        };
    }
    std::size_t count() {
        const std::lock_guard lock(mutex);
        return datagrams.size();
    }
};

std::vector<std::byte> bytes(std::size_t size, unsigned char value = 0x5A) {
    return std::vector<std::byte>(size, std::byte{value});
}

UdpReceiver::Settings any_port() {
    return {{"127.0.0.1"}, 0, {}};
}

std::string problem_of(const UdpReceiver& receiver) {
    std::string problem;
    EXPECT_TRUE(wait_for([&] {
        const auto addresses = receiver.addresses();
        problem = addresses.empty() ? "" : addresses[0].problem;
        return !problem.empty();
    }));
    return problem;
}

TEST(UdpReceiver, PassesOnEveryByteOfADatagram) {
    Received received;
    UdpReceiver receiver(any_port(), received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));

    std::vector<std::byte> sent(612);
    for (std::size_t i = 0; i < sent.size(); ++i) {
        sent[i] = static_cast<std::byte>(i * 7);
    }
    UdpSocket sender;
    const std::int64_t before_ns = steady_now_ns();
    sender.send(sent, receiver.port());
    ASSERT_TRUE(wait_for([&] { return received.count() == 1; }));

    const std::lock_guard lock(received.mutex);
    EXPECT_EQ(received.datagrams.front(), sent);
    EXPECT_EQ(received.last_sender, "127.0.0.1:" + std::to_string(sender.port()));
    EXPECT_GE(received.last_ns, before_ns);
    EXPECT_LE(received.last_ns, steady_now_ns());
}

TEST(UdpReceiver, TellsTwoSendersApart) {
    Received received;
    UdpReceiver receiver(any_port(), received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
    UdpSocket one;
    UdpSocket other;
    for (int i = 0; i < 3; ++i) {
        one.send(bytes(8), receiver.port());
        other.send(bytes(8), receiver.port());
    }
    ASSERT_TRUE(wait_for([&] { return received.count() == 6; }));
    const std::lock_guard lock(received.mutex);
    EXPECT_EQ(received.ids.size(), 2u);
}

TEST(UdpReceiver, PassesOnAnEmptyDatagramAndGoesOn) {
    Received received;
    UdpReceiver receiver(any_port(), received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
    UdpSocket sender;
    sender.send({}, receiver.port());
    sender.send(bytes(5), receiver.port());
    ASSERT_TRUE(wait_for([&] { return received.count() == 2; }));
    const std::lock_guard lock(received.mutex);
    EXPECT_EQ(received.datagrams[0].size(), 0u);
    EXPECT_EQ(received.datagrams[1].size(), 5u);
}

TEST(UdpReceiver, PassesOnTheLongestDatagramThereIs) {
    Received received;
    UdpReceiver receiver(any_port(), received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
    UdpSocket sender;
    for (const std::size_t size : {std::size_t{8193}, UdpReceiver::kMaxDatagram}) {
        sender.send(bytes(size), receiver.port());
    }
    ASSERT_TRUE(wait_for([&] { return received.count() == 2; }));
    const std::lock_guard lock(received.mutex);
    EXPECT_EQ(received.datagrams[0], bytes(8193));
    EXPECT_EQ(received.datagrams[1], bytes(UdpReceiver::kMaxDatagram));
}

// What "localhost" is on a machine, senders do not ask.
TEST(UdpReceiver, HearsEachOfItsAddressesOnOnePort) {
    if (!test::has_ipv6_loopback()) {
        GTEST_SKIP() << "this machine has no IPv6";
    }
    Received received;
    UdpReceiver receiver({{"127.0.0.1", "::1", "127.0.0.7"}, 0, {}}, received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.addresses().size() == 3; }));
    UdpSocket of_v4(0, "127.0.0.1");
    UdpSocket of_v6(0, "::1");
    of_v4.send(bytes(4), receiver.port());
    ASSERT_TRUE(wait_for([&] { return received.count() == 1; }));
    of_v4.send(bytes(5), receiver.port(), "127.0.0.7");
    ASSERT_TRUE(wait_for([&] { return received.count() == 2; }));
    of_v6.send(bytes(6), receiver.port());
    ASSERT_TRUE(wait_for([&] { return received.count() == 3; }));
    const std::lock_guard lock(received.mutex);
    EXPECT_EQ(received.ids.size(), 2u);
    EXPECT_EQ(received.last_sender, "[::1]:" + std::to_string(of_v6.port()));
    EXPECT_EQ(received.datagrams[2], bytes(6));
}

TEST(UdpReceiver, GoesByTheNetworksOfItsListForBothKindsOfAddresses) {
    if (!test::has_ipv6_loopback()) {
        GTEST_SKIP() << "this machine has no IPv6";
    }
    for (const bool allowed : {true, false}) {
        Received received;
        // Where no address of IPv4 is listed, :: hears both, and IPv4 comes as ::ffff:127.0.0.1.
        UdpReceiver receiver({{"::"}, 0, {allowed ? "127.0.0.0/8" : "10.0.0.0/8", allowed ? "::/64" : "fd00::/8"}},
                             received.handler());
        ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
        UdpSocket(0, "127.0.0.1").send(bytes(4), receiver.port());
        UdpSocket(0, "::1").send(bytes(6), receiver.port());
        ASSERT_TRUE(wait_for([&] { return received.count() + receiver.refused_senders() == 2; }));
        EXPECT_EQ(receiver.refused_senders(), allowed ? 0u : 2u);
    }
}

TEST(UdpReceiver, ListensOnceWhereOneOfItsAddressesCoversAnother) {
    Received received;
    const std::uint16_t port = free_udp_port();
    UdpReceiver receiver({{"127.0.0.1", "0.0.0.0", "127.0.0.1"}, port, {"127.0.0.1"}}, received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() == port; }));
    EXPECT_EQ(receiver.addresses(), (std::vector<UdpReceiver::Address>{{"0.0.0.0", "", false}}));
}

TEST(UdpReceiver, IgnoresWhoIsNotOnTheListOfSenders) {
    Received received;
    UdpReceiver receiver({{"127.0.0.1"}, 0, {"192.0.2.7", "126.0.0.0/8", "127.0.0.2/31", "::/0"}}, received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
    UdpSocket sender;
    sender.send(bytes(612), receiver.port());
    sender.send(bytes(612), receiver.port());
    ASSERT_TRUE(wait_for([&] { return receiver.refused_senders() == 2; }));
    EXPECT_EQ(received.count(), 0u);
}

TEST(UdpReceiver, HearsWhoIsOnTheListOfSenders) {
    Received received;
    UdpReceiver receiver({{"127.0.0.1"}, 0, {"192.0.2.7", "127.0.0.1"}}, received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
    UdpSocket sender;
    sender.send(bytes(612), receiver.port());
    ASSERT_TRUE(wait_for([&] { return received.count() == 1; }));
    EXPECT_EQ(receiver.refused_senders(), 0u);
}

TEST(UdpReceiver, WaitsForATakenPortAndBindsWhenItIsFree) {
    Received received;
    auto holder = std::make_unique<UdpSocket>();
    const std::uint16_t port = holder->port();
    UdpReceiver receiver({{"127.0.0.1"}, port, {}}, received.handler());
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(receiver.port(), 0);

    holder.reset();
    ASSERT_TRUE(wait_for([&] { return receiver.port() == port; }));
    UdpSocket().send(bytes(3), port);
    EXPECT_TRUE(wait_for([&] { return received.count() == 1; }));
}

TEST(UdpReceiver, GivesThePortBackWhenItEnds) {
    Received received;
    const std::uint16_t port = free_udp_port();
    {
        UdpReceiver receiver({{"127.0.0.1"}, port, {}}, received.handler());
        ASSERT_TRUE(wait_for([&] { return receiver.port() == port; }));
    }
    EXPECT_NO_THROW(UdpSocket{port});
}

TEST(UdpReceiver, SaysOfEachAddressWhyItCannotListenAndWhatToDo) {
    Received received;
    const UdpSocket holder;
    UdpReceiver taken({{"127.0.0.1"}, holder.port(), {}}, received.handler());
    EXPECT_NE(problem_of(taken).find("Another program has this port"), std::string::npos) << problem_of(taken);
    EXPECT_TRUE(taken.addresses()[0].taken);

    UdpReceiver mistyped({{"192.0.2.1"}, free_udp_port(), {}}, received.handler());
    EXPECT_NE(problem_of(mistyped).find("This computer has no such address"), std::string::npos);
    EXPECT_EQ(problem_of(mistyped).find("nother program"), std::string::npos) << problem_of(mistyped);
    EXPECT_FALSE(mistyped.addresses()[0].taken);
    EXPECT_EQ(mistyped.port(), 0);
}

TEST(UdpReceiver, ListensWhereItCanWhileAnotherAddressIsTaken) {
    Received received;
    auto holder = std::make_unique<UdpSocket>();
    const std::uint16_t port = holder->port();
    UdpReceiver receiver({{"127.0.0.1", "127.0.0.7"}, port, {}}, received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.addresses().size() == 2; }));
    EXPECT_TRUE(receiver.addresses()[0].taken);
    EXPECT_EQ(receiver.addresses()[1], (UdpReceiver::Address{"127.0.0.7", "", false}));
    EXPECT_EQ(receiver.port(), port);
    holder.reset();
    EXPECT_TRUE(wait_for([&] { return receiver.addresses()[0].problem.empty(); }));
}

TEST(UdpReceiver, GivesItsPortToWhoNeedsItAndComesBack) {
    Received received;
    const std::uint16_t port = free_udp_port();
    const UdpReceiver::Settings settings{{"127.0.0.1"}, port, {}};
    UdpReceiver first(settings, received.handler());
    ASSERT_TRUE(wait_for([&] { return first.port() == port; }));
    first.set_needed(false);
    {
        // Nobody needs it.
        UdpReceiver idle(settings, received.handler());
        idle.set_needed(false);
        ASSERT_TRUE(problem_of(idle).find("Another program") != std::string::npos);
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        EXPECT_EQ(first.port(), port);
    }
    UdpReceiver second(settings, received.handler());
    ASSERT_TRUE(wait_for([&] { return second.port() == port; }));
    EXPECT_EQ(first.port(), 0);

    first.set_needed(true);
    second.set_needed(false);
    ASSERT_TRUE(wait_for([&] { return first.port() == port; }));
    EXPECT_EQ(second.port(), 0);
    UdpSocket().send(bytes(3), port);
    EXPECT_TRUE(wait_for([&] { return received.count() == 1; }));
}

TEST(UdpReceiver, KeepsItsPortWhileItIsNeededWhoeverElseNeedsIt) {
    Received received;
    const std::uint16_t port = free_udp_port();
    UdpReceiver first({{"127.0.0.1"}, port, {}}, received.handler());
    ASSERT_TRUE(wait_for([&] { return first.port() == port; }));
    first.set_needed(false);
    first.set_needed(true);
    UdpReceiver second({{"127.0.0.1"}, port, {}}, received.handler());
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    EXPECT_EQ(first.port(), port);
    EXPECT_EQ(second.port(), 0);
}

TEST(UdpReceiver, EndsAThousandTimesWhileDatagramsArrive) {
    const std::uint16_t port = free_udp_port();
    std::atomic<bool> stop{false};
    std::thread flood([&] {
        UdpSocket sender;
        while (!stop) {
            sender.send(bytes(612), port);
        }
    });
    std::atomic<std::uint64_t> heard{0};
    for (int i = 0; i < 1000; ++i) {
        UdpReceiver receiver({{"127.0.0.1"}, port, {}},
                             [&](std::span<const std::byte>, const Sender&, std::int64_t) { ++heard; });
        if (i % 100 == 0) {
            ASSERT_TRUE(wait_for([&, before = heard.load()] { return heard > before; }));
        }
    }
    stop = true;
    flood.join();
}

TEST(UdpReceiver, LosesOneDatagramAndNotItsThreadWhenTheHandlerThrows) {
    std::atomic<int> calls{0};
    UdpReceiver receiver(any_port(), [&](std::span<const std::byte>, const Sender&, std::int64_t) {
        if (++calls == 1) {
            throw std::bad_alloc();
        }
    });
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
    UdpSocket sender;
    sender.send(bytes(1), receiver.port());
    sender.send(bytes(1), receiver.port());
    EXPECT_TRUE(wait_for([&] { return calls == 2; }));
}

}  // namespace
}  // namespace glove
