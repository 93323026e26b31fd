// SPDX-License-Identifier: Apache-2.0
// What the application's calls meet first. Each is one short body inside guarded(), in the order of dispatch.hpp's
// list. Every call below goes to the immediate next element of the chain.
#include "openxr/app/hand_tracker.hpp"
#include "openxr/app/instance.hpp"
#include "openxr/app/session.hpp"
#include "openxr/loader/dispatch.hpp"
#include "openxr/wrist/base_spaces.hpp"
#include "support/clock.hpp"

namespace glove {

namespace {

// Of an action set or an action: calls about it name nothing else.
struct ActionOwner {
    Registry<Instance>::Ref instance;
    XrActionSet set;  // itself, or the action's

    [[nodiscard]] static Registry<ActionOwner>& all() noexcept {
        static Registry<ActionOwner> registry;
        return registry;
    }
    // Before the call below: after it nothing may fail.
    [[nodiscard]] static Registry<ActionOwner>::Ref prepare(Registry<Instance>::Ref instance) {
        return all().hold(std::make_unique<ActionOwner>(ActionOwner{std::move(instance), XR_NULL_HANDLE}));
    }
    static void remember(std::uint64_t key, Registry<ActionOwner>::Ref owner, XrActionSet set) noexcept {
        (void)all().take(key);  // gone with its set, and the runtime uses the handle again
        owner->set = set;
        all().put_back(key, std::move(owner));
    }
    [[nodiscard]] static Registry<Instance>::Ref instance_of(std::uint64_t key) noexcept {
        const auto owner = all().find(key);
        return owner ? Instance::find(owner->instance->handle()) : Registry<Instance>::Ref{};
    }
};

auto is_tracker_of(const Session& session) noexcept {
    return [&session](const HandTracker& child) { return &child.session() == &session; };
}
auto is_space_of(const Session& session) noexcept {
    return [&session](const BaseSpace& child) { return child.session == &session; };
}

// What the application has of a session. Out of the registries before the call below destroys the session, as right
// after it the handles may be others'; in again when that call failed.
struct SessionChildren {
    std::vector<Registry<HandTracker>::Taken> hand_trackers;
    std::vector<Registry<BaseSpace>::Taken> base_spaces;

