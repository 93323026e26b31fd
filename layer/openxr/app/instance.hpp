// SPDX-License-Identifier: Apache-2.0
// One XrInstance of an application that wants hands: what it enabled, what is below us, and the gloves' stream.
#pragma once

#include <memory>
#include <mutex>

#include "glove_stream.hpp"
#include "openxr/input/input.hpp"
#include "openxr/loader/dispatch.hpp"
#include "openxr/loader/extensions.hpp"
#include "openxr/loader/hand_extensions.hpp"
#include "openxr/loader/registry.hpp"
#include "support/config.hpp"

namespace glove {

class WristMeasurement;

// XrEventDataViveTrackerConnectedHTCX
inline constexpr auto kTrackerConnectedEvent = static_cast<XrStructureType>(1000103001);

class Instance {
public:
    // Opens nothing yet.
    Instance(EnabledFeatures enabled, Config config);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    // Before the call below is tried with this. Throws std::bad_alloc.
    void set_plan(const ExtensionPlan& plan);

    // Right after the call below made `instance`: which functions are below us. False when a core function is missing.
    // Throws std::bad_alloc.
    [[nodiscard]] bool connect(XrInstance instance, PFN_xrGetInstanceProcAddr next_get_proc);

    // What the application gets for `name` (rule 1.3).
    [[nodiscard]] XrResult get_proc(const char* name, PFN_xrVoidFunction* function) const noexcept;

    // After a hand tracker came or went, or the focus did: the gloves' stream runs while the application has a hand
    // tracker that takes from it, and is needed while a session has the focus. Failing to begin is a log line: hands
    // stay inactive.
    void update_stream() noexcept;
    // For good, and within two seconds.
    void end_stream() noexcept;

    // XrTime as our steady clock, in `local_ns`. False when the runtime cannot tell.
    [[nodiscard]] bool to_local_clock(XrTime time, std::int64_t& local_ns) const noexcept;

    [[nodiscard]] XrInstance handle() const noexcept { return handle_; }
    [[nodiscard]] const NextTable& next() const noexcept { return next_; }
    [[nodiscard]] const Config& config() const noexcept { return config_; }
    // Null where hands follow nothing that actions know of: then the application's action calls are its own.
    [[nodiscard]] Input* input() const noexcept { return input_.get(); }
    // What the layer does beside the application's frame loop, when that asks for events.
    void tick(std::int64_t now_ns);
    // The runtime knows trackers only because we asked for them.
    [[nodiscard]] bool hides_trackers() const noexcept { return hides_trackers_; }
    [[nodiscard]] const GloveStream& stream() const noexcept { return *stream_; }
    [[nodiscard]] bool has_hand_tracking() const noexcept { return enabled_.hand_tracking; }
    // The runtime, or a layer below, has XR_EXT_hand_tracking itself; its hands are what the application gets when no
    // glove is live.
    [[nodiscard]] bool is_native() const noexcept { return native_; }
    [[nodiscard]] bool has_data_source() const noexcept { return enabled_.data_source; }
    [[nodiscard]] bool has_motion_range() const noexcept { return enabled_.motion_range; }
    // The runtime answers XR_EXT_hand_tracking_data_source for its own hands.
    [[nodiscard]] bool is_native_data_source() const noexcept { return native_data_source_; }
    // Whether a hand tracker made with these may be fed from controllers (`[fallback] controller_fingers`).
    [[nodiscard]] bool may_use_controllers(const DataSources& sources) const noexcept;

    // What the hand was shown from last, for the status function.
    void shown(Hand hand, Source source) noexcept { shown_[index_of(hand)].store(source, std::memory_order_relaxed); }
    [[nodiscard]] Source shown(Hand hand) const noexcept {
        return shown_[index_of(hand)].load(std::memory_order_relaxed);
    }

    [[nodiscard]] static Registry<Instance>& all() noexcept;
    [[nodiscard]] static Registry<Instance>::Ref find(XrInstance instance) noexcept {
        return all().find(key_of(instance));
    }

private:
    [[nodiscard]] XrResult ask_next(const char* name, PFN_xrVoidFunction* function) const noexcept;

    EnabledFeatures enabled_;
    bool native_ = false;
    bool native_data_source_ = false;
    bool hides_time_conversion_ = false;
    bool hides_trackers_ = false;
    bool has_trackers_ = false;
    std::vector<std::string> downstream_extensions_;
    Config config_;
    std::mutex stream_mutex_;
    bool stream_has_ended_ = false;
    std::unique_ptr<GloveStream> stream_;

    XrInstance handle_ = XR_NULL_HANDLE;
    PFN_xrGetInstanceProcAddr next_get_proc_ = nullptr;
    NextTable next_{};
    std::array<std::atomic<Source>, kHandCount> shown_{};
    std::unique_ptr<Input> input_;
    std::unique_ptr<WristMeasurement> calibrator_;
};

// The user's configuration, with a log line for each complaint.
[[nodiscard]] Config read_config();

}  // namespace glove
