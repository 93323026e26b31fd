// SPDX-License-Identifier: Apache-2.0
// Not covered: what becomes of a hand when its source changes (test_stream).
#include "motion/source_choice.hpp"

#include <gtest/gtest.h>

namespace glove {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSilenceNs = 500 * kMs;

TEST(SourceChoice, TakesAnySourceAtFirst) {
    for (const Source source : {Source::fsnh, Source::fnim, Source::hand_engine}) {
        EXPECT_TRUE(SourceChoice(kSilenceNs).may_feed(source, 0));
    }
}

TEST(SourceChoice, LetsABetterSourceTakeOverAtOnce) {
    SourceChoice choice(kSilenceNs);
    choice.fed(Source::hand_engine, 1000 * kMs);
    EXPECT_TRUE(choice.may_feed(Source::fnim, 1000 * kMs));
    choice.fed(Source::fnim, 1000 * kMs);
    EXPECT_TRUE(choice.may_feed(Source::fsnh, 1000 * kMs));
    EXPECT_FALSE(choice.may_feed(Source::hand_engine, 1000 * kMs));
    EXPECT_EQ(choice.source(), Source::fnim);
}

TEST(SourceChoice, WaitsForTheBetterSourceToFallSilent) {
    SourceChoice choice(kSilenceNs);
    choice.fed(Source::fsnh, 1000 * kMs);
    for (const Source worse : {Source::fnim, Source::hand_engine}) {
        EXPECT_FALSE(choice.may_feed(worse, 1500 * kMs));
        EXPECT_TRUE(choice.may_feed(worse, 1501 * kMs));
    }
    EXPECT_TRUE(choice.may_feed(Source::fsnh, 1400 * kMs));
}

TEST(FirstHeard, KeepsTheFirstUntilItIsSilent) {
    FirstHeard first(kSilenceNs);
    EXPECT_TRUE(first.would_admit(7, 0));
    EXPECT_TRUE(first.admit(7, 0));
    EXPECT_TRUE(first.began_anew());
    EXPECT_TRUE(first.admit(7, 400 * kMs));
    EXPECT_FALSE(first.began_anew());
    EXPECT_FALSE(first.would_admit(8, 900 * kMs));
    EXPECT_FALSE(first.admit(8, 900 * kMs));
    EXPECT_TRUE(first.would_admit(8, 901 * kMs));
    EXPECT_TRUE(first.admit(8, 901 * kMs)) << "what was refused breaks no silence";
    EXPECT_TRUE(first.began_anew());
    EXPECT_FALSE(first.admit(7, 902 * kMs));
}

TEST(FirstHeard, BeginsAnewWithTheSameOneAfterASilence) {
    FirstHeard first(kSilenceNs);
    EXPECT_TRUE(first.admit(7, 0));
    EXPECT_TRUE(first.admit(7, 501 * kMs));
    EXPECT_TRUE(first.began_anew());
}

}  // namespace
}  // namespace glove
