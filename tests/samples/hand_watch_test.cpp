// SPDX-License-Identifier: Apache-2.0
// What glovectl tells of a hand, with gloves whose times are made up. Not covered: Hand Engine (monitor_test).
#include "glovectl/hand_watch.hpp"

#include <gtest/gtest.h>

#include "reference_poses.hpp"
#include "senders/fsnh_sender.hpp"

namespace glove::ctl {
namespace {

HandSample sample_of(const test::ReferencePose& pose) {
    HandSample sample{};
    sample.joint_in_wrist = pose.joint_in_wrist;
    return sample;
}

TEST(FingerCurls, TellAFistFromAFlatHand) {
    for (const Hand hand : kBothHands) {
        const auto flat = finger_curls(sample_of(test::reference_pose(hand, "flat")));
        for (std::size_t finger = 0; finger < flat.size(); ++finger) {
            EXPECT_LT(flat[finger], finger == 0 ? 0.35 : 0.2) << name_of(hand) << finger;
        }
        const auto fist = finger_curls(sample_of(test::reference_pose(hand, "fist")));
        for (std::size_t finger = 1; finger < fist.size(); ++finger) {
            EXPECT_GT(fist[finger], 0.8) << name_of(hand) << finger;
        }
        const auto point = finger_curls(sample_of(test::reference_pose(hand, "point")));
        EXPECT_LT(point[1], 0.3) << name_of(hand);
        EXPECT_GT(point[3], 0.6) << name_of(hand);
    }
}

// One left hand at 100 Hz, of which `comes(frame)` says which datagrams come.
template <class Comes>
HandReading after_two_seconds(Comes comes, std::int64_t later_ns = 0) {
    constexpr std::int64_t kStepNs = 10'000'000;
    const Config config;
    GloveStream stream(config);
    HandWatch watch;
    HandReading reading;
    const HandJoints joints = hand_joints(Hand::left, Pose::fist, 0);
    std::int64_t now_ns = 1'000'000'000;
    for (std::uint32_t frame = 0; frame < 200; ++frame, now_ns += kStepNs) {
        if (comes(frame)) {
            stream.take(encode_fsnh({Hand::left, frame, static_cast<std::uint64_t>(now_ns)}, joints), {1, "here"},
                        now_ns);
        }
        if (frame % 5 == 4) {
            reading = watch.look(stream.hand(Hand::left), config.age, now_ns);
        }
    }
    return later_ns == 0 ? reading : watch.look(stream.hand(Hand::left), config.age, now_ns + later_ns);
}

TEST(HandWatch, TellsRateAndLoss) {
    const HandReading all = after_two_seconds([](std::uint32_t) { return true; });
    EXPECT_TRUE(all.live);
    EXPECT_TRUE(all.tracked);
    EXPECT_EQ(all.source, Source::fsnh);
    EXPECT_NEAR(all.rate_hz, 100, 0.01);
    EXPECT_EQ(all.loss, 0);
    EXPECT_EQ(all.age_ms, 0);
    EXPECT_GT(all.curl[2], 0.9);

    const HandReading some = after_two_seconds([](std::uint32_t frame) { return frame % 4 != 1; });
    EXPECT_NEAR(some.rate_hz, 75, 0.01);
    EXPECT_NEAR(some.loss, 0.25, 0.01);
}

TEST(HandWatch, ForgetsWhatWasLostMoreThanASecondAgo) {
    const HandReading reading = after_two_seconds([](std::uint32_t frame) { return frame > 80 || frame % 2 == 0; });
    EXPECT_NEAR(reading.rate_hz, 100, 0.01);
    EXPECT_EQ(reading.loss, 0);
}

TEST(HandWatch, SeesAHandGo) {
    const auto always = [](std::uint32_t) { return true; };
    const HandReading held = after_two_seconds(always, 200'000'000);
    EXPECT_TRUE(held.live);
    EXPECT_FALSE(held.tracked);
    const HandReading gone = after_two_seconds(always, 600'000'000);
    EXPECT_FALSE(gone.live);
    EXPECT_EQ(gone.rate_hz, 0);
    EXPECT_NEAR(*gone.age_ms, 610, 0.01) << "since the last datagram";
}

TEST(HandWatch, KnowsNoAgeOfAHandThatNeverCame) {
    const HandReading reading = after_two_seconds([](std::uint32_t) { return false; });
    EXPECT_FALSE(reading.live);
    EXPECT_FALSE(reading.age_ms);
}

}  // namespace
}  // namespace glove::ctl
