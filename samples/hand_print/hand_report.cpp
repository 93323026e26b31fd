// SPDX-License-Identifier: Apache-2.0
#include "hand_print/hand_report.hpp"

#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace glove {
namespace {

constexpr std::array<const char*, XR_HAND_JOINT_COUNT_EXT> kJointNames{
    "palm",
    "wrist",
    "thumb-metacarpal",
    "thumb-proximal",
    "thumb-distal",
    "thumb-tip",
    "index-metacarpal",
    "index-proximal",
    "index-intermediate",
    "index-distal",
    "index-tip",
    "middle-metacarpal",
    "middle-proximal",
    "middle-intermediate",
    "middle-distal",
    "middle-tip",
    "ring-metacarpal",
    "ring-proximal",
    "ring-intermediate",
    "ring-distal",
    "ring-tip",
    "little-metacarpal",
    "little-proximal",
    "little-intermediate",
    "little-distal",
    "little-tip",
};

constexpr double kMmPerMetre = 1000;
constexpr auto kShortestSpan = std::chrono::milliseconds(250);
constexpr auto kPause = std::chrono::milliseconds(250);  // gloves send 60 or 120 a second

template <class... Values>
void append(std::string& out, const char* format, Values... values) {
    char line[256];
    std::snprintf(line, sizeof line, format, values...);
    out += line;
}

std::string flags_of(const XrHandJointLocationEXT& joint, const XrHandJointVelocityEXT* velocity) {
    const auto letter = [](bool valid, bool tracked, char yes, char sure) {
        return !valid ? '-' : tracked ? sure : yes;
    };
    const XrSpaceLocationFlags flags = joint.locationFlags;
    std::string out;
    out += letter((flags & XR_SPACE_LOCATION_POSITION_VALID_BIT) != 0,
                  (flags & XR_SPACE_LOCATION_POSITION_TRACKED_BIT) != 0, 'p', 'P');
    out += letter((flags & XR_SPACE_LOCATION_ORIENTATION_VALID_BIT) != 0,
                  (flags & XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT) != 0, 'o', 'O');
    if (velocity != nullptr) {
        out += (velocity->velocityFlags & XR_SPACE_VELOCITY_LINEAR_VALID_BIT) != 0 ? 'l' : '-';
        out += (velocity->velocityFlags & XR_SPACE_VELOCITY_ANGULAR_VALID_BIT) != 0 ? 'a' : '-';
    }
    return out;
}

void append_hand(std::string& out, Hand hand, const HandReport& report, const PrintSettings& settings) {
    const LocatedHand& located = report.located;
    if (located.active) {
        append(out, "  %-20s %9s %9s %9s  %7s %7s %7s %7s  %6s  flags%s\n", name_of(hand), "x mm", "y mm", "z mm", "qx",
               "qy", "qz", "qw", "r mm", settings.velocities ? "    linear mm/s                  angular rad/s" : "");
    }
    for (std::size_t i = 0; located.active && i < kJointNames.size(); ++i) {
        const XrHandJointLocationEXT& joint = located.joints[i];
        const XrHandJointVelocityEXT& velocity = located.velocities[i];
        const XrVector3f& p = joint.pose.position;
        const XrQuaternionf& q = joint.pose.orientation;
        append(out, "  %-20s %9.1f %9.1f %9.1f  %7.4f %7.4f %7.4f %7.4f  %6.1f  %s", kJointNames[i], kMmPerMetre * p.x,
               kMmPerMetre * p.y, kMmPerMetre * p.z, q.x, q.y, q.z, q.w, kMmPerMetre * joint.radius,
               flags_of(joint, settings.velocities ? &velocity : nullptr).c_str());
        if (settings.velocities) {
            const XrVector3f& linear = velocity.linearVelocity;
            const XrVector3f& angular = velocity.angularVelocity;
            append(out, "  %8.1f %8.1f %8.1f  %7.3f %7.3f %7.3f", kMmPerMetre * linear.x, kMmPerMetre * linear.y,
                   kMmPerMetre * linear.z, angular.x, angular.y, angular.z);
        }
        out += '\n';
    }
}

void append_summary(std::string& out, Hand hand, const HandReport& report) {
    append(out, "%-5s  %s, source %s", name_of(hand), report.located.active ? "active" : "not active",
           report.source.c_str());
    if (report.packets_per_second) {
        append(out, ", %.0f packets/s", *report.packets_per_second);
    } else {
        out += ", - packets/s";
    }
    if (report.age_ms) {
        append(out, ", age %.1f ms", *report.age_ms);
    }
    append(out, ", tracked %s\n", report.tracked ? "yes" : "no");
}

template <class Value>
nlohmann::ordered_json or_null(const std::optional<Value>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json scaled(const XrVector3f& v, double factor) {
    return {factor * v.x, factor * v.y, factor * v.z};
}

nlohmann::ordered_json json_of(const HandReport& report, const PrintSettings& settings) {
    nlohmann::ordered_json out;
    out["active"] = report.located.active;
    out["source"] = report.source;
    out["tracked"] = report.tracked;
    out["packets_per_second"] = or_null(report.packets_per_second);
    out["age_ms"] = or_null(report.age_ms);
    out["joints"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; report.located.active && i < kJointNames.size(); ++i) {
        const XrHandJointLocationEXT& joint = report.located.joints[i];
        const XrHandJointVelocityEXT& velocity = report.located.velocities[i];
        const XrQuaternionf& q = joint.pose.orientation;
        nlohmann::ordered_json entry;
        entry["name"] = kJointNames[i];
        entry["position_mm"] = scaled(joint.pose.position, kMmPerMetre);
        entry["orientation_xyzw"] = {q.x, q.y, q.z, q.w};
        entry["radius_mm"] = kMmPerMetre * joint.radius;
        entry["flags"] = flags_of(joint, settings.velocities ? &velocity : nullptr);
        if (settings.velocities) {
            entry["linear_mm_per_s"] = scaled(velocity.linearVelocity, kMmPerMetre);
            entry["angular_rad_per_s"] = scaled(velocity.angularVelocity, 1);
        }
        out["joints"].push_back(std::move(entry));
    }
    return out;
}

}  // namespace

void PacketRate::add(TimePoint time, std::uint64_t datagrams) {
    if (datagrams == 0) {
        return;  // the time before the first one is no part of the rate
    }
    if (readings_.empty() || datagrams != readings_.back().datagrams) {
        if (time - heard_ >= kPause) {
            readings_.clear();
        }
        heard_ = time;
    }
    readings_.push_back({time, datagrams});
    while (readings_.size() > 2 && time - readings_[1].time >= std::chrono::seconds(1)) {
        readings_.pop_front();
    }
}

std::optional<double> PacketRate::per_second() const {
    if (readings_.empty()) {
        return std::nullopt;
    }
    const auto span = std::chrono::duration<double>(readings_.back().time - readings_.front().time);
    if (span < kShortestSpan) {
        return std::nullopt;
    }
    return static_cast<double>(readings_.back().datagrams - readings_.front().datagrams) / span.count();
}

std::string as_text(const FrameReport& frame, const PrintSettings& settings) {
    std::string out;
    append(out, "frame %d, time %" PRId64 " ns, space %s\n", frame.number, frame.time, settings.space.c_str());
    for (const Hand hand : kBothHands) {
        append_hand(out, hand, frame.hands[index_of(hand)], settings);
    }
    for (const Hand hand : kBothHands) {
        append_summary(out, hand, frame.hands[index_of(hand)]);
    }
    return out;
}

std::string as_json(const FrameReport& frame, const PrintSettings& settings) {
    nlohmann::ordered_json out;
    out["frame"] = frame.number;
    out["time_ns"] = frame.time;
    out["space"] = settings.space;
    for (const Hand hand : kBothHands) {
        out["hands"][name_of(hand)] = json_of(frame.hands[index_of(hand)], settings);
    }
    return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace glove
