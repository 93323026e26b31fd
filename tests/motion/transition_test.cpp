// SPDX-License-Identifier: Apache-2.0
// From one hand to another, with measured hands and time as a number: against what a hand can do, and against
// differences of two instants. Not covered: who is asked for a hand, and several threads at once (tests/openxr).
#include "motion/transition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "hand/pose_math.hpp"
#include "motion/blend_length.hpp"
#include "reference_poses.hpp"

namespace glove {
namespace {

constexpr std::int64_t kBegun = 5'000'000'000;
constexpr std::int64_t kMs = 1'000'000;
constexpr std::size_t kPalm = XR_HAND_JOINT_PALM_EXT;
constexpr std::size_t kWrist = XR_HAND_JOINT_WRIST_EXT;
constexpr std::size_t kMetacarpal = XR_HAND_JOINT_MIDDLE_METACARPAL_EXT;
constexpr std::size_t kProximal = XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT;

using Locations = std::array<XrHandJointLocationEXT, kJointCount>;
using Velocities = std::array<XrHandJointVelocityEXT, kJointCount>;

// A left hand whose wrist is here, all of it as measured, with the palm where OpenXR has it.
JointPoses hand_at(const XrPosef& wrist, const char* pose) {
    static const JointPoses flat = test::reference_pose(Hand::left, "flat").joint_in_wrist;
    static const JointPoses fist = test::reference_pose(Hand::left, "fist").joint_in_wrist;
    JointPoses joints = pose == std::string_view("flat") ? flat : fist;
    for (XrPosef& joint : joints) {
        joint = compose(wrist, joint);
    }
    joints[kPalm] = {joints[kMetacarpal].orientation,
                     midpoint(joints[kMetacarpal].position, joints[kProximal].position)};
    return joints;
}

Locations located(const JointPoses& joints) {
    Locations locations{};
    for (std::size_t i = 0; i < kJointCount; ++i) {
        locations[i] = {0xF, joints[i], 0.01f};
    }
    return locations;
}

JointPoses shown_at(const HandBlend& blend, const JointPoses& source, std::int64_t now_ns) {
    Locations locations = located(source);
    apply(blend, now_ns, locations.data(), nullptr);
    JointPoses shown;
    std::transform(locations.begin(), locations.end(), shown.begin(), [](const auto& l) { return l.pose; });
    return shown;
}

// A source that flies, turns and closes its fingers all at once. `t` in seconds from the beginning of the blend.
JointPoses flying(double t) {
    const auto angle = static_cast<float>(2 * t);
    const XrPosef wrist{rotation_about({0.6f, 0, 0.8f}, 0.3f + angle),
                        {0.2f + static_cast<float>(0.5 * t), 1.2f, -0.4f - static_cast<float>(0.3 * t)}};
    JointPoses open = hand_at(kIdentityPose, "flat");
    const JointPoses fist = hand_at(kIdentityPose, "fist");
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const auto closed = static_cast<float>(t / 0.3);
        open[i] = compose(wrist, {slerp(open[i].orientation, fist[i].orientation, closed),
                                  open[i].position + closed * (fist[i].position - open[i].position)});
    }
    open[kPalm] = {open[kMetacarpal].orientation, midpoint(open[kMetacarpal].position, open[kProximal].position)};
    return open;
}

// Where the hand was shown before.
JointPoses from() {
    return hand_at({normalised({0.5f, -0.5f, 0.1f, 0.7f}), {-0.1f, 1.3f, -0.3f}}, "fist");
}

void expect_same(const JointPoses& a, const JointPoses& b) {
    for (std::size_t i = 0; i < kJointCount; ++i) {
        EXPECT_LT(length(a[i].position - b[i].position), 2e-6f) << "joint " << i;
        EXPECT_LT(angle_between(a[i].orientation, b[i].orientation), 2e-3f) << "joint " << i;
    }
}

TEST(HandBlend, BeginsWhereTheHandWasShown) {
    const JointPoses source = flying(0);
    expect_same(shown_at(blend_from(from(), located(source).data(), kBegun), source, kBegun), from());
}

TEST(HandBlend, EndsExactlyAtTheSourceAndIsOverThen) {
    const JointPoses source = flying(0.1);
    const HandBlend blend = blend_from(from(), located(source).data(), kBegun);
    const std::int64_t end = kBegun + blend.length_ns;
    EXPECT_FALSE(is_over(blend, end - 1));
    EXPECT_TRUE(is_over(blend, end));
    expect_same(shown_at(blend, source, end - 1), source);
    const JointPoses after = shown_at(blend, source, end);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        EXPECT_EQ(after[i].position.x, source[i].position.x);
        EXPECT_EQ(after[i].orientation.w, source[i].orientation.w);
    }
}

