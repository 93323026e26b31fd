// SPDX-License-Identifier: Apache-2.0
// A program with actions, through the real loader. Names of users are short: "left" is "/user/hand/left", "" is no
// subaction path, and what begins with '/' is taken as it is.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "openxr/loader_fixture.hpp"

namespace glove::test {

using test_runtime::ControllerScript;
using test_runtime::MotionScript;
using test_runtime::Recentring;
using test_runtime::TrackerScript;

class InputTest : public LoaderTest {
protected:
    [[nodiscard]] XrPath path(const std::string& text) const;
    [[nodiscard]] XrPath user(std::string_view name) const;
    [[nodiscard]] std::string text(XrPath path) const;  // "" of the null path

    // These throw on every error.
    [[nodiscard]] XrActionSet make_set(const std::string& name, std::uint32_t priority = 0) const;
    [[nodiscard]] XrAction make_action(XrActionSet set, const std::string& name, XrActionType type,
                                       const std::vector<std::string>& users = {}) const;
    [[nodiscard]] XrSpace make_action_space(XrAction action, std::string_view of = "",
                                            const XrPosef& pose = kHere) const;

    // `profile` as "khr/simple_controller"; bindings as "left/input/grip/pose".
    [[nodiscard]] XrResult suggest(const std::string& profile,
                                   const std::vector<std::pair<XrAction, std::string>>& bindings) const;
    [[nodiscard]] XrResult attach(const std::vector<XrActionSet>& sets) const;
    [[nodiscard]] XrResult sync(const std::vector<XrActionSet>& sets) const;

    [[nodiscard]] XrActionStateBoolean boolean(XrAction action, std::string_view of = "") const;
    [[nodiscard]] XrActionStateFloat number(XrAction action, std::string_view of = "") const;
    [[nodiscard]] XrActionStateVector2f vector(XrAction action, std::string_view of = "") const;
    [[nodiscard]] bool is_active_pose(XrAction action, std::string_view of = "") const;
    [[nodiscard]] std::string current_profile(std::string_view of) const;  // as suggest() takes it; "" for none
    [[nodiscard]] std::vector<std::string> bound_sources(XrAction action) const;

    struct Located {
        XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, nullptr, 0, {}};
        XrSpaceVelocity velocity{XR_TYPE_SPACE_VELOCITY, nullptr, 0, {}, {}};
    };
    [[nodiscard]] Located locate_space(XrSpace space, XrSpace base, XrTime time = 1) const;

    // What has come since the last time.
    [[nodiscard]] std::vector<XrEventDataBuffer> poll_events() const;
    [[nodiscard]] static int count(const std::vector<XrEventDataBuffer>& events, XrStructureType type);

    // A controller of this kind ("khr/simple_controller") in this hand (0 left, 1 right).
    void hold(std::size_t hand, const std::string& profile) const;
    void press(std::size_t hand, const std::string& input, float value) const;
};

}  // namespace glove::test
