// SPDX-License-Identifier: Apache-2.0
// Measured hands as Hand Engine would send them, through loader and layer back into joints. The rotations that are sent
// come from 3x3 matrices and liblo: no arithmetic of the layer.
// Not covered: Hand Engine itself. That its hand is the rig of these tests is inferred (layer/README.md, "Hand
// Engine").
#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <thread>

#include "hand/hand_engine_rig.hpp"
#include "hand/moving_hand.hpp"
#include "hand/near.hpp"
#include "openxr/stream_fixture.hpp"
#include "recordings.hpp"
#include "support/calibration_file.hpp"
#include "udp_socket.hpp"

namespace glove::test {
namespace {

constexpr double kMostDegrees = 0.2;
constexpr double kMostMm = 0.1;

// A hand of the usual size: bones from the wrist's side to the tip, millimetres. Thumb, index, middle, ring, little.
constexpr std::array<std::array<double, 4>, 5> kBonesMm{
    {{40, 32, 20, 0}, {60, 40, 24, 17}, {62, 44, 27, 18}, {55, 40, 25, 18}, {48, 32, 19, 16}}};
constexpr std::array<Row, 5> kLeftBasesMm{
    {{25, -16, -31}, {12.4, -6.0, -31.5}, {1.9, -4.5, -30.3}, {-9.6, -3.4, -28.8}, {-20.7, -5.0, -28.5}}};

constexpr std::array<std::size_t, 5> kFirstJoint{XR_HAND_JOINT_THUMB_METACARPAL_EXT, XR_HAND_JOINT_INDEX_METACARPAL_EXT,
                                                 XR_HAND_JOINT_MIDDLE_METACARPAL_EXT, XR_HAND_JOINT_RING_METACARPAL_EXT,
                                                 XR_HAND_JOINT_LITTLE_METACARPAL_EXT};

// Every bone of its length, along the -Z of its joint, from where the hand begins.
void expect_template_bones(Hand hand, const JointPoses& joints) {
    for (std::size_t finger = 0; finger < kFirstJoint.size(); ++finger) {
        Row at = kLeftBasesMm[finger];
        at[0] *= hand == Hand::left ? 1 : -1;
        const std::size_t bones = finger == 0 ? 3 : 4;
        for (std::size_t bone = 0; bone <= bones; ++bone) {
            const XrPosef& joint = joints[kFirstJoint[finger] + bone];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                // To a tenth of a millimetre; the bases are written down to that.
                EXPECT_NEAR(1000 * row_of(joint.position)[axis], at[axis], bone == 0 ? kMostMm : 2 * kMostMm)
                    << "finger " << finger << " bone " << bone;
            }
            if (bone < bones) {
                const Row along = matrix_of(joint.orientation) * Row{0, 0, -kBonesMm[finger][bone]};
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    at[axis] = 1000 * row_of(joint.position)[axis] + along[axis];
                }
            }
        }
        // The tip points where its bone does.
        EXPECT_LT(degrees_between(joints[kFirstJoint[finger] + bones].orientation,
                                  joints[kFirstJoint[finger] + bones - 1].orientation),
                  kMostDegrees);
    }
}

// The greatest difference between an orientation that was sent and the joint's, degrees.
double worst_turn(const JointPoses& actual, const JointPoses& sent) {
    double worst = 0;
    for (std::size_t finger = 0; finger < kFirstJoint.size(); ++finger) {
        for (std::size_t bone = 0; bone < (finger == 0 ? 3u : 4u); ++bone) {
            const std::size_t joint = kFirstJoint[finger] + bone;
            worst = std::max(worst, degrees_between(actual[joint].orientation, sent[joint].orientation));
        }
    }
    return worst;
}

class HandEngine : public StreamTest {
protected:
    // For tests that are not about time: a machine that pauses takes no hand away.
    static constexpr char kPatient[] = "[age]\ntracked_ms = 10000\nvalid_ms = 60000\n";
    void begin_hand_engine(const std::string& settings = "", const std::string& others = kPatient) {
        begin("[hand_engine]\nport = " + std::to_string(hand_engine_port()) + '\n' + settings + '\n' + others);
        for (const Hand hand : kBothHands) {
            timecode_[index_of(hand)] = 100'000'000;
            samples_[index_of(hand)] = 0;
        }
    }

