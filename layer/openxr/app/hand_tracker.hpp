// SPDX-License-Identifier: Apache-2.0
// One XrHandTrackerEXT: the gloves' joints in the application's space, or the runtime's own where it has any.
#pragma once

#include <atomic>
#include <optional>

#include "motion/transition.hpp"
#include "openxr/app/finger_source.hpp"
#include "openxr/app/session.hpp"
#include "openxr/loader/registry.hpp"

namespace glove {

class HandTracker {
public:
    // `native`: the runtime's own tracker, whose handle the application gets; null when there is none and the handle is
    // ours. `native_only`: it serves something we do not (another joint set, a reference pose), so we only pass on.
    HandTracker(Registry<Session>::Ref session, Hand hand, HandWrist* wrist, XrHandTrackerEXT native, bool native_only,
                const DataSources& sources) noexcept;

    // Takes any arguments an application may pass. On an error nothing is written. Hot path.
    [[nodiscard]] XrResult locate(const XrHandJointsLocateInfoEXT* info, XrHandJointLocationsEXT* out) noexcept;

    [[nodiscard]] Session& session() const noexcept { return *session_; }
    [[nodiscard]] XrHandTrackerEXT native() const noexcept { return native_; }
    [[nodiscard]] bool takes_from_gloves() const noexcept { return !native_only_; }

    [[nodiscard]] static Registry<HandTracker>& all() noexcept;
    [[nodiscard]] static Registry<HandTracker>::Ref find(XrHandTrackerEXT handle) noexcept {
        return all().find(key_of(handle));
    }

private:
    [[nodiscard]] bool glove_is_live(std::int64_t now_ns, bool& fresh) const noexcept;
    struct Call;
    // The runtime's own hand, with all that it fills besides. Only where `native_` is.
    [[nodiscard]] XrResult ask_native(Call& call) const noexcept;
    // The hand of a source of ours, or none, on its wrist. `source` is what is shown in the end: the runtime's where
    // nobody knows the wrist.
    [[nodiscard]] XrResult place(Call& call, std::optional<Config::HandSource>& source) noexcept;
    // Where the wrist is; where that was lost a moment ago, where it was shown.
    [[nodiscard]] XrResult locate_wrist(Call& call, const HandMotion& motion,
                                        std::optional<Config::HandSource> source) noexcept;
    // Leads the joints, which are those of `source`, on from what was shown before.
    void lead_on(const Call& call, Config::HandSource source) noexcept;
    // Whether a source of ours moves the fingers now. `fresh`: measured, and no memory.
    [[nodiscard]] FingerSource::Good ours(std::int64_t now_ns, bool& fresh) const noexcept;
    [[nodiscard]] bool motion_of(Config::HandSource source, XrTime time, HandMotion& motion) const noexcept;
    // XrHandTrackingDataSourceStateEXT, where the application asks and the runtime did not answer.
    void fill(XrHandTrackingDataSourceStateEXT& state, const FingerSource::Good& good,
              std::optional<Config::HandSource> shown) const noexcept;

    Registry<Session>::Ref session_;
    Hand hand_;
    HandWrist* wrist_;  // null: the runtime refused; then never active
    XrHandTrackerEXT native_;
    bool native_only_;
    DataSources sources_;
    bool may_use_controllers_;
    // Not where controllers alone were asked for and the runtime, which was not told, may show what a camera sees.
    bool may_show_native_;
    FingerSource fingers_;
    // Whoever finds it free decides for all; the others do as decided before. Nobody waits.
    std::atomic_flag steering_ = ATOMIC_FLAG_INIT;
    Transition transition_;
    Latest<HandBlend> blend_;  // that of transition_
    std::atomic<std::int64_t> blends_until_ns_{0};
};

// xrCreateHandTrackerEXT, all of it.
[[nodiscard]] XrResult create_hand_tracker(XrSession session, const XrHandTrackerCreateInfoEXT* info,
                                           XrHandTrackerEXT* handle);

}  // namespace glove
