// SPDX-License-Identifier: Apache-2.0
// The receiver on real sockets, loopback only.
// Not covered: IPv6, and receive errors, which a loopback socket on Linux does not produce on demand.
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
    return {"127.0.0.1", 0, {}};
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

TEST(UdpReceiver, CountsAndDropsWhatIsTooLong) {
    Received received;
    UdpReceiver receiver(any_port(), received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
    UdpSocket sender;
    sender.send(bytes(UdpReceiver::kMaxDatagram + 1), receiver.port());
    sender.send(bytes(UdpReceiver::kMaxDatagram + 500), receiver.port());
    sender.send(bytes(UdpReceiver::kMaxDatagram), receiver.port());
    ASSERT_TRUE(wait_for([&] { return received.count() == 1; }));
    EXPECT_EQ(receiver.too_long(), 2u);
    const std::lock_guard lock(received.mutex);
    EXPECT_EQ(received.datagrams[0].size(), UdpReceiver::kMaxDatagram);
}

TEST(UdpReceiver, IgnoresWhoIsNotOnTheListOfSenders) {
    Received received;
    UdpReceiver receiver({"127.0.0.1", 0, {"192.0.2.7"}}, received.handler());
    ASSERT_TRUE(wait_for([&] { return receiver.port() != 0; }));
    UdpSocket sender;
    sender.send(bytes(612), receiver.port());
    sender.send(bytes(612), receiver.port());
    ASSERT_TRUE(wait_for([&] { return receiver.refused_senders() == 2; }));
    EXPECT_EQ(received.count(), 0u);
}

TEST(UdpReceiver, HearsWhoIsOnTheListOfSenders) {
    Received received;
    UdpReceiver receiver({"127.0.0.1", 0, {"192.0.2.7", "127.0.0.1"}}, received.handler());
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
    UdpReceiver receiver({"127.0.0.1", port, {}}, received.handler());
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
        UdpReceiver receiver({"127.0.0.1", port, {}}, received.handler());
        ASSERT_TRUE(wait_for([&] { return receiver.port() == port; }));
    }
    EXPECT_NO_THROW(UdpSocket{port});
}

TEST(UdpReceiver, SurvivesAnAddressThisMachineDoesNotHave) {
    Received received;
    UdpReceiver receiver({"192.0.2.1", 15001, {}}, received.handler());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(receiver.port(), 0);
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
        UdpReceiver receiver({"127.0.0.1", port, {}},
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
