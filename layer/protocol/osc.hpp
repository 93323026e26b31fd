// SPDX-License-Identifier: Apache-2.0
// Open Sound Control 1.0: checked views on the messages of one datagram. Knows no address and no sender.
// Nothing is copied, nothing is allocated; a view lives as long as the datagram.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "protocol/byte_reader.hpp"

namespace glove::osc {

enum class DecodeError : std::uint8_t {
    none,
    size,       // nothing, not a multiple of four, or more than kMaxSize
    address,    // does not begin with '/', or does not end
    type_tags,  // no ',' after the address, or they do not end
    padding,    // a byte that only fills up to four is not zero
    type,       // an argument type other than i f s b h d t T F N I
    arguments,  // shorter or longer than the type tags say
    bundle,     // a bundle's header or an element's size does not fit
    depth,      // bundles nested deeper than kMaxDepth
    count_,
};

[[nodiscard]] const char* name_of(DecodeError error) noexcept;

// The innermost bundle may be this deep; a bundle that is the datagram itself has depth 1.
inline constexpr std::size_t kMaxDepth = 4;

// No UDP datagram is larger.
inline constexpr std::size_t kMaxSize = 65'535;

struct Message {
    std::string_view address;
    std::string_view tags;                 // without the comma, one per argument
    std::span<const std::byte> arguments;  // exactly what the tags say
};

// One message, not a bundle. `out` is meaningful only when the answer is none.
[[nodiscard]] DecodeError read_message(std::span<const std::byte> bytes, Message& out) noexcept;

// The messages of a datagram in their order, out of bundles too. Time tags are not waited for: a hand is shown now.
// A malformed datagram yields no message at all. A message with an unknown argument type is left out, as OSC 1.0 asks,
// and the others of its bundle are kept.
class PacketReader {
public:
    explicit PacketReader(std::span<const std::byte> datagram) noexcept;

    // False after the last one.
    [[nodiscard]] bool next(Message& out) noexcept;

    // Why messages are missing. Final once next() has answered false.
    [[nodiscard]] DecodeError error() const noexcept { return error_; }

private:
    [[nodiscard]] bool step(Message& out) noexcept;

    std::span<const std::byte> datagram_;
    std::array<std::span<const std::byte>, kMaxDepth> rest_;  // of the open bundles, innermost last
    std::size_t depth_ = 0;
    bool begun_ = false;
    DecodeError error_ = DecodeError::none;
};

// What a sender writes where it has no value; also as the integer -2147483648, whatever the field's own type.
inline constexpr float kNull = std::numeric_limits<float>::quiet_NaN();
inline constexpr std::int32_t kNullInteger = std::numeric_limits<std::int32_t>::min();

[[nodiscard]] constexpr bool is_null(float value) noexcept {
    return value != value;
}

enum class ArgumentError : std::uint8_t {
    none,
    missing,     // fewer arguments than were read
    type,        // a string where a number is meant, or the other way round
    not_finite,  // infinite or not a number
};

// Reads a message's arguments one after the other. Any numeric type passes for a number, since senders built on untyped
// languages write 0.0 as an integer. After the first fault all reads yield null, so a decoder asks once, after its last
// read.
class ArgumentReader {
public:
    explicit ArgumentReader(const Message& message) noexcept : tags_(message.tags), bytes_(message.arguments) {}

    // kNull for a null; never infinite.
    [[nodiscard]] float number() noexcept {
        switch (take_tag()) {
            case 'f':
                return finite(bytes_.big<float>());
            case 'i':
                return integral(bytes_.big<std::int32_t>());
            default:
                return rare_number();
        }
    }

    // What number() would give, for each of `out`. Faster: a hand is some hundred floats in a row.
    void numbers(std::span<float> out) noexcept;

    // kNullInteger for a null. Fractions are cut off; what does not fit 32 bits is a fault of type.
    [[nodiscard]] std::int32_t integer() noexcept;

    [[nodiscard]] std::string_view string() noexcept;

    [[nodiscard]] ArgumentError argument_error() const noexcept { return argument_error_; }

private:
    static constexpr float kNullAsFloat = -2147483648.0f;

    [[nodiscard]] char take_tag() noexcept {
        if (tags_.empty()) {
            give_up(ArgumentError::missing);
            return tag_ = 0;
        }
        tag_ = tags_.front();
        tags_.remove_prefix(1);
        return tag_;
    }
    [[nodiscard]] float finite(float value) noexcept {
        if (!(value - value == 0.0f)) {
            give_up(ArgumentError::not_finite);
            return kNull;
        }
        return value == kNullAsFloat ? kNull : value;
    }
    [[nodiscard]] static float integral(std::int32_t value) noexcept {
        return value == kNullInteger ? kNull : static_cast<float>(value);
    }
    [[nodiscard]] float rare_number() noexcept;
    void give_up(ArgumentError why) noexcept {
        if (argument_error_ == ArgumentError::none) {
            argument_error_ = why;
        }
        tags_ = {};
    }

    std::string_view tags_;
    ByteReader bytes_;
    char tag_ = 0;
    ArgumentError argument_error_ = ArgumentError::none;
};

}  // namespace glove::osc
