// SPDX-License-Identifier: Apache-2.0
// Measured hands as Hand Engine would send them, from bytes through OSC, addresses and assembly to the 26 joints.
// Not here: the layer and the loader around it. That the real rig has these axes is inferred from public files, as no
// recording of Hand Engine is public.
#include "hand/hand_engine/bone_chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hand_engine_rig.hpp"
#include "moving_hand.hpp"
#include "near.hpp"
#include "protocol/finger_assembly.hpp"
#include "protocol/hand_engine.hpp"
#include "protocol/osc.hpp"
#include "recordings.hpp"

namespace glove {
namespace {

using hand_engine::HandMessage;
using test::Bytes;
using test::Matrix;
using test::Orientations;
using test::ReferencePose;
using test::Rig;
using test::Turn;
using test::operator*;

constexpr std::int64_t kMs = 1'000'000;

// Template hand in millimetres, as an anatomist would list it: metacarpal, proximal, intermediate, distal.
constexpr std::array<std::array<double, 4>, 5> kLengthMm{
    {{40, 32, 0, 20}, {60, 40, 24, 17}, {62, 44, 27, 18}, {55, 40, 25, 18}, {48, 32, 19, 16}}};
// Where the metacarpals of the left hand begin.
constexpr std::array<std::array<float, 3>, 5> kBaseMm{{{25.0f, -16.0f, -31.0f},
                                                       {12.4f, -6.0f, -31.5f},
                                                       {1.9f, -4.5f, -30.3f},
                                                       {-9.6f, -3.4f, -28.8f},
                                                       {-20.7f, -5.0f, -28.5f}}};

class Receiver {
public:
    explicit Receiver(Hand hand, const BoneChainSettings& settings = {})
        : assembly_(hand, 500 * kMs), chain_(hand, settings) {}

    std::optional<HandSample> take(const Bytes& datagram) {
        std::optional<HandSample> out;
        osc::PacketReader packet(datagram);
        osc::Message message;
        while (packet.next(message)) {
            hand_engine::Message said;
            EXPECT_EQ(hand_engine::decode(message, said), hand_engine::DecodeError::none);
            std::optional<HandMessage> complete;
            if (const auto* rotation = std::get_if<hand_engine::FingerRotation>(&said)) {
                complete = assembly_.take(*rotation, now_ns_);
            } else if (const auto* sliders = std::get_if<hand_engine::Sliders>(&said)) {
                complete = assembly_.take(*sliders, now_ns_);
            }
            if (complete) {
                last_message_ = *complete;
                out.emplace();
                chain_.pose(*complete, *out);
            }
        }
        EXPECT_EQ(packet.error(), osc::DecodeError::none);
        return out;
    }

    // All five fingers of a sample, which is then complete.
    HandSample take(Hand hand, std::int32_t timecode, const Rig& rig, const Orientations& orientations) {
        std::optional<HandSample> out;
        for (std::size_t finger = 0; finger < 5; ++finger) {
            EXPECT_FALSE(out) << "complete before its last finger";
            out = take(test::finger_message(rig, hand, finger, timecode, orientations));
        }
        EXPECT_TRUE(out);
        return out.value_or(HandSample{});
    }

