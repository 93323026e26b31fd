// SPDX-License-Identifier: Apache-2.0
// OSC 1.0 as read from bytes that liblo wrote. Not here: agreement with other decoders on random bytes
// (osc_differential_test.cpp) and what the addresses mean (hand_engine_test.cpp).
#include "protocol/osc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "osc_encoding.hpp"

namespace glove::osc {
namespace {

using test::Bytes;
using test::OscEncoder;

Bytes bytes_of(const std::string& text) {
    Bytes out;
    for (const char c : text) {
        out.push_back(static_cast<std::byte>(c));
    }
    return out;
}

DecodeError decode_error_of(const Bytes& datagram) {
    Message message;
    return read_message(datagram, message);
}

struct Packet {
    std::vector<std::string> addresses;
    DecodeError error;
};

Packet read_packet(const Bytes& datagram) {
    PacketReader reader(datagram);
    Packet packet{};
    Message message;
    while (reader.next(message)) {
        packet.addresses.emplace_back(message.address);
    }
    packet.error = reader.error();
    return packet;
}

Bytes message_at(const std::string& address) {
    return OscEncoder(address).i(1).bytes();
}

TEST(OscMessage, TellsAddressTagsAndArguments) {
    const Bytes bytes = OscEncoder("/a/bc").i(-5).f(0.25).s("left").bytes();
    Message message;
    ASSERT_EQ(read_message(bytes, message), DecodeError::none);
    EXPECT_EQ(message.address, "/a/bc");
    EXPECT_EQ(message.tags, "ifs");
    ArgumentReader in(message);
    EXPECT_EQ(in.integer(), -5);
    EXPECT_EQ(in.number(), 0.25f);
    EXPECT_EQ(in.string(), "left");
    EXPECT_EQ(in.argument_error(), ArgumentError::none);
}

TEST(OscMessage, TakesEveryTypeOfTheProtocol) {
    const Bytes bytes =
        OscEncoder("/all").i(1).f(2).s("three").b(Bytes(5)).h(4).d(5).t(6, 7).yes().no().nil().infinitum().bytes();
    Message message;
    ASSERT_EQ(read_message(bytes, message), DecodeError::none);
    EXPECT_EQ(message.tags, "ifsbhdtTFNI");
}

TEST(OscMessage, TakesAMessageWithoutArguments) {
    Message message;
    const Bytes bytes = OscEncoder("/bare").bytes();
    ASSERT_EQ(read_message(bytes, message), DecodeError::none);
    EXPECT_TRUE(message.tags.empty());
    EXPECT_TRUE(message.arguments.empty());
}

TEST(OscMessage, NamesWhatIsWrong) {
    using namespace std::string_literals;
    EXPECT_EQ(decode_error_of({}), DecodeError::size);
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,i\0\0\0\0\0\1\0"s)), DecodeError::size);
    EXPECT_EQ(decode_error_of(bytes_of("a\0\0\0,\0\0\0"s)), DecodeError::address);
    EXPECT_EQ(decode_error_of(bytes_of("/abc,iii"s)), DecodeError::address) << "nothing ends the address";
    EXPECT_EQ(decode_error_of(bytes_of("/a\0x,\0\0\0"s)), DecodeError::padding);
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0"s)), DecodeError::type_tags);
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0i\0\0\0\0\0\0\1"s)), DecodeError::type_tags) << "no comma";
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,iii"s)), DecodeError::type_tags) << "nothing ends the tags";
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,i\0x\0\0\0\1"s)), DecodeError::padding);
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,c\0\0\0\0\0\1"s)), DecodeError::type);
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,i\0\0"s)), DecodeError::arguments) << "too short";
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,i\0\0\0\0\0\1\0\0\0\2"s)), DecodeError::arguments) << "too long";
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,s\0\0abcd"s)), DecodeError::arguments) << "nothing ends the string";
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,s\0\0ab\0x"s)), DecodeError::padding);
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,s\0\0"s)), DecodeError::arguments);
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,b\0\0\0\0\0\1a\0\0x"s)), DecodeError::padding);
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,b\0\0\0\0\0\5abcd"s)), DecodeError::arguments)
        << "blob longer than the datagram";
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,b\0\0\377\377\377\377abcd"s)), DecodeError::arguments)
        << "blob of negative size";
    EXPECT_EQ(decode_error_of(bytes_of("/a\0\0,b\0\0"s)), DecodeError::arguments);
}

TEST(OscMessage, CountsAsManyTagsAsADatagramHolds) {
    for (const char tag : {'s', 'c', 'T'}) {
        Bytes bytes = bytes_of("/a");
        bytes.resize(65'532);
        std::fill(bytes.begin() + 4, bytes.end() - 1, static_cast<std::byte>(tag));
        bytes[4] = std::byte{','};
        EXPECT_EQ(decode_error_of(bytes), tag == 's'   ? DecodeError::arguments
                                          : tag == 'c' ? DecodeError::type
                                                       : DecodeError::none);
        bytes.resize(65'536);
        EXPECT_EQ(decode_error_of(bytes), DecodeError::size);
    }
}

TEST(OscMessage, RefusesEveryCutOfAValidMessage) {
    const Bytes whole = OscEncoder("/v1/x").i(1).f(2).s("abcdef").b(Bytes(9)).d(3).bytes();
    ASSERT_EQ(decode_error_of(whole), DecodeError::none);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        // A copy of exact size, so that the address sanitizer sees a read past the end.
        EXPECT_NE(decode_error_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))),
                  DecodeError::none)
            << size;
    }
}

