// SPDX-License-Identifier: Apache-2.0
#include "openxr/loader_fixture.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "folders.hpp"
#include "udp_socket.hpp"

namespace glove::test {
namespace {

void require(XrResult result, const char* what) {
    if (result != XR_SUCCESS) {
        throw std::runtime_error(std::string(what) + " returned " + std::to_string(result));
    }
}

// Below the range the system itself gives out from, so that no sender's own port is ever the one we look for.
std::uint16_t free_port() {
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const auto port = static_cast<std::uint16_t>(20'000 + (::getpid() * 7 + attempt) % 12'000);
        try {
            return UdpSocket(port).port();
        } catch (const std::system_error&) {
            continue;  // taken
        }
    }
    throw std::runtime_error("no free UDP port");
}

// The library stays loaded for ever: the loader would otherwise drop it, and the script with it, between two instances.
RuntimeControl& load_runtime() {
    void* library = ::dlopen(GLOVE_TEST_RUNTIME_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw std::runtime_error(::dlerror());
    }
    const auto control =
        reinterpret_cast<PFN_glove_test_runtime_control>(::dlsym(library, "glove_test_runtime_control"));
    if (control == nullptr) {
        throw std::runtime_error("the test runtime has no control");
    }
    return *control();
}

}  // namespace

LoaderTest::LoaderTest() = default;
LoaderTest::~LoaderTest() = default;

void LoaderTest::SetUp() {
    std::string name = (std::filesystem::temp_directory_path() / "glove_hands_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no scratch folder");
    }
    scratch_ = name;
    // With the first thread of a program ThreadSanitizer starts one of its own, which tests that count would take for
    // ours.
    std::thread([] {}).join();
    control_ = &load_runtime();
    control_->reset();
    port_ = free_port();
    {
        const UdpSocket held(port_);
        hand_engine_port_ = free_port();
    }
    glove_ = std::make_unique<UdpSocket>();

    set_environment("XR_RUNTIME_JSON", GLOVE_TEST_RUNTIME_MANIFEST);
    set_environment("XDG_DATA_DIRS", GLOVE_BUILD_DIR "/share");
    for (const char* place : {"XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "HOME"}) {
        set_environment(place, scratch_.c_str());
    }
    for (const char* switched :
         {"DISABLE_GLOVE_HANDS", "GLOVE_HANDS_LOG", "XR_API_LAYER_PATH", "XR_ENABLE_API_LAYERS", "XR_LOADER_DEBUG"}) {
        ::unsetenv(switched);
    }
    set_environment("GLOVE_HANDS_CONFIG", (scratch_ / "glove_hands.toml").c_str());
    write_config("");
}

void LoaderTest::TearDown() {
    if (instance_ != XR_NULL_HANDLE) {
        destroy_instance();
    }
    std::error_code ignored;
    std::filesystem::remove_all(scratch_, ignored);
}

void LoaderTest::hide_layer() {
    set_environment("XDG_DATA_DIRS", scratch_.c_str());
}

void LoaderTest::write_config(std::string_view toml) const {
    // Hand Engine's usual port may be another test's at this moment.
    std::ofstream(scratch_ / "glove_hands.toml")
        << (toml.find("[hand_engine]") == std::string_view::npos ? "[hand_engine]\nenabled = false\n" : "")
        << "[receiver]\nport = " << port_ << '\n'
        << toml;
}

void LoaderTest::set_environment(const char* name, const char* value) {
    ::setenv(name, value, 1);
}

XrResult LoaderTest::try_instance(const std::vector<const char*>& extensions) {
    XrInstanceCreateInfo info{};
    info.type = XR_TYPE_INSTANCE_CREATE_INFO;
    std::strcpy(info.applicationInfo.applicationName, "loader test");
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.enabledExtensionNames = extensions.empty() ? nullptr : extensions.data();
    return xrCreateInstance(&info, &instance_);
}

