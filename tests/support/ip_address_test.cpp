// SPDX-License-Identifier: Apache-2.0
// Not covered: whether this computer has the address; binding to it tells.
#include "support/ip_address.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace glove {
namespace {

TEST(IpAddress, KnowsWhatOnlyThisComputerReaches) {
    for (const char* text : {"127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"}) {
        const auto address = parse_ip_address(text);
        EXPECT_TRUE(address && address->is_loopback()) << text;
    }
}

TEST(IpAddress, TakesEveryOtherAddressAsReachable) {
    for (const char* text : {"0.0.0.0", "::", "192.168.1.20", "128.0.0.1", "126.255.255.255", "255.255.255.255",
                             "fe80::1", "::2", "1::1", "::ffff:128.0.0.1", "::127.0.0.1"}) {
        const auto address = parse_ip_address(text);
        EXPECT_TRUE(address && !address->is_loopback()) << text;
    }
}

TEST(IpAddress, TakesNothingButLiterals) {
    for (const char* text :
         {"", "localhost", "glove.local", "127.0.0", "127.1", "127.0.0.256", "127.0.0.1.2", " 127.0.0.1", "127.0.0.1 ",
          "127.0.0.1:15001", "[::1]", "::1::", "12345::", "*", "0x7f.0.0.1", "127.0.0.1/8"}) {
        EXPECT_FALSE(parse_ip_address(text)) << text;
    }
    EXPECT_FALSE(parse_ip_address(std::string("127.0.0.1\0", 10)));
}

TEST(IpAddress, IsTheSameHoweverItIsWritten) {
    EXPECT_EQ(parse_ip_address("::ffff:192.168.1.20"), parse_ip_address("192.168.1.20"));
    EXPECT_EQ(text_of(*parse_ip_address("::ffff:192.168.1.20")), "192.168.1.20");
    EXPECT_EQ(text_of(*parse_ip_address("FD00:0:0::7")), "fd00::7");
}

TEST(IpNetwork, HoldsItsOwnAddressesAndNoOthers) {
    struct Case {
        const char* network;
        std::vector<const char*> in;
        std::vector<const char*> out;
    };
    for (const Case& one : std::vector<Case>{
             {"192.168.1.0/24",
              {"192.168.1.0", "192.168.1.255", "::ffff:192.168.1.7"},
              {"192.168.0.255", "192.168.2.0", "::192.168.1.1", "fd00::1"}},
             {"192.168.1.20", {"192.168.1.20"}, {"192.168.1.21"}},
             {"192.168.1.20/28", {"192.168.1.16", "192.168.1.31"}, {"192.168.1.15", "192.168.1.32"}},
             {"10.0.0.0/9", {"10.127.255.255"}, {"10.128.0.0", "9.255.255.255"}},
             {"0.0.0.0/0", {"0.0.0.0", "255.255.255.255"}, {"::", "fd00::1"}},
             {"fd00::/8", {"fd00::", "fdff:ffff::1"}, {"fc00::1", "fe00::1", "253.0.0.1"}},
             {"fe80::/10", {"fe80::1", "febf::1"}, {"fec0::1", "fe7f::1"}},
             {"::/0", {"::1", "fd00::1"}, {"127.0.0.1", "::ffff:10.0.0.1"}},
             {"::ffff:10.0.0.0/104", {"10.255.0.1"}, {"11.0.0.1"}},
             {"::1/128", {"::1"}, {"::", "::2"}},
         }) {
        const auto network = parse_ip_network(one.network);
        ASSERT_TRUE(network) << one.network;
        for (const char* text : one.in) {
            EXPECT_TRUE(network->contains(*parse_ip_address(text))) << one.network << ' ' << text;
        }
        for (const char* text : one.out) {
            EXPECT_FALSE(network->contains(*parse_ip_address(text))) << one.network << ' ' << text;
        }
    }
}

TEST(IpNetwork, TakesNothingElse) {
    for (const char* text : {"", "/", "/24", "192.168.1.0/", "192.168.1.0/33", "192.168.1.0/-1", "192.168.1.0/+8",
                             "192.168.1.0/24/8", "192.168.1.0/24 ", "192.168.1/24", "192.168.1.*", "fd00::/129",
                             "fd00::/0x8", "fd00/8", "lan/24", "192.168.1.0/255.255.255.0"}) {
        EXPECT_FALSE(parse_ip_network(text)) << text;
    }
}

}  // namespace
}  // namespace glove
