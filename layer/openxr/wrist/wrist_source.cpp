// SPDX-License-Identifier: Apache-2.0
#include "openxr/wrist/wrist_source.hpp"

#include <cmath>

#include "hand/pose_math.hpp"
#include "motion/arm_model.hpp"
#include "openxr/wrist/base_spaces.hpp"

namespace glove {

namespace {

bool is_finite(const XrPosef& pose) noexcept {
    const XrQuaternionf& q = pose.orientation;
    const XrVector3f& p = pose.position;
    return std::isfinite(q.x + q.y + q.z + q.w) && std::isfinite(p.x + p.y + p.z);
}

bool is_finite(const XrVector3f& v) noexcept {
    return std::isfinite(v.x + v.y + v.z);
}

XrResult create_space(const NextTable& next, XrSession session, XrReferenceSpaceType type, const XrPosef& pose,
                      XrSpace& space) {
    const XrReferenceSpaceCreateInfo info{XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, type, pose};
    return next.xrCreateReferenceSpace(session, &info, &space);
}

}  // namespace

RootMotion moved(const RootMotion& root, const XrPosef& in_space) noexcept {
    RootMotion result = root;
    const XrVector3f arm = rotate(root.in_base.orientation, in_space.position);
    result.in_base.position = root.in_base.position + arm;
    result.in_base.orientation = normalised(multiply(root.in_base.orientation, in_space.orientation));
    result.velocity.linear = root.velocity.linear + cross(root.velocity.angular, arm);
    return result;
}

bool read_root(XrSpaceLocationFlags flags, const XrPosef& pose, const XrSpaceVelocity& velocity,
               RootMotion& root) noexcept {
    constexpr XrSpaceLocationFlags kValid =
        XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
    if ((flags & kValid) != kValid || !is_finite(pose)) {
        return false;
    }
    constexpr XrSpaceVelocityFlags kKnown = XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT;
    const bool known = (velocity.velocityFlags & kKnown) == kKnown && is_finite(velocity.linearVelocity) &&
                       is_finite(velocity.angularVelocity);
    root = {};
    root.in_base = {normalised(pose.orientation), pose.position};
    root.velocity = known ? Velocity{velocity.linearVelocity, velocity.angularVelocity} : Velocity{};
    root.velocity_known = known;
    root.orientation_tracked = (flags & XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT) != 0;
    root.position_tracked = (flags & XR_SPACE_LOCATION_POSITION_TRACKED_BIT) != 0;
    return true;
}

XrResult locate_root(const NextTable& next, XrSpace space, const XrPosef& in_space, XrSpace base, XrTime time,
                     bool with_velocity, RootMotion& root, bool& found) noexcept {
    XrSpaceVelocity velocity{XR_TYPE_SPACE_VELOCITY, nullptr, 0, {}, {}};
    XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, with_velocity ? &velocity : nullptr, 0, {}};
    const XrResult result = next.xrLocateSpace(space, base, time, &location);
    found = false;
    if (XR_FAILED(result)) {
        return result;
    }
    RootMotion of_space{};
    found = read_root(location.locationFlags, location.pose, velocity, of_space);
    if (found) {
        root = moved(of_space, in_space);
    }
    return result;
}

std::unique_ptr<ReferenceWrist> ReferenceWrist::make(const Config::Wrist& wrist, Hand hand, const NextTable& next,
                                                     XrSession session) {
    const bool is_fixed = wrist.source == Config::WristSource::fixed;
    const Config::Placement& placement = is_fixed ? (hand == Hand::left ? wrist.fixed.left : wrist.fixed.right)
                                                  : (hand == Hand::left ? wrist.view.left : wrist.view.right);
    XrReferenceSpaceType type = XR_REFERENCE_SPACE_TYPE_VIEW;
    if (is_fixed) {
        type = wrist.fixed.space == Config::FixedSpace::stage ? XR_REFERENCE_SPACE_TYPE_STAGE
                                                              : XR_REFERENCE_SPACE_TYPE_LOCAL;
    }

    const XrPosef pose = pose_of(placement);
    const XrPosef pose_in_space = is_fixed ? pose : kIdentityPose;  // a fixed hand is the runtime's to place
    XrSpace space = XR_NULL_HANDLE;
    XrResult result = create_space(next, session, type, pose_in_space, space);
    if (result == XR_ERROR_REFERENCE_SPACE_UNSUPPORTED && type == XR_REFERENCE_SPACE_TYPE_STAGE) {
        log::warning("wrist: this runtime has no stage space; [wrist.fixed] is taken as space = \"local\"");
        result = create_space(next, session, XR_REFERENCE_SPACE_TYPE_LOCAL, pose, space);
    }
    if (XR_FAILED(result)) {
        log::error("wrist: the runtime refuses the %s space (XrResult %d); the %s hand stays inactive",
                   is_fixed ? "reference" : "view", static_cast<int>(result), name_of(hand));
        return nullptr;
    }
    std::optional<XrPosef> rest_in_head;
    if (!is_fixed) {
        // Straight from the forearm, unless the user turns it.
        rest_in_head = XrPosef{multiply(forearm_at(hand, pose.position), pose.orientation), pose.position};
    }
    std::unique_ptr<ReferenceWrist> made;
    keep_or_undo([&] { made = std::make_unique<ReferenceWrist>(next, space, rest_in_head, wrist.report_tracked); },
                 [&] { next.xrDestroySpace(space); });
    return made;
}

XrResult ReferenceWrist::locate(XrSpace base, XrTime time, bool with_velocity, RootMotion& root,
                                bool& found) const noexcept {
    const XrResult result = locate_root(next_, space_, kIdentityPose, base, time, with_velocity, root, found);
    if (found && rest_in_head_) {
        XrVector3f up;
        root = up_in(base, up) ? head_anchored_hand(root, up, *rest_in_head_) : moved(root, *rest_in_head_);
        root.orientation_tracked = false;
        root.position_tracked = false;
    }
    if (found) {
        root.orientation_tracked = root.orientation_tracked || report_tracked_;
        root.position_tracked = root.position_tracked || report_tracked_;
        root.is_forearm = true;  // an arm that rests: what the gloves know of the forearm moves the hand on it
    }
    return result;
}

}  // namespace glove
