// SPDX-License-Identifier: Apache-2.0
// The objects of the test runtime and what all its functions share: one lock, handle look-up, scripted errors.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/functions.hpp"
#include "runtime/profiles.hpp"
#include "runtime/rigid.hpp"
#include "runtime/runtime_control.hpp"

#ifdef _WIN32
#define GLOVE_RUNTIME_EXPORT __declspec(dllexport)
#else
#define GLOVE_RUNTIME_EXPORT __attribute__((visibility("default")))
#endif

namespace glove::test_runtime {

inline constexpr char kName[] = "Glove Hands test runtime (no headset)";
inline constexpr XrSystemId kSystem = 1;

struct ActionSet {
    std::string name;
    std::string localized_name;
    std::uint32_t priority = 0;
    std::set<XrPath> subaction_paths;  // of all actions it ever had
    bool attached = false;
};

struct Action {
    std::shared_ptr<ActionSet> set;
    std::string name;
    std::string localized_name;
    XrActionType type;
    std::vector<XrPath> subaction_paths;
};

struct Binding {
    std::shared_ptr<Action> action;  // outlives its xrDestroyAction
    XrPath path;                     // as suggested
    InputPath input;
};
using Bindings = std::map<std::string, std::vector<Binding>>;  // by interaction profile

// Of an action, for one subaction path or for all of them, as xrSyncActions left it.
struct InputState {
    XrVector2f value{0, 0};  // of boolean and float actions only x
    bool changed = false;
    XrTime changed_at = 0;
    InputPath source{};  // of a pose action: what it is bound to
};
struct StateKey {
    const Action* action;
    std::string user;  // empty: without a subaction path
    auto operator<=>(const StateKey&) const = default;
};

struct Session {
    XrSessionState state = XR_SESSION_STATE_UNKNOWN;
    bool running = false;
    bool exit_requested = false;
    bool frame_waited = false;
    bool frame_begun = false;
    XrTime last_display_time = 0;

    std::vector<std::shared_ptr<ActionSet>> action_sets;  // what xrAttachSessionActionSets made immutable
    Bindings bindings;                                    // as suggested by then
    std::map<std::string, std::string> profiles;          // current one by user path; none: no entry
    std::map<StateKey, InputState> states;                // of what is active; the rest has no entry
};

struct Space {
    XrSession session;
    XrReferenceSpaceType reference;  // of an action space: without meaning
    std::shared_ptr<Action> action;  // null: a reference space. An action space outlives its xrDestroyAction.
    XrPath subaction_path;
    Pose pose_in_reference;  // or in the action's pose
};

struct HandTracker {
    XrSession session;
    XrHandEXT hand;
};

struct Instance {
    XrInstance handle;
    std::vector<std::string> extensions;
    std::deque<XrEventDataBuffer> events;
    std::vector<std::string> paths;  // XrPath n is paths[n - 1]
    Bindings suggestions;
    std::size_t recentrings_told = 0;                              // how many of the script's have become events
    std::map<std::string, XrViveTrackerPathsHTCX> tracker_events;  // by persistent path: what the events point to

    [[nodiscard]] bool enabled(std::string_view extension) const;
    [[nodiscard]] const std::string* path(XrPath path) const;
    [[nodiscard]] XrPath atom(std::string_view text);  // the path's XrPath, made when there is none

    template <class Event>
    void add_event(const Event& event) {
        XrEventDataBuffer buffer{};
        static_assert(sizeof event <= sizeof buffer);
        std::memcpy(&buffer, &event, sizeof event);
        events.push_back(buffer);
    }
};

struct Runtime {
    std::mutex mutex;  // guards everything below

    std::unique_ptr<Instance> instance;
    std::map<XrSession, std::shared_ptr<Session>> sessions;
    std::map<XrSpace, std::shared_ptr<Space>> spaces;
    std::map<XrHandTrackerEXT, std::shared_ptr<HandTracker>> hand_trackers;
    std::map<XrActionSet, std::shared_ptr<ActionSet>> action_sets;
    std::map<XrAction, std::shared_ptr<Action>> actions;

    [[nodiscard]] bool is(XrInstance handle) const;
    template <class Handle>
    [[nodiscard]] Handle new_handle();

    void enter(XrSession handle, Session& session, XrSessionState state);
    void follow_script();
    void follow_focus();
    void destroy_session(XrSession handle);
    void count_live() const;

private:
    void tell_of_recentrings();
    void tell_of_trackers();

