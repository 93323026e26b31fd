// SPDX-License-Identifier: Apache-2.0
// Tests through the real OpenXR loader: application (the test) - loader - our layer, or none - the test runtime.
// Each test wants a process of its own, as CTest gives it: loader, layer and log are state of the process.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fsnh_encoding.hpp"
#include "openxr/hand_answer.hpp"
#include "reference_poses.hpp"
#include "runtime/runtime_control.hpp"
#include "wait_for.hpp"

namespace glove::test {

class UdpSocket;

using test_runtime::HeadScript;
using test_runtime::NativeHands;
using test_runtime::NativeHandScript;
using test_runtime::RuntimeControl;

inline constexpr XrPosef kHere{{0, 0, 0, 1}, {0, 0, 0}};

class LoaderTest : public ::testing::Test {
protected:
    LoaderTest();
    ~LoaderTest() override;
    void SetUp() override;
    void TearDown() override;

    // Before make_instance().
    void hide_layer();  // the loader finds no layer at all
    void write_config(
        std::string_view toml) const;  // goes on inside [receiver], behind the port that the test sends to
    static void set_environment(const char* name, const char* value);

    // These throw, which ends the test, on every error.
    void make_instance(const std::vector<const char*>& extensions);
    void make_session(XrSessionState until = XR_SESSION_STATE_FOCUSED);  // headless, begun, driven to that state
    void drive_until(XrSessionState state);                              // polls events until this state was delivered
    void destroy_instance();
    [[nodiscard]] XrSpace make_space(XrReferenceSpaceType type, const XrPosef& pose = kHere) const;
    [[nodiscard]] XrHandTrackerEXT make_tracker(XrHandEXT hand) const;
    // Sends the hand's pose until the tracker is active in `space`, and fails if it never is.
    void wear_glove(const ReferencePose& pose, XrHandTrackerEXT tracker, XrSpace space);

    [[nodiscard]] XrResult try_instance(const std::vector<const char*>& extensions);
    [[nodiscard]] XrResult locate(XrHandTrackerEXT tracker, XrSpace space, XrTime time, HandAnswer& answer) const;
    // A new frame of this hand, sent to the layer's port.
    void send(const ReferencePose& pose);
    // Any datagram, to port() or hand_engine_port(); always from the same sender.
    void send(const std::vector<std::byte>& datagram, std::uint16_t to_port);

    // Throws when there is no such function.
    template <class Function>
    [[nodiscard]] Function proc(const char* name) const {
        return reinterpret_cast<Function>(look_up(name));
    }

    [[nodiscard]] RuntimeControl& runtime() const { return *control_; }
    [[nodiscard]] XrInstance instance() const { return instance_; }
    [[nodiscard]] XrSystemId system() const { return system_; }
    [[nodiscard]] XrSession session() const { return session_; }
    [[nodiscard]] std::uint16_t port() const { return port_; }  // where the layer listens
    // Free, and where a test may have the layer listen for Hand Engine.
    [[nodiscard]] std::uint16_t hand_engine_port() const { return hand_engine_port_; }
    [[nodiscard]] const std::filesystem::path& scratch() const { return scratch_; }
    [[nodiscard]] std::string log_text() const;
    // Of this process. A thread that was joined a moment ago may still count.
    [[nodiscard]] static std::ptrdiff_t thread_count();

private:
    [[nodiscard]] PFN_xrVoidFunction look_up(const char* name) const;

    std::filesystem::path scratch_;
    RuntimeControl* control_ = nullptr;
    std::uint16_t port_ = 0;
    std::uint16_t hand_engine_port_ = 0;
    std::unique_ptr<UdpSocket> glove_;  // one for all: a second sender of a hand is not listened to
    std::uint32_t frame_index_ = 0;
    XrInstance instance_ = XR_NULL_HANDLE;
    XrSystemId system_ = XR_NULL_SYSTEM_ID;
    XrSession session_ = XR_NULL_HANDLE;
};

}  // namespace glove::test
