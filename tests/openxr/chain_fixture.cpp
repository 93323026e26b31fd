// SPDX-License-Identifier: Apache-2.0
#include "openxr/chain_fixture.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "udp_socket.hpp"

namespace glove::test {
namespace {

// Stays loaded for ever: the loader would drop it, and what it noted, after a refused instance.
template <class Get>
auto& control_of(void* image, const char* symbol) {
    const auto get = reinterpret_cast<Get>(::dlsym(image, symbol));
    if (get == nullptr) {
        throw std::runtime_error(std::string("no ") + symbol);
    }
    return *get();
}

}  // namespace

bool is_hand(const HandAnswer& answer, std::span<const XrPosef> joint_in_wrist) {
    const auto distance = [](const XrVector3f& a, const XrVector3f& b) {
        return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
    };
    const XrVector3f& wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT].pose.position;
    for (std::size_t i = XR_HAND_JOINT_WRIST_EXT; i < HandAnswer::kJoints; ++i) {
        if (i == XR_HAND_JOINT_INDEX_METACARPAL_EXT || i == XR_HAND_JOINT_MIDDLE_METACARPAL_EXT ||
            i == XR_HAND_JOINT_RING_METACARPAL_EXT || i == XR_HAND_JOINT_LITTLE_METACARPAL_EXT) {
            continue;
        }
        const float expected = distance(joint_in_wrist[i].position, {0, 0, 0});
        if (std::abs(distance(answer.joints[i].pose.position, wrist) - expected) > 1e-3f) {
            return false;
        }
    }
    return true;
}

std::string ChainTest::install(const std::string& name, const char* library, void*& image) const {
    const std::filesystem::path folder = scratch() / name;
    const std::filesystem::path manifests = folder / "openxr/1/api_layers/implicit.d";
    std::filesystem::create_directories(manifests);
    const std::filesystem::path copy = folder / ("lib" + name + ".so");
    std::filesystem::copy_file(library, copy);
    std::ofstream(manifests / (name + ".json")) << R"({ "file_format_version": "1.0.0", "api_layer": {
        "name": "XR_APILAYER_TEST_)" << name << R"(", "library_path": ")"
                                                << copy.string() << R"(",
        "api_version": "1.0", "implementation_version": "1", "description": "for tests",
        "disable_environment": "DISABLE_TEST_LAYER" } })";
    image = ::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (image == nullptr) {
        throw std::runtime_error(::dlerror());
    }
    return folder.string();
}

ChainTest::Neighbour<RecorderControl> ChainTest::make_recorder(const std::string& name) const {
    void* image = nullptr;
    const std::string folder = install(name, GLOVE_RECORDER_LIBRARY, image);
    return {control_of<PFN_glove_recorder_control>(image, "glove_recorder_control"), "XR_APILAYER_TEST_" + name,
            folder};
}

ChainTest::Neighbour<FailerControl> ChainTest::make_failer(const std::string& name) const {
    void* image = nullptr;
    const std::string folder = install(name, GLOVE_FAILER_LIBRARY, image);
    return {control_of<PFN_glove_failer_control>(image, "glove_failer_control"), "XR_APILAYER_TEST_" + name, folder};
}

void ChainTest::chain(const std::vector<std::string>& folders) {
    std::string all;
    for (const std::string& folder : folders) {
        all += (all.empty() ? "" : ":") + folder;
    }
    set_environment("XDG_DATA_DIRS", all.c_str());
}

void ChainTest::begin(std::vector<const char*> extensions) {
    extensions.push_back(XR_EXT_HAND_TRACKING_EXTENSION_NAME);
    extensions.push_back(XR_MND_HEADLESS_EXTENSION_NAME);
    make_instance(extensions);
    make_session();
    left_ = make_tracker(XR_HAND_LEFT_EXT);
    right_ = make_tracker(XR_HAND_RIGHT_EXT);
    local_ = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
}

XrResult ChainTest::look_for(const char* name) const {
    auto function = reinterpret_cast<PFN_xrVoidFunction>(&xrCreateInstance);  // to be overwritten
    const XrResult result = xrGetInstanceProcAddr(instance(), name, &function);
    EXPECT_EQ(function != nullptr, XR_SUCCEEDED(result)) << name;
    return result;
}

bool ChainTest::port_is_free() const {
    try {
        const UdpSocket holder(port());
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

std::ptrdiff_t ChainTest::thread_count() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

Outcome ChainTest::run_with_gloves(const std::vector<std::string>& arguments) {
    Program program("test_application", arguments);
    std::atomic<bool> ended{false};
    std::thread gloves([&] {
        const ReferencePose left = reference_pose(Hand::left, "flat");
        const ReferencePose right = reference_pose(Hand::right, "flat");
        while (!ended) {
            send(left);
            send(right);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    Outcome outcome = program.wait();
    ended = true;
    gloves.join();
    return outcome;
}

}  // namespace glove::test
