// SPDX-License-Identifier: Apache-2.0
// A session with two Touch controllers, 90 frames a second: where they are and what is pressed. Made by us, the same to
// the last bit on every machine, or recorded (recordings.hpp).
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace glove::test {

// In the order of WebXR's "xr-standard" and then as the browser has it.
enum Button : std::size_t { kTrigger, kSqueeze, kTouchpad, kThumbstick, kLower, kUpper, kThumbrest, kButtonCount };

struct ControllerSide {
    struct State {
        bool touched;
        float value;  // 0 to 1
    };
    XrPosef grip, ray;
    std::array<State, kButtonCount> buttons;

    [[nodiscard]] bool thumb_rests() const {
        for (std::size_t button = kTouchpad; button < kButtonCount; ++button) {
            if (buttons[button].touched) {
                return true;
            }
        }
        return false;
    }
};

struct ControllerFrame {
    double seconds;
    std::array<ControllerSide, 2> sides;  // left, right
};

enum class Session : std::uint8_t { own, recorded };

// None when there is no recording.
[[nodiscard]] std::vector<ControllerFrame> controller_session(Session session);

struct SessionSettings {
    std::uint64_t seed = 1;
    int frames = 616;          // as many as are recorded
    double pull_s = 0.06;      // from open to closed, on average
    double pause_s = 0.35;     // between two changes of an input, on average
    double turn_deg = 25;      // how far controllers turn in the room
    double ray_in_grip = -60;  // degrees about X, as in SteamVR's model of a Touch
};
[[nodiscard]] std::vector<ControllerFrame> own_controller_session(const SessionSettings& settings);

// For INSTANTIATE_TEST_SUITE_P.
inline constexpr std::array kSessions{Session::own, Session::recorded};
template <class Info>
std::string name_of_session(const Info& info) {
    return info.param == Session::own ? "Own" : "Recorded";
}

}  // namespace glove::test