void LoaderTest::make_instance(const std::vector<const char*>& extensions) {
    require(try_instance(extensions), "xrCreateInstance");
    const XrSystemGetInfo wanted{XR_TYPE_SYSTEM_GET_INFO, nullptr, XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY};
    require(xrGetSystem(instance_, &wanted, &system_), "xrGetSystem");
}

void LoaderTest::destroy_instance() {
    const XrInstance ended = instance_;
    instance_ = XR_NULL_HANDLE;
    session_ = XR_NULL_HANDLE;
    require(xrDestroyInstance(ended), "xrDestroyInstance");
}

void LoaderTest::make_session(XrSessionState until) {
    const XrSessionCreateInfo create{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, system_};
    require(xrCreateSession(instance_, &create, &session_), "xrCreateSession");
    drive_until(XR_SESSION_STATE_READY);
    const XrSessionBeginInfo begin{XR_TYPE_SESSION_BEGIN_INFO, nullptr, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO};
    require(xrBeginSession(session_, &begin), "xrBeginSession");
    drive_until(until);
}

void LoaderTest::drive_until(XrSessionState state) {
    const bool reached = wait_for([&] {
        for (;;) {
            XrEventDataBuffer buffer{};
            buffer.type = XR_TYPE_EVENT_DATA_BUFFER;
            if (xrPollEvent(instance_, &buffer) != XR_SUCCESS) {
                return false;
            }
            const auto& event = reinterpret_cast<const XrEventDataSessionStateChanged&>(buffer);
            if (event.type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED && event.state == state) {
                return true;
            }
        }
    });
    if (!reached) {
        throw std::runtime_error("the session never reached state " + std::to_string(state));
    }
}

XrSpace LoaderTest::make_space(XrReferenceSpaceType type, const XrPosef& pose) const {
    const XrReferenceSpaceCreateInfo info{XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, type, pose};
    XrSpace space = XR_NULL_HANDLE;
    require(xrCreateReferenceSpace(session_, &info, &space), "xrCreateReferenceSpace");
    return space;
}

XrHandTrackerEXT LoaderTest::make_tracker(XrHandEXT hand) const {
    const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, hand,
                                          XR_HAND_JOINT_SET_DEFAULT_EXT};
    XrHandTrackerEXT tracker = XR_NULL_HANDLE;
    require(proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(session_, &info, &tracker),
            "xrCreateHandTrackerEXT");
    return tracker;
}

XrResult LoaderTest::locate(XrHandTrackerEXT tracker, XrSpace space, XrTime time, HandAnswer& answer) const {
    const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, space, time};
    return proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT")(tracker, &info, &answer.location_part);
}

void LoaderTest::send(const ReferencePose& pose) {
    FsnhHeader header;
    header.hand = pose.hand;
    header.frame_index = ++frame_index_;
    header.timestamp_ns = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    glove_->send(wrist_datagram(header, to_sender(pose.hand, pose.joint_in_wrist)), port_);
}

void LoaderTest::send(const std::vector<std::byte>& datagram, std::uint16_t to_port) {
    glove_->send(datagram, to_port);
}

void LoaderTest::wear_glove(const ReferencePose& pose, XrHandTrackerEXT tracker, XrSpace space) {
    const bool worn = wait_for([&] {
        send(pose);
        HandAnswer answer;
        require(locate(tracker, space, runtime().now(), answer), "xrLocateHandJointsEXT");
        return answer.active();
    });
    if (!worn) {
        throw std::runtime_error("the glove's hand never became active; the log says:\n" + log_text());
    }
}

std::string LoaderTest::log_text() const {
    std::ifstream log(scratch_ / "glove_hands" / "glove_hands.log");
    return {std::istreambuf_iterator<char>(log), std::istreambuf_iterator<char>()};
}

std::ptrdiff_t LoaderTest::thread_count() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

PFN_xrVoidFunction LoaderTest::look_up(const char* name) const {
    PFN_xrVoidFunction function = nullptr;
    require(xrGetInstanceProcAddr(instance_, name, &function), name);
    return function;
}

}  // namespace glove::test
