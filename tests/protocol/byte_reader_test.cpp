// SPDX-License-Identifier: Apache-2.0
// Not covered: a big-endian machine, which none of the builds runs on.
#include "protocol/byte_reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace glove {
namespace {

constexpr std::array<std::byte, 8> kBytes{std::byte{0x01}, std::byte{0x02}, std::byte{0x03}, std::byte{0x04},
                                          std::byte{0x85}, std::byte{0x06}, std::byte{0x07}, std::byte{0x88}};

TEST(ByteReader, ReadsBothByteOrders) {
    EXPECT_EQ(ByteReader(kBytes).little<std::uint8_t>(), 0x01);
    EXPECT_EQ(ByteReader(kBytes).little<std::uint16_t>(), 0x0201);
    EXPECT_EQ(ByteReader(kBytes).little<std::uint32_t>(), 0x04030201u);
    EXPECT_EQ(ByteReader(kBytes).little<std::uint64_t>(), 0x8807068504030201u);
    EXPECT_EQ(ByteReader(kBytes).big<std::uint16_t>(), 0x0102);
    EXPECT_EQ(ByteReader(kBytes).big<std::uint32_t>(), 0x01020304u);
    EXPECT_EQ(ByteReader(kBytes).big<std::uint64_t>(), 0x0102030485060788u);
}

TEST(ByteReader, ReadsFloatsAndSignedNumbersBitByBit) {
    constexpr std::array<std::byte, 4> minus_one_point_five{std::byte{0xBF}, std::byte{0xC0}, std::byte{0},
                                                            std::byte{0}};
    EXPECT_EQ(ByteReader(minus_one_point_five).big<float>(), -1.5f);
    constexpr std::array<std::byte, 2> minus_two{std::byte{0xFE}, std::byte{0xFF}};
    EXPECT_EQ(ByteReader(minus_two).little<std::int16_t>(), -2);
}

TEST(ByteReader, ReadsOneNumberAfterTheOther) {
    ByteReader in(kBytes);
    EXPECT_EQ(in.big<std::uint16_t>(), 0x0102);
    in.skip(1);
    EXPECT_EQ(in.little<std::uint8_t>(), 0x04);
    EXPECT_EQ(in.rest().size(), 4u);
    EXPECT_EQ(in.big<std::uint32_t>(), 0x85060788u);
    EXPECT_TRUE(in.rest().empty());
    EXPECT_FALSE(in.overrun());
}

TEST(ByteReader, YieldsZeroPastTheEndAndRemembersIt) {
    ByteReader in{std::span(kBytes).first(3)};
    EXPECT_EQ(in.little<std::uint32_t>(), 0u);
    EXPECT_TRUE(in.overrun());
    EXPECT_EQ(in.little<std::uint8_t>(), 0u) << "nothing may follow a number that was not there";
    EXPECT_TRUE(in.overrun());
}

TEST(ByteReader, RemembersASkipPastTheEnd) {
    ByteReader in(kBytes);
    in.skip(8);
    EXPECT_FALSE(in.overrun());
    in.skip(0);
    EXPECT_FALSE(in.overrun());
    in.skip(1);
    EXPECT_TRUE(in.overrun());

    ByteReader far(kBytes);
    far.skip(SIZE_MAX);
    EXPECT_TRUE(far.overrun());
    EXPECT_TRUE(far.rest().empty());
}

static_assert(WireNumber<float> && WireNumber<std::int64_t>);
static_assert(!WireNumber<bool>, "a byte of 2 would be no bool");

}  // namespace
}  // namespace glove
