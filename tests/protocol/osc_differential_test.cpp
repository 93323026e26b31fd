// SPDX-License-Identifier: Apache-2.0
// Our OSC reader against two others, liblo and oscpack, on 100,000 packets, sound and damaged: the same are taken, with
// the same values. Where we refuse what another takes, the packet itself must show one of the reasons named here. liblo
// is asked about messages only, as its bundles are read inside its server; bundles are compared with oscpack's. Not
// here: the values of blobs and time tags, which no glove sends and our reader does not hand out.
#include <gtest/gtest.h>

#include <lo/lo_lowlevel.h>
#include <oscpack/osc/OscException.h>
#include <oscpack/osc/OscReceivedElements.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "osc_encoding.hpp"
#include "protocol/osc.hpp"

namespace glove::osc {
namespace {

namespace peer = ::osc;
using test::Bytes;
using test::OscEncoder;

using Value = std::variant<std::int64_t, double, std::string, bool>;

// What a library said of one message. Values up to the first that our reader does not hand out.
struct Reading {
    std::string address;
    std::string tags;
    std::vector<Value> values;
    friend bool operator==(const Reading&, const Reading&) = default;
};

bool handed_out(char tag) {
    return std::string_view("ifhdsTFN").find(tag) != std::string_view::npos;
}

// Values that ours turns into a null or a fault, which is right but nothing to compare.
bool comparable(double value) {
    return std::isfinite(value) && std::abs(value) < 1e30 && value != -2147483648.0;
}

std::optional<Reading> read_ours(const Bytes& bytes, DecodeError& error) {
    Message message;
    error = read_message(bytes, message);
    if (error != DecodeError::none) {
        return std::nullopt;
    }
    Reading reading{std::string(message.address), std::string(message.tags), {}};
    ArgumentReader in(message);
    for (const char tag : message.tags) {
        Value value;
        switch (tag) {
            case 'i':
                value = std::int64_t{in.integer()};
                break;
            case 'h':
            case 'f':
            case 'd':
                value = double{in.number()};
                break;
            case 's':
                value = std::string(in.string());
                break;
            case 'T':
            case 'F':
                value = in.integer() == 1;
                break;
            case 'N':
                value = is_null(in.number());
                break;
            default:
                return reading;
        }
        if (in.argument_error() != ArgumentError::none ||
            (tag != 'N' && std::holds_alternative<double>(value) && !comparable(std::get<double>(value)))) {
            return reading;
        }
        reading.values.push_back(value);
    }
    return reading;
}

// The number as ours is to read it, or nothing where a comparison ends.
std::optional<Value> number(double value) {
    const double as_float = static_cast<double>(static_cast<float>(value));
    return comparable(value) ? std::optional<Value>(as_float) : std::nullopt;
}

// It hands out pointers into the packet, where nothing is aligned to more than four bytes.
template <class Number>
Number value_at(const lo_arg* argument) {
    Number value;
    std::memcpy(&value, argument, sizeof value);
    return value;
}

std::optional<Reading> read_liblo(const Bytes& bytes) {
    Bytes copy = bytes;
    copy.resize(bytes.size() + 8);  // it looks at the first byte of an empty packet
    lo_message message = lo_message_deserialise(copy.data(), bytes.size(), nullptr);
    if (message == nullptr) {
        return std::nullopt;
    }
    Reading reading{reinterpret_cast<const char*>(copy.data()), lo_message_get_types(message), {}};
    lo_arg** arguments = lo_message_get_argv(message);
    for (std::size_t k = 0; k < reading.tags.size() && handed_out(reading.tags[k]); ++k) {
        std::optional<Value> value;
        switch (reading.tags[k]) {
            case 'i':
                value = std::int64_t{value_at<std::int32_t>(arguments[k])};
                break;
            case 'h':
                value = number(static_cast<double>(value_at<std::int64_t>(arguments[k])));
                break;
            case 'f':
                value = number(value_at<float>(arguments[k]));
                break;
            case 'd':
                value = number(value_at<double>(arguments[k]));
                break;
            case 's':
                value = std::string(reinterpret_cast<const char*>(arguments[k]));
                break;
            default:
                value = reading.tags[k] != 'F';
                break;
        }
        if (!value) {
            break;
        }
        reading.values.push_back(*value);
    }
    lo_message_free(message);
    return reading;
}

Reading read_oscpack(const peer::ReceivedMessage& message) {
    Reading reading{message.AddressPattern(), message.TypeTags() != nullptr ? message.TypeTags() : "", {}};
    for (auto argument = message.ArgumentsBegin(); argument != message.ArgumentsEnd(); ++argument) {
        if (!handed_out(argument->TypeTag())) {
            break;
        }
        std::optional<Value> value;
        switch (argument->TypeTag()) {
            case 'i':
                value = std::int64_t{argument->AsInt32()};
                break;
            case 'h':
                value = number(static_cast<double>(argument->AsInt64()));
                break;
            case 'f':
                value = number(argument->AsFloat());
                break;
            case 'd':
                value = number(argument->AsDouble());
                break;
            case 's':
                value = std::string(argument->AsString());
                break;
            default:
                value = argument->TypeTag() != 'F';
                break;
        }
        if (!value) {
            break;
        }
        reading.values.push_back(*value);
    }
    return reading;
}

peer::ReceivedPacket oscpack_packet(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<peer::osc_bundle_element_size_t>(bytes.size())};
}

// oscpack 1.1.0 forgets to throw where a blob is longer than its message and reads on outside of it. So it is not asked
// about a message that may have a blob and that liblo refuses.
bool harms_oscpack(const Bytes& bytes, bool liblo_takes) {
    return !liblo_takes && std::find(bytes.begin(), bytes.end(), std::byte{'b'}) != bytes.end();
}

std::optional<Reading> read_oscpack(const Bytes& bytes) {
    try {
        return read_oscpack(peer::ReceivedMessage(oscpack_packet(bytes)));
    } catch (const peer::Exception&) {
        return std::nullopt;
    }
}

class Generator {
public:
    explicit Generator(std::uint32_t seed) : random_(seed) {}

