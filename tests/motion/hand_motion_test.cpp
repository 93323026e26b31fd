// SPDX-License-Identifier: Apache-2.0
// Rotations and velocities come from formulas in double precision that share nothing with pose_math.
// Not covered: whether an application finds the smoothing pleasant.
#include "motion/hand_motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace glove {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kFrameNs = 8'333'333;
constexpr double kTau = 0.015;

using Vector = std::array<double, 3>;

Vector operator+(const Vector& a, const Vector& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vector operator*(double f, const Vector& a) {
    return {f * a[0], f * a[1], f * a[2]};
}
Vector cross_product(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot_product(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Rodrigues' formula.
Vector turned(const Vector& v, const Vector& axis, double angle) {
    return std::cos(angle) * v + std::sin(angle) * cross_product(axis, v) +
           ((1 - std::cos(angle)) * dot_product(axis, v)) * axis;
}

struct Quaternion {
    double w;
    Vector v;
};

Quaternion about(const Vector& axis, double angle) {
    return {std::cos(angle / 2), std::sin(angle / 2) * axis};
}
// First `b`, then `a`.
Quaternion product(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - dot_product(a.v, b.v), a.w * b.v + b.w * a.v + cross_product(a.v, b.v)};
}

XrPosef pose_of(const Quaternion& q, const Vector& p) {
    const auto f = [](double value) { return static_cast<float>(value); };
    return {{f(q.v[0]), f(q.v[1]), f(q.v[2]), f(q.w)}, {f(p[0]), f(p[1]), f(p[2])}};
}

// To the bit, which == on numbers is not.
template <class T>
bool same_bits(const T& a, const T& b) {
    using Bits = std::array<std::byte, sizeof(T)>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

HandSample still_hand(std::int64_t time_ns) {
    HandSample sample{};
    sample.source = Source::fsnh;
    sample.tracked = kAllJointsTracked;
    sample.scale = 1;
    sample.time_ns = time_ns;
    sample.joint_in_wrist.fill({{0, 0, 0, 1}, {0, 0, 0}});
    sample.wrist_in_forearm = {{0, 0, 0, 1}, {0, 0, 0}};
    return sample;
}

void expect_near(const XrVector3f& is, const Vector& expected, double tolerance, const std::string& what) {
    EXPECT_NEAR(is.x, expected[0], tolerance) << what << " x";
    EXPECT_NEAR(is.y, expected[1], tolerance) << what << " y";
    EXPECT_NEAR(is.z, expected[2], tolerance) << what << " z";
}

bool at_rest(const HandMotion& motion) {
    constexpr Velocity zero{};
    for (const Velocity& velocity : motion.velocity_in_wrist) {
        if (!same_bits(velocity, zero)) {
            return false;
        }
    }
    return same_bits(motion.wrist_in_forearm, zero);
}

const std::vector<Vector> kAxes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2.0 / 7, -3.0 / 7, 6.0 / 7}};

// A joint on an arm of 8 cm, turned somehow at the start, that turns about an axis of the wrist frame.
constexpr Vector kCentre{0.01, 0.02, -0.05};
constexpr Vector kArm{0.03, -0.02, -0.07};
const Quaternion kStart = product(about({0, 1, 0}, 0.9), about({1, 0, 0}, -1.3));

XrPosef turning_joint(const Vector& axis, double angle) {
    return pose_of(product(about(axis, angle), kStart), kCentre + turned(kArm, axis, angle));
}

TEST(MotionTracker, TellsTheRateOfATurningJointInTheWristFrame) {
    for (const Vector& axis : kAxes) {
        for (const double rate : {1.5, -1.5, 12.0, -12.0}) {  // rad/s; the last is a quick fist
            MotionTracker tracker;
            HandMotion motion{};
            double angle = 0;
            for (int i = 0; i < 60; ++i) {
                HandSample sample = still_hand(i * kFrameNs);
                angle = rate * static_cast<double>(sample.time_ns) * 1e-9;
                sample.joint_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT] = turning_joint(axis, angle);
                motion = tracker.follow(sample);
            }
            const Velocity& tip = motion.velocity_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT];
            expect_near(tip.angular, rate * axis, 2e-3 * std::abs(rate), "angular");
            // The low-pass shows the joint where it was one time constant ago.
            const double seen = angle - rate * kTau;
            const Vector expected = rate * cross_product(axis, turned(kArm, axis, seen));
            expect_near(tip.linear, expected, 0.03 * 0.08 * std::abs(rate), "linear");

            HandMotion others = motion;
            others.velocity_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT] = {};
            EXPECT_TRUE(at_rest(others)) << "only one joint moved";
        }
    }
}

