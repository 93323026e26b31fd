// SPDX-License-Identifier: Apache-2.0
// Which source says where the hand is, and how the hand gets from one to the next. Not covered: who asks the sources
// (tests/openxr), and what they say.
#include "motion/wrist_choice.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "hand/pose_math.hpp"
#include "motion/blend_length.hpp"

namespace glove {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr WristKinds kTracker = bit_of(WristKind::tracker);
constexpr WristKinds kNative = bit_of(WristKind::native);
constexpr WristKinds kController = bit_of(WristKind::controller);
constexpr WristKinds kReference = bit_of(WristKind::reference);

struct Watch {
    WristChoice choice;
    std::int64_t now_ns = 1'000 * kMs;

    WristChoice::Answer after(std::int64_t milliseconds, WristKinds good) {
        // Asked at every frame, as an application does.
        for (std::int64_t passed = 0; passed < milliseconds; passed += 10) {
            now_ns += 10 * kMs;
            last = choice.choose(good, now_ns);
        }
        return last;
    }
    WristChoice::Answer last{};
};

TEST(WristChoice, BeginsWithTheBestThereIs) {
    for (const auto& [good, kind] : {std::pair{kReference, WristKind::reference},
                                     std::pair<WristKinds, WristKind>{kController | kReference, WristKind::controller},
                                     std::pair<WristKinds, WristKind>{kNative | kController, WristKind::native},
                                     std::pair<WristKinds, WristKind>{kTracker | kNative, WristKind::tracker}}) {
        WristChoice choice;
        const WristChoice::Answer answer = choice.choose(good, 5);
        EXPECT_TRUE(answer.known);
        EXPECT_FALSE(answer.held);
        EXPECT_EQ(answer.kind, kind);
    }
}

TEST(WristChoice, KnowsNothingWhereThereIsNothing) {
    Watch watch;
    EXPECT_FALSE(watch.after(1000, 0).known);
    EXPECT_TRUE(watch.after(10, kController).known);
}

TEST(WristChoice, GivesABetterSourceATrialOf300Milliseconds) {
    Watch watch;
    watch.after(500, kReference);
    EXPECT_EQ(watch.after(290, kReference | kTracker).kind, WristKind::reference);
    EXPECT_EQ(watch.after(20, kReference | kTracker).kind, WristKind::tracker);
}

TEST(WristChoice, StartsTheTrialAnewAfterEachGap) {
    Watch watch;
    watch.after(500, kReference);
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(watch.after(250, kReference | kNative).kind, WristKind::reference);
        EXPECT_EQ(watch.after(10, kReference).kind, WristKind::reference);
    }
}

TEST(WristChoice, HoldsALostSourceFor200MillisecondsAndThenTakesTheNextBest) {
    Watch watch;
    watch.after(500, kTracker | kController | kReference);
    EXPECT_TRUE(watch.after(10, kController | kReference).held);
    const WristChoice::Answer late = watch.after(180, kController | kReference);
    EXPECT_TRUE(late.held);
    EXPECT_EQ(late.kind, WristKind::tracker);
    const WristChoice::Answer next = watch.after(20, kController | kReference);
    EXPECT_FALSE(next.held);
    EXPECT_EQ(next.kind, WristKind::controller);
}

TEST(WristChoice, ComesBackToASourceThatWasLostForAMoment) {
    Watch watch;
    watch.after(500, kController | kReference);
    EXPECT_TRUE(watch.after(100, kReference).held);
    const WristChoice::Answer back = watch.after(10, kController | kReference);
    EXPECT_FALSE(back.held);
    EXPECT_EQ(back.kind, WristKind::controller);
    // And the hold begins anew with the next loss.
    EXPECT_TRUE(watch.after(190, kReference).held);
}

TEST(WristChoice, KeepsALesserSourceOnlyUntilTheBetterOneHasProvedItself) {
    Watch watch;
    watch.after(500, kTracker | kReference);
    watch.after(300, kReference);
    ASSERT_EQ(watch.last.kind, WristKind::reference);
    EXPECT_EQ(watch.after(290, kTracker | kReference).kind, WristKind::reference);
    EXPECT_EQ(watch.after(20, kTracker | kReference).kind, WristKind::tracker);
}

RootMotion at(const XrPosef& pose) {
    RootMotion root{};
    root.in_base = pose;
    root.velocity_known = true;
    return root;
}

