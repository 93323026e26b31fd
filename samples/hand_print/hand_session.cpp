// SPDX-License-Identifier: Apache-2.0
#include "hand_print/hand_session.hpp"

#include <time.h>

#define XR_USE_TIMESPEC
#include <openxr/openxr_platform.h>
#include <openxr/openxr_reflection.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace glove {
namespace {

constexpr auto kLongestEnd = std::chrono::seconds(2);

std::string text_of(XrResult result) {
    switch (result) {
#define GLOVE_CASE(name, value) \
    case name:                  \
        return #name;
        XR_LIST_ENUM_XrResult(GLOVE_CASE)
#undef GLOVE_CASE
    }
    return "XrResult " + std::to_string(static_cast<int>(result));
}

void require(XrResult result, const char* function) {
    if (XR_FAILED(result)) {
        throw std::runtime_error(std::string(function) + ": " + text_of(result));
    }
}

template <class Struct>
Struct of_type(XrStructureType type) {
    Struct out{};
    out.type = type;
    return out;
}

std::vector<std::string> offered_extensions() {
    std::uint32_t count = 0;
    XrResult result = xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr);
    std::vector<XrExtensionProperties> properties(count, of_type<XrExtensionProperties>(XR_TYPE_EXTENSION_PROPERTIES));
    if (XR_SUCCEEDED(result)) {
        result = xrEnumerateInstanceExtensionProperties(nullptr, count, &count, properties.data());
    }
    if (XR_FAILED(result)) {
        throw NoHandSession("no OpenXR runtime answers (" + text_of(result) +
                            "): does XR_RUNTIME_JSON or an active_runtime.json name one that is installed?");
    }
    std::vector<std::string> names;
    names.reserve(count);
    for (const XrExtensionProperties& extension : properties) {
        names.emplace_back(extension.extensionName);
    }
    return names;
}

}  // namespace

// None of these is exported by the loader.
struct HandSession::Functions {
    PFN_xrCreateHandTrackerEXT create_tracker = nullptr;
    PFN_xrDestroyHandTrackerEXT destroy_tracker = nullptr;
    PFN_xrLocateHandJointsEXT locate_joints = nullptr;
    PFN_xrConvertTimespecTimeToTimeKHR to_xr_time = nullptr;
    PFN_xrGetGloveHandStatusNOVENDOR glove_status = nullptr;  // stays null when nobody offers it
};

HandSession::HandSession(const Settings& settings) : functions_(std::make_unique<Functions>()) {
    try {
        create_instance(settings.application_name);
        create_session(settings.space);
        create_trackers();
    } catch (const std::runtime_error& error) {
        end();
        throw NoHandSession(error.what());
    }
}

HandSession::~HandSession() {
    end();
}

void HandSession::create_instance(const std::string& application_name) {
    const std::vector<std::string> offered = offered_extensions();
    std::vector<const char*> enabled;
    const auto enable = [&](const char* name) {
        const bool found = std::find(offered.begin(), offered.end(), name) != offered.end();
        if (found) {
            enabled.push_back(name);
        }
        return found;
    };
    if (!enable(XR_EXT_HAND_TRACKING_EXTENSION_NAME)) {
        throw NoHandSession("neither the runtime nor a layer offers XR_EXT_hand_tracking: is the layer registered?");
    }
    if (!enable(XR_MND_HEADLESS_EXTENSION_NAME)) {
        throw NoHandSession("the runtime offers no headless session (XR_MND_headless)");
    }
    // A headless session has no frames whose display time could serve as the time.
    if (!enable(XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME)) {
        throw NoHandSession("the runtime does not tell the time (XR_KHR_convert_timespec_time)");
    }
    const bool has_status = enable(XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME);

    auto info = of_type<XrInstanceCreateInfo>(XR_TYPE_INSTANCE_CREATE_INFO);
    application_name.copy(info.applicationInfo.applicationName, XR_MAX_APPLICATION_NAME_SIZE - 1);
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.enabledExtensionCount = static_cast<std::uint32_t>(enabled.size());
    info.enabledExtensionNames = enabled.data();
    require(xrCreateInstance(&info, &instance_), "xrCreateInstance");

    fetch("xrCreateHandTrackerEXT", functions_->create_tracker);
    fetch("xrDestroyHandTrackerEXT", functions_->destroy_tracker);
    fetch("xrLocateHandJointsEXT", functions_->locate_joints);
    fetch("xrConvertTimespecTimeToTimeKHR", functions_->to_xr_time);
    if (has_status) {
        fetch("xrGetGloveHandStatusNOVENDOR", functions_->glove_status);
    }

    auto properties = of_type<XrInstanceProperties>(XR_TYPE_INSTANCE_PROPERTIES);
    require(xrGetInstanceProperties(instance_, &properties), "xrGetInstanceProperties");
    runtime_name_ = properties.runtimeName;
}

template <class Function>
void HandSession::fetch(const char* name, Function& function) const {
    PFN_xrVoidFunction found = nullptr;
    require(xrGetInstanceProcAddr(instance_, name, &found), name);
    function = reinterpret_cast<Function>(found);
}

