// SPDX-License-Identifier: Apache-2.0
// OpenXR's interaction profiles with a grip pose for both hands: all that this layer knows by name. Source: OpenXR 6.4
// "Interaction profile paths" and the extensions that add profiles.
#pragma once

#include <array>
#include <string_view>

namespace glove {

inline constexpr std::string_view kInteractionProfilePrefix = "/interaction_profiles/";

// Behind the prefix.
inline constexpr std::array<std::string_view, 25> kInteractionProfiles{
    "khr/simple_controller",
    "khr/generic_controller",
    "oculus/touch_controller",
    "meta/touch_controller_quest_1_rift_s",
    "meta/touch_controller_quest_2",
    "meta/touch_pro_controller",
    "meta/touch_plus_controller",
    "facebook/touch_controller_pro",
    "meta/touch_controller_plus",
    "valve/index_controller",
    "htc/vive_controller",
    "htc/vive_cosmos_controller",
    "htc/vive_focus3_controller",
    "hp/mixed_reality_controller",
    "microsoft/motion_controller",
    "samsung/odyssey_controller",
    "bytedance/pico_neo3_controller",
    "bytedance/pico4_controller",
    "bytedance/pico4s_controller",
    "oppo/mr_controller_oppo",
    "ml/ml2_controller",
    "ext/hand_interaction_ext",
    "google/daydream_controller",
    "microsoft/hand_interaction",
    "oculus/go_controller",
};

}  // namespace glove
