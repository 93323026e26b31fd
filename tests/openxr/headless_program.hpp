// SPDX-License-Identifier: Apache-2.0
// The rest of a program that tests actions: instance, headless session, frames, and hands that it looks at.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <cstddef>
#include <vector>

#include "openxr/action_calls.hpp"

namespace glove::test {

class HeadlessProgram {
public:
    HeadlessProgram(ActionCalls& calls, bool with_hands) : calls_(calls), with_hands_(with_hands) {}
    ~HeadlessProgram();
    HeadlessProgram(const HeadlessProgram&) = delete;
    HeadlessProgram& operator=(const HeadlessProgram&) = delete;

    // These throw on errors.
    void begin_instance(const std::vector<const char*>& extensions);
    void end_instance();
    void begin_session();  // until it has the focus
    void end_session();

    // One frame: events, hands.
    void frame();

    [[nodiscard]] XrInstance instance() const { return instance_; }
    [[nodiscard]] XrSession session() const { return session_; }
    [[nodiscard]] XrTime display_time() const { return display_time_; }
    [[nodiscard]] std::size_t active_hands() const { return active_hands_; }

private:
    void begin_hands();
    void locate_hands();
    void wait_for(XrSessionState state);

    ActionCalls& calls_;
    bool with_hands_;
    XrInstance instance_ = XR_NULL_HANDLE;
    XrSystemId system_ = XR_NULL_SYSTEM_ID;
    XrSession session_ = XR_NULL_HANDLE;
    XrTime display_time_ = 0;
    XrSpace room_ = XR_NULL_HANDLE;
    std::array<XrHandTrackerEXT, 2> hands_{};
    std::size_t active_hands_ = 0;
};

}  // namespace glove::test
