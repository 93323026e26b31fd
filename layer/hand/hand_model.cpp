// SPDX-License-Identifier: Apache-2.0
#include "hand/hand_model.hpp"

namespace glove {

const std::array<float, kJointCount> kRadiusM{
    0.0160f, 0.0215f,                             // palm, wrist
    0.0194f, 0.0123f, 0.0098f, 0.0088f,           // thumb: metacarpal, proximal, distal, tip
    0.0212f, 0.0103f, 0.0085f, 0.0076f, 0.0066f,  // index: metacarpal, proximal, intermediate, distal, tip
    0.0212f, 0.0112f, 0.0080f, 0.0076f, 0.0066f,  // middle
    0.0191f, 0.0099f, 0.0076f, 0.0072f, 0.0062f,  // ring
    0.0181f, 0.0085f, 0.0068f, 0.0064f, 0.0054f,  // little
};

XrVector3f metacarpal_base_fraction(Hand hand, std::size_t finger) noexcept {
    static constexpr std::array<XrVector3f, 4> kLeft{{
        {0.135f, -0.065f, -0.342f},
        {0.021f, -0.049f, -0.329f},
        {-0.104f, -0.037f, -0.313f},
        {-0.225f, -0.054f, -0.310f},
    }};
    const XrVector3f& base = kLeft[finger];
    return hand == Hand::left ? base : XrVector3f{-base.x, base.y, base.z};
}

}  // namespace glove
