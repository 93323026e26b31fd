// SPDX-License-Identifier: Apache-2.0
#include "openxr/wrist/base_spaces.hpp"

#include <new>

#include "hand/pose_math.hpp"

namespace glove {

namespace {

// Newer than the headers that we build with.
constexpr auto kLocalFloor = static_cast<XrReferenceSpaceType>(1000426000);

// Y is up against gravity, by definition.
bool is_level(XrReferenceSpaceType type) noexcept {
    return type == XR_REFERENCE_SPACE_TYPE_LOCAL || type == XR_REFERENCE_SPACE_TYPE_STAGE ||
           type == XR_REFERENCE_SPACE_TYPE_UNBOUNDED_MSFT || type == kLocalFloor;
}

}  // namespace

Registry<BaseSpace>& BaseSpace::all() noexcept {
    static Registry<BaseSpace> registry;
    return registry;
}

void remember_base_space(const Session& session, XrSpace space, const XrReferenceSpaceCreateInfo& info) noexcept {
    (void)BaseSpace::all().take(
        key_of(space));  // gone with something that we did not see go, and the runtime uses the handle again
    const XrPosef in_reference{normalised(info.poseInReferenceSpace.orientation), info.poseInReferenceSpace.position};
    try {
        BaseSpace::all().add(key_of(space),
                             std::make_unique<BaseSpace>(BaseSpace{&session, info.referenceSpaceType, in_reference}));
    } catch (const std::bad_alloc&) {
        // The application has its space; the hand is rigid to the head in it.
    }
}

bool up_in(XrSpace base, XrVector3f& up) noexcept {
    const auto space = BaseSpace::all().find(key_of(base));
    if (!space || !is_level(space->type)) {
        return false;
    }
    up = rotate(conjugate(space->in_reference.orientation), {0, 1, 0});
    return true;
}

}  // namespace glove
