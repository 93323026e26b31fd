// SPDX-License-Identifier: Apache-2.0
// What the simulated Hand Engine sends is OSC to another library and the same hand to the layer's reader.
// Not here: that reader held against packets that this sender did not write (hand/bone_chain_test.cpp).
#include "senders/hand_engine_sender.hpp"

#include <gtest/gtest.h>
#include <lo/lo_lowlevel.h>

#include <algorithm>
#include <set>
#include <string>

#include "hand/hand_engine/bone_chain.hpp"
#include "hand/pose_math.hpp"
#include "protocol/finger_assembly.hpp"
#include "protocol/hand_engine.hpp"
#include "protocol/osc.hpp"

namespace glove {
namespace {

using Datagrams = std::vector<std::vector<std::byte>>;

constexpr std::array<Pose, 5> kStills{Pose::open, Pose::relaxed, Pose::fist, Pose::point, Pose::pinch};

std::vector<HandSample> received(Hand hand, const Datagrams& datagrams, Axes axes) {
    BoneChainSettings settings;
    settings.axes = axes;
    hand_engine::FingerAssembly assembly(hand, 500'000'000);
    BoneChain chain(hand, settings);
    std::vector<HandSample> samples;
    for (const auto& datagram : datagrams) {
        osc::PacketReader packet(datagram);
        osc::Message message;
        while (packet.next(message)) {
            hand_engine::Message said;
            EXPECT_EQ(hand_engine::decode(message, said), hand_engine::DecodeError::none) << message.address;
            std::optional<hand_engine::HandMessage> complete;
            if (const auto* rotation = std::get_if<hand_engine::FingerRotation>(&said)) {
                complete = assembly.take(*rotation, 0);
            } else if (const auto* sliders = std::get_if<hand_engine::Sliders>(&said)) {
                complete = assembly.take(*sliders, 0);
            }
            if (complete) {
                chain.pose(*complete, samples.emplace_back());
            }
        }
        EXPECT_EQ(packet.error(), osc::DecodeError::none);
    }
    return samples;
}

bool is_turned(std::size_t joint) {  // palm and tips are not sent; the wrist is the frame
    return joint > XR_HAND_JOINT_WRIST_EXT && joint != XR_HAND_JOINT_THUMB_TIP_EXT &&
           (joint <= XR_HAND_JOINT_THUMB_TIP_EXT || (joint - XR_HAND_JOINT_INDEX_METACARPAL_EXT) % 5 != 4);
}

bool is_metacarpal(std::size_t joint) {
    return joint == XR_HAND_JOINT_THUMB_METACARPAL_EXT ||
           (joint >= XR_HAND_JOINT_INDEX_METACARPAL_EXT && (joint - XR_HAND_JOINT_INDEX_METACARPAL_EXT) % 5 == 0);
}

void expect_same_turns(const HandSample& sample, const HandJoints& joints, bool metacarpals) {
    for (std::size_t joint = 0; joint < kJointCount; ++joint) {
        if (is_turned(joint) && (metacarpals || !is_metacarpal(joint))) {
            EXPECT_LT(angle_between(sample.joint_in_wrist[joint].orientation, joints[joint].orientation),
                      0.2 * kRadiansPerDegree)
                << joint;
        }
    }
}

TEST(HandEngineSender, SendsTheSameHandInEveryRigAndForm) {
    for (const Hand hand : kBothHands) {
        for (const Pose pose : kStills) {
            const HandJoints joints = hand_joints(hand, pose, 0);
            for (const HandEngineRig rig : {HandEngineRig::unity_wave, HandEngineRig::mirror_x}) {
                for (const bool metacarpals : {true, false}) {
                    for (const bool bundle : {true, false}) {
                        HandEngineFrame frame{.hand = hand, .timecode = 5, .rig = rig, .bundle = bundle};
                        frame.format = metacarpals ? HandEngineFormat::metacarpals : HandEngineFormat::rotation;
                        frame.finger_order = {3, 0, 4, 1, 2};
                        const Datagrams datagrams = encode_hand_engine(frame, joints);
                        EXPECT_EQ(datagrams.size(), bundle ? 1u : 5u);
                        const auto samples = received(
                            hand, datagrams, rig == HandEngineRig::unity_wave ? Axes::unity_wave : Axes::mirror_x);
                        ASSERT_EQ(samples.size(), 1u);
                        EXPECT_EQ(samples[0].tracked, kAllJointsTracked);
                        EXPECT_EQ(samples[0].sequence, 5u);
                        expect_same_turns(samples[0], joints, metacarpals);
                    }
                }
            }
        }
    }
}

TEST(HandEngineSender, SendsMessagesThatAnotherLibraryReads) {
    Datagrams all = encode_hand_engine({.hand = Hand::left, .timecode = 5}, hand_joints(Hand::left, Pose::fist, 0));
    const HandEngineFrame sliders{
        .hand = Hand::right, .timecode = 5, .glove = HandEngineGlove::studio, .format = HandEngineFormat::sliders};
    for (const auto& datagram : encode_hand_engine(sliders, hand_joints(Hand::right, Pose::fist, 0))) {
        all.push_back(datagram);
    }
    for (const auto& datagram : encode_hand_engine_status({.hand = Hand::left})) {
        all.push_back(datagram);
    }
    std::vector<std::string> addresses;
    for (auto& datagram : all) {
        addresses.emplace_back(reinterpret_cast<const char*>(datagram.data()));
        const lo_message message = lo_message_deserialise(datagram.data(), datagram.size(), nullptr);
        ASSERT_NE(message, nullptr) << addresses.back();
        const int expected = addresses.back().ends_with("rotationWithMetacarpals") ? 17
                             : addresses.back().ends_with("slider/all")            ? 26
                             : addresses.back().ends_with("glove/status")          ? 13
                                                                                   : 3;
        EXPECT_EQ(lo_message_get_argc(message), expected) << addresses.back();
        lo_message_free(message);
    }
    EXPECT_EQ(addresses,
              (std::vector<std::string>{
                  "/v1/animation/0/1/Thumb/rotationWithMetacarpals", "/v1/animation/0/1/Index/rotationWithMetacarpals",
                  "/v1/animation/0/1/Middle/rotationWithMetacarpals", "/v1/animation/0/1/Ring/rotationWithMetacarpals",
                  "/v1/animation/0/1/Little/rotationWithMetacarpals", "/v1/animation/slider/all", "/v1/performer/all",
                  "/v1/performer/glove/status", "/v1/device/dongle/status"}));
}

TEST(HandEngineSender, BendsFingersBySlidersAsInTheHand) {
    for (const Hand hand : kBothHands) {
        for (const HandEngineGlove glove : {HandEngineGlove::studio, HandEngineGlove::fidelity}) {
            const HandEngineFrame frame{
                .hand = hand, .timecode = 5, .glove = glove, .format = HandEngineFormat::sliders};
            const HandJoints open = hand_joints(hand, Pose::open, 0);
            const HandJoints fist = hand_joints(hand, Pose::fist, 0);
            const auto as_open = received(hand, encode_hand_engine(frame, open), Axes::unity_wave);
            const auto as_fist = received(hand, encode_hand_engine(frame, fist), Axes::unity_wave);
            ASSERT_EQ(as_open.size(), 1u);
            ASSERT_EQ(as_fist.size(), 1u);
            // Sliders say how far a joint bends, not about which axis: the sum along the finger comes back roughly.
            for (std::size_t finger = 0; finger < 4; ++finger) {
                const std::size_t proximal = XR_HAND_JOINT_INDEX_PROXIMAL_EXT + 5 * finger;
                const auto closing = [&](const auto& before, const auto& after) {
                    return angle_between(before[proximal + 1].orientation, after[proximal + 1].orientation) /
                           kRadiansPerDegree;
                };
                EXPECT_NEAR(closing(as_open[0].joint_in_wrist, as_fist[0].joint_in_wrist), closing(open, fist), 25)
                    << finger;
            }
        }
    }
}

TEST(HandEngineSender, TellsStatusThatIsReadBack) {
    const Datagrams datagrams = encode_hand_engine_status(
        {.hand = Hand::right, .performer = 2, .glove = HandEngineGlove::studio, .calibrated = false, .battery = 42.5f});
    std::set<std::size_t> kinds;
    for (const auto& datagram : datagrams) {
        osc::Message message;
        ASSERT_EQ(osc::read_message(datagram, message), osc::DecodeError::none);
        hand_engine::Message said;
        ASSERT_EQ(hand_engine::decode(message, said), hand_engine::DecodeError::none);
        kinds.insert(said.index());
        if (const auto* status = std::get_if<hand_engine::GloveStatus>(&said)) {
            EXPECT_EQ(status->performer, 2);
            EXPECT_EQ(status->glove_hand, Hand::right);
            EXPECT_FALSE(status->calibrated);
            EXPECT_EQ(status->battery, 42.5f);
        }
    }
    EXPECT_EQ(kinds.size(), 3u);
}

TEST(HandEngineSender, CountsFramesWithinTheSecondOfTheDay) {
    EXPECT_EQ(hand_engine_timecode(0, 60), 0);
    EXPECT_EQ(hand_engine_timecode(59, 60), 59);
    EXPECT_EQ(hand_engine_timecode(60, 60), 1'000);
    EXPECT_EQ(hand_engine_timecode(std::int64_t{120} * (13 * 3600 + 42 * 60 + 55) + 43, 120), 134'255'043);
    EXPECT_EQ(hand_engine_timecode(std::int64_t{60} * 86'400 - 1, 60), 235'959'059);
    EXPECT_EQ(hand_engine_timecode(std::int64_t{60} * 86'400, 60), 0);
}

}  // namespace
}  // namespace glove
