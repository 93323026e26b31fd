// SPDX-License-Identifier: Apache-2.0
#include "senders/hand_engine_sender.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

using Datagram = std::vector<std::byte>;

constexpr std::size_t kFingers = 5;
constexpr std::array<const char*, kFingers> kFingerNames{"Thumb", "Index", "Middle", "Ring", "Little"};
constexpr std::int32_t kNull = std::numeric_limits<std::int32_t>::min();

void append_integer(Datagram& out, std::uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) {
        out.push_back(static_cast<std::byte>(value >> shift));
    }
}

void append_text(Datagram& out, std::string_view text) {
    for (const char c : text) {
        out.push_back(static_cast<std::byte>(c));
    }
    do {
        out.push_back(std::byte{0});
    } while (out.size() % 4 != 0);
}

class OscMessage {
public:
    explicit OscMessage(std::string_view address) { append_text(head_, address); }

    OscMessage& integer(std::int32_t value) {
        tags_ += 'i';
        append_integer(arguments_, static_cast<std::uint32_t>(value));
        return *this;
    }
    // A whole number goes out as an integer: Hand Engine's language has no other kind of number.
    OscMessage& number(float value) {
        if (value == std::trunc(value) && std::abs(value) < 1e6f) {
            return integer(static_cast<std::int32_t>(value));
        }
        tags_ += 'f';
        append_integer(arguments_, std::bit_cast<std::uint32_t>(value));
        return *this;
    }
    OscMessage& quaternion(const XrQuaternionf& q) { return number(q.x).number(q.y).number(q.z).number(q.w); }
    OscMessage& text(std::string_view value) {
        tags_ += 's';
        append_text(arguments_, value);
        return *this;
    }

    [[nodiscard]] Datagram bytes() const {
        Datagram out = head_;
        append_text(out, tags_);
        out.insert(out.end(), arguments_.begin(), arguments_.end());
        return out;
    }

private:
    Datagram head_;
    std::string tags_ = ",";
    Datagram arguments_;
};

Datagram bundle_of(const std::vector<Datagram>& messages) {
    Datagram out;
    append_text(out, "#bundle");
    append_integer(out, 0);
    append_integer(out, 1);  // the time tag that means now
    for (const Datagram& message : messages) {
        append_integer(out, static_cast<std::uint32_t>(message.size()));
        out.insert(out.end(), message.begin(), message.end());
    }
    return out;
}

// Both mirrors undo themselves.
XrQuaternionf in_rig(HandEngineRig rig, const XrQuaternionf& q) noexcept {
    return rig == HandEngineRig::unity_wave ? XrQuaternionf{-q.x, -q.y, q.z, q.w} : XrQuaternionf{q.x, -q.y, -q.z, q.w};
}

std::size_t metacarpal_of(std::size_t finger) noexcept {
    return finger == 0 ? std::size_t{XR_HAND_JOINT_THUMB_METACARPAL_EXT} : 1 + 5 * finger;
}

XrQuaternionf turn(const HandJoints& joints, std::size_t parent, std::size_t child) noexcept {
    return normalised(multiply(conjugate(joints[parent].orientation), joints[child].orientation));
}

Datagram finger_message(const HandEngineFrame& frame, const HandJoints& joints, std::size_t finger) {
    const bool metacarpals = frame.format == HandEngineFormat::metacarpals;
    const std::size_t metacarpal = metacarpal_of(finger);
    const std::size_t proximal = metacarpal + 1;
    const std::size_t wrist = XR_HAND_JOINT_WRIST_EXT;
    const auto raw = [&](std::size_t parent, std::size_t child) {
        return in_rig(frame.rig, turn(joints, parent, child));
    };

    OscMessage message("/v1/animation/" + std::to_string(frame.performer) + (frame.hand == Hand::left ? "/1/" : "/2/") +
                       kFingerNames[finger] + (metacarpals ? "/rotationWithMetacarpals" : "/rotation"));
    message.integer(frame.timecode);
    if (metacarpals) {
        message.quaternion(raw(wrist, metacarpal));
    }
    message.quaternion(raw(metacarpals ? metacarpal : wrist, proximal));
    if (finger == 0) {
        message.quaternion(kNoRotation);  // the intermediate bone that a thumb does not have
    } else {
        message.quaternion(raw(proximal, proximal + 1));
    }
    const std::size_t distal = finger == 0 ? proximal + 1 : proximal + 2;
    message.quaternion(raw(distal - 1, distal));
    return message.bytes();
}

const char* glove_name(HandEngineGlove glove, Hand hand) noexcept {
    if (glove == HandEngineGlove::studio) {
        return hand == Hand::left ? "SIM-STUDIO-L" : "SIM-STUDIO-R";
    }
    return hand == Hand::left ? "SIM-FIDELITY-L" : "SIM-FIDELITY-R";
}

const char* revision_of(HandEngineGlove glove) noexcept {
    return glove == HandEngineGlove::studio ? "G" : "F";
}

