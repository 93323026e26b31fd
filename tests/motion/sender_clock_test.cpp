// SPDX-License-Identifier: Apache-2.0
// Not covered: the fastest packet's own delay. Nothing tells it from a difference between the clocks.
#include "motion/sender_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace glove {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1'000 * kMs;
constexpr std::int64_t kFrameNs = 8'333'333;
constexpr std::int64_t kFastestNs = kMs / 5;

// Delays of a busy wireless network: most packets quick, some very late.
std::int64_t any_delay(std::mt19937& random) {
    const double jitter_ms = std::exponential_distribution<double>(1.0 / 3.0)(random);
    return kFastestNs + static_cast<std::int64_t>(std::min(jitter_ms, 100.0) * 1e6);
}

TEST(SenderClock, TakesTheFirstPacketForFast) {
    SenderClock clock;
    EXPECT_EQ(clock.to_local(123, 50 * kSecond), 50 * kSecond);
}

TEST(SenderClock, TakesOffTheDelayOfSlowPackets) {
    SenderClock clock;
    const std::int64_t offset = -7 * kSecond;
    EXPECT_EQ(clock.to_local(10 * kSecond - offset, 10 * kSecond), 10 * kSecond);
    const std::int64_t sent = 10 * kSecond + kFrameNs;
    EXPECT_EQ(clock.to_local(sent - offset, sent + 30 * kMs), sent);
}

TEST(SenderClock, IsNeverLaterThanTheReceiptNorLongBeforeIt) {
    std::mt19937 random(20250309);
    std::uniform_int_distribution<std::int64_t> any(std::numeric_limits<std::int64_t>::min());
    std::uniform_int_distribution<std::int64_t> step(0, kSecond);
    SenderClock clock;
    std::int64_t received = kSecond;
    for (int i = 0; i < 200'000; ++i) {
        received += step(random);
        const std::int64_t sent = i % 3 == 0 ? any(random) : received - step(random);
        const std::int64_t local = clock.to_local(sent, received);
        ASSERT_LE(local, received);
        ASSERT_GE(local, received - SenderClock::kMaxDelayNs);
    }
}

TEST(SenderClock, FindsTheOffsetOfAnyClock) {
    std::mt19937 random(20250310);
    for (const std::int64_t offset : {std::int64_t{0}, 3 * kSecond, -3 * kSecond, std::int64_t{1} << 62,
                                      -(std::int64_t{1} << 62), std::numeric_limits<std::int64_t>::max()}) {
        SenderClock clock;
        for (int i = 0; i < 12'000; ++i) {  // 100 seconds
            const std::int64_t taken = 100 * kSecond + i * kFrameNs;
            const auto sent =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(taken) - static_cast<std::uint64_t>(offset));
            const std::int64_t local = clock.to_local(sent, taken + any_delay(random));
            ASSERT_GE(local, taken + kFastestNs) << "no packet was faster, frame " << i;
            if (i > 200) {
                ASSERT_LE(local, taken + kFastestNs + kMs) << "frame " << i;
            }
        }
    }
}

TEST(SenderClock, KeepsTheSendersIntervalsThroughJitter) {
    std::mt19937 random(20250311);
    SenderClock clock;
    std::int64_t before = 0;
    int uneven = 0;
    for (int i = 0; i < 12'000; ++i) {
        const std::int64_t taken = 100 * kSecond + i * kFrameNs;
        const std::int64_t local = clock.to_local(taken, taken + any_delay(random));
        if (i > 200 && local - before != kFrameNs) {
            ++uneven;
        }
        before = local;
    }
    EXPECT_LT(uneven, 60) << "an interval is uneven only where another packet becomes the fastest";
}

TEST(SenderClock, FollowsAClockThatDrifts) {
    std::mt19937 random(20250312);
    for (const double drift : {50e-6, -50e-6}) {
        SenderClock clock;
        for (int i = 0; i < 36'000; ++i) {  // 5 minutes
            const std::int64_t taken = 100 * kSecond + i * kFrameNs;
            const auto sent = static_cast<std::int64_t>(static_cast<double>(i * kFrameNs) * (1 + drift));
            const std::int64_t local = clock.to_local(sent, taken + any_delay(random));
            if (i > 200) {
                // Twice the window times the drift, and the jitter of the fastest in it.
                ASSERT_NEAR(static_cast<double>(local - taken - kFastestNs), 0.0, 0.55e6 + 0.5e6) << "frame " << i;
            }
        }
    }
}

TEST(SenderClock, TakesAClockThatJumpsForANewClock) {
    for (const std::int64_t jump : {-3'600 * kSecond, -kSecond, kSecond, 3'600 * kSecond}) {
        SenderClock clock;
        std::int64_t taken = 100 * kSecond;
        for (int i = 0; i < 1'000; ++i) {
            taken += kFrameNs;
            (void)clock.to_local(taken, taken + kFastestNs + i % 7 * kMs);
        }
        for (int i = 0; i < 1'000; ++i) {
            taken += kFrameNs;
            const std::int64_t local = clock.to_local(taken + jump, taken + kFastestNs + i % 7 * kMs);
            ASSERT_EQ(local, taken + kFastestNs) << "jump " << jump << ", frame " << i;
        }
    }
}

TEST(SenderClock, IsNotMisledForLongByOneWrongTimestamp) {
    for (const std::int64_t wrong : {-3'600 * kSecond, 3'600 * kSecond}) {
        SenderClock clock;
        std::int64_t taken = 100 * kSecond;
        for (int i = 0; i < 100; ++i) {
            taken += kFrameNs;
            const std::int64_t local = clock.to_local(i == 50 ? taken + wrong : taken, taken + kFastestNs);
            ASSERT_EQ(local, taken + kFastestNs) << "frame " << i;
        }
    }
}

TEST(SenderClock, ForgetsWhatItLearntAfterALongPause) {
    SenderClock clock;
    EXPECT_EQ(clock.to_local(0, kSecond), kSecond);
    const std::int64_t later = kSecond + 2 * SenderClock::kWindowNs;
    EXPECT_EQ(clock.to_local(2 * SenderClock::kWindowNs - 20 * kMs, later), later);
}

TEST(SenderClock, ForgetsWhatItLearntAtAReset) {
    SenderClock clock;
    EXPECT_EQ(clock.to_local(0, kSecond), kSecond);
    clock.reset();
    EXPECT_EQ(clock.to_local(0, kSecond + 20 * kMs), kSecond + 20 * kMs);
}

}  // namespace
}  // namespace glove
