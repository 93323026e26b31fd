// SPDX-License-Identifier: Apache-2.0
#include "openxr/input/input.hpp"

#include <algorithm>
#include <span>

#include "support/clock.hpp"

namespace glove {

namespace {

std::array<std::string, kHandCount> roles_of(const Config::Wrist& wrist, bool has_trackers) {
    if (!has_trackers) {
        return {};
    }
    return {wrist.tracker.left, wrist.tracker.right};
}

bool is_well_formed(const XrInteractionProfileSuggestedBinding* info) noexcept {
    return info != nullptr && info->type == XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING &&
           info->countSuggestedBindings > 0 && info->suggestedBindings != nullptr;
}

bool is_well_formed(const XrSessionActionSetsAttachInfo* info) noexcept {
    return info != nullptr && info->type == XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO && info->countActionSets > 0 &&
           info->actionSets != nullptr;
}

bool is_well_formed(const XrActionsSyncInfo* info) noexcept {
    return info != nullptr && info->type == XR_TYPE_ACTIONS_SYNC_INFO &&
           (info->countActiveActionSets == 0 || info->activeActionSets != nullptr);
}

// All users of OpenXR and its extensions, but for trackers.
constexpr std::array<const char*, SessionInput::kProfileUsers> kUsers{
    "/user/hand/left", "/user/hand/right", "/user/head", "/user/gamepad", "/user/treadmill", "/user/eyes_ext"};

// For self_attach: what most controllers are known as, and the runtime maps others to.
constexpr std::array<const char*, 6> kSelfAttachProfiles{
    "/interaction_profiles/khr/simple_controller",       "/interaction_profiles/oculus/touch_controller",
    "/interaction_profiles/valve/index_controller",      "/interaction_profiles/htc/vive_controller",
    "/interaction_profiles/microsoft/motion_controller", "/interaction_profiles/hp/mixed_reality_controller"};

// What is ours to do beside a call of the program's: that call must not suffer from it.
template <class Work>
void beside(const char* call, Work&& work) noexcept {
    try {
        work();
    } catch (const std::exception& error) {
        log::error("%s: %s; hands may not follow what the program's actions follow", call, error.what());
    }
}

}  // namespace

Input::Input(XrInstance instance, const NextTable& next, const Config& config, bool has_trackers, bool hides_trackers,
             bool wants_grasp)
    : instance_(instance),
      next_(next),
      hides_trackers_(hides_trackers),
      unsupported_(path_of(instance, next, "/user/hidden_by_glove_hands")),
      paths_(instance, next),
      tracker_is_forearm_{config.wrist.tracker.left.ends_with("elbow"), config.wrist.tracker.right.ends_with("elbow")},
      own_(instance, next, paths_, roles_of(config.wrist, has_trackers), wants_grasp),
      offsets_(config),
      wants_grasp_(wants_grasp) {
    for (std::size_t i = 0; i < users_.size(); ++i) {
        users_[i] = path_of(instance, next, kUsers[i]);
    }
}

XrPath Input::unless_hidden(XrPath path) const noexcept {
    if (!hides_trackers_) {
        return path;
    }
    const PathText path_text(instance_, next_, path);
    const std::string_view text = path_text.view();
    const bool is_of_trackers = text.starts_with("/user/vive_tracker_htcx/") ||
                                text.starts_with("/devices/htc/vive_tracker") || text == kTrackerProfile;
    return is_of_trackers ? unsupported_ : path;
}

bool Input::profiles_changed(SessionInput& session, XrSession handle) {
    SessionInput::Profiles profiles{};
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        XrInteractionProfileState state{XR_TYPE_INTERACTION_PROFILE_STATE, nullptr, XR_NULL_PATH};
        const XrResult result = next_.xrGetCurrentInteractionProfile(handle, users_[i], &state);
        if (XR_FAILED(result) && result != XR_ERROR_PATH_UNSUPPORTED) {
            profiles.fill(~XrPath{0});  // nobody knows: this and the next event are passed on
            (void)session.profiles_changed(profiles);
            return true;
        }
        profiles[i] = XR_SUCCEEDED(result) ? state.interactionProfile : XR_NULL_PATH;
    }
    return session.profiles_changed(profiles);
}

XrResult Input::create_action(XrActionSet set, const XrActionCreateInfo* info, XrAction* action) {
    XrActionCreateInfo asked{};
    std::vector<XrPath> users;
    if (hides_trackers_ && info != nullptr && info->type == XR_TYPE_ACTION_CREATE_INFO &&
        info->subactionPaths != nullptr) {
        asked = *info;
        for (const XrPath user : std::span(info->subactionPaths, info->countSubactionPaths)) {
            users.push_back(unless_hidden(user));
        }
        asked.subactionPaths = users.data();
        info = &asked;
    }
    const XrResult result = next_.xrCreateAction(set, info, action);
    if (XR_SUCCEEDED(result) && info != nullptr && action != nullptr) {
        keep_or_undo([&] { pose_bindings_.created(*info, set, *action); }, [&] { next_.xrDestroyAction(*action); });
    }
    return result;
}

