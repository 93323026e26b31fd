// SPDX-License-Identifier: Apache-2.0
#include "hand/hand_calibration.hpp"

#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"

namespace glove {
namespace {

// Left hand of kTemplateSizeMm, millimetres and degrees, OpenXR axes. Rounded means of Quest's and the WebXR generic
// hand.
struct TemplateFinger {
    XrVector3f root_mm;
    std::array<double, 3>
        root_deg;  // turns about the fixed x, then y, then z axis; the hinges' slant closes the fist toward the wrist
    std::array<float, 3> bones_mm;
    std::array<double, 3> middle_deg;  // likewise, between hinges
    std::array<double, 3> end_deg;
};

constexpr std::array<TemplateFinger, kFingerCount> kTemplate{{
    {{25, -20, -35.5}, {-8, -49, -86}, {32, 33, 21}, {0, 7, 9.5}, {0, -7, -9.5}},
    {{23, -7, -91.5}, {0, 0, -3.5}, {38, 24, 20}, {0, 0.5, 3}, {0, 3, 2}},
    {{1.5, -2.5, -92}, {0, 3, 1}, {43, 27, 21}, {0, 0.5, 1.5}, {0, 0, 5}},
    {{-17, -6.5, -85}, {0, 6, 6}, {40, 26, 21}, {0, 0, 4}, {0, -3, 0.5}},
    {{-34, -13.5, -74.5}, {0, 8, 13}, {32, 20, 18}, {0, 5, 5}, {0, -5.5, 0}},
}};

// Where on the glove the transmitter sits is not documented: on the back of the hand, its axes the hand's, is a guess
// that the captures correct.
constexpr XrVector3f kWristFromTransmitterMm{0, -15, 45};

}  // namespace

XrPosef mirrored(const XrPosef& pose) noexcept {
    const XrQuaternionf& q = pose.orientation;
    const XrVector3f& p = pose.position;
    return {{q.x, -q.y, -q.z, q.w}, {-p.x, p.y, p.z}};
}

XrPosef coil_as_left(Hand hand, const fnim::CoilPose& coil) noexcept {
    // Right-forward-up to right-up-back: a quarter turn about X.
    const auto& [x, y, z] = coil.position;
    const auto& [qw, qx, qy, qz] = coil.orientation_wxyz;
    const XrPosef pose{{qx, qz, -qy, qw}, {x, z, -y}};
    return hand == Hand::left ? pose : mirrored(pose);
}

HandCalibration template_calibration(float size_mm) noexcept {
    const float scale = size_mm / kTemplateSizeMm * 0.001f;
    const auto turn = [](const std::array<double, 3>& deg) { return from_euler_degrees(deg[0], deg[1], deg[2]); };
    HandCalibration out{};
    out.wrist_in_transmitter = {kNoRotation, 0.001f * kWristFromTransmitterMm};
    for (std::size_t i = 0; i < kFingerCount; ++i) {
        const TemplateFinger& finger = kTemplate[i];
        const auto& rv = finger.root_deg;
        const XrQuaternionf root = i == kThumb ? from_rotation_vector({static_cast<float>(rv[0] * kRadiansPerDegree),
                                                                       static_cast<float>(rv[1] * kRadiansPerDegree),
                                                                       static_cast<float>(rv[2] * kRadiansPerDegree)})
                                               : turn(rv);
        out.fingers[i] = {i == kThumb,
                          {root, scale * finger.root_mm},
                          scale * finger.bones_mm[0],
                          scale * finger.bones_mm[1],
                          turn(finger.middle_deg),
                          turn(finger.end_deg),
                          {0, 0, -scale * finger.bones_mm[2]},
                          kIdentityPose};
    }
    return out;
}

}  // namespace glove
