// SPDX-License-Identifier: Apache-2.0
#include "openxr/wrist/reference_space_changes.hpp"

#include <cmath>

#include "hand/pose_math.hpp"
#include "openxr/wrist/base_spaces.hpp"

namespace glove {

namespace {

constexpr std::uint64_t kLookedAt = 3;

bool is_pose(const XrPosef& pose) noexcept {
    const XrQuaternionf& q = pose.orientation;
    const XrVector3f& p = pose.position;
    const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return std::isfinite(p.x + p.y + p.z) && square > 0.5f && square < 2.0f;
}

}  // namespace

void ReferenceSpaceChanges::add(const XrEventDataReferenceSpaceChangePending& event) noexcept {
    const bool known = event.poseValid == XR_TRUE && is_pose(event.poseInPreviousSpace);
    Change change{event.referenceSpaceType, event.changeTime, known, kIdentityPose};
    if (known) {
        change.new_in_old = {normalised(event.poseInPreviousSpace.orientation), event.poseInPreviousSpace.position};
    }
    const std::lock_guard lock(adding_);
    changes_.publish(change);
}

std::optional<XrPosef> ReferenceSpaceChanges::previous_in_current(XrSpace base, XrTime from, XrTime to) const noexcept {
    XrPosef result = kIdentityPose;
    const std::uint64_t newest = changes_.newest();
    for (std::uint64_t number = newest > kLookedAt ? newest - kLookedAt + 1 : 1; number <= newest; ++number) {
        Change change;
        if (!changes_.read_number(number, change) || (from < change.time) == (to < change.time)) {
            continue;
        }
        const auto space = BaseSpace::all().find(key_of(base));
        if (!space || space->type != change.type) {
            continue;
        }
        if (!change.known || to < from) {
            return std::nullopt;
        }
        const XrPosef old_in_new =
            compose(compose(inverse(space->in_reference), inverse(change.new_in_old)), space->in_reference);
        result = compose(old_in_new, result);
    }
    return result;
}

}  // namespace glove
