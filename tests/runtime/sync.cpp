// SPDX-License-Identifier: Apache-2.0
// xrSyncActions: which profile each user path has, which bindings count, and what the actions read.
#include <algorithm>
#include <cmath>

#include "runtime/devices.hpp"
#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

constexpr char kSimple[] = "/interaction_profiles/khr/simple_controller";

// The device's own profile where the application has bindings for it; else it plays a simple controller if it can.
const Profile* choose_profile(const Instance& instance, const Session& session, std::string_view user) {
    const std::optional<Device> device = device_at(user);
    if (!device) {
        return nullptr;
    }
    if (session.bindings.count(device->profile) != 0) {
        return find_profile(instance, device->profile);
    }
    const bool is_hand = user == kLeftHand || user == kRightHand;
    return is_hand && session.bindings.count(kSimple) != 0 ? find_profile(instance, kSimple) : nullptr;
}

std::vector<std::string> users_with_devices() {
    std::vector<std::string> users{std::string(kLeftHand), std::string(kRightHand)};
    for (const TrackerScript& tracker : control().trackers.get()) {
        users.push_back(std::string(kTrackerRoles) + tracker.role);
        users.push_back(tracker.persistent_path);
    }
    return users;
}

void choose_profiles(Instance& instance, XrSession handle, Session& session) {
    std::map<std::string, std::string> chosen;
    for (const std::string& user : users_with_devices()) {
        if (const Profile* profile = choose_profile(instance, session, user)) {
            chosen.emplace(user, profile->name);
        }
    }
    if (chosen != session.profiles) {
        session.profiles = chosen;
        instance.add_event(
            XrEventDataInteractionProfileChanged{XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED, nullptr, handle});
    }
}

struct ActiveSet {
    const ActionSet* set;
    std::string user;  // empty: all
};

// Bindings of the current profiles whose device is there and whose action is in an active set.
std::vector<const Binding*> active_bindings(const Instance& instance, const Session& session,
                                            const std::vector<ActiveSet>& active) {
    std::vector<const Binding*> bindings;
    for (const auto& [profile, suggested] : session.bindings) {
        for (const Binding& binding : suggested) {
            const auto current = session.profiles.find(binding.input.user);
            const bool is_current = current != session.profiles.end() && current->second == profile;
            const bool is_active = std::any_of(active.begin(), active.end(), [&](const ActiveSet& it) {
                return it.set == binding.action->set.get() && (it.user.empty() || it.user == binding.input.user);
            });
            if (is_current && is_active && device_at(binding.input.user) &&
                suits(*find_profile(instance, profile), binding.input, binding.action->type)) {
                bindings.push_back(&binding);
            }
        }
    }
    return bindings;
}

// An input serves only the sets of the highest priority that bind it, by whichever component.
void suppress(std::vector<const Binding*>& bindings) {
    std::map<std::string, std::uint32_t> highest;
    for (const Binding* binding : bindings) {
        std::uint32_t& priority = highest[binding->input.source()];
        priority = std::max(priority, binding->action->set->priority);
    }
    std::erase_if(bindings, [&](const Binding* binding) {
        return binding->action->set->priority < highest[binding->input.source()];
    });
}

float size(const XrVector2f& value) {
    return std::hypot(value.x, value.y);
}

// Several inputs of one action: pressed when one is, else the one that is farthest out; of poses the first.
void merge(std::map<StateKey, InputState>& states, const StateKey& key, const Binding& binding,
           const XrVector2f& value) {
    const auto [found, is_first] = states.try_emplace(key, InputState{value, false, 0, binding.input});
    if (!is_first && size(value) > size(found->second.value)) {
        found->second.value = value;
    }
}

void read_states(const Instance& instance, Session& session, const std::vector<const Binding*>& bindings) {
    std::map<StateKey, InputState> states;
    for (const Binding* binding : bindings) {
        const Action* action = binding->action.get();
        XrVector2f value{0, 0};
        if (action->type != XR_ACTION_TYPE_POSE_INPUT && action->type != XR_ACTION_TYPE_VIBRATION_OUTPUT) {
            const Profile& profile = *find_profile(instance, session.profiles.at(binding->input.user));
            value = read_input(*device_at(binding->input.user), profile, binding->input, action->type);
        }
        merge(states, {action, ""}, *binding, value);
        merge(states, {action, binding->input.user}, *binding, value);
    }
    for (auto& [key, state] : states) {
        const auto before = session.states.find(key);
        const InputState old = before == session.states.end() ? InputState{} : before->second;
        state.changed = state.value.x != old.value.x || state.value.y != old.value.y;
        state.changed_at = state.changed ? control().now() : old.changed_at;
    }
    session.states = states;
}

}  // namespace

XRAPI_ATTR XrResult XRAPI_CALL entry::xrSyncActions(XrSession handle, const XrActionsSyncInfo* info) {
    return answer(Function::xrSyncActions, [&](Runtime& the_runtime) {
        Session* session = find(the_runtime.sessions, handle);
        if (session == nullptr) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (!is_a(info, XR_TYPE_ACTIONS_SYNC_INFO) ||
            (info->countActiveActionSets != 0 && info->activeActionSets == nullptr)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        Instance& instance = *the_runtime.instance;
        std::vector<ActiveSet> sets;
        for (std::uint32_t i = 0; i < info->countActiveActionSets; ++i) {
            const XrActiveActionSet& active = info->activeActionSets[i];
            if (find(the_runtime.action_sets, active.actionSet) == nullptr) {
                return XR_ERROR_HANDLE_INVALID;
            }
            const std::shared_ptr<ActionSet>& set = the_runtime.action_sets.at(active.actionSet);
            if (!is_attached(*session, set)) {
                return XR_ERROR_ACTIONSET_NOT_ATTACHED;
            }
            if (active.subactionPath != XR_NULL_PATH) {
                const XrResult result = check_user_path(instance, active.subactionPath);
                if (XR_FAILED(result)) {
                    return result;
                }
                if (set->subaction_paths.count(active.subactionPath) == 0) {  // no action has it
                    return XR_ERROR_PATH_UNSUPPORTED;
                }
            }
            const std::string* user = instance.path(active.subactionPath);
            sets.push_back({set.get(), user == nullptr ? "" : *user});
        }
        if (session->state != XR_SESSION_STATE_FOCUSED) {
            session->states.clear();
            return XR_SESSION_NOT_FOCUSED;
        }
        if (!session->action_sets.empty()) {
            choose_profiles(instance, handle, *session);
        }
        std::vector<const Binding*> bindings = active_bindings(instance, *session, sets);
        suppress(bindings);
        read_states(instance, *session, bindings);
        return XR_SUCCESS;
    });
}

}  // namespace glove::test_runtime
