// SPDX-License-Identifier: Apache-2.0
// The action set that this layer adds to the application's, for what the application does not bind itself.
// Priority 0, the lowest: a set of ours never takes an input from the application's (OpenXR 11.3 "Action sets"). Where
// one of the application's has a higher priority and binds the same input, ours stays silent.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "openxr/input/hand_paths.hpp"
#include "openxr/input/interaction_profiles.hpp"
#include "openxr/loader/dispatch.hpp"

namespace glove {

inline constexpr const char* kTrackerProfile = "/interaction_profiles/htc/vive_tracker_htcx";

struct InjectedSet {
    XrActionSet set = XR_NULL_HANDLE;
    XrAction grip = XR_NULL_HANDLE;     // pose; subaction paths are both hands
    XrAction tracker = XR_NULL_HANDLE;  // pose; subaction paths are the trackers' roles. Null where there are none
    std::array<XrAction, kGraspInputCount> grasp{};  // subaction paths are both hands. Null where not wanted

    [[nodiscard]] bool has_grasp() const noexcept { return grasp[0] != XR_NULL_HANDLE; }
    [[nodiscard]] XrAction of(GraspInput input) const noexcept { return grasp[static_cast<std::size_t>(input)]; }
};

class InjectedActions {
public:
    // `tracker_roles`: "left_wrist" and the like by hand, empty where no tracker is to be used.
    InjectedActions(XrInstance instance, const NextTable& next, const HandPaths& paths,
                    const std::array<std::string, kHandCount>& tracker_roles, bool wants_grasp);

    // The set that bindings may still be suggested for, made when there is none: of threads that ask at once one makes
    // it for all. Its handles are null where the runtime refuses, which is a log line once.
    [[nodiscard]] InjectedSet open();

    // A binding of this set was accepted: it is worth attaching, if it is still the open one.
    void bound(const InjectedSet& set);
    // What to attach to a session: all sets that have bindings, since those outlive a session.
    [[nodiscard]] std::vector<InjectedSet> to_attach();
    // These were attached and can take no more bindings.
    void attached(std::span<const InjectedSet> sets);

    // Suggests the trackers' bindings, unless the application suggested that profile itself with ours in it.
    void suggest_trackers();
    // They were, for this set.
    void trackers_suggested(const InjectedSet& set);

    [[nodiscard]] XrPath tracker_profile() const noexcept { return tracker_profile_; }
    [[nodiscard]] XrPath tracker_role(Hand hand) const noexcept { return roles_[index_of(hand)]; }
    [[nodiscard]] std::vector<XrActionSuggestedBinding> tracker_bindings(const InjectedSet& set) const;

private:
    [[nodiscard]] XrResult make(InjectedSet& out);
    [[nodiscard]] XrResult make_action(XrActionSet set, XrActionType type, const char* name, const char* shown_name,
                                       const std::array<XrPath, kHandCount>& subactions, XrAction& out) const;
    [[nodiscard]] XrResult make_grasp(InjectedSet& set) const;

    XrInstance instance_;
    const NextTable& next_;
    std::array<XrPath, kHandCount> hands_;
    std::array<XrPath, kHandCount> roles_{};
    std::array<XrPath, kHandCount> role_poses_{};
    XrPath tracker_profile_ = XR_NULL_PATH;
    const bool wants_grasp_;

    std::mutex mutex_;                 // never held while calling below
    std::vector<InjectedSet> closed_;  // bound and attached before
    InjectedSet open_;
    bool open_is_bound_ = false;
    bool trackers_suggested_ = false;
    bool refused_ = false;
    std::atomic<unsigned> made_{0};
};

}  // namespace glove
