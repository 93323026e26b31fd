// SPDX-License-Identifier: Apache-2.0
// Coil datagrams in, moving hands out, without a socket: time is the test's.
// Not covered: how well fingers are found (test_fingertip_ik, and test_gloves through the loader).
#include <gtest/gtest.h>

#include "fnim_encoding.hpp"
#include "fsnh_encoding.hpp"
#include "glove_stream.hpp"
#include "hand/near.hpp"
#include "reference_poses.hpp"

namespace glove::test {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kTickNs = 8'333'333;
constexpr std::int64_t kStartNs = 5'000 * kMs;
constexpr Sender kGlove{1, "127.0.0.1:1"};
constexpr Sender kOtherGlove{2, "127.0.0.1:2"};

const XrPosef kWristInTransmitter{{0, 0, 0, 1}, {0, -0.015f, 0.045f}};

std::vector<std::byte> coils(Hand hand, std::uint32_t frame, const char* pose = "fist", Row turn_rate = {}) {
    FnimHeader header;
    header.hand = hand;
    header.frame_number = frame;
    header.timestamp_ns = 77'000'000'000 + frame * std::uint64_t{kTickNs};
    header.turn_rate = turn_rate;
    return fnim_datagram(header, tips_as_coils(reference_pose(hand, pose).joint_in_wrist, kWristInTransmitter));
}

std::vector<std::byte> joints(Hand hand, std::uint32_t frame) {
    return wrist_datagram({.hand = hand, .frame_index = frame},
                          to_sender(hand, reference_pose(hand, "flat").joint_in_wrist));
}

HandSample newest(const GloveStream& stream, Hand hand) {
    HandMotion motion{};
    EXPECT_TRUE(stream.hand(hand).motion.read(motion));
    return motion.sample;
}

TEST(FnimStream, PublishesTheHandOfEachDatagramOnTheLocalClock) {
    GloveStream stream{Config{}};
    stream.take(coils(Hand::right, 1), kGlove, kStartNs);
    // 3 ms late on the way, by the sender's clock.
    stream.take(coils(Hand::right, 2), kGlove, kStartNs + kTickNs + 3 * kMs);
    const HandSample sample = newest(stream, Hand::right);
    EXPECT_EQ(sample.source, Source::fnim);
    EXPECT_EQ(sample.sequence, 2u);
    EXPECT_EQ(sample.tracked, kAllJointsTracked);
    EXPECT_EQ(sample.time_ns, kStartNs + kTickNs);
    EXPECT_EQ(stream.hand(Hand::right).heard_ns, kStartNs + kTickNs + 3 * kMs);
    EXPECT_EQ(stream.hand(Hand::left).samples, 0u);
    EXPECT_EQ(stream.other_kinds(), 0u);
}

TEST(FnimStream, CountsDoubledLateAndLostFrames) {
    GloveStream stream{Config{}};
    std::int64_t now_ns = kStartNs;
    for (const std::uint32_t frame : {1u, 2u, 2u, 6u, 5u, 7u}) {
        stream.take(coils(Hand::left, frame), kGlove, now_ns += kTickNs);
    }
    const HandFeed& hand = stream.hand(Hand::left);
    EXPECT_EQ(hand.samples, 4u);
    EXPECT_EQ(hand.lost, 3u);
    EXPECT_EQ(hand.admissions[static_cast<std::size_t>(Admission::duplicate)], 1u);
    EXPECT_EQ(hand.admissions[static_cast<std::size_t>(Admission::late)], 1u);
}

TEST(FnimStream, DoesNotMixASecondSenderIn) {
    GloveStream stream{Config{}};
    for (std::uint32_t i = 1; i < 30; ++i) {
        stream.take(coils(Hand::left, i, "fist"), kGlove, kStartNs + i * kTickNs);
        stream.take(coils(Hand::left, 500 + i, "flat"), kOtherGlove, kStartNs + i * kTickNs + kMs);
        EXPECT_EQ(newest(stream, Hand::left).sequence, i);
    }
    EXPECT_EQ(stream.hand(Hand::left).admissions[static_cast<std::size_t>(Admission::other_sender)], 29u);
}

TEST(FnimStream, HandsOnWhatItHearsOfTheSenderThatItHears) {
    struct Heard final : RawListener {
        void heard(const fnim::Message& message, std::int64_t /*received_ns*/) noexcept override {
            frames.push_back(message.frame_number);
        }
        void heard(const hand_engine::HandMessage& /*message*/, std::int64_t /*received_ns*/) noexcept override {}
        std::vector<std::uint32_t> frames;
    } listener;
    GloveStream stream{Config{}};
    stream.set_raw_listener(listener);
    stream.take(coils(Hand::left, 1), kGlove, kStartNs);
    stream.take(coils(Hand::left, 900), kOtherGlove, kStartNs + 1 * kMs);
    stream.take(coils(Hand::left, 2), kGlove, kStartNs + 8 * kMs);
    // The glove's program was started again, and has another port.
    stream.take(coils(Hand::left, 901), kOtherGlove, kStartNs + 600 * kMs);
    stream.take(coils(Hand::left, 902), kOtherGlove, kStartNs + 608 * kMs);
    EXPECT_EQ(listener.frames, (std::vector<std::uint32_t>{1, 2, 901, 902}));
}

TEST(FnimStream, CountsRefusalsByReasonWhateverTheSize) {
    GloveStream stream{Config{}};
    auto wrong = coils(Hand::left, 1);
    wrong[4] = std::byte{9};
    stream.take(wrong, kGlove, kStartNs);
    stream.take(std::vector<std::byte>(240), kGlove, kStartNs);
    wrong = coils(Hand::left, 1);
    wrong.resize(200);
    stream.take(wrong, kGlove, kStartNs);
    EXPECT_EQ(stream.decode_errors(fnim::DecodeError::version), 1u);
    EXPECT_EQ(stream.decode_errors(fnim::DecodeError::magic), 1u);
    EXPECT_EQ(stream.decode_errors(fnim::DecodeError::size), 1u);
    EXPECT_EQ(stream.decode_errors(fsnh::DecodeError::size), 0u);
    EXPECT_EQ(stream.hand(Hand::left).samples, 0u);
}

TEST(FnimStream, TakesADatagramWithoutOneCoilForNoSignOfAHand) {
    GloveStream stream{Config{}};
    stream.take(coils(Hand::left, 1), kGlove, kStartNs);
    stream.take(fnim_datagram({.hand = Hand::left, .frame_number = 2}, {}), kGlove, kStartNs + kTickNs);
    EXPECT_EQ(stream.hand(Hand::left).samples, 1u);
    EXPECT_EQ(stream.hand(Hand::left).heard_ns, kStartNs);
}

TEST(FnimStream, TakesACaptureThatIsNoHandForNone) {
    HandCalibration no_hand = template_calibration(92);
    for (FingerModel& finger : no_hand.fingers) {
        finger.root_in_wrist.position = {0, 0, 0};
    }
    CalibrationValues kept;
    kept.numbers[fingertips_key(Hand::left)] = numbers_of(no_hand);
    const auto size_with = [](const CalibrationValues& values) {
        std::array<HandOutput, kHandCount> outputs{{{Hand::left, 500 * kMs}, {Hand::right, 500 * kMs}}};
        FnimStream stream(Config{}, values, outputs);
        stream.take(coils(Hand::left, 1), kGlove, kStartNs);
        HandMotion motion{};
        EXPECT_TRUE(outputs[index_of(Hand::left)].feed().motion.read(motion));
        return motion.sample.scale;
    };
    EXPECT_GT(size_with(kept), 0);
    EXPECT_EQ(size_with(kept), size_with({}));
}

TEST(FnimStream, GivesTheGlovesTurnRateWithTheHand) {
    GloveStream stream{Config{}};
    stream.take(coils(Hand::left, 1), kGlove, kStartNs);
    EXPECT_FALSE(newest(stream, Hand::left).turn_rate_known);
    // Right 1, forward 2, up 3.
    stream.take(coils(Hand::left, 2, "fist", {1, 2, 3}), kGlove, kStartNs + kTickNs);
    const HandSample sample = newest(stream, Hand::left);
    EXPECT_TRUE(sample.turn_rate_known);
    EXPECT_NEAR(sample.turn_rate.x, 1, 1e-5);
    EXPECT_NEAR(sample.turn_rate.y, 3, 1e-5);
    EXPECT_NEAR(sample.turn_rate.z, -2, 1e-5);
    stream.take(joints(Hand::left, 1), kGlove, kStartNs + 2 * kTickNs);
    EXPECT_FALSE(newest(stream, Hand::left).turn_rate_known);
}

TEST(FnimStream, GivesWayToJointsWhileTheyAreLive) {
    GloveStream stream{Config{}};
    stream.take(coils(Hand::left, 1), kGlove, kStartNs);
    EXPECT_EQ(newest(stream, Hand::left).source, Source::fnim);
    stream.take(joints(Hand::left, 1), kGlove, kStartNs + kMs);
    EXPECT_EQ(newest(stream, Hand::left).source, Source::fsnh);
    stream.take(coils(Hand::left, 2), kGlove, kStartNs + 2 * kMs);
    EXPECT_EQ(newest(stream, Hand::left).source, Source::fsnh);
    EXPECT_EQ(stream.hand(Hand::left).lower_priority, 1u);
    // The other hand is independent.
    stream.take(coils(Hand::right, 2), kGlove, kStartNs + 2 * kMs);
    EXPECT_EQ(newest(stream, Hand::right).source, Source::fnim);
    // A repeat keeps the joints live.
    stream.take(wrist_datagram({.hand = Hand::left, .frame_index = 1, .new_solve = false},
                               to_sender(Hand::left, reference_pose(Hand::left, "flat").joint_in_wrist)),
                kGlove, kStartNs + 400 * kMs);
    stream.take(coils(Hand::left, 3), kGlove, kStartNs + 800 * kMs);
    EXPECT_EQ(newest(stream, Hand::left).source, Source::fsnh);
    stream.take(coils(Hand::left, 4), kGlove, kStartNs + 901 * kMs);
    EXPECT_EQ(newest(stream, Hand::left).source, Source::fnim);
}

TEST(FnimStream, LetsNoVelocityComeFromTheJumpBetweenTwoProtocols) {
    GloveStream stream{Config{}};
    stream.take(coils(Hand::left, 1, "fist"), kGlove, kStartNs);
    stream.take(joints(Hand::left, 1), kGlove, kStartNs + kTickNs);
    HandMotion motion{};
    ASSERT_TRUE(stream.hand(Hand::left).motion.read(motion));
    const XrVector3f& velocity = motion.velocity_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT].linear;
    EXPECT_EQ(dot_product(row_of(velocity), row_of(velocity)), 0);
}

}  // namespace
}  // namespace glove::test