    Bytes message() {
        static constexpr std::array<const char*, 5> kAddresses{"/v1/animation/0/1/Index/rotationWithMetacarpals",
                                                               "/v1/animation/slider/all", "/v1/performer/all", "/a",
                                                               "/abc"};
        OscEncoder encoder(kAddresses[below(kAddresses.size())]);
        if (below(4) == 0) {  // as Hand Engine sends it
            encoder.i(static_cast<std::int32_t>(below(235'959'119)));
            for (int k = 0; k < 16; ++k) {
                below(4) == 0 ? encoder.i(static_cast<std::int32_t>(below(3)) - 1) : encoder.f(real());
            }
            return encoder.bytes();
        }
        const std::size_t count = below(12);
        for (std::size_t k = 0; k < count; ++k) {
            add_any(encoder);
        }
        return encoder.bytes();
    }

    Bytes bundle(int depth = 1) {
        std::vector<Bytes> elements(below(5));
        for (Bytes& element : elements) {
            element = depth < 7 && below(3) == 0 ? bundle(depth + 1) : message();
        }
        return test::osc_bundle(elements);
    }

    void damage(Bytes& bytes) {
        const std::size_t times = 1 + below(3);
        for (std::size_t k = 0; k < times && !bytes.empty(); ++k) {
            const std::size_t at = below(bytes.size());
            switch (below(8)) {
                case 0:
                    bytes[at] ^= static_cast<std::byte>(1u << below(8));
                    break;
                case 1:
                    bytes[at] = std::byte{0};
                    break;
                case 2:
                    bytes[at] = static_cast<std::byte>(below(256));
                    break;
                case 3:
                    bytes.resize(at);
                    break;
                case 4:
                    bytes.resize(at / 4 * 4);
                    break;
                case 5:
                    bytes.resize(bytes.size() + 4 * (1 + below(3)));
                    break;
                case 6:
                    bytes.resize(bytes.size() + 1 + below(3));
                    break;
                default:
                    exchange_a_tag(bytes);
                    break;
            }
        }
    }

    Bytes noise() {
        Bytes bytes(4 * below(20));
        for (std::byte& byte : bytes) {
            byte = static_cast<std::byte>(below(256));
        }
        return bytes;
    }

    std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }

private:
    double real() { return std::uniform_real_distribution<double>(-2, 2)(random_); }