TEST(HandBlend, HalfWayTheWristIsInTheMiddleAndEachJointOnItToo) {
    const JointPoses source = flying(0);
    const HandBlend blend = blend_from(from(), located(source).data(), kBegun);
    const JointPoses half = shown_at(blend, source, kBegun + blend.length_ns / 2);
    EXPECT_LT(length(half[kWrist].position - midpoint(from()[kWrist].position, source[kWrist].position)), 2e-6f);
    const auto on_wrist = [](const JointPoses& joints, std::size_t i) {
        return compose(inverse(joints[kWrist]), joints[i]);
    };
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrPosef is = on_wrist(half, i), was = on_wrist(from(), i), will_be = on_wrist(source, i);
        EXPECT_LT(length(is.position - midpoint(was.position, will_be.position)), 2e-6f);
        const float whole = angle_between(was.orientation, will_be.orientation);
        EXPECT_NEAR(angle_between(is.orientation, will_be.orientation), whole / 2, 2e-3f);
        EXPECT_NEAR(angle_between(is.orientation, was.orientation), whole / 2, 2e-3f);
    }
}

// A hand that is turned over stays a hand: straight ways of its joints would lead them through each other.
TEST(HandBlend, AHandThatTurnsKeepsItsBones) {
    const JointPoses source = hand_at({rotation_about({0, 0, 1}, 3), {0.2f, 1.1f, -0.4f}}, "flat");
    const JointPoses shown = hand_at({kNoRotation, {0, 1.2f, -0.4f}}, "flat");
    const HandBlend blend = blend_from(shown, located(source).data(), kBegun);
    const JointPoses half = shown_at(blend, source, kBegun + blend.length_ns / 2);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        EXPECT_NEAR(length(half[i].position - half[kWrist].position),
                    length(source[i].position - source[kWrist].position), 1e-5f)
            << "joint " << i;
    }
}

TEST(HandBlend, TakesAtLeast150Milliseconds) {
    const JointPoses source = hand_at(kIdentityPose, "flat");
    JointPoses near = source;
    near[kWrist].position.x += 0.01f;
    EXPECT_EQ(blend_from(near, located(source).data(), kBegun).length_ns, 150 * kMs);
}

// 13.3 mm in a frame of 90 Hz, of 20 that a hand does in earnest.
TEST(HandBlend, LeadsNoJointFasterThan1200MillimetresPerSecond) {
    const JointPoses source = hand_at({rotation_about({0, 1, 0}, 1), {1.5f, 0.5f, -0.4f}}, "flat");
    const HandBlend blend = blend_from(from(), located(source).data(), kBegun);
    constexpr std::int64_t kFrame = 11'111'111;
    double fastest = 0;
    JointPoses before = from();
    for (std::int64_t at = kFrame; at < blend.length_ns + 2 * kFrame; at += kFrame) {
        const JointPoses now = shown_at(blend, source, kBegun + at);
        for (std::size_t i = 0; i < kJointCount; ++i) {
            fastest = std::max(fastest, static_cast<double>(length(now[i].position - before[i].position)) / 0.0111111);
        }
        before = now;
    }
    EXPECT_LT(fastest, 1.21);
    EXPECT_GT(fastest, 1.15);  // and does not take longer than it has to
}

