// SPDX-License-Identifier: Apache-2.0
// The scripted controllers and trackers, as what is bound to them reads them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/runtime.hpp"

namespace glove::test_runtime {

struct Device {
    std::string profile;  // what it is
    MotionScript grip;
    XrPosef aim_in_grip;
    XrPosef palm_in_grip;
    std::map<std::string, float> inputs;
};

// What is at a user path now.
[[nodiscard]] std::optional<Device> device_at(std::string_view user);

// Whether an action of this type gets anything from this input.
[[nodiscard]] bool suits(const Profile& profile, const InputPath& input, XrActionType type);

// Of an input that suits. `profile` is the current one, which may be simpler than the device.
[[nodiscard]] XrVector2f read_input(const Device& device, const Profile& profile, const InputPath& input,
                                    XrActionType type);

[[nodiscard]] Placed place_device_pose(const InputPath& pose, XrTime time);

}  // namespace glove::test_runtime
