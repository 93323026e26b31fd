// SPDX-License-Identifier: Apache-2.0
// The constant pose of the wrist in whatever carries it: measured, else configured, else nominal.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "hand/wrist_offset.hpp"
#include "support/calibration_file.hpp"
#include "support/config.hpp"

namespace glove {

[[nodiscard]] XrPosef pose_of(const Config::Placement& placement) noexcept;

struct WristOffset {
    XrPosef wrist_in_source;
    const char* from;  // "measured", "configured", "nominal"
};

// Sources have names: that of a controller's pose is its interaction profile with the pose behind it, for a
// controller's grip and aim lie differently in the hand.
[[nodiscard]] std::string controller_source(std::string_view profile, PoseKind kind);
inline constexpr std::string_view kTrackerSource = "tracker";

class WristOffsets {
public:
    explicit WristOffsets(const Config& config);

    // What the calibration file says of wrists, instead of what it said before.
    void read(const CalibrationValues& values);
    // As that file keeps it: orientation x, y, z, w, position in metres.
    [[nodiscard]] static std::string key_of(std::string_view source, Hand hand);

    [[nodiscard]] WristOffset of_controller(std::string_view profile, PoseKind kind, Hand hand) const;
    [[nodiscard]] WristOffset of_tracker(Hand hand) const;

private:
    struct Known {
        std::string source;  // in measured_: key_of it
        Hand hand;
        XrPosef wrist_in_source;
    };
    [[nodiscard]] static const Known* find(const std::vector<Known>& known, std::string_view source,
                                           Hand hand) noexcept;
    [[nodiscard]] WristOffset best(std::string_view source, Hand hand, const XrPosef& nominal) const;

    float size_mm_;
    mutable std::mutex mutex_;
    std::vector<Known> configured_;
    std::vector<Known> measured_;
    bool warned_about_damage_ = false;
};

}  // namespace glove