TEST(WristBlend, BeginsWhereTheHandWasShownAndEndsWhereTheSourceHasIt) {
    const XrPosef shown{from_euler_degrees(10, 20, 30), {0.1f, 1.2f, -0.3f}};
    const XrPosef source{from_euler_degrees(-15, 40, 5), {0.15f, 1.1f, -0.25f}};
    const WristBlend blend = blend_from(shown, source, 1000);
    RootMotion first = at(source);
    apply(blend, 1000, first);
    EXPECT_LT(length(first.in_base.position - shown.position), 1e-6f);
    EXPECT_LT(angle_between(first.in_base.orientation, shown.orientation), 1e-3f);
    RootMotion last = at(source);
    apply(blend, 1000 + blend.length_ns, last);
    EXPECT_EQ(last.in_base.position.x, source.position.x);
    EXPECT_EQ(last.velocity.linear.x, 0.0f);
}

TEST(WristBlend, TakesAtLeast150MillisecondsAndNeverMovesAHandMoreThan20MillimetresAFrame) {
    for (const float distance : {0.001f, 0.05f, 0.3f, 0.8f}) {
        const XrPosef shown{kNoRotation, {distance, 0, 0}};
        const WristBlend blend = blend_from(shown, kIdentityPose, 0);
        EXPECT_GE(blend.length_ns, 150 * kMs);
        XrVector3f before = shown.position;
        constexpr std::int64_t kFrameNs = 11'111'111;
        for (std::int64_t now_ns = kFrameNs; now_ns < blend.length_ns + 2 * kFrameNs; now_ns += kFrameNs) {
            RootMotion root = at(kIdentityPose);
            apply(blend, now_ns, root);
            EXPECT_LT(length(root.in_base.position - before), 0.020f);
            before = root.in_base.position;
        }
        EXPECT_EQ(length(before), 0.0f);
    }
}

TEST(WristBlend, SaysHowFastItMovesTheHand) {
    const XrPosef shown{from_euler_degrees(0, 25, 10), {0.2f, 0, 0.1f}};
    const XrPosef source{from_euler_degrees(30, 0, 0), {0, 0.1f, 0}};
    const WristBlend blend = blend_from(shown, source, 0);
    // The source itself moves and turns.
    const Velocity moving{{0.3f, -0.2f, 0.1f}, {0.5f, 1.0f, -0.7f}};
    const auto at_time = [&](std::int64_t now_ns) {
        const float t = static_cast<float>(now_ns) * 1e-9f;
        RootMotion root = at({normalised(multiply(from_rotation_vector(t * moving.angular), source.orientation)),
                              source.position + t * moving.linear});
        root.velocity = moving;
        apply(blend, now_ns, root);
        return root;
    };
    constexpr std::int64_t kStepNs = 1 * kMs;
    const std::int64_t middle_ns = blend.length_ns / 2;
    const RootMotion a = at_time(middle_ns - kStepNs);
    const RootMotion b = at_time(middle_ns + kStepNs);
    const RootMotion now = at_time(middle_ns);
    const float per_second = 1e9f / (2.0f * kStepNs);
    const XrVector3f linear = per_second * (b.in_base.position - a.in_base.position);
    const XrVector3f angular =
        per_second * rotation_vector(multiply(b.in_base.orientation, conjugate(a.in_base.orientation)));
    EXPECT_LT(length(linear - now.velocity.linear), 0.01f);
    EXPECT_LT(length(angular - now.velocity.angular), 0.05f);
}

TEST(WristBlend, OfNothingChangesNothing) {
    RootMotion root = at({kNoRotation, {1, 2, 3}});
    apply(WristBlend{}, 12345, root);
    EXPECT_EQ(root.in_base.position.z, 3.0f);
}

// A runtime may answer any number.
TEST(WristBlend, IsOverInTimeWhereverTheRuntimeHasTheHand) {
    constexpr std::int64_t now_ns = 1'000 * kMs;
    for (const float metres : {1e2f, 1e12f, 1e30f, std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        const WristBlend blend = blend_from({kNoRotation, {metres, 0, 0}}, kIdentityPose, now_ns);
        EXPECT_GE(blend.length_ns, kShortestBlendNs) << metres;
        EXPECT_LE(blend.length_ns, kLongestBlendNs) << metres;
        RootMotion root{};
        root.in_base = kIdentityPose;
        apply(blend, now_ns + kLongestBlendNs, root);
        EXPECT_EQ(root.in_base.position.x, 0) << metres;
    }
}

}  // namespace
}  // namespace glove