    void add_any(OscEncoder& encoder) {
        switch (below(14)) {
            case 0:
                encoder.i(static_cast<std::int32_t>(random_()));
                break;
            case 1:
                encoder.i(std::numeric_limits<std::int32_t>::min());
                break;
            case 2:
                encoder.f(real());
                break;
            case 3:
                encoder.f(std::bit_cast<float>(static_cast<std::uint32_t>(random_())));
                break;
            case 4:
                encoder.s(std::string(below(9), 'x'));
                break;
            case 5:
                encoder.b(Bytes(1 + below(9), std::byte{7}));
                break;
            case 6:
                encoder.h(static_cast<std::int64_t>(random_()) << below(32));
                break;
            case 7:
                encoder.d(real() * 1e5);
                break;
            case 8:
                encoder.t(1, 2);
                break;
            case 9:
                encoder.yes();
                break;
            case 10:
                encoder.no();
                break;
            case 11:
                encoder.nil();
                break;
            case 12:
                encoder.infinitum();
                break;
            default:
                if (below(8) == 0) {
                    encoder.c('c');  // not of the eleven
                }
                break;
        }
    }

    // Somewhere after the comma, if there is one.
    void exchange_a_tag(Bytes& bytes) {
        static constexpr std::string_view kTags{"ifsbhdtTFNIrcmS[]x", 18};
        for (std::size_t at = 0; at + 1 < bytes.size(); ++at) {
            if (bytes[at] == std::byte{','}) {
                const std::size_t chosen = at + 1 + below(std::min<std::size_t>(17, bytes.size() - at - 1));
                bytes[chosen] = static_cast<std::byte>(kTags[below(kTags.size())]);
                return;
            }
        }
    }

    std::mt19937 random_;
};

enum class Reason : std::uint8_t { unexplained, no_slash, extra_type, no_type_tags, left_over, padding, size };

// Why we refuse a message that a peer takes.
//   no_slash      an address of OSC begins with '/'; neither peer looks
//   extra_type    types beyond the eleven
//   no_type_tags  senders older than OSC 1.0 leave them out; without them there is nothing to check
//   left_over     bytes after the last argument   } oscpack does not look; liblo refuses these
//   padding       a fill byte that is not zero    }
Reason why_refused(const Bytes& bytes, DecodeError ours, bool liblo_takes, std::string_view extra_types) {
    if (!bytes.empty() && bytes[0] != std::byte{'/'}) {
        return Reason::no_slash;
    }
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t end_of_address = text.find('\0');
    const std::size_t tags = end_of_address == std::string::npos ? text.size() : (end_of_address / 4 + 1) * 4;
    if (ours == DecodeError::type_tags && tags == text.size()) {
        return Reason::no_type_tags;
    }
    if (ours == DecodeError::type) {
        const std::string sent(text.c_str() + tags);
        return sent.find_first_of(extra_types) != std::string::npos ? Reason::extra_type : Reason::unexplained;
    }
    if (!liblo_takes && ours == DecodeError::arguments) {
        return Reason::left_over;
    }
    if (!liblo_takes && ours == DecodeError::padding) {
        return Reason::padding;
    }
    return Reason::unexplained;
}

std::string hex(const Bytes& bytes) {
    std::string out;
    for (const std::byte byte : bytes) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        out += kDigits[std::to_integer<std::size_t>(byte >> 4)];
        out += kDigits[std::to_integer<std::size_t>(byte & std::byte{15})];
    }
    return out;
}

constexpr std::string_view kExtraOfLiblo = "cSm";
constexpr std::string_view kExtraOfOscpack = "rcmS[]";

struct Tally {
    int taken = 0;
    int refused_by_all = 0;
    std::map<Reason, int> liblo;
    std::map<Reason, int> oscpack;
};

// True when what we say of the message agrees with both, or the difference is explained.
void compare_message(const Bytes& bytes, Tally& tally) {
    DecodeError error{};
    const std::optional<Reading> ours = read_ours(bytes, error);
    const std::optional<Reading> liblo = read_liblo(bytes);
    const std::optional<Reading> oscpack = harms_oscpack(bytes, liblo.has_value()) ? std::nullopt : read_oscpack(bytes);
    if (ours) {
        ++tally.taken;
        ASSERT_TRUE(liblo.has_value()) << hex(bytes);
        ASSERT_TRUE(oscpack.has_value()) << hex(bytes);
        ASSERT_EQ(*ours, *liblo) << hex(bytes);
        ASSERT_EQ(*ours, *oscpack) << hex(bytes);
        return;
    }
    if (liblo) {
        const Reason reason = why_refused(bytes, error, true, kExtraOfLiblo);
        ASSERT_NE(reason, Reason::unexplained) << "liblo takes it, we say " << name_of(error) << ": " << hex(bytes);
        ++tally.liblo[reason];
    }
    if (oscpack) {
        const Reason reason = why_refused(bytes, error, liblo.has_value(), kExtraOfOscpack);
        ASSERT_NE(reason, Reason::unexplained) << "oscpack takes it, we say " << name_of(error) << ": " << hex(bytes);
        ++tally.oscpack[reason];
    }
    tally.refused_by_all += !liblo && !oscpack ? 1 : 0;
}

