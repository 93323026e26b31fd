// SPDX-License-Identifier: Apache-2.0
// Hand Engine's datagrams in, moving hands and what is known of gloves out, without a socket: time is the test's.
// Not covered: whether joints are where they belong (test_gloves, through the loader), and what the log says (there
// too).
#include "glove_stream.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <span>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "hand/hand_engine_rig.hpp"
#include "hand/near.hpp"
#include "reference_poses.hpp"

namespace glove::test {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSampleNs = 8'333'333;
constexpr std::int64_t kStartNs = 5'000 * kMs;
constexpr Sender kEngine{1, "127.0.0.1:1"};
constexpr Sender kOtherEngine{2, "127.0.0.1:2"};

constexpr std::uint32_t bit(std::size_t joint) {
    return 1u << joint;
}

// The five messages of one sample: every finger's two hinges bent by `degrees`, in the default rig.
std::vector<Bytes> sample_of(Hand hand, std::int32_t timecode, double degrees, const std::string& performer = "0",
                             double sense = 1) {
    const double half = sense * degrees * std::numbers::pi / 360;
    std::vector<Bytes> messages;
    for (const char* finger : kFingerNames) {
        OscEncoder encoder("/v1/animation/" + performer + (hand == Hand::left ? "/1/" : "/2/") + finger +
                           "/rotationWithMetacarpals");
        encoder.i(timecode);
        for (int bone = 0; bone < 4; ++bone) {
            const bool bends = bone >= 2;
            encoder.f(bends ? std::sin(half) : 0).f(0).f(0).f(bends ? std::cos(half) : 1);
        }
        messages.push_back(encoder.bytes());
    }
    return messages;
}

void take(GloveStream& stream, const std::vector<Bytes>& messages, std::int64_t now_ns,
          const Sender& sender = kEngine) {
    for (const Bytes& message : messages) {
        stream.take_osc(message, sender, now_ns);
    }
}

Bytes glove_status(Hand hand, const std::string& glove, bool calibrated = true, std::int32_t performer = 0) {
    const std::int32_t side = hand == Hand::left ? 1 : 2;
    OscEncoder encoder("/v1/performer/glove/status");
    encoder.i(performer).i(side).s("dongle-7").s(glove).i(side).i(calibrated ? 1 : 0);
    encoder.s("F2").s("Pro Fidelity").s("3.1.2").i(0).f(0.625).i(1).i(0);
    return encoder.bytes();
}

HandMotion newest(const GloveStream& stream, Hand hand) {
    HandMotion motion{};
    EXPECT_TRUE(stream.hand(hand).motion.read(motion));
    return motion;
}

double bend_of(const HandSample& sample, std::size_t proximal) {
    return degrees_between(sample.joint_in_wrist[proximal].orientation,
                           sample.joint_in_wrist[proximal + 1].orientation);
}

TEST(HandEngineStream, PublishesAHandWithItsFifthFinger) {
    GloveStream stream{Config{}};
    const std::vector<Bytes> messages = sample_of(Hand::left, 1, 30);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        EXPECT_EQ(stream.hand(Hand::left).motion.newest(), 0u);
        stream.take_osc(messages[i], kEngine, kStartNs + static_cast<std::int64_t>(i));
    }
    const HandSample sample = newest(stream, Hand::left).sample;
    EXPECT_EQ(sample.source, Source::hand_engine);
    EXPECT_EQ(sample.tracked, kAllJointsTracked);
    EXPECT_EQ(sample.time_ns, kStartNs) << "when its first finger came";
    EXPECT_EQ(stream.hand(Hand::left).heard_ns, kStartNs + 4);
    EXPECT_EQ(stream.hand(Hand::left).datagrams, 5u);
    EXPECT_EQ(stream.hand(Hand::left).samples, 1u);
    EXPECT_EQ(stream.hand(Hand::right).motion.newest(), 0u);
}

TEST(HandEngineStream, TakesBundlesAsItTakesMessages) {
    GloveStream stream{Config{}};
    stream.take_osc(osc_bundle({osc_bundle(sample_of(Hand::left, 1, 30)), osc_bundle(sample_of(Hand::right, 1, 30))}),
                    kEngine, kStartNs);
    EXPECT_EQ(stream.hand(Hand::left).samples, 1u);
    EXPECT_EQ(stream.hand(Hand::right).samples, 1u);
}

