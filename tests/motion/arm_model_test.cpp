// SPDX-License-Identifier: Apache-2.0
// Where a hand hangs before a head that nods, tilts, turns and stands on itself, and how its forearm lies. Expected
// places are written down, come from a neck that is turned about, or from a triangle that closes. Not covered: which
// way is up in a space, and the call below (tests/openxr); what people find believable.
#include "motion/arm_model.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <vector>

#include "hand/near.hpp"
#include "hand/pose_math.hpp"

namespace glove {
namespace {

using test::degrees_between;
using test::millimetres_between;

constexpr XrVector3f kUp{0, 1, 0};
const XrPosef kRest{from_euler_degrees(10, -20, 30), {-0.18f, -0.25f, -0.35f}};

RootMotion still(const XrPosef& head) {
    return {head, false, {}, true, true, true};
}

XrPosef hand_of(const XrPosef& head) {
    return head_anchored_hand(still(head), kUp, kRest).in_base;
}

// A head on a neck that stays where it is. The eyes are 75 mm above the neck's joint and 80 mm ahead of it.
XrPosef head_on_neck(const XrQuaternionf& turned) {
    constexpr XrVector3f kNeck{0.3f, 1.5f, -0.2f};
    return {turned, kNeck + rotate(turned, {0, 0.075f, -0.080f})};
}

XrQuaternionf any_rotation(std::mt19937& random) {
    std::normal_distribution<float> normal;
    return normalised({normal(random), normal(random), normal(random), normal(random)});
}

XrVector3f any_vector(std::mt19937& random) {
    std::normal_distribution<float> normal;
    return {normal(random), normal(random), normal(random)};
}

double head_tilt_degrees(const XrQuaternionf& head) {
    return degrees_between(test::axis_of(head, 1), test::Row{0, 1, 0});
}

void expect_same(const XrPosef& a, const XrPosef& b, double most_mm = 0.002, double most_degrees = 0.002) {
    EXPECT_LT(millimetres_between(a.position, b.position), most_mm);
    EXPECT_LT(degrees_between(a.orientation, b.orientation), most_degrees);
}

TEST(HeadAnchoredHand, IsAtItsPlaceOfRestWhileTheHeadIsLevelAndLooksAhead) {
    const XrPosef hand = hand_of({kNoRotation, {1, 1.6f, 2}});
    expect_same(hand, {kRest.orientation, {0.82f, 1.35f, 1.65f}});
}

TEST(HeadAnchoredHand, GoesLeftWhenTheHeadTurnsLeft) {
    // A quarter turn to the left: ahead is -X now, and the left side +Z.
    const XrPosef hand = hand_of({from_euler_degrees(0, 90, 0), {0, 0, 0}});
    expect_same(hand, {multiply(from_euler_degrees(0, 90, 0), kRest.orientation), {-0.35f, -0.25f, 0.18f}});
}

TEST(HeadAnchoredHand, StaysWhenTheHeadNodsOrTiltsOnItsNeck) {
    const XrPosef level = hand_of(head_on_neck(kNoRotation));
    for (int degrees = -100; degrees <= 80; degrees += 5) {
        expect_same(hand_of(head_on_neck(from_euler_degrees(degrees, 0, 0))), level);
        expect_same(hand_of(head_on_neck(from_euler_degrees(0, 0, degrees))), level);
    }
}

TEST(HeadAnchoredHand, KeepsItsHeadingWhenTheHeadNodsWhereverItLooks) {
    for (int heading = -180; heading < 180; heading += 30) {
        const XrQuaternionf turned = from_euler_degrees(0, heading, 0);
        const XrPosef level = hand_of(head_on_neck(turned));
        for (const int nod : {-120, -90, -45, 45, 90}) {
            expect_same(hand_of(head_on_neck(multiply(turned, from_euler_degrees(nod, 0, 0)))), level);
        }
    }
}

TEST(HeadAnchoredHand, IsLevelHoweverTheHeadIsHeld) {
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i) {
        const XrPosef head{any_rotation(random), any_vector(random)};
        const XrPosef hand = head_anchored_hand(still(head), kUp, {kNoRotation, kRest.position}).in_base;
        EXPECT_LT(degrees_between(test::axis_of(hand.orientation, 1), test::Row{0, 1, 0}), 0.01);
    }
}

// Looking straight down is what people do to see their hands.
TEST(HeadAnchoredHand, TurnsLittleWhenTheHeadTurnsLittle) {
    std::mt19937 random(2);
    int seen = 0;
    for (int i = 0; i < 5000; ++i) {
        const XrQuaternionf before = any_rotation(random);
        const XrVector3f axis = direction(any_vector(random), {1, 0, 0});
        const XrQuaternionf after = multiply(rotation_about(axis, static_cast<float>(kRadiansPerDegree)), before);
        if (head_tilt_degrees(before) > 119 || head_tilt_degrees(after) > 119) {
            continue;
        }
        ++seen;
        // At a tilt of 120 degrees the heading turns by 1 / cos(120 / 2) = 2 for 1.
        EXPECT_LT(degrees_between(hand_of({before, {0, 0, 0}}).orientation, hand_of({after, {0, 0, 0}}).orientation),
                  2.05);
    }
    EXPECT_GT(seen, 2000);
}

TEST(HeadAnchoredHand, IsLevelAlsoUnderAHeadThatStandsOnItself) {
    for (const double nod : {180.0, 179.99, 178.2, 177.0, -179.0}) {
        for (const double tilt : {0.0, 0.5, -2.0}) {
            const XrPosef head{from_euler_degrees(nod, 40, tilt), {0, 1, 0}};
            const XrPosef hand = head_anchored_hand(still(head), kUp, {kNoRotation, kRest.position}).in_base;
            EXPECT_LT(degrees_between(test::axis_of(hand.orientation, 1), test::Row{0, 1, 0}), 0.01) << nod;
            EXPECT_LT(millimetres_between(hand.position, {0, 1, 0}), 700);
        }
    }
}

TEST(HeadAnchoredHand, HangsAlongWhateverIsUpInTheBaseSpace) {
    std::mt19937 random(3);
    for (int i = 0; i < 1000; ++i) {
        const XrPosef head{any_rotation(random), any_vector(random)};
        if (head_tilt_degrees(head.orientation) > 160) {
            continue;
        }
        const XrPosef room_in_base{any_rotation(random), any_vector(random)};
        const XrVector3f up = rotate(room_in_base.orientation, kUp);
        const XrPosef hand = head_anchored_hand(still(compose(room_in_base, head)), up, kRest).in_base;
        expect_same(hand, compose(room_in_base, hand_of(head)), 0.02, 0.02);
    }
}

TEST(HeadAnchoredHand, OfTheOtherSideIsItsMirrorImage) {
    const auto mirrored = [](const XrPosef& pose) {
        const auto& [q, p] = pose;
        return XrPosef{{q.x, -q.y, -q.z, q.w}, {-p.x, p.y, p.z}};
    };
    const XrPosef head{from_euler_degrees(-50, 70, 25), {0.4f, 1.6f, 0.1f}};
    const XrPosef other = head_anchored_hand(still(mirrored(head)), kUp, mirrored(kRest)).in_base;
    expect_same(other, mirrored(hand_of(head)));
}

TEST(HeadAnchoredHand, MovesAsFastAsItsPlaceChanges) {
    std::mt19937 random(4);
    constexpr float kStep = 0.005f;  // seconds
    for (int i = 0; i < 1000; ++i) {
        RootMotion head = still({any_rotation(random), any_vector(random)});
        if (head_tilt_degrees(head.in_base.orientation) > 120) {
            continue;
        }
        head.velocity = {any_vector(random), any_vector(random)};
        const auto hand_after = [&head](float seconds) {
            const XrQuaternionf turn = from_rotation_vector(seconds * head.velocity.angular);
            return hand_of(
                {multiply(turn, head.in_base.orientation), head.in_base.position + seconds * head.velocity.linear});
        };
        const XrPosef before = hand_after(-kStep);
        const XrPosef after = hand_after(kStep);
        const XrVector3f linear = (0.5f / kStep) * (after.position - before.position);
        const XrVector3f angular =
            (0.5f / kStep) * rotation_vector(multiply(after.orientation, conjugate(before.orientation)));
        const RootMotion hand = head_anchored_hand(head, kUp, kRest);
        EXPECT_TRUE(hand.velocity_known);
        EXPECT_LT(length(hand.velocity.linear - linear), 0.005f);
        EXPECT_LT(length(hand.velocity.angular - angular), 0.01f);
    }
}

// The elbow that the forearm says: behind the wrist along it. Shoulder and lengths as in the model.
constexpr double kForearmMm = 260;
constexpr double kUpperArmMm = 290;
XrVector3f elbow_of(Hand hand, const XrVector3f& wrist) {
    return wrist + rotate(forearm_at(hand, wrist), {0, 0, 0.260f});
}
constexpr XrVector3f kShoulders[2] = {{-0.175f, -0.230f, 0.100f}, {0.175f, -0.230f, 0.100f}};

TEST(Forearm, ReachesFromAnElbowThatTheUpperArmReaches) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> within(-0.55f, 0.55f);
    int seen = 0;
    for (int i = 0; i < 3000; ++i) {
        for (const Hand hand : kBothHands) {
            const XrVector3f shoulder = kShoulders[hand == Hand::left ? 0 : 1];
            const XrVector3f wrist = shoulder + XrVector3f{within(random), within(random), within(random)};
            const double far = millimetres_between(shoulder, wrist);
            if (far > kUpperArmMm + kForearmMm - 1 || far < kUpperArmMm - kForearmMm + 2) {
                continue;
            }
            ++seen;
            EXPECT_NEAR(millimetres_between(shoulder, elbow_of(hand, wrist)), kUpperArmMm, 0.1);
        }
    }
    EXPECT_GT(seen, 1000);
}