TEST(OscPacket, YieldsAPlainMessageOnce) {
    const Packet packet = read_packet(message_at("/one"));
    EXPECT_EQ(packet.addresses, std::vector<std::string>{"/one"});
    EXPECT_EQ(packet.error, DecodeError::none);
}

TEST(OscPacket, YieldsTheMessagesOfNestedBundlesInOrder) {
    const Bytes inner = test::osc_bundle({message_at("/b"), message_at("/c")});
    const Packet packet =
        read_packet(test::osc_bundle({message_at("/a"), inner, test::osc_bundle({}), message_at("/d")}));
    EXPECT_EQ(packet.addresses, (std::vector<std::string>{"/a", "/b", "/c", "/d"}));
    EXPECT_EQ(packet.error, DecodeError::none);
}

TEST(OscPacket, OpensBundlesFourDeepAndNoDeeper) {
    Bytes nested = message_at("/deep");
    for (int depth = 1; depth <= 4; ++depth) {
        nested = test::osc_bundle({nested});
        EXPECT_EQ(read_packet(nested).addresses, std::vector<std::string>{"/deep"}) << depth;
    }
    const Packet packet = read_packet(test::osc_bundle({message_at("/before"), nested}));
    EXPECT_TRUE(packet.addresses.empty());
    EXPECT_EQ(packet.error, DecodeError::depth);
}

TEST(OscPacket, DropsAllOfABundleWhoseLastElementIsMalformed) {
    Bytes bundle = test::osc_bundle({message_at("/a"), message_at("/b")});
    bundle.resize(bundle.size() - 4);
    EXPECT_TRUE(read_packet(bundle).addresses.empty());
    EXPECT_EQ(read_packet(bundle).error, DecodeError::bundle);

    bundle = test::osc_bundle({message_at("/a"), message_at("b")});
    EXPECT_TRUE(read_packet(bundle).addresses.empty());
    EXPECT_EQ(read_packet(bundle).error, DecodeError::address);
}

TEST(OscPacket, LeavesOutAMessageOfUnknownTypeAndKeepsItsNeighbours) {
    const Bytes unknown = OscEncoder("/unknown").c('x').bytes();
    const Packet packet = read_packet(test::osc_bundle({message_at("/a"), unknown, message_at("/b")}));
    EXPECT_EQ(packet.addresses, (std::vector<std::string>{"/a", "/b"}));
    EXPECT_EQ(packet.error, DecodeError::type);
}

TEST(OscPacket, RefusesABundleWithoutATimeTag) {
    using namespace std::string_literals;
    EXPECT_EQ(read_packet(bytes_of("#bundle\0"s)).error, DecodeError::bundle);
    EXPECT_EQ(read_packet(bytes_of("#bundle\0\0\0\0\0\0\0\0\1\0\0"s)).error, DecodeError::bundle);
}

TEST(OscArguments, TakeAnyNumericTypeForANumber) {
    Message message;
    const Bytes bytes = OscEncoder("/n").i(7).f(-1.5).h(1'000'000).d(0.125).nil().bytes();
    ASSERT_EQ(read_message(bytes, message), DecodeError::none);
    ArgumentReader in(message);
    EXPECT_EQ(in.number(), 7.0f);
    EXPECT_EQ(in.number(), -1.5f);
    EXPECT_EQ(in.number(), 1'000'000.0f);
    EXPECT_EQ(in.number(), 0.125f);
    EXPECT_TRUE(is_null(in.number()));
    EXPECT_EQ(in.argument_error(), ArgumentError::none);
}

