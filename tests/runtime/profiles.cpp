// SPDX-License-Identifier: Apache-2.0
#include "runtime/profiles.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

std::vector<std::string> words(std::string_view text) {
    std::istringstream stream{std::string(text)};
    return {std::istream_iterator<std::string>(stream), {}};
}

Profile of_hands(const char* name, const char* title, const char* extension, const char* both, const char* left = "",
                 const char* right = "") {
    return {std::string("/interaction_profiles/") + name,
            title,
            extension,
            false,
            words(std::string("grip/pose aim/pose haptic ") + both),
            words(left),
            words(right)};
}

constexpr char kStick[] = "thumbstick/x thumbstick/y thumbstick/click ";

const std::vector<Profile>& profiles() {
    const std::string stick = kStick;
    const std::string touch = stick + "squeeze/value trigger/value trigger/touch thumbstick/touch thumbrest/touch ";
    constexpr char kTouchLeft[] = "x/click x/touch y/click y/touch menu/click";
    constexpr char kTouchRight[] = "a/click a/touch b/click b/touch system/click";
    static const std::vector<Profile> list{
        of_hands("khr/simple_controller", "Simple Controller", "", "select/click menu/click"),
        of_hands("oculus/touch_controller", "Touch Controller", "", touch.c_str(), kTouchLeft, kTouchRight),
        of_hands("facebook/touch_controller_pro", "Touch Pro Controller", "XR_FB_touch_controller_pro",
                 (touch + "thumbrest/force stylus_fb/force trigger/curl_fb trigger/slide_fb trigger/proximity_fb "
                          "thumb_fb/proximity_fb haptic_trigger_fb haptic_thumb_fb")
                     .c_str(),
                 kTouchLeft, kTouchRight),
        of_hands("meta/touch_controller_plus", "Touch Plus Controller", "XR_META_touch_controller_plus",
                 (touch + "trigger/force trigger/curl_meta trigger/slide_meta trigger/proximity_meta "
                          "thumb_meta/proximity_meta")
                     .c_str(),
                 kTouchLeft, kTouchRight),
        of_hands("valve/index_controller", "Index Controller", "",
                 (stick + "system/click system/touch a/click a/touch b/click b/touch squeeze/value squeeze/force "
                          "trigger/click trigger/value trigger/touch thumbstick/touch trackpad/x trackpad/y "
                          "trackpad/force trackpad/touch")
                     .c_str()),
        of_hands("htc/vive_controller", "Vive Controller", "",
                 "system/click squeeze/click menu/click trigger/click trigger/value trackpad/x trackpad/y "
                 "trackpad/click trackpad/touch"),
        of_hands("htc/vive_cosmos_controller", "Vive Cosmos Controller", "XR_HTC_vive_cosmos_controller_interaction",
                 (stick + "shoulder/click squeeze/click trigger/click trigger/value thumbstick/touch").c_str(),
                 "x/click y/click menu/click", "a/click b/click system/click"),
        of_hands("htc/vive_focus3_controller", "Vive Focus 3 Controller", "XR_HTC_vive_focus3_controller_interaction",
                 (stick + "squeeze/click squeeze/touch squeeze/value trigger/click trigger/touch trigger/value "
                          "thumbstick/touch thumbrest/touch")
                     .c_str(),
                 "x/click y/click menu/click", "a/click b/click system/click"),
        of_hands("microsoft/motion_controller", "Motion Controller", "",
                 (stick + "menu/click squeeze/click trigger/value trackpad/x trackpad/y trackpad/click trackpad/touch")
                     .c_str()),
        of_hands("hp/mixed_reality_controller", "Mixed Reality Controller", "XR_EXT_hp_mixed_reality_controller",
                 (stick + "menu/click squeeze/value trigger/value").c_str(), "x/click y/click", "a/click b/click"),
        of_hands("bytedance/pico_neo3_controller", "Pico Neo3 Controller", "XR_BD_controller_interaction",
                 (stick + "menu/click system/click trigger/click trigger/value trigger/touch thumbstick/touch "
                          "squeeze/click squeeze/value")
                     .c_str(),
                 "x/click x/touch y/click y/touch", "a/click a/touch b/click b/touch"),
        of_hands("bytedance/pico4_controller", "Pico 4 Controller", "XR_BD_controller_interaction",
                 (stick + "system/click trigger/click trigger/value trigger/touch thumbstick/touch squeeze/click "
                          "squeeze/value")
                     .c_str(),
                 "x/click x/touch y/click y/touch menu/click", "a/click a/touch b/click b/touch"),
        of_hands("bytedance/pico4s_controller", "Pico 4 Ultra Controller", "XR_BD_controller_interaction",
                 (stick + "system/click trigger/click trigger/value trigger/touch thumbstick/touch squeeze/click "
                          "squeeze/value")
                     .c_str(),
                 "x/click x/touch y/click y/touch menu/click", "a/click a/touch b/click b/touch"),
        of_hands("oppo/mr_controller_oppo", "Oppo MR Controller", "XR_OPPO_controller_interaction",
                 (stick + "squeeze/value trigger/value trigger/touch thumbstick/touch").c_str(),
                 "x/click x/touch y/click y/touch menu/click", "a/click a/touch b/click b/touch home/click"),
        of_hands("khr/generic_controller", "Generic Controller", "XR_KHR_generic_controller",
                 (stick + "squeeze/value trigger/value").c_str()),
        of_hands("samsung/odyssey_controller", "Odyssey Controller", "XR_EXT_samsung_odyssey_controller",
                 (stick + "menu/click squeeze/click trigger/value trackpad/x trackpad/y trackpad/click trackpad/touch")
                     .c_str()),
        of_hands("ml/ml2_controller", "Magic Leap 2 Controller", "XR_ML_ml2_controller_interaction",
                 "menu/click home/click trigger/click trigger/value trackpad/x trackpad/y trackpad/click "
                 "trackpad/force trackpad/touch shoulder/click"),
        {"/interaction_profiles/htc/vive_tracker_htcx",
         "Vive Tracker",
         XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME,
         true,
         words("grip/pose haptic system/click menu/click trigger/click squeeze/click trigger/value trackpad/x "
               "trackpad/y trackpad/click trackpad/touch"),
         {},
         {}},
    };
    return list;
}

