// SPDX-License-Identifier: Apache-2.0
// FSNH message -> the 26 joints: axes, joint order, and the five joints that FSNH does not send.
#pragma once

#include <algorithm>

#include "hand/axis_check.hpp"
#include "hand/hand_sample.hpp"
#include "protocol/fsnh.hpp"

namespace glove {

// One per hand. The document leaves the joints' own axes open, so they are decided on the first message that shows
// them, and kept until reset().
class FsnhRetarget {
public:
    // `size_mm`: wrist to middle knuckle of the user's hand; sets the radii only, as the bones are measured.
    FsnhRetarget(Hand hand, float size_mm) noexcept;

    // All joints finite and of unit length whatever the message says. Sets everything of `out` but time_ns.
    void retarget(const fsnh::Message& message, HandSample& out) noexcept;

    // A new sender: its axes are to be looked at anew.
    void reset() noexcept { axes_ = {}; }

    // The further from the document of fingers and palm root.
    [[nodiscard]] AxisVerdict verdict() const noexcept { return std::max(axes_.fingers.verdict, axes_.root.verdict); }

private:
    Hand hand_;
    float scale_;
    HandAxes axes_;
};

}  // namespace glove
