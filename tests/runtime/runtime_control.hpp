// SPDX-License-Identifier: Apache-2.0
// What a test sets and reads of the test runtime that the loader loaded into its process. It outlives every instance.
// Lengths in metres, velocities in m/s and rad/s. The runtime's world is the frame of STAGE.
#pragma once

#include <openxr/openxr.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/functions.hpp"

namespace glove::test_runtime {

// A value one thread sets while others read it.
template <class T>
class Scripted {
public:
    explicit Scripted(T initial) : initial_(initial), value_(std::move(initial)) {}

    Scripted& operator=(const T& value) {
        const std::lock_guard lock(mutex_);
        value_ = value;
        return *this;
    }
    [[nodiscard]] T get() const {
        const std::lock_guard lock(mutex_);
        return value_;
    }
    template <class Change>
    void change(Change&& change) {
        const std::lock_guard lock(mutex_);
        change(value_);
    }
    void reset() { *this = initial_; }

private:
    mutable std::mutex mutex_;
    const T initial_;
    T value_;
};

inline constexpr XrSpaceLocationFlags kValidAndTracked =
    XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT |
    XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;
inline constexpr XrSpaceVelocityFlags kVelocityValid =
    XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT;

// Moves on with constant velocities from its pose at time `at`, before and after it.
struct MotionScript {
    XrPosef in_stage;
    XrVector3f linear_velocity;   // in STAGE
    XrVector3f angular_velocity;  // in STAGE
    XrTime at;
    XrSpaceLocationFlags location_flags;
    XrSpaceVelocityFlags velocity_flags;
};
using HeadScript = MotionScript;

// In one hand. Its other poses are fixed to its grip.
struct ControllerScript {
    bool present;
    std::string profile;  // what it is, as "/interaction_profiles/khr/simple_controller"
    MotionScript grip;
    XrPosef aim_in_grip;
    XrPosef palm_in_grip;                 // palm_ext and grip_surface
    std::map<std::string, float> inputs;  // as "trigger/value"; what is not named is 0
};

// Of XR_HTCX_vive_tracker_interaction.
struct TrackerScript {
    std::string role;             // as "left_wrist"
    std::string persistent_path;  // as "/devices/htc/vive_tracker.1"
    MotionScript grip;
};

// The user asks for a new middle of the room: from `change_time` on LOCAL is there, before it where it was.
struct Recentring {
    XrPosef local_in_stage;
    XrTime change_time;
    XrBool32 says_how_far = XR_TRUE;
};

// XR_EXT_hand_tracking of the runtime itself.
enum class NativeHands {
    absent,       // not listed
    unsupported,  // listed, but supportsHandTracking is false
    supported,
};

// A hand at rest in STAGE.
struct NativeHandScript {
    bool active;
    XrPosef wrist_in_stage;
    std::array<XrPosef, XR_HAND_JOINT_COUNT_EXT> joint_in_wrist;
    float radius;  // of every joint
    // XrHandTrackingDataSourceStateEXT, where XR_EXT_hand_tracking_data_source is among the extra extensions and
    // enabled.
    XrBool32 has_device;
    std::int32_t data_source;
};

class RuntimeControl {
public:
    RuntimeControl();

    // What the runtime is. The loader keeps the extension list from its first question to the end of the instance, so
    // set these before both.
    Scripted<bool> lists_time_conversion;  // of this system's clock
    Scripted<NativeHands> native_hands;
    Scripted<bool> lists_hand_aim;  // XR_FB_hand_tracking_aim; with native hands, locate fills its struct
    // Listed and accepted. Those that bring interaction profiles or poses do so, the others have no effect.
    Scripted<std::vector<std::string>> extra_extensions;
    Scripted<std::uint32_t> vive_tracker_revision;  // of XR_HTCX_vive_tracker_interaction; 0: not listed; wrists from 3
    Scripted<bool> has_stage;

    // XrTime minus the steady clock, nanoseconds.
    Scripted<std::int64_t> epoch_ns;
    Scripted<std::int64_t> frame_period_ns;  // above 0; xrWaitFrame paces frames by it

    // What happens. The runtime notices a change of focus at the next call of any of its functions.
    Scripted<bool> focused;
    Scripted<HeadScript> head;
    Scripted<XrPosef> local_in_stage;
    Scripted<std::vector<Recentring>> recentrings;          // add to its end; each becomes one event
    std::array<Scripted<ControllerScript>, 2> controllers;  // left, right
    Scripted<std::vector<TrackerScript>> trackers;          // those that are there
    std::array<Scripted<NativeHandScript>, 2> hands;        // left, right
    Scripted<float> index_pinch;                            // in XrHandTrackingAimStateFB

