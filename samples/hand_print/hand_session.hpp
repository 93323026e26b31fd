// SPDX-License-Identifier: Apache-2.0
// An OpenXR program's side of hand tracking, without graphics: instance, headless session, one tracker per hand.
// Knows nothing of gloves but the optional XR_NOVENDOR_glove_hands_status. One thread; one HandSession at a time.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "openxr/loader/status_extension.hpp"
#include "protocol/hand.hpp"

namespace glove {

// This machine cannot give us such a session; what() says what is missing and what to do about it.
class NoHandSession : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct LocatedHand {
    bool active = false;
    std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joints{};  // in the session's space
    std::array<XrHandJointVelocityEXT, XR_HAND_JOINT_COUNT_EXT> velocities{};
};

class HandSession {
public:
    struct Settings {
        std::string application_name;
        XrReferenceSpaceType space;
    };

    // Throws NoHandSession.
    explicit HandSession(const Settings& settings);
    // Ends the session as OpenXR wants it: asks, follows the states to their end, destroys.
    ~HandSession();
    HandSession(const HandSession&) = delete;
    HandSession& operator=(const HandSession&) = delete;

    // Follows the session's states. Call it often; false when the session is over.
    // This and the functions below throw std::runtime_error when OpenXR refuses what must work.
    [[nodiscard]] bool poll();

    [[nodiscard]] XrTime now() const;
    [[nodiscard]] LocatedHand locate(Hand hand, XrTime time) const;

    // Nothing when nobody offers XR_NOVENDOR_glove_hands_status.
    [[nodiscard]] std::optional<XrGloveHandStatusNOVENDOR> status(Hand hand) const;

    [[nodiscard]] const std::string& runtime_name() const noexcept { return runtime_name_; }

private:
    void create_instance(const std::string& application_name);
    void create_session(XrReferenceSpaceType space);
    void create_trackers();
    void follow(XrSessionState state);
    void end() noexcept;
    template <class Function>
    void fetch(const char* name, Function& function) const;

    XrInstance instance_ = XR_NULL_HANDLE;
    XrSession session_ = XR_NULL_HANDLE;
    XrSpace space_ = XR_NULL_HANDLE;
    std::array<XrHandTrackerEXT, kHandCount> trackers_{};
    std::string runtime_name_;
    bool running_ = false;
    bool over_ = false;

    struct Functions;
    std::unique_ptr<Functions> functions_;
};

}  // namespace glove
