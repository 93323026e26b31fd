// SPDX-License-Identifier: Apache-2.0
#include "openxr/input/pose_bindings.hpp"

#include <algorithm>
#include <iterator>

namespace glove {

PoseBindings::Action* PoseBindings::find(XrAction handle) noexcept {
    const auto it = std::find_if(actions_.begin(), actions_.end(),
                                 [handle](const Action& action) { return action.handle == handle; });
    return it == actions_.end() ? nullptr : &*it;
}

void PoseBindings::created(const XrActionCreateInfo& info, XrActionSet set, XrAction action) {
    if (info.actionType != XR_ACTION_TYPE_POSE_INPUT) {
        return;
    }
    std::vector<XrPath> subactions(info.subactionPaths, info.subactionPaths + info.countSubactionPaths);
    const std::lock_guard lock(mutex_);
    actions_.push_back({action, ++made_, set, std::move(subactions), {}, false});
}

void PoseBindings::add_own(XrActionSet set, XrAction action, const HandPaths& paths) {
    const std::lock_guard lock(mutex_);
    if (find(action) == nullptr) {
        actions_.push_back({action, ++made_, set, {paths.hand.begin(), paths.hand.end()}, {}, true});
    }
}

template <class Predicate>
std::vector<PoseBindings::Action> PoseBindings::take_if(Predicate predicate) {
    const std::lock_guard lock(mutex_);
    const auto rest = std::stable_partition(actions_.begin(), actions_.end(),
                                            [&predicate](const Action& action) { return !predicate(action); });
    std::vector<Action> taken(std::make_move_iterator(rest), std::make_move_iterator(actions_.end()));
    actions_.erase(rest, actions_.end());
    return taken;
}

std::vector<PoseBindings::Action> PoseBindings::take(XrAction action) {
    return take_if([action](const Action& known) { return known.handle == action; });
}

std::vector<PoseBindings::Action> PoseBindings::take_of(XrActionSet set) {
    return take_if([set](const Action& known) { return known.set == set; });
}

void PoseBindings::put_back(std::vector<Action> taken) {
    const std::lock_guard lock(mutex_);
    std::move(taken.begin(), taken.end(), std::back_inserter(actions_));
    std::sort(actions_.begin(), actions_.end(), [](const Action& a, const Action& b) { return a.id < b.id; });
}

void PoseBindings::suggested(const XrInteractionProfileSuggestedBinding& info, const HandPaths& paths) {
    const std::lock_guard lock(mutex_);
    for (Action& action : actions_) {
        std::erase_if(action.bindings,
                      [&info](const Binding& binding) { return binding.profile == info.interactionProfile; });
    }
    for (const XrActionSuggestedBinding& suggestion : std::span(info.suggestedBindings, info.countSuggestedBindings)) {
        const auto pose = paths.pose_of(suggestion.binding);
        if (Action* const action = pose ? find(suggestion.action) : nullptr) {
            action->bindings.push_back({info.interactionProfile, pose->hand, pose->kind});
        }
    }
}

bool PoseBindings::subaction_for(const Action& action, std::span<const Binding> bindings, const HandPaths& paths,
                                 Hand hand, XrPath& subaction) noexcept {
    const XrPath wanted = paths.hand[index_of(hand)];
    if (std::find(action.subactions.begin(), action.subactions.end(), wanted) != action.subactions.end()) {
        subaction = wanted;
        return true;
    }
    // Without subaction paths a pose action bound to both hands follows one of them, and nobody says which.
    subaction = XR_NULL_PATH;
    return action.subactions.empty() &&
           std::all_of(bindings.begin(), bindings.end(), [hand](const Binding& b) { return b.hand == hand; });
}

bool PoseBindings::would_serve(const XrInteractionProfileSuggestedBinding& info, const HandPaths& paths, Hand hand) {
    const std::lock_guard lock(mutex_);
    const std::span suggestions(info.suggestedBindings, info.countSuggestedBindings);
    return std::any_of(actions_.begin(), actions_.end(), [&](const Action& action) {
        std::vector<Binding> bindings;
        bool rigid = false;
        for (const XrActionSuggestedBinding& suggestion : suggestions) {
            const auto pose = paths.pose_of(suggestion.binding);
            if (pose && suggestion.action == action.handle) {
                bindings.push_back({info.interactionProfile, pose->hand, pose->kind});
                rigid |= pose->hand == hand && pose->kind != PoseKind::aim;
            }
        }
        XrPath subaction = XR_NULL_PATH;
        return rigid && subaction_for(action, bindings, paths, hand, subaction);
    });
}

std::vector<PoseCandidate> PoseBindings::candidates(std::span<const XrActionSet> attached, const HandPaths& paths) {
    std::vector<PoseCandidate> found;
    const std::lock_guard lock(mutex_);
    for (const Action& action : actions_) {
        if (std::find(attached.begin(), attached.end(), action.set) == attached.end()) {
            continue;
        }
        for (const Binding& binding : action.bindings) {
            std::vector<Binding> of_profile;
            std::copy_if(action.bindings.begin(), action.bindings.end(), std::back_inserter(of_profile),
                         [&binding](const Binding& other) { return other.profile == binding.profile; });
            XrPath subaction = XR_NULL_PATH;
            if (subaction_for(action, of_profile, paths, binding.hand, subaction)) {
                found.push_back({action.handle, action.id, true, subaction, binding.profile, binding.hand, binding.kind,
                                 action.own});
            }
        }
    }
    // Of two that are alike, the application's own: it exists in any case.
    std::stable_sort(found.begin(), found.end(), [](const PoseCandidate& a, const PoseCandidate& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.own < b.own;
    });
    return found;
}

}  // namespace glove
