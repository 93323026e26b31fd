// SPDX-License-Identifier: Apache-2.0
// FSNH message -> the 26 joints: axes, joint order, and the five joints that FSNH does not send.
#pragma once

#include <cstdint>

#include "hand/fsnh/axis_vote.hpp"
#include "hand/hand_sample.hpp"
#include "protocol/fsnh.hpp"

namespace glove {

// One per hand. The document leaves the joints' own axes open: they are taken as it suggests until the moving hand
// shows others.
class FsnhRetarget {
public:
    // `size_mm`: wrist to middle knuckle of the user's hand; sets the radii only, as the bones are measured.
    FsnhRetarget(Hand hand, float size_mm) noexcept;

    // All joints finite and of unit length whatever the message says. Sets everything of `out` but time_ns.
    void retarget(const fsnh::Message& message, std::int64_t now_ns, HandSample& out) noexcept;

    // A new sender: its axes are to be looked at anew.
    void reset() noexcept { vote_ = {}; }

    [[nodiscard]] const HandAxes& axes() const noexcept { return vote_.axes(); }
    // By the last message.
    [[nodiscard]] bool axes_changed() const noexcept { return vote_.changed(); }

private:
    Hand hand_;
    float scale_;
    AxisVote vote_;
};

}  // namespace glove
