// SPDX-License-Identifier: Apache-2.0
// 26 joints -> the OSC datagrams that StretchSense's Hand Engine would send.
// Source: the Open SDK Core document. That fingers come as five datagrams and whole numbers as integers is inferred
// from the libraries it names.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "senders/hand_poses.hpp"

namespace glove {

enum class HandEngineRig : std::uint8_t { unity_wave, mirror_x };
enum class HandEngineGlove : std::uint8_t { studio, fidelity };  // 12 or 21 sliders; 60 or 120 samples a second
enum class HandEngineFormat : std::uint8_t {
    metacarpals,  // rotationWithMetacarpals, one message per finger
    rotation,     // without metacarpals, one message per finger
    sliders,      // slider/all, one message per hand
};

struct HandEngineFrame {
    Hand hand;
    std::int32_t timecode;
    std::int32_t performer = 0;
    HandEngineRig rig = HandEngineRig::unity_wave;
    HandEngineGlove glove = HandEngineGlove::fidelity;
    HandEngineFormat format = HandEngineFormat::metacarpals;
    bool bundle = false;                                      // one datagram for all messages of the frame
    std::array<std::uint8_t, 5> finger_order{0, 1, 2, 3, 4};  // 0 is the thumb
};

// hhmmssfff, fff the number of the frame in its second. Begins again after midnight.
[[nodiscard]] std::int32_t hand_engine_timecode(std::int64_t frames_since_midnight, int frames_per_second) noexcept;

[[nodiscard]] std::vector<std::vector<std::byte>> encode_hand_engine(const HandEngineFrame& frame,
                                                                     const HandJoints& joint_in_wrist);

struct HandEngineStatusMessages {
    Hand hand;
    std::int32_t performer = 0;
    HandEngineGlove glove = HandEngineGlove::fidelity;
    bool calibrated = true;
    float battery = 80;
};

// What it sends once a second: performer, glove and dongle.
[[nodiscard]] std::vector<std::vector<std::byte>> encode_hand_engine_status(const HandEngineStatusMessages& status);

}  // namespace glove
