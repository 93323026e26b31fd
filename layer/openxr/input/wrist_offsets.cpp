// SPDX-License-Identifier: Apache-2.0
#include "openxr/input/wrist_offsets.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "hand/calibration_numbers.hpp"
#include "hand/pose_math.hpp"
#include "support/log.hpp"

namespace glove {

XrPosef pose_of(const Config::Placement& placement) noexcept {
    const auto& [x, y, z] = placement.position_mm;
    const auto& [rx, ry, rz] = placement.rotation_deg;
    return {from_euler_degrees(rx, ry, rz),
            {static_cast<float>(x / 1000), static_cast<float>(y / 1000), static_cast<float>(z / 1000)}};
}

std::string controller_source(std::string_view profile, PoseKind kind) {
    return std::string(profile) + '/' + name_of(kind);
}

WristOffsets::WristOffsets(const Config& config) : size_mm_(static_cast<float>(config.hand.size_mm)) {
    for (const Config::WristOffset& offset : config.wrist.offsets) {
        if (offset.left) {
            configured_.push_back({offset.source, Hand::left, pose_of(*offset.left)});
        }
        if (offset.right) {
            configured_.push_back({offset.source, Hand::right, pose_of(*offset.right)});
        }
    }
}

const WristOffsets::Known* WristOffsets::find(const std::vector<Known>& known, std::string_view source,
                                              Hand hand) noexcept {
    const auto it = std::find_if(known.begin(), known.end(), [source, hand](const Known& item) {
        return item.hand == hand && item.source == source;
    });
    return it == known.end() ? nullptr : &*it;
}

WristOffset WristOffsets::best(std::string_view source, Hand hand, const XrPosef& nominal) const {
    const std::lock_guard lock(mutex_);
    if (const Known* known = find(measured_, key_of(source, hand), hand)) {
        return {known->wrist_in_source, "measured"};
    }
    if (const Known* known = find(configured_, source, hand)) {
        return {known->wrist_in_source, "configured"};
    }
    return {nominal, "nominal"};
}

WristOffset WristOffsets::of_controller(std::string_view profile, PoseKind kind, Hand hand) const {
    return best(controller_source(profile, kind), hand, nominal_wrist_in(profile, kind, hand, size_mm_));
}

WristOffset WristOffsets::of_tracker(Hand hand) const {
    return best(kTrackerSource, hand, kIdentityPose);
}

std::string WristOffsets::key_of(std::string_view source, Hand hand) {
    return std::string("wrist.") + name_of(hand) + '.' + calibration_key_part(source);
}

void WristOffsets::read(const CalibrationValues& values) {
    const std::lock_guard lock(mutex_);
    std::vector<Known> measured;
    for (const Hand hand : kBothHands) {
        const std::string prefix = std::string("wrist.") + name_of(hand) + '.';
        for (const auto& [key, numbers] : values.numbers) {
            if (!key.starts_with(prefix)) {
                continue;
            }
            if (const std::optional<XrPosef> pose = wrist_offset_of(numbers)) {
                measured.push_back({key, hand, *pose});
            } else if (!std::exchange(warned_about_damage_, true)) {
                log::warning("calibration: %s is damaged and is passed over; measure the wrist again", key.c_str());
            }
        }
    }
    measured_ = std::move(measured);
}

}  // namespace glove
