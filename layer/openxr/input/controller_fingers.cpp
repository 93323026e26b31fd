// SPDX-License-Identifier: Apache-2.0
#include "openxr/input/controller_fingers.hpp"

#include <algorithm>
#include <cmath>

#include "hand/pose_math.hpp"

namespace glove {

namespace {

// A finger on the trigger has begun to bend.
constexpr float kTouchedTrigger = 0.15f;
constexpr float kMovedStick = 0.1f;

CurlTable table_of(const Config::Fallback::Curl& curl) noexcept {
    CurlTable table{};
    const std::array<const std::array<double, 4>*, 5> fingers{&curl.thumb, &curl.index, &curl.middle, &curl.ring,
                                                              &curl.little};
    for (std::size_t finger = 0; finger < fingers.size(); ++finger) {
        const auto at = [&](std::size_t i) { return static_cast<float>((*fingers[finger])[i]); };
        table[finger] = {at(0), at(1), at(2), at(3)};
    }
    return table;
}

CurlHand bones_of(const Config::Fallback::Curl& curl) noexcept {
    CurlHand bones = kCurlHand;
    for (CurlBone& bone : bones) {
        const XrQuaternionf flat = bone.open;
        const XrQuaternionf fist = bone.closed;
        bone.open = slerp(flat, fist, static_cast<float>(curl.open));
        bone.closed = slerp(flat, fist, static_cast<float>(curl.closed));
    }
    return bones;
}

class Asked {
public:
    Asked(XrSession session, const NextTable& next, XrPath hand) noexcept
        : session_(session), next_(next), hand_(hand) {}

    [[nodiscard]] float number(XrAction action) const noexcept {
        const XrActionStateGetInfo info{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, action, hand_};
        XrActionStateFloat state{XR_TYPE_ACTION_STATE_FLOAT, nullptr, 0, XR_FALSE, 0, XR_FALSE};
        return XR_SUCCEEDED(next_.xrGetActionStateFloat(session_, &info, &state)) && state.isActive == XR_TRUE
                   ? state.currentState
                   : 0;
    }
    [[nodiscard]] bool yes(XrAction action) const noexcept {
        const XrActionStateGetInfo info{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, action, hand_};
        XrActionStateBoolean state{XR_TYPE_ACTION_STATE_BOOLEAN, nullptr, XR_FALSE, XR_FALSE, 0, XR_FALSE};
        return XR_SUCCEEDED(next_.xrGetActionStateBoolean(session_, &info, &state)) && state.isActive == XR_TRUE &&
               state.currentState == XR_TRUE;
    }
    [[nodiscard]] bool moved(XrAction action) const noexcept {
        const XrActionStateGetInfo info{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, action, hand_};
        XrActionStateVector2f state{XR_TYPE_ACTION_STATE_VECTOR2F, nullptr, {0, 0}, XR_FALSE, 0, XR_FALSE};
        return XR_SUCCEEDED(next_.xrGetActionStateVector2f(session_, &info, &state)) && state.isActive == XR_TRUE &&
               std::hypot(state.currentState.x, state.currentState.y) > kMovedStick;
    }

private:
    XrSession session_;
    const NextTable& next_;
    XrPath hand_;
};

}  // namespace

ControllerFingers::PerHand::PerHand(Hand hand, const Config& config) noexcept
    : curl(hand, static_cast<float>(config.hand.size_mm), table_of(config.fallback.curl),
           bones_of(config.fallback.curl)) {
}

ControllerFingers::ControllerFingers(const Config& config) noexcept
    : hands_{{{Hand::left, config}, {Hand::right, config}}} {
}

void ControllerFingers::after_sync(XrSession session, const NextTable& next, const HandPaths& paths,
                                   std::span<const InjectedSet> own, const std::array<bool, kHandCount>& holds,
                                   std::int64_t now_ns) noexcept {
    for (const Hand side : kBothHands) {
        PerHand& hand = hands_[index_of(side)];
        if (!holds[index_of(side)]) {
            hand.felt_ns.store(0, std::memory_order_release);
            hand.tracker.reset();
            continue;
        }
        const Asked asked(session, next, paths.hand[index_of(side)]);
        ControllerGrasp grasp{0, 0, false};
        for (const InjectedSet& set : own) {
            if (!set.has_grasp()) {
                continue;
            }
            grasp.trigger = std::max(grasp.trigger, asked.number(set.of(GraspInput::trigger)));
            if (asked.yes(set.of(GraspInput::trigger_touch))) {
                grasp.trigger = std::max(grasp.trigger, kTouchedTrigger);
            }
            grasp.grip = std::max(grasp.grip, asked.number(set.of(GraspInput::grip)));
            grasp.touch =
                grasp.touch || asked.yes(set.of(GraspInput::thumb)) || asked.moved(set.of(GraspInput::thumbstick));
        }
        HandSample sample{};
        hand.curl.pose(grasp, now_ns, sample);
        sample.time_ns = now_ns;
        hand.motion.publish(hand.tracker.follow(sample));
        hand.felt_ns.store(now_ns, std::memory_order_release);
    }
}

}  // namespace glove
