// SPDX-License-Identifier: Apache-2.0
// The wrist's constant pose in what carries it, found from motion. Truth is made here: a tracked device that waves
// about, a wrist rigidly on it, noise on what is seen of both. Not covered: where the poses come from (tests/openxr).
#include "motion/wrist_calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr double kDegree = kRadiansPerDegree;

struct Scene {
    XrPosef wrist_in_source{from_euler_degrees(-35, 12, 88), {-0.02f, 0.045f, 0.09f}};
    float noise_m = 0.002f;
    float noise_deg = 1.0f;
    float sway_deg = 40;  // of the tracked device, about two axes
    std::mt19937 random{20261130};

    XrPosef noisy(const XrPosef& pose) {
        std::normal_distribution<float> normal;
        const auto any = [&](float size) {
            return XrVector3f{size * normal(random), size * normal(random), size * normal(random)};
        };
        // `noise` is the length of the error, spread over three axes.
        const float third = 1.0f / std::sqrt(3.0f);
        return {normalised(multiply(pose.orientation,
                                    from_rotation_vector(any(third * noise_deg * static_cast<float>(kDegree))))),
                pose.position + any(third * noise_m)};
    }
    [[nodiscard]] XrPosef source_at(double seconds) const {
        const auto sway = static_cast<double>(sway_deg);
        return {from_euler_degrees(sway * std::sin(2.1 * seconds), sway * std::sin(1.3 * seconds + 1), 10),
                {static_cast<float>(0.2 * std::sin(1.7 * seconds)), 1.2f, static_cast<float>(0.1 * std::cos(seconds))}};
    }
    WristCalibration watched(double seconds, double outliers = 0) {
        WristCalibration calibration;
        std::uniform_real_distribution<double> uniform(0, 1);
        for (double t = 0; t <= seconds; t += 1.0 / 90) {
            const XrPosef source = source_at(t);
            XrPosef wrist = noisy(compose(source, wrist_in_source));
            if (uniform(random) < outliers) {
                wrist.position = wrist.position + XrVector3f{0.15f, -0.1f, 0.2f};
                wrist.orientation = multiply(wrist.orientation, from_euler_degrees(0, 0, 70));
            }
            calibration.add(noisy(source), wrist, static_cast<std::int64_t>(t * 1e9));
        }
        return calibration;
    }
};

void expect_near(const WristCalibration::Result& result, const XrPosef& truth) {
    ASSERT_EQ(result.outcome, WristCalibration::Outcome::solved) << name_of(result.outcome);
    EXPECT_LT(length(result.wrist_in_source.position - truth.position), 0.002f);
    EXPECT_LT(angle_between(result.wrist_in_source.orientation, truth.orientation), 1.0 * kDegree);
}

TEST(WristCalibration, IsWithin2MillimetresAndADegreeAfterThreeSecondsOfNoisyMotion) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Scene scene;
        scene.random.seed(seed);
        expect_near(scene.watched(3).solve(), scene.wrist_in_source);
    }
}

TEST(WristCalibration, IsNotMisledByEveryTenthPoseBeingWrong) {
    Scene scene;
    const WristCalibration::Result result = scene.watched(3, 0.1).solve();
    expect_near(result, scene.wrist_in_source);
    EXPECT_LT(result.used, 260u);  // of 271, the outliers are left out
}

TEST(WristCalibration, SaysHowWellItFits) {
    Scene scene;
    const WristCalibration::Result result = scene.watched(4).solve();
    ASSERT_EQ(result.outcome, WristCalibration::Outcome::solved);
    EXPECT_GT(result.residual_m, 0.001f);
    EXPECT_LT(result.residual_m, 0.006f);
    EXPECT_LT(result.residual_rad, 2 * kDegree);
}

TEST(WristCalibration, RefusesAHandThatDidNotTurn) {
    Scene scene;
    scene.sway_deg = 2;
    EXPECT_EQ(scene.watched(5).solve().outcome, WristCalibration::Outcome::too_still);
}

TEST(WristCalibration, RefusesAHandThatTurnedAboutOneAxisAlone) {
    Scene scene;
    WristCalibration calibration;
    for (double t = 0; t <= 4; t += 1.0 / 90) {
        const XrPosef source{from_euler_degrees(50 * std::sin(2 * t), 0, 0), {0, 1, 0}};
        calibration.add(source, compose(source, scene.wrist_in_source), static_cast<std::int64_t>(t * 1e9));
    }
    EXPECT_EQ(calibration.solve().outcome, WristCalibration::Outcome::too_still);
}

TEST(WristCalibration, RefusesLessThanTwoSeconds) {
    Scene scene;
    EXPECT_EQ(scene.watched(1.8).solve().outcome, WristCalibration::Outcome::too_short);
    EXPECT_EQ(WristCalibration{}.solve().outcome, WristCalibration::Outcome::too_short);
}

TEST(WristCalibration, RefusesTwoThingsThatMoveEachForItself) {
    Scene scene;
    WristCalibration calibration;
    for (double t = 0; t <= 4; t += 1.0 / 90) {
        calibration.add(scene.source_at(t), scene.source_at(3 * t + 1), static_cast<std::int64_t>(t * 1e9));
    }
    EXPECT_EQ(calibration.solve().outcome, WristCalibration::Outcome::not_rigid);
}

TEST(WristCalibration, ForgetsTheOldestWhenItGrows) {
    Scene scene;
    WristCalibration calibration = scene.watched(60);
    EXPECT_LT(calibration.span_ns(), 20'000'000'000);
    expect_near(calibration.solve(), scene.wrist_in_source);
}

TEST(WristCalibration, EveryOutcomeHasAnExplanation) {
    for (const auto outcome : {WristCalibration::Outcome::solved, WristCalibration::Outcome::too_short,
                               WristCalibration::Outcome::too_still, WristCalibration::Outcome::not_rigid}) {
        EXPECT_STRNE(name_of(outcome), "unknown");
    }
}

TEST(StillPose, IsTheMeanOfTheLastTwoSecondsWhenTheHandWasStill) {
    Scene scene;
    StillPose still;
    const XrPosef truth{from_euler_degrees(10, -20, 30), {0.3f, 1.1f, -0.4f}};
    XrPosef mean{};
    std::int64_t time_ns = 0;
    // It comes from elsewhere first.
    for (; time_ns < 1'000'000'000; time_ns += 11'111'111) {
        still.add(scene.source_at(static_cast<double>(time_ns) * 1e-9), time_ns);
    }
    EXPECT_FALSE(still.still_for(2'000'000'000, mean));
    bool found = false;
    for (; time_ns < 4'000'000'000 && !found; time_ns += 11'111'111) {
        still.add(scene.noisy(truth), time_ns);
        found = still.still_for(2'000'000'000, mean);
    }
    ASSERT_TRUE(found);
    EXPECT_GE(time_ns, 3'000'000'000);
    EXPECT_LT(length(mean.position - truth.position), 0.001f);
    EXPECT_LT(angle_between(mean.orientation, truth.orientation), 0.5 * kDegree);
}

TEST(StillPose, DoesNotTakeADriftForStillness) {
    StillPose still;
    XrPosef mean{};
    for (std::int64_t time_ns = 0; time_ns < 5'000'000'000; time_ns += 11'111'111) {
        still.add({kNoRotation, {0.03f * static_cast<float>(time_ns) * 1e-9f, 0, 0}}, time_ns);
        EXPECT_FALSE(still.still_for(2'000'000'000, mean));
    }
}

}  // namespace
}  // namespace glove
