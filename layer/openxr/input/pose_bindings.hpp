// SPDX-License-Identifier: Apache-2.0
// A book of the actions that say where a hand is: the application's own, and those that this layer adds. It makes no
// call below.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "openxr/input/hand_paths.hpp"

namespace glove {

// What a pose action can serve as.
struct PoseCandidate {
    XrAction action;
    std::uint64_t action_id;  // no other action's ever, as a runtime may use the handle again
    bool exists;
    XrPath subaction;  // XR_NULL_PATH: the action is bound to this hand alone
    XrPath profile;    // the interaction profile under which this holds
    Hand hand;
    PoseKind kind;
    bool own;  // one of ours
};

// The application may call from any thread.
class PoseBindings {
public:
    struct Binding {
        XrPath profile;
        Hand hand;
        PoseKind kind;
    };
    struct Action {
        XrAction handle;
        std::uint64_t id;
        XrActionSet set;
        std::vector<XrPath> subactions;
        std::vector<Binding> bindings;
        bool own;
    };

    // Each right after the runtime said yes.
    void created(const XrActionCreateInfo& info, XrActionSet set, XrAction action);
    // One of ours, for both hands. Known already: nothing happens.
    void add_own(XrActionSet set, XrAction action, const HandPaths& paths);
    // Before the call below destroys the action or its set: right after it the handle may be another's. Put back when
    // that call failed.
    [[nodiscard]] std::vector<Action> take(XrAction action);
    [[nodiscard]] std::vector<Action> take_of(XrActionSet set);
    void put_back(std::vector<Action> taken);
    // Replaces what was suggested for this profile before (OpenXR 11.4 "Suggested bindings").
    void suggested(const XrInteractionProfileSuggestedBinding& info, const HandPaths& paths);

    // Whether this suggestion alone, once accepted, gives the hand a pose that goes rigidly with it.
    [[nodiscard]] bool would_serve(const XrInteractionProfileSuggestedBinding& info, const HandPaths& paths, Hand hand);

    // All that the attached sets can serve as, the best first.
    [[nodiscard]] std::vector<PoseCandidate> candidates(std::span<const XrActionSet> attached, const HandPaths& paths);

private:
    [[nodiscard]] Action* find(XrAction handle) noexcept;
    // Whether the action can be asked about this hand alone, and how; `bindings` are those of one profile.
    [[nodiscard]] static bool subaction_for(const Action& action, std::span<const Binding> bindings,
                                            const HandPaths& paths, Hand hand, XrPath& subaction) noexcept;

    template <class Predicate>
    [[nodiscard]] std::vector<Action> take_if(Predicate predicate);

    std::mutex mutex_;
    std::vector<Action> actions_;
    std::uint64_t made_ = 0;
};

}  // namespace glove
