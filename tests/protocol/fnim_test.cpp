// SPDX-License-Identifier: Apache-2.0
// FNIM against packets made from the document by a program of its own (tests/golden/fnim/make_packets.py).
// Not covered: whether gloves send what the document says; no recording of one is at hand.
#include "protocol/fnim.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "golden_file.hpp"

namespace glove::fnim {
namespace {

using Bytes = std::vector<std::byte>;

const char* const kGoldenNames[] = {"left_relaxed", "right_fist_forearm", "left_index_lost", "left_all_lost"};

Bytes packet(const std::string& name) {
    return test::golden_file("fnim/" + name + ".hex");
}

// Byte offsets of the document's section 5.
constexpr std::size_t kFlagsAt = 5;
constexpr std::size_t kSlotsAt = 24;
constexpr std::size_t kAccelerationAt = 216;
constexpr std::size_t kGyroAt = 228;
constexpr std::size_t slot_at(std::size_t slot) {
    return kSlotsAt + 32 * slot;
}
constexpr std::size_t valid_at(std::size_t slot) {
    return slot_at(slot) + 28;
}

void put_float(Bytes& bytes, std::size_t offset, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (std::size_t i = 0; i < 4; ++i) {
        bytes[offset + i] = static_cast<std::byte>(bits >> (8 * i));
    }
}

Message decoded(const Bytes& bytes) {
    Message message{};
    EXPECT_EQ(decode(bytes, message), DecodeError::none);
    return message;
}

DecodeError decode_error_of(const Bytes& bytes) {
    Message message;
    std::memset(static_cast<void*>(&message), 0x5A, sizeof message);
    std::array<std::byte, sizeof message> untouched;
    untouched.fill(std::byte{0x5A});
    const DecodeError error = decode(bytes, message);
    if (error != DecodeError::none) {
        std::array<std::byte, sizeof message> left;
        std::memcpy(left.data(), &message, sizeof message);
        EXPECT_EQ(left, untouched) << name_of(error);
    }
    return error;
}

Bytes with_byte(Bytes bytes, std::size_t offset, unsigned value) {
    bytes[offset] = static_cast<std::byte>(value);
    return bytes;
}

Bytes with_float(Bytes bytes, std::size_t offset, float value) {
    put_float(bytes, offset, value);
    return bytes;
}

TEST(Fnim, ReadsALeftHandInMetres) {
    const Message message = decoded(packet("left_relaxed"));
    EXPECT_EQ(message.hand, Hand::left);
    EXPECT_EQ(message.frame_number, 41u);
    EXPECT_EQ(message.timestamp_ns, 5'000'000'000u);
    const CoilPose& thumb = message.coils[0];
    EXPECT_TRUE(thumb.valid);
    EXPECT_FLOAT_EQ(thumb.position[0], 0.0715f);
    EXPECT_FLOAT_EQ(thumb.position[1], 0.062f);
    EXPECT_FLOAT_EQ(thumb.position[2], -0.03825f);
    const CoilPose& little = message.coils[4];  // bent by 65 deg about -X
    EXPECT_NEAR(little.orientation_wxyz[0], 0.843391, 1e-6);
    EXPECT_NEAR(little.orientation_wxyz[1], -0.537300, 1e-6);
    EXPECT_EQ(little.orientation_wxyz[2], 0);
    EXPECT_EQ(little.orientation_wxyz[3], 0);
    EXPECT_FALSE(message.coils[kForearmSlot].valid);
    for (const float part : message.turn_rate) {
        EXPECT_EQ(part, 0);
    }
}

TEST(Fnim, ReadsForearmAndImu) {
    const Message message = decoded(packet("right_fist_forearm"));
    EXPECT_EQ(message.hand, Hand::right);
    EXPECT_EQ(message.frame_number, 0xFFFFFFFFu);
    EXPECT_EQ(message.timestamp_ns, 123'456'789'012'345u);
    EXPECT_TRUE(message.coils[kForearmSlot].valid);
    EXPECT_FLOAT_EQ(message.coils[kForearmSlot].position[1], -0.205f);
    EXPECT_EQ(message.acceleration, (std::array<float, 3>{0.25f, -1.5f, 9.75f}));
    EXPECT_EQ(message.turn_rate, (std::array<float, 3>{0.5f, -0.125f, 2.0f}));
}

TEST(Fnim, LooksAtASlotOnlyWhenItIsValid) {
    const Message message = decoded(packet("left_index_lost"));
    EXPECT_TRUE(message.coils[0].valid);
    EXPECT_FALSE(message.coils[1].valid);
    EXPECT_EQ(message.coils[1].position, (std::array<float, 3>{}));
    EXPECT_EQ(message.coils[1].orientation_wxyz, (std::array<float, 4>{}));
    EXPECT_TRUE(message.coils[2].valid);
    for (const CoilPose& coil : decoded(packet("left_all_lost")).coils) {
        EXPECT_FALSE(coil.valid);
        EXPECT_EQ(coil.position, (std::array<float, 3>{}));
    }
}

TEST(Fnim, OneAndNothingElseMeansValid) {
    for (const unsigned value : {0u, 2u, 3u, 0x80u, 0x81u, 0xFFu}) {
        EXPECT_FALSE(decoded(with_byte(packet("left_relaxed"), valid_at(2), value)).coils[2].valid) << value;
    }
}

TEST(Fnim, ReservedBytesDoNotMatter) {
    const Message expected = decoded(packet("right_fist_forearm"));
    Bytes bytes = packet("right_fist_forearm");
    bytes[6] = bytes[7] = std::byte{0xFF};
    for (std::size_t slot = 0; slot < kSlotCount; ++slot) {
        for (std::size_t i = 1; i <= 3; ++i) {
            bytes[valid_at(slot) + i] = std::byte{0xFF};
        }
    }
    const Message message = decoded(bytes);
    EXPECT_EQ(message.frame_number, expected.frame_number);
    for (std::size_t slot = 0; slot < kSlotCount; ++slot) {
        EXPECT_EQ(message.coils[slot].position, expected.coils[slot].position);
        EXPECT_EQ(message.coils[slot].orientation_wxyz, expected.coils[slot].orientation_wxyz);
    }
}

TEST(Fnim, EveryOtherSizeIsRefused) {
    const Bytes bytes = packet("left_relaxed");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_EQ(decode_error_of(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))),
                  DecodeError::size);
    }
    for (const std::size_t size : {241u, 612u, 640u, 1860u}) {
        Bytes longer = bytes;
        longer.resize(size);
        EXPECT_EQ(decode_error_of(longer), DecodeError::size);
    }
}

