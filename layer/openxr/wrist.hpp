// SPDX-License-Identifier: Apache-2.0
// Where a hand is: gloves say how fingers bend, this says where the hand stands in the application's space.
#pragma once

#include <memory>

#include "motion/placement.hpp"
#include "openxr/dispatch.hpp"
#include "protocol/hand.hpp"
#include "support/config.hpp"

namespace glove {

// Gives the root of a hand's data (the wrist, or the forearm for forearm streams) in any base space at any time.
class WristSource {
public:
    WristSource() = default;
    virtual ~WristSource() = default;
    WristSource(const WristSource&) = delete;
    WristSource& operator=(const WristSource&) = delete;

    // One call below, with the application's own base space and time: which also checks both for us, so its error is
    // the application's answer. `found` is false when the place is not known now; `root` is then not written.
    // Any thread; no lock, no allocation of ours.
    [[nodiscard]] virtual XrResult locate(XrSpace base, XrTime time, bool with_velocity, RootMotion& root,
                                          bool& found) const noexcept = 0;

    // Gives its spaces back; before the session goes, as spaces are its children. The object stays, so that a locate()
    // on another thread, which is an error of the application by then, meets a destroyed space and nothing worse.
    virtual void release() noexcept = 0;
};

// `[wrist] source`: "view" hangs the hand before the head (never tracked), "fixed" puts it at a pose in the room.
// Null and one log line when the runtime refuses the space.
[[nodiscard]] std::unique_ptr<WristSource> make_wrist_source(const Config::Wrist& wrist, Hand hand,
                                                             const NextTable& next, XrSession session);

}  // namespace glove
