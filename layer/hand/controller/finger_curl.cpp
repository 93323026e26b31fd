// SPDX-License-Identifier: Apache-2.0
#include "hand/controller/finger_curl.hpp"

#include <algorithm>
#include <cstddef>

#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr std::size_t kFirst = XR_HAND_JOINT_THUMB_METACARPAL_EXT;

bool is_metacarpal(std::size_t joint) noexcept {
    return joint == kFirst || joint % 5 == 1;
}

std::size_t finger_of(std::size_t joint) noexcept {
    return joint < XR_HAND_JOINT_INDEX_METACARPAL_EXT ? 0 : (joint - 1) / 5;
}

float from_0_to_1(float value) noexcept {
    return value > 0 ? std::min(value, 1.0f) : 0.0f;
}

// A finger's metacarpal is part of the palm; the thumb's is not.
float curl_of(std::size_t joint, const std::array<float, 5>& weights) noexcept {
    return is_metacarpal(joint) && joint != kFirst ? 0.0f : std::clamp(weights[finger_of(joint)], 0.0f, 1.0f);
}

float length_to_middle_knuckle(const CurlHand& bones) noexcept {
    const CurlBone& metacarpal = bones[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT - kFirst];
    const CurlBone& proximal = bones[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT - kFirst];
    return length(metacarpal.offset_mm + rotate(metacarpal.open, proximal.offset_mm));
}

XrPosef mirrored(const XrPosef& pose) noexcept {
    const XrQuaternionf& q = pose.orientation;
    return {{q.x, -q.y, -q.z, q.w}, {-pose.position.x, pose.position.y, pose.position.z}};
}

}  // namespace

const CurlTable kCurlTable{{
    {0.4f, 0.4f, -1.8f, 1.0f},
    {0.0f, 1.0f, 0.0f, 0.2f},
    {0.1f, 0.6f, 1.0f, 0.2f},
    {0.2f, 0.4f, 1.0f, 0.2f},
    {0.3f, 0.2f, 1.0f, 0.2f},
}};

FingerCurl::FingerCurl(Hand hand, float size_mm, const CurlTable& table, const CurlHand& bones) noexcept
    : hand_(hand),
      scale_(size_mm / kTemplateSizeMm),
      bones_scale_(0.001f * size_mm / length_to_middle_knuckle(bones)),
      table_(table),
      bones_(bones) {
}

void FingerCurl::follow_touch(bool touch, std::int64_t time_ns) noexcept {
    const float goal = touch ? 1.0f : 0.0f;
    if (sequence_ == 0) {
        touch_ = goal;
    } else {
        const float step =
            static_cast<float>(std::max<std::int64_t>(0, time_ns - posed_ns_)) / static_cast<float>(kTouchTakesNs);
        touch_ = std::clamp(goal, touch_ - step, touch_ + step);
    }
    posed_ns_ = time_ns;
}

void FingerCurl::pose(const ControllerGrasp& grasp, std::int64_t time_ns, HandSample& out) noexcept {
    follow_touch(grasp.touch, time_ns);
    for (std::size_t finger = 0; finger < weights_.size(); ++finger) {
        const CurlWeights& row = table_[finger];
        weights_[finger] = row.at_rest + row.trigger * from_0_to_1(grasp.trigger) + row.grip * from_0_to_1(grasp.grip) +
                           row.touch * touch_;
    }

    out = HandSample{};
    out.hand = hand_;
    out.source = Source::controller;
    out.sequence = ++sequence_;
    out.tracked = kAllJointsTracked;
    out.scale = scale_;
    out.sent_ns = time_ns;
    out.time_ns = time_ns;
    out.wrist_in_forearm = kIdentityPose;

    std::array<XrPosef, kJointCount>& joints = out.joint_in_wrist;
    joints[XR_HAND_JOINT_WRIST_EXT] = kIdentityPose;
    for (std::size_t joint = kFirst; joint < kJointCount; ++joint) {
        const CurlBone& bone = bones_[joint - kFirst];
        const XrPosef in_parent{slerp(bone.open, bone.closed, curl_of(joint, weights_)), bones_scale_ * bone.offset_mm};
        const XrPosef& parent = joints[is_metacarpal(joint) ? std::size_t{XR_HAND_JOINT_WRIST_EXT} : joint - 1];
        joints[joint] = compose(parent, in_parent);
        joints[joint].orientation = normalised(joints[joint].orientation);
    }
    const XrPosef& middle = joints[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT];
    joints[XR_HAND_JOINT_PALM_EXT] = {middle.orientation,
                                      midpoint(middle.position, joints[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position)};
    if (hand_ == Hand::right) {
        for (XrPosef& joint : joints) {
            joint = mirrored(joint);
        }
    }
}

}  // namespace glove
