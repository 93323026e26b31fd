// SPDX-License-Identifier: Apache-2.0
// Captured poses fit the model to a hand. The hands are those of others' reference poses, not our own model.
// Not covered: people who hold other poses than they were asked for.
#include "hand/fnim/hand_calibration.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "fnim_encoding.hpp"
#include "hand/fnim/fingertip_ik.hpp"
#include "hand/near.hpp"

namespace glove::test {
namespace {

const XrPosef kWristInTransmitter{{0, 0, 0, 1}, {0, -0.015f, 0.045f}};
constexpr float kSizeMm = 95.7f;  // of the Quest hands among the reference poses

std::vector<fnim::Message> held(Hand hand, const char* pose, const Matrix& mounting, std::mt19937& random) {
    std::vector<fnim::Message> messages;
    for (int i = 0; i < 60; ++i) {
        SenderCoils coils = tips_as_coils(reference_pose(hand, pose).joint_in_wrist, kWristInTransmitter);
        for (SenderCoil& coil : coils) {
            coil.rotation = coil.rotation * mounting;
        }
        add_noise(coils, 1, 2, random);
        messages.push_back(fnim_message({.hand = hand}, coils));
    }
    return messages;
}

double mean_error_mm(Hand hand, const HandCalibration& calibration, const Matrix& mounting) {
    double sum = 0;
    int count = 0;
    for (const char* const name : {"relax", "point", "vulcan", "shaka", "horns"}) {
        const JointPoses truth = reference_pose(hand, name).joint_in_wrist;
        SenderCoils coils = tips_as_coils(truth, kWristInTransmitter);
        for (SenderCoil& coil : coils) {
            coil.rotation = coil.rotation * mounting;
        }
        FingertipIk ik(hand, calibration);
        HandSample solved{};
        ik.solve(fnim_message({.hand = hand}, coils), 0, solved);
        for (std::size_t root = 7; root < kJointCount; root += 5) {
            for (std::size_t joint = root + 1; joint < root + 4; ++joint) {
                sum += millimetres_between(truth[joint].position, solved.joint_in_wrist[joint].position);
                ++count;
            }
        }
    }
    return sum / count;
}

HandCalibration captured(Hand hand, const HandCalibration& before, const Matrix& mounting) {
    std::mt19937 random(2);
    const auto flat = held(hand, "flat", mounting, random);
    const auto fist = held(hand, "fist", mounting, random);
    const auto pinch = held(hand, "pinch", mounting, random);
    const std::array<Capture, 3> captures{
        {{CapturedPose::flat, flat}, {CapturedPose::fist, fist}, {CapturedPose::pinch, pinch}}};
    const CalibrationReport report = calibrate(before, captures);
    EXPECT_EQ(report.coils_used, 300u);
    EXPECT_LT(report.error_after_m, 0.003);
    return report.calibration;
}

TEST(HandCalibration, WithoutCapturesNothingChanges) {
    const HandCalibration before = template_calibration(kSizeMm);
    const CalibrationReport report = calibrate(before, {});
    EXPECT_EQ(report.coils_used, 0u);
    for (std::size_t i = 0; i < kFingerCount; ++i) {
        EXPECT_FLOAT_EQ(report.calibration.fingers[i].root_to_middle_m, before.fingers[i].root_to_middle_m);
        EXPECT_LT(millimetres_between(report.calibration.fingers[i].root_in_wrist.position,
                                      before.fingers[i].root_in_wrist.position),
                  1e-4);
    }
}

TEST(HandCalibration, MessagesWithoutCoilsChangeNothing) {
    const std::vector<fnim::Message> empty(10);
    const std::array<Capture, 1> captures{{{CapturedPose::flat, empty}}};
    EXPECT_EQ(calibrate(template_calibration(kSizeMm), captures).coils_used, 0u);
}

// Of the same size the template is as good as this kind of hand gets; of a wrong size it is not.
TEST(HandCalibration, CapturesBringATemplateOfTheWrongSizeNearerToTheHand) {
    for (const Hand hand : kBothHands) {
        for (const float size_mm : {86.0f, kSizeMm, 105.0f}) {
            const HandCalibration before = template_calibration(size_mm);
            const double error_before = mean_error_mm(hand, before, kIdentityMatrix);
            const double error_after = mean_error_mm(hand, captured(hand, before, kIdentityMatrix), kIdentityMatrix);
            std::printf("%s, template of %.1f mm: %.2f mm before, %.2f mm after the captures\n", name_of(hand),
                        double{size_mm}, error_before, error_after);
            EXPECT_LT(error_after, size_mm == kSizeMm ? error_before + 1 : 0.8 * error_before);
        }
    }
}

TEST(HandCalibration, AFlatHandShowsHowCoilsAreMounted) {
    const Matrix quarter_turn = turn_about_x(90);
    const HandCalibration before = template_calibration(kSizeMm);
    const double error_before = mean_error_mm(Hand::left, before, quarter_turn);
    const double error_after = mean_error_mm(Hand::left, captured(Hand::left, before, quarter_turn), quarter_turn);
    std::printf("coils turned by 90 deg: %.2f mm before, %.2f mm after the captures\n", error_before, error_after);
    EXPECT_LT(error_after, 4);
    EXPECT_GT(error_before, error_after + 2);
}

TEST(HandCalibration, TheTemplateIsAsLargeAsItIsAskedFor) {
    for (const float size : {70.0f, 92.0f, 110.0f}) {
        const HandCalibration hand = template_calibration(size);
        EXPECT_NEAR(millimetres_between({0, 0, 0}, hand.fingers[2].root_in_wrist.position), size, 0.005 * size);
    }
}

}  // namespace
}  // namespace glove::test