TEST(OscArguments, TakeAnyNumericTypeForAnInteger) {
    Message message;
    const Bytes bytes = OscEncoder("/n").i(134255043).f(-2.0).h(-9).d(235959119.0).yes().no().nil().bytes();
    ASSERT_EQ(read_message(bytes, message), DecodeError::none);
    ArgumentReader in(message);
    EXPECT_EQ(in.integer(), 134255043);
    EXPECT_EQ(in.integer(), -2);
    EXPECT_EQ(in.integer(), -9);
    EXPECT_EQ(in.integer(), 235959119);
    EXPECT_EQ(in.integer(), 1);
    EXPECT_EQ(in.integer(), 0);
    EXPECT_EQ(in.integer(), kNullInteger);
    EXPECT_EQ(in.argument_error(), ArgumentError::none);
}

TEST(OscArguments, KnowTheNullInEveryNumericType) {
    constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
    Message message;
    const Bytes bytes = OscEncoder("/n").i(kLowest).f(kLowest).h(kLowest).d(kLowest).bytes();
    ASSERT_EQ(read_message(bytes, message), DecodeError::none);
    ArgumentReader numbers(message);
    ArgumentReader integers(message);
    for (int k = 0; k < 4; ++k) {
        EXPECT_TRUE(is_null(numbers.number())) << k;
        EXPECT_EQ(integers.integer(), kNullInteger) << k;
    }
    EXPECT_EQ(numbers.argument_error(), ArgumentError::none);
    EXPECT_EQ(integers.argument_error(), ArgumentError::none);
}

TEST(OscArguments, RememberTheFirstFault) {
    const double infinity = std::numeric_limits<double>::infinity();
    struct Case {
        Bytes bytes;
        ArgumentError as_number;
        ArgumentError as_integer;
        ArgumentError as_string;
    };
    const std::vector<Case> cases{
        {OscEncoder("/x").s("text").bytes(), ArgumentError::type, ArgumentError::type, ArgumentError::none},
        {OscEncoder("/x").f(infinity).bytes(), ArgumentError::not_finite, ArgumentError::not_finite,
         ArgumentError::type},
        {OscEncoder("/x").f(std::nan("")).bytes(), ArgumentError::not_finite, ArgumentError::not_finite,
         ArgumentError::type},
        {OscEncoder("/x").d(-infinity).bytes(), ArgumentError::not_finite, ArgumentError::not_finite,
         ArgumentError::type},
        {OscEncoder("/x").d(std::nan("")).bytes(), ArgumentError::not_finite, ArgumentError::not_finite,
         ArgumentError::type},
        {OscEncoder("/x").d(1e300).bytes(), ArgumentError::not_finite, ArgumentError::type, ArgumentError::type},
        {OscEncoder("/x").h(std::int64_t{1} << 40).bytes(), ArgumentError::none, ArgumentError::type,
         ArgumentError::type},
        {OscEncoder("/x").f(3e9).bytes(), ArgumentError::none, ArgumentError::type, ArgumentError::type},
        {OscEncoder("/x").b(Bytes(4)).bytes(), ArgumentError::type, ArgumentError::type, ArgumentError::type},
        {OscEncoder("/x").t(1, 2).bytes(), ArgumentError::type, ArgumentError::type, ArgumentError::type},
        {OscEncoder("/x").bytes(), ArgumentError::missing, ArgumentError::missing, ArgumentError::missing},
    };
    for (const Case& c : cases) {
        Message message;
        ASSERT_EQ(read_message(c.bytes, message), DecodeError::none);
        ArgumentReader number(message);
        ArgumentReader integer(message);
        ArgumentReader string(message);
        (void)number.number();
        (void)integer.integer();
        (void)string.string();
        EXPECT_EQ(number.argument_error(), c.as_number) << message.tags;
        EXPECT_EQ(integer.argument_error(), c.as_integer) << message.tags;
        EXPECT_EQ(string.argument_error(), c.as_string) << message.tags;
    }
}

TEST(OscArguments, YieldNullsAfterAFault) {
    Message message;
    const Bytes bytes = OscEncoder("/x").s("text").f(1).i(2).bytes();
    ASSERT_EQ(read_message(bytes, message), DecodeError::none);
    ArgumentReader in(message);
    EXPECT_TRUE(is_null(in.number()));
    EXPECT_TRUE(is_null(in.number()));
    EXPECT_EQ(in.integer(), kNullInteger);
    EXPECT_TRUE(in.string().empty());
    EXPECT_EQ(in.argument_error(), ArgumentError::type);
}

}  // namespace
}  // namespace glove::osc
