// SPDX-License-Identifier: Apache-2.0
// FSNH message -> the 26 joints: axes, joint order, and the five joints that FSNH does not send.
#pragma once

#include <cstdint>

#include "hand/hand_sample.hpp"
#include "protocol/fsnh.hpp"

namespace glove {

// How the sender's joint orientations relate to what its document says (bones along local +Y left, -Y right; local X
// toward the thumb). The document leaves the joints' own axes open, so they are checked on the data.
enum class AxisVerdict : std::uint8_t {
    undecided,   // no usable message yet; taken as documented
    documented,  // as the document says
    permuted,    // another signed axis order; corrected by a constant turn
    rebuilt,     // no axis order fits; orientations are made from the positions
};

[[nodiscard]] const char* name_of(AxisVerdict verdict) noexcept;

// One per hand. Decides the axes on the first message that shows them, then keeps them until reset().
class FsnhRetarget {
public:
    // `size_mm`: wrist to middle knuckle of the user's hand; sets the radii only, as the bones are measured.
    FsnhRetarget(Hand hand, float size_mm) noexcept;

    // All joints finite and of unit length whatever the message says. Sets everything of `out` but time_ns.
    void retarget(const fsnh::Message& message, HandSample& out) noexcept;

    // A new sender: its axes are to be looked at anew.
    void reset() noexcept;

    [[nodiscard]] AxisVerdict verdict() const noexcept { return verdict_; }

private:
    Hand hand_;
    float scale_;
    AxisVerdict verdict_ = AxisVerdict::undecided;
    XrQuaternionf finger_turn_{0, 0, 0, 1};  // documented finger axes in the sender's finger axes
    XrQuaternionf root_turn_{0, 0, 0, 1};    // the same for the palm root
};

}  // namespace glove
