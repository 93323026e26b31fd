// SPDX-License-Identifier: Apache-2.0
// A small OpenXR program, for tests that need a process: it does what a program with hands does, in order, and says how
// many hands it saw. Any error ends it with status 1.
//   test_application [hands] [native] [mistake] [leave]
//     hands   enables XR_EXT_hand_tracking and locates both hands until each was active, for ten seconds at most
//     native  the test runtime has hands itself
//     mistake asks for a space with a struct of the wrong type, and takes any answer
//     leave   returns from main() without destroying anything
#include <dlfcn.h>
#include <openxr/openxr.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/runtime_control.hpp"

namespace {

using glove::test_runtime::NativeHands;
using glove::test_runtime::RuntimeControl;

void require(XrResult result, const char* what) {
    if (result != XR_SUCCESS) {
        throw std::runtime_error(std::string(what) + " returned " + std::to_string(result));
    }
}

RuntimeControl& runtime() {
    void* library = ::dlopen(GLOVE_TEST_RUNTIME_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    const auto control =
        library == nullptr
            ? nullptr
            : reinterpret_cast<PFN_glove_test_runtime_control>(::dlsym(library, "glove_test_runtime_control"));
    if (control == nullptr) {
        throw std::runtime_error("no test runtime");
    }
    return *control();
}

class Application {
public:
    explicit Application(bool hands) : hands_(hands) { make_instance(); }

    void run() {
        make_session();
        make_input();
        drive_until(XR_SESSION_STATE_READY);
        const XrSessionBeginInfo begin{XR_TYPE_SESSION_BEGIN_INFO, nullptr, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO};
        require(xrBeginSession(session_, &begin), "xrBeginSession");
        drive_until(XR_SESSION_STATE_FOCUSED);
        if (hands_) {
            for (const XrHandEXT hand : {XR_HAND_LEFT_EXT, XR_HAND_RIGHT_EXT}) {
                make_tracker(hand);
            }
        }
        std::array<bool, 2> seen{};
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        for (int i = 0; i < 5 || (hands_ && !(seen[0] && seen[1]) && std::chrono::steady_clock::now() < end); ++i) {
            frame(seen);
        }
        std::printf("hands seen: %d\n", seen[0] + seen[1]);
        std::fflush(stdout);
    }

    void make_a_mistake() const {
        const XrReferenceSpaceCreateInfo info{
            XR_TYPE_SPACE_LOCATION, nullptr, XR_REFERENCE_SPACE_TYPE_LOCAL, {{0, 0, 0, 1}, {0, 0, 0}}};
        XrSpace space = XR_NULL_HANDLE;
        (void)xrCreateReferenceSpace(session_, &info, &space);
    }

    void destroy() {
        for (const XrHandTrackerEXT tracker : trackers_) {
            require(proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(tracker), "xrDestroyHandTrackerEXT");
        }
        require(xrDestroySpace(grip_), "xrDestroySpace");
        require(xrDestroySpace(local_), "xrDestroySpace");
        require(xrRequestExitSession(session_), "xrRequestExitSession");
        drive_until(XR_SESSION_STATE_STOPPING);
        require(xrEndSession(session_), "xrEndSession");
        require(xrDestroySession(session_), "xrDestroySession");
        require(xrDestroyAction(grip_action_), "xrDestroyAction");
        require(xrDestroyActionSet(action_set_), "xrDestroyActionSet");
        require(xrDestroyInstance(instance_), "xrDestroyInstance");
    }

private:
    template <class Function>
    Function proc(const char* name) const {
        PFN_xrVoidFunction function = nullptr;
        require(xrGetInstanceProcAddr(instance_, name, &function), name);
        return reinterpret_cast<Function>(function);
    }

    void make_instance() {
        std::vector<const char*> extensions{XR_MND_HEADLESS_EXTENSION_NAME};
        if (hands_) {
            extensions.push_back(XR_EXT_HAND_TRACKING_EXTENSION_NAME);
        }
        XrInstanceCreateInfo info{};
        info.type = XR_TYPE_INSTANCE_CREATE_INFO;
        std::strcpy(info.applicationInfo.applicationName, "test application");
        info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
        info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
        info.enabledExtensionNames = extensions.data();
        require(xrCreateInstance(&info, &instance_), "xrCreateInstance");
    }

    void make_session() {
        const XrSystemGetInfo wanted{XR_TYPE_SYSTEM_GET_INFO, nullptr, XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY};
        require(xrGetSystem(instance_, &wanted, &system_), "xrGetSystem");
        XrSystemHandTrackingPropertiesEXT hands{XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, nullptr, XR_FALSE};
        XrSystemProperties properties{};
        properties.type = XR_TYPE_SYSTEM_PROPERTIES;
        properties.next = hands_ ? &hands : nullptr;
        require(xrGetSystemProperties(instance_, system_, &properties), "xrGetSystemProperties");
        if (hands_ && hands.supportsHandTracking != XR_TRUE) {
            throw std::runtime_error("no hand tracking");
        }
        const XrSessionCreateInfo info{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, system_};
        require(xrCreateSession(instance_, &info, &session_), "xrCreateSession");
        const XrReferenceSpaceCreateInfo local{
            XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, XR_REFERENCE_SPACE_TYPE_LOCAL, {{0, 0, 0, 1}, {0, 0, 0}}};
        require(xrCreateReferenceSpace(session_, &local, &local_), "xrCreateReferenceSpace");
    }

    XrPath path(const char* text) const {
        XrPath path = XR_NULL_PATH;
        require(xrStringToPath(instance_, text, &path), "xrStringToPath");
        return path;
    }

    void make_input() {
        XrActionSetCreateInfo set{};
        set.type = XR_TYPE_ACTION_SET_CREATE_INFO;
        std::strcpy(set.actionSetName, "hands");
        std::strcpy(set.localizedActionSetName, "Hands");
        require(xrCreateActionSet(instance_, &set, &action_set_), "xrCreateActionSet");
        XrActionCreateInfo action{};
        action.type = XR_TYPE_ACTION_CREATE_INFO;
        std::strcpy(action.actionName, "grip");
        std::strcpy(action.localizedActionName, "Grip");
        action.actionType = XR_ACTION_TYPE_POSE_INPUT;
        require(xrCreateAction(action_set_, &action, &grip_action_), "xrCreateAction");

        const XrActionSuggestedBinding binding{grip_action_, path("/user/hand/left/input/grip/pose")};
        const XrInteractionProfileSuggestedBinding suggestion{XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING, nullptr,
                                                              path("/interaction_profiles/khr/simple_controller"), 1,
                                                              &binding};
        require(xrSuggestInteractionProfileBindings(instance_, &suggestion), "xrSuggestInteractionProfileBindings");
        const XrSessionActionSetsAttachInfo attach{XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO, nullptr, 1, &action_set_};
        require(xrAttachSessionActionSets(session_, &attach), "xrAttachSessionActionSets");
        const XrActionSpaceCreateInfo space{
            XR_TYPE_ACTION_SPACE_CREATE_INFO, nullptr, grip_action_, XR_NULL_PATH, {{0, 0, 0, 1}, {0, 0, 0}}};
        require(xrCreateActionSpace(session_, &space, &grip_), "xrCreateActionSpace");
    }

    void make_tracker(XrHandEXT hand) {
        const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, hand,
                                              XR_HAND_JOINT_SET_DEFAULT_EXT};
        XrHandTrackerEXT tracker = XR_NULL_HANDLE;
        require(proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(session_, &info, &tracker),
                "xrCreateHandTrackerEXT");
        trackers_.push_back(tracker);
    }

    void drive_until(XrSessionState state) const {
        for (int i = 0; i < 10'000; ++i) {
            XrEventDataBuffer buffer{};
            buffer.type = XR_TYPE_EVENT_DATA_BUFFER;
            if (xrPollEvent(instance_, &buffer) != XR_SUCCESS) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                continue;
            }
            const auto& event = reinterpret_cast<const XrEventDataSessionStateChanged&>(buffer);
            if (event.type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED && event.state == state) {
                return;
            }
        }
        throw std::runtime_error("the session never reached state " + std::to_string(state));
    }

