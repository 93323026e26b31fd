// SPDX-License-Identifier: Apache-2.0
// From the user's files to what solvers are set up with.
// Not covered: whether a capture fits a hand (test_fingertip_ik).
#include "glove_stream/calibrations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "hand/hand_engine/rig_axes.hpp"
#include "hand/near.hpp"

namespace glove {
namespace {

RestPose some_rest_pose() {
    RestPose rest{};
    float angle = 0.01f;
    for (auto& finger : rest) {
        for (XrQuaternionf& bone : finger) {
            bone = {std::sin(angle), 0, 0, std::cos(angle)};
            angle += 0.05f;
        }
    }
    return rest;
}

TEST(Calibrations, ComeBackFromTheirNumbers) {
    HandCalibration hand = template_calibration(97);
    hand.fingers[2].coil_in_tip = {{0, 0.6f, 0, 0.8f}, {0.001f, 0.007f, -0.002f}};
    const std::optional<HandCalibration> again = hand_calibration_of(numbers_of(hand));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->fingers[kThumb].thumb);
    EXPECT_FALSE(again->fingers[1].thumb);
    const FingerModel& model = again->fingers[2];
    EXPECT_EQ(model.coil_in_tip.position.y, 0.007f);
    EXPECT_NEAR(model.coil_in_tip.orientation.y, 0.6f, 1e-6f);
    EXPECT_EQ(model.root_to_middle_m, hand.fingers[2].root_to_middle_m);
    EXPECT_EQ(again->wrist_in_transmitter.position.z, hand.wrist_in_transmitter.position.z);
    const std::vector<double> numbers = numbers_of(*again);
    const std::vector<double> wanted = numbers_of(hand);
    ASSERT_EQ(numbers.size(), wanted.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        EXPECT_NEAR(numbers[i], wanted[i], 1e-6) << i;
    }

    const RestPose rest = some_rest_pose();
    const std::optional<RestPose> rest_again = rest_pose_of(std::span<const double>(numbers_of(rest)));
    ASSERT_TRUE(rest_again);
    EXPECT_LT(test::degrees_between((*rest_again)[4][3], rest[4][3]), 0.001);
    EXPECT_LT(test::degrees_between((*rest_again)[0][0], rest[0][0]), 0.001);
}

TEST(Calibrations, AreNothingWithOneNumberThatCannotBe) {
    const std::vector<double> good = numbers_of(template_calibration(92));
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity(), 1e30, -7.0}) {
            std::vector<double> numbers = good;
            numbers[i] = wrong;
            EXPECT_FALSE(hand_calibration_of(numbers)) << i << ": " << wrong;
        }
    }
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, good.size() - 1, good.size() + 1}) {
        std::vector<double> numbers = good;
        numbers.resize(size, 0.1);
        EXPECT_FALSE(hand_calibration_of(numbers)) << size;
    }
    std::vector<double> rest = numbers_of(some_rest_pose());
    EXPECT_TRUE(rest_pose_of(std::span<const double>(rest)));
    rest[7] = 3;
    EXPECT_FALSE(rest_pose_of(std::span<const double>(rest)));
    EXPECT_FALSE(rest_pose_of(std::span<const double>(rest).first(79)));
}

