// SPDX-License-Identifier: Apache-2.0
#include "senders/hand_poses.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

// An adult's left hand in the wrist frame, millimetres: wrist to middle knuckle 92.
struct FingerBones {
    XrVector3f base;               // of the metacarpal
    double yaw_deg;                // of the metacarpal, about +Y: positive points away from the thumb
    std::array<float, 4> lengths;  // metacarpal, proximal, intermediate, distal
    XrHandJointEXT metacarpal;     // the finger's other joints follow it
};

constexpr XrVector3f kThumbBase{25.0f, -16.0f, -31.0f};
constexpr std::array<float, 3> kThumbLengths{40, 32, 20};
constexpr std::array<FingerBones, 4> kFingers{{
    {{12.4f, -6.0f, -31.5f}, -5, {60, 40, 24, 17}, XR_HAND_JOINT_INDEX_METACARPAL_EXT},
    {{1.9f, -4.5f, -30.3f}, 0, {62, 44, 27, 18}, XR_HAND_JOINT_MIDDLE_METACARPAL_EXT},
    {{-9.6f, -3.4f, -28.8f}, 10, {55, 40, 25, 18}, XR_HAND_JOINT_RING_METACARPAL_EXT},
    {{-20.7f, -5.0f, -28.5f}, 15, {48, 32, 19, 16}, XR_HAND_JOINT_LITTLE_METACARPAL_EXT},
}};

constexpr HandAngles kOpen{{45, 20, 65, 5, 5}, {{{0, 3, 2, 0}, {0, 3, 2, 0}, {0, 3, 2, 3}, {0, 3, 2, 2}}}};
constexpr HandAngles kRelaxed{{35, 25, 70, 12, 12},
                              {{{18, 22, 10, -1}, {22, 26, 12, 0}, {24, 28, 14, 5}, {24, 28, 14, 7}}}};
constexpr HandAngles kFist{{13, 40, 92, 33, 48},
                           {{{72, 98, 58, 0}, {75, 100, 60, 0}, {77, 100, 60, 2}, {78, 98, 60, 4}}}};
constexpr HandAngles kPoint{{13, 42, 92, 30, 40}, {{{2, 5, 3, 0}, {72, 98, 58, 0}, {75, 98, 58, 2}, {76, 96, 58, 4}}}};
constexpr HandAngles kPinch{{11, 44, 89, 15, 18},
                            {{{59, 38, 15, 0}, {38, 34, 18, 0}, {28, 30, 16, 4}, {20, 26, 14, 5}}}};

// One finger after the other, from the index to the little one, bends and stretches again.
HandAngles wave_at(double seconds) noexcept {
    constexpr double kPeriodSeconds = 1.5;
    constexpr double kPhasePerFinger = 0.9;
    HandAngles angles = kOpen;
    for (std::size_t i = 0; i < angles.fingers.size(); ++i) {
        const double phase = 2 * std::numbers::pi * seconds / kPeriodSeconds - kPhasePerFinger * static_cast<double>(i);
        const double bend = 0.5 - 0.5 * std::cos(phase);
        angles.fingers[i].mcp += 45 * bend;
        angles.fingers[i].pip += 40 * bend;
        angles.fingers[i].dip += 20 * bend;
    }
    return angles;
}

HandAngles between(const HandAngles& a, const HandAngles& b, double share) noexcept {
    const auto mix = [share](double from, double to) { return from + share * (to - from); };
    HandAngles out{};
    out.thumb = {mix(a.thumb.radial, b.thumb.radial), mix(a.thumb.palmar, b.thumb.palmar),
                 mix(a.thumb.roll, b.thumb.roll), mix(a.thumb.mcp, b.thumb.mcp), mix(a.thumb.ip, b.thumb.ip)};
    for (std::size_t i = 0; i < out.fingers.size(); ++i) {
        const FingerBend& from = a.fingers[i];
        const FingerBend& to = b.fingers[i];
        out.fingers[i] = {mix(from.mcp, to.mcp), mix(from.pip, to.pip), mix(from.dip, to.dip),
                          mix(from.splay, to.splay)};
    }
    return out;
}

constexpr std::size_t kTourStops = kPoses.size() - 1;  // all but tour itself
constexpr double kTourStepSeconds = kTourHoldSeconds + kTourEaseSeconds;

struct TourPlace {
    std::size_t stop;   // in kPoses
    double seconds_in;  // since this stop began
};

TourPlace tour_place(double seconds) noexcept {
    const double in_round = std::fmod(seconds, kTourStepSeconds * static_cast<double>(kTourStops));
    const std::size_t stop = static_cast<std::size_t>(in_round / kTourStepSeconds) % kTourStops;
    return {stop, in_round - kTourStepSeconds * static_cast<double>(stop)};
}

XrPosef ahead(float millimetres) noexcept {
    return {kNoRotation, {0, 0, -0.001f * millimetres}};
}

XrPosef turned(const XrQuaternionf& turn) noexcept {
    return {turn, {0, 0, 0}};
}

