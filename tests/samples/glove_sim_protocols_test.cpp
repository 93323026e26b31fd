// SPDX-License-Identifier: Apache-2.0
// What glove_sim sends as StretchSense and as coil gloves, heard on a loopback socket and read with the layer's
// decoders, which tests of their own hold against other libraries.
// Not covered: whether the joints are those of the pose (hand_engine_sender_test, fnim_sender_test).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <variant>

#include "protocol/fnim.hpp"
#include "protocol/hand_engine.hpp"
#include "protocol/osc.hpp"
#include "samples/run_program.hpp"
#include "samples/udp_listener.hpp"

namespace glove {
namespace {

using hand_engine::FingerRotation;
using hand_engine::GloveStatus;
using hand_engine::Sliders;
using test::UdpListener;
using Datagrams = std::vector<UdpListener::Datagram>;

Datagrams heard_from(std::vector<std::string> arguments) {
    UdpListener listener;
    arguments.insert(arguments.end(), {"--quiet", "--to", listener.address()});
    const test::Outcome outcome = test::run("glove_sim", arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return listener.stop();
}

// Their texts are views into `datagrams`.
std::vector<hand_engine::Message> messages_in(const Datagrams& datagrams) {
    std::vector<hand_engine::Message> out;
    for (const auto& datagram : datagrams) {
        osc::PacketReader packet(datagram);
        osc::Message message;
        while (packet.next(message)) {
            hand_engine::Message decoded;
            EXPECT_EQ(hand_engine::decode(message, decoded), hand_engine::DecodeError::none) << message.address;
            out.push_back(decoded);
        }
        EXPECT_EQ(packet.error(), osc::DecodeError::none);
    }
    return out;
}

template <class Kind>
std::vector<Kind> only(const std::vector<hand_engine::Message>& messages) {
    std::vector<Kind> out;
    for (const auto& message : messages) {
        if (const auto* kind = std::get_if<Kind>(&message)) {
            out.push_back(*kind);
        }
    }
    return out;
}

TEST(GloveSimHandEngine, SendsFiveFingersPerHandAndSampleInChangingOrder) {
    const Datagrams datagrams = heard_from({"hand-engine", "--seconds", "1.5"});
    const auto fingers = only<FingerRotation>(messages_in(datagrams));
    ASSERT_EQ(fingers.size(), 2u * 90 * 5) << "a studio glove, so 60 a second";
    std::map<std::pair<Hand, hand_engine::Timecode>, std::vector<hand_engine::Finger>> samples;
    for (const FingerRotation& finger : fingers) {
        EXPECT_TRUE(finger.with_metacarpals);
        EXPECT_LT(finger.timecode % 1000, 60);
        EXPECT_LT(finger.timecode, 240'000'000);
        samples[{finger.hand, finger.timecode}].push_back(finger.finger);
    }
    EXPECT_EQ(samples.size(), 2u * 90);
    std::set<std::vector<hand_engine::Finger>> orders;
    for (const auto& [sample, order] : samples) {
        EXPECT_EQ(std::set(order.begin(), order.end()).size(), 5u) << sample.second;
        orders.insert(order);
    }
    EXPECT_GT(orders.size(), 30u) << "of 120 there are";
}

TEST(GloveSimHandEngine, AFidelityGloveSendsTwiceAsOften) {
    const Datagrams datagrams =
        heard_from({"hand-engine", "--glove", "fidelity", "--hand", "left", "--seconds", "0.5"});
    EXPECT_EQ(only<FingerRotation>(messages_in(datagrams)).size(), 60u * 5);
}

TEST(GloveSimHandEngine, SaysOnceASecondAndHandWhoAndWhatItIs) {
    const Datagrams datagrams = heard_from({"hand-engine", "--performer", "3", "--uncalibrated", "--battery", "42.5",
                                            "--format", "sliders", "--seconds", "2.5"});
    const auto messages = messages_in(datagrams);
    const auto gloves = only<GloveStatus>(messages);
    ASSERT_EQ(gloves.size(), 2u * 3) << "at the start, and after one and two seconds";
    std::set<Hand> hands;
    for (const GloveStatus& glove : gloves) {
        EXPECT_EQ(glove.performer, 3);
        EXPECT_FALSE(glove.calibrated);
        EXPECT_EQ(glove.battery, 42.5f);
        EXPECT_EQ(glove.product, "Studio Glove");
        ASSERT_TRUE(glove.glove_hand);
        hands.insert(*glove.glove_hand);
    }
    EXPECT_EQ(hands.size(), 2u);
    for (const auto& performer : only<hand_engine::Performer>(messages)) {
        EXPECT_EQ(performer.performer, 3);
    }
    EXPECT_FALSE(only<hand_engine::Performer>(messages).empty());
    EXPECT_FALSE(only<hand_engine::DongleStatus>(messages).empty());
}

TEST(GloveSimHandEngine, CalibratedIsWhatItSaysUnlessToldOtherwise) {
    const Datagrams datagrams = heard_from({"hand-engine", "--hand", "right", "--seconds", "0.1"});
    const auto gloves = only<GloveStatus>(messages_in(datagrams));
    ASSERT_EQ(gloves.size(), 1u);
    EXPECT_TRUE(gloves[0].calibrated);
    EXPECT_EQ(gloves[0].glove_hand, Hand::right);
}

// Raw, a finger of the one rig bends about +x and of the other about -x, on both hands.
TEST(GloveSimHandEngine, TheTwoRigsBendFingersAboutOppositeAxes) {
    for (const auto& [rig, sign] : {std::pair{"unity-wave", 1.0f}, std::pair{"mirror-x", -1.0f}}) {
        const Datagrams datagrams = heard_from({"hand-engine", "--rig", rig, "--pose", "fist", "--seconds", "0.1"});
        int fingers = 0;
        for (const FingerRotation& finger : only<FingerRotation>(messages_in(datagrams))) {
            if (finger.finger == hand_engine::Finger::thumb) {
                continue;
            }
            const auto& [x, y, z, w] = finger.bones[hand_engine::kIntermediate];
            EXPECT_GT(sign * x * (w < 0 ? -1 : 1), 0.5f) << rig;
            EXPECT_NEAR(y, 0, 0.01);
            EXPECT_NEAR(z, 0, 0.01);
            ++fingers;
        }
        EXPECT_EQ(fingers, 2 * 6 * 4);
    }
}

TEST(GloveSimHandEngine, LeavesTheMetacarpalsOutWhenAskedTo) {
    const Datagrams datagrams = heard_from({"hand-engine", "--format", "rotation", "--seconds", "0.1"});
    const auto fingers = only<FingerRotation>(messages_in(datagrams));
    EXPECT_EQ(fingers.size(), 2u * 6 * 5);
    EXPECT_TRUE(std::none_of(fingers.begin(), fingers.end(),
                             [](const FingerRotation& finger) { return finger.with_metacarpals; }));
}

TEST(GloveSimHandEngine, AStudioGloveHasTwelveSlidersAndAFidelityGloveTwentyOne) {
    for (const auto& [glove, live] : {std::pair{"studio", 12}, std::pair{"fidelity", 21}}) {
        const Datagrams datagrams =
            heard_from({"hand-engine", "--glove", glove, "--format", "sliders", "--seconds", "0.1"});
        const auto all = only<Sliders>(messages_in(datagrams));
        ASSERT_FALSE(all.empty());
        for (const Sliders& sliders : all) {
            const auto is_live = [](float value) { return osc::is_null(value) ? 0 : 1; };
            int count = is_live(sliders.values.global_splay);
            for (std::size_t finger = 0; finger < 5; ++finger) {
                count += is_live(sliders.values.splay[finger]);
                for (const float bend : sliders.values.bend[finger]) {
                    count += is_live(bend);
                }
            }
            EXPECT_EQ(count, live) << glove;
        }
    }
}

TEST(GloveSimHandEngine, BundlesAHandInOneDatagramWhenAskedTo) {
    const Datagrams datagrams = heard_from({"hand-engine", "--bundles", "--hand", "left", "--seconds", "0.5"});
    EXPECT_EQ(only<FingerRotation>(messages_in(datagrams)).size(), 30u * 5);
    EXPECT_EQ(datagrams.size(), 30u + 3) << "and three of status";
}

std::vector<fnim::Message> coil_messages(const std::vector<std::string>& arguments) {
    std::vector<fnim::Message> out;
    for (const auto& datagram : heard_from(arguments)) {
        fnim::Message message{};
        EXPECT_EQ(fnim::decode(datagram, message), fnim::DecodeError::none);
        out.push_back(message);
    }
    return out;
}

TEST(GloveSimFnim, SendsTheFiveTipsOfEachHandAndTheForearmWhenAskedTo) {
    for (const bool forearm : {false, true}) {
        std::vector<std::string> arguments{"fnim", "--seconds", "0.5"};
        if (forearm) {
            arguments.emplace_back("--forearm");
        }
        const auto messages = coil_messages(arguments);
        ASSERT_EQ(messages.size(), 2u * 60);
        std::array<std::uint32_t, kHandCount> frames{};
        for (const fnim::Message& message : messages) {
            EXPECT_EQ(message.frame_number, frames[index_of(message.hand)]++);
            for (std::size_t slot = 0; slot < 5; ++slot) {
                EXPECT_TRUE(message.coils[slot].valid);
                // Ahead of the transmitter, within a hand's length.
                EXPECT_GT(message.coils[slot].position[1], 0.0f);
                EXPECT_LT(message.coils[slot].position[1], 0.2f);
            }
            EXPECT_EQ(message.coils[fnim::kForearmSlot].valid, forearm);
        }
        EXPECT_EQ(frames[0], 60u);
        EXPECT_EQ(frames[1], 60u);
    }
}

TEST(GloveSimFnim, AddsTheNoiseAndLosesTheCoilsItIsAskedTo) {
    const auto messages = coil_messages({"fnim", "--hand", "left", "--pose", "fist", "--noise-mm", "2", "--noise-deg",
                                         "3", "--dropout", "0.2", "--rate", "500", "--seconds", "2"});
    ASSERT_EQ(messages.size(), 1000u);
    double sum = 0;
    double squares = 0;
    double least_w = 1;
    int valid = 0;
    for (const fnim::Message& message : messages) {
        const fnim::CoilPose& index = message.coils[1];
        if (index.valid) {
            ++valid;
            sum += 1000 * double{index.position[2]};
            squares += 1e6 * double{index.position[2]} * double{index.position[2]};
            // The noise turns the coil's own w about; a still coil would keep it.
            least_w = std::min(least_w, double{index.orientation_wxyz[0]});
        }
    }
    EXPECT_NEAR(valid, 800, 5 * std::sqrt(1000 * 0.2 * 0.8));
    const double sigma = std::sqrt(squares / valid - sum / valid * (sum / valid));
    EXPECT_NEAR(sigma, 2, 5 * 2 / std::sqrt(2.0 * valid)) << "millimetres";
    const auto still = coil_messages({"fnim", "--hand", "left", "--pose", "fist", "--seconds", "0.1"});
    EXPECT_LT(least_w, double{still.front().coils[1].orientation_wxyz[0]} - 0.01);
}

}  // namespace
}  // namespace glove
