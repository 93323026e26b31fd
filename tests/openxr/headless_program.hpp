// SPDX-License-Identifier: Apache-2.0
// The rest of a program that tests actions: instance, headless session, and hands that it looks at. A headless session
// has no frames (XR_MND_headless): instead it does everything once in so many milliseconds.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

#include "openxr/action_calls.hpp"

namespace glove::test {

class HeadlessProgram {
public:
    HeadlessProgram(ActionCalls& calls, bool with_hands, std::chrono::milliseconds frame)
        : calls_(calls), with_hands_(with_hands), frame_(frame) {}
    ~HeadlessProgram();
    HeadlessProgram(const HeadlessProgram&) = delete;
    HeadlessProgram& operator=(const HeadlessProgram&) = delete;

    // These throw on errors.
    void begin_instance(const std::vector<const char*>& extensions);
    void end_instance();
    void begin_session();  // until it has the focus
    void end_session();

    // Events, time, hands.
    void frame();

    [[nodiscard]] XrInstance instance() const { return instance_; }
    [[nodiscard]] XrSession session() const { return session_; }
    [[nodiscard]] XrTime time() const { return time_; }  // of the newest frame
    [[nodiscard]] std::size_t active_hands() const { return active_hands_; }

private:
    void begin_hands();
    void locate_hands();
    void wait_for(XrSessionState state);

    ActionCalls& calls_;
    bool with_hands_;
    std::chrono::milliseconds frame_;
    XrInstance instance_ = XR_NULL_HANDLE;
    XrSystemId system_ = XR_NULL_SYSTEM_ID;
    XrSession session_ = XR_NULL_HANDLE;
    XrTime time_ = 0;
    XrSpace room_ = XR_NULL_HANDLE;
    std::array<XrHandTrackerEXT, 2> hands_{};
    std::size_t active_hands_ = 0;
};

}  // namespace glove::test
