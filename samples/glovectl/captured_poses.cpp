// SPDX-License-Identifier: Apache-2.0
#include "glovectl/captured_poses.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "hand/pose_math.hpp"

namespace glove::ctl {
namespace {

constexpr std::array<const char*, kFingerCount> kFingerNames{"thumb", "index", "middle", "ring", "little"};
constexpr std::size_t kIndex = 1;

// A fist turns the fingertips by 180 to 240 degrees; a pinch leaves the index far less bent than a fist.
constexpr float kLeastTurnToFistDegrees = 90;
constexpr float kLeastTurnFromFistDegrees = 30;
constexpr float kLargestPinchM = 0.045f;  // coils sit on the nails
constexpr float kLargestBendOfFlatDegrees = 45;
// Of the way from the wrist to a straight finger's coil. A fist has half of it, and few hands are so much smaller than
// they are said to be.
constexpr float kLeastReachOfFlat = 0.75f;

float degrees(float radians) noexcept {
    return radians / static_cast<float>(kRadiansPerDegree);
}

// Of the middle of the recording: it was held still. Nothing when the coil was not seen there.
std::optional<XrPosef> coil_of(const Recording& recording, std::size_t finger) noexcept {
    if (recording.coils.empty()) {
        return std::nullopt;
    }
    const fnim::Message& message = recording.coils[recording.coils.size() / 2];
    const fnim::CoilPose& coil = message.coils[finger];
    return coil.valid ? std::optional(coil_as_left(message.hand, coil)) : std::nullopt;
}

}  // namespace

Parts add_to(Recording& recording, const RawMessage& message) {
    Parts parts;
    if (const auto* coils = std::get_if<fnim::Message>(&message.said)) {
        recording.coils.push_back(*coils);
        parts.resize(kFingerCount);
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            if (coils->coils[finger].valid) {
                parts[finger] = coil_as_left(coils->hand, coils->coils[finger]);
            }
        }
    } else if (const auto rest = rest_pose_of(std::get<hand_engine::HandMessage>(message.said))) {
        recording.rotations.push_back(*rest);
        for (const auto& finger : *rest) {
            for (const XrQuaternionf& bone : finger) {
                parts.emplace_back(XrPosef{bone, {0, 0, 0}});
            }
        }
    }
    return parts;
}

MeanRest mean_of(const std::vector<RestPose>& rotations) {
    MeanRest mean{};
    double squares = 0;
    for (std::size_t finger = 0; finger < hand_engine::kFingerCount; ++finger) {
        for (std::size_t bone = 0; bone < hand_engine::kBoneCount; ++bone) {
            XrQuaternionf sum{0, 0, 0, 0};
            const XrQuaternionf& first = rotations.front()[finger][bone];
            for (const RestPose& one : rotations) {
                const XrQuaternionf& q = one[finger][bone];
                // q and -q are one rotation.
                const float sign = q.x * first.x + q.y * first.y + q.z * first.z + q.w * first.w < 0 ? -1.0f : 1.0f;
                sum = {sum.x + sign * q.x, sum.y + sign * q.y, sum.z + sign * q.z, sum.w + sign * q.w};
            }
            mean.rest[finger][bone] = normalised(sum);
            for (const RestPose& one : rotations) {
                const auto off = double{angle_between(one[finger][bone], mean.rest[finger][bone])};
                squares += off * off;
            }
        }
    }
    mean.spread_rad = std::sqrt(
        squares / static_cast<double>(rotations.size() * hand_engine::kFingerCount * hand_engine::kBoneCount));
    return mean;
}

std::string why_no_flat_hand(const HandCalibration& expected, const Recording& candidate) {
    for (std::size_t finger = kIndex; finger < kFingerCount; ++finger) {
        const auto coil = coil_of(candidate, finger);
        const float straight = length(coil_at(expected.fingers[finger], {}).position);
        if (coil &&
            length(compose(inverse(expected.wrist_in_transmitter), *coil).position) < kLeastReachOfFlat * straight) {
            return std::string("the ") + kFingerNames[finger] + " finger is not straight";
        }
    }
    return {};
}

std::string why_no_fist(const Recording& flat, const Recording& candidate) {
    for (std::size_t finger = kIndex; finger < kFingerCount; ++finger) {
        const auto straight = coil_of(flat, finger);
        const auto bent = coil_of(candidate, finger);
        if (straight && bent &&
            degrees(angle_between(straight->orientation, bent->orientation)) < kLeastTurnToFistDegrees) {
            return std::string("the ") + kFingerNames[finger] + " finger is not closed";
        }
    }
    return {};
}

std::string why_no_pinch(const Recording& fist, const Recording& candidate) {
    const auto thumb = coil_of(candidate, kThumb);
    const auto index = coil_of(candidate, kIndex);
    if (!thumb || !index) {
        return "the coils of thumb and index are not both seen";
    }
    if (length(thumb->position - index->position) > kLargestPinchM) {
        return "thumb and index do not touch";
    }
    const auto closed = coil_of(fist, kIndex);
    if (closed && degrees(angle_between(closed->orientation, index->orientation)) < kLeastTurnFromFistDegrees) {
        return "the hand is still a fist";
    }
    return {};
}

std::string why_no_flat_hand(const RestPose& rest) {
    for (std::size_t finger = kIndex; finger < kFingerCount; ++finger) {
        const float bend = degrees(angle_between(rest[finger][hand_engine::kIntermediate], kNoRotation));
        if (bend > kLargestBendOfFlatDegrees) {
            return std::string("the ") + kFingerNames[finger] + " finger is not straight";
        }
    }
    return {};
}

std::string unseen_coils(std::span<const fnim::Message> coils) {
    std::string text;
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        bool seen = false;
        for (const fnim::Message& message : coils) {
            seen = seen || message.coils[finger].valid;
        }
        if (!seen) {
            text += (text.empty() ? "" : ", ") + std::string(kFingerNames[finger]);
        }
    }
    return text;
}

}  // namespace glove::ctl
