// SPDX-License-Identifier: Apache-2.0
#include "motion/wrist_choice.hpp"

#include <algorithm>

#include "hand/pose_math.hpp"
#include "motion/blend_length.hpp"

namespace glove {

WristBlend blend_from(const XrPosef& shown, const XrPosef& source, std::int64_t now_ns) noexcept {
    const XrPosef difference = compose(inverse(source), shown);
    const float seconds = std::max(length(difference.position) / WristBlend::kFastestMps,
                                   length(rotation_vector(difference.orientation)) / WristBlend::kFastestRadps);
    return {difference, now_ns, blend_length_ns(double{seconds})};
}

void apply(const WristBlend& blend, std::int64_t now_ns, RootMotion& root) noexcept {
    const std::int64_t age_ns = now_ns - blend.begun_ns;
    if (age_ns < 0 || age_ns >= blend.length_ns) {
        return;
    }
    const float rate = 1e9f / static_cast<float>(blend.length_ns);  // per second
    const float rest = 1.0f - static_cast<float>(age_ns) / static_cast<float>(blend.length_ns);
    const XrVector3f turn = rotation_vector(blend.shown_in_source.orientation);
    const XrVector3f offset = rotate(root.in_base.orientation, rest * blend.shown_in_source.position);

    root.velocity.linear = root.velocity.linear + cross(root.velocity.angular, offset) +
                           rotate(root.in_base.orientation, -rate * blend.shown_in_source.position);
    root.velocity.angular = root.velocity.angular + rotate(root.in_base.orientation, -rate * turn);
    root.in_base.position = root.in_base.position + offset;
    root.in_base.orientation = normalised(multiply(root.in_base.orientation, from_rotation_vector(rest * turn)));
}

}  // namespace glove
