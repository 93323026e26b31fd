// SPDX-License-Identifier: Apache-2.0
// Datagrams of the simulated glove, read with the offsets of "UDP Reception – Joint Poses", section 5, and against the
// tests' own encoder, which shares no arithmetic with it. Not covered: what real gloves send.
#include "senders/fsnh_sender.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "fsnh_encoding.hpp"
#include "protocol/fsnh.hpp"
#include "reference_poses.hpp"

namespace glove {
namespace {

using Bytes = std::vector<std::byte>;

std::uint64_t number_at(const Bytes& bytes, std::size_t offset, std::size_t size) {
    std::uint64_t out = 0;
    for (std::size_t i = size; i-- > 0;) {
        out = out << 8 | std::to_integer<std::uint64_t>(bytes.at(offset + i));
    }
    return out;
}

float float_at(const Bytes& bytes, std::size_t offset) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(number_at(bytes, offset, 4)));
}

// x, y, z, then w, x, y, z.
std::array<float, 7> joint_at(const Bytes& bytes, std::size_t joint) {
    std::array<float, 7> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = float_at(bytes, 24 + 28 * joint + 4 * i);
    }
    return out;
}

void expect_joint(const std::array<float, 7>& found, const std::array<float, 7>& wanted, const char* what) {
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], wanted[i], 1e-6) << what << ", value " << i;
    }
}

HandJoints at_rest() {
    HandJoints joints{};
    joints.fill({{0, 0, 0, 1}, {0, 0, 0}});
    return joints;
}

TEST(FsnhSender, WritesTheHeaderAtItsOffsets) {
    const FsnhFrame frame{Hand::right, 0x01020304, 0x1112131415161718, true};
    const Bytes bytes = encode_fsnh(frame, at_rest());
    ASSERT_EQ(bytes.size(), 612u);
    EXPECT_EQ(number_at(bytes, 0, 4), 0x464E4853u);
    EXPECT_EQ(bytes[0], std::byte{0x53}) << "little-endian";
    EXPECT_EQ(number_at(bytes, 4, 1), 4u);
    EXPECT_EQ(number_at(bytes, 5, 1), 2u);
    EXPECT_EQ(number_at(bytes, 6, 1), 21u);
    EXPECT_EQ(number_at(bytes, 7, 1), 1u);
    EXPECT_EQ(number_at(bytes, 8, 4), 0x01020304u);
    EXPECT_EQ(number_at(bytes, 12, 8), 0x1112131415161718u);
    EXPECT_EQ(number_at(bytes, 20, 4), 0x77787A79u);
    EXPECT_EQ(number_at(encode_fsnh({Hand::left, 1, 1}, at_rest()), 5, 1), 1u);
}

TEST(FsnhSender, SaysInTheStatusWhatIsNewAndWhatIsLive) {
    const auto wrist = [](bool fresh) { return number_at(encode_fsnh({Hand::left, 1, 1, fresh}, at_rest()), 7, 1); };
    const auto forearm = [](bool fresh, bool live) {
        const XrPosef ahead{{0, 0, 0, 1}, {0, 0, -0.2f}};
        return number_at(encode_fsnh_forearm({Hand::left, 1, 1, fresh}, at_rest(), ahead, live), 7, 1);
    };
    EXPECT_EQ(wrist(true), 1u);
    EXPECT_EQ(wrist(false), 0u);
    EXPECT_EQ(forearm(true, true), 3u);
    EXPECT_EQ(forearm(true, false), 1u);
    EXPECT_EQ(forearm(false, true), 2u);
    EXPECT_EQ(forearm(false, false), 0u);
}

TEST(FsnhSender, TurnsPositionsIntoTheHandsOwnAxes) {
    HandJoints joints = at_rest();
    // 10 mm to the right, 20 mm up, 150 mm ahead.
    joints[XR_HAND_JOINT_INDEX_TIP_EXT].position = {0.010f, 0.020f, -0.150f};
    // Left: right, forward, up. Right: left, back, up.
    expect_joint(joint_at(encode_fsnh({Hand::left, 1, 1}, joints), 8), {0.010f, 0.150f, 0.020f, 1, 0, 0, 0}, "left");
    expect_joint(joint_at(encode_fsnh({Hand::right, 1, 1}, joints), 8), {-0.010f, -0.150f, 0.020f, 1, 0, 0, 0},
                 "right");
}

