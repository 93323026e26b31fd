// SPDX-License-Identifier: Apache-2.0
// Hand Engine's bone rotations -> the 26 joints, from the wrist outward along bones of known length.
#pragma once

#include <array>
#include <optional>

#include "hand/hand_engine/rig_axes.hpp"
#include "hand/hand_model.hpp"
#include "hand/hand_sample.hpp"
#include "protocol/finger_assembly.hpp"

namespace glove {

enum class Axes : std::uint8_t { automatic, unity_wave, mirror_x, openxr, custom };

// As sent while the hand lies flat, of unit length. [finger][bone]; the identity where nothing was sent.
using RestPose = std::array<std::array<XrQuaternionf, hand_engine::kBoneCount>, hand_engine::kFingerCount>;

// Nothing when a finger has no usable rotation in `message`.
[[nodiscard]] std::optional<RestPose> rest_pose_of(const hand_engine::HandMessage& message) noexcept;

struct BoneChainSettings {
    float size_mm = kTemplateSizeMm;  // wrist to middle knuckle
    // Millimetres, by finger: metacarpal, proximal, intermediate, distal; the thumb has no intermediate. 0: the
    // template's bone, scaled to size_mm.
    std::array<std::array<float, hand_engine::kBoneCount>, hand_engine::kFingerCount> bone_mm{};
    Axes axes = Axes::automatic;
    std::array<AxisMatrix, kHandCount> custom_axes{kOpenXrAxes, kOpenXrAxes};  // left, right
    // What the rig sends for a flat hand, where that is not the flat hand itself.
    std::array<std::optional<RestPose>, kHandCount> rest;
};

// One per hand. Keeps each finger's last good shape for samples that say nothing of it.
class BoneChain {
public:
    BoneChain(Hand hand, const BoneChainSettings& settings) noexcept;

    // All joints finite and of unit length whatever the message says. A finger is tracked when the message has a usable
    // word of it. Sets everything of `out`; both times are the message's time of reception, as a timecode is no clock.
    void pose(const hand_engine::HandMessage& message, HandSample& out) noexcept;

    [[nodiscard]] RigVerdict verdict() const noexcept { return detector_.verdict(); }
    // From an earlier session with the same glove.
    void remember(RigVerdict verdict) noexcept { detector_.remember(verdict); }

private:
    // A finger's bones in the wrist's axes: metacarpal, proximal, intermediate, distal. The thumb has no intermediate.
    using Orientations = std::array<XrQuaternionf, hand_engine::kBoneCount>;

    [[nodiscard]] const AxisMatrix& axes() const noexcept;
    [[nodiscard]] bool from_rotations(const hand_engine::HandMessage& message, std::size_t finger,
                                      Orientations& out) noexcept;
    void from_sliders(const hand_engine::SliderValues& sliders, std::size_t finger, Orientations& out) const noexcept;
    // A bone's turn in its parent, OpenXR axes.
    [[nodiscard]] XrQuaternionf turn_of(std::size_t finger, std::size_t bone, bool parent_is_wrist,
                                        const XrQuaternionf& raw) const noexcept;

    Hand hand_;
    float scale_;
    Axes axes_;
    AxisMatrix custom_axes_;
    std::optional<RestPose> rest_;
    RigDetector detector_;
    std::array<XrVector3f, hand_engine::kFingerCount> base_m_;  // of the metacarpals
    std::array<std::array<float, hand_engine::kBoneCount>, hand_engine::kFingerCount> length_m_;
    std::array<Orientations, hand_engine::kFingerCount> flat_;  // the template hand, straight
    std::array<Orientations, hand_engine::kFingerCount> last_;
};

// The related stream needs no template: it says where each joint is. False, with `out` untouched, when a number in it
// is no part of a hand. Sets everything of `out` but time_ns.
[[nodiscard]] bool pose_kinematic(const hand_engine::KinematicHand& kinematic, float size_mm, HandSample& out) noexcept;

}  // namespace glove
