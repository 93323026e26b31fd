// SPDX-License-Identifier: Apache-2.0
#include "glove_stream/calibrations.hpp"

#include <algorithm>
#include <array>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr std::array kVerdictsKept{RigVerdict::unity_wave, RigVerdict::mirror_x, RigVerdict::other};

Axes axes_of(Config::Axes axes) {
    switch (axes) {
        case Config::Axes::automatic:
            return Axes::automatic;
        case Config::Axes::unity_wave:
            return Axes::unity_wave;
        case Config::Axes::mirror_x:
            return Axes::mirror_x;
        case Config::Axes::openxr:
            return Axes::openxr;
        case Config::Axes::custom:
            return Axes::custom;
    }
    return Axes::automatic;
}

AxisMatrix matrix_of(const std::array<int, 9>& rows) {
    AxisMatrix matrix{};
    std::transform(rows.begin(), rows.end(), matrix.begin(), [](int entry) { return static_cast<std::int8_t>(entry); });
    return matrix;
}

XrVector3f metres(const std::array<double, 3>& mm) {
    return {static_cast<float>(mm[0] / 1000), static_cast<float>(mm[1] / 1000), static_cast<float>(mm[2] / 1000)};
}

std::array<std::array<float, hand_engine::kBoneCount>, hand_engine::kFingerCount> lengths_of(
    const Config::Hand::Bones& bones) {
    std::array<std::array<float, hand_engine::kBoneCount>, hand_engine::kFingerCount> out{};
    const auto mm = [](double length) { return static_cast<float>(length); };
    out[0] = {mm(bones.thumb[0]), mm(bones.thumb[1]), 0, mm(bones.thumb[2])};
    const std::array fingers{&bones.index, &bones.middle, &bones.ring, &bones.little};
    for (std::size_t i = 0; i < fingers.size(); ++i) {
        std::transform(fingers[i]->begin(), fingers[i]->end(), out[i + 1].begin(), mm);
    }
    return out;
}

}  // namespace

std::string rest_pose_key(Hand hand) {
    return std::string("hand_engine.rest.") + name_of(hand);
}

std::string fingertips_key(Hand hand) {
    return std::string("fnim.fingertips.") + name_of(hand);
}

std::string rig_key(Hand hand, std::string_view glove_id) {
    return std::string("hand_engine.rig.") + name_of(hand) + '.' + calibration_key_part(glove_id);
}

std::optional<RestPose> captured_rest_pose(const CalibrationValues& kept, Hand hand) {
    const std::vector<double>* const numbers = kept.find_numbers(rest_pose_key(hand));
    return numbers == nullptr ? std::nullopt : rest_pose_of(std::span<const double>(*numbers));
}

std::optional<HandCalibration> captured_fingertips(const CalibrationValues& kept, Hand hand) {
    const std::vector<double>* const numbers = kept.find_numbers(fingertips_key(hand));
    return numbers == nullptr ? std::nullopt : hand_calibration_of(*numbers);
}

RigVerdict kept_rig(const CalibrationValues& kept, Hand hand, std::string_view glove_id) {
    const std::string* const text = kept.find_text(rig_key(hand, glove_id));
    const auto* const found = text == nullptr
                                  ? kVerdictsKept.end()
                                  : std::find_if(kVerdictsKept.begin(), kVerdictsKept.end(),
                                                 [&](RigVerdict verdict) { return *text == name_of(verdict); });
    return found == kVerdictsKept.end() ? RigVerdict::undecided : *found;
}

BoneChainSettings bone_chain_settings(const Config& config, const CalibrationValues& kept) {
    BoneChainSettings settings;
    settings.size_mm = static_cast<float>(config.hand.size_mm);
    settings.bone_mm = lengths_of(config.hand.bones_mm);
    settings.axes = axes_of(config.hand_engine.axes);
    settings.custom_axes = {matrix_of(config.hand_engine.custom_axes.left),
                            matrix_of(config.hand_engine.custom_axes.right)};
    if (config.hand_engine.rest == Config::Rest::captured) {
        settings.rest = {captured_rest_pose(kept, Hand::left), captured_rest_pose(kept, Hand::right)};
    }
    return settings;
}

HandCalibration configured_fingertips(const Config& config) {
    HandCalibration hand = template_calibration(static_cast<float>(config.hand.size_mm));
    const Config::Placement& wrist = config.fnim.wrist_in_transmitter;
    hand.wrist_in_transmitter = {
        from_euler_degrees(wrist.rotation_deg[0], wrist.rotation_deg[1], wrist.rotation_deg[2]),
        metres(wrist.position_mm)};

    const auto lengths = lengths_of(config.hand.bones_mm);
    const Config::Fnim::Coils& coils = config.fnim.coil_in_tip_mm;
    const std::array offsets{&coils.thumb, &coils.index, &coils.middle, &coils.ring, &coils.little};
    for (std::size_t i = 0; i < kFingerCount; ++i) {
        FingerModel& finger = hand.fingers[i];
        const auto& mm = lengths[i];
        const float root_to_middle = i == kThumb ? mm[hand_engine::kMetacarpal] : mm[hand_engine::kProximal];
        const float middle_to_end = i == kThumb ? mm[hand_engine::kProximal] : mm[hand_engine::kIntermediate];
        if (root_to_middle > 0) {
            finger.root_to_middle_m = root_to_middle / 1000;
        }
        if (middle_to_end > 0) {
            finger.middle_to_end_m = middle_to_end / 1000;
        }
        if (mm[hand_engine::kDistal] > 0) {
            finger.tip_in_end = {0, 0, -mm[hand_engine::kDistal] / 1000};
        }
        finger.coil_in_tip.position = metres(*offsets[i]);
    }
    return hand;
}

}  // namespace glove