    // Lets the next calls of one function end with `result` instead. An error keeps the function from doing anything;
    // a success code replaces XR_SUCCESS after the work is done.
    static constexpr int kAlways = -1;
    void fail(std::string_view function, XrResult result, int times = kAlways) {
        const std::lock_guard lock(mutex_);
        failures_[index_of(function)] = {result, times};
    }

    [[nodiscard]] std::uint64_t calls(std::string_view function) const { return calls_[index_of(function)]; }

    // Keeps threads that call this function inside the runtime, before it does anything, until let_go(). One function
    // at a time.
    void hold(std::string_view function) {
        const std::lock_guard lock(holding_);
        held_function_ = static_cast<int>(index_of(function));
    }
    // Keeps the next thread that calls this function, after it did its work.
    void hold_answer(std::string_view function) {
        const std::lock_guard lock(holding_);
        held_answer_ = static_cast<int>(index_of(function));
        holds_an_answer_ = true;
    }
    void let_go() {
        const std::lock_guard lock(holding_);
        held_function_ = kNone;
        held_answer_ = kNone;
        holds_an_answer_ = false;
        let_go_.notify_all();
    }
    // Threads that are in there now.
    std::atomic<int> held{0};

    // Objects that exist now.
    std::atomic<std::size_t> live_sessions{0};
    std::atomic<std::size_t> live_spaces{0};
    std::atomic<std::size_t> live_hand_trackers{0};
    std::atomic<std::size_t> live_action_sets{0};
    std::atomic<std::size_t> live_actions{0};

    // Handles that came in and were not the runtime's, or not any more. XR_NULL_HANDLE counts too.
    std::atomic<std::uint64_t> unknown_handles{0};
    Scripted<std::vector<XrHandTrackerEXT>> created_hand_trackers;  // native ones, in the order of creation
    Scripted<std::vector<std::string>> enabled_extensions;          // of the last xrCreateInstance, as it arrived

    [[nodiscard]] XrTime now() const {
        const auto steady = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration_cast<std::chrono::nanoseconds>(steady).count() + epoch_ns.get();
    }

    // Everything as it was when the runtime was loaded, except the objects that live.
    void reset() {
        lists_time_conversion.reset();
        native_hands.reset();
        lists_hand_aim.reset();
        extra_extensions.reset();
        vive_tracker_revision.reset();
        has_stage.reset();
        epoch_ns.reset();
        frame_period_ns.reset();
        focused.reset();
        head.reset();
        local_in_stage.reset();
        recentrings.reset();
        for (auto& controller : controllers) {
            controller.reset();
        }
        trackers.reset();
        for (auto& hand : hands) {
            hand.reset();
        }
        index_pinch.reset();
        unknown_handles = 0;
        created_hand_trackers.reset();
        enabled_extensions.reset();
        for (auto& count : calls_) {
            count = 0;
        }
        let_go();
        const std::lock_guard lock(mutex_);
        failures_ = {};
    }

    // For the runtime, when the work is done and nothing is locked.
    void answered(Function function) noexcept {
        int held_one = static_cast<int>(function);
        if (held_answer_.compare_exchange_strong(held_one, kNone)) {
            ++held;
            std::unique_lock lock(holding_);
            let_go_.wait(lock, [&] { return !holds_an_answer_; });
            --held;
        }
    }

    // For the runtime: counts the call, and returns what it shall end with.
    XrResult called(Function function) noexcept {
        const auto index = static_cast<std::size_t>(function);
        ++calls_[index];
        if (held_function_ == static_cast<int>(index)) {
            ++held;
            std::unique_lock lock(holding_);
            let_go_.wait(lock, [&] { return held_function_ != static_cast<int>(index); });
            --held;
        }
        const std::lock_guard lock(mutex_);
        Failure& failure = failures_[index];
        if (failure.times == 0) {
            return XR_SUCCESS;
        }
        if (failure.times > 0) {
            --failure.times;
        }
        return failure.result;
    }

private:
    struct Failure {
        XrResult result = XR_SUCCESS;
        int times = 0;
    };

    [[nodiscard]] static std::size_t index_of(std::string_view function) {
        const auto found = std::find(kFunctionNames.begin(), kFunctionNames.end(), function);
        if (found == kFunctionNames.end()) {
            throw std::invalid_argument("the test runtime has no function " + std::string(function));
        }
        return static_cast<std::size_t>(found - kFunctionNames.begin());
    }

    std::array<std::atomic<std::uint64_t>, kFunctionCount> calls_{};
    static constexpr int kNone = -1;
    std::mutex holding_;
    std::condition_variable let_go_;
    std::atomic<int> held_function_{kNone};
    std::atomic<int> held_answer_{kNone};
    bool holds_an_answer_ = false;

    mutable std::mutex mutex_;
    std::array<Failure, kFunctionCount> failures_{};
};

}  // namespace glove::test_runtime

// Exported by the runtime's library under this name.
using PFN_glove_test_runtime_control = glove::test_runtime::RuntimeControl* (*)();
