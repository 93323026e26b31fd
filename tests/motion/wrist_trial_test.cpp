// SPDX-License-Identifier: Apache-2.0
// One measurement of a wrist from its beginning to its end, however long that takes: time is the test's.
// Not covered: how well the offset is found (wrist_calibration_test.cpp); who asks and what is kept (test_wrist).
#include "motion/wrist_trial.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

using Stage = WristTrial::Result::Stage;
using Device = WristTrial::Device;
using Way = WristTrial::Way;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kFrame = kSecond / 90;
constexpr std::int64_t kBegin = 77 * kSecond;

XrPosef waving(std::int64_t time_ns) {
    const double t = 1e-9 * static_cast<double>(time_ns);
    return {from_euler_degrees(35 * std::sin(3 * t), 30 * std::sin(2.2 * t + 1), 10 * std::sin(t)),
            {static_cast<float>(0.2 + 0.1 * std::sin(2 * t)), 1.1f, -0.3f}};
}

// What a person and their tracked device show for as long as the measurement goes on.
struct Scene {
    XrPosef (*carried)(std::int64_t time_ns);
    XrPosef (*shown)(std::int64_t time_ns);
};

struct End {
    WristTrial::Result result;
    std::int64_t after_ns;
};

End watched(WristTrial& trial, const Scene& scene, std::int64_t now_ns = kBegin) {
    for (;; now_ns += kFrame) {
        static_cast<void>(trial.watch(true, now_ns));
        trial.add(scene.carried(now_ns), scene.shown(now_ns), now_ns, now_ns);
        const WristTrial::Result result = trial.result(now_ns);
        if (result.stage != Stage::goes_on || now_ns > kBegin + 60 * kSecond) {
            return {result, now_ns - kBegin};
        }
    }
}

XrPosef frozen(std::int64_t /*time_ns*/) {
    return {kNoRotation, {0.1f, 1.2f, -0.4f}};
}

void expect_given_up_after_half_a_minute(const End& end, const char* why) {
    EXPECT_EQ(end.result.stage, Stage::failed);
    EXPECT_EQ(end.result.why, why);
    EXPECT_GT(end.after_ns, 30 * kSecond);
    EXPECT_LE(end.after_ns, 30 * kSecond + kFrame);
}

TEST(WristTrial, GivesUpOnAHandThatIsNeverStillAfterHalfAMinute) {
    WristTrial trial(Way::align, kBegin);
    trial.carried_by("grip", kIdentityPose);
    expect_given_up_after_half_a_minute(watched(trial, {waving, frozen}),
                                        "the hand was not held still for two seconds");
}

TEST(WristTrial, SaysThatNothingCarriesTheHandAndGivesUpAfterHalfAMinute) {
    WristTrial trial(Way::align, kBegin);
    std::int64_t now_ns = kBegin;
    int times = 0;
    for (; trial.result(now_ns).stage == Stage::goes_on && now_ns < kBegin + 60 * kSecond; now_ns += kFrame) {
        if (trial.watch(false, now_ns) == Device::missing) {
            ++times;
            EXPECT_GE(now_ns - kBegin, WristTrial::kNoDeviceNs);
        }
    }
    EXPECT_EQ(times, 1);
    expect_given_up_after_half_a_minute({trial.result(now_ns), now_ns - kBegin},
                                        "no controller or tracker follows this hand");
}

TEST(WristTrial, GivesUpOnAHandThatTheHeadsetNeverSawAfterHalfAMinute) {
    WristTrial trial(Way::compare, kBegin);
    std::int64_t now_ns = kBegin;
    for (; trial.result(now_ns).stage == Stage::goes_on && now_ns < kBegin + 60 * kSecond; now_ns += kFrame) {
        EXPECT_EQ(trial.watch(false, now_ns), Device::as_before);
    }
    expect_given_up_after_half_a_minute({trial.result(now_ns), now_ns - kBegin},
                                        "controller or tracker and the headset's hand were never seen together");
}

TEST(WristTrial, GivesUpOnAHandThatIsNeverTurnedAfterHalfAMinute) {
    WristTrial trial(Way::compare, kBegin);
    trial.carried_by("grip", kIdentityPose);
    expect_given_up_after_half_a_minute(watched(trial, {frozen, frozen}),
                                        name_of(WristCalibration::Outcome::too_still));
}

TEST(WristTrial, GivesThreeSecondsToAlignAndWantsTwoOfStillness) {
    WristTrial trial(Way::align, kBegin);
    const XrPosef before{kNoRotation, {0, 0, 0.05f}};
    trial.carried_by("grip", before);
    const auto beside = [](std::int64_t /*time_ns*/) { return XrPosef{kNoRotation, {0.1f, 1.25f, -0.4f}}; };
    const End end = watched(trial, {beside, frozen});
    ASSERT_EQ(end.result.stage, Stage::found);
    EXPECT_GE(end.after_ns, 5 * kSecond);
    EXPECT_LT(end.after_ns, 5 * kSecond + 3 * kFrame);
    EXPECT_LT(length(end.result.wrist_in_source.position - XrVector3f{0, -0.05f, 0.05f}), 1e-5f);
}

TEST(WristTrial, CountsStillnessFromWhenThereIsAHandToAlign) {
    WristTrial trial(Way::align, kBegin);
    trial.carried_by("grip", kIdentityPose);
    std::int64_t now_ns = kBegin;
    for (; now_ns < kBegin + 4 * kSecond; now_ns += kFrame) {
        static_cast<void>(trial.watch(false, now_ns));
    }
    EXPECT_EQ(trial.watch(true, now_ns), Device::came);
    const End end = watched(trial, {frozen, frozen}, now_ns);
    EXPECT_EQ(end.result.stage, Stage::found);
    EXPECT_GE(end.after_ns, 9 * kSecond);
}

TEST(WristTrial, ForgetsWhatWasMeasuredOfAnotherController) {
    for (const Way way : {Way::align, Way::compare}) {
        WristTrial trial(way, kBegin);
        trial.carried_by("grip", kIdentityPose);
        const auto carried = way == Way::align ? frozen : waving;
        std::int64_t now_ns = kBegin;
        for (; trial.result(now_ns + kFrame).stage == Stage::goes_on; now_ns += kFrame) {
            trial.add(carried(now_ns), carried(now_ns), now_ns, now_ns);
        }
        trial.carried_by("other/grip", kIdentityPose);
        EXPECT_EQ(trial.source(), "other/grip");
        EXPECT_EQ(trial.result(now_ns).stage, Stage::goes_on);
    }
}

}  // namespace
}  // namespace glove