void Input::add(const std::shared_ptr<SessionInput>& session) {
    const std::lock_guard lock(sessions_mutex_);
    std::erase_if(sessions_, [](const auto& known) { return known.expired(); });
    sessions_.push_back(session);
}

void Input::set_exist(const std::vector<PoseBindings::Action>& actions, bool exist) noexcept {
    const std::lock_guard lock(sessions_mutex_);
    for (const std::weak_ptr<SessionInput>& known : sessions_) {
        if (const auto session = known.lock()) {
            for (const PoseBindings::Action& action : actions) {
                session->set_exists(action.id, exist);
            }
        }
    }
}

void Input::give_up(std::vector<PoseBindings::Action>& actions) {
    if (actions.empty()) {
        return;
    }
    std::vector<std::weak_ptr<SessionInput>> sessions;
    keep_or_undo(
        [&] {
            const std::lock_guard lock(sessions_mutex_);
            sessions = sessions_;
        },
        [&] { pose_bindings_.put_back(std::move(actions)); });
    set_exist(actions, false);
    for (const std::weak_ptr<SessionInput>& known : sessions) {
        if (const auto session = known.lock()) {
            session->wait_until_unused();
        }
    }
}

XrResult Input::destroyed(XrResult result, std::vector<PoseBindings::Action> actions) {
    if (XR_FAILED(result)) {
        set_exist(actions, true);
        pose_bindings_.put_back(std::move(actions));
    }
    return result;
}

XrResult Input::destroy_action(XrAction action) {
    std::vector<PoseBindings::Action> actions = pose_bindings_.take(action);
    give_up(actions);
    return destroyed(next_.xrDestroyAction(action), std::move(actions));
}

XrResult Input::destroy_action_set(XrActionSet set) {
    std::vector<PoseBindings::Action> actions = pose_bindings_.take_of(set);
    give_up(actions);
    return destroyed(next_.xrDestroyActionSet(set), std::move(actions));
}

bool Input::is_of_trackers(const XrInteractionProfileSuggestedBinding& info) const noexcept {
    return own_.tracker_profile() != XR_NULL_PATH && info.interactionProfile == own_.tracker_profile();
}

Input::Bindings Input::poses_for(const XrInteractionProfileSuggestedBinding& info, const InjectedSet& own) {
    if (is_of_trackers(info)) {
        return own_.tracker_bindings(own);
    }
    Bindings additions;
    if (!has_grip_pose(PathText(instance_, next_, info.interactionProfile).view())) {
        return additions;
    }
    for (const Hand hand : kBothHands) {
        if (!pose_bindings_.would_serve(info, paths_, hand)) {
            pose_bindings_.add_own(own.set, own.grip, paths_);
            additions.push_back({own.grip, paths_.grip[index_of(hand)]});
        }
    }
    return additions;
}

Input::Bindings Input::grasp_for(const XrInteractionProfileSuggestedBinding& info, const InjectedSet& own) {
    Bindings additions;
    if (!own.has_grasp()) {
        return additions;
    }
    for (const GraspBinding& input : grasp_bindings(PathText(instance_, next_, info.interactionProfile).view())) {
        additions.push_back({own.of(input.input), path_of(instance_, next_, input.path.c_str())});
    }
    return additions;
}

bool Input::leaves_room_for_ours(const XrInteractionProfileSuggestedBinding& info) {
    if (is_of_trackers(info)) {
        return true;
    }
    const PathText profile(instance_, next_, info.interactionProfile);
    return (has_grip_pose(profile.view()) &&
            !std::all_of(kBothHands.begin(), kBothHands.end(),
                         [&](Hand hand) { return pose_bindings_.would_serve(info, paths_, hand); })) ||
           (wants_grasp_ && !grasp_bindings(profile.view()).empty());
}

bool Input::suggest_with(const XrInteractionProfileSuggestedBinding& info, const InjectedSet& own,
                         const Bindings& additions, XrResult& result) {
    if (additions.empty()) {
        return false;
    }
    Bindings bindings(info.suggestedBindings, info.suggestedBindings + info.countSuggestedBindings);
    bindings.insert(bindings.end(), additions.begin(), additions.end());
    XrInteractionProfileSuggestedBinding with_ours = info;
    with_ours.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
    with_ours.suggestedBindings = bindings.data();
    result = next_.xrSuggestInteractionProfileBindings(instance_, &with_ours);
    if (XR_FAILED(result)) {
        return false;
    }
    beside("xrSuggestInteractionProfileBindings", [&] { pose_bindings_.suggested(with_ours, paths_); });
    if (is_of_trackers(info)) {
        own_.trackers_suggested(own);
    } else {
        own_.bound(own);
    }
    return true;
}

