// SPDX-License-Identifier: Apache-2.0
// What a hand on a controller presses and touches -> the 26 joints: fingers between an open and a closed hand.
// Pure: time is a parameter.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstdint>

#include "hand/hand_sample.hpp"

namespace glove {

struct ControllerGrasp {
    float trigger;  // 0 to 1
    float grip;     // 0 to 1
    bool touch;     // the thumb rests on something
};

// How far a finger is closed: 0 open, 1 closed, by what is pressed. Sums leave this range, above and below.
struct CurlWeights {
    float at_rest;
    float trigger;
    float grip;
    float touch;
};
using CurlTable = std::array<CurlWeights, 5>;  // thumb first

// A grip closes three fingers, the trigger the index and takes the others along. Gripping stretches the thumb out
// unless it rests on something: a thumb up.
extern const CurlTable kCurlTable;

// A joint in its parent: of the wrist for the metacarpals. Left hand, OpenXR axes.
struct CurlBone {
    XrVector3f offset_mm;
    XrQuaternionf open;
    XrQuaternionf closed;
};
inline constexpr std::size_t kCurlBoneCount = kJointCount - XR_HAND_JOINT_THUMB_METACARPAL_EXT;
using CurlHand = std::array<CurlBone, kCurlBoneCount>;  // from the thumb's metacarpal on, in OpenXR's order
extern const CurlHand kCurlHand;

// One per hand.
class FingerCurl {
public:
    // The hand is scaled to `size_mm`, wrist to middle knuckle. A right hand is the mirror image.
    FingerCurl(Hand hand, float size_mm, const CurlTable& table = kCurlTable,
               const CurlHand& bones = kCurlHand) noexcept;

    // `time_ns`: on any steady clock, never before the last one. Sets everything of `out`; every joint is tracked, as
    // far as the controller is. Values that are not from 0 to 1 are taken for the nearest that is, no number for 0.
    void pose(const ControllerGrasp& grasp, std::int64_t time_ns, HandSample& out) noexcept;

    // Of the last pose, as the table sums them up.
    [[nodiscard]] const std::array<float, 5>& weights() const noexcept { return weights_; }

    // A touch is there or not: a thumb takes so long to follow.
    static constexpr std::int64_t kTouchTakesNs = 90'000'000;

private:
    void follow_touch(bool touch, std::int64_t time_ns) noexcept;

    Hand hand_;
    float scale_;        // of the radii
    float bones_scale_;  // metres per unit of offset_mm
    CurlTable table_;
    CurlHand bones_;
    std::array<float, 5> weights_{};
    float touch_ = 0;  // 0 to 1
    std::int64_t posed_ns_ = 0;
    std::uint32_t sequence_ = 0;
};

}  // namespace glove