TEST(MotionTracker, ApproachesAStraightMotionAtTheSamePaceAtAnyRate) {
    const Vector speed{0.3, -0.5, 0.2};
    for (const std::int64_t step_ns : {kMs, 4 * kMs, kFrameNs, 16 * kMs, 50 * kMs}) {
        MotionTracker tracker;
        for (int i = 0; i < 40; ++i) {
            HandSample sample = still_hand(7'000 * kMs + i * step_ns);
            const double t = static_cast<double>(i * step_ns) * 1e-9;
            sample.joint_in_wrist[XR_HAND_JOINT_THUMB_TIP_EXT] = pose_of(kStart, kCentre + t * speed);
            const HandMotion motion = tracker.follow(sample);
            const Velocity& tip = motion.velocity_in_wrist[XR_HAND_JOINT_THUMB_TIP_EXT];
            expect_near(tip.linear, (1 - std::exp(-t / kTau)) * speed, 2e-5, "linear");
            expect_near(tip.angular, {0, 0, 0}, 1e-4, "angular");
        }
    }
}

TEST(MotionTracker, ComesToRestWithTheHand) {
    MotionTracker tracker;
    HandMotion motion{};
    for (int i = 0; i < 100; ++i) {
        HandSample sample = still_hand(i * kFrameNs);
        sample.joint_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT] = turning_joint({1, 0, 0}, -0.05 * std::min(i, 50));
        motion = tracker.follow(sample);
    }
    const Velocity& tip = motion.velocity_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT];
    expect_near(tip.linear, {0, 0, 0}, 1e-6, "linear");
    expect_near(tip.angular, {0, 0, 0}, 1e-5, "angular");
}

TEST(MotionTracker, IsAtRestAtTheFirstSampleAndAfterAReset) {
    MotionTracker tracker;
    HandSample sample = still_hand(0);
    sample.joint_in_wrist.fill(turning_joint({1, 0, 0}, 0));
    EXPECT_TRUE(at_rest(tracker.follow(sample)));
    sample.time_ns = kFrameNs;
    sample.joint_in_wrist.fill(turning_joint({1, 0, 0}, 0.1));
    EXPECT_FALSE(at_rest(tracker.follow(sample)));
    tracker.reset();
    sample.time_ns = 2 * kFrameNs;
    sample.joint_in_wrist.fill(turning_joint({1, 0, 0}, 0.2));
    EXPECT_TRUE(at_rest(tracker.follow(sample)));
}