// Not the template alone: children's hands and the largest, as they are configured, and a good deal beside that.
TEST(Calibrations, AreThoseOfEveryHumanHandAndOfNoOther) {
    for (const float size_mm : {60.0f, 92.0f, 130.0f}) {
        EXPECT_TRUE(hand_calibration_of(numbers_of(template_calibration(size_mm)))) << size_mm;
    }
    for (const float size_mm : {0.0f, 20.0f, 300.0f}) {
        EXPECT_FALSE(hand_calibration_of(numbers_of(template_calibration(size_mm)))) << size_mm;
    }
    const HandCalibration good = template_calibration(92);
    const auto refused = [&](auto change) {
        HandCalibration changed = good;
        change(changed);
        return !hand_calibration_of(numbers_of(changed));
    };
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        const auto refused_with = [&](auto change) {
            return refused([&](HandCalibration& hand) { change(hand.fingers[finger]); });
        };
        for (const float wrong : {0.0f, 0.3f}) {
            EXPECT_TRUE(refused_with([&](FingerModel& m) { m.root_in_wrist.position = {0, 0, -wrong}; })) << finger;
            EXPECT_TRUE(refused_with([&](FingerModel& m) { m.root_to_middle_m = wrong; })) << finger;
            EXPECT_TRUE(refused_with([&](FingerModel& m) { m.middle_to_end_m = wrong; })) << finger;
            EXPECT_TRUE(refused_with([&](FingerModel& m) { m.tip_in_end = {0, 0, -wrong}; })) << finger;
        }
        EXPECT_TRUE(refused_with([](FingerModel& m) { m.root_in_wrist.position = {0.49f, 0.49f, 0.49f}; })) << finger;
        EXPECT_TRUE(refused_with([](FingerModel& m) { m.root_from_pivot = {0.2f, 0, 0}; })) << finger;
        EXPECT_TRUE(refused_with([](FingerModel& m) { m.coil_in_tip.position = {0, 0.2f, 0}; })) << finger;
    }
    EXPECT_TRUE(refused([](HandCalibration& hand) { hand.wrist_in_transmitter.position = {0, 0, 0.49f}; }));
}

TEST(Calibrations, OfAWristAreAPoseWithinReachOfAnArm) {
    const XrPosef pose{{0, 0.6f, 0, 0.8f}, {0.1f, -0.2f, 0.3f}};
    std::vector<double> numbers = numbers_of(pose);
    ASSERT_TRUE(wrist_offset_of(numbers));
    EXPECT_EQ(wrist_offset_of(numbers)->position.z, 0.3f);
    numbers.insert(numbers.end(), {0.001, 0.02});  // what was left of a difference
    EXPECT_TRUE(wrist_offset_of(numbers));
    for (std::size_t i = 0; i < 7; ++i) {
        for (const double wrong : {1e300, -7.0, std::nan("")}) {
            std::vector<double> damaged = numbers;
            damaged[i] = wrong;
            EXPECT_FALSE(wrist_offset_of(damaged)) << i << ": " << wrong;
        }
    }
    EXPECT_FALSE(wrist_offset_of(std::vector<double>(7, 0.0))) << "no rotation";
    EXPECT_FALSE(wrist_offset_of(std::span<const double>(numbers).first(6)));
}

TEST(Calibrations, TakeLengthsAndCoilsFromTheConfiguration) {
    Config config;
    config.hand.size_mm = 100;
    config.hand.bones_mm.thumb = {41, 33, 21};
    config.hand.bones_mm.middle = {0, 45, 0, 19};
    config.fnim.coil_in_tip_mm.middle = {1, 6, 8};
    config.fnim.wrist_in_transmitter = {{2, -20, 50}, {0, 90, 0}};
    const HandCalibration hand = configured_fingertips(config);
    const HandCalibration usual = template_calibration(100);
    EXPECT_FLOAT_EQ(hand.fingers[kThumb].root_to_middle_m, 0.041f);
    EXPECT_FLOAT_EQ(hand.fingers[kThumb].middle_to_end_m, 0.033f);
    EXPECT_FLOAT_EQ(hand.fingers[kThumb].tip_in_end.z, -0.021f);
    EXPECT_FLOAT_EQ(hand.fingers[2].root_to_middle_m, 0.045f);
    EXPECT_EQ(hand.fingers[2].middle_to_end_m, usual.fingers[2].middle_to_end_m);
    EXPECT_FLOAT_EQ(hand.fingers[2].tip_in_end.z, -0.019f);
    EXPECT_FLOAT_EQ(hand.fingers[2].coil_in_tip.position.y, 0.006f);
    EXPECT_EQ(hand.fingers[1].root_to_middle_m, usual.fingers[1].root_to_middle_m);
    EXPECT_FLOAT_EQ(hand.wrist_in_transmitter.position.z, 0.05f);
    EXPECT_NEAR(hand.wrist_in_transmitter.orientation.y, std::sqrt(0.5), 1e-6);

    const BoneChainSettings chain = bone_chain_settings(config, {});
    EXPECT_EQ(chain.size_mm, 100);
    EXPECT_EQ(chain.bone_mm[0], (std::array<float, 4>{41, 33, 0, 21}));
    EXPECT_EQ(chain.bone_mm[2], (std::array<float, 4>{0, 45, 0, 19}));
    EXPECT_EQ(chain.bone_mm[4], (std::array<float, 4>{0, 0, 0, 0}));
}

