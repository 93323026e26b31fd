// SPDX-License-Identifier: Apache-2.0
// Hand Engine's addresses and argument orders, from bytes that liblo wrote in the order of the Open SDK document.
// Not here: OSC itself (osc_test.cpp), joining of fingers (finger_assembly_test.cpp), what rotations mean
// (hand/bone_chain_test.cpp). No recording of Hand Engine is public, so none is looked at.
#include "protocol/hand_engine.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>

#include "golden_file.hpp"
#include "osc_encoding.hpp"
#include "protocol/golden_hand_engine.hpp"

namespace glove::hand_engine {
namespace {

using test::Bytes;
using test::OscEncoder;

constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();

// Keeps the bytes that texts point into.
struct Decoded {
    explicit Decoded(const OscEncoder& encoder) : bytes(encoder.bytes()) {
        osc::Message message;
        EXPECT_EQ(osc::read_message(bytes, message), osc::DecodeError::none);
        error = decode(message, said);
    }
    template <class T>
    const T& as() const {
        return std::get<T>(said);
    }
    Bytes bytes;
    Message said;
    DecodeError error;
};

DecodeError decode_error_of(const OscEncoder& encoder) {
    return Decoded(encoder).error;
}

// Timecode, then 1, 2, 3 ... so that every argument shows where it went.
OscEncoder& count_up(OscEncoder& encoder, int count) {
    encoder.i(134255043);
    for (int k = 1; k < count; ++k) {
        encoder.f(0.5 + k);
    }
    return encoder;
}

TEST(HandEngine, ReadsRotationWithMetacarpalsBoneByBone) {
    OscEncoder encoder("/v1/animation/3/2/Little/rotationWithMetacarpals");
    const Decoded decoded(count_up(encoder, 17));
    ASSERT_EQ(decoded.error, DecodeError::none);
    const auto& rotation = decoded.as<FingerRotation>();
    EXPECT_EQ(rotation.timecode, 134255043);
    EXPECT_EQ(rotation.performer, 3);
    EXPECT_EQ(rotation.hand, Hand::right);
    EXPECT_EQ(rotation.finger, Finger::little);
    EXPECT_TRUE(rotation.with_metacarpals);
    EXPECT_EQ(rotation.bones[kMetacarpal], (Quaternion{1.5f, 2.5f, 3.5f, 4.5f}));
    EXPECT_EQ(rotation.bones[kProximal], (Quaternion{5.5f, 6.5f, 7.5f, 8.5f}));
    EXPECT_EQ(rotation.bones[kIntermediate], (Quaternion{9.5f, 10.5f, 11.5f, 12.5f}));
    EXPECT_EQ(rotation.bones[kDistal], (Quaternion{13.5f, 14.5f, 15.5f, 16.5f}));
}

TEST(HandEngine, ReadsRotationAsThreeBonesWithoutAMetacarpal) {
    OscEncoder encoder("/v1/animation/0/1/Thumb/rotation");
    const Decoded decoded(count_up(encoder, 13));
    ASSERT_EQ(decoded.error, DecodeError::none);
    const auto& rotation = decoded.as<FingerRotation>();
    EXPECT_EQ(rotation.hand, Hand::left);
    EXPECT_EQ(rotation.finger, Finger::thumb);
    EXPECT_FALSE(rotation.with_metacarpals);
    EXPECT_TRUE(is_null(rotation.bones[kMetacarpal]));
    EXPECT_EQ(rotation.bones[kProximal], (Quaternion{1.5f, 2.5f, 3.5f, 4.5f}));
    EXPECT_EQ(rotation.bones[kIntermediate], (Quaternion{5.5f, 6.5f, 7.5f, 8.5f}));
    EXPECT_EQ(rotation.bones[kDistal], (Quaternion{9.5f, 10.5f, 11.5f, 12.5f}));
}

TEST(HandEngine, ReadsPosition) {
    OscEncoder encoder("/v1/animation/0/1/Middle/position");
    const Decoded decoded(count_up(encoder, 10));
    ASSERT_EQ(decoded.error, DecodeError::none);
    const auto& position = decoded.as<FingerPosition>();
    EXPECT_EQ(position.finger, Finger::middle);
    EXPECT_EQ(position.timecode, 134255043);
    EXPECT_EQ(position.bones[0], (std::array<float, 3>{1.5f, 2.5f, 3.5f}));
    EXPECT_EQ(position.bones[2], (std::array<float, 3>{7.5f, 8.5f, 9.5f}));
}

TEST(HandEngine, TakesWholeNumbersSentAsIntegers) {
    OscEncoder encoder("/v1/animation/0/1/Index/rotation");
    encoder.i(7).i(0).f(-0.1936401).i(0).f(0.9810718).i(0).i(0).i(0).i(1).i(-1).i(0).i(0).i(0);
    const Decoded decoded(encoder);
    ASSERT_EQ(decoded.error, DecodeError::none);
    const auto& rotation = decoded.as<FingerRotation>();
    EXPECT_EQ(rotation.bones[kProximal], (Quaternion{0.0f, -0.1936401f, 0.0f, 0.9810718f}));
    EXPECT_EQ(rotation.bones[kIntermediate], (Quaternion{0, 0, 0, 1}));
    EXPECT_EQ(rotation.bones[kDistal], (Quaternion{-1, 0, 0, 0}));
}

TEST(HandEngine, TakesANullForAMissingBone) {
    OscEncoder encoder("/v1/animation/0/1/Thumb/rotation");
    encoder.i(7).f(0).f(0).f(0).f(1).i(kLowest).f(kLowest).i(kLowest).f(kLowest).f(0).f(0).f(0).f(1);
    const Decoded decoded(encoder);
    ASSERT_EQ(decoded.error, DecodeError::none);
    EXPECT_TRUE(is_null(decoded.as<FingerRotation>().bones[kIntermediate]));
    EXPECT_FALSE(is_null(decoded.as<FingerRotation>().bones[kProximal]));
}

TEST(HandEngine, TakesOneArgumentMoreWithMetacarpalsAndNoOtherCount) {
    for (int count = 0; count <= 20; ++count) {
        OscEncoder with("/v1/animation/0/1/Index/rotationWithMetacarpals");
        OscEncoder without("/v1/animation/0/1/Index/rotation");
        OscEncoder position("/v1/animation/0/1/Index/position");
        const auto expected = [&](bool good) { return good ? DecodeError::none : DecodeError::argument_count; };
        EXPECT_EQ(decode_error_of(count_up(with, count)), expected(count == 17 || count == 18)) << count;
        EXPECT_EQ(decode_error_of(count_up(without, count)), expected(count == 13)) << count;
        EXPECT_EQ(decode_error_of(count_up(position, count)), expected(count == 10)) << count;
    }
}

TEST(HandEngine, KnowsEachFingerByItsExactName) {
    const std::array<const char*, kFingerCount> names{"Thumb", "Index", "Middle", "Ring", "Little"};
    for (std::size_t k = 0; k < names.size(); ++k) {
        OscEncoder encoder(std::string("/v1/animation/0/2/") + names[k] + "/rotation");
        const Decoded decoded(count_up(encoder, 13));
        ASSERT_EQ(decoded.error, DecodeError::none) << names[k];
        EXPECT_EQ(decoded.as<FingerRotation>().finger, static_cast<Finger>(k));
    }
    for (const char* wrong : {"index", "INDEX", "Pinky", "Indexx", "", " Index"}) {
        OscEncoder encoder(std::string("/v1/animation/0/2/") + wrong + "/rotation");
        EXPECT_EQ(decode_error_of(count_up(encoder, 13)), DecodeError::unknown_address) << wrong;
    }
}

TEST(HandEngine, RefusesUnknownAddressesAsSuch) {
    for (const char* address : {"/",
                                "/v1",
                                "/v1/animation",
                                "/v1/animation/",
                                "/v1/animation/0",
                                "/v1/animation/0/1",
                                "/v1/animation/0/1/Index",
                                "/v1/animation/0/1/Index/",
                                "/v1/animation/0/1/Index/rotation/",
                                "/v1/animation/0/1/Index/rotations",
                                "/v1/animation/x/1/Index/rotation",
                                "/v1/animation/0/one/Index/rotation",
                                "/v1/animation//1/Index/rotation",
                                "/v1/animation/99999999999/1/Index/rotation",
                                "/v1/animation/0 /1/Index/rotation",
                                "/v2/animation/slider/all",
                                "/v1/animation/slider/all/",
                                "/v1/Performer/all",
                                "/command/port/status",
                                "/v1/performer/glove/status2"}) {
        OscEncoder encoder(address);
        EXPECT_EQ(decode_error_of(count_up(encoder, 13)), DecodeError::unknown_address) << address;
    }
}

TEST(HandEngine, RefusesAHandThatIsNeitherLeftNorRight) {
    for (const char* address : {"/v1/animation/0/0/Index/rotation", "/v1/animation/0/3/Index/rotation",
                                "/v1/animation/0/-1/Index/rotation"}) {
        OscEncoder encoder(address);
        EXPECT_EQ(decode_error_of(count_up(encoder, 13)), DecodeError::hand) << address;
    }
}

TEST(HandEngine, RefusesTextAndInfinityAmongRotations) {
    OscEncoder text("/v1/animation/0/1/Index/rotation");
    count_up(text, 12).s("1.0");
    EXPECT_EQ(decode_error_of(text), DecodeError::argument_type);
    OscEncoder infinite("/v1/animation/0/1/Index/rotation");
    count_up(infinite, 12).f(std::numeric_limits<double>::infinity());
    EXPECT_EQ(decode_error_of(infinite), DecodeError::not_finite);
    OscEncoder not_a_number("/v1/animation/0/1/Index/rotation");
    count_up(not_a_number, 12).f(std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(decode_error_of(not_a_number), DecodeError::not_finite);
}

// Arguments 5 to 25 are 5.5, 6.5 ... 25.5, or null where a Studio glove has none.
OscEncoder& sliders(OscEncoder& encoder, int handedness, bool studio) {
    encoder.i(99).i(1).i(handedness).s("SN-1234").s("G");
    for (int k = 5; k < 26; ++k) {
        const bool fidelity_only = k == 7 || k == 11 || k == 14 || k == 17 || k == 20 || k >= 22;
        studio&& fidelity_only ? encoder.i(kLowest) : encoder.f(0.5 + k);
    }
    return encoder;
}

TEST(HandEngine, ReadsSlidersInTheDocumentsOrder) {
    OscEncoder encoder("/v1/animation/slider/all");
    const Decoded decoded(sliders(encoder, 2, false));
    ASSERT_EQ(decoded.error, DecodeError::none);
    const auto& said = decoded.as<Sliders>();
    EXPECT_EQ(said.timecode, 99);
    EXPECT_EQ(said.performer, 1);
    EXPECT_EQ(said.hand, Hand::right);
    EXPECT_EQ(said.glove_id, "SN-1234");
    EXPECT_EQ(said.glove_revision, "G");
    EXPECT_EQ(said.values.bend[0], (std::array<float, 3>{5.5f, 6.5f, 7.5f}));
    EXPECT_EQ(said.values.splay[0], 8.5f);
    EXPECT_EQ(said.values.bend[1], (std::array<float, 3>{9.5f, 10.5f, 11.5f}));
    EXPECT_EQ(said.values.bend[4], (std::array<float, 3>{18.5f, 19.5f, 20.5f}));
    EXPECT_EQ(said.values.global_splay, 21.5f);
    EXPECT_EQ(said.values.splay[1], 22.5f);
    EXPECT_EQ(said.values.splay[4], 25.5f);
}

TEST(HandEngine, KeepsStudiosTwelveSlidersAndTheNullsBetweenThem) {
    OscEncoder encoder("/v1/animation/slider/all");
    const Decoded decoded(sliders(encoder, 1, true));
    ASSERT_EQ(decoded.error, DecodeError::none);
    const SliderValues& values = decoded.as<Sliders>().values;
    int live = osc::is_null(values.global_splay) ? 0 : 1;
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        EXPECT_TRUE(osc::is_null(values.bend[finger][2])) << finger;
        for (const float bend : values.bend[finger]) {
            live += osc::is_null(bend) ? 0 : 1;
        }
        live += osc::is_null(values.splay[finger]) ? 0 : 1;
    }
    EXPECT_EQ(live, 12);
}

TEST(HandEngine, RefusesSlidersOfNoHandOrOfAnotherCount) {
    OscEncoder nobody("/v1/animation/slider/all");
    EXPECT_EQ(decode_error_of(sliders(nobody, 0, false)), DecodeError::hand);
    OscEncoder more("/v1/animation/slider/all");
    EXPECT_EQ(decode_error_of(sliders(more, 1, false).f(0)), DecodeError::argument_count);
    OscEncoder untyped("/v1/animation/slider/all");
    untyped.i(99).i(1).i(1).i(5).s("G");
    for (int k = 5; k < 26; ++k) {
        untyped.f(0);
    }
    EXPECT_EQ(decode_error_of(untyped), DecodeError::argument_type);
}

TEST(HandEngine, ReadsPerformer) {
    const Decoded decoded(OscEncoder("/v1/performer/all").i(2).i(1).s("Ada"));
    ASSERT_EQ(decoded.error, DecodeError::none);
    EXPECT_EQ(decoded.as<Performer>().performer, 2);
    EXPECT_TRUE(decoded.as<Performer>().staged);
    EXPECT_EQ(decoded.as<Performer>().name, "Ada");
}

TEST(HandEngine, ReadsGloveStatus) {
    OscEncoder encoder("/v1/performer/glove/status");
    encoder.i(2).i(1).s("D-1").s("GL-7").i(2).i(1).s("F").s("Pro Fidelity").s("3.1").i(4).f(87.5).i(kLowest).i(1);
    const Decoded decoded(encoder);
    ASSERT_EQ(decoded.error, DecodeError::none);
    const auto& status = decoded.as<GloveStatus>();
    EXPECT_EQ(status.performer, 2);
    EXPECT_EQ(status.profile_hand, Hand::left);
    EXPECT_EQ(status.dongle_id, "D-1");
    EXPECT_EQ(status.glove_id, "GL-7");
    EXPECT_EQ(status.glove_hand, Hand::right);
    EXPECT_TRUE(status.calibrated);
    EXPECT_EQ(status.glove_revision, "F");
    EXPECT_EQ(status.product, "Pro Fidelity");
    EXPECT_EQ(status.firmware, "3.1");
    EXPECT_EQ(status.version_status, 4);
    EXPECT_EQ(status.battery, 87.5f);
    EXPECT_EQ(status.sd_card, std::nullopt);
    EXPECT_TRUE(status.jam_synced);
}

TEST(HandEngine, TakesAGloveWithoutAHandAndWithoutCalibration) {
    OscEncoder encoder("/v1/performer/glove/status");
    encoder.i(2).i(0).s("").s("").i(0).i(0).s("").s("").s("").i(0).i(80).i(0).i(0);
    const Decoded decoded(encoder);
    ASSERT_EQ(decoded.error, DecodeError::none);
    const auto& status = decoded.as<GloveStatus>();
    EXPECT_EQ(status.profile_hand, std::nullopt);
    EXPECT_FALSE(status.calibrated);
    EXPECT_EQ(status.battery, 80.0f);
    EXPECT_EQ(status.sd_card, false);
}

TEST(HandEngine, ReadsDongleStatus) {
    const Decoded decoded(OscEncoder("/v1/device/dongle/status").s("D-1").s("2.0").i(3));
    ASSERT_EQ(decoded.error, DecodeError::none);
    EXPECT_EQ(decoded.as<DongleStatus>().dongle_id, "D-1");
    EXPECT_EQ(decoded.as<DongleStatus>().firmware, "2.0");
    EXPECT_EQ(decoded.as<DongleStatus>().version_status, 3);
}

TEST(HandEngine, ReadsTheKindredStreamJointByJoint) {
    OscEncoder encoder("/v1/animation/kinematic/all");
    encoder.i(5).i(0).i(1).s("Reality Glove (L)").s("Reality Glove");
    for (int k = 0; k < 26 * 7; ++k) {
        encoder.f(0.25 + k);
    }
    const Decoded decoded(encoder);
    ASSERT_EQ(decoded.error, DecodeError::none);
    const auto& kinematic = decoded.as<KinematicHand>();
    EXPECT_EQ(kinematic.timecode, 5);
    EXPECT_EQ(kinematic.hand, Hand::left);
    EXPECT_EQ(kinematic.glove_id, "Reality Glove (L)");
    EXPECT_EQ(kinematic.joints[1].position, (std::array<float, 3>{7.25f, 8.25f, 9.25f}));
    EXPECT_EQ(kinematic.joints[25].orientation, (Quaternion{178.25f, 179.25f, 180.25f, 181.25f}));
    OscEncoder shorter("/v1/animation/kinematic/all");
    EXPECT_EQ(decode_error_of(count_up(shorter, 186)), DecodeError::argument_count);
}

// Packets that a script made from the documents alone.
std::vector<Message> said_by(const std::string& name) {
    static std::vector<Bytes> kept;  // texts point into them
    kept.push_back(test::golden_file("hand_engine/" + name + ".hex"));
    osc::PacketReader packet(kept.back());
    osc::Message message;
    std::vector<Message> out;
    while (packet.next(message)) {
        EXPECT_EQ(decode(message, out.emplace_back()), DecodeError::none) << name;
    }
    EXPECT_EQ(packet.error(), osc::DecodeError::none) << name;
    return out;
}

TEST(HandEngineGolden, SaysWhatThePacketsSay) {
    const auto index = std::get<FingerRotation>(said_by("finger_left_index").at(0));
    EXPECT_EQ(index.timecode, 134255043);
    EXPECT_EQ(index.hand, Hand::left);
    EXPECT_TRUE(index.with_metacarpals);
    EXPECT_EQ(index.bones[kMetacarpal], (Quaternion{0, 0, 0, 1}));
    EXPECT_NEAR(index.bones[kIntermediate][0], 0.5, 1e-6) << "60 degrees";

    const auto thumb = std::get<FingerRotation>(said_by("finger_right_thumb").at(0));
    EXPECT_EQ(thumb.hand, Hand::right);
    EXPECT_EQ(thumb.finger, Finger::thumb);
    EXPECT_FALSE(thumb.with_metacarpals);

    EXPECT_NEAR(std::get<FingerPosition>(said_by("position_left_middle").at(0)).bones[0][2], 0.0228914, 1e-7);

    const auto studio = std::get<Sliders>(said_by("sliders_studio").at(0));
    EXPECT_EQ(studio.glove_revision, "G");
    EXPECT_EQ(studio.values.bend[1][0], 9.0f / 32);
    EXPECT_TRUE(osc::is_null(studio.values.bend[1][2]));
    EXPECT_EQ(std::get<Sliders>(said_by("sliders_fidelity").at(0)).values.splay[4], 25.0f / 32);

    EXPECT_EQ(std::get<Performer>(said_by("performer").at(0)).name, "Ada");
    EXPECT_EQ(std::get<GloveStatus>(said_by("glove_status").at(0)).battery, 87.5f);
    EXPECT_EQ(std::get<DongleStatus>(said_by("dongle_status").at(0)).firmware, "2.0");

    EXPECT_EQ(said_by("fist_left_bundle").size(), 5u);
    const std::vector<Message> nested = said_by("two_samples_nested");
    ASSERT_EQ(nested.size(), 20u);
    EXPECT_EQ(std::get<FingerRotation>(nested[0]).timecode, 235959059);
    EXPECT_EQ(std::get<FingerRotation>(nested[5]).hand, Hand::right);
    EXPECT_EQ(std::get<FingerRotation>(nested[19]).timecode, 0);

    const auto kinematic = std::get<KinematicHand>(said_by("kinematic_left").at(0));
    EXPECT_EQ(kinematic.glove_type, "Reality Glove");
    EXPECT_EQ(kinematic.joints[25].orientation[0], -0.5f);
}

// The messages of golden_packets_test.cpp, by liblo.
template <std::size_t Size>
Bytes bytes_of(const std::array<std::uint8_t, Size>& packet) {
    const auto bytes = std::as_bytes(std::span(packet));
    return {bytes.begin(), bytes.end()};
}

OscEncoder& add(OscEncoder& encoder, std::initializer_list<double> values, double over = 1) {
    for (const double value : values) {
        encoder.f(value / over);
    }
    return encoder;
}

TEST(GoldenHandEngine, LibloWritesTheSameRotationWithMetacarpals) {
    OscEncoder encoder("/v1/animation/3/2/Little/rotationWithMetacarpals");
    encoder.i(134255043);
    add(encoder, {-2, -5, 6, -4}, 9);
    add(encoder, {10, -1, -2, 4}, 11);
    add(encoder, {8, 11, 2, -6}, 15);
    add(encoder, {10, 8, 14, -13}, 23);
    EXPECT_EQ(encoder.bytes(), bytes_of(golden_hand_engine::kRotationWithMetacarpals));
}

TEST(GoldenHandEngine, LibloWritesTheSameRotationOfAThumb) {
    OscEncoder encoder("/v1/animation/0/1/Thumb/rotation");
    add(encoder.i(134255043), {-0.1692586, -0.1232476, -0.06889943, 0.9754032});
    add(encoder.i(kLowest).i(kLowest).i(kLowest).i(kLowest), {11, 8, -10, 2}, 17);
    EXPECT_EQ(encoder.bytes(), bytes_of(golden_hand_engine::kRotation));
}

TEST(GoldenHandEngine, LibloWritesTheSamePosition) {
    OscEncoder encoder("/v1/animation/0/1/Index/position");
    encoder.i(134255043);
    add(encoder, {-0.07707334, -0.0002944469, 0.0228914});
    add(encoder, {-0.03520012, -0.000001430511, 0});
    add(encoder, {-0.02065659, -0.000000834465, 0});
    EXPECT_EQ(encoder.bytes(), bytes_of(golden_hand_engine::kPosition));
}

TEST(GoldenHandEngine, LibloWritesTheSameSliders) {
    OscEncoder encoder("/v1/animation/slider/all");
    encoder.i(134255043).i(2).i(2).s("PF-4021").s("F");
    add(encoder, {13, 9, 11, -5}, 32);                                  // thumb, with its splay
    add(encoder, {17, 21, 7, 19, 23, 15, 25, 27, 29, 31, 33, 32}, 32);  // index to little
    add(encoder, {24, -2, 1, 3, -10}, 32);                              // splay
    EXPECT_EQ(encoder.bytes(), bytes_of(golden_hand_engine::kSliders));
}

TEST(GoldenHandEngine, LibloWritesTheSameMessagesOfABundle) {
    OscEncoder thumb("/v1/animation/0/2/Thumb/position");
    add(thumb.i(235959119), {8, -12, 14, 10, -2, 6, 5, -1, 3}, 256);
    OscEncoder ring("/v1/animation/1/1/Ring/position");
    add(ring.i(10203004), {40, -6, 44, 22, -11, 26, 15, -7, 17}, 512);
    EXPECT_EQ(test::osc_bundle({thumb.bytes(), ring.bytes()}), bytes_of(golden_hand_engine::kBundle));
}

TEST(GoldenHandEngine, LibloWritesTheSameRotationOfHalves) {
    OscEncoder encoder("/v1/animation/0/1/Middle/rotationWithMetacarpals");
    add(encoder.i(134255043), {1, 1, 1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, 1, 1}, 2);
    EXPECT_EQ(encoder.bytes(), bytes_of(golden_hand_engine::kHalves));
}

}  // namespace
}  // namespace glove::hand_engine