XrPosef flexed(double degrees) noexcept {
    return turned(from_euler_degrees(-degrees, 0, 0));
}

// Along one finger or the thumb: each joint is the one before, gone along its bone and bent.
// `joint` counts up from `first`; the last bend is the tip's, none.
template <std::size_t Bones>
void place_chain(HandJoints& joints, XrHandJointEXT first, const XrPosef& first_in_wrist,
                 const std::array<float, Bones>& lengths, const std::array<XrPosef, Bones>& bends) noexcept {
    joints[first] = first_in_wrist;
    for (std::size_t i = 0; i < Bones; ++i) {
        joints[first + i + 1] = compose(compose(joints[first + i], ahead(lengths[i])), bends[i]);
    }
}

HandJoints left_hand(const HandAngles& angles) noexcept {
    HandJoints joints{};
    joints[XR_HAND_JOINT_WRIST_EXT] = kIdentityPose;

    const ThumbBend& thumb = angles.thumb;
    const XrQuaternionf thumb_turn =
        multiply(from_euler_degrees(-thumb.palmar, -thumb.radial, 0), from_euler_degrees(0, 0, -thumb.roll));
    place_chain<3>(joints, XR_HAND_JOINT_THUMB_METACARPAL_EXT, {thumb_turn, 0.001f * kThumbBase}, kThumbLengths,
                   {flexed(thumb.mcp), flexed(thumb.ip), kIdentityPose});

    for (std::size_t i = 0; i < kFingers.size(); ++i) {
        const FingerBones& bones = kFingers[i];
        const FingerBend& finger = angles.fingers[i];
        const XrPosef metacarpal{from_euler_degrees(0, bones.yaw_deg, 0), 0.001f * bones.base};
        const XrPosef knuckle = turned(from_euler_degrees(-finger.mcp, -finger.splay, 0));
        place_chain<4>(joints, bones.metacarpal, metacarpal, bones.lengths,
                       {knuckle, flexed(finger.pip), flexed(finger.dip), kIdentityPose});
    }

    joints[XR_HAND_JOINT_PALM_EXT] = {joints[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].orientation,
                                      midpoint(joints[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].position,
                                               joints[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position)};
    for (XrPosef& joint : joints) {
        joint.orientation = normalised(joint.orientation);
    }
    return joints;
}

// Left to right and back: mirrored in the plane x = 0. Joints' axes mean the same on both hands.
XrPosef mirrored(const XrPosef& pose) noexcept {
    const XrQuaternionf& q = pose.orientation;
    return {{q.x, -q.y, -q.z, q.w}, {-pose.position.x, pose.position.y, pose.position.z}};
}

}  // namespace

const char* name_of(Pose pose) noexcept {
    switch (pose) {
        case Pose::open:
            return "open";
        case Pose::relaxed:
            return "relaxed";
        case Pose::fist:
            return "fist";
        case Pose::point:
            return "point";
        case Pose::pinch:
            return "pinch";
        case Pose::wave:
            return "wave";
        case Pose::tour:
            return "tour";
    }
    return "unknown";
}

std::optional<Pose> pose_named(std::string_view name) noexcept {
    for (const Pose pose : kPoses) {
        if (name == name_of(pose)) {
            return pose;
        }
    }
    return std::nullopt;
}

HandAngles pose_angles(Pose pose, double seconds) noexcept {
    switch (pose) {
        case Pose::open:
            return kOpen;
        case Pose::relaxed:
            return kRelaxed;
        case Pose::fist:
            return kFist;
        case Pose::point:
            return kPoint;
        case Pose::pinch:
            return kPinch;
        case Pose::wave:
            return wave_at(seconds);
        case Pose::tour:
            break;
    }
    const TourPlace place = tour_place(seconds);
    const HandAngles here = pose_angles(kPoses[place.stop], seconds);
    if (place.seconds_in <= kTourHoldSeconds) {
        return here;
    }
    const double x = (place.seconds_in - kTourHoldSeconds) / kTourEaseSeconds;
    // Begins and ends at rest.
    return between(here, pose_angles(kPoses[(place.stop + 1) % kTourStops], seconds), x * x * (3 - 2 * x));
}

Pose tour_stop(double seconds) noexcept {
    return kPoses[tour_place(seconds).stop];
}

HandJoints hand_joints(Hand hand, Pose pose, double seconds) noexcept {
    HandJoints joints = left_hand(pose_angles(pose, seconds));
    if (hand == Hand::right) {
        for (XrPosef& joint : joints) {
            joint = mirrored(joint);
        }
    }
    return joints;
}

XrPosef moving_wrist_in_forearm(Hand hand, double seconds) noexcept {
    const double bend_deg = 20 * std::sin(2 * std::numbers::pi * seconds / 4);
    const double aside_deg = 10 * std::sin(2 * std::numbers::pi * seconds / 7);
    // The module sits on the skin, 25 mm above the bones.
    const XrPosef left{from_euler_degrees(-bend_deg, aside_deg, 0), {0, -0.025f, -0.200f}};
    return hand == Hand::left ? left : mirrored(left);
}

}  // namespace glove
