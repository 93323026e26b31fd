// SPDX-License-Identifier: Apache-2.0
// Measured hands, sent as FSNH by an encoder of the tests' own and read back.
// Not covered: bytes (tests/protocol); what a real glove sends, as nobody has published a capture: that senders follow
// their document is checked at run time, see axis_check_test.cpp.
#include "hand/fsnh/retarget.hpp"

#include <gtest/gtest.h>

#include <random>

#include "hand/hand_model.hpp"
#include "hand_in_motion.hpp"
#include "near.hpp"

namespace glove {
namespace {

using namespace test;

constexpr std::array<std::size_t, 4> kMetacarpals{
    XR_HAND_JOINT_INDEX_METACARPAL_EXT, XR_HAND_JOINT_MIDDLE_METACARPAL_EXT, XR_HAND_JOINT_RING_METACARPAL_EXT,
    XR_HAND_JOINT_LITTLE_METACARPAL_EXT};

bool is_sent(std::size_t joint) {
    return joint != XR_HAND_JOINT_PALM_EXT &&
           std::find(kMetacarpals.begin(), kMetacarpals.end(), joint) == kMetacarpals.end();
}

HandSample read(const fsnh::Message& message) {
    FsnhRetarget retarget(message.hand, kTemplateSizeMm);
    HandSample sample{};
    retarget.retarget(message, 0, sample);
    return sample;
}

HandSample read(const ReferencePose& pose) {
    return read(wrist_message({.hand = pose.hand}, to_sender(pose.hand, pose.joint_in_wrist)));
}

void expect_usable(const HandSample& sample) {
    for (const XrPosef& joint : sample.joint_in_wrist) {
        const XrQuaternionf& q = joint.orientation;
        const double size = std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
        ASSERT_NEAR(size, 1, 1e-6);
        ASSERT_TRUE(std::isfinite(joint.position.x + joint.position.y + joint.position.z));
    }
}

TEST(FsnhRetarget, ReadsBackEverySentJoint) {
    for (const ReferencePose& pose : reference_poses()) {
        const HandSample sample = read(pose);
        for (std::size_t joint = 0; joint < kJointCount; ++joint) {
            if (is_sent(joint)) {
                const XrPosef& expected = pose.joint_in_wrist[joint];
                const XrPosef& found = sample.joint_in_wrist[joint];
                EXPECT_LT(millimetres_between(found.position, expected.position), 0.1)
                    << pose.name << " joint " << joint;
                EXPECT_LT(degrees_between(found.orientation, expected.orientation), 0.1)
                    << pose.name << " joint " << joint;
            }
        }
    }
}

TEST(FsnhRetarget, PutsMetacarpalsWithinTwelveMillimetresOfMeasuredOnes) {
    for (const ReferencePose& pose : reference_poses()) {
        const HandSample sample = read(pose);
        for (const std::size_t joint : kMetacarpals) {
            EXPECT_LT(millimetres_between(sample.joint_in_wrist[joint].position, pose.joint_in_wrist[joint].position),
                      12)
                << pose.name << " joint " << joint;
            EXPECT_LT(degrees_between(
                          axis_of(sample.joint_in_wrist[joint].orientation, 2),
                          from_to(sample.joint_in_wrist[joint + 1].position, sample.joint_in_wrist[joint].position)),
                      0.01)
                << pose.name << " joint " << joint;
        }
    }
}

TEST(FsnhRetarget, PutsThePalmInTheMiddleOfTheMiddleMetacarpalBone) {
    for (const ReferencePose& pose : reference_poses()) {
        const HandSample sample = read(pose);
        const XrPosef& palm = sample.joint_in_wrist[XR_HAND_JOINT_PALM_EXT];
        const XrPosef& base = sample.joint_in_wrist[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT];
        const XrPosef& knuckle = sample.joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT];
        EXPECT_FLOAT_EQ(palm.position.x, (base.position.x + knuckle.position.x) / 2) << pose.name;
        EXPECT_FLOAT_EQ(palm.position.y, (base.position.y + knuckle.position.y) / 2) << pose.name;
        EXPECT_FLOAT_EQ(palm.position.z, (base.position.z + knuckle.position.z) / 2) << pose.name;
        EXPECT_EQ(degrees_between(palm.orientation, base.orientation), 0) << pose.name;
    }
}

// What the conformance suite of XR_EXT_hand_tracking asks of palm and wrist.
TEST(FsnhRetarget, MeetsTheConformanceSuiteInEveryPose) {
    for (const ReferencePose& pose : reference_poses()) {
        const HandSample sample = read(pose);
        const XrQuaternionf& palm = sample.joint_in_wrist[XR_HAND_JOINT_PALM_EXT].orientation;
        const XrPosef& wrist = sample.joint_in_wrist[XR_HAND_JOINT_WRIST_EXT];
        const XrPosef& base = sample.joint_in_wrist[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT];
        EXPECT_GE(dot_product(axis_of(palm, 2), axis_of(base.orientation, 2)), 0.99) << pose.name;
        EXPECT_GE(dot_product(axis_of(palm, 1), axis_of(base.orientation, 1)), 0.9) << pose.name;
        EXPECT_GE(dot_product(axis_of(wrist.orientation, 2), unit(from_to(base.position, wrist.position))), 0.9)
            << pose.name;
        EXPECT_GE(dot_product(axis_of(base.orientation, 1), axis_of(wrist.orientation, 1)), 0.9) << pose.name;
    }
}

TEST(FsnhRetarget, ReadsTheSameHandThroughTheForearm) {
    const XrPosef wrist_in_forearm{{0.2f, -0.3f, 0.1f, std::sqrt(0.86f)}, {0.01f, 0.02f, -0.25f}};
    for (const ReferencePose& pose : reference_poses()) {
        const SenderHand joints = to_sender(pose.hand, pose.joint_in_wrist);
        const HandSample direct = read(wrist_message({.hand = pose.hand}, joints));
        const HandSample through =
            read(forearm_message({.hand = pose.hand}, seen_from_forearm(pose.hand, joints, wrist_in_forearm)));

        for (std::size_t joint = 0; joint < kJointCount; ++joint) {
            const XrPosef& a = direct.joint_in_wrist[joint];
            const XrPosef& b = through.joint_in_wrist[joint];
            EXPECT_LT(millimetres_between(a.position, b.position), 0.001) << pose.name << " joint " << joint;
            EXPECT_LT(degrees_between(a.orientation, b.orientation), 0.001) << pose.name << " joint " << joint;
        }
        EXPECT_FALSE(direct.through_forearm);
        EXPECT_EQ(degrees_between(direct.wrist_in_forearm.orientation, {0, 0, 0, 1}), 0);
        EXPECT_EQ(millimetres_between(direct.wrist_in_forearm.position, {0, 0, 0}), 0);
        EXPECT_TRUE(through.through_forearm);
        EXPECT_LT(degrees_between(through.wrist_in_forearm.orientation, wrist_in_forearm.orientation), 0.001);
        EXPECT_LT(millimetres_between(through.wrist_in_forearm.position, wrist_in_forearm.position), 0.001);
    }
}

// "Position ~ 0" says the document of the palm root: what is not quite there must not count twice.
TEST(FsnhRetarget, AWristFormatWhoseRootIsOffTheOriginGivesTheSameHand) {
    const XrPosef off{{0.05f, 0.02f, -0.04f, std::sqrt(1 - 0.0045f)}, {0.004f, -0.003f, 0.006f}};
    for (const ReferencePose& pose : reference_poses()) {
        const SenderHand joints = seen_from_forearm(pose.hand, to_sender(pose.hand, pose.joint_in_wrist), off);
        const HandSample sample = read(wrist_message({.hand = pose.hand}, joints));
        const XrPosef& expected = pose.joint_in_wrist[XR_HAND_JOINT_LITTLE_TIP_EXT];
        const XrPosef& found = sample.joint_in_wrist[XR_HAND_JOINT_LITTLE_TIP_EXT];
        EXPECT_LT(millimetres_between(found.position, expected.position), 0.1) << pose.name;
        EXPECT_LT(degrees_between(found.orientation, expected.orientation), 0.1) << pose.name;
        EXPECT_FALSE(sample.through_forearm);
        EXPECT_EQ(degrees_between(sample.wrist_in_forearm.orientation, {0, 0, 0, 1}), 0);
        EXPECT_EQ(millimetres_between(sample.wrist_in_forearm.position, {0, 0, 0}), 0);
    }
}

TEST(FsnhRetarget, CarriesWhatTheHeaderSays) {
    const ReferencePose pose = reference_pose(Hand::right, "flat");
    FsnhHeader header{
        .hand = Hand::right, .frame_index = 0xFFFFFFFE, .timestamp_ns = 123'456'789'012, .forearm_live = false};
    FsnhRetarget retarget(Hand::right, 101.2f);
    HandSample sample{};
    retarget.retarget(forearm_message(header, to_sender(Hand::right, pose.joint_in_wrist)), 0, sample);
    EXPECT_EQ(sample.hand, Hand::right);
    EXPECT_EQ(sample.source, Source::fsnh);
    EXPECT_TRUE(sample.through_forearm);
    EXPECT_FALSE(sample.forearm_live);
    EXPECT_EQ(sample.sequence, 0xFFFFFFFE);
    EXPECT_EQ(sample.tracked, 0x03FFFFFFu);
    EXPECT_EQ(sample.sent_ns, 123'456'789'012);
    EXPECT_FLOAT_EQ(sample.scale, 1.1f);

    header.forearm_live = true;
    retarget.retarget(forearm_message(header, to_sender(Hand::right, pose.joint_in_wrist)), 0, sample);
    EXPECT_TRUE(sample.forearm_live);
}

// A finger drawn in the sender's own axes: straight it points forward, bent it goes down, to the palm side.
TEST(FsnhRetarget, FlexionGoesAboutMinusXOnBothHands) {
    for (const Hand hand : kBothHands) {
        SenderHand joints = to_sender(hand, reference_pose(hand, "flat").joint_in_wrist);
        const double forward = hand == Hand::left ? 1 : -1;  // along y: the right hand's y points back
        const std::array<double, 4> bend{-30.0 * forward, -80.0 * forward, -50.0 * forward, 0};
        Matrix rotation = kIdentityMatrix;
        Row position{0.02, 0.09 * forward, 0};
        for (std::size_t i = 0; i < 4; ++i) {
            rotation = rotation * turn_about_x(bend[i]);
            joints[5 + i] = {rotation, position};
            const Row bone = rotation * Row{0, 0.03 * forward, 0};
            position = {position[0] + bone[0], position[1] + bone[1], position[2] + bone[2]};
        }
        ASSERT_LT(joints[8].position[2], -0.04) << "the tip is meant to go down";

        const HandSample sample = read(wrist_message({.hand = hand}, joints));
        const auto matrix = [&](std::size_t joint) { return matrix_of(sample.joint_in_wrist[joint].orientation); };
        EXPECT_LT(degrees_between(matrix(XR_HAND_JOINT_INDEX_PROXIMAL_EXT), turn_about_x(-30)), 0.01);
        EXPECT_LT(degrees_between(transposed(matrix(XR_HAND_JOINT_INDEX_PROXIMAL_EXT)) *
                                      matrix(XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT),
                                  turn_about_x(-80)),
                  0.01);
        EXPECT_LT(degrees_between(
                      transposed(matrix(XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT)) * matrix(XR_HAND_JOINT_INDEX_DISTAL_EXT),
                      turn_about_x(-50)),
                  0.01);
        EXPECT_LT(sample.joint_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT].position.y, -0.04f) << "the palm side is -Y";
    }
}

TEST(FsnhRetarget, ALeftHandIsTheMirrorImageOfTheRightOne) {
    const auto mirrored = [](const XrPosef& pose) {
        return XrPosef{{pose.orientation.x, -pose.orientation.y, -pose.orientation.z, pose.orientation.w},
                       {-pose.position.x, pose.position.y, pose.position.z}};
    };
    for (const ReferencePose& right : reference_poses()) {
        if (right.hand != Hand::right) {
            continue;
        }
        ReferencePose left = right;
        left.hand = Hand::left;
        for (XrPosef& joint : left.joint_in_wrist) {
            joint = mirrored(joint);
        }
        const HandSample from_right = read(right);
        const HandSample from_left = read(left);
        for (std::size_t joint = 0; joint < kJointCount; ++joint) {
            const XrPosef expected = mirrored(from_right.joint_in_wrist[joint]);
            const XrPosef& found = from_left.joint_in_wrist[joint];
            EXPECT_LT(millimetres_between(found.position, expected.position), 0.001)
                << right.name << " joint " << joint;
            EXPECT_LT(degrees_between(found.orientation, expected.orientation), 0.001)
                << right.name << " joint " << joint;
        }
    }
}

TEST(FsnhRetarget, AHandTwiceAsLargeHasEveryJointTwiceAsFarAndTurnedAlike) {
    for (const ReferencePose& pose : reference_poses()) {
        for (const float factor : {0.7f, 2.0f}) {
            ReferencePose scaled = pose;
            for (XrPosef& joint : scaled.joint_in_wrist) {
                joint.position = {factor * joint.position.x, factor * joint.position.y, factor * joint.position.z};
            }
            const HandSample one = read(pose);
            const HandSample other = read(scaled);
            for (std::size_t joint = 0; joint < kJointCount; ++joint) {
                const XrVector3f& p = one.joint_in_wrist[joint].position;
                EXPECT_LT(millimetres_between(other.joint_in_wrist[joint].position,
                                              {factor * p.x, factor * p.y, factor * p.z}),
                          0.001);
                EXPECT_LT(
                    degrees_between(other.joint_in_wrist[joint].orientation, one.joint_in_wrist[joint].orientation),
                    0.001);
            }
        }
    }
}

// Bones keep their lengths on the way: joints turn against the joint before them.
JointPoses between(const JointPoses& from, const JointPoses& to, float t) {
    JointPoses way = from;
    for (std::size_t joint = XR_HAND_JOINT_THUMB_METACARPAL_EXT; joint < kJointCount; ++joint) {
        const bool first = joint == XR_HAND_JOINT_THUMB_METACARPAL_EXT ||
                           std::find(kMetacarpals.begin(), kMetacarpals.end(), joint) != kMetacarpals.end();
        const std::size_t parent = first ? std::size_t{XR_HAND_JOINT_WRIST_EXT} : joint - 1;
        const XrPosef a = compose(inverse(from[parent]), from[joint]);
        const XrPosef b = compose(inverse(to[parent]), to[joint]);
        way[joint] =
            compose(way[parent], {slerp(a.orientation, b.orientation, t), a.position + t * (b.position - a.position)});
    }
    return way;
}

TEST(FsnhRetarget, SmallMovementsStaySmall) {
    constexpr int kSteps = 400;
    for (const Hand hand : kBothHands) {
        const JointPoses open = reference_pose(hand, "flat").joint_in_wrist;
        const JointPoses closed = reference_pose(hand, "fist").joint_in_wrist;
        for (const bool scrambled : {false, true}) {  // true: the orientations are made from the positions
            FsnhRetarget retarget(hand, kTemplateSizeMm);
            HandSample before{};
            std::int64_t now_ns = 0;
            for (int step = 0; step <= kSteps; ++step, now_ns += kFrameNs) {
                SenderHand joints = to_sender(hand, between(open, closed, static_cast<float>(step) / kSteps));
                for (std::size_t i = 1; scrambled && i < joints.size(); ++i) {
                    const auto number = static_cast<double>(i);
                    joints[i].rotation = matrix_of(from_euler_degrees(70 * number * number, 0, 100 * number));
                }
                if (step == 0) {
                    now_ns = show_in_motion(retarget, wrist_message({.hand = hand}, joints));
                }
                HandSample now{};
                retarget.retarget(wrist_message({.hand = hand}, joints), now_ns, now);
                ASSERT_EQ(retarget.axes().verdict(), scrambled ? AxisVerdict::rebuilt : AxisVerdict::documented);
                for (std::size_t joint = 0; step > 0 && joint < kJointCount; ++joint) {
                    const XrPosef& a = before.joint_in_wrist[joint];
                    const XrPosef& b = now.joint_in_wrist[joint];
                    EXPECT_LT(millimetres_between(a.position, b.position), 1) << name_of(hand) << " joint " << joint;
                    EXPECT_LT(degrees_between(a.orientation, b.orientation), 2)
                        << name_of(hand) << (scrambled ? " rebuilt" : "") << " joint " << joint << " step " << step;
                }
                before = now;
            }
        }
    }
}

TEST(FsnhRetarget, ATipTurnedFarOffItsBoneTakesTheTurnOfTheBone) {
    for (const Hand hand : kBothHands) {
        const JointPoses& pose = reference_pose(hand, "relax").joint_in_wrist;
        for (const double off : {0.0, 25.0, -25.0, 40.0, -40.0, 170.0}) {
            SenderHand joints = to_sender(hand, pose);
            for (const std::size_t tip : {4u, 8u, 12u, 16u, 20u}) {
                joints[tip].rotation = joints[tip - 1].rotation * turn_about_x(off);
            }
            const HandSample sample = read(wrist_message({.hand = hand}, joints));
            for (const std::size_t tip :
                 {XR_HAND_JOINT_THUMB_TIP_EXT, XR_HAND_JOINT_INDEX_TIP_EXT, XR_HAND_JOINT_MIDDLE_TIP_EXT,
                  XR_HAND_JOINT_RING_TIP_EXT, XR_HAND_JOINT_LITTLE_TIP_EXT}) {
                const double found =
                    degrees_between(sample.joint_in_wrist[tip].orientation, sample.joint_in_wrist[tip - 1].orientation);
                EXPECT_NEAR(found, std::abs(off) < 30 ? std::abs(off) : 0, 0.01) << name_of(hand) << " tip " << tip;
            }
        }
    }
}

TEST(FsnhRetarget, NothingThatDecodesMakesAnUnusableHand) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> anywhere(-2, 2);
    std::uniform_int_distribution<int> kind(0, 3);
    std::normal_distribution<float> part;
    for (const Hand hand : kBothHands) {
        const JointPoses flat = reference_pose(hand, "flat").joint_in_wrist;
        for (int round = 0; round < 3000; ++round) {
            SenderHand joints = to_sender(hand, flat);
            for (SenderJoint& joint : joints) {
                switch (kind(random)) {
                    case 0:
                        joint.position = {anywhere(random), anywhere(random), anywhere(random)};
                        break;
                    case 1:
                        joint.position = {0, 0, 0};
                        break;
                    case 2:
                        joint.position = joints[0].position;
                        break;
                    default:
                        break;
                }
                if (kind(random) != 0) {
                    joint.rotation = matrix_of({part(random), part(random), part(random), part(random)});
                }
            }
            expect_usable(read(wrist_message({.hand = hand}, joints)));
        }
    }
}

TEST(FsnhRetarget, AHandWithoutSizeOrInOneLineIsStillUsable) {
    for (const Hand hand : kBothHands) {
        // First a hand that calls for each of the three ways, then nothing, then all joints along one axis.
        const SenderHand usual = to_sender(hand, reference_pose(hand, "relax").joint_in_wrist);
        for (const double turn : {0.0, 90.0, 45.0}) {
            FsnhRetarget retarget(hand, kTemplateSizeMm);
            HandSample sample{};
            SenderHand joints = usual;
            for (SenderJoint& joint : joints) {
                joint.rotation = joint.rotation * turn_about_x(turn);
            }
            const std::int64_t now_ns = show_in_motion(retarget, wrist_message({.hand = hand}, joints));
            retarget.retarget(wrist_message({.hand = hand}, joints), now_ns, sample);
            expect_usable(sample);
            for (std::size_t axis = 0; axis < 4; ++axis) {
                for (std::size_t i = 0; i < joints.size(); ++i) {
                    joints[i].position = {0, 0, 0};
                    if (axis < 3) {
                        joints[i].position[axis] = 0.01 * static_cast<double>(i);
                    }
                }
                retarget.retarget(wrist_message({.hand = hand}, joints), now_ns, sample);
                expect_usable(sample);
            }
        }
    }
}

TEST(HandModel, EveryRadiusIsThatOfAFingerOrAWrist) {
    for (const float radius : kRadiusM) {
        EXPECT_GT(radius, 0.004f);
        EXPECT_LT(radius, 0.03f);
    }
    // Fingers taper, and so does the table as long as its rows are in the order of XrHandJointEXT.
    for (const std::size_t first :
         {XR_HAND_JOINT_THUMB_METACARPAL_EXT, XR_HAND_JOINT_INDEX_METACARPAL_EXT, XR_HAND_JOINT_MIDDLE_METACARPAL_EXT,
          XR_HAND_JOINT_RING_METACARPAL_EXT, XR_HAND_JOINT_LITTLE_METACARPAL_EXT}) {
        const std::size_t count = first == XR_HAND_JOINT_THUMB_METACARPAL_EXT ? 4 : 5;
        for (std::size_t joint = first + 1; joint < first + count; ++joint) {
            EXPECT_LT(kRadiusM[joint], kRadiusM[joint - 1]) << joint;
        }
    }
}

}  // namespace
}  // namespace glove
