// SPDX-License-Identifier: Apache-2.0
#include "protocol/osc.hpp"

#include <bit>
#include <cstring>

namespace glove::osc {
namespace {

constexpr std::string_view kBundleMark{"#bundle\0", 8};
constexpr std::size_t kBundleHeaderSize = 16;  // mark and time tag

// What an argument adds to the sum over a message's tags: its size, or a mark above any sum of what is smaller
// within kMaxSize.
constexpr std::uint64_t kSizedByContent = std::uint64_t{1} << 32;
constexpr std::uint64_t kUnknownType = std::uint64_t{1} << 48;

constexpr std::array<std::uint64_t, 256> kArgumentSize = [] {
    std::array<std::uint64_t, 256> size{};
    size.fill(kUnknownType);
    size['i'] = size['f'] = 4;
    size['h'] = size['d'] = size['t'] = 8;
    size['T'] = size['F'] = size['N'] = size['I'] = 0;
    size['s'] = size['b'] = kSizedByContent;
    return size;
}();

constexpr std::size_t padded(std::size_t size) noexcept {
    return (size + 3) & ~std::size_t{3};
}

// True when `bytes` from `begin` up to the next multiple of four, all inside `bytes`, are zero.
bool zero_padded(std::span<const std::byte> bytes, std::size_t begin) noexcept {
    for (std::size_t i = begin; i < padded(begin); ++i) {
        if (bytes[i] != std::byte{0}) {
            return false;
        }
    }
    return true;
}

// Takes a string with its end and padding off the front of `rest`, whose size is a multiple of four.
DecodeError take_string(std::span<const std::byte>& rest, std::string_view& out, DecodeError unended) noexcept {
    const void* end = rest.empty() ? nullptr : std::memchr(rest.data(), 0, rest.size());
    if (end == nullptr) {
        return unended;
    }
    const auto length = static_cast<std::size_t>(static_cast<const std::byte*>(end) - rest.data());
    if (!zero_padded(rest, length + 1)) {
        return DecodeError::padding;
    }
    out = std::string_view(reinterpret_cast<const char*>(rest.data()), length);
    rest = rest.subspan(padded(length + 1));
    return DecodeError::none;
}

DecodeError take_blob(std::span<const std::byte>& rest) noexcept {
    ByteReader in(rest);
    const auto size = in.big<std::uint32_t>();
    if (in.overrun() || size > in.rest().size()) {
        return DecodeError::arguments;
    }
    if (!zero_padded(in.rest(), size)) {
        return DecodeError::padding;
    }
    rest = in.rest().subspan(padded(size));
    return DecodeError::none;
}

DecodeError check_arguments(std::string_view tags, std::span<const std::byte> bytes) noexcept {
    std::uint64_t sum = 0;
    for (const char tag : tags) {
        sum += kArgumentSize[static_cast<unsigned char>(tag)];
    }
    if (sum >= kUnknownType) {
        return DecodeError::type;
    }
    if (sum < kSizedByContent) {
        return sum == bytes.size() ? DecodeError::none : DecodeError::arguments;
    }
    for (const char tag : tags) {
        std::string_view text;
        DecodeError error = DecodeError::none;
        if (tag == 's') {
            error = take_string(bytes, text, DecodeError::arguments);
        } else if (tag == 'b') {
            error = take_blob(bytes);
        } else if (const std::uint64_t size = kArgumentSize[static_cast<unsigned char>(tag)]; size <= bytes.size()) {
            bytes = bytes.subspan(static_cast<std::size_t>(size));
        } else {
            error = DecodeError::arguments;
        }
        if (error != DecodeError::none) {
            return error;
        }
    }
    return bytes.empty() ? DecodeError::none : DecodeError::arguments;
}

// Written so that compilers make one load and one byte swap of it.
std::uint32_t big_endian(const std::byte* bytes) noexcept {
    return std::to_integer<std::uint32_t>(bytes[0]) << 24 | std::to_integer<std::uint32_t>(bytes[1]) << 16 |
           std::to_integer<std::uint32_t>(bytes[2]) << 8 | std::to_integer<std::uint32_t>(bytes[3]);
}

bool is_bundle(std::span<const std::byte> bytes) noexcept {
    return bytes.size() >= kBundleMark.size() && std::memcmp(bytes.data(), kBundleMark.data(), kBundleMark.size()) == 0;
}

}  // namespace

const char* name_of(DecodeError error) noexcept {
    switch (error) {
        case DecodeError::none:
            return "none";
        case DecodeError::size:
            return "size";
        case DecodeError::address:
            return "address";
        case DecodeError::type_tags:
            return "type tags";
        case DecodeError::padding:
            return "padding";
        case DecodeError::type:
            return "type";
        case DecodeError::arguments:
            return "arguments";
        case DecodeError::bundle:
            return "bundle";
        case DecodeError::depth:
            return "depth";
        case DecodeError::count_:
            break;
    }
    return "unknown";
}

DecodeError read_message(std::span<const std::byte> bytes, Message& out) noexcept {
    if (bytes.empty() || bytes.size() % 4 != 0 || bytes.size() > kMaxSize) {
        return DecodeError::size;
    }
    if (bytes[0] != std::byte{'/'}) {
        return DecodeError::address;
    }
    if (const DecodeError error = take_string(bytes, out.address, DecodeError::address); error != DecodeError::none) {
        return error;
    }
    if (bytes.empty() || bytes[0] != std::byte{','}) {
        return DecodeError::type_tags;
    }
    if (const DecodeError error = take_string(bytes, out.tags, DecodeError::type_tags); error != DecodeError::none) {
        return error;
    }
    out.tags.remove_prefix(1);
    out.arguments = bytes;
    return check_arguments(out.tags, bytes);
}

PacketReader::PacketReader(std::span<const std::byte> datagram) noexcept : datagram_(datagram) {
    if (!is_bundle(datagram)) {
        return;
    }
    // A bundle is walked to its end first, so that a fault near the end still drops all of it.
    PacketReader ahead(*this);
    Message message;
    while (ahead.step(message)) {
    }
    if (ahead.error_ != DecodeError::none && ahead.error_ != DecodeError::type) {
        error_ = ahead.error_;
        begun_ = true;
    }
}

bool PacketReader::next(Message& out) noexcept {
    return step(out);
}

bool PacketReader::step(Message& out) noexcept {
    const auto refuse = [this](DecodeError why) {
        error_ = why;
        depth_ = 0;
        return false;
    };
    for (;;) {
        std::span<const std::byte> element = datagram_;
        if (begun_) {
            while (depth_ > 0 && rest_[depth_ - 1].empty()) {
                --depth_;
            }
            if (depth_ == 0) {
                return false;
            }
            ByteReader in(rest_[depth_ - 1]);
            const auto size = in.big<std::uint32_t>();
            if (in.overrun() || size > in.rest().size()) {
                return refuse(DecodeError::bundle);
            }
            element = in.rest().first(size);
            rest_[depth_ - 1] = in.rest().subspan(size);
        }
        begun_ = true;

        if (is_bundle(element)) {
            if (depth_ == kMaxDepth) {
                return refuse(DecodeError::depth);
            }
            if (element.size() < kBundleHeaderSize) {
                return refuse(DecodeError::bundle);
            }
            rest_[depth_++] = element.subspan(kBundleHeaderSize);
            continue;
        }
        const DecodeError error = read_message(element, out);
        if (error == DecodeError::none) {
            return true;
        }
        if (error != DecodeError::type) {
            return refuse(error);
        }
        error_ = error;
    }
}

void ArgumentReader::numbers(std::span<float> out) noexcept {
    constexpr std::string_view kFloats = "ffffffffffffffff";
    constexpr std::uint32_t kMagnitude = 0x7FFF'FFFF;
    constexpr auto kTwoToThe31 =
        std::bit_cast<std::uint32_t>(-kNullAsFloat);  // from here on: nulls, infinities and NaN

    bool plain = out.size() <= kFloats.size() && tags_.starts_with(kFloats.substr(0, out.size()));
    if (plain) {
        const std::byte* in = bytes_.rest().data();
        for (float& value : out) {
            const std::uint32_t bits = big_endian(in);
            in += sizeof bits;
            plain &= (bits & kMagnitude) < kTwoToThe31;
            value = std::bit_cast<float>(bits);
        }
    }
    if (plain) {
        tags_.remove_prefix(out.size());
        bytes_.skip(out.size() * sizeof(float));
        return;
    }
    for (float& value : out) {
        value = number();
    }
}

std::int32_t ArgumentReader::integer() noexcept {
    switch (take_tag()) {
        case 'i':
            return bytes_.big<std::int32_t>();
        case 'h':
            if (const auto value = bytes_.big<std::int64_t>(); value >= std::numeric_limits<std::int32_t>::min() &&
                                                               value <= std::numeric_limits<std::int32_t>::max()) {
                return static_cast<std::int32_t>(value);
            }
            break;
        case 'f':
        case 'd': {
            const double value = tag_ == 'f' ? static_cast<double>(bytes_.big<float>()) : bytes_.big<double>();
            if (!(value - value == 0.0)) {
                give_up(ArgumentError::not_finite);
                return kNullInteger;
            }
            if (value >= -2147483648.0 && value < 2147483648.0) {
                return static_cast<std::int32_t>(value);
            }
            break;
        }
        case 'T':
            return 1;
        case 'F':
            return 0;
        case 'N':
            return kNullInteger;
        default:
            break;
    }
    give_up(ArgumentError::type);
    return kNullInteger;
}

std::string_view ArgumentReader::string() noexcept {
    if (take_tag() != 's') {
        give_up(ArgumentError::type);
        return {};
    }
    const char* begin = reinterpret_cast<const char*>(bytes_.rest().data());
    const std::string_view text(begin, std::strlen(begin));  // the message was checked: it ends
    bytes_.skip(padded(text.size() + 1));
    return text;
}

float ArgumentReader::rare_number() noexcept {
    switch (tag_) {
        case 'd': {
            const double value = bytes_.big<double>();
            if (!(value >= -std::numeric_limits<float>::max() && value <= std::numeric_limits<float>::max())) {
                give_up(ArgumentError::not_finite);
                return kNull;
            }
            return finite(static_cast<float>(value));
        }
        case 'h': {
            const auto value = bytes_.big<std::int64_t>();
            return value == kNullInteger ? kNull : static_cast<float>(value);
        }
        case 'N':
            return kNull;
        default:
            give_up(ArgumentError::type);
            return kNull;
    }
}

}  // namespace glove::osc