// One in five lost, doubled and mixed with the next sample's. The bend tells of which timecode a finger is.
TEST(HandEngineStream, LosesTimeButNeverTearsAHandWhateverComesInWhichOrder) {
    std::mt19937 random(3);
    GloveStream stream{Config{}};
    struct Arrival {
        std::int64_t at_ns;
        std::int32_t timecode;
        Bytes message;
    };
    std::vector<Arrival> arrivals;
    constexpr int samples = 2000;
    const auto bend = [](std::int32_t timecode) { return 10 + 60.0 * ((timecode * 37) % 100) / 100; };
    for (std::int32_t timecode = 0; timecode < samples; ++timecode) {
        for (const Bytes& message : sample_of(Hand::left, timecode, bend(timecode))) {
            if (random() % 5 != 0) {
                const auto delay = static_cast<std::int64_t>(random() % (kSampleNs * 2));
                arrivals.push_back({kStartNs + timecode * kSampleNs + delay, timecode, message});
                if (random() % 10 == 0) {
                    arrivals.push_back({arrivals.back().at_ns + 1, timecode, message});
                }
            }
        }
    }
    std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.at_ns < b.at_ns; });

    std::int32_t begun = -1;  // the newest timecode of which anything has come
    std::uint64_t looked_at = 0;
    int torn = 0;
    for (const Arrival& arrival : arrivals) {
        stream.take_osc(arrival.message, kEngine, arrival.at_ns);
        // With the first message of a timecode everything older is out: one sample late at the most.
        if (arrival.timecode > begun && begun >= 0) {
            EXPECT_GE(static_cast<std::int32_t>(newest(stream, Hand::left).sample.sequence), begun);
        }
        begun = std::max(begun, arrival.timecode);
        if (stream.hand(Hand::left).motion.newest() == looked_at) {
            continue;
        }
        looked_at = stream.hand(Hand::left).motion.newest();
        const HandSample sample = newest(stream, Hand::left).sample;
        for (const std::size_t proximal : {XR_HAND_JOINT_INDEX_PROXIMAL_EXT, XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT,
                                           XR_HAND_JOINT_RING_PROXIMAL_EXT, XR_HAND_JOINT_LITTLE_PROXIMAL_EXT}) {
            if ((sample.tracked & bit(proximal)) != 0) {
                torn += std::abs(bend_of(sample, proximal) - bend(static_cast<std::int32_t>(sample.sequence))) > 0.05;
            }
        }
    }
    EXPECT_EQ(torn, 0);
    EXPECT_GT(looked_at, 1500u);
    EXPECT_GT(stream.hand(Hand::left).lost, 500u) << "samples without all fingers";
}

TEST(HandEngineStream, KeepsToThePerformerThatWasHeardFirst) {
    GloveStream stream{Config{}};
    take(stream, sample_of(Hand::left, 1, 30, "4"), kStartNs);
    take(stream, sample_of(Hand::left, 2, 60, "0"), kStartNs + kMs);
    take(stream, sample_of(Hand::right, 2, 60, "0"), kStartNs + kMs);
    EXPECT_EQ(stream.hand(Hand::left).samples, 1u);
    EXPECT_EQ(stream.hand(Hand::right).samples, 0u) << "two hands of two people are no pair";
    EXPECT_EQ(stream.other_performers(), 10u);
    EXPECT_EQ(stream.hand_engine_status().performer, 4);
    // Until that one is silent.
    take(stream, sample_of(Hand::right, 3, 60, "0"), kStartNs + 502 * kMs);
    EXPECT_EQ(stream.hand(Hand::right).samples, 1u);
    EXPECT_EQ(stream.hand_engine_status().performer, 0);
}

TEST(HandEngineStream, ListensToTheConfiguredPerformerAlone) {
    Config config;
    config.hand_engine.performer = 2;
    GloveStream stream{config};
    take(stream, sample_of(Hand::left, 1, 30, "0"), kStartNs);
    EXPECT_EQ(stream.hand(Hand::left).samples, 0u);
    take(stream, sample_of(Hand::left, 1, 30, "2"), kStartNs + kMs);
    EXPECT_EQ(stream.hand(Hand::left).samples, 1u);
}

TEST(HandEngineStream, DoesNotMixASecondSenderIn) {
    GloveStream stream{Config{}};
    for (int i = 0; i < 50; ++i) {
        take(stream, sample_of(Hand::left, i, 30), kStartNs + i * kSampleNs);
        take(stream, sample_of(Hand::left, 1000 + i, 60), kStartNs + i * kSampleNs + kMs, kOtherEngine);
        EXPECT_NEAR(bend_of(newest(stream, Hand::left).sample, XR_HAND_JOINT_INDEX_PROXIMAL_EXT), 30, 0.05);
    }
    EXPECT_EQ(stream.other_senders(), 250u);
    // And the other one when the first has gone, whatever its timecodes.
    take(stream, sample_of(Hand::left, 3, 60), kStartNs + 50 * kSampleNs + 501 * kMs, kOtherEngine);
    EXPECT_NEAR(bend_of(newest(stream, Hand::left).sample, XR_HAND_JOINT_INDEX_PROXIMAL_EXT), 60, 0.05);
}