void HandSession::create_session(XrReferenceSpaceType space) {
    auto system_info = of_type<XrSystemGetInfo>(XR_TYPE_SYSTEM_GET_INFO);
    system_info.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY;
    XrSystemId system = XR_NULL_SYSTEM_ID;
    require(xrGetSystem(instance_, &system_info, &system), "xrGetSystem");

    auto hands = of_type<XrSystemHandTrackingPropertiesEXT>(XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT);
    auto properties = of_type<XrSystemProperties>(XR_TYPE_SYSTEM_PROPERTIES);
    properties.next = &hands;
    require(xrGetSystemProperties(instance_, system, &properties), "xrGetSystemProperties");
    if (hands.supportsHandTracking != XR_TRUE) {
        throw NoHandSession("the system says that it cannot track hands: is the layer registered?");
    }

    auto session_info = of_type<XrSessionCreateInfo>(XR_TYPE_SESSION_CREATE_INFO);
    session_info.systemId = system;
    require(xrCreateSession(instance_, &session_info, &session_), "xrCreateSession");

    auto space_info = of_type<XrReferenceSpaceCreateInfo>(XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
    space_info.referenceSpaceType = space;
    space_info.poseInReferenceSpace.orientation.w = 1;
    require(xrCreateReferenceSpace(session_, &space_info, &space_), "xrCreateReferenceSpace");
}

void HandSession::create_trackers() {
    for (const Hand hand : kBothHands) {
        auto info = of_type<XrHandTrackerCreateInfoEXT>(XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT);
        info.hand = hand == Hand::left ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT;
        info.handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT;
        require(functions_->create_tracker(session_, &info, &trackers_[index_of(hand)]), "xrCreateHandTrackerEXT");
    }
}

bool HandSession::poll() {
    for (;;) {
        auto event = of_type<XrEventDataBuffer>(XR_TYPE_EVENT_DATA_BUFFER);
        const XrResult result = xrPollEvent(instance_, &event);
        require(result, "xrPollEvent");
        if (result == XR_EVENT_UNAVAILABLE) {
            return !over_;
        }
        if (event.type == XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING) {
            over_ = true;
        } else if (event.type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) {
            follow(reinterpret_cast<const XrEventDataSessionStateChanged&>(event).state);
        }
    }
}

void HandSession::follow(XrSessionState state) {
    switch (state) {
        case XR_SESSION_STATE_READY: {
            auto info = of_type<XrSessionBeginInfo>(XR_TYPE_SESSION_BEGIN_INFO);
            info.primaryViewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;  // ignored when headless
            require(xrBeginSession(session_, &info), "xrBeginSession");
            running_ = true;
            break;
        }
        case XR_SESSION_STATE_STOPPING:
            running_ = false;
            require(xrEndSession(session_), "xrEndSession");
            break;
        case XR_SESSION_STATE_EXITING:
        case XR_SESSION_STATE_LOSS_PENDING:
            over_ = true;
            break;
        default:
            break;
    }
}

void HandSession::end() noexcept {
    try {
        if (running_ && !over_ && XR_SUCCEEDED(xrRequestExitSession(session_))) {
            const auto give_up = std::chrono::steady_clock::now() + kLongestEnd;
            while (poll() && std::chrono::steady_clock::now() < give_up) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
        }
    } catch (const std::exception&) {
        // What cannot end in order is destroyed all the same.
    }
    for (XrHandTrackerEXT& tracker : trackers_) {
        if (tracker != XR_NULL_HANDLE) {
            functions_->destroy_tracker(tracker);
            tracker = XR_NULL_HANDLE;
        }
    }
    if (space_ != XR_NULL_HANDLE) {
        xrDestroySpace(space_);
    }
    if (session_ != XR_NULL_HANDLE) {
        xrDestroySession(session_);
    }
    if (instance_ != XR_NULL_HANDLE) {
        xrDestroyInstance(instance_);
    }
}

XrTime HandSession::now() const {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    XrTime time = 0;
    require(functions_->to_xr_time(instance_, &now, &time), "xrConvertTimespecTimeToTimeKHR");
    return time;
}

LocatedHand HandSession::locate(Hand hand, XrTime time) const {
    LocatedHand out;
    auto velocities = of_type<XrHandJointVelocitiesEXT>(XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
    velocities.jointCount = static_cast<std::uint32_t>(out.velocities.size());
    velocities.jointVelocities = out.velocities.data();
    auto locations = of_type<XrHandJointLocationsEXT>(XR_TYPE_HAND_JOINT_LOCATIONS_EXT);
    locations.next = &velocities;
    locations.jointCount = static_cast<std::uint32_t>(out.joints.size());
    locations.jointLocations = out.joints.data();
    auto info = of_type<XrHandJointsLocateInfoEXT>(XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT);
    info.baseSpace = space_;
    info.time = time;
    require(functions_->locate_joints(trackers_[index_of(hand)], &info, &locations), "xrLocateHandJointsEXT");
    out.active = locations.isActive == XR_TRUE;
    return out;
}

std::optional<XrGloveHandStatusNOVENDOR> HandSession::status(Hand hand) const {
    if (functions_->glove_status == nullptr) {
        return std::nullopt;
    }
    XrGloveHandStatusNOVENDOR status{};
    status.size = sizeof status;
    require(functions_->glove_status(instance_, hand == Hand::left ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT, &status),
            "xrGetGloveHandStatusNOVENDOR");
    return status;
}

}  // namespace glove