// Half a metre from its source a hand may close, and its bones keep their length: what is left of the way is the whole
// hand's, and does not turn with each finger's own joints.
TEST(HandBlend, FingersThatCloseOnTheWayDoNotStretch) {
    const XrPosef there{kNoRotation, {0.6f, 1.2f, -0.3f}};
    const XrPosef here{kNoRotation, {0.1f, 1.2f, -0.3f}};
    const JointPoses flat = hand_at(there, "flat");
    const HandBlend blend = blend_from(hand_at(here, "flat"), located(flat).data(), kBegun);
    const JointPoses fist = hand_at(there, "fist");
    const JointPoses shown = shown_at(blend, fist, kBegun + blend.length_ns / 2);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrVector3f from_wrist = shown[i].position - shown[kWrist].position;
        EXPECT_LT(length(from_wrist - (fist[i].position - fist[kWrist].position)), 1e-4f) << "joint " << i;
    }
}

TEST(HandBlend, VelocitiesAreWhatDifferencesSay) {
    const HandBlend blend = blend_from(from(), located(flying(0)).data(), kBegun);
    constexpr double kStep = 0.002;  // s
    for (const double t : {0.03, 0.1, 0.2}) {
        ASSERT_LT(t + kStep, 1e-9 * static_cast<double>(blend.length_ns));
        const auto ns = [](double seconds) { return kBegun + static_cast<std::int64_t>(seconds * 1e9); };
        const auto per_second = static_cast<float>(0.5 / kStep);
        const auto rate_of = [&](const JointPoses& before, const JointPoses& after, std::size_t i) {
            return XrHandJointVelocityEXT{
                0x3, per_second * (after[i].position - before[i].position),
                per_second * rotation_vector(multiply(after[i].orientation, conjugate(before[i].orientation)))};
        };
        const JointPoses source_before = flying(t - kStep), source_after = flying(t + kStep);
        const JointPoses before = shown_at(blend, source_before, ns(t - kStep));
        const JointPoses after = shown_at(blend, source_after, ns(t + kStep));
        Locations locations = located(flying(t));
        Velocities velocities{};
        for (std::size_t i = 0; i < kJointCount; ++i) {
            velocities[i] = rate_of(source_before, source_after, i);
        }
        apply(blend, ns(t), locations.data(), velocities.data());
        for (std::size_t i = 0; i < kJointCount; ++i) {
            const XrHandJointVelocityEXT wanted = rate_of(before, after, i);
            // Of a motion of 1 m/s and 10 rad/s.
            EXPECT_LT(length(velocities[i].linearVelocity - wanted.linearVelocity), 0.01f) << "joint " << i;
            EXPECT_LT(length(velocities[i].angularVelocity - wanted.angularVelocity), 0.25f) << "joint " << i;
            EXPECT_EQ(velocities[i].velocityFlags, 0x3u);
        }
    }
}

TEST(HandBlend, ThePalmStaysInTheMiddle) {
    const HandBlend blend = blend_from(from(), located(flying(0)).data(), kBegun);
    for (double t = 0; t < 0.3; t += 0.01) {
        const JointPoses shown = shown_at(blend, flying(t), kBegun + static_cast<std::int64_t>(t * 1e9));
        EXPECT_LT(length(shown[kPalm].position - midpoint(shown[kMetacarpal].position, shown[kProximal].position)),
                  1e-6f);
        EXPECT_LT(angle_between(shown[kPalm].orientation, shown[kMetacarpal].orientation), 2e-3f);
    }
}

// Not every runtime has its palm there: it must not jump at either end.
TEST(HandBlend, APalmThatIsElsewhereIsLedLikeAnyJoint) {
    JointPoses source = flying(0);
    source[kPalm].position.y += 0.015f;
    const HandBlend blend = blend_from(from(), located(source).data(), kBegun);
    const std::int64_t end = kBegun + blend.length_ns;
    EXPECT_LT(length(shown_at(blend, source, kBegun)[kPalm].position - from()[kPalm].position), 2e-6f);
    EXPECT_LT(length(shown_at(blend, source, end - 1)[kPalm].position - source[kPalm].position), 2e-6f);
}

TEST(HandBlend, ChangesNothingBeforeItsBeginning) {
    const JointPoses source = flying(0);
    const HandBlend blend = blend_from(from(), located(source).data(), kBegun);
    expect_same(shown_at(blend, source, kBegun - 1), source);
}