TEST(Calibrations, WithNothingConfiguredAreTheTemplate) {
    const std::vector<double> configured = numbers_of(configured_fingertips(Config{}));
    const std::vector<double> usual = numbers_of(template_calibration(92));
    for (std::size_t i = 0; i < usual.size(); ++i) {
        EXPECT_NEAR(configured.at(i), usual[i], 1e-7) << i;
    }
    const BoneChainSettings chain = bone_chain_settings(Config{}, {});
    EXPECT_EQ(chain.axes, Axes::automatic);
    EXPECT_FALSE(chain.rest[0]);
}

TEST(Calibrations, UseTheCapturedRestPoseOnlyWhereThatIsConfigured) {
    CalibrationValues kept;
    kept.numbers[rest_pose_key(Hand::right)] = numbers_of(some_rest_pose());
    Config config;
    EXPECT_FALSE(bone_chain_settings(config, kept).rest[index_of(Hand::right)]);
    config.hand_engine.rest = Config::Rest::captured;
    EXPECT_TRUE(bone_chain_settings(config, kept).rest[index_of(Hand::right)]);
    EXPECT_FALSE(bone_chain_settings(config, kept).rest[index_of(Hand::left)]);
}

TEST(Calibrations, KnowRigsByTheNamesThatTheyWerePutDownAs) {
    CalibrationValues kept;
    for (const RigVerdict verdict : {RigVerdict::unity_wave, RigVerdict::mirror_x, RigVerdict::other}) {
        kept.texts[rig_key(Hand::left, "glove")] = name_of(verdict);
        EXPECT_EQ(kept_rig(kept, Hand::left, "glove"), verdict);
    }
    EXPECT_EQ(kept_rig(kept, Hand::right, "glove"), RigVerdict::undecided);
    EXPECT_EQ(kept_rig(kept, Hand::left, "another"), RigVerdict::undecided);
    for (const char* name : {"undecided", "", "unity"}) {
        kept.texts[rig_key(Hand::left, "glove")] = name;
        EXPECT_EQ(kept_rig(kept, Hand::left, "glove"), RigVerdict::undecided);
    }
}

// The configuration knows no hands, so it has a rule of its own for matrices: it must be that of the rigs.
TEST(Calibrations, AgreeWithTheConfigurationAboutEveryMatrixOfAxes) {
    int taken = 0;
    for (int code = 0; code < 19683; ++code) {
        AxisMatrix matrix{};
        std::string list;
        for (int i = 0, rest = code; i < 9; ++i, rest /= 3) {
            matrix[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(rest % 3 - 1);
            list += (i == 0 ? "" : ", ") + std::to_string(rest % 3 - 1);
        }
        const ConfigResult result =
            parse_config("[hand_engine]\naxes = \"custom\"\ncustom_axes = { left = [" + list + "] }", "f");
        EXPECT_EQ(result.complaints.empty(), is_axis_matrix(matrix)) << list;
        if (result.complaints.empty()) {
            EXPECT_EQ(bone_chain_settings(result.config, {}).custom_axes[index_of(Hand::left)], matrix);
            ++taken;
        }
    }
    EXPECT_EQ(taken, 48);
}

}  // namespace
}  // namespace glove
