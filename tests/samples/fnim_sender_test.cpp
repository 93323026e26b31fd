// SPDX-License-Identifier: Apache-2.0
// Datagrams of the simulated coil glove against the tests' own encoder, which shares no arithmetic with it, and through
// the layer's solver. Not covered: what real gloves send.
#include "senders/fnim_sender.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "fnim_encoding.hpp"
#include "hand/fnim/fingertip_ik.hpp"
#include "hand/near.hpp"
#include "protocol/fnim.hpp"
#include "reference_poses.hpp"

namespace glove {
namespace {

using namespace test;

float float_at(const std::vector<std::byte>& bytes, std::size_t offset) {
    std::uint32_t bits = 0;
    for (std::size_t i = 4; i-- > 0;) {
        bits = bits << 8 | std::to_integer<std::uint32_t>(bytes.at(offset + i));
    }
    return std::bit_cast<float>(bits);
}

void expect_same(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    ASSERT_EQ(a.size(), 240u);
    ASSERT_EQ(b.size(), 240u);
    for (std::size_t i = 0; i < 24; ++i) {
        EXPECT_EQ(a[i], b[i]) << "header byte " << i;
    }
    for (std::size_t slot = 0; slot < 6; ++slot) {
        const std::size_t at = 24 + 32 * slot;
        EXPECT_EQ(a[at + 28], b[at + 28]);
        if (a[at + 28] != std::byte{1}) {
            continue;
        }
        float same_way = 0;
        for (std::size_t i = 3; i < 7; ++i) {
            same_way += float_at(a, at + 4 * i) * float_at(b, at + 4 * i);
        }
        for (std::size_t i = 0; i < 7; ++i) {
            const float sign = i < 3 || same_way > 0 ? 1.0f : -1.0f;  // q and -q are one rotation
            EXPECT_NEAR(float_at(a, at + 4 * i), sign * float_at(b, at + 4 * i), i < 3 ? 1e-3f : 1e-5f) << slot << i;
        }
    }
    for (std::size_t at = 216; at < 240; at += 4) {
        EXPECT_NEAR(float_at(a, at), float_at(b, at), 1e-6f);
    }
}

TEST(FnimSender, WritesWhatTheDocumentAsksFor) {
    for (const ReferencePose& pose : reference_poses()) {
        const FnimFrame frame{pose.hand, 77, 123'456'789'012, {1, 2, 3}, {4, 5, 6}};
        SenderCoils expected = tips_as_coils(pose.joint_in_wrist, kWristInTransmitter);
        expected[3].valid = false;
        Coils coils = coils_on_tips(pose.joint_in_wrist);
        coils[3].valid = false;
        // Right 1, up 2, back 3 is right 1, forward -3, up 2.
        const FnimHeader header{pose.hand, 77, 123'456'789'012, {1, -3, 2}, {4, -6, 5}};
        expect_same(encode_fnim(frame, coils), fnim_datagram(header, expected));
    }
}

TEST(FnimSender, TheForearmLiesBehindTheHand) {
    const Coil coil = forearm_coil({{0, 0, 0, 1}, {0, 0, -0.2f}});
    EXPECT_TRUE(coil.valid);
    EXPECT_NEAR(coil.in_transmitter.position.z, 0.245f, 1e-6f);  // the wrist 45 mm behind the transmitter
}

TEST(FnimSender, FaultsHaveTheSizeAskedFor) {
    const Coils truth = coils_on_tips(reference_pose(Hand::left, "relax").joint_in_wrist);
    CoilFaults faults(1, 2, 0.1);
    double shift = 0;
    double turn = 0;
    int lost = 0;
    constexpr int frames = 4000;
    for (int i = 0; i < frames; ++i) {
        const Coils spoilt = faults.apply(truth);
        for (std::size_t coil = 0; coil < 5; ++coil) {
            lost += spoilt[coil].valid ? 0 : 1;
            const double mm =
                millimetres_between(spoilt[coil].in_transmitter.position, truth[coil].in_transmitter.position);
            const double deg =
                degrees_between(spoilt[coil].in_transmitter.orientation, truth[coil].in_transmitter.orientation);
            shift += mm * mm;
            turn += deg * deg;
        }
        EXPECT_FALSE(spoilt[5].valid);
    }
    // Root mean square over three axes.
    EXPECT_NEAR(std::sqrt(shift / (5 * frames)), std::sqrt(3.0), 0.03);
    EXPECT_NEAR(std::sqrt(turn / (5 * frames)), 2 * std::sqrt(3.0), 0.06);
    EXPECT_NEAR(lost / (5.0 * frames), 0.1, 0.01);
}

TEST(FnimSender, TheSameSeedGivesTheSameFaults) {
    const Coils truth = coils_on_tips(reference_pose(Hand::left, "relax").joint_in_wrist);
    CoilFaults one(1, 2, 0.5, 9);
    CoilFaults other(1, 2, 0.5, 9);
    EXPECT_EQ(encode_fnim({Hand::left, 1, 1}, one.apply(truth)), encode_fnim({Hand::left, 1, 1}, other.apply(truth)));
}

// The tour's hand has other bones than the layer's template, so its tips are met within what such hands differ by.
TEST(FnimSender, TheSolverFollowsTheTipsOfTheTour) {
    for (const Hand hand : kBothHands) {
        FingertipIk ik(hand, template_calibration(92));
        double sum = 0;
        int count = 0;
        for (int i = 0; i < 12 * 120; ++i) {
            const double seconds = i / 120.0;
            const HandJoints truth = hand_joints(hand, Pose::tour, seconds);
            fnim::Message message{};
            ASSERT_EQ(fnim::decode(encode_fnim({hand, 1, 1}, coils_on_tips(truth)), message), fnim::DecodeError::none);
            HandSample solved{};
            ik.solve(message, static_cast<std::int64_t>(seconds * 1e9), solved);
            for (const std::size_t tip : {5u, 10u, 15u, 20u, 25u}) {
                const double off = millimetres_between(solved.joint_in_wrist[tip].position, truth[tip].position);
                ASSERT_LT(off, 20) << name_of(hand) << " tip " << tip << " at " << seconds;
                sum += off;
                ++count;
            }
        }
        EXPECT_LT(sum / count, 5) << name_of(hand);
    }
}

}  // namespace
}  // namespace glove
