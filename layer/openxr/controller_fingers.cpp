// SPDX-License-Identifier: Apache-2.0
#include "openxr/controller_fingers.hpp"

#include <algorithm>
#include <cmath>

namespace glove {

namespace {

// A finger on the trigger has begun to bend.
constexpr float kTouchedTrigger = 0.15f;
constexpr float kMovedStick = 0.1f;

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

ControllerFingers::ControllerFingers(float size_mm) noexcept
    : hands_{PerHand(Hand::left, size_mm), PerHand(Hand::right, size_mm)} {
}

void ControllerFingers::after_sync(XrSession session, const NextTable& next, const HandPaths& paths,
                                   std::span<const OwnSet> own, const std::array<bool, kHandCount>& holds,
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
        for (const OwnSet& set : own) {
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
