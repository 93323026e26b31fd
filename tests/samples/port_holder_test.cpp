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
    if (!test::has_ipv6_loopback()) {
        GTEST_SKIP() << "this machine has no IPv6";
    }
    const test::UdpSocket socket(0, "::1");
    const auto holders = ctl::holders_of_udp_port(socket.port());
    ASSERT_EQ(holders.size(), 1u);
    EXPECT_EQ(holders[0].process, getpid());
}

TEST(PortHolder, IsNobodyWhenThePortIsFree) {
    EXPECT_TRUE(ctl::holders_of_udp_port(test::free_udp_port()).empty());
}

}  // namespace
}  // namespace glove