TEST(Forearm, OfHandsAtTheirUsualPlaceComesFromAnElbowBelowAndOutside) {
    const XrVector3f elbow = elbow_of(Hand::right, {0.18f, -0.25f, -0.35f});
    // By the law of cosines: 450 mm between shoulder and wrist, 290 and 260 from the elbow.
    EXPECT_LT(millimetres_between(elbow, {0.2158f, -0.3934f, -0.1361f}), 0.1);
    expect_same({forearm_at(Hand::right, {0.18f, -0.25f, -0.35f}), {0, 0, 0}},
                {{0.286932f, 0.079407f, -0.023874f, 0.954356f}, {0, 0, 0}}, 0.002, 0.01);
}

TEST(Forearm, RisesAsTheHandComesNearer) {
    double before = -90;
    for (const float ahead : {-0.40f, -0.35f, -0.30f, -0.25f, -0.20f}) {
        const test::Row to_elbow = test::axis_of(forearm_at(Hand::left, {-0.18f, -0.25f, ahead}), 2);
        const double up = degrees_between(to_elbow, test::Row{0, 1, 0}) - 90;
        EXPECT_GT(up, before + 3) << ahead;
        before = up;
    }
}

TEST(Forearm, HasTheBackOfTheHandUp) {
    for (const XrVector3f& wrist : {XrVector3f{0.18f, -0.25f, -0.35f}, {0.05f, -0.4f, -0.2f}, {0.4f, 0, -0.3f}}) {
        EXPECT_LT(degrees_between(test::axis_of(forearm_at(Hand::right, wrist), 1), test::Row{0, 1, 0}), 85);
        // Its X stays level: the forearm does not roll.
        EXPECT_NEAR(degrees_between(test::axis_of(forearm_at(Hand::right, wrist), 0), test::Row{0, 1, 0}), 90, 0.01);
    }
}

