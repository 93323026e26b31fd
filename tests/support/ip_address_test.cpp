// SPDX-License-Identifier: Apache-2.0
// Not covered: whether this computer has the address; binding to it tells.
#include "support/ip_address.hpp"

#include <gtest/gtest.h>

#include <string>

namespace glove {
namespace {

TEST(IpAddress, KnowsWhatOnlyThisComputerReaches) {
    for (const char* text : {"127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"}) {
        EXPECT_EQ(address_kind(text), AddressKind::loopback) << text;
    }
}

TEST(IpAddress, TakesEveryOtherAddressAsReachable) {
    for (const char* text : {"0.0.0.0", "::", "192.168.1.20", "128.0.0.1", "126.255.255.255", "255.255.255.255",
                             "fe80::1", "::2", "1::1", "::ffff:127.0.0.1"}) {
        EXPECT_EQ(address_kind(text), AddressKind::other) << text;
    }
}

TEST(IpAddress, TakesNothingButLiterals) {
    for (const char* text :
         {"", "localhost", "glove.local", "127.0.0", "127.1", "127.0.0.256", "127.0.0.1.2", " 127.0.0.1", "127.0.0.1 ",
          "127.0.0.1:15001", "[::1]", "::1::", "12345::", "*", "0x7f.0.0.1"}) {
        EXPECT_EQ(address_kind(text), AddressKind::none) << text;
    }
    EXPECT_EQ(address_kind(std::string("127.0.0.1\0", 10)), AddressKind::none);
}

}  // namespace
}  // namespace glove