    // The five messages of the next sample, in any order.
    void send_hand(Hand hand, const JointPoses& joints, const Rig& rig = {}) {
        const Orientations orientations = orientations_of(joints);
        std::array<std::size_t, 5> fingers{0, 1, 2, 3, 4};
        std::shuffle(fingers.begin(), fingers.end(), random_);
        const std::int32_t timecode = ++timecode_[index_of(hand)];
        for (const std::size_t finger : fingers) {
            send(finger_message(rig, hand, finger, timecode, orientations), hand_engine_port());
        }
        ++samples_[index_of(hand)];
    }
    // Until the first datagram has found the port open.
    void send_first_hand(Hand hand, const JointPoses& joints, const Rig& rig = {}) {
        ASSERT_TRUE(wait_for([&] {
            send_hand(hand, joints, rig);
            return status(hand).samples > 0;
        })) << log_text();
        do {  // those sent meanwhile
            samples_[index_of(hand)] = status(hand).samples;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        } while (status(hand).samples != samples_[index_of(hand)]);
    }
    // What the layer makes of a sample.
    [[nodiscard]] Located through_the_layer(Hand hand, const JointPoses& joints, const Rig& rig = {}) {
        send_hand(hand, joints, rig);
        EXPECT_TRUE(has_samples(hand, samples_[index_of(hand)])) << log_text();
        const Located out = located(hand);
        EXPECT_TRUE(out.active);
        return out;
    }
    void send_status(Hand hand, bool calibrated, const std::string& glove = "SSG-0042") {
        const std::int32_t handedness = hand == Hand::left ? 1 : 2;
        OscEncoder encoder("/v1/performer/glove/status");
        encoder.i(0)
            .i(handedness)
            .s("dongle")
            .s(glove)
            .i(handedness)
            .i(calibrated ? 1 : 0)
            .s("F")
            .s("Fidelity")
            .s("3.1");
        encoder.i(0).f(0.75).i(1).i(0);
        send(encoder.bytes(), hand_engine_port());
    }
    [[nodiscard]] std::size_t lines_with(const std::string& text) const {
        std::istringstream log(log_text());
        std::size_t lines = 0;
        for (std::string line; std::getline(log, line);) {
            lines += line.find(text) != std::string::npos ? 1 : 0;
        }
        return lines;
    }

    std::array<std::int32_t, 2> timecode_{};
    std::array<std::uint64_t, 2> samples_{};
    std::mt19937 random_{1};
};

