// SPDX-License-Identifier: Apache-2.0
#include "hand/hand_engine/slider_map.hpp"

#include <algorithm>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

using hand_engine::Finger;
using hand_engine::kFingerCount;

struct Hinge {
    float full;   // degrees at slider value 1
    float least;  // the joint's limits, degrees
    float most;
};

constexpr std::array<Hinge, 3> kFingerHinges{{{85, -30, 95}, {100, -10, 115}, {65, -10, 80}}};
constexpr std::array<Hinge, 3> kThumbHinges{{{40, -30, 60}, {55, -15, 70}, {80, -20, 85}}};

// People cannot bend the last joint of a finger alone: it goes with the one before.
constexpr float kDistalPerIntermediate = 0.62f;

constexpr float kFullSplay = 18;   // degrees
constexpr float kSplayLimit = 25;  // degrees

// Share of the hand's splay, and the direction of a finger's own; positive to the thumb's side.
// The document does not say which way a finger's own splay goes: taken as opening the hand, like the global one.
constexpr std::array<float, kFingerCount> kShareOfGlobal{0.0f, 1.0f, 0.1f, -0.5f, -1.0f};
constexpr std::array<float, kFingerCount> kOwnDirection{1.0f, 1.0f, 1.0f, -1.0f, -1.0f};

float radians(float degrees) noexcept {
    return degrees * static_cast<float>(kRadiansPerDegree);
}

float value_or_zero(float value) noexcept {
    return osc::is_null(value) ? 0.0f : value;
}

}  // namespace

FingerAngles finger_angles(const hand_engine::SliderValues& sliders, Finger finger) noexcept {
    const auto index = static_cast<std::size_t>(finger);
    const bool thumb = finger == Finger::thumb;
    const auto& hinges = thumb ? kThumbHinges : kFingerHinges;
    const auto& bends = sliders.bend[index];

    std::array<float, 3> degrees{};
    for (std::size_t joint = 0; joint < degrees.size(); ++joint) {
        degrees[joint] = value_or_zero(bends[joint]) * hinges[joint].full;
    }
    if (osc::is_null(bends[2])) {
        degrees[2] = thumb ? value_or_zero(bends[1]) * hinges[2].full : kDistalPerIntermediate * degrees[1];
    }
    FingerAngles angles{};
    for (std::size_t joint = 0; joint < degrees.size(); ++joint) {
        angles.flexion[joint] = radians(std::clamp(degrees[joint], hinges[joint].least, hinges[joint].most));
    }
    const float own = sliders.splay[index];
    const float splayed =
        osc::is_null(own) ? value_or_zero(sliders.global_splay) * kShareOfGlobal[index] : own * kOwnDirection[index];
    angles.radial = radians(std::clamp(kFullSplay * splayed, -kSplayLimit, kSplayLimit));
    return angles;
}

XrQuaternionf bend(float flexion) noexcept {
    return rotation_about({1, 0, 0}, -flexion);
}

XrQuaternionf splay(Hand hand, float radial) noexcept {
    // The thumb is at +X of the left hand; turning -Z toward +X is a negative turn about +Y.
    return rotation_about({0, 1, 0}, hand == Hand::left ? -radial : radial);
}

}  // namespace glove
