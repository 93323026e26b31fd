// SPDX-License-Identifier: Apache-2.0
// One thing that says where a hand is, and how the layer asks it.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "hand/wrist_offset.hpp"
#include "motion/placement.hpp"
#include "openxr/input/session_input.hpp"
#include "openxr/loader/dispatch.hpp"
#include "support/config.hpp"

namespace glove {

// A space below, at the application's own base space and time: which also checks both for us, so its error is the
// application's answer. `found` is false when the place is not known now; `root` is then not written. Where the space
// is the hand's, `in_space` is the wrist's (or the forearm's) constant pose in it. No lock, no allocation of ours.
[[nodiscard]] XrResult locate_root(const NextTable& next, XrSpace space, const XrPosef& in_space, XrSpace base,
                                   XrTime time, bool with_velocity, RootMotion& root, bool& found) noexcept;

// What a runtime says of a place and its motion; false, with `root` untouched, when the pose is not known or no pose.
[[nodiscard]] bool read_root(XrSpaceLocationFlags flags, const XrPosef& pose, const XrSpaceVelocity& velocity,
                             RootMotion& root) noexcept;

// What is left of a place after a step of `in_space` away from it, moving with it.
[[nodiscard]] RootMotion moved(const RootMotion& root, const XrPosef& in_space) noexcept;

// `[wrist] source` "view" hangs the hand before the head (see motion/arm_model.hpp), "fixed" puts it at a pose in the
// room. "view" is never tracked, "fixed" as its space is, and both always where the user wants it so (report_tracked).
class ReferenceWrist {
public:
    // Null and one log line when the runtime refuses the space.
    [[nodiscard]] static std::unique_ptr<ReferenceWrist> make(const Config::Wrist& wrist, Hand hand,
                                                              const NextTable& next, XrSession session);

    // `space`: the hand's own, or the head's where the hand has a place to rest in it.
    ReferenceWrist(const NextTable& next, XrSpace space, std::optional<XrPosef> rest_in_head,
                   bool report_tracked) noexcept
        : next_(next), space_(space), rest_in_head_(rest_in_head), report_tracked_(report_tracked) {}
    ~ReferenceWrist() { release(); }
    ReferenceWrist(const ReferenceWrist&) = delete;
    ReferenceWrist& operator=(const ReferenceWrist&) = delete;

    [[nodiscard]] XrResult locate(XrSpace base, XrTime time, bool with_velocity, RootMotion& root,
                                  bool& found) const noexcept;

    // Gives its space back; before the session goes, as spaces are its children. The object stays, so that a locate()
    // on another thread, which is an error of the application by then, meets a destroyed space and nothing worse.
    void release() noexcept {
        if (!std::exchange(released_, true)) {
            next_.xrDestroySpace(space_);
        }
    }

private:
    const NextTable& next_;
    XrSpace space_;
    bool released_ = false;
    std::optional<XrPosef> rest_in_head_;
    bool report_tracked_;
};

}  // namespace glove
