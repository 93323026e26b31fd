// SPDX-License-Identifier: Apache-2.0
// StretchSense Hand Engine, "Open SDK" over OSC: what one message says, in the sender's own axes and units.
// Source: the Open SDK Core document; argument orders also from the vendor's Unity plugin. Default port 9400.
// Also the related stream of the vendor's XR gloves, /v1/animation/kinematic/all on port 9002.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "protocol/hand.hpp"
#include "protocol/osc.hpp"

namespace glove::hand_engine {

enum class Finger : std::uint8_t { thumb, index, middle, ring, little };
inline constexpr std::size_t kFingerCount = 5;

// The slots of a finger message. The thumb has no intermediate bone; what its slot holds is not documented.
enum Bone : std::size_t { kMetacarpal, kProximal, kIntermediate, kDistal, kBoneCount };

// x, y, z, w as sent: parent-local in the target rig's axes, of any length, osc::kNull where the sender has no value.
using Quaternion = std::array<float, 4>;

[[nodiscard]] constexpr bool is_null(const Quaternion& q) noexcept {
    return osc::is_null(q[0]) || osc::is_null(q[1]) || osc::is_null(q[2]) || osc::is_null(q[3]);
}

// The same for all messages of one sample of one hand. hhmmssfff, fff a frame number, or a plain counter;
// osc::kNullInteger when the sender has none.
using Timecode = std::int32_t;

struct FingerRotation {
    Timecode timecode;
    std::int32_t performer;
    Hand hand;
    Finger finger;
    bool with_metacarpals;
    std::array<Quaternion, kBoneCount> bones;  // the metacarpal is null unless with_metacarpals
};

// Metres. Said to be relative to the wrist, yet by its figures offsets in a fixed model: of no use for a pose.
struct FingerPosition {
    Timecode timecode;
    std::int32_t performer;
    Hand hand;
    Finger finger;
    std::array<std::array<float, 3>, 3> bones;  // proximal, intermediate, distal; x, y, z
};

// Nominally -1 to 1, overshoot is kept; 0 is straight, 1 fully bent. osc::kNull where the glove has no such sensor.
struct SliderValues {
    std::array<std::array<float, 3>, kFingerCount> bend;  // Bend1 nearest the wrist
    std::array<float, kFingerCount> splay;                // thumb first
    float global_splay;
};

struct Sliders {
    Timecode timecode;
    std::int32_t performer;
    Hand hand;
    std::string_view glove_id;
    std::string_view glove_revision;
    SliderValues values;
};

struct Performer {
    std::int32_t performer;
    bool staged;
    std::string_view name;
};

struct GloveStatus {
    std::int32_t performer;
    std::optional<Hand> profile_hand;
    std::string_view dongle_id;
    std::string_view glove_id;
    std::optional<Hand> glove_hand;
    bool calibrated;
    std::string_view glove_revision;
    std::string_view product;
    std::string_view firmware;
    std::int32_t version_status;  // enumeration without published values
    float battery;                // range not documented; may be null
    std::optional<bool> sd_card;
    bool jam_synced;
};

struct DongleStatus {
    std::string_view dongle_id;
    std::string_view firmware;
    std::int32_t version_status;
};

// 26 joints in OpenXR's order and axes, metres, each in its parent's frame: the wrist for palm and metacarpals.
struct KinematicHand {
    struct Joint {
        std::array<float, 3> position;
        Quaternion orientation;
    };
    static constexpr std::size_t kJoints = 26;

    Timecode timecode;  // a tick counter
    std::int32_t performer;
    Hand hand;
    std::string_view glove_id;
    std::string_view glove_type;
    std::array<Joint, kJoints> joints;
};

// Texts are views into the datagram.
using Message =
    std::variant<FingerRotation, FingerPosition, Sliders, Performer, GloveStatus, DongleStatus, KinematicHand>;

enum class DecodeError : std::uint8_t {
    none,
    unknown_address,  // not one of ours: Hand Engine has more, and they are nothing to worry about
    hand,             // neither 1 nor 2
    argument_count,
    argument_type,
    not_finite,  // infinite or not a number
    count_,
};

[[nodiscard]] const char* name_of(DecodeError error) noexcept;

// `out` is written only when the answer is none. Never throws, never allocates.
[[nodiscard]] DecodeError decode(const osc::Message& message, Message& out) noexcept;

}  // namespace glove::hand_engine