TEST(HandEngineStream, GoesOnAfterARestartOfTheSender) {
    GloveStream stream{Config{}};
    for (int i = 0; i < 20; ++i) {
        take(stream, sample_of(Hand::left, 130'000'000 + i, 30), kStartNs + i * kSampleNs);
    }
    for (int i = 0; i < 20; ++i) {
        take(stream, sample_of(Hand::left, i, 60), kStartNs + (20 + i) * kSampleNs);
    }
    EXPECT_EQ(newest(stream, Hand::left).sample.sequence, 19u);
}

TEST(HandEngineStream, CountsWhatItCannotUseAndKeepsTheHand) {
    GloveStream stream{Config{}};
    take(stream, sample_of(Hand::left, 1, 30), kStartNs);
    stream.take_osc(OscEncoder("/v1/animation/0/1/Index/rotation").i(2).f(0).bytes(), kEngine, kStartNs + kMs);
    stream.take_osc(OscEncoder("/v1/performer/all").i(0).i(1).i(5).bytes(), kEngine, kStartNs + kMs);
    stream.take_osc(OscEncoder("/v1/animation/0/3/Index/rotation").i(2).bytes(), kEngine, kStartNs + kMs);
    stream.take_osc(OscEncoder("/command/port/status").i(2).bytes(), kEngine, kStartNs + kMs);
    const Bytes whole = sample_of(Hand::left, 2, 60)[0];
    stream.take_osc(std::span(whole).first(whole.size() - 4), kEngine, kStartNs + kMs);
    stream.take_osc(Bytes(13), kEngine, kStartNs + kMs);
    EXPECT_EQ(stream.decode_errors(hand_engine::DecodeError::argument_count), 1u);
    EXPECT_EQ(stream.decode_errors(hand_engine::DecodeError::argument_type), 1u);
    EXPECT_EQ(stream.decode_errors(hand_engine::DecodeError::hand), 1u);
    EXPECT_EQ(stream.decode_errors(hand_engine::DecodeError::unknown_address), 1u);
    EXPECT_EQ(stream.decode_errors(osc::DecodeError::arguments), 1u);
    EXPECT_EQ(stream.decode_errors(osc::DecodeError::size), 1u);
    EXPECT_EQ(stream.hand(Hand::left).samples, 1u);
    EXPECT_EQ(stream.hand(Hand::left).heard_ns, kStartNs);
    EXPECT_EQ(stream.dropped().size(), 6u) << "each of these under its own name";
}

TEST(HandEngineStream, TakesRotationsOfNoLengthForNoSignOfAHand) {
    GloveStream stream{Config{}};
    for (const char* finger : kFingerNames) {
        OscEncoder encoder(std::string("/v1/animation/0/1/") + finger + "/rotation");
        encoder.i(1);
        for (int i = 0; i < 12; ++i) {
            encoder.f(0);
        }
        stream.take_osc(encoder.bytes(), kEngine, kStartNs);
    }
    EXPECT_EQ(stream.hand(Hand::left).samples, 0u);
    EXPECT_EQ(stream.hand(Hand::left).heard_ns, 0);
}

TEST(HandEngineStream, ReportsAnUncalibratedGloveAsNotTracked) {
    GloveStream stream{Config{}};
    stream.take_osc(glove_status(Hand::left, "SSG-1", false), kEngine, kStartNs);
    take(stream, sample_of(Hand::left, 1, 30), kStartNs);
    take(stream, sample_of(Hand::right, 1, 30), kStartNs);
    EXPECT_EQ(newest(stream, Hand::left).sample.tracked, 0u);
    EXPECT_EQ(newest(stream, Hand::right).sample.tracked, kAllJointsTracked);
    EXPECT_EQ(stream.hand(Hand::left).heard_ns, kStartNs) << "it is there all the same";
    // A stranger cannot say so of a hand that is live.
    stream.take_osc(glove_status(Hand::right, "SSG-2", false), kOtherEngine, kStartNs + kMs);
    take(stream, sample_of(Hand::right, 2, 30), kStartNs + kMs);
    EXPECT_EQ(newest(stream, Hand::right).sample.tracked, kAllJointsTracked);
    stream.take_osc(glove_status(Hand::left, "SSG-1", true), kEngine, kStartNs + kMs);
    take(stream, sample_of(Hand::left, 2, 30), kStartNs + kMs);
    EXPECT_EQ(newest(stream, Hand::left).sample.tracked, kAllJointsTracked);
}

