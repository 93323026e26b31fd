// SPDX-License-Identifier: Apache-2.0
#include "openxr/input/injected_actions.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace glove {

namespace {

template <std::size_t Size>
void copy_name(const char* text, char (&out)[Size]) noexcept {
    std::snprintf(out, Size, "%s", text);
}

}  // namespace

InjectedActions::InjectedActions(XrInstance instance, const NextTable& next, const HandPaths& paths,
                                 const std::array<std::string, kHandCount>& tracker_roles, bool wants_grasp)
    : instance_(instance), next_(next), hands_(paths.hand), wants_grasp_(wants_grasp) {
    for (std::size_t side = 0; side < kHandCount; ++side) {
        if (!tracker_roles[side].empty()) {
            const std::string role = "/user/vive_tracker_htcx/role/" + tracker_roles[side];
            roles_[side] = path_of(instance, next, role.c_str());
            role_poses_[side] = path_of(instance, next, (role + "/input/grip/pose").c_str());
            tracker_profile_ = path_of(instance, next, kTrackerProfile);
        }
    }
}

XrResult InjectedActions::make_action(XrActionSet set, XrActionType type, const char* name, const char* shown_name,
                                      const std::array<XrPath, kHandCount>& subactions, XrAction& out) const {
    std::array<XrPath, kHandCount> paths{};
    std::uint32_t count = 0;
    for (const XrPath path : subactions) {
        // One tracker for both hands is a strange wish, yet a legal one.
        if (path != XR_NULL_PATH && (count == 0 || path != paths[0])) {
            paths[count++] = path;
        }
    }
    XrActionCreateInfo info{};
    info.type = XR_TYPE_ACTION_CREATE_INFO;
    info.actionType = type;
    info.countSubactionPaths = count;
    info.subactionPaths = paths.data();
    copy_name(name, info.actionName);
    copy_name(shown_name, info.localizedActionName);
    return next_.xrCreateAction(set, &info, &out);
}

XrResult InjectedActions::make_grasp(InjectedSet& set) const {
    struct Named {
        GraspInput input;
        XrActionType type;
        const char* name;
        const char* shown_name;
    };
    for (const Named& action :
         {Named{GraspInput::trigger, XR_ACTION_TYPE_FLOAT_INPUT, "trigger", "Trigger"},
          Named{GraspInput::trigger_touch, XR_ACTION_TYPE_BOOLEAN_INPUT, "trigger_touch", "Finger on the trigger"},
          Named{GraspInput::grip, XR_ACTION_TYPE_FLOAT_INPUT, "grip", "Grip"},
          Named{GraspInput::thumb, XR_ACTION_TYPE_BOOLEAN_INPUT, "thumb", "Thumb at rest"},
          Named{GraspInput::thumbstick, XR_ACTION_TYPE_VECTOR2F_INPUT, "thumbstick", "Thumbstick"}}) {
        const XrResult result = make_action(set.set, action.type, action.name, action.shown_name, hands_,
                                            set.grasp[static_cast<std::size_t>(action.input)]);
        if (XR_FAILED(result)) {
            return result;
        }
    }
    return XR_SUCCESS;
}

XrResult InjectedActions::make(InjectedSet& out) {
    // Names are unique in an instance, and a set that was attached takes no new bindings: so each has a number.
    XrActionSetCreateInfo info{};
    info.type = XR_TYPE_ACTION_SET_CREATE_INFO;
    const unsigned number = made_.fetch_add(1, std::memory_order_relaxed);
    std::snprintf(info.actionSetName, sizeof info.actionSetName, "glove_hands_%u", number);
    std::snprintf(info.localizedActionSetName, sizeof info.localizedActionSetName, "Glove Hands %u", number);
    XrResult result = next_.xrCreateActionSet(instance_, &info, &out.set);
    if (XR_FAILED(result)) {
        out = {};
        return result;
    }
    result = make_action(out.set, XR_ACTION_TYPE_POSE_INPUT, "wrist", "Wrist", hands_, out.grip);
    if (XR_SUCCEEDED(result) && tracker_profile_ != XR_NULL_PATH) {
        result = make_action(out.set, XR_ACTION_TYPE_POSE_INPUT, "tracker", "Tracker", roles_, out.tracker);
    }
    if (XR_SUCCEEDED(result) && wants_grasp_) {
        result = make_grasp(out);
    }
    if (XR_FAILED(result)) {
        next_.xrDestroyActionSet(out.set);
        out = {};
    }
    return result;
}

