// SPDX-License-Identifier: Apache-2.0
#include "protocol/hand_engine.hpp"

#include <charconv>

namespace glove::hand_engine {
namespace {

constexpr std::string_view kAnimation = "/v1/animation/";
constexpr std::array<std::string_view, kFingerCount> kFingerNames{"Thumb", "Index", "Middle", "Ring", "Little"};

std::optional<Hand> hand_of(std::int32_t handedness) noexcept {
    switch (handedness) {
        case 1:
            return Hand::left;
        case 2:
            return Hand::right;
        default:
            return std::nullopt;
    }
}

DecodeError decode_error_of(osc::ArgumentError error) noexcept {
    switch (error) {
        case osc::ArgumentError::none:
            return DecodeError::none;
        case osc::ArgumentError::missing:
            return DecodeError::argument_count;
        case osc::ArgumentError::type:
            return DecodeError::argument_type;
        case osc::ArgumentError::not_finite:
            return DecodeError::not_finite;
    }
    return DecodeError::argument_type;
}

// The text before the next '/', taken off `path` together with it.
std::string_view take_part(std::string_view& path) noexcept {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    return part;
}

bool to_number(std::string_view text, std::int32_t& out) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size();
}

// Below, `out` is assigned as a whole: the type is trivial, so that is a copy which cannot throw, unlike emplace().
DecodeError decode_rotation(const osc::Message& message, FingerRotation rotation, Message& out) noexcept {
    // The vendor's own reader takes one argument more than it knows with metacarpals, and we do too.
    const std::size_t count = rotation.with_metacarpals ? 17 : 13;
    const std::size_t most = rotation.with_metacarpals ? 18 : 13;
    if (message.tags.size() < count || message.tags.size() > most) {
        return DecodeError::argument_count;
    }
    osc::ArgumentReader in(message);
    rotation.timecode = in.integer();
    rotation.bones[kMetacarpal].fill(osc::kNull);
    for (std::size_t bone = rotation.with_metacarpals ? kMetacarpal : kProximal; bone < kBoneCount; ++bone) {
        in.numbers(rotation.bones[bone]);
    }
    if (in.argument_error() != osc::ArgumentError::none) {
        return decode_error_of(in.argument_error());
    }
    out = Message(rotation);
    return DecodeError::none;
}

DecodeError decode_position(const osc::Message& message, FingerPosition position, Message& out) noexcept {
    if (message.tags.size() != 10) {
        return DecodeError::argument_count;
    }
    osc::ArgumentReader in(message);
    position.timecode = in.integer();
    for (auto& bone : position.bones) {
        in.numbers(bone);
    }
    if (in.argument_error() != osc::ArgumentError::none) {
        return decode_error_of(in.argument_error());
    }
    out = Message(position);
    return DecodeError::none;
}

// `path`: what follows /v1/animation/, {performer}/{hand}/{Finger}/{kind}.
DecodeError decode_finger(const osc::Message& message, std::string_view path, Message& out) noexcept {
    std::int32_t performer = 0;
    std::int32_t handedness = 0;
    if (!to_number(take_part(path), performer) || !to_number(take_part(path), handedness)) {
        return DecodeError::unknown_address;
    }
    const std::string_view name = take_part(path);
    std::size_t finger = 0;
    while (finger < kFingerCount && name != kFingerNames[finger]) {
        ++finger;
    }
    if (finger == kFingerCount) {
        return DecodeError::unknown_address;
    }
    const bool with_metacarpals = path == "rotationWithMetacarpals";
    const bool rotation = with_metacarpals || path == "rotation";
    if (!rotation && path != "position") {
        return DecodeError::unknown_address;
    }
    const std::optional<Hand> hand = hand_of(handedness);
    if (!hand) {
        return DecodeError::hand;
    }
    if (rotation) {
        return decode_rotation(message, {0, performer, *hand, static_cast<Finger>(finger), with_metacarpals, {}}, out);
    }
    return decode_position(message, {0, performer, *hand, static_cast<Finger>(finger), {}}, out);
}

DecodeError decode_sliders(const osc::Message& message, Message& out) noexcept {
    if (message.tags.size() != 26) {
        return DecodeError::argument_count;
    }
    osc::ArgumentReader in(message);
    Sliders sliders{};
    sliders.timecode = in.integer();
    sliders.performer = in.integer();
    const std::optional<Hand> hand = hand_of(in.integer());
    sliders.glove_id = in.string();
    sliders.glove_revision = in.string();
    SliderValues& values = sliders.values;
    constexpr auto kThumb = static_cast<std::size_t>(Finger::thumb);
    in.numbers(values.bend[kThumb]);
    values.splay[kThumb] = in.number();
    for (std::size_t finger = kThumb + 1; finger < kFingerCount; ++finger) {
        in.numbers(values.bend[finger]);
    }
    values.global_splay = in.number();
    for (std::size_t finger = kThumb + 1; finger < kFingerCount; ++finger) {
        values.splay[finger] = in.number();
    }
    if (in.argument_error() != osc::ArgumentError::none) {
        return decode_error_of(in.argument_error());
    }
    if (!hand) {
        return DecodeError::hand;
    }
    sliders.hand = *hand;
    out = Message(sliders);
    return DecodeError::none;
}

DecodeError decode_kinematic(const osc::Message& message, Message& out) noexcept {
    if (message.tags.size() != 5 + 7 * KinematicHand::kJoints) {
        return DecodeError::argument_count;
    }
    osc::ArgumentReader in(message);
    KinematicHand kinematic{};
    kinematic.timecode = in.integer();
    kinematic.performer = in.integer();
    const std::optional<Hand> hand = hand_of(in.integer());
    kinematic.glove_id = in.string();
    kinematic.glove_type = in.string();
    for (KinematicHand::Joint& joint : kinematic.joints) {
        in.numbers(joint.position);
        in.numbers(joint.orientation);
    }
    if (in.argument_error() != osc::ArgumentError::none) {
        return decode_error_of(in.argument_error());
    }
    if (!hand) {
        return DecodeError::hand;
    }
    kinematic.hand = *hand;
    out = Message(kinematic);
    return DecodeError::none;
}

DecodeError decode_performer(const osc::Message& message, Message& out) noexcept {
    if (message.tags.size() != 3) {
        return DecodeError::argument_count;
    }
    osc::ArgumentReader in(message);
    Performer performer{};
    performer.performer = in.integer();
    performer.staged = in.integer() > 0;
    performer.name = in.string();
    if (in.argument_error() != osc::ArgumentError::none) {
        return decode_error_of(in.argument_error());
    }
    out = Message(performer);
    return DecodeError::none;
}

DecodeError decode_glove_status(const osc::Message& message, Message& out) noexcept {
    if (message.tags.size() != 13) {
        return DecodeError::argument_count;
    }
    osc::ArgumentReader in(message);
    GloveStatus status{};
    status.performer = in.integer();
    status.profile_hand = hand_of(in.integer());
    status.dongle_id = in.string();
    status.glove_id = in.string();
    status.glove_hand = hand_of(in.integer());
    status.calibrated = in.integer() > 0;
    status.glove_revision = in.string();
    status.product = in.string();
    status.firmware = in.string();
    status.version_status = in.integer();
    status.battery = in.number();
    if (const std::int32_t card = in.integer(); card != osc::kNullInteger) {
        status.sd_card = card > 0;
    }
    status.jam_synced = in.integer() > 0;
    if (in.argument_error() != osc::ArgumentError::none) {
        return decode_error_of(in.argument_error());
    }
    out = Message(status);
    return DecodeError::none;
}

DecodeError decode_dongle_status(const osc::Message& message, Message& out) noexcept {
    if (message.tags.size() != 3) {
        return DecodeError::argument_count;
    }
    osc::ArgumentReader in(message);
    DongleStatus status{};
    status.dongle_id = in.string();
    status.firmware = in.string();
    status.version_status = in.integer();
    if (in.argument_error() != osc::ArgumentError::none) {
        return decode_error_of(in.argument_error());
    }
    out = Message(status);
    return DecodeError::none;
}

}  // namespace

const char* name_of(DecodeError error) noexcept {
    switch (error) {
        case DecodeError::none:
            return "none";
        case DecodeError::unknown_address:
            return "unknown address";
        case DecodeError::hand:
            return "hand";
        case DecodeError::argument_count:
            return "argument count";
        case DecodeError::argument_type:
            return "argument type";
        case DecodeError::not_finite:
            return "not finite";
        case DecodeError::count_:
            break;
    }
    return "unknown";
}

DecodeError decode(const osc::Message& message, Message& out) noexcept {
    const std::string_view address = message.address;
    if (address.starts_with(kAnimation)) {
        const std::string_view path = address.substr(kAnimation.size());
        if (path == "slider/all") {
            return decode_sliders(message, out);
        }
        if (path == "kinematic/all") {
            return decode_kinematic(message, out);
        }
        return decode_finger(message, path, out);
    }
    if (address == "/v1/performer/glove/status") {
        return decode_glove_status(message, out);
    }
    if (address == "/v1/device/dongle/status") {
        return decode_dongle_status(message, out);
    }
    if (address == "/v1/performer/all") {
        return decode_performer(message, out);
    }
    return DecodeError::unknown_address;
}

}  // namespace glove::hand_engine