// A runtime may answer any number.
TEST(HandBlend, IsOverInTimeWhereverTheRuntimeHasTheHand) {
    const JointPoses source = hand_at(kIdentityPose, "flat");
    for (const float metres : {1e2f, 1e12f, 1e30f, std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        JointPoses shown = source;
        shown[kProximal].position.x = metres;
        const HandBlend blend = blend_from(shown, located(source).data(), kBegun);
        EXPECT_GE(blend.length_ns, kShortestBlendNs) << metres;
        EXPECT_LE(blend.length_ns, kLongestBlendNs) << metres;
        EXPECT_TRUE(is_over(blend, kBegun + kLongestBlendNs)) << metres;
    }
}

// A tracker's calls, at 90 Hz, in one base space or several. What it is asked to show is `source`, at `wrist`.
class TransitionTest : public testing::Test {
protected:
    static constexpr std::int64_t kFrameNs = 11'111'111;
    static constexpr std::uint64_t kRoom = 7;
    static constexpr std::uint64_t kOther = 8;
    static constexpr int kGlove = 1;
    static constexpr int kController = 2;

    JointPoses show(int source, const XrPosef& wrist, bool held = false, std::uint64_t space = kRoom,
                    const Transition::SpaceChange& change = kIdentityPose) {
        now_ns_ += kFrameNs;
        Locations locations = located(hand_at(wrist, source == kGlove ? "flat" : "fist"));
        RootMotion root{};
        root.in_base = wrist;
        transition_.follow(source, held, {space, now_ns_, now_ns_}, change, &root, locations.data(), nullptr);
        JointPoses shown;
        std::transform(locations.begin(), locations.end(), shown.begin(), [](const auto& l) { return l.pose; });
        return shown;
    }
    // How far any joint goes from one frame to the next.
    static float step(const JointPoses& a, const JointPoses& b) {
        float furthest = 0;
        for (std::size_t i = 0; i < kJointCount; ++i) {
            furthest = std::max(furthest, length(a[i].position - b[i].position));
        }
        return furthest;
    }

    static constexpr float kFastestStep = 1.21f * 0.0111112f;
    static constexpr XrPosef kHere{{0, 0, 0, 1}, {0, 1.2f, -0.4f}};
    static constexpr XrPosef kThere{{0, 0, 0.6f, 0.8f}, {0.3f, 1.0f, -0.5f}};
    Transition transition_;
    std::int64_t now_ns_ = kBegun;
};

TEST_F(TransitionTest, AHandThatWasNowhereAppearsWhereItIs) {
    expect_same(show(kGlove, kHere), hand_at(kHere, "flat"));
    transition_.nothing();
    expect_same(show(kController, kThere), hand_at(kThere, "fist"));
}

TEST_F(TransitionTest, AHandThatWasNotShownFor200MillisecondsComesFromNowhere) {
    show(kGlove, kHere);
    now_ns_ += PoseMemory::kForgottenAfterNs;
    expect_same(show(kController, kThere), hand_at(kThere, "fist"));
}

TEST_F(TransitionTest, AnotherSourceIsReachedWithoutAJumpAndThenShownAsItIs) {
    JointPoses before = show(kGlove, kHere);
    for (int frame = 0; frame < 90; ++frame) {
        const JointPoses now = show(kController, kThere);
        EXPECT_LT(step(before, now), kFastestStep) << frame;
        before = now;
    }
    expect_same(before, hand_at(kThere, "fist"));
}

TEST_F(TransitionTest, InTheMiddleOfAChangeTheHandGoesOnFromWhereItIs) {
    JointPoses before = show(kGlove, kHere);
    for (int frame = 0; frame < 120; ++frame) {
        const JointPoses now = frame < 10 ? show(kController, kThere) : show(kGlove, kHere);
        EXPECT_LT(step(before, now), kFastestStep) << frame;
        before = now;
    }
    expect_same(before, hand_at(kHere, "flat"));
}

// Held, the wrist stays where it was shown; found again, the hand goes to where its source has it now.
TEST_F(TransitionTest, AHandThatWasHeldGoesOnFromThere) {
    JointPoses before = show(kGlove, kHere);
    for (int frame = 0; frame < 10; ++frame) {
        PoseMemory::Wrist wrist;
        ASSERT_TRUE(transition_.shown_wrist({kRoom, now_ns_, now_ns_}, wrist));
        expect_same(before, show(kGlove, wrist.pose, true));
    }
    for (int frame = 0; frame < 90; ++frame) {
        const JointPoses now = show(kGlove, kThere);
        EXPECT_LT(step(before, now), kFastestStep) << frame;
        before = now;
    }
    expect_same(before, hand_at(kThere, "flat"));
}

TEST_F(TransitionTest, AHandThatIsLostOnItsWayStaysThere) {
    show(kGlove, kHere);
    JointPoses before{};
    for (int frame = 0; frame < 10; ++frame) {
        before = show(kController, kThere);
    }
    for (int frame = 0; frame < 30; ++frame) {
        PoseMemory::Wrist wrist;
        ASSERT_TRUE(transition_.shown_wrist({kRoom, now_ns_, now_ns_}, wrist));
        const JointPoses now = show(kController, wrist.pose, true);
        EXPECT_LT(length(now[kWrist].position - before[kWrist].position), 1e-5f) << frame;
        EXPECT_LT(step(before, now), kFastestStep) << frame;
        before = now;
    }
}

TEST_F(TransitionTest, AChangeThatIsSeenFirstInASpaceThatTheHandWasNotShownInBeginsInTheOther) {
    JointPoses before = show(kGlove, kHere);
    expect_same(show(kController, kThere, false, kOther), hand_at(kThere, "fist"));
    for (int frame = 0; frame < 90; ++frame) {
        const JointPoses now = show(kController, kThere);
        EXPECT_LT(step(before, now), kFastestStep) << frame;
        before = now;
    }
}

// The room is recentred in the frame of the change: what was shown stays where it is in the room.
TEST_F(TransitionTest, AWayThatBeginsWithARecentringBeginsAtTheSamePlaceInTheRoom) {
    const XrPosef moved{rotation_about({0, 1, 0}, 1), {0.5f, 0, 0.2f}};  // the old space in the new
    const JointPoses before = show(kGlove, kHere);
    const JointPoses now = show(kController, kThere, false, kRoom, moved);
    JointPoses in_new;
    std::transform(before.begin(), before.end(), in_new.begin(), [&](const XrPosef& p) { return compose(moved, p); });
    EXPECT_LT(step(in_new, now), kFastestStep);
}

TEST_F(TransitionTest, AHandComesFromNowhereWhereNobodySaysHowFarTheSpaceMoved) {
    show(kGlove, kHere);
    expect_same(show(kController, kThere, false, kRoom, std::nullopt), hand_at(kThere, "fist"));
}

TEST_F(TransitionTest, DerivesAVelocityWhereTheRuntimeSaysNone) {
    const auto at = [](float metres) { return XrPosef{kNoRotation, {metres, 1.2f, -0.4f}}; };
    show(kGlove, at(0));
    const Instant now{kRoom, now_ns_ + kFrameNs, now_ns_ + kFrameNs};
    RootMotion root{};
    root.in_base = at(0.011111111f);
    transition_.derive_velocity(kGlove, now, kIdentityPose, root);
    EXPECT_TRUE(root.velocity_known);
    EXPECT_NEAR(root.velocity.linear.x, 1.0f, 1e-3f);
    // A space that moved is no motion of the hand.
    RootMotion still{};
    still.in_base = at(0.3f);
    transition_.derive_velocity(kGlove, now, XrPosef{kNoRotation, {0.3f, 0, 0}}, still);
    EXPECT_LT(length(still.velocity.linear), 1e-3f);
    // Nor is another source's place.
    RootMotion other{};
    other.in_base = at(0.5f);
    transition_.derive_velocity(kController, now, kIdentityPose, other);
    EXPECT_LT(length(other.velocity.linear), 1e-3f);
}

}  // namespace
}  // namespace glove
