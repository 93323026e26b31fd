// SPDX-License-Identifier: Apache-2.0
// Which of several sources is believed, here those of a wrist. Not covered: who asks the sources (tests/openxr), and
// how a hand gets from one to the next (transition_test.cpp).
#include "motion/source_selector.hpp"

#include <gtest/gtest.h>

#include "motion/wrist_kind.hpp"

namespace glove {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr WristKinds kTracker = bit_of(WristKind::tracker);
constexpr WristKinds kNative = bit_of(WristKind::native);
constexpr WristKinds kController = bit_of(WristKind::controller);
constexpr WristKinds kReference = bit_of(WristKind::reference);

constexpr SourceSelector::Settings kSettings{300 * kMs, 200 * kMs};

struct Answer {
    WristKind kind;
    bool known;
    bool held;
};
Answer choose(SourceSelector& selector, WristKinds good, std::int64_t now_ns) {
    const SourceSelector::Answer answer = selector.choose(good, now_ns);
    return {static_cast<WristKind>(answer.rank), answer.known, answer.held};
}

struct Watch {
    SourceSelector selector{kSettings};
    std::int64_t now_ns = 1'000 * kMs;

    Answer after(std::int64_t milliseconds, WristKinds good) {
        // Asked at every frame, as an application does.
        for (std::int64_t passed = 0; passed < milliseconds; passed += 10) {
            now_ns += 10 * kMs;
            last = choose(selector, good, now_ns);
        }
        return last;
    }
    Answer last{};
};

TEST(SourceSelector, BeginsWithTheBestThereIs) {
    for (const auto& [good, kind] : {std::pair{kReference, WristKind::reference},
                                     std::pair<WristKinds, WristKind>{kController | kReference, WristKind::controller},
                                     std::pair<WristKinds, WristKind>{kNative | kController, WristKind::native},
                                     std::pair<WristKinds, WristKind>{kTracker | kNative, WristKind::tracker}}) {
        SourceSelector selector(kSettings);
        const Answer answer = choose(selector, good, 5);
        EXPECT_TRUE(answer.known);
        EXPECT_FALSE(answer.held);
        EXPECT_EQ(answer.kind, kind);
    }
}

TEST(SourceSelector, KnowsNothingWhereThereIsNothing) {
    Watch watch;
    EXPECT_FALSE(watch.after(1000, 0).known);
    EXPECT_TRUE(watch.after(10, kController).known);
}

TEST(SourceSelector, GivesABetterSourceATrialOf300Milliseconds) {
    Watch watch;
    watch.after(500, kReference);
    EXPECT_EQ(watch.after(290, kReference | kTracker).kind, WristKind::reference);
    EXPECT_EQ(watch.after(20, kReference | kTracker).kind, WristKind::tracker);
}

TEST(SourceSelector, StartsTheTrialAnewAfterEachGap) {
    Watch watch;
    watch.after(500, kReference);
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(watch.after(250, kReference | kNative).kind, WristKind::reference);
        EXPECT_EQ(watch.after(10, kReference).kind, WristKind::reference);
    }
}

TEST(SourceSelector, HoldsALostSourceFor200MillisecondsAndThenTakesTheNextBest) {
    Watch watch;
    watch.after(500, kTracker | kController | kReference);
    EXPECT_TRUE(watch.after(10, kController | kReference).held);
    const Answer late = watch.after(180, kController | kReference);
    EXPECT_TRUE(late.held);
    EXPECT_EQ(late.kind, WristKind::tracker);
    const Answer next = watch.after(20, kController | kReference);
    EXPECT_FALSE(next.held);
    EXPECT_EQ(next.kind, WristKind::controller);
}

TEST(SourceSelector, ComesBackToASourceThatWasLostForAMoment) {
    Watch watch;
    watch.after(500, kController | kReference);
    EXPECT_TRUE(watch.after(100, kReference).held);
    const Answer back = watch.after(10, kController | kReference);
    EXPECT_FALSE(back.held);
    EXPECT_EQ(back.kind, WristKind::controller);
    // And the hold begins anew with the next loss.
    EXPECT_TRUE(watch.after(190, kReference).held);
}

// A glove that is put on is meant.
TEST(SourceSelector, TakesWhatNeedsNoTrialAtOnce) {
    SourceSelector selector({300 * kMs, 0, bit_of(WristKind::tracker)});
    EXPECT_EQ(choose(selector, kReference, 0).kind, WristKind::reference);
    EXPECT_EQ(choose(selector, kTracker | kReference, 1).kind, WristKind::tracker);
    EXPECT_EQ(choose(selector, kReference, 2).kind, WristKind::reference) << "nor is it waited for";
    EXPECT_EQ(choose(selector, kNative | kReference, 3).kind, WristKind::reference);
}

TEST(SourceSelector, KeepsALesserSourceOnlyUntilTheBetterOneHasProvedItself) {
    Watch watch;
    watch.after(500, kTracker | kReference);
    watch.after(300, kReference);
    ASSERT_EQ(watch.last.kind, WristKind::reference);
    EXPECT_EQ(watch.after(290, kTracker | kReference).kind, WristKind::reference);
    EXPECT_EQ(watch.after(20, kTracker | kReference).kind, WristKind::tracker);
}

}  // namespace
}  // namespace glove