bool Input::suggest_with_ours(const XrInteractionProfileSuggestedBinding& info, XrResult& result) {
    // One set for all of them: another thread's attach may close it meanwhile.
    const InjectedSet own = leaves_room_for_ours(info) ? own_.open() : InjectedSet{};
    if (own.set == XR_NULL_HANDLE) {
        return false;
    }
    // A runtime that knows less of a controller's inputs than we do may still have its pose.
    const Bindings poses = poses_for(info, own);
    Bindings all = grasp_for(info, own);
    if (!all.empty()) {
        all.insert(all.end(), poses.begin(), poses.end());
        if (suggest_with(info, own, all, result)) {
            return true;
        }
    }
    return suggest_with(info, own, poses, result);
}

XrResult Input::suggest(const XrInteractionProfileSuggestedBinding* info) {
    if (!is_well_formed(info)) {
        return next_.xrSuggestInteractionProfileBindings(instance_, info);
    }
    if (const XrPath profile = unless_hidden(info->interactionProfile); profile != info->interactionProfile) {
        XrInteractionProfileSuggestedBinding without_trackers = *info;
        without_trackers.interactionProfile = profile;
        return next_.xrSuggestInteractionProfileBindings(instance_, &without_trackers);
    }
    XrResult result = XR_SUCCESS;
    bool done = false;
    beside("xrSuggestInteractionProfileBindings", [&] { done = suggest_with_ours(*info, result); });
    if (done) {
        return result;
    }
    result = next_.xrSuggestInteractionProfileBindings(instance_, info);
    if (XR_SUCCEEDED(result)) {
        beside("xrSuggestInteractionProfileBindings", [&] { pose_bindings_.suggested(*info, paths_); });
    }
    return result;
}

void Input::remember_attached(SessionInput& session, const XrSessionActionSetsAttachInfo& info,
                              std::vector<InjectedSet> own) {
    SessionInput::Attached what;
    what.candidates = pose_bindings_.candidates(std::span(info.actionSets, info.countActionSets), paths_);
    what.own = std::move(own);
    for (const Hand hand : kBothHands) {
        what.tracker_roles[index_of(hand)] = own_.tracker_role(hand);
    }
    what.tracker_is_forearm = tracker_is_forearm_;
    session.attached(std::move(what));
}

XrResult Input::attach_with(SessionInput& session, XrSession handle, const XrSessionActionSetsAttachInfo& info,
                            std::vector<InjectedSet> own) {
    std::vector<XrActionSet> sets(info.actionSets, info.actionSets + info.countActionSets);
    for (const InjectedSet& set : own) {
        sets.push_back(set.set);
    }
    XrSessionActionSetsAttachInfo with_ours = info;
    with_ours.countActionSets = static_cast<std::uint32_t>(sets.size());
    with_ours.actionSets = sets.data();
    const XrResult result = next_.xrAttachSessionActionSets(handle, &with_ours);
    if (XR_SUCCEEDED(result)) {
        own_.attached(own);
        beside("xrAttachSessionActionSets", [&] { remember_attached(session, with_ours, std::move(own)); });
    }
    return result;
}

XrResult Input::attach(SessionInput& session, XrSession handle, const XrSessionActionSetsAttachInfo* info) {
    if (!is_well_formed(info) || session.is_attached()) {
        return next_.xrAttachSessionActionSets(handle, info);
    }
    XrResult result = XR_ERROR_RUNTIME_FAILURE;
    beside("xrAttachSessionActionSets", [&] {
        own_.suggest_trackers();
        if (std::vector<InjectedSet> own = own_.to_attach(); !own.empty()) {
            result = attach_with(session, handle, *info, std::move(own));
        }
    });
    if (XR_FAILED(result)) {
        result = next_.xrAttachSessionActionSets(handle, info);
        if (XR_SUCCEEDED(result)) {
            beside("xrAttachSessionActionSets", [&] { remember_attached(session, *info, {}); });
        }
    }
    return result;
}

XrResult Input::sync(SessionInput& session, bool focused, XrSession handle, const XrActionsSyncInfo* info) {
    if (session.has_attached_itself() && is_well_formed(info) && info->countActiveActionSets == 0) {
        const XrResult result = session.empty_sync();
        return result == XR_SUCCESS && !focused ? XR_SESSION_NOT_FOCUSED : result;
    }
    return sync_with_ours(session, handle, info);
}