// As a library that collects what it has to say sends it: a hand among much that is of no use here.
TEST_F(HandEngine, ABundleOfManyKilobytesIsTakenWhole) {
    begin_hand_engine();
    const Orientations orientations = orientations_of(reference_pose(Hand::left, "fist").joint_in_wrist);
    std::vector<Bytes> messages;
    for (int i = 0; i < 420; ++i) {
        OscEncoder other("/v1/other/" + std::to_string(i));
        messages.push_back(other.s(std::string(90, 'x')).bytes());
    }
    for (std::size_t finger = 0; finger < 5; ++finger) {
        messages.push_back(finger_message({}, Hand::left, finger, 7, orientations));
    }
    const Bytes bundle = osc_bundle(messages);
    ASSERT_GT(bundle.size(), 48'000u);
    EXPECT_TRUE(wait_for([&] {
        send(bundle, hand_engine_port());
        return status(Hand::left).samples > 0;
    })) << log_text();
    EXPECT_EQ(lines_with("/v1/other/"), 1u) << "what is of no use is said once";
}

TEST_F(HandEngine, EveryReferencePoseComesBackAsItWasSent) {
    begin_hand_engine();
    for (const ReferencePose& pose : reference_poses()) {
        SCOPED_TRACE(pose.name);
        if (samples_[index_of(pose.hand)] == 0) {
            send_first_hand(pose.hand, pose.joint_in_wrist);
        }
        const Located hand = through_the_layer(pose.hand, pose.joint_in_wrist);
        EXPECT_LT(worst_turn(hand.joint_in_wrist, pose.joint_in_wrist), kMostDegrees);
        expect_template_bones(pose.hand, hand.joint_in_wrist);
        for (const XrSpaceLocationFlags flags : hand.flags) {
            EXPECT_EQ(flags & kTracked, kTracked);
        }
        if (pose.pose == "fist") {  // bent to the palm's side, on both hands
            for (std::size_t finger = 1; finger < kFirstJoint.size(); ++finger) {
                const XrPosef& knuckle = hand.joint_in_wrist[kFirstJoint[finger] + 1];
                const XrVector3f& distal = hand.joint_in_wrist[kFirstJoint[finger] + 3].position;
                const Row in_knuckle = transposed(matrix_of(knuckle.orientation)) * from_to(knuckle.position, distal);
                EXPECT_LT(in_knuckle[1], -0.01);
            }
        }
    }
    EXPECT_EQ(status(Hand::left).source, std::string("hand_engine"));
}

class MovingHandEngine : public HandEngine, public testing::WithParamInterface<Motion> {
protected:
    void SetUp() override {
        hands_ = moving_hands(GetParam());
        if (hands_.empty()) {
            GTEST_SKIP() << kNoRecording;
        }
        HandEngine::SetUp();
    }
    void TearDown() override {
        if (!hands_.empty()) {
            HandEngine::TearDown();
        }
    }
    std::vector<MovingHand> hands_;
};
INSTANTIATE_TEST_SUITE_P(Motion, MovingHandEngine, testing::ValuesIn(kMotions), name_of_motion);

TEST_P(MovingHandEngine, AWholeMotionComesBackAsItWasSent) {
    begin_hand_engine();
    double worst = 0;
    std::size_t frames = 0;
    for (const MovingHand& motion : hands_) {
        SCOPED_TRACE(motion.name + ' ' + name_of(motion.hand));
        send_first_hand(motion.hand, motion.frames.front().joint_in_wrist);
        for (const HandFrame& frame : motion.frames) {
            const Located hand = through_the_layer(motion.hand, frame.joint_in_wrist);
            const double turn = worst_turn(hand.joint_in_wrist, frame.joint_in_wrist);
            ASSERT_LT(turn, kMostDegrees) << "frame " << frames;
            worst = std::max(worst, turn);
            if (frames++ % 50 == 0) {
                expect_template_bones(motion.hand, hand.joint_in_wrist);
            }
        }
    }
    std::printf("%zu frames, worst orientation %.4f deg\n", frames, worst);
    EXPECT_EQ(lines_with("the rig's axes are \"unity-wave\""), 2u) << log_text();
    EXPECT_EQ(lines_with("mirror-x"), 0u) << log_text();
}

TEST_P(MovingHandEngine, TheOtherRigIsSeenWithinFiveSecondsAndRemembered) {
    constexpr Rig mirrored{kMirrorXRig, true, {0, 0, 0, 1}};
    begin_hand_engine();
    for (const MovingHand& motion : hands_) {
        SCOPED_TRACE(motion.name + ' ' + name_of(motion.hand));
        send_first_hand(motion.hand, motion.frames.front().joint_in_wrist, mirrored);
        const std::int64_t start_ns = motion.frames.front().time_ns;
        std::int64_t right_since_ns = start_ns;
        for (const HandFrame& frame : motion.frames) {
            const Located hand = through_the_layer(motion.hand, frame.joint_in_wrist, mirrored);
            if (worst_turn(hand.joint_in_wrist, frame.joint_in_wrist) > kMostDegrees) {
                right_since_ns = frame.time_ns;
            }
        }
        std::printf("%s: right after %.2f s\n", name_of(motion.hand), double(right_since_ns - start_ns) * 1e-9);
        EXPECT_GT(right_since_ns, start_ns) << "nothing had to be found out";
        EXPECT_LE(right_since_ns - start_ns, 5'000'000'000);
    }
    EXPECT_EQ(lines_with("the rig's axes are \"mirror-x\""), 2u) << log_text();

    // The next program knows it from the first sample on.
    destroy_instance();
    begin_hand_engine();
    for (const MovingHand& motion : hands_) {
        const JointPoses& joints = motion.frames[motion.frames.size() / 2].joint_in_wrist;
        send_first_hand(motion.hand, joints, mirrored);
        EXPECT_LT(worst_turn(located(motion.hand).joint_in_wrist, joints), kMostDegrees);
    }
}

TEST_F(HandEngine, AStillHandNeverChangesTheRig) {
    std::normal_distribution<double> noise(0, 0.3 * std::numbers::pi / 180);
    for (const Rig& rig : {Rig{}, Rig{kMirrorXRig, true, {0, 0, 0, 1}}}) {
        begin_hand_engine();
        const JointPoses fist = reference_pose(Hand::left, "fist").joint_in_wrist;
        send_first_hand(Hand::left, fist, rig);
        const JointPoses first = located(Hand::left).joint_in_wrist;
        for (int i = 0; i < 600; ++i) {
            JointPoses trembling = fist;
            for (XrPosef& joint : trembling) {
                joint.orientation.x += static_cast<float>(noise(random_) / 2);
                joint.orientation.y += static_cast<float>(noise(random_) / 2);
                joint.orientation.z += static_cast<float>(noise(random_) / 2);
                const XrQuaternionf& q = joint.orientation;
                const float norm = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
                joint.orientation = {q.x / norm, q.y / norm, q.z / norm, q.w / norm};
            }
            const Located hand = through_the_layer(Hand::left, trembling, rig);
            ASSERT_LT(worst_turn(hand.joint_in_wrist, first), 5) << i;
        }
        EXPECT_EQ(lines_with("the rig's axes"), 0u) << log_text();
        destroy_instance();
    }
}

TEST_F(HandEngine, AnUncalibratedGloveIsValidAndNotTrackedAndSaidOnce) {
    begin_hand_engine();
    const JointPoses flat = reference_pose(Hand::right, "flat").joint_in_wrist;
    send_first_hand(Hand::right, flat);
    EXPECT_EQ(located(Hand::right).flags[XR_HAND_JOINT_INDEX_TIP_EXT] & kTracked, kTracked);
    for (int i = 0; i < 20; ++i) {
        send_status(Hand::right, false);
        const Located hand = through_the_layer(Hand::right, flat);
        for (const XrSpaceLocationFlags flags : hand.flags) {
            EXPECT_EQ(flags & kTracked, 0u);
        }
    }
    EXPECT_EQ(lines_with("not calibrated"), 1u) << log_text();
    send_status(Hand::right, true);
    EXPECT_EQ(through_the_layer(Hand::right, flat).flags[XR_HAND_JOINT_INDEX_TIP_EXT] & kTracked, kTracked);
}

TEST_F(HandEngine, MessagesOfAnotherFormAreNamedOnceAndHarmNothing) {
    begin_hand_engine();
    const JointPoses flat = reference_pose(Hand::left, "flat").joint_in_wrist;
    send_first_hand(Hand::left, flat);
    for (int i = 0; i < 10; ++i) {
        send(OscEncoder("/v1/animation/0/1/Index/rotation").i(1).f(0).bytes(), hand_engine_port());
        send(OscEncoder("/v1/animation/0/1/Ring\x01/rotation").i(1).bytes(), hand_engine_port());
        send(OscEncoder("/command/port/status").i(1).bytes(), hand_engine_port());
        send(std::vector<std::byte>(40, std::byte{0xFF}), hand_engine_port());
    }
    EXPECT_LT(worst_turn(through_the_layer(Hand::left, flat).joint_in_wrist, flat), kMostDegrees);
    EXPECT_EQ(lines_with("\"/v1/animation/0/1/Index/rotation\""), 1u) << log_text();
    EXPECT_EQ(lines_with("not usable OSC"), 1u) << log_text();
    EXPECT_EQ(lines_with("command/port/status"), 0u) << log_text();
}

// Five fingers, each bent by as much as the timecode says: fingers that are tracked together must be bent alike.
TEST_F(HandEngine, NeverJoinsFingersOfTwoSamplesHoweverTheyArrive) {
    begin_hand_engine();
    const JointPoses flat = reference_pose(Hand::left, "flat").joint_in_wrist;
    send_first_hand(Hand::left, flat);
    const std::uint64_t before = status(Hand::left).samples;
    const auto bent = [](int step) { return 40 + 30 * std::sin(0.15 * step); };

    std::atomic<bool> done{false};
    std::thread sender([&] {
        std::vector<std::vector<std::byte>> waiting;
        std::mt19937 random(7);
        for (int step = 0; step < 600; ++step) {
            const double angle = bent(step) * std::numbers::pi / 360;
            const Turn hinge{std::sin(angle), 0, 0, std::cos(angle)};
            for (std::size_t finger = 0; finger < 5; ++finger) {
                if (random() % 5 == 0) {
                    continue;  // lost
                }
                waiting.push_back(finger_message(Hand::left, finger, 200'000'000 + step, true,
                                                 {{0, 0, 0, 1}, {0, 0, 0, 1}, hinge, hinge}));
                if (random() % 10 == 0) {
                    waiting.push_back(waiting.back());
                }
            }
            std::shuffle(waiting.begin(), waiting.end(), random);
            while (waiting.size() > 4) {  // the rest is mixed with what comes next
                send(waiting.back(), hand_engine_port());
                waiting.pop_back();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        done = true;
    });
    ASSERT_TRUE(has_samples(Hand::left, before + 1));
    int looks = 0;
    int looks_at_several = 0;
    while (!done) {
        const Located hand = located(Hand::left);
        double least = 1e9;
        double most = -1e9;
        int fingers = 0;
        for (std::size_t finger = 1; finger < 5; ++finger) {
            const std::size_t proximal = kFirstJoint[finger] + 1;
            if ((hand.flags[proximal] & kTracked) == 0) {
                continue;
            }
            const double bend = degrees_between(hand.joint_in_wrist[proximal].orientation,
                                                hand.joint_in_wrist[proximal + 1].orientation);
            least = std::min(least, bend);
            most = std::max(most, bend);
            ++fingers;
        }
        if (fingers > 1) {
            EXPECT_LT(most - least, 0.1) << "look " << looks;
            ++looks_at_several;
        }
        ++looks;
    }
    sender.join();
    EXPECT_GT(looks_at_several, 200) << "of " << looks;
    EXPECT_GT(status(Hand::left).samples, 300u);
}

TEST_F(HandEngine, JointsFromTheBetterStreamWinUntilTheyFallSilent) {
    begin_hand_engine("", "[age]\ntracked_ms = 100\nvalid_ms = 2000\n");  // longer than a busy machine pauses
    const ReferencePose flat = reference_pose(Hand::left, "flat");
    const ReferencePose fist = reference_pose(Hand::left, "fist");
    send_first_hand(Hand::left, flat.joint_in_wrist);
    EXPECT_EQ(status(Hand::left).source, std::string("hand_engine"));
    auto joints_sent = std::chrono::steady_clock::now();
    const auto source_while_both_send = [&] {
        joints_sent = std::chrono::steady_clock::now();
        send(fist);
        send_hand(Hand::left, flat.joint_in_wrist);
        return std::string(status(Hand::left).source);
    };
    ASSERT_TRUE(wait_for([&] { return source_while_both_send() == "fsnh"; }));
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(source_while_both_send(), "fsnh");
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(lines_with("hand_engine too"), 1u) << log_text();

    // The joints end: the other stream takes over when they have been silent, not before.
    ASSERT_TRUE(wait_for([&] {
        send_hand(Hand::left, flat.joint_in_wrist);
        return status(Hand::left).source == std::string("hand_engine");
    }));
    EXPECT_GE(std::chrono::steady_clock::now() - joints_sent, std::chrono::milliseconds(2000));
    EXPECT_TRUE(wait_for([&] {
        send_hand(Hand::left, flat.joint_in_wrist);
        return worst_turn(located(Hand::left).joint_in_wrist, flat.joint_in_wrist) < kMostDegrees;
    }));
}

TEST_F(HandEngine, APortThatIsTakenLeavesTheOtherStreamAlone) {
    const UdpSocket taken(hand_engine_port());
    begin_hand_engine();
    const ReferencePose fist = reference_pose(Hand::left, "fist");
    ASSERT_TRUE(wait_for([&] {
        send(fist);
        return located(Hand::left).active;
    }));
    // Another receiver's, so another thread's line.
    EXPECT_TRUE(wait_for([&] { return lines_with("port " + std::to_string(hand_engine_port())) > 0; })) << log_text();
}

}  // namespace
}  // namespace glove::test
