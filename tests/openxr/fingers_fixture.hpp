// SPDX-License-Identifier: Apache-2.0
// A program that asks where its hands come from: gloves, controllers or the runtime, each hand for itself.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "openxr/loader/hand_extensions.hpp"
#include "openxr/loader/status_extension.hpp"
#include "openxr/wrist_fixture.hpp"

namespace glove::test {

inline constexpr std::int32_t kUnobstructed = 1;
inline constexpr std::int32_t kController = 2;

// Locations and velocities with everything that may be chained to them.
struct FingersAnswer {
    FingersAnswer() { hand.velocity_part.next = &state; }
    HandAnswer hand;
    // 77 and 78 are no values of what was answered.
    XrHandTrackingDataSourceStateEXT state{kDataSourceStateType, nullptr, 77,
                                           static_cast<XrHandTrackingDataSourceEXT>(78)};
    [[nodiscard]] std::int32_t source() const { return static_cast<std::int32_t>(state.dataSource); }
};

class FingersTest : public WristTest {
protected:
    static constexpr const char* kDataSource = "XR_EXT_hand_tracking_data_source";
    static constexpr const char* kMotionRange = XR_EXT_HAND_JOINTS_MOTION_RANGE_EXTENSION_NAME;
    static constexpr const char* kStatus = XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME;

    // Binds its triggers and attaches them. Hand trackers are the test's.
    void begin_program(std::vector<const char*> extensions = {kDataSource, kMotionRange, kStatus}) {
        extensions.insert(extensions.end(), {XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
        make_instance(extensions);
        set_ = make_set("play");
        trigger_ = make_action(set_, "trigger", XR_ACTION_TYPE_FLOAT_INPUT, {"left", "right"});
        grip_ = make_action(set_, "hand", XR_ACTION_TYPE_POSE_INPUT, {"left", "right"});
        ASSERT_EQ(suggest(kTouch, {{trigger_, "left/input/trigger/value"},
                                   {trigger_, "right/input/trigger/value"},
                                   {grip_, "left/input/grip/pose"},
                                   {grip_, "right/input/grip/pose"}}),
                  XR_SUCCESS);
        make_session();
        ASSERT_EQ(attach({set_}), XR_SUCCESS);
        stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    }

    [[nodiscard]] XrResult try_tracker(std::size_t hand, const XrHandTrackingDataSourceInfoEXT& sources,
                                       XrHandTrackerEXT& out) const {
        const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, &sources,
                                              hand == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT,
                                              XR_HAND_JOINT_SET_DEFAULT_EXT};
        return proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(session(), &info, &out);
    }
    [[nodiscard]] XrResult try_tracker(std::size_t hand, const std::vector<std::int32_t>& sources,
                                       XrHandTrackerEXT& out) const {
        std::vector<XrHandTrackingDataSourceEXT> requested;
        for (const std::int32_t source : sources) {
            requested.push_back(static_cast<XrHandTrackingDataSourceEXT>(source));
        }
        requested.reserve(1);  // so that an empty list has an address too
        return try_tracker(
            hand, {kDataSourceInfoType, nullptr, static_cast<std::uint32_t>(requested.size()), requested.data()}, out);
    }
    [[nodiscard]] XrHandTrackerEXT tracker_of(std::size_t hand, const std::vector<std::int32_t>& sources) const {
        XrHandTrackerEXT tracker = XR_NULL_HANDLE;
        EXPECT_EQ(try_tracker(hand, sources, tracker), XR_SUCCESS);
        return tracker;
    }

    // 10 ms or so of gloves where they are worn, actions and events.
    void pass_frame() {
        for (std::size_t hand = 0; hand < 2; ++hand) {
            if (wears_glove_[hand]) {
                send(gloves_[hand]);
            }
        }
        EXPECT_TRUE(XR_SUCCEEDED(sync({set_})));
        (void)poll_events();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    void pass_frames(int count) {
        for (int i = 0; i < count; ++i) {
            pass_frame();
        }
    }
    void ask(XrHandTrackerEXT tracker, FingersAnswer& answer, std::int32_t range = 0) const {
        const XrHandJointsMotionRangeInfoEXT motion{XR_TYPE_HAND_JOINTS_MOTION_RANGE_INFO_EXT, nullptr,
                                                    static_cast<XrHandJointsMotionRangeEXT>(range)};
        EXPECT_EQ(try_ask(tracker, answer, range == 0 ? nullptr : &motion), XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer.hand));
    }
    [[nodiscard]] XrResult try_ask(XrHandTrackerEXT tracker, FingersAnswer& answer, const void* chain) const {
        const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, chain, stage_, runtime().now()};
        return proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT")(tracker, &info, &answer.hand.location_part);
    }
    // Frames until the hand is shown like this; false when it never is.
    template <class Condition>
    [[nodiscard]] bool shows(XrHandTrackerEXT tracker, Condition condition) {
        return wait_for([&] {
            pass_frame();
            FingersAnswer answer;
            ask(tracker, answer);
            return condition(answer);
        });
    }
    [[nodiscard]] bool shows_from(XrHandTrackerEXT tracker, std::int32_t source) {
        return shows(tracker, [source](const FingersAnswer& answer) {
            return answer.hand.active() && answer.state.isActive == XR_TRUE && answer.source() == source;
        });
    }

    [[nodiscard]] XrGloveHandStatusNOVENDOR status(std::size_t hand) const {
        XrGloveHandStatusNOVENDOR status{};
        status.size = sizeof status;
        EXPECT_EQ(proc<PFN_xrGetGloveHandStatusNOVENDOR>("xrGetGloveHandStatusNOVENDOR")(
                      instance(), hand == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT, &status),
                  XR_SUCCESS);
        return status;
    }

    [[nodiscard]] std::string status_source(std::size_t hand) const { return status(hand).source; }

    // From the wrist, in metres: above 0.15 for a stretched finger, below 0.12 for one in a fist.
    [[nodiscard]] static double reach(const HandAnswer& answer, XrHandJointEXT tip) {
        return length(test_runtime::from_xr(answer.joints[static_cast<std::size_t>(tip)].pose).position -
                      test_runtime::from_xr(answer.joints[XR_HAND_JOINT_WRIST_EXT].pose).position);
    }

    XrAction trigger_ = XR_NULL_HANDLE;
    XrAction grip_ = XR_NULL_HANDLE;
    std::array<bool, 2> wears_glove_{false, false};
};

}  // namespace glove::test