TEST(OscDifferential, AgreesWithLibloAndOscpackOnMessages) {
    Generator generator(20260101);
    Tally tally;
    for (int k = 0; k < 80'000; ++k) {
        Bytes bytes = k % 16 == 0 ? generator.noise() : generator.message();
        if (k % 3 != 0) {
            generator.damage(bytes);
        }
        if (bytes.size() >= 8 && std::memcmp(bytes.data(), "#bundle", 8) == 0) {
            continue;
        }
        ASSERT_NO_FATAL_FAILURE(compare_message(bytes, tally)) << k;
    }
    // Enough of every kind, or the comparison shows nothing.
    EXPECT_GT(tally.taken, 20'000);
    EXPECT_GT(tally.refused_by_all, 10'000);
    for (const Reason reason : {Reason::no_slash, Reason::extra_type}) {
        EXPECT_GT(tally.liblo[reason], 50) << static_cast<int>(reason);
    }
    for (const Reason reason :
         {Reason::no_slash, Reason::extra_type, Reason::no_type_tags, Reason::left_over, Reason::padding}) {
        EXPECT_GT(tally.oscpack[reason], 50) << static_cast<int>(reason);
    }
}

// The messages of a bundle and how deep it goes, by oscpack.
struct Unpacked {
    std::vector<Bytes> messages;
    int depth = 0;
};

void unpack(const peer::ReceivedBundle& bundle, int depth, Unpacked& out) {
    out.depth = std::max(out.depth, depth);
    for (auto element = bundle.ElementsBegin(); element != bundle.ElementsEnd(); ++element) {
        if (element->IsBundle()) {
            unpack(peer::ReceivedBundle(*element), depth + 1, out);
        } else {
            const auto* begin = reinterpret_cast<const std::byte*>(element->Contents());
            out.messages.emplace_back(begin, begin + element->Size());
        }
    }
}

TEST(OscDifferential, AgreesWithOscpackOnBundles) {
    Generator generator(20260102);
    Tally tally;
    int whole = 0;
    int broken = 0;
    int too_deep = 0;
    int with_refused_message = 0;
    for (int k = 0; k < 20'000; ++k) {
        Bytes bytes = generator.bundle();
        if (k % 3 != 0) {
            generator.damage(bytes);
        }
        if (bytes.size() < 8 || std::memcmp(bytes.data(), "#bundle", 8) != 0) {
            continue;
        }
        std::vector<Bytes> ours;
        PacketReader reader(bytes);
        Message message;
        while (reader.next(message)) {
            const auto* begin = reinterpret_cast<const std::byte*>(message.address.data());
            const std::byte* end = message.arguments.data() + message.arguments.size();
            ours.emplace_back(begin, end);
        }

        Unpacked theirs;
        bool structure_holds = true;
        try {
            unpack(peer::ReceivedBundle(oscpack_packet(bytes)), 1, theirs);
        } catch (const peer::Exception&) {
            structure_holds = false;
        }
        if (!structure_holds) {
            ++broken;
            ASSERT_TRUE(ours.empty()) << hex(bytes);
            continue;
        }
        // Each message by itself is a matter of the comparison above.
        std::vector<Bytes> sound;
        bool malformed = false;
        for (const Bytes& element : theirs.messages) {
            ASSERT_NO_FATAL_FAILURE(compare_message(element, tally));
            Message one;
            const DecodeError error = read_message(element, one);
            malformed |= error != DecodeError::none && error != DecodeError::type;
            if (error == DecodeError::none) {
                sound.push_back(element);
            }
        }
        if (malformed || theirs.depth > static_cast<int>(kMaxDepth)) {
            ASSERT_TRUE(ours.empty()) << hex(bytes);
            ++(malformed ? with_refused_message : too_deep);
        } else {
            ASSERT_EQ(ours, sound) << hex(bytes);
            ++whole;
        }
    }
    EXPECT_GT(whole, 5'000);
    EXPECT_GT(broken, 1'000);
    EXPECT_GT(too_deep, 10);
    EXPECT_GT(with_refused_message, 500);
}

}  // namespace
}  // namespace glove::osc
