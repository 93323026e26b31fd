// SPDX-License-Identifier: Apache-2.0
// Datagrams in, moving hands out, without a socket: time is the test's.
// Not covered: the socket (test_datagram), decoding and retargeting by themselves (test_protocol, test_hand), what each
// protocol has of its own (the other files here).
#include "glove_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <thread>

#include "fnim_encoding.hpp"
#include "fsnh_encoding.hpp"
#include "golden_file.hpp"
#include "hand/pose_math.hpp"
#include "reference_poses.hpp"
#include "udp_socket.hpp"
#include "wait_for.hpp"

namespace glove {
namespace {

using test::FsnhHeader;
using test::reference_pose;
using test::to_sender;
using test::operator*;

constexpr std::int64_t kTickNs = 8'333'333;
constexpr Sender kGlove{1, "127.0.0.1:1"};
constexpr Sender kOtherGlove{2, "127.0.0.1:2"};

std::vector<std::byte> datagram(Hand hand, std::uint32_t index, const char* pose = "fist", bool new_solve = true) {
    const FsnhHeader header{hand, index, 1'000'000'000ull + index * std::uint64_t{kTickNs}, new_solve, true};
    return wrist_datagram(header, to_sender(hand, reference_pose(hand, pose).joint_in_wrist));
}

std::vector<std::byte> coil_datagram(Hand hand, const test::SenderCoils& coils) {
    test::FnimHeader header;
    header.hand = hand;
    return fnim_datagram(header, coils);
}

std::uint64_t admissions(const GloveStream& stream, Hand hand, Admission which) {
    return stream.hand(hand).admissions[static_cast<std::size_t>(which)];
}

TEST(GloveStream, PublishesWhatAGloveSendsForThatHandOnly) {
    GloveStream stream{Config{}};
    stream.take(datagram(Hand::right, 1), kGlove, 5'000'000'000);

    HandMotion motion;
    ASSERT_TRUE(stream.hand(Hand::right).motion.read(motion));
    EXPECT_EQ(motion.sample.hand, Hand::right);
    EXPECT_EQ(motion.sample.source, Source::fsnh);
    EXPECT_EQ(motion.sample.sequence, 1u);
    EXPECT_EQ(motion.sample.time_ns, 5'000'000'000);
    EXPECT_EQ(stream.hand(Hand::right).heard_ns, 5'000'000'000);
    EXPECT_FALSE(stream.hand(Hand::left).motion.read(motion));
    EXPECT_EQ(stream.hand(Hand::left).heard_ns, 0);
}

TEST(GloveStream, KeepsTheHandAliveWithARepeatAndItsPoseAsItWas) {
    GloveStream stream{Config{}};
    stream.take(datagram(Hand::left, 1, "fist"), kGlove, 1'000'000'000);
    stream.take(datagram(Hand::left, 1, "flat", false), kGlove, 1'400'000'000);

    HandMotion motion;
    ASSERT_TRUE(stream.hand(Hand::left).motion.read(motion));
    EXPECT_EQ(stream.hand(Hand::left).motion.newest(), 1u);
    EXPECT_EQ(stream.hand(Hand::left).heard_ns, 1'400'000'000);
    EXPECT_EQ(admissions(stream, Hand::left, Admission::alive), 1u);
}

TEST(GloveStream, DoesNotMixASecondSenderIn) {
    GloveStream stream{Config{}};
    std::int64_t now_ns = 1'000'000'000;
    for (std::uint32_t i = 1; i <= 50; ++i) {
        stream.take(datagram(Hand::left, i, "fist"), kGlove, now_ns);
        stream.take(datagram(Hand::left, 1000 + i, "flat"), kOtherGlove, now_ns + 1'000'000);
        now_ns += kTickNs;
    }
    EXPECT_EQ(stream.hand(Hand::left).motion.newest(), 50u);
    EXPECT_EQ(admissions(stream, Hand::left, Admission::other_sender), 50u);
}

TEST(GloveStream, TakesTheOtherSenderWhenTheFirstHasGoneSilent) {
    GloveStream stream{Config{}};
    stream.take(datagram(Hand::left, 7, "fist"), kGlove, 1'000'000'000);
    stream.take(datagram(Hand::left, 3, "flat"), kOtherGlove, 1'000'000'000 + 501'000'000);
    HandMotion motion;
    ASSERT_TRUE(stream.hand(Hand::left).motion.read(motion));
    EXPECT_EQ(motion.sample.sequence, 3u);
}

TEST(GloveStream, CountsBodyJointsWithoutCallingThemFaults) {
    GloveStream stream{Config{}};
    stream.take(std::vector<std::byte>(1860), kGlove, 1);
    EXPECT_EQ(stream.other_kinds(), 1u);
    for (std::size_t i = 1; i < static_cast<std::size_t>(fsnh::DecodeError::count_); ++i) {
        EXPECT_EQ(stream.decode_errors(static_cast<fsnh::DecodeError>(i)), 0u);
    }
    for (std::size_t i = 1; i < static_cast<std::size_t>(fnim::DecodeError::count_); ++i) {
        EXPECT_EQ(stream.decode_errors(static_cast<fnim::DecodeError>(i)), 0u);
    }
}

TEST(GloveStream, CountsRefusalsByReasonAndKeepsTheLastGoodHand) {
    GloveStream stream{Config{}};
    stream.take(datagram(Hand::right, 1), kGlove, 1'000'000'000);
    auto wrong = datagram(Hand::right, 2);
    wrong[4] = std::byte{3};
    stream.take(wrong, kGlove, 1'010'000'000);
    stream.take(std::span(wrong).first(100), kGlove, 1'010'000'000);

    EXPECT_EQ(stream.decode_errors(fsnh::DecodeError::version), 1u);
    EXPECT_EQ(stream.decode_errors(fsnh::DecodeError::size), 1u);
    EXPECT_EQ(stream.hand(Hand::right).motion.newest(), 1u);
    EXPECT_EQ(stream.hand(Hand::right).heard_ns, 1'000'000'000);
}

// A glove whose joints have other axes than the document suggests, in motion.
TEST(GloveStream, CorrectsJointAxesWithoutAVelocityAndKeepsThemOverASilence) {
    GloveStream stream{Config{}};
    std::int64_t now_ns = 1'000'000'000;
    std::uint32_t index = 0;
    const auto show = [&](const Sender& sender, const char* pose) {
        now_ns += kTickNs;
        auto joints = to_sender(Hand::left, reference_pose(Hand::left, pose).joint_in_wrist);
        for (std::size_t i = 1; i < joints.size(); ++i) {
            joints[i].rotation = joints[i].rotation * test::Matrix{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
        }
        ++index;
        const FsnhHeader header{Hand::left, index, index * std::uint64_t{kTickNs}, true, true};
        stream.take(wrist_datagram(header, joints), sender, now_ns);
        HandMotion motion{};
        EXPECT_TRUE(stream.hand(Hand::left).motion.read(motion));
        return motion;
    };
    const auto is_right = [](const HandMotion& motion, const char* pose) {
        const std::size_t joint = XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT;
        return angle_between(motion.sample.joint_in_wrist[joint].orientation,
                             reference_pose(Hand::left, pose).joint_in_wrist[joint].orientation) < 0.01f;
    };
    int wrong = 0;
    for (;; ++wrong) {
        ASSERT_LT(wrong, 200);
        const char* const pose = wrong % 2 == 0 ? "flat" : "relax";
        const HandMotion motion = show(kGlove, pose);
        if (is_right(motion, pose)) {
            EXPECT_LT(length(motion.velocity_in_wrist[XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT].angular), 1e-3f);
            break;
        }
    }
    EXPECT_GT(wrong, 100) << "not before a second";
    now_ns += 3'000'000'000;
    EXPECT_TRUE(is_right(show(kGlove, "fist"), "fist"));
    now_ns += 3'000'000'000;
    EXPECT_FALSE(is_right(show(kOtherGlove, "fist"), "fist")) << "nothing is known of another";
}

TEST(GloveStream, TellsAllThatItDidNotUse) {
    using Dropped = std::vector<std::pair<std::string, std::uint64_t>>;
    GloveStream stream{Config{}};
    EXPECT_EQ(stream.dropped(), Dropped{});
    std::int64_t now_ns = 1'000'000'000;
    const auto take = [&](const std::vector<std::byte>& bytes, const Sender& sender) {
        stream.take(bytes, sender, now_ns += 1'000'000);
    };
    take(datagram(Hand::left, 10), kGlove);
    take(datagram(Hand::left, 10), kGlove);             // again
    take(datagram(Hand::left, 9), kGlove);              // late
    take(datagram(Hand::left, 11), kOtherGlove);        // somebody else's
    take(std::vector<std::byte>(48'000), kGlove);       // any size
    take(std::vector<std::byte>(1860), kGlove);         // another kind
    take(coil_datagram(Hand::left, {{true}}), kGlove);  // of a hand that a better protocol feeds
    take(coil_datagram(Hand::right, {}), kGlove);       // without one coil
    stream.take_osc(std::vector<std::byte>(13), kGlove, now_ns);
    EXPECT_EQ(stream.dropped(), (Dropped{{"body joints", 1},
                                         {"FSNH: size", 1},
                                         {"OSC: size", 1},
                                         {"left: duplicate", 1},
                                         {"left: late", 1},
                                         {"left: other sender", 1},
                                         {"left: better stream live", 1},
                                         {"right: nothing measured", 1}}));
}

TEST(GloveStream, TellsWhomItDidNotListenTo) {
    Config config;
    config.receiver = {{"127.0.0.1"}, 0, {"192.0.2.0/24"}};
    config.hand_engine.enabled = false;
    GloveStream stream{config};
    stream.start();
    ASSERT_TRUE(test::wait_for([&] { return stream.port() != 0; }));
    test::UdpSocket().send(datagram(Hand::left, 1), stream.port());
    ASSERT_TRUE(test::wait_for([&] { return !stream.dropped().empty(); }));
    EXPECT_EQ(stream.dropped()[0], (std::pair<std::string, std::uint64_t>("sender not allowed", 1)));
}

TEST(GloveStream, ReadsForearmPacketsWithTheWristInTheForearm) {
    GloveStream stream{Config{}};
    const XrPosef wrist_in_forearm{{0.1f, 0, 0, std::sqrt(0.99f)}, {0.01f, 0.02f, -0.25f}};
    const auto hand = to_sender(Hand::left, reference_pose(Hand::left, "flat").joint_in_wrist);
    FsnhHeader header{Hand::left, 1, 1'000'000'000, true, false};
    stream.take(forearm_datagram(header, seen_from_forearm(Hand::left, hand, wrist_in_forearm)), kGlove, 1);

    HandMotion motion;
    ASSERT_TRUE(stream.hand(Hand::left).motion.read(motion));
    EXPECT_TRUE(motion.sample.through_forearm);
    EXPECT_FALSE(motion.sample.forearm_live);
    EXPECT_NEAR(motion.sample.wrist_in_forearm.position.x, 0.01f, 1e-5f);
    EXPECT_NEAR(motion.sample.wrist_in_forearm.position.z, -0.25f, 1e-5f);
    EXPECT_NEAR(motion.sample.wrist_in_forearm.orientation.x, 0.1f, 1e-5f);
}

TEST(GloveStream, NeverPublishesANumberThatIsNotFinite) {
    std::mt19937 random(20260301);
    std::uniform_int_distribution<std::size_t> offset(0, 611);
    std::uniform_int_distribution<int> value(0, 255);
    GloveStream stream{Config{}};
    std::int64_t now_ns = 1'000'000'000;
    HandMotion motion;
    const std::array prepared{datagram(Hand::left, 0, "fist"), datagram(Hand::right, 0, "fist"),
                              datagram(Hand::left, 0, "flat"), datagram(Hand::right, 0, "flat")};
    for (std::uint32_t i = 1; i <= 20'000; ++i) {
        auto bytes = prepared[i % prepared.size()];
        for (std::size_t byte = 0; byte < 4; ++byte) {
            bytes[8 + byte] = static_cast<std::byte>(i >> (8 * byte));  // frame_index
        }
        for (int changes = static_cast<int>(i % 4); changes > 0; --changes) {
            bytes[offset(random)] = static_cast<std::byte>(value(random));
        }
        stream.take(bytes, kGlove, now_ns);
        now_ns += kTickNs;
        for (const Hand hand : kBothHands) {
            if (!stream.hand(hand).motion.read(motion)) {
                continue;
            }
            for (std::size_t joint = 0; joint < kJointCount; ++joint) {
                const XrPosef& pose = motion.sample.joint_in_wrist[joint];
                const Velocity& velocity = motion.velocity_in_wrist[joint];
                ASSERT_TRUE(std::isfinite(pose.position.x + pose.position.y + pose.position.z)) << i << ' ' << joint;
                ASSERT_TRUE(std::isfinite(velocity.linear.x + velocity.linear.y + velocity.linear.z));
                ASSERT_TRUE(std::isfinite(velocity.angular.x + velocity.angular.y + velocity.angular.z));
                const XrQuaternionf& q = pose.orientation;
                ASSERT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0f, 2e-6f) << i << ' ' << joint;
            }
        }
    }
    EXPECT_GT(stream.hand(Hand::left).samples, 1000u);
}

// Two ports, a thread each, one left hand; and somebody who looks. For ThreadSanitizer, above all.
TEST(GloveStream, TakesDatagramsOfTwoPortsWhileAnotherThreadReads) {
    Config config;
    config.receiver.port = 0;
    config.hand_engine.port = 0;
    GloveStream stream{config};
    stream.start();
    ASSERT_TRUE(test::wait_for([&] { return stream.port() != 0 && stream.hand_engine_port() != 0; }));
    std::atomic<bool> done{false};
    std::thread engine([&] {
        test::UdpSocket socket;
        const auto status = test::golden_file("hand_engine/glove_status.hex");
        const auto fist = test::golden_file("hand_engine/fist_left_bundle.hex");
        while (!done) {
            socket.send(status, stream.hand_engine_port());
            socket.send(fist, stream.hand_engine_port());
        }
    });
    std::thread joints([&] {
        test::UdpSocket socket;
        auto bytes = datagram(Hand::left, 0);
        for (std::uint32_t i = 1; !done; ++i) {
            for (std::size_t byte = 0; byte < 4; ++byte) {
                bytes[8 + byte] = static_cast<std::byte>(i >> (8 * byte));  // frame_index
            }
            socket.send(bytes, stream.port());
        }
    });
    const HandFeed& hand = stream.hand(Hand::left);
    HandMotion motion{};
    EXPECT_TRUE(test::wait_for([&] {
        if (hand.motion.read(motion)) {
            EXPECT_TRUE(motion.sample.source == Source::fsnh || motion.sample.source == Source::hand_engine);
            EXPECT_EQ(motion.sample.hand, Hand::left);
        }
        return hand.samples > 20 && hand.lower_priority > 20 &&
               stream.hand_engine_status().gloves[index_of(Hand::left)].received_ns != 0;
    }));
    done = true;
    engine.join();
    joints.join();
    EXPECT_EQ(motion.sample.source, Source::fsnh);
}

TEST(GloveStream, StartsAndStopsAsOftenAsAsked) {
    Config config;
    config.receiver.port = 0;
    config.hand_engine.port = 0;
    config.hand_engine.kinematic = {true, 0};
    GloveStream stream{config};
    EXPECT_TRUE(stream.stop());
    for (int i = 0; i < 5; ++i) {
        stream.start();
        stream.start();
        EXPECT_TRUE(stream.stop());
        EXPECT_EQ(stream.port(), 0);
        EXPECT_EQ(stream.hand_engine_port(), 0);
        EXPECT_EQ(stream.kinematic_port(), 0);
    }
}

}  // namespace
}  // namespace glove
