// SPDX-License-Identifier: Apache-2.0
// FSNH against packets made from the document by a program of its own (tests/golden/fsnh/make_packets.py).
// Not covered: whether gloves send what the document says; no recording of one is at hand.
#include "protocol/fsnh.hpp"

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

namespace glove::fsnh {
namespace {

using Bytes = std::vector<std::byte>;

const char* const kGoldenNames[] = {"wrist_left_relaxed", "wrist_left_repeat", "wrist_right_fist", "forearm_left_live",
                                    "forearm_right_held"};

Bytes packet(const std::string& name) {
    return test::golden_file("fsnh/" + name + ".hex");
}

// Byte offsets of the document's section 5.1.
constexpr std::size_t kMagicAt = 0;
constexpr std::size_t kVersionAt = 4;
constexpr std::size_t kHandAt = 5;
constexpr std::size_t kJointCountAt = 6;
constexpr std::size_t kStatusAt = 7;
constexpr std::size_t kQuatOrderAt = 20;
constexpr std::size_t kJointsAt = 24;

std::uint32_t u32_at(const Bytes& bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value |= std::to_integer<std::uint32_t>(bytes[offset + i]) << (8 * i);
    }
    return value;
}

float float_at(const Bytes& bytes, std::size_t offset) {
    return std::bit_cast<float>(u32_at(bytes, offset));
}

void put_float(Bytes& bytes, std::size_t offset, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (std::size_t i = 0; i < 4; ++i) {
        bytes[offset + i] = static_cast<std::byte>(bits >> (8 * i));
    }
}

void put_joint(Bytes& bytes, std::size_t joint, const JointPose& pose) {
    for (std::size_t i = 0; i < 3; ++i) {
        put_float(bytes, kJointsAt + joint * 28 + 4 * i, pose.position[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        put_float(bytes, kJointsAt + joint * 28 + 12 + 4 * i, pose.orientation_wxyz[i]);
    }
}

Bytes with(Bytes bytes, std::size_t offset, unsigned value) {
    bytes[offset] = static_cast<std::byte>(value);
    return bytes;
}

DecodeError decode_error_of(const Bytes& bytes) {
    Message message;
    return decode(bytes, message);
}

Message decoded(const Bytes& bytes) {
    Message message{};
    EXPECT_EQ(decode(bytes, message), DecodeError::none);
    return message;
}

// The document's section 8, and that the numbers are usable; read off the bytes without the decoder.
bool checklist_holds(const Bytes& bytes) {
    const bool wrist = bytes.size() == 612 && bytes[kJointCountAt] == std::byte{21};
    const bool forearm = bytes.size() == 640 && bytes[kJointCountAt] == std::byte{22};
    if (!(wrist || forearm) || u32_at(bytes, kMagicAt) != 0x464E4853 || bytes[kVersionAt] != std::byte{4} ||
        (bytes[kHandAt] != std::byte{1} && bytes[kHandAt] != std::byte{2}) ||
        u32_at(bytes, kQuatOrderAt) != 0x77787A79 || std::to_integer<unsigned>(bytes[kStatusAt]) > 3) {
        return false;
    }
    for (std::size_t at = kJointsAt; at < bytes.size(); at += 28) {
        long double reach_squared = 0;
        long double norm_squared = 0;
        for (std::size_t i = 0; i < 7; ++i) {
            const long double value = float_at(bytes, at + 4 * i);
            (i < 3 ? reach_squared : norm_squared) += value * value;
        }
        if (!(reach_squared <= 4.0L) || !(norm_squared >= 0.25L && norm_squared <= 2.25L)) {
            return false;
        }
    }
    return true;
}

// What makes a number of the message unusable, or nullptr. The loops below are too long for an EXPECT on each.
const char* fault_in(const Message& message) {
    for (const JointPose& joint : message.joints) {
        double norm_squared = 0;
        for (const float part : joint.orientation_wxyz) {
            norm_squared += double{part} * double{part};
        }
        if (!(std::abs(std::sqrt(norm_squared) - 1.0) < 1e-6)) {
            return "quaternion not of unit length";
        }
        for (const float coordinate : joint.position) {
            if (!(std::abs(coordinate) <= kMaxReachM)) {
                return "position out of reach";
            }
        }
    }
    return message.hand == Hand::left || message.hand == Hand::right ? nullptr : "neither hand";
}

struct Outcome {
    DecodeError error;
    const char* fault;  // nullptr when it is as it should be
};

// Decodes `bytes` and compares with the checklist. A refusal must leave the output alone, to the bit.
Outcome checked(const Bytes& bytes) {
    Message message;
    std::memset(static_cast<void*>(&message), 0xA5, sizeof message);
    std::array<std::byte, sizeof message> untouched;
    untouched.fill(std::byte{0xA5});

    const DecodeError error = decode(bytes, message);
    if ((error == DecodeError::none) != checklist_holds(bytes)) {
        return {error, "checklist and decoder disagree"};
    }
    if (error == DecodeError::none) {
        return {error, fault_in(message)};
    }
    std::array<std::byte, sizeof message> left;
    std::memcpy(left.data(), &message, sizeof message);
    return {error, left == untouched ? nullptr : "output touched by a error"};
}

void expect_joint(const JointPose& joint, const JointPose& expected, const char* name) {
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(joint.position[i], expected.position[i], 6e-7) << name << " position " << i;
    }
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(joint.orientation_wxyz[i], expected.orientation_wxyz[i], 6e-7) << name << " orientation " << i;
    }
}

TEST(Fsnh, ReadsARelaxedLeftHand) {
    const Message message = decoded(packet("wrist_left_relaxed"));
    EXPECT_EQ(message.hand, Hand::left);
    EXPECT_FALSE(message.forearm_format);
    EXPECT_TRUE(message.new_solve);
    EXPECT_FALSE(message.forearm_live);
    EXPECT_EQ(message.frame_index, 1000u);
    EXPECT_EQ(message.timestamp_ns, 5'000'000'000u);
    expect_joint(message.joints[0], {{0, 0, 0}, {1, 0, 0, 0}}, "palm root");
    expect_joint(message.joints[1], {{0.025f, 0.031f, -0.016f}, {0.932692f, -0.040722f, 0.015632f, -0.358027f}},
                 "thumb MCP");
    expect_joint(message.joints[4],
                 {{0.083489f, 0.095959f, -0.039441f}, {0.897415f, -0.257330f, 0.098780f, -0.344485f}}, "thumb tip");
    expect_joint(message.joints[12], {{0.002f, 0.154517f, -0.052544f}, {0.824126f, -0.566406f, 0, 0}}, "middle tip");
}

TEST(Fsnh, ReadsARightFistWithTheLargestCounter) {
    const Message message = decoded(packet("wrist_right_fist"));
    EXPECT_EQ(message.hand, Hand::right);
    EXPECT_FALSE(message.forearm_format);
    EXPECT_TRUE(message.new_solve);
    EXPECT_EQ(message.frame_index, 0xFFFFFFFFu);
    EXPECT_EQ(message.timestamp_ns, 0x0123456789ABCDEFu);
    const JointPose expected[kWristJointCount] = {
        {{0, 0, 0}, {1, 0, 0, 0}},
        {{0.025000f, -0.031000f, -0.016000f}, {0.961464f, 0.169532f, 0.037584f, 0.213151f}},
        {{0.040885f, -0.065066f, -0.029681f}, {0.865985f, 0.450803f, 0.099941f, 0.191984f}},
        {{0.048642f, -0.081701f, -0.055894f}, {0.524563f, 0.823400f, 0.182543f, 0.116293f}},
        {{0.045070f, -0.074040f, -0.074020f}, {0.524563f, 0.823400f, 0.182543f, 0.116293f}},
        {{0.024000f, -0.092000f, 0.002000f}, {0.766044f, 0.642788f, 0, 0}},
        {{0.024000f, -0.098946f, -0.037392f}, {0.043619f, 0.999048f, 0, 0}},
        {{0.024000f, -0.075037f, -0.039484f}, {-0.422618f, 0.906308f, 0, 0}},
        {{0.024000f, -0.064110f, -0.026461f}, {-0.422618f, 0.906308f, 0, 0}},
        {{0.002000f, -0.092000f, 0.004000f}, {0.743145f, 0.669131f, 0, 0}},
        {{0.002000f, -0.096599f, -0.039759f}, {-0.017452f, 0.999848f, 0, 0}},
        {{0.002000f, -0.069616f, -0.038817f}, {-0.500000f, 0.866025f, 0, 0}},
        {{0.002000f, -0.060616f, -0.023228f}, {-0.500000f, 0.866025f, 0, 0}},
        {{-0.018000f, -0.087000f, 0.000000f}, {0.731354f, 0.681998f, 0, 0}},
        {{-0.018000f, -0.089790f, -0.039903f}, {-0.052336f, 0.998630f, 0, 0}},
        {{-0.018000f, -0.064927f, -0.037289f}, {-0.544639f, 0.838671f, 0, 0}},
        {{-0.018000f, -0.057606f, -0.020846f}, {-0.544639f, 0.838671f, 0, 0}},
        {{-0.035000f, -0.078000f, -0.006000f}, {0.719340f, 0.694658f, 0, 0}},
        {{-0.035000f, -0.079117f, -0.037981f}, {-0.034899f, 0.999391f, 0, 0}},
        {{-0.035000f, -0.060163f, -0.036655f}, {-0.544639f, 0.838671f, 0, 0}},
        {{-0.035000f, -0.053655f, -0.022038f}, {-0.544639f, 0.838671f, 0, 0}},
    };
    for (std::size_t joint = 0; joint < kWristJointCount; ++joint) {
        expect_joint(message.joints[joint], expected[joint], std::to_string(joint).c_str());
    }
}

TEST(Fsnh, DropsTheForearmSoThatBothFormatsHaveOneOrder) {
    const Bytes bytes = packet("forearm_left_live");
    const Message message = decoded(bytes);
    EXPECT_EQ(message.hand, Hand::left);
    EXPECT_TRUE(message.forearm_format);
    EXPECT_TRUE(message.forearm_live);
    EXPECT_TRUE(message.new_solve);
    EXPECT_EQ(message.frame_index, 7u);
    EXPECT_EQ(message.timestamp_ns, 6'000'000'000u);
    expect_joint(message.joints[0], {{0.004f, 0.21f, -0.012f}, {0.981060f, -0.172987f, 0.015134f, -0.085832f}},
                 "wrist");
    expect_joint(message.joints[1],
                 {{0.032728f, 0.228958f, -0.037638f}, {0.877016f, -0.205372f, -0.028987f, -0.433388f}}, "thumb MCP");
    for (std::size_t joint = 0; joint < kWristJointCount; ++joint) {
        EXPECT_EQ(message.joints[joint].position[0], float_at(bytes, kJointsAt + (joint + 1) * 28)) << joint;
    }
}

TEST(Fsnh, TellsAHeldForearmFromALiveOne) {
    const Message message = decoded(packet("forearm_right_held"));
    EXPECT_EQ(message.hand, Hand::right);
    EXPECT_TRUE(message.forearm_format);
    EXPECT_FALSE(message.forearm_live);
    EXPECT_TRUE(message.new_solve);
    expect_joint(message.joints[0], {{0.004f, -0.21f, -0.012f}, {0.981060f, 0.172987f, 0.015134f, 0.085832f}}, "wrist");
}

TEST(Fsnh, TellsARepeatFromANewSolve) {
    const Message first = decoded(packet("wrist_left_relaxed"));
    const Message repeat = decoded(packet("wrist_left_repeat"));
    EXPECT_FALSE(repeat.new_solve);
    EXPECT_EQ(repeat.frame_index, first.frame_index);
    EXPECT_EQ(repeat.timestamp_ns, 5'008'333'333u);
    using Bits = std::array<std::byte, sizeof first.joints>;
    EXPECT_EQ(std::bit_cast<Bits>(repeat.joints), std::bit_cast<Bits>(first.joints));
}

TEST(Fsnh, IgnoresTheForearmBitOfTheWristFormat) {
    const Message message = decoded(with(packet("wrist_left_relaxed"), kStatusAt, 0x03));
    EXPECT_TRUE(message.new_solve);
    EXPECT_FALSE(message.forearm_live);
}

TEST(Fsnh, RefusesEveryOtherSize) {
    for (const char* const name : kGoldenNames) {
        const Bytes whole = packet(name);
        Bytes longer = whole;
        longer.resize(whole.size() + 700, std::byte{0x3C});
        for (std::size_t size = 0; size < longer.size(); ++size) {
            const Bytes cut(longer.begin(), longer.begin() + static_cast<std::ptrdiff_t>(size));
            const Outcome outcome = checked(cut);
            ASSERT_EQ(outcome.fault, nullptr) << name << " of " << size << " bytes";
            if (size != 612 && size != 640) {
                ASSERT_EQ(outcome.error, DecodeError::size) << name << " of " << size << " bytes";
            }
        }
    }
}

TEST(Fsnh, NamesWhatIsWrong) {
    const Bytes wrist = packet("wrist_left_relaxed");
    const Bytes forearm = packet("forearm_left_live");
    EXPECT_EQ(decode_error_of({}), DecodeError::size);
    EXPECT_EQ(decode_error_of(with(wrist, kMagicAt, 'F')), DecodeError::magic);
    EXPECT_EQ(decode_error_of(with(wrist, kVersionAt, 3)), DecodeError::version);
    EXPECT_EQ(decode_error_of(with(wrist, kVersionAt, 5)), DecodeError::version);
    EXPECT_EQ(decode_error_of(with(wrist, kJointCountAt, 22)), DecodeError::joint_count);
    EXPECT_EQ(decode_error_of(with(forearm, kJointCountAt, 21)), DecodeError::joint_count);
    EXPECT_EQ(decode_error_of(with(wrist, kHandAt, 0)), DecodeError::hand);
    EXPECT_EQ(decode_error_of(with(wrist, kHandAt, 3)), DecodeError::hand);
    EXPECT_EQ(decode_error_of(with(wrist, kQuatOrderAt, 'x')), DecodeError::quat_order);
    for (unsigned bit = 2; bit < 8; ++bit) {
        EXPECT_EQ(decode_error_of(with(wrist, kStatusAt, 1u << bit)), DecodeError::status) << bit;
        EXPECT_EQ(decode_error_of(with(forearm, kStatusAt, 3u | 1u << bit)), DecodeError::status) << bit;
    }

    Bytes bad = wrist;
    put_joint(bad, 20, {{0, 0, std::numeric_limits<float>::quiet_NaN()}, {1, 0, 0, 0}});
    EXPECT_EQ(decode_error_of(bad), DecodeError::not_finite);
    put_joint(bad, 20, {{0, 1.5f, 1.5f}, {1, 0, 0, 0}});
    EXPECT_EQ(decode_error_of(bad), DecodeError::position);
    put_joint(bad, 20, {{0, 0, 0}, {0, 0, 0, 0}});
    EXPECT_EQ(decode_error_of(bad), DecodeError::quaternion_length);
}

TEST(Fsnh, HasANameOfItsOwnForEveryRefusal) {
    std::set<std::string> names;
    for (int i = 0; i <= static_cast<int>(DecodeError::count_); ++i) {
        names.insert(name_of(static_cast<DecodeError>(i)));
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(DecodeError::count_) + 1);
}

TEST(Fsnh, KeepsTheChecklistUnderEveryChangeOfOneByte) {
    for (const char* const name : kGoldenNames) {
        Bytes bytes = packet(name);
        std::size_t refused = 0;
        for (std::size_t offset = 0; offset < bytes.size(); ++offset) {
            const std::byte original = bytes[offset];
            for (unsigned change = 1; change < 256; ++change) {
                bytes[offset] = original ^ static_cast<std::byte>(change);
                const Outcome outcome = checked(bytes);
                if (outcome.fault != nullptr) {
                    FAIL() << outcome.fault << ": " << name << ", byte " << offset << " xor " << change;
                }
                refused += outcome.error == DecodeError::none ? 0 : 1;
            }
            bytes[offset] = original;
        }
        // Magic, version, joint count and order of the quaternion take one value each: 10 bytes, 255 changes.
        EXPECT_GT(refused, 10u * 255u) << name;
        EXPECT_EQ(decode_error_of(bytes), DecodeError::none) << name;
    }
}

TEST(Fsnh, KeepsTheChecklistForEveryOddNumberInEverySlot) {
    using Limits = std::numeric_limits<float>;
    const float odd[] = {Limits::quiet_NaN(),
                         -Limits::quiet_NaN(),
                         Limits::signaling_NaN(),
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::denorm_min(),
                         -Limits::denorm_min(),
                         Limits::min(),
                         Limits::max(),
                         Limits::lowest(),
                         1e20f,
                         -1e20f,
                         2.5f,
                         -2.5f,
                         -0.0f};
    for (const char* const name : kGoldenNames) {
        const Bytes whole = packet(name);
        for (std::size_t slot = kJointsAt; slot < whole.size(); slot += 4) {
            for (const float value : odd) {
                Bytes bytes = whole;
                put_float(bytes, slot, value);
                const Outcome outcome = checked(bytes);
                ASSERT_EQ(outcome.fault, nullptr) << name << ", " << value << " at " << slot;
                if (!std::isfinite(value)) {
                    ASSERT_EQ(outcome.error, DecodeError::not_finite) << name << ", " << value << " at " << slot;
                } else if (std::abs(value) > 2.0f) {
                    const bool in_position = (slot - kJointsAt) % 28 < 12;
                    ASSERT_EQ(outcome.error, in_position ? DecodeError::position : DecodeError::quaternion_length)
                        << name << ", " << value << " at " << slot;
                }
            }
        }
    }
}

TEST(Fsnh, AcceptsPositionsUpToTheReachAndNoFurther) {
    Bytes bytes = packet("wrist_left_relaxed");
    const float beyond = std::nextafter(2.0f, 3.0f);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const float sign : {1.0f, -1.0f}) {
            JointPose pose{{0, 0, 0}, {1, 0, 0, 0}};
            pose.position[axis] = sign * 2.0f;
            put_joint(bytes, 7, pose);
            EXPECT_EQ(decode_error_of(bytes), DecodeError::none);
            pose.position[axis] = sign * beyond;
            put_joint(bytes, 7, pose);
            EXPECT_EQ(decode_error_of(bytes), DecodeError::position);
        }
    }
}

TEST(Fsnh, BringsQuaternionsToUnitLengthAndKeepsTheirRotation) {
    const Bytes wrist = packet("wrist_right_fist");
    for (const float length : {0.5f, 0.75f, 0.999f, 1.0f, 1.001f, 1.25f, 1.5f}) {
        Bytes bytes = wrist;
        // 2, 3, 6 of 7 are a Pythagorean triple in three dimensions, so the length is known without a root.
        put_joint(bytes, 3, {{0, 0, 0}, {0, length * 2 / 7, -length * 3 / 7, length * 6 / 7}});
        put_joint(bytes, 4, {{0, 0, 0}, {-length, 0, 0, 0}});
        const Message message = decoded(bytes);
        expect_joint(message.joints[3], {{0, 0, 0}, {0, 2.0f / 7, -3.0f / 7, 6.0f / 7}}, "2-3-6");
        EXPECT_EQ(message.joints[4].orientation_wxyz[0], -1.0f) << "the sign belongs to the sender";
    }
    for (const float length : {0.0f, 0.25f, 0.4999f, 1.5001f, 3.0f}) {
        Bytes bytes = wrist;
        put_joint(bytes, 3, {{0, 0, 0}, {0, 0, length, 0}});
        EXPECT_EQ(decode_error_of(bytes), DecodeError::quaternion_length) << length;
    }
}

TEST(Fsnh, ChecksTheForearmThatItDrops) {
    Bytes bytes = packet("forearm_left_live");
    put_joint(bytes, 0, {{0, std::numeric_limits<float>::infinity(), 0}, {1, 0, 0, 0}});
    EXPECT_EQ(decode_error_of(bytes), DecodeError::not_finite);
}

}  // namespace
}  // namespace glove::fsnh