XrResult Input::sync_with_ours(SessionInput& session, XrSession handle, const XrActionsSyncInfo* info) {
    std::vector<InjectedSet> own;
    XrResult result = XR_ERROR_RUNTIME_FAILURE;
    beside("xrSyncActions", [&] {
        own = session.own_sets();
        // With no set listed nothing of the application's becomes active, and some runtimes then leave all states as
        // they were: adding ours would be a change.
        if (is_well_formed(info) && !own.empty() &&
            (info->countActiveActionSets > 0 || session.has_attached_itself())) {
            std::vector<XrActiveActionSet> active(info->activeActionSets,
                                                  info->activeActionSets + info->countActiveActionSets);
            for (const InjectedSet& set : own) {
                active.push_back({set.set, XR_NULL_PATH});
            }
            XrActionsSyncInfo with_ours = *info;
            with_ours.countActiveActionSets = static_cast<std::uint32_t>(active.size());
            with_ours.activeActionSets = active.data();
            result = next_.xrSyncActions(handle, &with_ours);
        }
    });
    if (XR_FAILED(result)) {
        result = next_.xrSyncActions(handle, info);
    }
    if (XR_SUCCEEDED(result) && session.is_attached()) {
        bool looked = false;
        beside("xrSyncActions", [&] {
            session.after_sync(instance_, handle, next_, paths_, offsets_, own, steady_now_ns());
            looked = true;
        });
        if (!looked) {
            session.invalidate();
        }
    }
    return result;
}

XrResult Input::current_profile(const SessionInput& session, XrSession handle, XrPath user,
                                XrInteractionProfileState* state) const {
    if (!session.has_attached_itself() || state == nullptr) {
        return next_.xrGetCurrentInteractionProfile(handle, unless_hidden(user), state);
    }
    XrInteractionProfileState unseen = *state;
    const XrResult result = next_.xrGetCurrentInteractionProfile(handle, unless_hidden(user), &unseen);
    return XR_SUCCEEDED(result) ? XR_ERROR_ACTIONSET_NOT_ATTACHED : result;
}

XrResult Input::name_of_source(const SessionInput& session, XrSession handle,
                               const XrInputSourceLocalizedNameGetInfo* info, std::uint32_t capacity,
                               std::uint32_t* count, char* buffer) const {
    if (info == nullptr || info->type != XR_TYPE_INPUT_SOURCE_LOCALIZED_NAME_GET_INFO) {
        return next_.xrGetInputSourceLocalizedName(handle, info, capacity, count, buffer);
    }
    XrInputSourceLocalizedNameGetInfo asked = *info;
    asked.sourcePath = unless_hidden(info->sourcePath);
    if (session.has_attached_itself() && count != nullptr) {
        std::uint32_t unseen = 0;
        const XrResult result = next_.xrGetInputSourceLocalizedName(handle, &asked, 0, &unseen, nullptr);
        return XR_SUCCEEDED(result) ? XR_ERROR_ACTIONSET_NOT_ATTACHED : result;
    }
    return next_.xrGetInputSourceLocalizedName(handle, &asked, capacity, count, buffer);
}

void Input::self_attach(SessionInput& session, XrSession handle) {
    const InjectedSet open = own_.open();
    if (open.grip == XR_NULL_HANDLE) {
        return;
    }
    pose_bindings_.add_own(open.set, open.grip, paths_);
    bool accepted = false;
    for (const char* const name : kSelfAttachProfiles) {
        const std::array<XrActionSuggestedBinding, kHandCount> bindings{
            {{open.grip, paths_.grip[0]}, {open.grip, paths_.grip[1]}}};
        const XrInteractionProfileSuggestedBinding info{XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING, nullptr,
                                                        path_of(instance_, next_, name),
                                                        static_cast<std::uint32_t>(bindings.size()), bindings.data()};
        // As if the application had suggested the poses.
        accepted |= XR_SUCCEEDED(suggest(&info));
    }
    if (accepted) {
        own_.bound(open);
    }
    own_.suggest_trackers();
    std::vector<InjectedSet> own = own_.to_attach();
    if (own.empty()) {
        return;
    }
    const XrActionsSyncInfo nothing{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 0, nullptr};
    session.set_empty_sync(next_.xrSyncActions(handle, &nothing));
    const XrSessionActionSetsAttachInfo none{XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO, nullptr, 0, nullptr};
    if (XR_SUCCEEDED(attach_with(session, handle, none, std::move(own)))) {
        log::info("input: this application attaches no actions; ours are attached ([wrist] self_attach)");
    }
}

void Input::self_sync(SessionInput& session, XrSession handle) {
    const XrActionsSyncInfo none{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 0, nullptr};
    (void)sync_with_ours(session, handle, &none);
}

}  // namespace glove