TEST(FsnhSender, TurnsRotationsIntoTheHandsOwnAxes) {
    const float s = std::sin(0.5f);
    const float c = std::cos(0.5f);
    const auto sent = [](Hand hand, const XrQuaternionf& q) {
        HandJoints joints = at_rest();
        joints[XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT].orientation = q;
        return joint_at(encode_fsnh({hand, 1, 1}, joints), 10);
    };
    const XrQuaternionf flexed{-s, 0, 0, c};  // the fingertip goes down
    expect_joint(sent(Hand::left, flexed), {0, 0, 0, c, -s, 0, 0}, "left: x is right, so down is about -x");
    expect_joint(sent(Hand::right, flexed), {0, 0, 0, c, s, 0, 0}, "right: x is left, so down is about +x");
    const XrQuaternionf turned_left{0, s, 0, c};  // seen from above, against the clock
    expect_joint(sent(Hand::left, turned_left), {0, 0, 0, c, 0, 0, s}, "left: z is up");
    expect_joint(sent(Hand::right, turned_left), {0, 0, 0, c, 0, 0, s}, "right: z is up");
    const XrQuaternionf rolled{0, 0, s, c};  // about what points back
    expect_joint(sent(Hand::left, rolled), {0, 0, 0, c, 0, -s, 0}, "left: y is forward");
    expect_joint(sent(Hand::right, rolled), {0, 0, 0, c, 0, s, 0}, "right: y is back");
}

TEST(FsnhSender, BeginsTheForearmFormatWithTheForearmAndTheWrist) {
    HandJoints joints = at_rest();
    joints[XR_HAND_JOINT_LITTLE_TIP_EXT].position = {0, 0, -0.1f};
    const float s = std::sin(0.25f * std::numbers::pi_v<float>);
    const XrPosef bent_down{{-s, 0, 0, s}, {0, 0, -0.2f}};  // a right angle: the hand hangs from the wrist
    const Bytes bytes = encode_fsnh_forearm({Hand::left, 7, 8}, joints, bent_down);
    ASSERT_EQ(bytes.size(), 640u);
    EXPECT_EQ(number_at(bytes, 6, 1), 22u);
    expect_joint(joint_at(bytes, 0), {0, 0, 0, 1, 0, 0, 0}, "forearm");
    expect_joint(joint_at(bytes, 1), {0, 0.2f, 0, s, -s, 0, 0}, "wrist, 200 mm forward");
    expect_joint(joint_at(bytes, 21), {0, 0.2f, -0.1f, s, -s, 0, 0}, "little tip, 100 mm under the wrist");
}

TEST(FsnhSender, AgreesWithTheTestsOwnEncoderOnMeasuredHands) {
    for (const test::ReferencePose& pose : test::reference_poses()) {
        HandJoints joints{};
        std::copy(pose.joint_in_wrist.begin(), pose.joint_in_wrist.end(), joints.begin());
        const test::FsnhHeader header{pose.hand, 5, 6};
        const test::SenderHand sender = test::to_sender(pose.hand, pose.joint_in_wrist);
        const XrPosef forearm = moving_wrist_in_forearm(pose.hand, 0.7);
        const std::array<std::pair<Bytes, Bytes>, 2> pairs{{
            {encode_fsnh({pose.hand, 5, 6}, joints), test::wrist_datagram(header, sender)},
            {encode_fsnh_forearm({pose.hand, 5, 6}, joints, forearm),
             test::forearm_datagram(header, test::seen_from_forearm(pose.hand, sender, forearm))},
        }};
        for (const auto& [ours, theirs] : pairs) {
            ASSERT_EQ(ours.size(), theirs.size());
            EXPECT_EQ(std::memcmp(ours.data(), theirs.data(), 12), 0) << pose.name;
            for (std::size_t joint = 0; 24 + 28 * joint < ours.size(); ++joint) {
                const auto a = joint_at(ours, joint);
                const auto b = joint_at(theirs, joint);
                float same_rotation = 0;
                for (std::size_t i = 0; i < 7; ++i) {
                    if (i < 3) {
                        EXPECT_NEAR(a[i], b[i], 1e-6) << pose.name << " joint " << joint;
                    } else {
                        same_rotation += a[i] * b[i];
                    }
                }
                EXPECT_NEAR(std::abs(same_rotation), 1, 1e-5) << pose.name << " joint " << joint;
            }
        }
    }
}

TEST(FsnhSender, SendsWhatTheLayerAccepts) {
    for (const Hand hand : kBothHands) {
        fsnh::Message message{};
        const HandJoints joints = hand_joints(hand, Pose::wave, 0.4);
        EXPECT_EQ(fsnh::decode(encode_fsnh({hand, 1, 2}, joints), message), fsnh::DecodeError::none);
        EXPECT_EQ(message.hand, hand);
        EXPECT_EQ(fsnh::decode(encode_fsnh_forearm({hand, 1, 2}, joints, moving_wrist_in_forearm(hand, 0.4)), message),
                  fsnh::DecodeError::none);
        EXPECT_TRUE(message.forearm_format);
    }
}

}  // namespace
}  // namespace glove
