// SPDX-License-Identifier: Apache-2.0
// The application's action calls, with what this layer adds to them so that hands can follow controllers and trackers.
// For the application nothing changes: our bindings, set and sync ride on calls of its own, and a call that fails is
// repeated as the application made it (rule 7.2).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "openxr/input/hand_paths.hpp"
#include "openxr/input/injected_actions.hpp"
#include "openxr/input/pose_bindings.hpp"
#include "openxr/input/session_input.hpp"
#include "openxr/input/wrist_offsets.hpp"
#include "support/config.hpp"

namespace glove {

class Input {
public:
    // `hides_trackers`: the runtime knows trackers because this layer asked for them, the application did not.
    // `wants_grasp`: hands may be posed from what controllers feel.
    Input(XrInstance instance, const NextTable& next, const Config& config, bool has_trackers, bool hides_trackers,
          bool wants_grasp);

    // A session of this instance: it is told what becomes of actions. Throws std::bad_alloc.
    void add(const std::shared_ptr<SessionInput>& session);

    // The calls of these names. Arguments are whatever the application passes.
    [[nodiscard]] XrResult create_action(XrActionSet set, const XrActionCreateInfo* info, XrAction* action);
    [[nodiscard]] XrResult destroy_action(XrAction action);
    [[nodiscard]] XrResult destroy_action_set(XrActionSet set);
    [[nodiscard]] XrResult suggest(const XrInteractionProfileSuggestedBinding* info);
    [[nodiscard]] XrResult attach(SessionInput& session, XrSession handle, const XrSessionActionSetsAttachInfo* info);
    [[nodiscard]] XrResult sync(SessionInput& session, bool focused, XrSession handle, const XrActionsSyncInfo* info);
    [[nodiscard]] XrResult current_profile(const SessionInput& session, XrSession handle, XrPath user,
                                           XrInteractionProfileState* state) const;
    [[nodiscard]] XrResult name_of_source(const SessionInput& session, XrSession handle,
                                          const XrInputSourceLocalizedNameGetInfo* info, std::uint32_t capacity,
                                          std::uint32_t* count, char* buffer) const;

    // For a session whose application never attaches anything (`[wrist] self_attach`): from then on it could not any
    // more. And the syncs of such a session.
    void self_attach(SessionInput& session, XrSession handle);
    void self_sync(SessionInput& session, XrSession handle);

    // Whether a profile-changed event says anything to an application that did not ask for trackers.
    [[nodiscard]] bool profiles_changed(SessionInput& session, XrSession handle);

    [[nodiscard]] WristOffsets& offsets() noexcept { return offsets_; }

private:
    // What sessions are told of these actions.
    void set_exist(const std::vector<PoseBindings::Action>& actions, bool exist) noexcept;
    // Before their destruction: nobody here asks about them any more. Throws std::bad_alloc; then they are in the book
    // again.
    void give_up(std::vector<PoseBindings::Action>& actions);
    // What the call below said of their destruction.
    [[nodiscard]] XrResult destroyed(XrResult result, std::vector<PoseBindings::Action> actions);
    // With what is ours. False, and then nothing was done, where the runtime refuses or memory is out.
    [[nodiscard]] bool suggest_with_ours(const XrInteractionProfileSuggestedBinding& info, XrResult& result);
    [[nodiscard]] XrResult attach_with(SessionInput& session, XrSession handle,
                                       const XrSessionActionSetsAttachInfo& info, std::vector<InjectedSet> own);
    [[nodiscard]] XrResult sync_with_ours(SessionInput& session, XrSession handle, const XrActionsSyncInfo* info);
    void remember_attached(SessionInput& session, const XrSessionActionSetsAttachInfo& info,
                           std::vector<InjectedSet> own);
    using Bindings = std::vector<XrActionSuggestedBinding>;
    // Poses of ours that this suggestion leaves room for.
    [[nodiscard]] Bindings poses_for(const XrInteractionProfileSuggestedBinding& info, const InjectedSet& own);
    // What this profile's controllers feel of a hand.
    [[nodiscard]] Bindings grasp_for(const XrInteractionProfileSuggestedBinding& info, const InjectedSet& own);
    [[nodiscard]] bool is_of_trackers(const XrInteractionProfileSuggestedBinding& info) const noexcept;
    // Whether either of these may be anything.
    [[nodiscard]] bool leaves_room_for_ours(const XrInteractionProfileSuggestedBinding& info);
    // Whether the runtime took the application's suggestion with these behind it.
    [[nodiscard]] bool suggest_with(const XrInteractionProfileSuggestedBinding& info, const InjectedSet& own,
                                    const Bindings& additions, XrResult& result);

    // The path as it is, or one that no runtime knows in place of a tracker's that the application has to be refused.
    [[nodiscard]] XrPath unless_hidden(XrPath path) const noexcept;

    XrInstance instance_;
    const NextTable& next_;
    const bool hides_trackers_;
    const XrPath unsupported_;
    SessionInput::Profiles users_{};
    const HandPaths paths_;
    std::array<bool, kHandCount> tracker_is_forearm_;
    std::mutex sessions_mutex_;  // never held while calling below
    std::vector<std::weak_ptr<SessionInput>> sessions_;
    PoseBindings pose_bindings_;
    InjectedActions own_;
    WristOffsets offsets_;
    const bool wants_grasp_;
};

}  // namespace glove