TEST(Fnim, EveryHeaderFieldOfTheChecklistIsChecked) {
    const Bytes bytes = packet("left_relaxed");
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(decode_error_of(with_byte(bytes, i, 0)), DecodeError::magic);
        EXPECT_EQ(decode_error_of(with_byte(bytes, 20 + i, 0)), DecodeError::quat_order);
    }
    EXPECT_EQ(decode_error_of(with_byte(bytes, 0, 'S')), DecodeError::magic);
    for (const unsigned value : {0u, 1u, 3u, 4u, 255u}) {
        EXPECT_EQ(decode_error_of(with_byte(bytes, 4, value)), DecodeError::version);
    }
    for (const unsigned value : {0u, 3u, 4u, 129u, 255u}) {
        EXPECT_EQ(decode_error_of(with_byte(bytes, kFlagsAt, value)), DecodeError::hand);
    }
}

TEST(Fnim, NumbersThatCannotBeUsedAreRefusedInValidSlots) {
    const Bytes bytes = packet("right_fist_forearm");
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t slot = 0; slot < kSlotCount; ++slot) {
        for (std::size_t part = 0; part < 7; ++part) {
            for (const float value : {infinity, -infinity, nan}) {
                EXPECT_EQ(decode_error_of(with_float(bytes, slot_at(slot) + 4 * part, value)), DecodeError::not_finite);
            }
        }
        EXPECT_EQ(decode_error_of(with_float(bytes, slot_at(slot), 2001)), DecodeError::position);
        EXPECT_EQ(decode_error_of(with_float(bytes, slot_at(slot), 3e38f)), DecodeError::position);
    }
}

TEST(Fnim, ImuNumbersThatCannotBeUsedAreRefused) {
    const Bytes bytes = packet("right_fist_forearm");
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const std::size_t at : {kAccelerationAt + 4 * axis, kGyroAt + 4 * axis}) {
            EXPECT_EQ(decode_error_of(with_float(bytes, at, std::numeric_limits<float>::quiet_NaN())),
                      DecodeError::not_finite);
            EXPECT_EQ(decode_error_of(with_float(bytes, at, -std::numeric_limits<float>::infinity())),
                      DecodeError::not_finite);
            EXPECT_EQ(decode_error_of(with_float(bytes, at, 1e6f)), DecodeError::imu);
        }
        EXPECT_EQ(decode_error_of(with_float(bytes, kAccelerationAt + 4 * axis, 160)), DecodeError::none);  // 16 g
        EXPECT_EQ(decode_error_of(with_float(bytes, kGyroAt + 4 * axis, 70)), DecodeError::none);  // 4000 deg/s
    }
}

TEST(Fnim, QuaternionsAreNormalisedOrRefused) {
    Bytes bytes = packet("left_relaxed");
    const auto with_length = [&bytes](float length) {
        const std::array<float, 4> direction{0.5f, -0.5f, 0.5f, 0.5f};
        for (std::size_t i = 0; i < 4; ++i) {
            put_float(bytes, slot_at(3) + 12 + 4 * i, length * direction[i]);
        }
        return bytes;
    };
    for (const float length : {0.51f, 0.9f, 1.0f, 1.49f}) {
        const CoilPose coil = decoded(with_length(length)).coils[3];
        EXPECT_NEAR(coil.orientation_wxyz[0], 0.5, 1e-6);
        EXPECT_NEAR(coil.orientation_wxyz[1], -0.5, 1e-6);
    }
    for (const float length : {0.0f, 0.49f, 1.51f, 1e18f}) {
        EXPECT_EQ(decode_error_of(with_length(length)), DecodeError::quaternion_length);
    }
}

TEST(Fnim, NoChangedByteMakesANumberThatCannotBeUsed) {
    for (const char* const name : kGoldenNames) {
        const Bytes bytes = packet(name);
        for (std::size_t offset = 0; offset < bytes.size(); ++offset) {
            for (unsigned value = 0; value < 256; ++value) {
                Message message{};
                if (decode(with_byte(bytes, offset, value), message) != DecodeError::none) {
                    continue;
                }
                for (const CoilPose& coil : message.coils) {
                    double square = 0;
                    for (const float part : coil.orientation_wxyz) {
                        square += double{part} * part;
                    }
                    ASSERT_NEAR(square, coil.valid ? 1 : 0, 1e-5) << name << " " << offset << " " << value;
                    for (const float part : coil.position) {
                        ASSERT_LE(std::abs(part), kMaxReachM);
                    }
                }
            }
        }
    }
}

TEST(Fnim, EveryRefusalHasAName) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(DecodeError::count_); ++i) {
        names.insert(name_of(static_cast<DecodeError>(i)));
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(DecodeError::count_));
    EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace glove::fnim
