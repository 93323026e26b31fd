// SPDX-License-Identifier: Apache-2.0
// Which interaction profiles there are, and which inputs each of them has, as the OpenXR specification lists them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glove::test_runtime {

struct Instance;

inline constexpr std::string_view kLeftHand = "/user/hand/left";
inline constexpr std::string_view kRightHand = "/user/hand/right";
inline constexpr std::string_view kTrackerRoles = "/user/vive_tracker_htcx/role/";
inline constexpr std::string_view kTrackerSerials = "/devices/htc/vive_tracker";

// "/user/hand/left/input/trigger/value", in its parts. Priorities compare user and identifier.
struct InputPath {
    std::string user;        // "/user/hand/left"
    std::string identifier;  // "trigger"; "haptic" of an output
    std::string component;   // "value"; empty: the runtime chooses one
    [[nodiscard]] std::string source() const { return user + '/' + identifier; }
};

// Null for what is no input or output of a user path this instance has.
[[nodiscard]] std::optional<InputPath> split_input_path(const Instance& instance, std::string_view path);

// "/user/…" that an action may have as a subaction path, or "/devices/…" of a tracker.
[[nodiscard]] bool is_user_path(const Instance& instance, std::string_view path);

struct Profile {
    std::string name;
    std::string title;
    std::string extension;  // empty: of OpenXR 1.0
    bool is_of_trackers;
    // As "trigger/value" or "haptic".
    std::vector<std::string> both;
    std::vector<std::string> left;
    std::vector<std::string> right;

    [[nodiscard]] bool has(std::string_view user, std::string_view input) const;
};

// Null when there is none, or when its extension is not enabled.
[[nodiscard]] const Profile* find_profile(const Instance& instance, std::string_view name);

// Whether a suggestion may name this path; poses that extensions add to every profile included.
[[nodiscard]] bool may_bind(const Instance& instance, const Profile& profile, const InputPath& path);

}  // namespace glove::test_runtime