    void wait(std::int64_t ns) { now_ns_ += ns; }
    [[nodiscard]] BoneChain& chain() { return chain_; }
    [[nodiscard]] const HandMessage& last_message() const { return last_message_; }

private:
    hand_engine::FingerAssembly assembly_;
    BoneChain chain_;
    std::int64_t now_ns_ = 1'000 * kMs;
    HandMessage last_message_{};
};

HandSample receive_once(Hand hand, const BoneChainSettings& settings, const Rig& rig,
                        const Orientations& orientations) {
    return Receiver(hand, settings).take(hand, 1, rig, orientations);
}

BoneChainSettings with_axes(Axes axes) {
    BoneChainSettings settings;
    settings.axes = axes;
    return settings;
}

bool is_tip(std::size_t joint) {
    return joint == XR_HAND_JOINT_THUMB_TIP_EXT || joint == XR_HAND_JOINT_INDEX_TIP_EXT ||
           joint == XR_HAND_JOINT_MIDDLE_TIP_EXT || joint == XR_HAND_JOINT_RING_TIP_EXT ||
           joint == XR_HAND_JOINT_LITTLE_TIP_EXT;
}

// The largest error of any joint whose orientation was sent, degrees. Tips and palm take another joint's.
double worst_degrees(const HandSample& sample, const Orientations& sent, bool metacarpals = true) {
    double worst = 0;
    for (std::size_t finger = 0; finger < 5; ++finger) {
        const auto joints = test::joints_of(finger);
        for (std::size_t bone = metacarpals ? 0 : 1; bone < joints.size(); ++bone) {
            if (joints[bone] != XR_HAND_JOINT_COUNT_EXT) {
                const Matrix found = test::matrix_of(sample.joint_in_wrist[joints[bone]].orientation);
                worst = std::max(worst, test::degrees_between(found, sent[joints[bone]]));
            }
        }
    }
    return worst;
}

// Each bone has its length and lies along -Z of its joint; the base is the template's; tips, palm and wrist follow.
void expect_template_bones(const HandSample& sample, double scale = 1) {
    for (std::size_t finger = 0; finger < 5; ++finger) {
        std::size_t joint = test::joints_of(finger)[0];
        const auto& base = kBaseMm[finger];
        const auto factor = static_cast<float>(scale / 1000);
        const float side = sample.hand == Hand::left ? 1.0f : -1.0f;
        const XrVector3f expected{side * base[0] * factor, base[1] * factor, base[2] * factor};
        EXPECT_LT(test::millimetres_between(sample.joint_in_wrist[joint].position, expected), 0.1) << finger;
        for (const double length : kLengthMm[finger]) {
            if (length == 0) {
                continue;
            }
            const XrPosef& own = sample.joint_in_wrist[joint];
            const XrPosef& next = sample.joint_in_wrist[joint + 1];
            EXPECT_NEAR(test::millimetres_between(own.position, next.position), scale * length, 0.1) << joint;
            const test::Row bone = test::from_to(own.position, next.position);
            EXPECT_GT(-test::dot_product(test::unit(bone), test::axis_of(own.orientation, 2)), 0.9999) << joint;
            ++joint;
        }
        ASSERT_TRUE(is_tip(joint));
        EXPECT_LT(test::degrees_between(sample.joint_in_wrist[joint].orientation,
                                        sample.joint_in_wrist[joint - 1].orientation),
                  0.01);
    }
    const auto& palm = sample.joint_in_wrist[XR_HAND_JOINT_PALM_EXT];
    const auto& metacarpal = sample.joint_in_wrist[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT];
    const auto& knuckle = sample.joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT];
    EXPECT_NEAR(test::millimetres_between(palm.position, metacarpal.position), scale * 31, 0.1);
    EXPECT_NEAR(test::millimetres_between(palm.position, knuckle.position), scale * 31, 0.1);
    EXPECT_LT(test::degrees_between(palm.orientation, metacarpal.orientation), 0.01);
    EXPECT_EQ(sample.joint_in_wrist[XR_HAND_JOINT_WRIST_EXT].position.x, 0);
    EXPECT_EQ(sample.joint_in_wrist[XR_HAND_JOINT_WRIST_EXT].orientation.w, 1);
}

// Fingertips of a fist lie on the palm's side of the knuckles and back toward the wrist.
void expect_closed_toward_the_palm(const HandSample& sample) {
    for (std::size_t finger = 1; finger < 5; ++finger) {
        const auto joints = test::joints_of(finger);
        const XrVector3f& knuckle = sample.joint_in_wrist[joints[1]].position;
        const XrVector3f& distal = sample.joint_in_wrist[joints[3]].position;
        const XrVector3f& tip = sample.joint_in_wrist[joints[3] + 1].position;
        EXPECT_LT(distal.y, knuckle.y - 0.010f) << name_of(sample.hand) << finger;
        EXPECT_GT(tip.z, distal.z) << name_of(sample.hand) << finger;
    }
}

class MovingBoneChain : public testing::TestWithParam<test::Motion> {
protected:
    void SetUp() override {
        hands_ = test::moving_hands(GetParam());
        if (hands_.empty()) {
            GTEST_SKIP() << test::kNoRecording;
        }
    }
    std::vector<test::MovingHand> hands_;
};
INSTANTIATE_TEST_SUITE_P(Motion, MovingBoneChain, testing::ValuesIn(test::kMotions), test::name_of_motion);

TEST(BoneChain, GivesEveryMeasuredPoseBack) {
    for (const ReferencePose& pose : test::reference_poses()) {
        const Orientations sent = test::orientations_of(pose.joint_in_wrist);
        for (const Axes axes : {Axes::automatic, Axes::unity_wave}) {
            const HandSample sample = receive_once(pose.hand, with_axes(axes), {}, sent);
            EXPECT_EQ(sample.hand, pose.hand);
            EXPECT_EQ(sample.source, Source::hand_engine);
            EXPECT_EQ(sample.tracked, kAllJointsTracked);
            EXPECT_LT(worst_degrees(sample, sent), 0.2) << pose.name;
            expect_template_bones(sample);
        }
        const HandSample mirrored = receive_once(pose.hand, with_axes(Axes::mirror_x), {test::kMirrorXRig}, sent);
        EXPECT_LT(worst_degrees(mirrored, sent), 0.2) << pose.name;
        expect_template_bones(mirrored);
    }
}

TEST(BoneChain, ClosesTheFingersTowardThePalmOnBothHands) {
    for (const Hand hand : kBothHands) {
        const Orientations fist = test::orientations_of(test::reference_pose(hand, "fist").joint_in_wrist);
        expect_closed_toward_the_palm(receive_once(hand, with_axes(Axes::unity_wave), {}, fist));
        expect_closed_toward_the_palm(receive_once(hand, with_axes(Axes::mirror_x), {test::kMirrorXRig}, fist));
        expect_closed_toward_the_palm(receive_once(hand, with_axes(Axes::openxr), {test::kIdentityMatrix}, fist));
    }
}

TEST_P(MovingBoneChain, GivesEveryFrameBack) {
    for (const test::MovingHand& motion : hands_) {
        EXPECT_GT(motion.frames.size(), 350u);
        Receiver receiver(motion.hand);
        std::int32_t timecode = 120000000;
        for (const test::HandFrame& frame : motion.frames) {
            const Orientations sent = test::orientations_of(frame.joint_in_wrist);
            const HandSample sample = receiver.take(motion.hand, timecode++, {}, sent);
            ASSERT_LT(worst_degrees(sample, sent), 0.2) << name_of(motion.hand) << " at " << frame.time_ns;
            expect_template_bones(sample);
        }
        EXPECT_EQ(receiver.chain().verdict(), RigVerdict::unity_wave);
    }
}

TEST_P(MovingBoneChain, DetectsMirrorXWithinFiveSecondsOfMotionAndIsRightFromThereOn) {
    for (const test::MovingHand& motion : hands_) {
        Receiver receiver(motion.hand);
        std::int32_t timecode = 1;
        std::optional<std::int64_t> detected_ns;
        for (const test::HandFrame& frame : motion.frames) {
            const Orientations sent = test::orientations_of(frame.joint_in_wrist);
            const HandSample sample = receiver.take(motion.hand, timecode++, {test::kMirrorXRig}, sent);
            if (receiver.chain().verdict() == RigVerdict::mirror_x) {
                if (detected_ns) {
                    ASSERT_LT(worst_degrees(sample, sent), 0.2) << frame.time_ns;
                }
                detected_ns = detected_ns.value_or(frame.time_ns);
            } else {
                ASSERT_EQ(receiver.chain().verdict(), RigVerdict::undecided) << frame.time_ns;
            }
        }
        ASSERT_TRUE(detected_ns) << name_of(motion.hand);
        EXPECT_LT(*detected_ns - motion.frames.front().time_ns, 5'000 * kMs) << name_of(motion.hand);
    }
}

TEST(BoneChain, GivesThePhalangesBackFromRotationsWithoutMetacarpals) {
    for (const ReferencePose& pose : test::reference_poses()) {
        const Orientations sent = test::orientations_of(pose.joint_in_wrist);
        Rig rig;
        rig.metacarpals = false;
        const HandSample sample = receive_once(pose.hand, {}, rig, sent);
        EXPECT_LT(worst_degrees(sample, sent, false), 0.2) << pose.name;
        expect_template_bones(sample);
    }
}

// All 48 signed permutations, as what turns OpenXR's axes into a rig's.
std::vector<Matrix> axis_matrices() {
    std::vector<Matrix> out;
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        for (unsigned signs = 0; signs < 8; ++signs) {
            Matrix m{};
            for (std::size_t row = 0; row < 3; ++row) {
                m[row][order[row]] = (signs >> row & 1u) != 0 ? -1 : 1;
            }
            out.push_back(m);
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return out;
}

TEST(BoneChain, ReadsARigOfAnyAxesThatAreConfigured) {
    const std::vector<Matrix> rigs = axis_matrices();
    ASSERT_EQ(rigs.size(), 48u);
    for (const Hand hand : kBothHands) {
        const Orientations sent = test::orientations_of(test::reference_pose(hand, "fist").joint_in_wrist);
        for (const Matrix& rig : rigs) {
            BoneChainSettings settings = with_axes(Axes::custom);
            for (std::size_t row = 0; row < 3; ++row) {
                for (std::size_t column = 0; column < 3; ++column) {
                    settings.custom_axes[index_of(hand)][3 * row + column] = static_cast<std::int8_t>(rig[column][row]);
                }
            }
            ASSERT_TRUE(is_axis_matrix(settings.custom_axes[index_of(hand)]));
            EXPECT_LT(worst_degrees(receive_once(hand, settings, {rig}, sent), sent), 0.2);
        }
    }
}

TEST(BoneChain, TakesWhatAFlatHandSendsForFlatWhenThatWasCaptured) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (const Hand hand : kBothHands) {
        for (const bool metacarpals : {true, false}) {
            // A rig whose bones rest in any turn whatever.
            std::array<std::vector<Turn>, 5> rest;
            for (auto& turns : rest) {
                for (std::size_t bone = metacarpals ? 0 : 1; bone < 4; ++bone) {
                    Turn turn{normal(random), normal(random), normal(random), normal(random)};
                    const double size = std::hypot(std::hypot(turn[0], turn[1]), std::hypot(turn[2], turn[3]));
                    for (double& part : turn) {
                        part /= size;
                    }
                    turns.push_back(turn);
                }
            }
            const auto send = [&](Receiver& receiver, const std::array<std::vector<Turn>, 5>& hand_turns) {
                std::optional<HandSample> sample;
                for (std::size_t finger = 0; finger < 5; ++finger) {
                    sample = receiver.take(test::finger_message(hand, finger, 1, metacarpals, hand_turns[finger]));
                }
                EXPECT_TRUE(sample);
                return sample.value_or(HandSample{});
            };
            Receiver capturing(hand);
            send(capturing, rest);
            const std::optional<RestPose> captured = rest_pose_of(capturing.last_message());
            ASSERT_TRUE(captured);

            BoneChainSettings settings = with_axes(Axes::openxr);
            settings.rest[index_of(hand)] = captured;
            Receiver flat_receiver(hand, settings);
            const HandSample flat = send(flat_receiver, rest);
            for (std::size_t finger = 1; finger < 5; ++finger) {
                const auto joints = test::joints_of(finger);
                for (std::size_t bone = 1; bone < 4; ++bone) {
                    const XrQuaternionf& q = flat.joint_in_wrist[joints[bone]].orientation;
                    EXPECT_LT(test::degrees_between(test::axis_of(q, 2), {0, 0, 1}), 15) << "fingers forward";
                    EXPECT_LT(test::degrees_between(test::axis_of(q, 1), {0, 1, 0}), 1) << "backs up";
                }
            }

            // The index finger's middle joint bends by 50 degrees in its own frame: q = rest * turn about -X.
            std::array<std::vector<Turn>, 5> bent = rest;
            const double half = 25 * std::numbers::pi / 180;
            Turn& turn = bent[1][metacarpals ? 2 : 1];
            const Turn r = turn;
            const double s = -std::sin(half);
            const double c = std::cos(half);
            turn = {r[0] * c + r[3] * s, r[1] * c + r[2] * s, r[2] * c - r[1] * s, r[3] * c - r[0] * s};
            Receiver bent_receiver(hand, settings);
            const HandSample sample = send(bent_receiver, bent);
            const Matrix proximal =
                test::matrix_of(sample.joint_in_wrist[XR_HAND_JOINT_INDEX_PROXIMAL_EXT].orientation);
            const Matrix middle =
                test::matrix_of(sample.joint_in_wrist[XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT].orientation);
            EXPECT_LT(test::degrees_between(test::transposed(proximal) * middle, test::turn_about_x(-50)), 0.1);
            EXPECT_LT(test::degrees_between(sample.joint_in_wrist[XR_HAND_JOINT_INDEX_PROXIMAL_EXT].orientation,
                                            flat.joint_in_wrist[XR_HAND_JOINT_INDEX_PROXIMAL_EXT].orientation),
                      0.01);
            EXPECT_LT(test::degrees_between(sample.joint_in_wrist[XR_HAND_JOINT_RING_DISTAL_EXT].orientation,
                                            flat.joint_in_wrist[XR_HAND_JOINT_RING_DISTAL_EXT].orientation),
                      0.01);
        }
    }
}

TEST(BoneChain, NeverTearsAHandWhenFingersAreLostDoubledOvertakenAndMixed) {
    for (const Hand hand : kBothHands) {
        std::vector<Orientations> poses;
        for (const ReferencePose& pose : test::reference_poses()) {
            if (pose.hand == hand) {
                poses.push_back(test::orientations_of(pose.joint_in_wrist));
            }
        }
        std::mt19937 random(11);
        const auto chance = [&](double p) { return std::bernoulli_distribution(p)(random); };
        const auto pose_at = [&](std::int32_t timecode) -> const Orientations& {
            return poses[static_cast<std::size_t>(timecode) % poses.size()];
        };
        std::vector<Bytes> datagrams;
        constexpr std::int32_t kSamples = 1'500;
        for (std::int32_t t = 0; t < kSamples; ++t) {
            std::array<std::size_t, 5> order{0, 1, 2, 3, 4};
            std::shuffle(order.begin(), order.end(), random);
            std::vector<Bytes> messages;
            for (const std::size_t finger : order) {
                if (!chance(0.2)) {
                    messages.push_back(test::finger_message({}, hand, finger, t, pose_at(t)));
                    if (chance(0.1)) {
                        messages.push_back(messages.back());
                    }
                }
            }
            if (chance(0.2)) {
                datagrams.push_back(test::osc_bundle(messages));
            } else {
                datagrams.insert(datagrams.end(), messages.begin(), messages.end());
            }
        }
        for (std::size_t k = 0; k + 8 < datagrams.size(); ++k) {
            if (chance(0.1)) {
                std::swap(datagrams[k], datagrams[k + 1 + random() % 7]);
            }
        }

        Receiver receiver(hand);
        std::size_t samples = 0;
        std::size_t tracked_fingers = 0;
        std::array<std::size_t, 6> with_fingers{};
        for (const Bytes& datagram : datagrams) {
            receiver.wait(2 * kMs);
            const std::optional<HandSample> sample = receiver.take(datagram);
            if (!sample) {
                continue;
            }
            ++samples;
            const Orientations& expected = pose_at(static_cast<std::int32_t>(sample->sequence));
            std::size_t fingers = 0;
            for (std::size_t finger = 0; finger < 5; ++finger) {
                const auto joints = test::joints_of(finger);
                if ((sample->tracked & (1u << joints[1])) == 0) {
                    continue;
                }
                ++fingers;
                for (const std::size_t joint : joints) {
                    if (joint != XR_HAND_JOINT_COUNT_EXT) {
                        EXPECT_NE(sample->tracked & (1u << joint), 0u);
                        const Matrix found = test::matrix_of(sample->joint_in_wrist[joint].orientation);
                        ASSERT_LT(test::degrees_between(found, expected[joint]), 0.2) << "of another timecode";
                    }
                }
            }
            tracked_fingers += fingers;
            ++with_fingers[fingers];
        }
        EXPECT_GT(samples, static_cast<std::size_t>(kSamples) * 8 / 10);
        EXPECT_GT(tracked_fingers, 3 * samples);
        EXPECT_GT(with_fingers[5], 100u);
        EXPECT_GT(with_fingers[3], 100u);
        EXPECT_EQ(with_fingers[0], 0u);
    }
}

TEST(BoneChain, HoldsAFingerThatIsMissingAndSaysSo) {
    const Hand hand = Hand::left;
    const Orientations flat = test::orientations_of(test::reference_pose(hand, "flat").joint_in_wrist);
    const Orientations fist = test::orientations_of(test::reference_pose(hand, "fist").joint_in_wrist);
    Receiver receiver(hand);
    const HandSample before = receiver.take(hand, 1, {}, flat);
    for (const std::size_t finger : {0u, 1u, 3u, 4u}) {
        EXPECT_FALSE(receiver.take(test::finger_message({}, hand, finger, 2, fist)));
    }
    const std::optional<HandSample> sample = receiver.take(test::finger_message({}, hand, 0, 3, fist));
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->sequence, 2u);
    for (std::size_t joint = 0; joint < kJointCount; ++joint) {
        const bool of_middle = joint == XR_HAND_JOINT_PALM_EXT ||
                               (joint >= XR_HAND_JOINT_MIDDLE_METACARPAL_EXT && joint <= XR_HAND_JOINT_MIDDLE_TIP_EXT);
        EXPECT_EQ((sample->tracked & (1u << joint)) != 0, !of_middle) << joint;
        if (of_middle) {
            EXPECT_LT(test::degrees_between(sample->joint_in_wrist[joint].orientation,
                                            before.joint_in_wrist[joint].orientation),
                      0.01);
        }
    }
}

TEST(BoneChain, DropsAFingerWhoseQuaternionIsNoRotation) {
    const Hand hand = Hand::right;
    const Orientations flat = test::orientations_of(test::reference_pose(hand, "flat").joint_in_wrist);
    const Orientations fist = test::orientations_of(test::reference_pose(hand, "fist").joint_in_wrist);
    for (const double size : {0.0, 0.49, 0.51, 1.49, 1.51, 1e18}) {
        for (std::size_t bone = 0; bone < 4; ++bone) {
            Receiver receiver(hand);
            receiver.take(hand, 1, {}, flat);
            std::optional<HandSample> sample;
            for (std::size_t finger = 0; finger < 5; ++finger) {
                std::vector<Turn> turns = test::finger_turns({}, fist, finger);
                if (finger == 1) {
                    for (double& part : turns[bone]) {
                        part *= size;
                    }
                }
                sample = receiver.take(test::finger_message(hand, finger, 2, true, turns));
            }
            ASSERT_TRUE(sample);
            const bool taken = size > 0.5 && size < 1.5;
            for (const std::size_t joint : test::joints_of(1)) {
                EXPECT_EQ((sample->tracked & (1u << joint)) != 0, taken) << size;
                const Matrix found = test::matrix_of(sample->joint_in_wrist[joint].orientation);
                EXPECT_LT(test::degrees_between(found, (taken ? fist : flat)[joint]), 0.2) << size << " bone " << bone;
            }
            EXPECT_NE(sample->tracked & (1u << XR_HAND_JOINT_RING_TIP_EXT), 0u);
        }
    }
}

TEST(BoneChain, TakesTheThumbFromSlotsZeroOneAndThree) {
    for (const Hand hand : kBothHands) {
        const Orientations fist = test::orientations_of(test::reference_pose(hand, "fist").joint_in_wrist);
        for (const Turn& unused : {Turn{0, 0, 0, 1}, Turn{0, 0, 0, 0}, Turn{0.5, 0.5, 0.5, 0.5},
                                   Turn{-2147483648.0, -2147483648.0, -2147483648.0, -2147483648.0}}) {
            Rig rig;
            rig.thumb_intermediate = unused;
            const HandSample sample = receive_once(hand, {}, rig, fist);
            EXPECT_EQ(sample.tracked, kAllJointsTracked);
            EXPECT_LT(worst_degrees(sample, fist), 0.2);
        }
    }
}

TEST(BoneChain, ScalesTheTemplateAndTakesSingleBonesAsMeasured) {
    const Orientations flat = test::orientations_of(test::reference_pose(Hand::right, "flat").joint_in_wrist);
    BoneChainSettings large;
    large.size_mm = 110;
    const HandSample sample = receive_once(Hand::right, large, {}, flat);
    expect_template_bones(sample, 110.0 / 92.0);
    EXPECT_NEAR(sample.scale, 110.0 / 92.0, 1e-6);

    BoneChainSettings measured;
    measured.bone_mm[2] = {0, 51, 0, 0};
    const HandSample other = receive_once(Hand::right, measured, {}, flat);
    EXPECT_NEAR(test::millimetres_between(other.joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position,
                                          other.joint_in_wrist[XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT].position),
                51, 0.1);
    EXPECT_NEAR(test::millimetres_between(other.joint_in_wrist[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].position,
                                          other.joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position),
                62, 0.1);
}

Bytes slider_message(Hand hand, std::int32_t timecode, double bend) {
    test::OscEncoder encoder("/v1/animation/slider/all");
    encoder.i(timecode).i(0).i(hand == Hand::left ? 1 : 2).s("G-1").s("F");
    for (int argument = 5; argument < 26; ++argument) {
        const bool splay = argument == 8 || argument >= 21;
        encoder.f(splay ? 0 : bend);
    }
    return encoder.bytes();
}

TEST(BoneChain, ClosesTheHandBySlidersAlone) {
    for (const Hand hand : kBothHands) {
        Receiver receiver(hand);
        const std::optional<HandSample> open = receiver.take(slider_message(hand, 1, 0));
        const std::optional<HandSample> closed = receiver.take(slider_message(hand, 2, 1));
        ASSERT_TRUE(open && closed);
        EXPECT_EQ(open->tracked, kAllJointsTracked);
        expect_template_bones(*open);
        expect_template_bones(*closed);
        expect_closed_toward_the_palm(*closed);
        for (std::size_t finger = 1; finger < 5; ++finger) {
            const auto joints = test::joints_of(finger);
            const Matrix proximal = test::matrix_of(closed->joint_in_wrist[joints[1]].orientation);
            const Matrix middle = test::matrix_of(closed->joint_in_wrist[joints[2]].orientation);
            const Matrix distal = test::matrix_of(closed->joint_in_wrist[joints[3]].orientation);
            EXPECT_LT(test::degrees_between(test::transposed(proximal) * middle, test::turn_about_x(-100)), 0.1);
            EXPECT_LT(test::degrees_between(test::transposed(middle) * distal, test::turn_about_x(-65)), 0.1);
        }
        // The thumb's tip comes nearer to the middle of the palm.
        const auto tip_to_palm = [](const HandSample& sample) {
            return test::millimetres_between(sample.joint_in_wrist[XR_HAND_JOINT_THUMB_TIP_EXT].position,
                                             sample.joint_in_wrist[XR_HAND_JOINT_PALM_EXT].position);
        };
        EXPECT_LT(tip_to_palm(*closed), tip_to_palm(*open) - 20);
    }
}

TEST(BoneChain, MakesTheRightHandTheLeftOnesMirrorImageBySliders) {
    for (const double bend : {0.0, 0.5, 1.0}) {
        Receiver left_receiver(Hand::left);
        Receiver right_receiver(Hand::right);
        const auto left = left_receiver.take(slider_message(Hand::left, 1, bend));
        const auto right = right_receiver.take(slider_message(Hand::right, 1, bend));
        ASSERT_TRUE(left && right);
        for (std::size_t joint = 0; joint < kJointCount; ++joint) {
            const XrPosef& l = left->joint_in_wrist[joint];
            const XrPosef& r = right->joint_in_wrist[joint];
            EXPECT_LT(test::millimetres_between({-l.position.x, l.position.y, l.position.z}, r.position), 0.01)
                << joint;
            EXPECT_LT(test::degrees_between(test::kMirrorXRig * test::matrix_of(l.orientation) * test::kMirrorXRig,
                                            test::matrix_of(r.orientation)),
                      0.01)
                << joint;
        }
    }
}

TEST(BoneChain, ShowsAnOpenHandUntrackedBeforeAFingerWasEverHeard) {
    Receiver receiver(Hand::left);
    const Orientations fist = test::orientations_of(test::reference_pose(Hand::left, "fist").joint_in_wrist);
    receiver.take(test::finger_message({}, Hand::left, 1, 1, fist));
    const auto sample = receiver.take(test::finger_message({}, Hand::left, 1, 2, fist));
    ASSERT_TRUE(sample);
    expect_template_bones(*sample);
    EXPECT_EQ(sample->tracked & (1u << XR_HAND_JOINT_RING_DISTAL_EXT), 0u);
    EXPECT_NE(sample->tracked & (1u << XR_HAND_JOINT_INDEX_DISTAL_EXT), 0u);
    EXPECT_NE(sample->tracked & (1u << XR_HAND_JOINT_WRIST_EXT), 0u);
}

// The related stream: OpenXR axes, metres, each joint in its parent's frame.
hand_engine::KinematicHand kinematic_of(const ReferencePose& pose) {
    hand_engine::KinematicHand out{};
    out.hand = pose.hand;
    for (std::size_t joint = 0; joint < kJointCount; ++joint) {
        std::size_t parent = joint - 1;
        if (joint <= XR_HAND_JOINT_THUMB_METACARPAL_EXT || joint == XR_HAND_JOINT_INDEX_METACARPAL_EXT ||
            joint == XR_HAND_JOINT_MIDDLE_METACARPAL_EXT || joint == XR_HAND_JOINT_RING_METACARPAL_EXT ||
            joint == XR_HAND_JOINT_LITTLE_METACARPAL_EXT) {
            parent = XR_HAND_JOINT_WRIST_EXT;
        }
        const XrPosef& own = pose.joint_in_wrist[joint];
        const XrPosef& base = pose.joint_in_wrist[parent];
        const Matrix to_parent = test::transposed(test::matrix_of(base.orientation));
        const Turn turn = test::quaternion_of(to_parent * test::matrix_of(own.orientation));
        const test::Row way = to_parent * test::from_to(base.position, own.position);
        for (std::size_t k = 0; k < 3; ++k) {
            out.joints[joint].position[k] = static_cast<float>(way[k]);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out.joints[joint].orientation[k] = static_cast<float>(turn[k]);
        }
    }
    return out;
}

TEST(KinematicHand, ComesBackJointByJoint) {
    for (const ReferencePose& pose : test::reference_poses()) {
        HandSample sample{};
        ASSERT_TRUE(pose_kinematic(kinematic_of(pose), kTemplateSizeMm, sample));
        EXPECT_EQ(sample.hand, pose.hand);
        EXPECT_EQ(sample.tracked, kAllJointsTracked);
        for (std::size_t joint = 0; joint < kJointCount; ++joint) {
            const XrPosef& expected = pose.joint_in_wrist[joint];
            EXPECT_LT(test::millimetres_between(sample.joint_in_wrist[joint].position, expected.position), 0.1)
                << joint;
            EXPECT_LT(test::degrees_between(sample.joint_in_wrist[joint].orientation, expected.orientation), 0.2)
                << joint;
        }
    }
}

TEST(KinematicHand, IsRefusedWhenAJointIsNone) {
    const hand_engine::KinematicHand good = kinematic_of(test::reference_pose(Hand::left, "fist"));
    HandSample sample{};
    for (const float wrong : {1.01f, osc::kNull, 3e38f}) {
        hand_engine::KinematicHand bad = good;
        bad.joints[XR_HAND_JOINT_RING_TIP_EXT].position[1] = wrong;
        EXPECT_FALSE(pose_kinematic(bad, kTemplateSizeMm, sample)) << wrong;
    }
    for (const float wrong : {0.0f, osc::kNull, 2.0f}) {
        hand_engine::KinematicHand bad = good;
        bad.joints[XR_HAND_JOINT_RING_TIP_EXT].orientation = {0, 0, 0, wrong};
        EXPECT_FALSE(pose_kinematic(bad, kTemplateSizeMm, sample)) << wrong;
    }
    EXPECT_EQ(sample.tracked, 0u) << "untouched";
}

}  // namespace
}  // namespace glove
