// SPDX-License-Identifier: Apache-2.0
#include "openxr/app/instance.hpp"

#include <algorithm>

#include "openxr/app/hand_tracker.hpp"
#include "openxr/app/session.hpp"
#include "openxr/app/wrist_measurement.hpp"
#include "openxr/wrist/wrist.hpp"
#include "support/clock.hpp"
#include "support/paths.hpp"

namespace glove {

namespace {

// The program waits so long for our threads when it ends its instance.
constexpr std::chrono::milliseconds kLongestEnd(1500);

}  // namespace

Registry<Instance>& Instance::all() noexcept {
    // Nothing in it runs when the library is unloaded or the process ends: the library may stay loaded between
    // instances, may go right after one, and threads may still run at the end.
    static Registry<Instance> registry;
    return registry;
}

Config read_config() {
    ConfigResult result = load_config();
    log::set_level(result.config.log.level);
    for (const std::string& complaint : result.complaints) {
        log::warning("configuration: %s", complaint.c_str());
    }
    return std::move(result.config);
}

Instance::Instance(EnabledFeatures enabled, Config config)
    : enabled_(enabled),
      config_(std::move(config)),
      stream_(std::make_unique<GloveStream>(config_, paths::calibration_file())) {
}

Instance::~Instance() {
    if (!stream_->stop()) {
        static_cast<void>(stream_.release());  // a thread that was left behind uses it
    }
}

void Instance::tick(std::int64_t now_ns) {
    if (calibrator_ != nullptr) {
        calibrator_->tick(now_ns);
    }
}

void Instance::set_plan(const ExtensionPlan& plan) {
    native_ = plan.native_hand_tracking;
    native_data_source_ = plan.native_data_source;
    hides_time_conversion_ = plan.adds_time_conversion;
    hides_trackers_ = plan.adds_trackers;
    has_trackers_ = plan.has_trackers;
    downstream_extensions_.assign(plan.downstream.begin(), plan.downstream.end());
}

bool Instance::connect(XrInstance instance, PFN_xrGetInstanceProcAddr next_get_proc) {
    handle_ = instance;
    next_get_proc_ = next_get_proc;
    bool complete = true;
#define GLOVE_RESOLVE(name)                                                        \
    {                                                                              \
        PFN_xrVoidFunction function = nullptr;                                     \
        if (XR_SUCCEEDED(next_get_proc_(instance, GLOVE_TEXT(name), &function))) { \
            next_.name = reinterpret_cast<decltype(next_.name)>(function);         \
        }                                                                          \
    }
#define GLOVE_TEXT(name) GLOVE_TEXT_OF(name)
#define GLOVE_TEXT_OF(name) #name
#define GLOVE_REQUIRE(name) GLOVE_RESOLVE(name) complete = complete && next_.name != nullptr;
    GLOVE_NEXT_CORE(GLOVE_REQUIRE)
    GLOVE_NEXT_OPTIONAL(GLOVE_RESOLVE)
#undef GLOVE_REQUIRE
#undef GLOVE_RESOLVE
    // A pointer from below proves nothing: some layers hand one out for functions nobody has (rule 1.3). What counts is
    // that the instance was made with the extension.
    native_ = native_ && next_.xrCreateHandTrackerEXT != nullptr && next_.xrDestroyHandTrackerEXT != nullptr &&
              next_.xrLocateHandJointsEXT != nullptr;
    const auto is_on = [this](const char* extension) {
        return std::find(downstream_extensions_.begin(), downstream_extensions_.end(), extension) !=
               downstream_extensions_.end();
    };
    if (!is_on(GLOVE_CONVERT_TIME_EXTENSION)) {
        next_.GLOVE_CONVERT_TIME_FUNCTION = nullptr;
    }
    constexpr WristKinds kOfActions = bit_of(WristKind::tracker) | bit_of(WristKind::controller);
    const bool wants_grasp = may_use_controllers({enabled_.data_source, true, true});
    if (complete && enabled_.hand_tracking &&
        (wants_grasp || (allowed_kinds(config_.wrist.source) & kOfActions) != 0)) {
        input_ = std::make_unique<Input>(handle_, next_, config_, has_trackers_, hides_trackers_, wants_grasp);
        calibrator_ = std::make_unique<WristMeasurement>(*this, input_->offsets(), paths::calibration_file());
    }
    return complete;
}

bool Instance::may_use_controllers(const DataSources& sources) const noexcept {
    switch (config_.fallback.controller_fingers) {
        case Config::ControllerFingers::off:
            return false;
        case Config::ControllerFingers::when_requested:
            return sources.asked ? sources.controller : !native_;
        case Config::ControllerFingers::always:
            return sources.controller;
    }
    return false;
}

XrResult Instance::ask_next(const char* name, PFN_xrVoidFunction* function) const noexcept {
    const XrResult result = next_get_proc_(handle_, name, function);
    if (XR_FAILED(result)) {
        *function = nullptr;  // not every layer keeps to this
    }
    return result;
}

XrResult Instance::get_proc(const char* name, PFN_xrVoidFunction* function) const noexcept {
    const std::string_view wanted(name);
    if (hides_time_conversion_ &&
        (wanted == "xrConvertTimespecTimeToTimeKHR" || wanted == "xrConvertTimeToTimespecTimeKHR" ||
         wanted == "xrConvertWin32PerformanceCounterToTimeKHR" ||
         wanted == "xrConvertTimeToWin32PerformanceCounterKHR")) {
        return XR_ERROR_FUNCTION_UNSUPPORTED;  // on for us alone
    }
    if (hides_trackers_ && wanted == "xrEnumerateViveTrackerPathsHTCX") {
        return XR_ERROR_FUNCTION_UNSUPPORTED;
    }

    const Intercepted own = find_intercepted(wanted);
    if (own.function == nullptr) {
        return ask_next(name, function);
    }
    switch (own.feature) {
        case Feature::core:
            break;
        case Feature::input:
            if (input_ == nullptr) {
                return ask_next(name, function);
            }
            break;
        case Feature::hidden_input:
            if (input_ == nullptr || !(hides_trackers_ || config_.wrist.self_attach)) {
                return ask_next(name, function);
            }
            break;
        case Feature::hand_tracking:
            if (!enabled_.hand_tracking) {
                return XR_ERROR_FUNCTION_UNSUPPORTED;
            }
            break;
        case Feature::status:
            if (!enabled_.status) {
                return XR_ERROR_FUNCTION_UNSUPPORTED;
            }
            break;
        case Feature::tracker_extension:
            if (std::find(downstream_extensions_.begin(), downstream_extensions_.end(), tracker_extension_of(wanted)) ==
                downstream_extensions_.end()) {
                return XR_ERROR_FUNCTION_UNSUPPORTED;
            }
            [[fallthrough]];
        case Feature::debug_utils:
            // Ours only where there is one below.
            if (const XrResult result = ask_next(name, function); XR_FAILED(result) || *function == nullptr) {
                return result;
            }
            break;
    }
    *function = own.function;
    return XR_SUCCESS;
}

void Instance::update_stream() noexcept {
    const std::lock_guard lock(stream_mutex_);
    bool used = false;
    HandTracker::all().for_each([&](std::uint64_t, const HandTracker& tracker) {
        used = used || (tracker.takes_from_gloves() && &tracker.session().instance() == this);
    });
    bool focused = false;
    Session::all().for_each([&](std::uint64_t, const Session& session) {
        focused = focused || (session.is_focused() && &session.instance() == this);
    });
    stream_->set_needed(focused);
    if (!used || stream_has_ended_) {
        static_cast<void>(stream_->stop());
        return;
    }
    try {
        stream_->start();
    } catch (const std::exception& error) {
        log::error("receiver: cannot start its thread: %s; hands stay inactive", error.what());
    }
}

void Instance::end_stream() noexcept {
    const auto deadline = std::chrono::steady_clock::now() + kLongestEnd;
    {
        const std::lock_guard lock(stream_mutex_);
        stream_has_ended_ = true;
        static_cast<void>(stream_->stop());
    }
    stream_->finish_writing(deadline);
    if (calibrator_ != nullptr) {
        calibrator_->finish_writing(deadline);
    }
}

bool Instance::to_local_clock(XrTime time, std::int64_t& local_ns) const noexcept {
    if (next_.GLOVE_CONVERT_TIME_FUNCTION == nullptr) {
        return false;
    }
#ifdef _WIN32
    LARGE_INTEGER ticks{};
    if (XR_FAILED(next_.GLOVE_CONVERT_TIME_FUNCTION(handle_, time, &ticks))) {
        return false;
    }
    local_ns = ns_from_ticks(ticks.QuadPart);
#else
    timespec converted{};
    if (XR_FAILED(next_.GLOVE_CONVERT_TIME_FUNCTION(handle_, time, &converted))) {
        return false;
    }
    constexpr std::int64_t kLastSecond = 9'000'000'000;  // of which there are nanoseconds in 64 bits
    const std::int64_t seconds = converted.tv_sec;
    if (seconds > kLastSecond || seconds < -kLastSecond || converted.tv_nsec < 0 || converted.tv_nsec > 999'999'999) {
        return false;
    }
    local_ns = seconds * 1'000'000'000 + converted.tv_nsec;
#endif
    return true;
}

}  // namespace glove