TEST(HandEngineStream, TellsWhatIsKnownOfTheGloves) {
    GloveStream stream{Config{}};
    EXPECT_EQ(stream.hand_engine_status().gloves[0].received_ns, 0);
    EXPECT_TRUE(std::isnan(stream.hand_engine_status().gloves[0].battery));
    stream.take_osc(OscEncoder("/v1/performer/all").i(0).i(1).s("Ada").bytes(), kEngine, kStartNs);
    stream.take_osc(glove_status(Hand::right, std::string(200, 'x')), kEngine, kStartNs + 1);
    stream.take_osc(OscEncoder("/v1/device/dongle/status").s("dongle-7").s("1.9").i(0).bytes(), kEngine, kStartNs + 2);
    const HandEngineStatus status = stream.hand_engine_status();
    EXPECT_EQ(status.performer_name.view(), "Ada");
    EXPECT_TRUE(status.staged);
    EXPECT_EQ(status.performer_received_ns, kStartNs);
    const HandEngineStatus::Glove& glove = status.gloves[index_of(Hand::right)];
    EXPECT_EQ(glove.received_ns, kStartNs + 1);
    EXPECT_EQ(glove.id.view(), std::string(48, 'x'));
    EXPECT_EQ(glove.product.view(), "Pro Fidelity");
    EXPECT_EQ(glove.revision.view(), "F2");
    EXPECT_EQ(glove.firmware.view(), "3.1.2");
    EXPECT_EQ(glove.dongle.view(), "dongle-7");
    EXPECT_FLOAT_EQ(glove.battery, 0.625f);
    EXPECT_TRUE(glove.calibrated);
    EXPECT_EQ(status.gloves[index_of(Hand::left)].received_ns, 0);
    EXPECT_EQ(status.dongles[0].id.view(), "dongle-7");
    EXPECT_EQ(status.dongles[0].firmware.view(), "1.9");
    EXPECT_EQ(status.dongles[1].received_ns, 0);
}

TEST(HandEngineStream, KeepsTheDonglesThatWereHeardOfLast) {
    GloveStream stream{Config{}};
    for (int i = 0; i < 9; ++i) {
        const std::string id = "dongle-" + std::to_string(i < 6 ? i : 5);
        stream.take_osc(OscEncoder("/v1/device/dongle/status").s(id).s("1").i(0).bytes(), kEngine, kStartNs + i);
    }
    std::multiset<std::string_view> ids;
    const HandEngineStatus status = stream.hand_engine_status();
    for (const HandEngineStatus::Dongle& dongle : status.dongles) {
        ids.insert(dongle.id.view());
    }
    EXPECT_EQ(ids, (std::multiset<std::string_view>{"dongle-2", "dongle-3", "dongle-4", "dongle-5"}));
}

class RigMemory : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "glove_rigs_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        file_ = folder_ / "calibration.toml";
    }
    void TearDown() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    // A finger that closes and opens in the rig whose fingers bend the other way.
    static void move_mirrored(GloveStream& stream) {
        for (int i = 0; i < 60; ++i) {
            take(stream, sample_of(Hand::left, 1000 + i, 45 + 40 * std::sin(0.3 * i), "0", -1),
                 kStartNs + i * kSampleNs);
        }
    }
    static RigVerdict rig_of(const GloveStream& stream) {
        return stream.hand_engine_status().gloves[index_of(Hand::left)].rig;
    }

    std::filesystem::path folder_;
    std::filesystem::path file_;
};

TEST_F(RigMemory, KnowsTheRigOfAGloveTheNextTime) {
    {
        GloveStream stream{Config{}, file_};
        stream.take_osc(glove_status(Hand::left, "SSG 1"), kEngine, kStartNs);
        move_mirrored(stream);
        EXPECT_EQ(rig_of(stream), RigVerdict::mirror_x);
    }
    const std::string* const kept = load_calibration(file_).values.find_text(rig_key(Hand::left, "SSG 1"));
    ASSERT_NE(kept, nullptr);
    GloveStream next{Config{}, file_};
    next.take_osc(glove_status(Hand::left, "SSG 1"), kEngine, kStartNs);
    take(next, sample_of(Hand::left, 1, 50, "0", -1), kStartNs);
    EXPECT_EQ(rig_of(next), RigVerdict::mirror_x);
    // Another glove is another matter.
    GloveStream other{Config{}, file_};
    other.take_osc(glove_status(Hand::left, "SSG 2"), kEngine, kStartNs);
    take(other, sample_of(Hand::left, 1, 50, "0", -1), kStartNs);
    EXPECT_EQ(rig_of(other), RigVerdict::undecided);
}