TEST(Forearm, PointsStraightAtWhatIsOutOfReach) {
    const XrVector3f wrist = kShoulders[1] + XrVector3f{0, 0, -2};
    expect_same({forearm_at(Hand::right, wrist), {0, 0, 0}}, kIdentityPose, 0.002, 0.05);
}

TEST(Forearm, IsARotationWhereverTheUserPutsTheHand) {
    std::vector<XrVector3f> wrists = {kShoulders[1], kShoulders[1] + XrVector3f{0, 1, 0},
                                      kShoulders[1] + XrVector3f{0, -0.5f, 0}, kShoulders[1] + XrVector3f{0.25f, -1, 0},
                                      kShoulders[1] + XrVector3f{0, 1e-6f, 0}};
    for (const float a : {-10.0f, 0.0f, 10.0f}) {
        for (const float b : {-10.0f, 0.0f, 10.0f}) {
            wrists.push_back({a, b, -b});
            wrists.push_back({a, b, 0});
        }
    }
    for (const XrVector3f& wrist : wrists) {
        const XrQuaternionf q = forearm_at(Hand::right, wrist);
        EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-5) << wrist.x << ' ' << wrist.y;
    }
}

TEST(Forearm, OfTheOtherSideIsItsMirrorImage) {
    std::mt19937 random(6);
    for (int i = 0; i < 200; ++i) {
        const XrVector3f wrist = 0.3f * any_vector(random);
        const XrQuaternionf right = forearm_at(Hand::right, wrist);
        const XrQuaternionf left = forearm_at(Hand::left, {-wrist.x, wrist.y, wrist.z});
        expect_same({left, {0, 0, 0}}, {{right.x, -right.y, -right.z, right.w}, {0, 0, 0}}, 0.002, 0.01);
    }
}

}  // namespace
}  // namespace glove
