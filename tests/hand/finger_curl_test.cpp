// SPDX-License-Identifier: Apache-2.0
// Fingers from a controller, against the table as it was published, others' measured hands and sessions with
// controllers, ours and a recorded one. Not covered: whether it feels right.
#include "hand/controller/finger_curl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "controller_session.hpp"
#include "hand/hand_model.hpp"
#include "hand/near.hpp"
#include "recordings.hpp"
#include "reference_poses.hpp"

namespace glove::test {
namespace {

constexpr float kSizeMm = 95.7f;  // of the hand that was measured

HandSample posed(Hand hand, const ControllerGrasp& grasp, float size_mm = kSizeMm) {
    FingerCurl curl(hand, size_mm);
    HandSample sample{};
    curl.pose(grasp, 0, sample);
    return sample;
}

std::array<float, 5> weights(const ControllerGrasp& grasp) {
    FingerCurl curl(Hand::left, kSizeMm);
    HandSample sample{};
    curl.pose(grasp, 0, sample);
    return curl.weights();
}

std::size_t parent_of(std::size_t joint) {
    return joint == 2 || joint % 5 == 1 ? std::size_t{XR_HAND_JOINT_WRIST_EXT} : joint - 1;
}

// A joint as its parent sees it.
Matrix turn(const std::array<XrPosef, kJointCount>& joints, std::size_t joint) {
    return transposed(matrix_of(joints[parent_of(joint)].orientation)) * matrix_of(joints[joint].orientation);
}

double degrees_of(const Matrix& r) {
    const double cosine = (r[0][0] + r[1][1] + r[2][2] - 1) / 2;
    return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / 3.14159265358979;
}

TEST(FingerCurl, WeighsEveryCombinationAsTheTableSays) {
    // At rest, trigger, grip, touch.
    const std::array<std::array<double, 4>, 5> table{{{0.4, 0.4, -1.8, 1.0},
                                                      {0.0, 1.0, 0.0, 0.2},
                                                      {0.1, 0.6, 1.0, 0.2},
                                                      {0.2, 0.4, 1.0, 0.2},
                                                      {0.3, 0.2, 1.0, 0.2}}};
    for (const float trigger : {0.0f, 0.5f, 1.0f}) {
        for (const float grip : {0.0f, 0.5f, 1.0f}) {
            for (const bool touch : {false, true}) {
                const auto found = weights({trigger, grip, touch});
                for (std::size_t finger = 0; finger < 5; ++finger) {
                    const auto& [rest, by_trigger, by_grip, by_touch] = table[finger];
                    EXPECT_NEAR(found[finger],
                                rest + by_trigger * double{trigger} + by_grip * double{grip} + (touch ? by_touch : 0),
                                1e-6)
                        << finger << ' ' << trigger << ' ' << grip << ' ' << touch;
                }
            }
        }
    }
}

TEST(FingerCurl, KeepsWeightsThatLeaveTheRangeAndClosesNoFartherThanClosed) {
    std::array<float, 5> least;
    std::array<float, 5> most;
    least.fill(10);
    most.fill(-10);
    for (int corner = 0; corner < 8; ++corner) {
        const auto found =
            weights({static_cast<float>(corner & 1), static_cast<float>((corner >> 1) & 1), (corner & 4) != 0});
        for (std::size_t finger = 0; finger < 5; ++finger) {
            least[finger] = std::min(least[finger], found[finger]);
            most[finger] = std::max(most[finger], found[finger]);
        }
    }
    const std::array<float, 5> expected_least{-1.4f, 0, 0.1f, 0.2f, 0.3f};
    const std::array<float, 5> expected_most{1.8f, 1.2f, 1.9f, 1.8f, 1.7f};
    for (std::size_t finger = 0; finger < 5; ++finger) {
        EXPECT_NEAR(least[finger], expected_least[finger], 1e-6f);
        EXPECT_NEAR(most[finger], expected_most[finger], 1e-6f);
    }

    const HandSample most_closed = posed(Hand::left, {1, 1, true});
    const JointPoses fist = reference_pose(Hand::left, "fist").joint_in_wrist;
    for (std::size_t joint = 6; joint < kJointCount; ++joint) {
        EXPECT_LT(degrees_between(most_closed.joint_in_wrist[joint].orientation, fist[joint].orientation), 0.1)
            << joint;
    }
}

TEST(FingerCurl, IsTheMeasuredHandWhereItIsOpenAndWhereItIsClosed) {
    const JointPoses flat = reference_pose(Hand::left, "flat").joint_in_wrist;
    const JointPoses fist = reference_pose(Hand::left, "fist").joint_in_wrist;
    const auto expect_same = [](const HandSample& sample, const JointPoses& truth, std::size_t from, std::size_t to) {
        for (std::size_t joint = from; joint <= to; ++joint) {
            EXPECT_LT(degrees_between(sample.joint_in_wrist[joint].orientation, truth[joint].orientation), 0.1)
                << joint;
            EXPECT_LT(millimetres_between(sample.joint_in_wrist[joint].position, truth[joint].position), 0.3) << joint;
        }
    };
    expect_same(posed(Hand::left, {0, 0, false}), flat, 6, 10);  // the index
    expect_same(posed(Hand::left, {0, 1, false}), flat, 2, 10);  // and the thumb, which goes up
    expect_same(posed(Hand::left, {1, 1, false}), fist, 6, 25);  // all but the thumb
}

TEST(FingerCurl, AThumbThatRestsOnSomethingDoesNotGoUp) {
    const HandSample up = posed(Hand::left, {0, 1, false});
    const HandSample resting = posed(Hand::left, {0, 0, true});
    EXPECT_GT(weights({0, 0, true})[0], 1);
    const JointPoses fist = reference_pose(Hand::left, "fist").joint_in_wrist;
    EXPECT_LT(degrees_between(resting.joint_in_wrist[5].orientation, fist[5].orientation), 0.1);
    EXPECT_GT(degrees_between(up.joint_in_wrist[5].orientation, fist[5].orientation), 40);
}

TEST(FingerCurl, TurnsEveryBoneOfAFingerBySameShare) {
    const HandSample open = posed(Hand::left, {0, 0, false});
    const HandSample half = posed(Hand::left, {0.5f, 0, false});
    const HandSample closed = posed(Hand::left, {1, 0, false});
    for (std::size_t joint = 7; joint <= 9; ++joint) {  // the index' knuckle and the two after
        const Matrix from = transposed(turn(open.joint_in_wrist, joint));
        const double whole = degrees_of(from * turn(closed.joint_in_wrist, joint));
        EXPECT_GT(whole, 40);
        EXPECT_NEAR(degrees_of(from * turn(half.joint_in_wrist, joint)), 0.5 * whole, 0.05);
    }
    EXPECT_LT(degrees_between(open.joint_in_wrist[6].orientation, closed.joint_in_wrist[6].orientation), 1e-3)
        << "a metacarpal is part of the palm";
}

TEST(FingerCurl, ClosesFingersAboutMinusXOnBothHands) {
    for (const Hand hand : kBothHands) {
        const HandSample open = posed(hand, {0, 0, false});
        const HandSample closed = posed(hand, {1, 1, false});
        for (std::size_t joint = 6; joint < kJointCount; ++joint) {
            if (joint % 5 != 3 && joint % 5 != 4) {
                continue;  // intermediate and distal are hinges
            }
            const Matrix bend = transposed(turn(open.joint_in_wrist, joint)) * turn(closed.joint_in_wrist, joint);
            EXPECT_LT(bend[2][1] - bend[1][2], -0.5) << name_of(hand) << joint;  // 2 sin(angle) about x
        }
        // On the way the tips go to where the palm looks.
        const HandSample half_closed = posed(hand, {0, 0.3f, false});
        EXPECT_LT(half_closed.joint_in_wrist[15].position.y, open.joint_in_wrist[15].position.y - 0.03f);
    }
}

TEST(FingerCurl, BothHandsMirrorEachOther) {
    for (const ControllerGrasp& grasp : {ControllerGrasp{0, 0, false}, {0.3f, 0.7f, true}, {1, 1, false}}) {
        const HandSample left = posed(Hand::left, grasp);
        const HandSample right = posed(Hand::right, grasp);
        EXPECT_EQ(right.hand, Hand::right);
        for (std::size_t joint = 0; joint < kJointCount; ++joint) {
            const XrPosef& l = left.joint_in_wrist[joint];
            const XrPosef& r = right.joint_in_wrist[joint];
            EXPECT_LT(millimetres_between(r.position, {-l.position.x, l.position.y, l.position.z}), 1e-4) << joint;
            const XrQuaternionf mirror{l.orientation.x, -l.orientation.y, -l.orientation.z, l.orientation.w};
            EXPECT_LT(degrees_between(r.orientation, mirror), 0.05) << joint;
        }
        EXPECT_GT(left.joint_in_wrist[5].position.x, 0) << "a left thumb is to the right";
    }
}

TEST(FingerCurl, IsAsLargeAsItIsAskedForWithBonesThatKeepTheirLength) {
    for (const float size_mm : {70.0f, 92.0f, 110.0f}) {
        const HandSample open = posed(Hand::right, {0, 0, false}, size_mm);
        const HandSample closed = posed(Hand::right, {1, 1, true}, size_mm);
        EXPECT_NEAR(millimetres_between({0, 0, 0}, open.joint_in_wrist[12].position), size_mm, 0.01);
        EXPECT_FLOAT_EQ(open.scale, size_mm / kTemplateSizeMm);
        for (std::size_t joint = 2; joint < kJointCount; ++joint) {
            const auto bone = [joint](const HandSample& sample) {
                return millimetres_between(sample.joint_in_wrist[parent_of(joint)].position,
                                           sample.joint_in_wrist[joint].position);
            };
            EXPECT_NEAR(bone(open), bone(closed), 0.01) << joint;
        }
    }
}

TEST(FingerCurl, SaysEverythingASampleHas) {
    FingerCurl curl(Hand::left, 92);
    HandSample first{};
    HandSample second{};
    curl.pose({0.2f, 0.4f, true}, 1'000, first);
    curl.pose({0.2f, 0.4f, true}, 2'000, second);
    EXPECT_EQ(second.source, Source::controller);
    EXPECT_EQ(second.tracked, kAllJointsTracked);
    EXPECT_EQ(second.sequence, first.sequence + 1);
    EXPECT_EQ(second.time_ns, 2'000);
    EXPECT_FALSE(second.through_forearm);
    const XrPosef& palm = second.joint_in_wrist[XR_HAND_JOINT_PALM_EXT];
    const XrVector3f& metacarpal = second.joint_in_wrist[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].position;
    const XrVector3f& proximal = second.joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position;
    EXPECT_LT(millimetres_between(palm.position, {(metacarpal.x + proximal.x) / 2, (metacarpal.y + proximal.y) / 2,
                                                  (metacarpal.z + proximal.z) / 2}),
              1e-3);
    for (const XrPosef& joint : second.joint_in_wrist) {
        const XrQuaternionf& q = joint.orientation;
        EXPECT_NEAR(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w), 1, 1e-6);
    }
}

TEST(FingerCurl, TakesNinetyMillisecondsToFollowATouch) {
    FingerCurl curl(Hand::left, 92);
    HandSample sample{};
    const auto thumb_at = [&](int milliseconds, bool touch) {
        curl.pose({0, 0, touch}, std::int64_t{milliseconds} * 1'000'000, sample);
        return curl.weights()[0];
    };
    EXPECT_NEAR(thumb_at(0, false), 0.4, 1e-6);
    EXPECT_NEAR(thumb_at(45, true), 0.9, 1e-3);
    EXPECT_NEAR(thumb_at(90, true), 1.4, 1e-3);
    EXPECT_NEAR(thumb_at(500, true), 1.4, 1e-6);
    EXPECT_NEAR(thumb_at(530, false), 1.4 - 1.0 / 3, 1e-3);
    EXPECT_NEAR(thumb_at(560, true), 1.4, 1e-3) << "and back, before it was off";
}

TEST(FingerCurl, AHandThatBeginsWithATouchNeedsNoTimeForIt) {
    EXPECT_NEAR(weights({0, 0, true})[0], 1.4, 1e-6);
}

TEST(FingerCurl, TakesAnyNumberForOneFromNoneToAll) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(weights({7, infinity, false}), weights({1, 1, false}));
    EXPECT_EQ(weights({-3, -infinity, false}), weights({0, 0, false}));
    EXPECT_EQ(weights({no_number, no_number, true}), weights({0, 0, true}));
}

TEST(FingerCurl, TakesAnotherTableAndAnotherHand) {
    CurlTable table = kCurlTable;
    table[0].grip = 0.6f;
    CurlHand bones = kCurlHand;
    bones[0].offset_mm.x = 40;
    FingerCurl curl(Hand::left, kSizeMm, table, bones);
    HandSample sample{};
    curl.pose({1, 1, false}, 0, sample);
    EXPECT_NEAR(curl.weights()[0], 1.4, 1e-6) << "the thumb closes with the fist";
    EXPECT_NEAR(sample.joint_in_wrist[2].position.x, 0.040, 1e-4);
}

// A finger goes as fast as what it is pressed with; nothing else may make it jump.
class FingerCurlSession : public testing::TestWithParam<Session> {};
INSTANTIATE_TEST_SUITE_P(Session, FingerCurlSession, testing::ValuesIn(kSessions),
                         name_of_session<testing::TestParamInfo<Session>>);

TEST_P(FingerCurlSession, NeverJumps) {
    const std::vector<ControllerFrame> session = controller_session(GetParam());
    if (session.empty()) {
        GTEST_SKIP() << kNoRecording;
    }
    int touches = 0;
    for (const Hand hand : kBothHands) {
        FingerCurl curl(hand, kSizeMm);
        HandSample before{};
        ControllerGrasp grasp_before{};
        int frames = 0;
        int pulls = 0;
        double largest_without = 0;
        double largest_of_a_pull = 0;
        for (const ControllerFrame& frame : session) {
            const ControllerSide& side = frame.sides[index_of(hand)];
            const ControllerGrasp grasp{side.buttons[kTrigger].value, side.buttons[kSqueeze].value, side.thumb_rests()};
            HandSample now{};
            curl.pose(grasp, static_cast<std::int64_t>(frame.seconds * 1e9), now);
            if (frames++ > 0) {
                touches += grasp.touch != grasp_before.touch ? 1 : 0;
                const double pull =
                    std::abs(grasp.trigger - grasp_before.trigger) + std::abs(grasp.grip - grasp_before.grip);
                double step = 0;
                for (std::size_t joint = 2; joint < kJointCount; ++joint) {
                    step = std::max(step, degrees_of(transposed(turn(before.joint_in_wrist, joint)) *
                                                     turn(now.joint_in_wrist, joint)));
                }
                // No joint turns by more than this from open to closed, and a whole pull closes a finger once.
                constexpr double kWholePullDegrees = 120;
                EXPECT_LT(step, 20 + kWholePullDegrees * pull) << name_of(hand) << " frame " << frames;
                double& largest = pull > 0.1 ? largest_of_a_pull : largest_without;
                largest = std::max(largest, step);
                pulls += pull > 0.1 ? 1 : 0;
            }
            before = now;
            grasp_before = grasp;
        }
        std::printf("%s hand: %d frames, largest step %.1f deg, in the %d frames of a pull %.1f deg\n", name_of(hand),
                    frames, largest_without, pulls, largest_of_a_pull);
        EXPECT_GT(frames, 500);
        EXPECT_GT(pulls, 5);
        EXPECT_LT(largest_without, 20);
    }
    EXPECT_GT(touches, 5) << "of both hands: there has to be something to follow";
}

}  // namespace
}  // namespace glove::test