    std::uint64_t handles_made_ = 0;
};

Runtime& runtime();
RuntimeControl& control();

// The object of a handle, or null and a note in the control.
template <class Handle, class Object>
[[nodiscard]] Object* find(const std::map<Handle, std::shared_ptr<Object>>& objects, Handle handle) {
    const auto found = objects.find(handle);
    if (found == objects.end()) {
        ++control().unknown_handles;
        return nullptr;
    }
    return found->second.get();
}

// No value comes twice in a process, so a handle of a destroyed object never names another one. As an address none is
// canonical: whoever takes a handle for a pointer of its own stops there.
template <class Handle>
Handle Runtime::new_handle() {
    constexpr std::uint64_t kFirst = 0x6c00'0000'0000'0000, kStep = 0x10;
    const std::uint64_t number = kFirst + kStep * handles_made_++;
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(number));
    } else {
        return number;
    }
}

// Every entry point runs its body in here.
template <class Body>
XrResult answer(Function function, Body&& body) noexcept {
    const XrResult scripted = control().called(function);
    if (XR_FAILED(scripted)) {
        return scripted;
    }
    try {
        XrResult result = XR_SUCCESS;
        {
            Runtime& the_runtime = runtime();
            const std::lock_guard lock(the_runtime.mutex);
            the_runtime.follow_script();
            result = body(the_runtime);
            the_runtime.count_live();
        }
        control().answered(function);
        return result == XR_SUCCESS ? scripted : result;
    } catch (const std::bad_alloc&) {
        return XR_ERROR_OUT_OF_MEMORY;
    } catch (...) {
        return XR_ERROR_RUNTIME_FAILURE;
    }
}

template <class Struct>
[[nodiscard]] bool is_a(const Struct* data, XrStructureType type) {
    return data != nullptr && data->type == type;
}

// The first struct of `type` behind `next`, or null.
template <class Struct>
[[nodiscard]] Struct* chained(void* next, XrStructureType type) {
    for (auto* at = static_cast<XrBaseOutStructure*>(next); at != nullptr; at = at->next) {
        if (at->type == type) {
            return reinterpret_cast<Struct*>(at);
        }
    }
    return nullptr;
}

// OpenXR's way to return arrays: capacity 0 asks for the count. `write` fills one element.
template <class Element, class Write>
XrResult write_array(std::size_t size, std::uint32_t capacity, std::uint32_t* count, Element* elements, Write&& write) {
    if (count == nullptr || (capacity != 0 && elements == nullptr)) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    *count = static_cast<std::uint32_t>(size);
    if (capacity == 0) {
        return XR_SUCCESS;
    }
    if (capacity < size) {
        return XR_ERROR_SIZE_INSUFFICIENT;
    }
    for (std::size_t i = 0; i < size; ++i) {
        write(elements[i], i);
    }
    return XR_SUCCESS;
}

// `to` has room for any name of ours.
template <std::size_t size>
void write_text(char (&to)[size], std::string_view text) {
    const std::size_t length = text.copy(to, size - 1);
    to[length] = '\0';
}

// False for a field without a terminating zero.
template <std::size_t size>
[[nodiscard]] bool read_text(const char (&from)[size], std::string& text) {
    const void* end = std::memchr(from, '\0', size);
    if (end == nullptr) {
        return false;
    }
    text = from;
    return true;
}

// As xrCreateReferenceSpace and xrCreateActionSpace ask: finite, and a rotation within 1 %.
[[nodiscard]] bool is_valid(const XrPosef& pose);

// Null is allowed, and so is each path the action was created with.
[[nodiscard]] XrResult check_subaction_path(const Instance& instance, const Action& action, XrPath path);

// "/user/…", null excluded.
[[nodiscard]] XrResult check_user_path(const Instance& instance, XrPath path);

[[nodiscard]] bool is_attached(const Session& session, const std::shared_ptr<ActionSet>& set);

// What every use of an action in a session checks, in this order.
[[nodiscard]] XrResult check_action(const Runtime& the_runtime, const Session& session, XrAction handle,
                                    XrPath subaction_path, XrActionType type);

// A frame in STAGE at one time, and what is known of it.
struct Placed {
    Motion motion;
    bool on_head;  // what is on the head keeps its place there, however badly the head is tracked
    XrSpaceLocationFlags location_flags;
    XrSpaceVelocityFlags velocity_flags;
};
[[nodiscard]] Placed place(const Space& space, XrTime time);
[[nodiscard]] Placed place(const MotionScript& script, XrTime time);
inline constexpr Placed kNowhere{{{{1, {0, 0, 0}}, {0, 0, 0}}}, false, 0, 0};

// `placed` seen from `base`, ready for the program: what is not valid is zero.
struct Seen {
    XrSpaceLocationFlags location_flags;
    XrPosef pose;
    XrSpaceVelocityFlags velocity_flags;
    XrVector3f linear_velocity;
    XrVector3f angular_velocity;
};
[[nodiscard]] Seen see(const Placed& placed, const Placed& base);

}  // namespace glove::test_runtime
