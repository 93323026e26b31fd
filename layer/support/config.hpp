// SPDX-License-Identifier: Apache-2.0
// The user's configuration file (TOML). Every value has a default, so no file is needed and no file can do harm:
// a wrong value or an unknown key is one complaint, and the default stays. samples/glove_hands.toml lists every key.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glove {

enum class LogLevel : std::uint8_t { error, warning, info, debug };

struct Config {
    struct Receiver {
        // All are listened on. IPv4 or IPv6; one beyond this computer only with allowed_senders.
        std::vector<std::string> addresses{"127.0.0.1", "::1"};
        std::uint16_t port = 15001;
        std::vector<std::string> allowed_senders;  // IP addresses and networks; empty: anyone who reaches an address
        bool operator==(const Receiver&) const = default;
    } receiver;

    struct Hand {
        double size_mm = 92;  // wrist pivot to middle knuckle; 60 to 130
        // Lengths of bones, from the wrist's side to the tip; 0: a template hand's, scaled to size_mm. Else 5 to 120.
        struct Bones {
            std::array<double, 3> thumb{};  // metacarpal, proximal, distal
            std::array<double, 4> index{};  // metacarpal, proximal, intermediate, distal, as the next three
            std::array<double, 4> middle{};
            std::array<double, 4> ring{};
            std::array<double, 4> little{};
            bool operator==(const Bones&) const = default;
        } bones_mm;
        bool operator==(const Hand&) const = default;
    } hand;

    // OpenXR axes (x right, y up, z back). Turns about the fixed x, then y, then z axis.
    struct Placement {
        std::array<double, 3> position_mm;   // each within +-10000
        std::array<double, 3> rotation_deg;  // each within +-360
        bool operator==(const Placement&) const = default;
    };

    // What the wrist follows; automatic: the best of tracker, the runtime's own hand, controller, and the head.
    enum class WristSource : std::uint8_t { automatic, tracker, native, controller, view, fixed };
    enum class FixedSpace : std::uint8_t { stage, local };

    // The wrist (or forearm) in what carries it. `source`: "tracker", or an interaction profile with "/grip", "/aim" or
    // "/palm" behind it.
    struct WristOffset {
        std::string source;
        std::optional<Placement> left;
        std::optional<Placement> right;
        bool operator==(const WristOffset&) const = default;
    };

    struct Wrist {
        WristSource source = WristSource::automatic;
        bool report_tracked = false;  // hands that `view` and `fixed` place too
        bool self_attach = false;
        bool calibrate_by_gesture = false;
        struct Tracker {  // roles of XR_HTCX_vive_tracker_interaction; empty: no tracker
            std::string left;
            std::string right;
            bool operator==(const Tracker&) const = default;
        } tracker;
        std::vector<WristOffset> offsets;
        struct View {  // in the head's frame
            Placement left{{-180, -250, -350}, {0, 0, 0}};
            Placement right{{180, -250, -350}, {0, 0, 0}};
            bool operator==(const View&) const = default;
        } view;
        struct Fixed {  // in a reference space
            FixedSpace space = FixedSpace::local;
            Placement left{{-180, -250, -350}, {0, 0, 0}};
            Placement right{{180, -250, -350}, {0, 0, 0}};
            bool operator==(const Fixed&) const = default;
        } fixed;
        bool operator==(const Wrist&) const = default;
    } wrist;

    // StretchSense Hand Engine, "Open SDK" over OSC. Address and allowed senders are the receiver's.
    enum class Axes : std::uint8_t { automatic, unity_wave, mirror_x, openxr, custom };
    enum class Rest : std::uint8_t { none, captured };

    struct HandEngine {
        bool enabled = true;
        std::uint16_t port = 9400;
        int performer = 0;  // whose hands; 0: those of the performer who is heard first
        Axes axes = Axes::automatic;
        // For Axes::custom. Rows of what turns the rig's axes into OpenXR's: one 1 or -1 in each row and column.
        struct CustomAxes {
            std::array<int, 9> left{1, 0, 0, 0, 1, 0, 0, 0, 1};
            std::array<int, 9> right{1, 0, 0, 0, 1, 0, 0, 0, 1};
            bool operator==(const CustomAxes&) const = default;
        } custom_axes;
        Rest rest = Rest::none;  // whether rotations count from the flat hand that was captured
        struct Kinematic {       // the related stream of the vendor's XR gloves
            bool enabled = false;
            std::uint16_t port = 9002;
            bool operator==(const Kinematic&) const = default;
        } kinematic;
        bool operator==(const HandEngine&) const = default;
    } hand_engine;

    // HumanHand coil poses, for which nothing was captured. Of a left hand; a right hand's is the mirror image. Axes of
    // the hand: x to the thumb's side, y up from the back of the hand, z to the arm.
    struct Fnim {
        Placement wrist_in_transmitter{{0, -15, 45}, {0, 0, 0}};
        struct Coils {  // where the coil is, seen from the tip of its finger; each within +-50
            std::array<double, 3> thumb{};
            std::array<double, 3> index{};
            std::array<double, 3> middle{};
            std::array<double, 3> ring{};
            std::array<double, 3> little{};
            bool operator==(const Coils&) const = default;
        } coil_in_tip_mm;
        bool operator==(const Fnim&) const = default;
    } fnim;

    // Who moves the fingers.
    enum class HandSource : std::uint8_t { glove, native, controller };
    static constexpr std::size_t kHandSourceCount = 3;
    enum class ControllerFingers : std::uint8_t { off, when_requested, always };

    struct Fallback {
        std::array<HandSource, kHandSourceCount> order{HandSource::glove, HandSource::native, HandSource::controller};
        ControllerFingers controller_fingers = ControllerFingers::when_requested;
        // How far each finger closes: at rest, by the trigger, by the grip, by a touch of the thumb; each within +-3.
        struct Curl {
            std::array<double, 4> thumb{0.4, 0.4, -1.8, 1};
            std::array<double, 4> index{0, 1, 0, 0.2};
            std::array<double, 4> middle{0.1, 0.6, 1, 0.2};
            std::array<double, 4> ring{0.2, 0.4, 1, 0.2};
            std::array<double, 4> little{0.3, 0.2, 1, 0.2};
            double open = 0;    // the hand's pose where a finger is open and where it is closed, each between a flat
            double closed = 1;  // hand (0) and a fist (1)
            bool operator==(const Curl&) const = default;
        } curl;
        bool operator==(const Fallback&) const = default;
    } fallback;

    struct Age {               // counted from the last datagram that said the hand is there
        int tracked_ms = 100;  // up to here VALID and TRACKED; 10 to 10000
        int valid_ms = 500;    // up to here VALID; then inactive; tracked_ms to 60000
        bool operator==(const Age&) const = default;
    } age;

    struct Log {
        LogLevel level = LogLevel::info;
        bool operator==(const Log&) const = default;
    } log;

    bool operator==(const Config&) const = default;
};

struct ConfigResult {
    Config config;
    std::vector<std::string> complaints;  // "FILE:LINE: what is wrong; what would be right"
};

// Never throws but std::bad_alloc. `file` is only for the complaints.
[[nodiscard]] ConfigResult parse_config(std::string_view text, std::string_view file);

// The file of paths::config_file(); defaults and no complaint where there is none.
[[nodiscard]] ConfigResult load_config();

}  // namespace glove