InjectedSet InjectedActions::open() {
    {
        const std::lock_guard lock(mutex_);
        if (open_.set != XR_NULL_HANDLE || refused_) {
            return open_;
        }
    }
    InjectedSet made;
    const XrResult result = make(made);
    InjectedSet open;
    {
        const std::lock_guard lock(mutex_);
        if (open_.set == XR_NULL_HANDLE && XR_FAILED(result)) {
            refused_ = true;
            log::warning("input: the runtime refuses an action set of ours (XrResult %d); wrists come from elsewhere",
                         static_cast<int>(result));
        } else if (open_.set == XR_NULL_HANDLE) {
            open_ = made;
            open_is_bound_ = false;
            trackers_suggested_ = false;
        }
        open = open_;
    }
    // Another thread was quicker, and bindings may be on its set by now. Waiting for it instead would hold a thread of
    // the application while another is below.
    if (made.set != XR_NULL_HANDLE && made.set != open.set) {
        next_.xrDestroyActionSet(made.set);
    }
    return open;
}

void InjectedActions::bound(const InjectedSet& set) {
    const std::lock_guard lock(mutex_);
    open_is_bound_ = open_is_bound_ || set.set == open_.set;
}

std::vector<InjectedSet> InjectedActions::to_attach() {
    const std::lock_guard lock(mutex_);
    std::vector<InjectedSet> sets = closed_;
    if (open_is_bound_) {
        sets.push_back(open_);
        closed_.reserve(closed_.size() + 1);  // for attached(), which comes when nothing may fail
    }
    return sets;
}

void InjectedActions::attached(std::span<const InjectedSet> sets) {
    const std::lock_guard lock(mutex_);
    const auto is_open = [this](const InjectedSet& set) { return set.set == open_.set; };
    if (open_is_bound_ && std::any_of(sets.begin(), sets.end(), is_open)) {
        closed_.push_back(open_);
        open_ = {};
        open_is_bound_ = false;
    }
}

std::vector<XrActionSuggestedBinding> InjectedActions::tracker_bindings(const InjectedSet& set) const {
    std::vector<XrActionSuggestedBinding> bindings;
    for (const XrPath pose : role_poses_) {
        if (pose != XR_NULL_PATH && set.tracker != XR_NULL_HANDLE &&
            (bindings.empty() || bindings[0].binding != pose)) {
            bindings.push_back({set.tracker, pose});
        }
    }
    return bindings;
}

void InjectedActions::trackers_suggested(const InjectedSet& set) {
    const std::lock_guard lock(mutex_);
    if (set.set == open_.set) {
        trackers_suggested_ = true;
        open_is_bound_ = true;
    }
}

void InjectedActions::suggest_trackers() {
    if (tracker_profile_ == XR_NULL_PATH) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        // A set that was attached before keeps its bindings.
        if (trackers_suggested_ || !closed_.empty()) {
            return;
        }
    }
    const InjectedSet set = open();
    const std::vector<XrActionSuggestedBinding> bindings = tracker_bindings(set);
    if (bindings.empty()) {
        return;
    }
    const XrInteractionProfileSuggestedBinding info{XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING, nullptr,
                                                    tracker_profile_, static_cast<std::uint32_t>(bindings.size()),
                                                    bindings.data()};
    const XrResult result = next_.xrSuggestInteractionProfileBindings(instance_, &info);
    if (XR_SUCCEEDED(result)) {
        trackers_suggested(set);
    } else {
        log::warning("input: the runtime refuses the trackers' roles (XrResult %d); see [wrist.tracker]",
                     static_cast<int>(result));
    }
}

}  // namespace glove