TEST(MotionTracker, IsAtRestAfterAGap) {
    for (const std::int64_t gap : {100 * kMs, 100 * kMs + 1, 10'000 * kMs}) {
        MotionTracker tracker;
        HandSample sample = still_hand(0);
        (void)tracker.follow(sample);
        sample.time_ns = kFrameNs;
        sample.joint_in_wrist.fill(turning_joint({1, 0, 0}, 0.1));
        ASSERT_FALSE(at_rest(tracker.follow(sample)));
        sample.time_ns += gap;
        sample.joint_in_wrist.fill(turning_joint({1, 0, 0}, 0.2));
        EXPECT_EQ(at_rest(tracker.follow(sample)), gap > 100 * kMs) << gap;
    }
}

TEST(MotionTracker, KeepsTheVelocityOfTheSampleBeforeWhenTimeDoesNotGoOn) {
    for (const std::int64_t step_ns : {std::int64_t{0}, std::int64_t{-1}, -50 * kMs}) {
        MotionTracker tracker;
        HandSample sample = still_hand(100 * kMs);
        (void)tracker.follow(sample);
        sample.time_ns += kFrameNs;
        sample.joint_in_wrist.fill(turning_joint({1, 0, 0}, 0.1));
        const HandMotion before = tracker.follow(sample);
        sample.time_ns += step_ns;
        sample.joint_in_wrist.fill(turning_joint({1, 0, 0}, 0.2));
        const HandMotion after = tracker.follow(sample);
        EXPECT_TRUE(same_bits(after.velocity_in_wrist, before.velocity_in_wrist));
        EXPECT_EQ(after.sample.time_ns, sample.time_ns);
        EXPECT_EQ(after.sample.joint_in_wrist[5].position.y, sample.joint_in_wrist[5].position.y);
    }
}

TEST(MotionTracker, MakesNoSpikeOfTwoSamplesAlmostAtOnce) {
    for (const std::int64_t step_ns : {1, 1'000, 100'000}) {
        MotionTracker tracker;
        HandSample sample = still_hand(0);
        (void)tracker.follow(sample);
        sample.time_ns = step_ns;
        sample.joint_in_wrist[XR_HAND_JOINT_LITTLE_TIP_EXT].position = {0.001f, 0, 0};
        const HandMotion motion = tracker.follow(sample);
        const float speed = motion.velocity_in_wrist[XR_HAND_JOINT_LITTLE_TIP_EXT].linear.x;
        EXPECT_GT(speed, 0.06f) << step_ns;
        EXPECT_LE(speed, 0.001f / 0.015f * 1.0001f) << "a millimetre within a time constant, " << step_ns;
    }
}

TEST(MotionTracker, TellsTheMotionOfTheWristInTheForearmFrame) {
    for (const double rate : {2.0, -2.0}) {
        MotionTracker tracker;
        HandMotion motion{};
        for (int i = 0; i < 60; ++i) {
            HandSample sample = still_hand(i * kFrameNs);
            sample.through_forearm = true;
            sample.forearm_live = true;
            sample.wrist_in_forearm = turning_joint({0, 1, 0}, rate * static_cast<double>(sample.time_ns) * 1e-9);
            motion = tracker.follow(sample);
        }
        expect_near(motion.wrist_in_forearm.angular, {0, rate, 0}, 2e-3 * std::abs(rate), "angular");
        EXPECT_GT(std::hypot(motion.wrist_in_forearm.linear.x, motion.wrist_in_forearm.linear.z), 0.1f);
        motion.wrist_in_forearm = {};
        EXPECT_TRUE(at_rest(motion)) << "the hand itself is still";
    }
}

TEST(MotionTracker, TakesNoMotionFromAForearmThatIsHeld) {
    MotionTracker tracker;
    HandSample sample = still_hand(0);
    sample.through_forearm = true;
    const bool live[] = {true, true, false, false, true, true};
    const bool moves[] = {false, true, false, false, false, true};
    for (std::size_t i = 0; i < std::size(live); ++i) {
        sample.time_ns += kFrameNs;
        sample.forearm_live = live[i];
        sample.wrist_in_forearm = turning_joint({0, 1, 0}, 0.02 * static_cast<double>(i));
        EXPECT_EQ(!at_rest(tracker.follow(sample)), moves[i]) << i;
    }
    sample.time_ns += kFrameNs;
    sample.through_forearm = false;
    EXPECT_TRUE(at_rest(tracker.follow(sample))) << "without a forearm the wrist has no motion in one";
}

// Samples of a hand that bends at a steady rate, in a history of which the oldest are gone.
class BendingHand : public testing::Test {
protected:
    static constexpr int kPublished = 40;
    static constexpr double kRate = -3.0;
    const Vector kAxis{1, 0, 0};

    BendingHand() {
        MotionTracker tracker;
        for (int i = 0; i < kPublished; ++i) {
            HandSample sample = still_hand(time_of(i));
            sample.sequence = static_cast<std::uint32_t>(i);
            sample.sent_ns = 1'000 + i;
            for (std::size_t joint = 2; joint < kJointCount; ++joint) {
                sample.joint_in_wrist[joint] = turning_joint(kAxis, angle_at(sample.time_ns));
            }
            sample.through_forearm = true;
            sample.forearm_live = true;
            sample.wrist_in_forearm = turning_joint({0, 0, 1}, angle_at(sample.time_ns));
            published_.push_back(tracker.follow(sample));
            history_.publish(published_.back());
        }
    }

    static std::int64_t time_of(int i) { return 1'000 * kMs + i * kFrameNs; }
    static double angle_at(std::int64_t time_ns) { return kRate * 1e-9 * static_cast<double>(time_ns - 1'000 * kMs); }

    HandMotion at(std::int64_t time_ns) const {
        HandMotion motion{};
        EXPECT_TRUE(motion_at(history_, time_ns, motion));
        return motion;
    }

    std::vector<HandMotion> published_;
    MotionHistory history_;
    // The writer may be at work on one slot, and the one after it is the oldest.
    static constexpr int kOldest = kPublished - 15;
};

void expect_same(const HandMotion& is, const HandMotion& expected) {
    EXPECT_EQ(is.sample.sequence, expected.sample.sequence);
    EXPECT_EQ(is.sample.time_ns, expected.sample.time_ns);
    EXPECT_TRUE(same_bits(is.sample.joint_in_wrist, expected.sample.joint_in_wrist));
    EXPECT_TRUE(same_bits(is.sample.wrist_in_forearm, expected.sample.wrist_in_forearm));
    EXPECT_TRUE(same_bits(is.velocity_in_wrist, expected.velocity_in_wrist));
    EXPECT_TRUE(same_bits(is.wrist_in_forearm, expected.wrist_in_forearm));
}

TEST_F(BendingHand, IsTheSampleItselfAtTheTimeOfASample) {
    for (int i = kOldest; i < kPublished; ++i) {
        expect_same(at(time_of(i)), published_[static_cast<std::size_t>(i)]);
    }
}

TEST_F(BendingHand, IsTheNewestLater) {
    for (const std::int64_t later : {std::int64_t{1}, 10 * kMs, std::numeric_limits<std::int64_t>::max() / 2}) {
        expect_same(at(time_of(kPublished - 1) + later), published_.back());
    }
}

TEST_F(BendingHand, IsTheOldestKeptEarlier) {
    for (const std::int64_t time_ns : {time_of(kOldest) - 1, time_of(0), std::numeric_limits<std::int64_t>::min()}) {
        expect_same(at(time_ns), published_[kOldest]);
    }
}

TEST_F(BendingHand, ReachesBackFurtherThanOpenXrAsksFor) {
    EXPECT_GE(time_of(kPublished - 1) - time_of(kOldest), 50 * kMs);
}

TEST_F(BendingHand, IsInterpolatedBetweenSamples) {
    std::mt19937 random(20250313);
    std::uniform_int_distribution<std::int64_t> any(time_of(kOldest), time_of(kPublished - 1) - 1);
    for (int i = 0; i < 2'000; ++i) {
        const std::int64_t time_ns = any(random);
        const HandMotion motion = at(time_ns);
        ASSERT_EQ(motion.sample.time_ns, time_ns);
        const XrPosef expected = turning_joint(kAxis, angle_at(time_ns));
        for (std::size_t joint = 2; joint < kJointCount; ++joint) {
            const XrPosef& is = motion.sample.joint_in_wrist[joint];
            // Up to the sign of the quaternion, and the height of the arc over its chord: 8 cm, 1.4 degrees, 6 um.
            const XrQuaternionf& a = is.orientation;
            const XrQuaternionf& b = expected.orientation;
            const float cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
            ASSERT_NEAR(std::abs(cosine), 1.0f, 1e-6f);
            ASSERT_NEAR(is.position.x, expected.position.x, 1e-5);
            ASSERT_NEAR(is.position.y, expected.position.y, 1e-5);
            ASSERT_NEAR(is.position.z, expected.position.z, 1e-5);
            ASSERT_NEAR(std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w), 1.0f, 1e-6f);
        }
        ASSERT_NEAR(motion.velocity_in_wrist[10].angular.x, kRate, 0.01);
        ASSERT_NEAR(motion.wrist_in_forearm.angular.z, kRate, 0.01);
        const XrPosef wrist = turning_joint({0, 0, 1}, angle_at(time_ns));
        ASSERT_NEAR(motion.sample.wrist_in_forearm.position.x, wrist.position.x, 1e-5);
    }
}

TEST_F(BendingHand, MovesWithoutJumpsAsTimeGoesOn) {
    const std::int64_t step_ns = kMs / 20;
    const double farthest = std::hypot(kArm[1], kArm[2]) * std::abs(kRate) * 1e-9 * static_cast<double>(step_ns);
    HandMotion before = at(time_of(kOldest) - 10 * kMs);
    for (std::int64_t t = time_of(kOldest) - 10 * kMs; t < time_of(kPublished) + 10 * kMs; t += step_ns) {
        const HandMotion now = at(t);
        const XrVector3f& a = before.sample.joint_in_wrist[10].position;
        const XrVector3f& b = now.sample.joint_in_wrist[10].position;
        ASSERT_LE(std::hypot(b.x - a.x, b.y - a.y, b.z - a.z), 1.01 * farthest + 2e-8) << t;
        before = now;
    }
}

TEST(MotionAt, SaysWhenThereIsNoSample) {
    const MotionHistory history;
    HandMotion motion{};
    motion.sample.sequence = 77;
    EXPECT_FALSE(motion_at(history, 0, motion));
    EXPECT_EQ(motion.sample.sequence, 77u);
}

TEST(MotionAt, IsTheOnlySampleAtAnyTime) {
    MotionHistory history;
    HandMotion only{};
    only.sample = still_hand(50 * kMs);
    history.publish(only);
    for (const std::int64_t time_ns : {std::int64_t{0}, 50 * kMs, 90 * kMs}) {
        HandMotion motion{};
        ASSERT_TRUE(motion_at(history, time_ns, motion));
        expect_same(motion, only);
    }
}

TEST(MotionAt, IsTrackedWhereBothSamplesAre) {
    MotionHistory history;
    HandMotion first{};
    first.sample = still_hand(0);
    first.sample.tracked = 0b0110;
    first.sample.forearm_live = true;
    first.sample.sequence = 4;
    HandMotion second = first;
    second.sample.time_ns = 8 * kMs;
    second.sample.tracked = 0b1100;
    second.sample.forearm_live = false;
    second.sample.sequence = 5;
    history.publish(first);
    history.publish(second);
    HandMotion motion{};
    ASSERT_TRUE(motion_at(history, 4 * kMs, motion));
    EXPECT_EQ(motion.sample.tracked, 0b0100u);
    EXPECT_FALSE(motion.sample.forearm_live);
    EXPECT_EQ(motion.sample.sequence, 5u);
}

TEST(MotionAt, PutsNothingBetweenTheHandsOfTwoDevices) {
    MotionHistory history;
    HandMotion first{};
    first.sample = still_hand(0);
    HandMotion second = first;
    second.sample.time_ns = 8 * kMs;
    second.sample.through_forearm = true;
    HandMotion third = second;
    third.sample.time_ns = 16 * kMs;
    third.sample.source = Source::hand_engine;
    for (const HandMotion& motion : {first, second, third}) {
        history.publish(motion);
    }
    HandMotion motion{};
    ASSERT_TRUE(motion_at(history, 7 * kMs, motion));
    expect_same(motion, first);
    ASSERT_TRUE(motion_at(history, 15 * kMs, motion));
    expect_same(motion, second);
}

TEST(MotionAt, StaysBetweenItsSamplesWhenTheirTimesGoBack) {
    MotionHistory history;
    for (const std::int64_t time_ms : {0, 8, 16, 10, 18, 17, 17, 30}) {
        HandMotion motion{};
        motion.sample = still_hand(time_ms * kMs);
        motion.sample.joint_in_wrist.fill({{0, 0, 0, 1}, {static_cast<float>(time_ms), 0, 0}});
        history.publish(motion);
    }
    for (std::int64_t t = -kMs; t < 32 * kMs; t += kMs / 10) {
        HandMotion motion{};
        ASSERT_TRUE(motion_at(history, t, motion));
        const double shown = std::clamp(static_cast<double>(t) * 1e-6, 0.0, 30.0);
        ASSERT_NEAR(motion.sample.joint_in_wrist[3].position.x, shown, 1e-4) << t;
    }
}

// All numbers of a motion say its time, so that a mixture of two shows.
HandMotion marked(std::int64_t time_ns) {
    HandMotion motion{};
    motion.sample = still_hand(time_ns);
    const float mark = static_cast<float>(time_ns);
    motion.sample.joint_in_wrist.fill({{0, 0, 0, 1}, {mark, mark, mark}});
    motion.velocity_in_wrist.fill({{mark, mark, mark}, {mark, mark, mark}});
    return motion;
}

TEST(MotionAt, IsWholeWhileTheWriterPublishesAtFullSpeed) {
    MotionHistory history;
    history.publish(marked(1));
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        for (std::int64_t time_ns = 2; !stop; ++time_ns) {
            history.publish(marked(time_ns % 1'000'000));
        }
    });

    std::array<std::atomic<int>, 3> torn{};
    std::array<std::atomic<int>, 3> none{};
    std::vector<std::thread> readers;
    for (std::size_t r = 0; r < 3; ++r) {
        readers.emplace_back([&, r] {
            std::mt19937 random(static_cast<unsigned>(r));
            std::uniform_int_distribution<std::int64_t> back(-2, 30);
            HandMotion newest{};
            HandMotion motion{};
            for (int i = 0; i < 20'000; ++i) {
                none[r] += motion_at(history, std::numeric_limits<std::int64_t>::max(), newest) ? 0 : 1;
                none[r] += motion_at(history, newest.sample.time_ns - back(random), motion) ? 0 : 1;
                const auto mark = static_cast<float>(motion.sample.time_ns);
                for (std::size_t joint = 0; joint < kJointCount; ++joint) {
                    const bool whole = motion.sample.joint_in_wrist[joint].position.y == mark &&
                                       motion.velocity_in_wrist[joint].angular.z == mark;
                    torn[r] += whole ? 0 : 1;
                }
            }
        });
    }
    for (std::thread& reader : readers) {
        reader.join();
    }
    stop = true;
    writer.join();
    for (std::size_t r = 0; r < 3; ++r) {
        EXPECT_EQ(torn[r], 0);
        EXPECT_EQ(none[r], 0);
    }
}

}  // namespace
}  // namespace glove
