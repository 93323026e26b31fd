// SPDX-License-Identifier: Apache-2.0
#include "openxr/input/interaction_profiles.hpp"

#include <algorithm>

#include "support/interaction_profiles.hpp"

namespace glove {

namespace {

// Paths behind "/user/hand/<side>/input/", by blanks. Sources as of kInteractionProfiles, whose others have poses
// alone: hands without a controller, and controllers that feel little.
struct ControllerInputs {
    std::string_view profile;  // behind "/interaction_profiles/"
    std::string_view trigger;
    std::string_view trigger_touch;
    std::string_view grip;
    std::string_view thumb;       // of both hands
    std::string_view thumb_left;  // and of one
    std::string_view thumb_right;
    std::string_view thumbstick;
};

constexpr std::string_view kTouchThumb = "thumbstick/touch thumbrest/touch";
constexpr std::string_view kXY = "x/touch y/touch";
constexpr std::string_view kAB = "a/touch b/touch";

constexpr std::array<ControllerInputs, 21> kControllers{{
    {"khr/simple_controller", "select/click", "", "", "select/click", "", "", ""},
    {"khr/generic_controller", "trigger/value", "", "squeeze/value", "", "", "", "thumbstick"},
    {"oculus/touch_controller", "trigger/value", "trigger/touch", "squeeze/value", kTouchThumb, kXY, kAB, ""},
    {"meta/touch_controller_quest_1_rift_s", "trigger/value", "trigger/touch", "squeeze/value", "thumbstick/touch", kXY,
     kAB, ""},
    {"meta/touch_controller_quest_2", "trigger/value", "trigger/touch", "squeeze/value", "thumbstick/touch", kXY, kAB,
     ""},
    {"meta/touch_pro_controller", "trigger/value", "trigger/touch", "squeeze/value", kTouchThumb, kXY, kAB, ""},
    {"meta/touch_plus_controller", "trigger/value", "trigger/touch", "squeeze/value", kTouchThumb, kXY, kAB, ""},
    {"facebook/touch_controller_pro", "trigger/value", "trigger/touch", "squeeze/value", kTouchThumb, kXY, kAB, ""},
    {"meta/touch_controller_plus", "trigger/value", "trigger/touch", "squeeze/value", kTouchThumb, kXY, kAB, ""},
    {"valve/index_controller", "trigger/value", "trigger/touch", "squeeze/value",
     "thumbstick/touch trackpad/touch a/touch b/touch", "", "", ""},
    {"htc/vive_controller", "trigger/value", "", "squeeze/click", "trackpad/touch", "", "", ""},
    {"htc/vive_cosmos_controller", "trigger/value", "", "squeeze/click", "thumbstick/touch", "", "", ""},
    {"htc/vive_focus3_controller", "trigger/value", "trigger/touch", "squeeze/value", kTouchThumb, "", "", ""},
    {"hp/mixed_reality_controller", "trigger/value", "", "squeeze/value", "", "x/click y/click", "a/click b/click",
     "thumbstick"},
    {"microsoft/motion_controller", "trigger/value", "", "squeeze/click", "trackpad/touch", "", "", "thumbstick"},
    {"samsung/odyssey_controller", "trigger/value", "", "squeeze/click", "trackpad/touch", "", "", "thumbstick"},
    {"bytedance/pico_neo3_controller", "trigger/value", "trigger/touch", "squeeze/value", "thumbstick/touch", kXY, kAB,
     ""},
    {"bytedance/pico4_controller", "trigger/value", "trigger/touch", "squeeze/value", "thumbstick/touch", kXY, kAB, ""},
    {"bytedance/pico4s_controller", "trigger/value", "trigger/touch", "squeeze/value", "thumbstick/touch", kXY, kAB,
     ""},
    {"oppo/mr_controller_oppo", "trigger/value", "trigger/touch", "squeeze/value", "thumbstick/touch", kXY, kAB, ""},
    {"ml/ml2_controller", "trigger/value", "", "", "trackpad/touch", "", "", ""},
}};

constexpr bool is_known(std::string_view profile) noexcept {
    return std::find(kInteractionProfiles.begin(), kInteractionProfiles.end(), profile) != kInteractionProfiles.end();
}
static_assert(std::all_of(kControllers.begin(), kControllers.end(),
                          [](const ControllerInputs& controller) { return is_known(controller.profile); }));

// What stands behind the prefix; empty where that is missing.
std::string_view name_in(std::string_view interaction_profile) noexcept {
    return interaction_profile.starts_with(kInteractionProfilePrefix)
               ? interaction_profile.substr(kInteractionProfilePrefix.size())
               : std::string_view{};
}

void add(std::vector<GraspBinding>& bindings, GraspInput input, Hand hand, std::string_view paths) {
    while (!paths.empty()) {
        const std::string_view path = paths.substr(0, paths.find(' '));
        paths.remove_prefix(std::min(paths.size(), path.size() + 1));
        bindings.push_back({input, std::string("/user/hand/") + name_of(hand) + "/input/" + std::string(path)});
    }
}

}  // namespace

bool has_grip_pose(std::string_view interaction_profile) noexcept {
    return is_known(name_in(interaction_profile));
}

std::vector<GraspBinding> grasp_bindings(std::string_view interaction_profile) {
    std::vector<GraspBinding> bindings;
    const auto known = std::find_if(kControllers.begin(), kControllers.end(), [&](const ControllerInputs& controller) {
        return controller.profile == name_in(interaction_profile);
    });
    if (known == kControllers.end()) {
        return bindings;
    }
    for (const Hand hand : kBothHands) {
        add(bindings, GraspInput::trigger, hand, known->trigger);
        add(bindings, GraspInput::trigger_touch, hand, known->trigger_touch);
        add(bindings, GraspInput::grip, hand, known->grip);
        add(bindings, GraspInput::thumb, hand, known->thumb);
        add(bindings, GraspInput::thumb, hand, hand == Hand::left ? known->thumb_left : known->thumb_right);
        add(bindings, GraspInput::thumbstick, hand, known->thumbstick);
    }
    return bindings;
}

}  // namespace glove
