// SPDX-License-Identifier: Apache-2.0
#include "runtime/devices.hpp"

#include <algorithm>
#include <array>

namespace glove::test_runtime {
namespace {

constexpr XrPosef kIdentity{{0, 0, 0, 1}, {0, 0, 0}};

bool has(const Profile& profile, const InputPath& input, const char* component) {
    return profile.has(input.user, input.identifier + '/' + component);
}

// What a boolean or a float action reads where the suggestion named no component.
std::string choose_component(const Profile& profile, const InputPath& input, XrActionType type) {
    const bool is_boolean = type == XR_ACTION_TYPE_BOOLEAN_INPUT;
    for (const char* component : {is_boolean ? "click" : "value", is_boolean ? "value" : "click", "force", "touch"}) {
        if (has(profile, input, component)) {
            return component;
        }
    }
    return {};
}

float number(const Device& device, const std::string& input) {
    const auto found = device.inputs.find(input);
    return found == device.inputs.end() ? 0 : found->second;
}

// A controller that plays a simple one.
float simple_number(const Device& device, const std::string& input) {
    if (input == "select/click") {
        return std::max(number(device, "trigger/click"), number(device, "trigger/value"));
    }
    return number(device, input);
}

}  // namespace

std::optional<Device> device_at(std::string_view user) {
    if (user == kLeftHand || user == kRightHand) {
        const ControllerScript script = control().controllers[user == kLeftHand ? 0 : 1].get();
        if (script.present) {
            return Device{script.profile, script.grip, script.aim_in_grip, script.palm_in_grip, script.inputs};
        }
        return std::nullopt;
    }
    for (const TrackerScript& tracker : control().trackers.get()) {
        if (user == tracker.persistent_path || user == std::string(kTrackerRoles) + tracker.role) {
            return Device{"/interaction_profiles/htc/vive_tracker_htcx", tracker.grip, kIdentity, kIdentity, {}};
        }
    }
    return std::nullopt;
}

bool suits(const Profile& profile, const InputPath& input, XrActionType type) {
    switch (type) {
        case XR_ACTION_TYPE_POSE_INPUT:
            return input.component == "pose" || (input.component.empty() && has(profile, input, "pose"));
        case XR_ACTION_TYPE_VIBRATION_OUTPUT:
            return input.identifier.starts_with("haptic");
        case XR_ACTION_TYPE_VECTOR2F_INPUT:
            return input.component.empty() && has(profile, input, "x");
        default:
            return input.component.empty() ? !choose_component(profile, input, type).empty()
                                           : input.component != "pose";
    }
}

XrVector2f read_input(const Device& device, const Profile& profile, const InputPath& input, XrActionType type) {
    const auto read = [&](const std::string& component) {
        const std::string name = input.identifier + '/' + component;
        return profile.name == device.profile ? number(device, name) : simple_number(device, name);
    };
    if (type == XR_ACTION_TYPE_VECTOR2F_INPUT) {
        return {read("x"), read("y")};
    }
    const float value = read(input.component.empty() ? choose_component(profile, input, type) : input.component);
    return {type == XR_ACTION_TYPE_BOOLEAN_INPUT ? (value >= 0.5f ? 1.0f : 0.0f) : value, 0};
}

Placed place_device_pose(const InputPath& pose, XrTime time) {
    const std::optional<Device> device = device_at(pose.user);
    if (!device) {
        return kNowhere;
    }
    Placed placed = place(device->grip, time);
    if (pose.identifier != "grip") {
        placed.motion =
            attached(placed.motion, from_xr(pose.identifier == "aim" ? device->aim_in_grip : device->palm_in_grip));
    }
    return placed;
}

}  // namespace glove::test_runtime