TEST_F(RigMemory, WritesOnlyWhatItHasLearnt) {
    CalibrationValues before;
    before.numbers["somebody.else"] = {1};
    ASSERT_EQ(save_calibration(before, file_), "");
    const auto written = std::filesystem::last_write_time(file_);
    {
        GloveStream stream{Config{}, file_};
        for (int i = 0; i < 60; ++i) {
            take(stream, sample_of(Hand::left, i, 10), kStartNs + i * kSampleNs);
        }
    }
    EXPECT_EQ(std::filesystem::last_write_time(file_), written);
    {
        GloveStream stream{Config{}, file_};
        move_mirrored(stream);
    }
    CalibrationValues after = before;
    after.texts[rig_key(Hand::left, "")] = "mirror-x";
    EXPECT_EQ(load_calibration(file_).values, after);
}

TEST_F(RigMemory, NeitherWritesNorFollowsItWhereTheAxesAreConfigured) {
    Config config;
    config.hand_engine.axes = Config::Axes::unity_wave;
    {
        GloveStream stream{config, file_};
        move_mirrored(stream);
    }
    EXPECT_FALSE(std::filesystem::exists(file_));
    GloveStream stream{config, file_};
    move_mirrored(stream);
    // As configured, though the fingers then bend backwards.
    take(stream, sample_of(Hand::left, 2000, 60, "0", -1), kStartNs + 61 * kSampleNs);
    const HandSample sample = newest(stream, Hand::left).sample;
    const Row distal = transposed(matrix_of(sample.joint_in_wrist[XR_HAND_JOINT_INDEX_PROXIMAL_EXT].orientation)) *
                       from_to(sample.joint_in_wrist[XR_HAND_JOINT_INDEX_PROXIMAL_EXT].position,
                               sample.joint_in_wrist[XR_HAND_JOINT_INDEX_DISTAL_EXT].position);
    EXPECT_GT(distal[1], 0.005);
}

TEST_F(RigMemory, IsNotFilledByASenderThatKeepsRenamingItsGlove) {
    {
        GloveStream stream{Config{}, file_};
        move_mirrored(stream);
        for (int i = 0; i < 200; ++i) {
            stream.take_osc(glove_status(Hand::left, "glove" + std::to_string(i)), kEngine, kStartNs + 60 * kSampleNs);
        }
    }
    EXPECT_GE(load_calibration(file_).values.texts.size(), 1u);
    EXPECT_LE(load_calibration(file_).values.texts.size(), 16u);
}

TEST_F(RigMemory, GoesOnWithoutItWhereTheFileCannotBeWritten) {
    GloveStream stream{Config{}, file_ / "below a folder that is none"};
    ASSERT_EQ(save_calibration({}, file_), "");
    move_mirrored(stream);
    EXPECT_EQ(rig_of(stream), RigVerdict::mirror_x);
}

// 26 joints, each in its parent, already in OpenXR axes.
Bytes kinematic(std::int32_t tick, float little_tip) {
    OscEncoder encoder("/v1/animation/kinematic/all");
    encoder.i(tick).i(0).i(1).s("Reality Glove (L)").s("Reality Glove");
    for (int joint = 0; joint < 26; ++joint) {
        const float z =
            joint == XR_HAND_JOINT_WRIST_EXT ? 0 : (joint == XR_HAND_JOINT_LITTLE_TIP_EXT ? -little_tip : -0.02f);
        encoder.f(0).f(0).f(z).f(0).f(0).f(0).f(1);
    }
    return encoder.bytes();
}

TEST(HandEngineStream, TakesJointsOfTheKinematicStreamAsTheyAre) {
    GloveStream stream{Config{}};
    stream.take_osc(kinematic(1, 0.03f), kEngine, kStartNs);
    stream.take_osc(kinematic(1, 0.04f), kEngine, kStartNs + kMs);
    const HandSample sample = newest(stream, Hand::left).sample;
    EXPECT_EQ(stream.hand(Hand::left).samples, 1u) << "the same tick again";
    EXPECT_EQ(sample.time_ns, kStartNs);
    EXPECT_NEAR(sample.joint_in_wrist[XR_HAND_JOINT_LITTLE_TIP_EXT].position.z, -(4 * 0.02 + 0.03), 1e-6);
    // Rotations from the same program are another stream.
    take(stream, sample_of(Hand::left, 1, 30), kStartNs + 2 * kMs);
    EXPECT_EQ(stream.hand(Hand::left).samples, 1u);
}

}  // namespace
}  // namespace glove::test