// 0 in the open hand, 1 at these angles. What Hand Engine divides by is not published.
constexpr std::array<float, 3> kFullFingerDegrees{85, 100, 65};
constexpr std::array<float, 3> kFullThumbDegrees{40, 55, 80};
constexpr float kFullSplayDegrees = 18;

Datagram slider_message(const HandEngineFrame& frame, const HandJoints& joints) {
    const HandJoints open = hand_joints(frame.hand, Pose::open, 0);
    const auto radial_sign = static_cast<float>(frame.hand == Hand::left ? -1 : 1);
    // The turn of a joint since the open hand, degrees, as axis times angle.
    const auto since_open = [&](std::size_t parent, std::size_t child) {
        const XrQuaternionf since = multiply(conjugate(turn(open, parent, child)), turn(joints, parent, child));
        return static_cast<float>(1 / kRadiansPerDegree) * rotation_vector(since);
    };
    std::array<std::array<float, 3>, kFingers> bend{};
    std::array<float, kFingers> radial{};
    for (std::size_t finger = 0; finger < kFingers; ++finger) {
        const std::size_t first = finger == 0 ? metacarpal_of(0) : metacarpal_of(finger) + 1;
        const auto& full = finger == 0 ? kFullThumbDegrees : kFullFingerDegrees;
        for (std::size_t joint = 0; joint < 3; ++joint) {
            const std::size_t parent =
                finger == 0 && joint == 0 ? std::size_t{XR_HAND_JOINT_WRIST_EXT} : first + joint - 1;
            const XrVector3f since = since_open(parent, first + joint);
            bend[finger][joint] = -since.x / full[joint];
            if (joint == 0) {
                radial[finger] = radial_sign * since.y / kFullSplayDegrees;
            }
        }
    }
    const bool studio = frame.glove == HandEngineGlove::studio;
    OscMessage message("/v1/animation/slider/all");
    const auto only_fidelity = [&](float value) { studio ? message.integer(kNull) : message.number(value); };

    message.integer(frame.timecode).integer(frame.performer).integer(frame.hand == Hand::left ? 1 : 2);
    message.text(glove_name(frame.glove, frame.hand)).text(revision_of(frame.glove));
    for (std::size_t finger = 0; finger < kFingers; ++finger) {
        message.number(bend[finger][0]).number(bend[finger][1]);
        only_fidelity(bend[finger][2]);
        if (finger == 0) {
            message.number(radial[0]);
        }
    }
    message.number(0.5f * (radial[1] - radial[4]));
    for (std::size_t finger = 1; finger < kFingers; ++finger) {
        only_fidelity(finger < 3 ? radial[finger] : -radial[finger]);
    }
    return message.bytes();
}

}  // namespace

std::int32_t hand_engine_timecode(std::int64_t frames_since_midnight, int frames_per_second) noexcept {
    constexpr std::int64_t kSecondsPerDay = 86'400;
    const std::int64_t second = frames_since_midnight / frames_per_second % kSecondsPerDay;
    const std::int64_t frame = frames_since_midnight % frames_per_second;
    return static_cast<std::int32_t>(second / 3600 * 10'000'000 + second / 60 % 60 * 100'000 + second % 60 * 1'000 +
                                     frame);
}

std::vector<Datagram> encode_hand_engine(const HandEngineFrame& frame, const HandJoints& joint_in_wrist) {
    std::vector<Datagram> messages;
    if (frame.format == HandEngineFormat::sliders) {
        messages.push_back(slider_message(frame, joint_in_wrist));
    } else {
        for (const std::uint8_t finger : frame.finger_order) {
            messages.push_back(finger_message(frame, joint_in_wrist, finger));
        }
    }
    return frame.bundle ? std::vector<Datagram>{bundle_of(messages)} : messages;
}

std::vector<Datagram> encode_hand_engine_status(const HandEngineStatusMessages& status) {
    const std::int32_t handedness = status.hand == Hand::left ? 1 : 2;
    constexpr std::int32_t kVersionStatus = 0;
    const bool studio = status.glove == HandEngineGlove::studio;
    OscMessage performer("/v1/performer/all");
    performer.integer(status.performer).integer(1).text("Simulated");
    OscMessage glove("/v1/performer/glove/status");
    glove.integer(status.performer).integer(handedness).text("SIM-DONGLE").text(glove_name(status.glove, status.hand));
    glove.integer(handedness).integer(status.calibrated ? 1 : 0).text(revision_of(status.glove));
    glove.text(studio ? "Studio Glove" : "Pro Fidelity Glove").text("1.0.0").integer(kVersionStatus);
    glove.number(status.battery).integer(kNull).integer(0);
    OscMessage dongle("/v1/device/dongle/status");
    dongle.text("SIM-DONGLE").text("1.0.0").integer(kVersionStatus);
    return {performer.bytes(), glove.bytes(), dongle.bytes()};
}

}  // namespace glove
