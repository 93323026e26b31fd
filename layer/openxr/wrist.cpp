// SPDX-License-Identifier: Apache-2.0
#include "openxr/wrist.hpp"

#include <cmath>

#include "hand/pose_math.hpp"

namespace glove {

namespace {

bool is_finite(const XrPosef& pose) noexcept {
    // A sum is finite only if every term is (or, for absurd values, overflows, which is as unusable).
    const XrQuaternionf& q = pose.orientation;
    const XrVector3f& p = pose.position;
    return std::isfinite(q.x + q.y + q.z + q.w) && std::isfinite(p.x + p.y + p.z);
}

bool is_finite(const XrVector3f& v) noexcept {
    return std::isfinite(v.x + v.y + v.z);
}

// A pose that stands still in one of the runtime's reference spaces. The runtime does the composing: our space has the
// constant offset inside.
class ReferenceWrist final : public WristSource {
public:
    // `may_track`: whether the reference space's own tracking is the hand's.
    ReferenceWrist(const NextTable& next, XrSpace space, bool may_track) noexcept
        : next_(next), space_(space), may_track_(may_track) {}

    void release() noexcept override { next_.xrDestroySpace(space_); }

    XrResult locate(XrSpace base, XrTime time, bool with_velocity, RootMotion& root,
                    bool& found) const noexcept override {
        XrSpaceVelocity velocity{XR_TYPE_SPACE_VELOCITY, nullptr, 0, {}, {}};
        XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, with_velocity ? &velocity : nullptr, 0, {}};
        const XrResult result = next_.xrLocateSpace(space_, base, time, &location);
        found = false;
        if (XR_FAILED(result)) {
            return result;
        }
        constexpr XrSpaceLocationFlags kValid =
            XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
        if ((location.locationFlags & kValid) != kValid || !is_finite(location.pose)) {
            return result;
        }
        constexpr XrSpaceVelocityFlags kKnown =
            XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT;
        const bool known = (velocity.velocityFlags & kKnown) == kKnown && is_finite(velocity.linearVelocity) &&
                           is_finite(velocity.angularVelocity);
        root.in_base = {normalised(location.pose.orientation), location.pose.position};
        root.velocity = known ? Velocity{velocity.linearVelocity, velocity.angularVelocity} : Velocity{};
        root.velocity_known = known;
        root.orientation_tracked =
            may_track_ && (location.locationFlags & XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT) != 0;
        root.position_tracked = may_track_ && (location.locationFlags & XR_SPACE_LOCATION_POSITION_TRACKED_BIT) != 0;
        found = true;
        return result;
    }

private:
    const NextTable& next_;
    XrSpace space_;
    bool may_track_;
};

XrPosef pose_of(const Config::Placement& placement) noexcept {
    const auto& [x, y, z] = placement.position_mm;
    const auto& [rx, ry, rz] = placement.rotation_deg;
    return {from_euler_degrees(rx, ry, rz),
            {static_cast<float>(x / 1000), static_cast<float>(y / 1000), static_cast<float>(z / 1000)}};
}

XrResult create_space(const NextTable& next, XrSession session, XrReferenceSpaceType type, const XrPosef& pose,
                      XrSpace& space) {
    const XrReferenceSpaceCreateInfo info{XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, type, pose};
    return next.xrCreateReferenceSpace(session, &info, &space);
}

}  // namespace

std::unique_ptr<WristSource> make_wrist_source(const Config::Wrist& wrist, Hand hand, const NextTable& next,
                                               XrSession session) {
    const bool is_view = wrist.source == Config::WristSource::view;
    const Config::Placement& placement = is_view ? (hand == Hand::left ? wrist.view.left : wrist.view.right)
                                                 : (hand == Hand::left ? wrist.fixed.left : wrist.fixed.right);
    XrReferenceSpaceType type = XR_REFERENCE_SPACE_TYPE_VIEW;
    if (!is_view) {
        type = wrist.fixed.space == Config::FixedSpace::stage ? XR_REFERENCE_SPACE_TYPE_STAGE
                                                              : XR_REFERENCE_SPACE_TYPE_LOCAL;
    }

    const XrPosef pose = pose_of(placement);
    XrSpace space = XR_NULL_HANDLE;
    XrResult result = create_space(next, session, type, pose, space);
    if (result == XR_ERROR_REFERENCE_SPACE_UNSUPPORTED && type == XR_REFERENCE_SPACE_TYPE_STAGE) {
        log::warning("wrist: this runtime has no stage space; [wrist.fixed] is taken as space = \"local\"");
        result = create_space(next, session, XR_REFERENCE_SPACE_TYPE_LOCAL, pose, space);
    }
    if (XR_FAILED(result)) {
        log::error("wrist: the runtime refuses the %s space (XrResult %d); the %s hand stays inactive",
                   is_view ? "view" : "reference", static_cast<int>(result), name_of(hand));
        return nullptr;
    }
    return std::make_unique<ReferenceWrist>(next, space, !is_view);
}

}  // namespace glove
