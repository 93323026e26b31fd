// SPDX-License-Identifier: Apache-2.0
#include "openxr/headless_program.hpp"

#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>

#define XR_USE_TIMESPEC
#include <openxr/openxr_platform.h>

namespace glove::test {
namespace {

void require(XrResult result, const char* what) {
    if (XR_FAILED(result)) {
        throw std::runtime_error(std::string(what) + " returned " + std::to_string(result));
    }
}

template <class Function>
Function look_up(XrInstance instance, const char* name) {
    PFN_xrVoidFunction function = nullptr;
    require(xrGetInstanceProcAddr(instance, name, &function), name);
    return reinterpret_cast<Function>(function);
}

}  // namespace

HeadlessProgram::~HeadlessProgram() {
    if (instance_ != XR_NULL_HANDLE) {
        xrDestroyInstance(instance_);
    }
}

void HeadlessProgram::begin_instance(const std::vector<const char*>& extensions) {
    std::vector<const char*> all = extensions;
    all.push_back(XR_MND_HEADLESS_EXTENSION_NAME);
    all.push_back(XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME);
    if (with_hands_) {
        all.push_back(XR_EXT_HAND_TRACKING_EXTENSION_NAME);
    }
    XrInstanceCreateInfo info{};
    info.type = XR_TYPE_INSTANCE_CREATE_INFO;
    std::strcpy(info.applicationInfo.applicationName, "action script");
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.enabledExtensionCount = static_cast<std::uint32_t>(all.size());
    info.enabledExtensionNames = all.data();
    require(xrCreateInstance(&info, &instance_), "xrCreateInstance");
    calls_.use(instance_);
    const XrSystemGetInfo wanted{XR_TYPE_SYSTEM_GET_INFO, nullptr, XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY};
    require(xrGetSystem(instance_, &wanted, &system_), "xrGetSystem");
}

void HeadlessProgram::end_instance() {
    const XrInstance ended = instance_;
    instance_ = XR_NULL_HANDLE;
    session_ = XR_NULL_HANDLE;
    require(xrDestroyInstance(ended), "xrDestroyInstance");
}

void HeadlessProgram::begin_session() {
    const XrSessionCreateInfo create{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, system_};
    require(xrCreateSession(instance_, &create, &session_), "xrCreateSession");
    calls_.use(session_);
    wait_for(XR_SESSION_STATE_READY);
    const XrSessionBeginInfo begin{XR_TYPE_SESSION_BEGIN_INFO, nullptr, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO};
    require(xrBeginSession(session_, &begin), "xrBeginSession");
    wait_for(XR_SESSION_STATE_FOCUSED);
    if (with_hands_) {
        begin_hands();
    }
}

void HeadlessProgram::end_session() {
    require(xrDestroySession(session_), "xrDestroySession");
    session_ = XR_NULL_HANDLE;
}

void HeadlessProgram::frame() {
    (void)calls_.poll();
    std::this_thread::sleep_for(frame_);
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const auto convert = look_up<PFN_xrConvertTimespecTimeToTimeKHR>(instance_, "xrConvertTimespecTimeToTimeKHR");
    require(convert(instance_, &now, &time_), "xrConvertTimespecTimeToTimeKHR");
    if (with_hands_) {
        locate_hands();
    }
}

void HeadlessProgram::begin_hands() {
    const XrReferenceSpaceCreateInfo room{
        XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, XR_REFERENCE_SPACE_TYPE_LOCAL, {{0, 0, 0, 1}, {0, 0, 0}}};
    require(xrCreateReferenceSpace(session_, &room, &room_), "xrCreateReferenceSpace");
    const auto create = look_up<PFN_xrCreateHandTrackerEXT>(instance_, "xrCreateHandTrackerEXT");
    for (const XrHandEXT hand : {XR_HAND_LEFT_EXT, XR_HAND_RIGHT_EXT}) {
        const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, hand,
                                              XR_HAND_JOINT_SET_DEFAULT_EXT};
        require(create(session_, &info, &hands_[hand == XR_HAND_LEFT_EXT ? 0 : 1]), "xrCreateHandTrackerEXT");
    }
}

void HeadlessProgram::locate_hands() {
    const auto locate = look_up<PFN_xrLocateHandJointsEXT>(instance_, "xrLocateHandJointsEXT");
    for (const XrHandTrackerEXT hand : hands_) {
        std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joints;
        XrHandJointLocationsEXT out{XR_TYPE_HAND_JOINT_LOCATIONS_EXT, nullptr, XR_FALSE, XR_HAND_JOINT_COUNT_EXT,
                                    joints.data()};
        const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, room_, time_};
        require(locate(hand, &info, &out), "xrLocateHandJointsEXT");
        active_hands_ += out.isActive == XR_TRUE ? 1 : 0;
    }
}

void HeadlessProgram::wait_for(XrSessionState state) {
    // A real runtime's service takes its time.
    for (int i = 0; i < 1000; ++i) {
        for (const XrSessionState come : calls_.poll()) {
            if (come == state) {
                return;
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    throw std::runtime_error("the session never reached state " + std::to_string(state));
}

}  // namespace glove::test