    // Throws std::bad_alloc; then nothing is taken.
    [[nodiscard]] static SessionChildren take_of(const Session& session) {
        SessionChildren children;
        children.hand_trackers = HandTracker::all().take_all(is_tracker_of(session));
        keep_or_undo([&] { children.base_spaces = BaseSpace::all().take_all(is_space_of(session)); },
                     [&] { put_back(std::move(children)); });
        return children;
    }
    // When nothing can bring them back.
    static void drop_of(const Session& session) noexcept {
        while (HandTracker::all().take_if(is_tracker_of(session))) {
        }
        while (BaseSpace::all().take_if(is_space_of(session))) {
        }
    }
    static void put_back(SessionChildren children) noexcept {
        HandTracker::all().put_back(std::move(children.hand_trackers));
        BaseSpace::all().put_back(std::move(children.base_spaces));
    }
};

// For functions that take a hand tracker and belong to an extension only the runtime serves: pass on its own trackers,
// never ours, which the runtime has not seen.
template <class Call>
XrResult with_native_tracker(const char* function, XrHandTrackerEXT handle, Call&& call) noexcept {
    return guarded(function, XR_ERROR_OUT_OF_MEMORY, [&] {
        const auto tracker = HandTracker::find(handle);
        if (!tracker) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (tracker->native() == XR_NULL_HANDLE) {
            return XR_ERROR_FEATURE_UNSUPPORTED;
        }
        return call(tracker->session().instance().next());
    });
}

XrSystemHandTrackingPropertiesEXT* find_hand_tracking_properties(XrSystemProperties* properties) noexcept {
    if (properties == nullptr || properties->type != XR_TYPE_SYSTEM_PROPERTIES) {
        return nullptr;
    }
    return find_in_chain<XrSystemHandTrackingPropertiesEXT>(properties->next,
                                                            XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT);
}

// The struct that an event buffer really is: each of them begins with type, next, session.
template <class Event, class Visit>
void visit_session_of(const XrEventDataBuffer& event, Visit visit) noexcept {
    const auto& known = reinterpret_cast<const Event&>(event);
    if (const auto session = Session::find(known.session)) {
        visit(*session, known);
    }
}

// Out of a call that began at `polled_ns` of the steady clock.
void take_note_of(const XrEventDataBuffer& event, std::int64_t polled_ns) noexcept {
    switch (event.type) {
        case XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED:
            visit_session_of<XrEventDataSessionStateChanged>(event, [=](Session& session, const auto& change) {
                session.set_state(change.state, change.time, polled_ns);
                session.instance().update_stream();
            });
            break;
        case XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED:
            visit_session_of<XrEventDataInteractionProfileChanged>(
                event, [](Session& session, const auto&) { session.input().invalidate(); });
            break;
        case XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING:
            visit_session_of<XrEventDataReferenceSpaceChangePending>(
                event, [](Session& session, const auto& change) { session.reference_space_changes().add(change); });
            break;
        default:
            break;
    }
}

// The event is there only because of actions that this layer attached by itself, or of trackers that the application
// did not ask for.
bool is_ours_alone(const Instance& instance, const XrEventDataBuffer& event) {
    if (event.type != XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED) {
        return instance.hides_trackers() && event.type == kTrackerConnectedEvent;
    }
    const XrSession handle = reinterpret_cast<const XrEventDataInteractionProfileChanged&>(event).session;
    const auto session = Session::find(handle);
    return session && instance.input() != nullptr &&
           (session->input().has_attached_itself() ||
            (instance.hides_trackers() && !instance.input()->profiles_changed(session->input(), handle)));
}

// An application that polls has a frame loop, or something like it.
void attach_for_themselves(Instance& instance) {
    // Who made actions means to attach them, however late: an attach of ours would be in the way.
    bool has_actions = false;
    ActionOwner::all().for_each([&](std::uint64_t, const ActionOwner& owner) {
        has_actions = has_actions || owner.instance->handle() == instance.handle();
    });
    for (const XrSession handle : Session::handles_of(instance.handle())) {
        if (const auto session = Session::find(handle);
            session && (session->input().has_attached_itself() || !has_actions)) {
            session->attach_for_itself(handle);
        }
    }
}

// For calls about a session's actions. None of them lists XR_ERROR_OUT_OF_MEMORY.
template <class Call>
XrResult with_input_of(const char* function, XrSession handle, Call&& call) noexcept {
    return guarded(function, XR_ERROR_RUNTIME_FAILURE, [&] {
        const auto session = Session::find(handle);
        return session && session->instance().input() != nullptr ? call(*session->instance().input(), *session)
                                                                 : XR_ERROR_HANDLE_INVALID;
    });
}

void copy_text(const char* from, char* to, std::size_t size) noexcept {
    std::size_t i = 0;
    for (; i + 1 < size && from[i] != '\0'; ++i) {
        to[i] = from[i];
    }
    to[i] = '\0';
}

}  // namespace

namespace intercept {

XRAPI_ATTR XrResult XRAPI_CALL xrDestroyInstance(XrInstance handle) {
    return guarded("xrDestroyInstance", XR_ERROR_RUNTIME_FAILURE, [&] {
        const auto instance = Instance::all().take(key_of(handle));
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        // The loader may unload this library the moment we return: the receiver's thread ends here.
        instance->end_stream();
        while (ActionOwner::all().take_if(
            [&instance](const ActionOwner& owner) { return &*owner.instance == &*instance; })) {
        }
        const auto is_child = [&instance](const Session& session) { return &session.instance() == &*instance; };
        while (const auto session = Session::all().take_if(is_child)) {
            SessionChildren::drop_of(*session);
            session->release_spaces();
        }
        // Whatever this says, the loader has done with the instance then, and with us.
        return instance->next().xrDestroyInstance(handle);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrGetSystemProperties(XrInstance handle, XrSystemId system,
                                                     XrSystemProperties* properties) {
    return guarded("xrGetSystemProperties", XR_ERROR_OUT_OF_MEMORY, [&] {
        const auto instance = Instance::find(handle);
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        // Looked up before the call: some runtimes cut the chain.
        XrSystemHandTrackingPropertiesEXT* const hands =
            instance->has_hand_tracking() ? find_hand_tracking_properties(properties) : nullptr;
        const XrResult result = instance->next().xrGetSystemProperties(handle, system, properties);
        if (XR_SUCCEEDED(result) && hands != nullptr) {
            hands->supportsHandTracking = XR_TRUE;  // a glove stream is always configured
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrPollEvent(XrInstance handle, XrEventDataBuffer* event) {
    return guarded("xrPollEvent", XR_ERROR_RUNTIME_FAILURE, [&] {
        const auto instance = Instance::find(handle);
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        std::int64_t polled_ns = steady_now_ns();
        XrResult result = instance->next().xrPollEvent(handle, event);
        while (result == XR_SUCCESS && event != nullptr && is_ours_alone(*instance, *event)) {
            take_note_of(*event, polled_ns);
            event->type = XR_TYPE_EVENT_DATA_BUFFER;
            event->next = nullptr;
            polled_ns = steady_now_ns();
            result = instance->next().xrPollEvent(handle, event);
        }
        if (result == XR_SUCCESS && event != nullptr) {
            take_note_of(*event, polled_ns);
        } else if (result == XR_EVENT_UNAVAILABLE && instance->config().wrist.self_attach) {
            attach_for_themselves(*instance);
        }
        instance->tick(steady_now_ns());
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrCreateSession(XrInstance handle, const XrSessionCreateInfo* info, XrSession* session) {
    return guarded("xrCreateSession", XR_ERROR_OUT_OF_MEMORY, [&] {
        auto instance = Instance::find(handle);
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const NextTable& next = instance->next();
        auto state = Session::all().hold(std::make_unique<Session>(std::move(instance)));
        const XrResult result = next.xrCreateSession(handle, info, session);
        if (XR_SUCCEEDED(result)) {
            Session::all().put_back(key_of(*session), std::move(state));
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrDestroySession(XrSession handle) {
    return guarded("xrDestroySession", XR_ERROR_RUNTIME_FAILURE, [&] {
        auto session = Session::all().take(key_of(handle));
        if (!session) {
            return XR_ERROR_HANDLE_INVALID;
        }
        SessionChildren children;
        keep_or_undo([&] { children = SessionChildren::take_of(*session); },
                     [&] { Session::all().put_back(key_of(handle), std::move(session)); });
        session->release_spaces();
        const XrResult result = session->instance().next().xrDestroySession(handle);
        if (XR_FAILED(result)) {
            session->renew_spaces(handle);
            SessionChildren::put_back(std::move(children));
            Session::all().put_back(key_of(handle), std::move(session));
        } else {
            session->instance().update_stream();
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrCreateReferenceSpace(XrSession handle, const XrReferenceSpaceCreateInfo* info,
                                                      XrSpace* space) {
    return guarded("xrCreateReferenceSpace", XR_ERROR_OUT_OF_MEMORY, [&] {
        const auto session = Session::find(handle);
        if (!session) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const XrResult result = session->instance().next().xrCreateReferenceSpace(handle, info, space);
        if (XR_SUCCEEDED(result)) {
            remember_base_space(*session, *space, *info);
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrDestroySpace(XrSpace space) {
    return guarded("xrDestroySpace", XR_ERROR_RUNTIME_FAILURE, [&] {
        // Most kinds of spaces come from functions that we do not answer, so nothing says whose it is. Loaders make one
        // instance at a time.
        std::vector<XrInstance> handles;
        Instance::all().for_each(
            [&handles](std::uint64_t key, const Instance&) { handles.push_back(handle_of<XrInstance>(key)); });
        auto known = BaseSpace::all().take(key_of(space));
        XrResult result = XR_ERROR_HANDLE_INVALID;
        for (std::size_t i = 0; i < handles.size() && result == XR_ERROR_HANDLE_INVALID; ++i) {
            const auto instance = Instance::find(handles[i]);
            result = instance ? instance->next().xrDestroySpace(space) : XR_ERROR_HANDLE_INVALID;
        }
        if (XR_FAILED(result) && known) {
            BaseSpace::all().put_back(key_of(space), std::move(known));
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrCreateActionSet(XrInstance handle, const XrActionSetCreateInfo* info,
                                                 XrActionSet* set) {
    return guarded("xrCreateActionSet", XR_ERROR_OUT_OF_MEMORY, [&] {
        auto instance = Instance::find(handle);
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const NextTable& next = instance->next();
        auto owner = ActionOwner::prepare(std::move(instance));
        const XrResult result = next.xrCreateActionSet(handle, info, set);
        if (XR_SUCCEEDED(result)) {
            ActionOwner::remember(key_of(*set), std::move(owner), *set);
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrCreateAction(XrActionSet set, const XrActionCreateInfo* info, XrAction* action) {
    return guarded("xrCreateAction", XR_ERROR_OUT_OF_MEMORY, [&] {
        auto instance = ActionOwner::instance_of(key_of(set));
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        Input& input = *instance->input();
        auto owner = ActionOwner::prepare(std::move(instance));
        const XrResult result = input.create_action(set, info, action);
        if (XR_SUCCEEDED(result)) {
            ActionOwner::remember(key_of(*action), std::move(owner), set);
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrDestroyAction(XrAction action) {
    return guarded("xrDestroyAction", XR_ERROR_RUNTIME_FAILURE, [&] {
        auto owner = ActionOwner::all().take(key_of(action));
        if (!owner) {
            return XR_ERROR_HANDLE_INVALID;
        }
        XrResult result = XR_ERROR_RUNTIME_FAILURE;
        const auto put_back = [&] { ActionOwner::all().put_back(key_of(action), std::move(owner)); };
        keep_or_undo([&] { result = owner->instance->input()->destroy_action(action); }, put_back);
        if (XR_FAILED(result)) {
            put_back();
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrDestroyActionSet(XrActionSet set) {
    return guarded("xrDestroyActionSet", XR_ERROR_RUNTIME_FAILURE, [&] {
        const auto instance = ActionOwner::instance_of(key_of(set));
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        auto owners = ActionOwner::all().take_all([set](const ActionOwner& owner) { return owner.set == set; });
        XrResult result = XR_ERROR_RUNTIME_FAILURE;
        const auto put_back = [&] { ActionOwner::all().put_back(std::move(owners)); };
        keep_or_undo([&] { result = instance->input()->destroy_action_set(set); }, put_back);
        if (XR_FAILED(result)) {
            put_back();
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrSuggestInteractionProfileBindings(XrInstance handle,
                                                                   const XrInteractionProfileSuggestedBinding* info) {
    return guarded("xrSuggestInteractionProfileBindings", XR_ERROR_RUNTIME_FAILURE, [&] {
        const auto instance = Instance::find(handle);
        return instance && instance->input() != nullptr ? instance->input()->suggest(info) : XR_ERROR_HANDLE_INVALID;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrAttachSessionActionSets(XrSession handle, const XrSessionActionSetsAttachInfo* info) {
    return with_input_of("xrAttachSessionActionSets", handle,
                         [&](Input& input, Session& session) { return input.attach(session.input(), handle, info); });
}

XRAPI_ATTR XrResult XRAPI_CALL xrSyncActions(XrSession handle, const XrActionsSyncInfo* info) {
    return with_input_of("xrSyncActions", handle, [&](Input& input, Session& session) {
        return input.sync(session.input(), session.is_focused(), handle, info);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrGetCurrentInteractionProfile(XrSession handle, XrPath user,
                                                              XrInteractionProfileState* state) {
    return with_input_of("xrGetCurrentInteractionProfile", handle, [&](Input& input, Session& session) {
        return input.current_profile(session.input(), handle, user, state);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrGetInputSourceLocalizedName(XrSession handle,
                                                             const XrInputSourceLocalizedNameGetInfo* info,
                                                             std::uint32_t capacity, std::uint32_t* count,
                                                             char* buffer) {
    return with_input_of("xrGetInputSourceLocalizedName", handle, [&](Input& input, Session& session) {
        return input.name_of_source(session.input(), handle, info, capacity, count, buffer);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrSetDebugUtilsObjectNameEXT(XrInstance handle,
                                                            const XrDebugUtilsObjectNameInfoEXT* info) {
    return guarded("xrSetDebugUtilsObjectNameEXT", XR_ERROR_OUT_OF_MEMORY, [&] {
        const auto instance = Instance::find(handle);
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (info != nullptr && info->type == XR_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT &&
            (info->objectType == XR_OBJECT_TYPE_HAND_TRACKER_EXT || info->objectType == XR_OBJECT_TYPE_UNKNOWN)) {
            const auto tracker = HandTracker::all().find(info->objectHandle);
            if (tracker && tracker->native() == XR_NULL_HANDLE) {
                return XR_SUCCESS;  // the runtime does not know this handle; names are for its messages only
            }
        }
        return instance->next().xrSetDebugUtilsObjectNameEXT(handle, info);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrCreateHandTrackerEXT(XrSession session, const XrHandTrackerCreateInfoEXT* info,
                                                      XrHandTrackerEXT* handle) {
    return guarded("xrCreateHandTrackerEXT", XR_ERROR_OUT_OF_MEMORY,
                   [&] { return create_hand_tracker(session, info, handle); });
}

XRAPI_ATTR XrResult XRAPI_CALL xrDestroyHandTrackerEXT(XrHandTrackerEXT handle) {
    return guarded("xrDestroyHandTrackerEXT", XR_ERROR_RUNTIME_FAILURE, [&] {
        auto tracker = HandTracker::all().take(key_of(handle));
        if (!tracker) {
            return XR_ERROR_HANDLE_INVALID;
        }
        const XrResult result = tracker->native() == XR_NULL_HANDLE
                                    ? XR_SUCCESS
                                    : tracker->session().instance().next().xrDestroyHandTrackerEXT(handle);
        if (XR_FAILED(result)) {
            HandTracker::all().put_back(key_of(handle), std::move(tracker));
        } else {
            tracker->session().instance().update_stream();
        }
        return result;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrLocateHandJointsEXT(XrHandTrackerEXT handle, const XrHandJointsLocateInfoEXT* info,
                                                     XrHandJointLocationsEXT* locations) {
    return guarded("xrLocateHandJointsEXT", XR_ERROR_RUNTIME_FAILURE, [&] {
        const auto tracker = HandTracker::find(handle);
        return tracker ? tracker->locate(info, locations) : XR_ERROR_HANDLE_INVALID;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrGetGloveHandStatusNOVENDOR(XrInstance handle, XrHandEXT hand,
                                                            XrGloveHandStatusNOVENDOR* status) {
    return guarded("xrGetGloveHandStatusNOVENDOR", XR_ERROR_OUT_OF_MEMORY, [&] {
        const auto instance = Instance::find(handle);
        if (!instance) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (status == nullptr || status->size != sizeof(XrGloveHandStatusNOVENDOR) ||
            (hand != XR_HAND_LEFT_EXT && hand != XR_HAND_RIGHT_EXT)) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        const HandFeed& feed = instance->stream().hand(hand == XR_HAND_LEFT_EXT ? Hand::left : Hand::right);
        status->samples = feed.samples.load(std::memory_order_acquire);  // first: what follows is as new, or newer
        HandMotion motion;
        const bool has_sample = feed.motion.read(motion);
        const Source shown = instance->shown(hand == XR_HAND_LEFT_EXT ? Hand::left : Hand::right);
        const Source source = shown == Source::native || shown == Source::controller ? shown
                              : has_sample                                           ? motion.sample.source
                                                                                     : Source::none;
        copy_text(name_of(source), status->source, sizeof status->source);
        status->datagrams = feed.datagrams.load(std::memory_order_relaxed);
        const std::int64_t heard_ns = feed.heard_ns.load(std::memory_order_relaxed);
        status->age_ns = heard_ns == 0 ? -1 : steady_now_ns() - heard_ns;
        status->tracked = heard_ns != 0 && status->age_ns <= instance->config().age.tracked_ms * std::int64_t{1'000'000}
                              ? XR_TRUE
                              : XR_FALSE;
        status->port = instance->stream().port();
        return XR_SUCCESS;
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrCreateHandMeshSpaceMSFT(XrHandTrackerEXT handle,
                                                         const XrHandMeshSpaceCreateInfoMSFT* info, XrSpace* space) {
    return with_native_tracker("xrCreateHandMeshSpaceMSFT", handle, [&](const NextTable& next) {
        return next.xrCreateHandMeshSpaceMSFT(handle, info, space);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrUpdateHandMeshMSFT(XrHandTrackerEXT handle, const XrHandMeshUpdateInfoMSFT* info,
                                                    XrHandMeshMSFT* mesh) {
    return with_native_tracker("xrUpdateHandMeshMSFT", handle,
                               [&](const NextTable& next) { return next.xrUpdateHandMeshMSFT(handle, info, mesh); });
}

XRAPI_ATTR XrResult XRAPI_CALL xrGetHandMeshFB(XrHandTrackerEXT handle, XrHandTrackingMeshFB* mesh) {
    return with_native_tracker("xrGetHandMeshFB", handle,
                               [&](const NextTable& next) { return next.xrGetHandMeshFB(handle, mesh); });
}

XRAPI_ATTR XrResult XRAPI_CALL xrApplyForceFeedbackCurlMNDX(XrHandTrackerEXT handle,
                                                            const XrForceFeedbackCurlApplyLocationsMNDX* locations) {
    return with_native_tracker("xrApplyForceFeedbackCurlMNDX", handle, [&](const NextTable& next) {
        return next.xrApplyForceFeedbackCurlMNDX(handle, locations);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL xrGetHandGestureQCOM(XrHandTrackerEXT handle, XrTime time, XrHandGestureQCOM* gesture) {
    return with_native_tracker("xrGetHandGestureQCOM", handle,
                               [&](const NextTable& next) { return next.xrGetHandGestureQCOM(handle, time, gesture); });
}

}  // namespace intercept

}  // namespace glove
