// SPDX-License-Identifier: Apache-2.0
// Not covered: programs of other users, which an administrator sees and others do not.
#include "glovectl/port_holder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "udp_socket.hpp"

namespace glove {
namespace {

TEST(PortHolder, IsTheProcessThatBoundThePort) {
    const test::UdpSocket socket;
    const auto holders = ctl::holders_of_udp_port(socket.port());
    ASSERT_EQ(holders.size(), 1u);
    EXPECT_EQ(holders[0].process, getpid());
    EXPECT_EQ(holders[0].program, "test_monitor");
}

TEST(PortHolder, IsFoundOnIpv6Too) {
    asio::io_context context;
    std::error_code no_ipv6;
    asio::ip::udp::socket socket(context);
    socket.open(asio::ip::udp::v6(), no_ipv6);
    if (!no_ipv6) {
        socket.bind({asio::ip::make_address_v6("::1"), 0}, no_ipv6);
    }
    if (no_ipv6) {
        GTEST_SKIP() << "this machine has no IPv6";
    }
    const auto holders = ctl::holders_of_udp_port(socket.local_endpoint().port());
    ASSERT_EQ(holders.size(), 1u);
    EXPECT_EQ(holders[0].process, getpid());
}

TEST(PortHolder, IsNobodyWhenThePortIsFree) {
    EXPECT_TRUE(ctl::holders_of_udp_port(test::free_udp_port()).empty());
}

}  // namespace
}  // namespace glove