    void frame(std::array<bool, 2>& seen) {
        const XrFrameWaitInfo wait{XR_TYPE_FRAME_WAIT_INFO, nullptr};
        XrFrameState state{};
        state.type = XR_TYPE_FRAME_STATE;
        require(xrWaitFrame(session_, &wait, &state), "xrWaitFrame");
        const XrFrameBeginInfo begin{XR_TYPE_FRAME_BEGIN_INFO, nullptr};
        require(xrBeginFrame(session_, &begin), "xrBeginFrame");

        const XrActiveActionSet active{action_set_, XR_NULL_PATH};
        const XrActionsSyncInfo sync{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 1, &active};
        require(xrSyncActions(session_, &sync), "xrSyncActions");
        XrSpaceLocation location{};
        location.type = XR_TYPE_SPACE_LOCATION;
        require(xrLocateSpace(grip_, local_, state.predictedDisplayTime, &location), "xrLocateSpace");
        for (std::size_t i = 0; i < trackers_.size(); ++i) {
            seen[i] |= locate(trackers_[i], state.predictedDisplayTime);
        }

        XrFrameEndInfo end{};
        end.type = XR_TYPE_FRAME_END_INFO;
        end.displayTime = state.predictedDisplayTime;
        end.environmentBlendMode = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
        require(xrEndFrame(session_, &end), "xrEndFrame");
    }

    bool locate(XrHandTrackerEXT tracker, XrTime time) const {
        std::array<XrHandJointVelocityEXT, XR_HAND_JOINT_COUNT_EXT> velocities{};
        std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joints{};
        XrHandJointVelocitiesEXT velocity_part{XR_TYPE_HAND_JOINT_VELOCITIES_EXT, nullptr, XR_HAND_JOINT_COUNT_EXT,
                                               velocities.data()};
        XrHandJointLocationsEXT location_part{XR_TYPE_HAND_JOINT_LOCATIONS_EXT, &velocity_part, XR_FALSE,
                                              XR_HAND_JOINT_COUNT_EXT, joints.data()};
        const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, local_, time};
        require(proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT")(tracker, &info, &location_part),
                "xrLocateHandJointsEXT");
        return location_part.isActive == XR_TRUE;
    }

    bool hands_;
    XrInstance instance_ = XR_NULL_HANDLE;
    XrSystemId system_ = XR_NULL_SYSTEM_ID;
    XrSession session_ = XR_NULL_HANDLE;
    XrSpace local_ = XR_NULL_HANDLE;
    XrActionSet action_set_ = XR_NULL_HANDLE;
    XrAction grip_action_ = XR_NULL_HANDLE;
    XrSpace grip_ = XR_NULL_HANDLE;
    std::vector<XrHandTrackerEXT> trackers_;
};

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> arguments(words + 1, words + count);
    const auto has = [&](const char* word) {
        return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
    };
    try {
        if (has("native")) {
            runtime().native_hands = NativeHands::supported;
        }
        Application application(has("hands"));
        application.run();
        if (has("mistake")) {
            application.make_a_mistake();
        }
        if (!has("leave")) {
            application.destroy();
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "test_application: %s\n", error.what());
        return 1;
    }
}