bool contains(const std::vector<std::string>& list, std::string_view wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
}

bool is_hand(std::string_view user) {
    return user == kLeftHand || user == kRightHand;
}

bool is_tracker(const Instance& instance, std::string_view user) {
    if (!instance.enabled(XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME)) {
        return false;
    }
    if (user.starts_with(kTrackerSerials)) {
        return user.size() > kTrackerSerials.size();
    }
    if (!user.starts_with(kTrackerRoles)) {
        return false;
    }
    const std::string_view role = user.substr(kTrackerRoles.size());
    constexpr std::array<std::string_view, 13> kOfRevision1{
        "handheld_object", "left_foot",  "right_foot", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow",
        "left_knee",       "right_knee", "waist",      "chest",         "camera",         "keyboard"};
    constexpr std::array<std::string_view, 4> kOfRevision3{"left_wrist", "right_wrist", "left_ankle", "right_ankle"};
    const auto is_in = [role](const auto& roles) { return std::find(roles.begin(), roles.end(), role) != roles.end(); };
    return is_in(kOfRevision1) || (control().vive_tracker_revision.get() >= 3 && is_in(kOfRevision3));
}

// Poses that an extension adds to every profile of hands.
bool is_added_pose(const Instance& instance, std::string_view input) {
    return (input == "palm_ext/pose" && instance.enabled("XR_EXT_palm_pose")) ||
           (input == "grip_surface/pose" && instance.enabled("XR_KHR_maintenance1"));
}

}  // namespace

bool is_user_path(const Instance& instance, std::string_view path) {
    return is_hand(path) || path == "/user/head" || path == "/user/gamepad" || path == "/user/treadmill" ||
           is_tracker(instance, path);
}

std::optional<InputPath> split_input_path(const Instance& instance, std::string_view path) {
    constexpr std::string_view kInput = "/input/", kOutput = "/output/";
    std::size_t at = path.find(kInput);
    std::string_view inside;
    if (at != std::string_view::npos) {
        inside = path.substr(at + kInput.size());
    } else {
        at = path.find(kOutput);
        if (at == std::string_view::npos) {
            return std::nullopt;
        }
        inside = path.substr(at + kOutput.size());
        if (!inside.starts_with("haptic") || inside.find('/') != std::string_view::npos) {
            return std::nullopt;
        }
    }
    const std::string_view user = path.substr(0, at);
    const std::size_t slash = inside.find('/');
    if (!is_user_path(instance, user) || inside.empty()) {
        return std::nullopt;
    }
    return InputPath{std::string(user), std::string(inside.substr(0, slash)),
                     slash == std::string_view::npos ? "" : std::string(inside.substr(slash + 1))};
}

bool Profile::has(std::string_view user, std::string_view input) const {
    if (is_of_trackers) {
        return !is_hand(user) && contains(both, input);
    }
    return is_hand(user) && (contains(both, input) || contains(user == kLeftHand ? left : right, input));
}

const Profile* find_profile(const Instance& instance, std::string_view name) {
    const auto found =
        std::find_if(profiles().begin(), profiles().end(), [&](const Profile& it) { return it.name == name; });
    const bool usable = found != profiles().end() && (found->extension.empty() || instance.enabled(found->extension));
    return usable ? &*found : nullptr;
}

bool may_bind(const Instance& instance, const Profile& profile, const InputPath& path) {
    if (!path.component.empty()) {
        const std::string input = path.identifier + '/' + path.component;
        return profile.has(path.user, input) ||
               (!profile.is_of_trackers && is_hand(path.user) && is_added_pose(instance, input));
    }
    if (path.identifier.starts_with("haptic")) {
        return profile.has(path.user, path.identifier);
    }
    for (const char* component : {"click", "touch", "value", "force", "x", "pose"}) {
        if (profile.has(path.user, path.identifier + '/' + component)) {
            return true;
        }
    }
    return false;
}

}  // namespace glove::test_runtime
