// SPDX-License-Identifier: Apache-2.0
#include "hand/fnim/fingertip_ik.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr std::array<XrHandJointEXT, kFingerCount> kRootJoint{
    XR_HAND_JOINT_THUMB_METACARPAL_EXT, XR_HAND_JOINT_INDEX_PROXIMAL_EXT, XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT,
    XR_HAND_JOINT_RING_PROXIMAL_EXT, XR_HAND_JOINT_LITTLE_PROXIMAL_EXT};

constexpr std::size_t kMiddleFinger = 2;

constexpr int kWarmIterations = 6;
constexpr int kColdIterations = 10;
constexpr std::array<double, 3> kColdCurls{0, 0.5, 1};

// What is expected of an angle: that it goes on turning as it did, give or take a random walk of kWander in a second,
// and as much more as it is turning already. It decides what the coil does not, such as how a straight finger's bend is
// shared between its joints, and stills a hand that rests, without holding back one that moves.
constexpr double kWander = 25 * kRadiansPerDegree;
constexpr double kCarry = 0.7;
constexpr double kHaste = 1.0;
constexpr double kRateSeconds = 0.04;   // time constant of the rate's smoothing
constexpr double kShortestStep = 1e-3;  // messages closer than that count as this far apart

// A solution this far off may be a wrong one, so it is looked for from other starts as well.
constexpr double kDoubtfulPosition = 0.010;
constexpr double kDoubtfulTurn = 30 * kRadiansPerDegree;
// And another one must be this much better to be jumped to.
constexpr double kJumpGain = 0.5;

constexpr double kRelaxSeconds = 0.15;  // time constant of a finger without a coil
constexpr double kUnseenCurl = 0.3;     // where such a finger begins

double seconds_between(std::int64_t from_ns, std::int64_t to_ns) noexcept {
    return (static_cast<double>(to_ns) - static_cast<double>(from_ns)) * 1e-9;
}

constexpr unsigned bit(std::size_t index) noexcept {
    return 1u << index;
}

XrPosef as_left(Hand hand, const XrPosef& pose) noexcept {
    return hand == Hand::left ? pose : mirrored(pose);
}

// Once more after the decoder, so that no message can spoil the solution it starts the next one from.
bool usable(const fnim::CoilPose& coil) noexcept {
    double norm_squared = 0;
    for (const float part : coil.orientation_wxyz) {
        norm_squared += double{part} * double{part};
    }
    double reach_squared = 0;
    for (const float part : coil.position) {
        reach_squared += double{part} * double{part};
    }
    // Comparisons with what is not a number are false.
    return coil.valid && norm_squared > 0.25 && norm_squared < 2.25 &&
           reach_squared <= double{fnim::kMaxReachM} * double{fnim::kMaxReachM};
}

XrPosef unit(XrPosef pose) noexcept {
    pose.orientation = normalised(pose.orientation);
    return pose;
}

}  // namespace

FingertipIk::FingertipIk(Hand hand, const HandCalibration& calibration) noexcept
    : hand_(hand),
      size_m_(length(calibration.fingers[kMiddleFinger].root_in_wrist.position)),
      calibration_(calibration),
      wrist_in_forearm_(kIdentityPose) {
    reset();
}

void FingertipIk::reset() noexcept {
    for (std::size_t i = 0; i < kFingerCount; ++i) {
        fingers_[i] = {angles_of_curl(i == kThumb, kUnseenCurl), {}, 0, 0, false};
    }
    ever_solved_ = false;
    forearm_known_ = false;
    wrist_in_forearm_ = kIdentityPose;
    residual_ = {};
}

void FingertipIk::measure(std::size_t index, const XrPosef& coil_in_wrist, std::int64_t time_ns) noexcept {
    Finger& finger = fingers_[index];
    const FingerModel& model = calibration_.fingers[index];
    const double elapsed = seconds_between(finger.measured_ns, time_ns);
    const bool warm = finger.ever_measured && elapsed >= 0 && elapsed <= seconds_between(0, kHoldNs);
    const double since = std::max(elapsed, kShortestStep);
    AnglePrior prior{finger.angles, {}};
    for (std::size_t i = 0; i < kFingerAngleCount; ++i) {
        if (warm) {
            prior.mean[i] += kCarry * finger.rate[i] * since;
            prior.sigma[i] = std::hypot(kWander * std::sqrt(since), kHaste * finger.rate[i] * since);
        } else {
            prior.sigma[i] = std::numeric_limits<double>::infinity();
        }
    }

    const auto from_curl = [&](double curl) {
        return fit_finger(model, coil_in_wrist, angles_of_curl(model.thumb, curl), prior, kColdIterations);
    };
    FingerFit best{};
    if (warm) {
        best = fit_finger(model, coil_in_wrist, finger.angles, prior, kWarmIterations);
        if (best.position_error_m > kDoubtfulPosition || best.turn_error > kDoubtfulTurn) {
            // One other start a message, in turn, so that no message takes long.
            const FingerFit other = from_curl(kColdCurls[finger.doubts++ % kColdCurls.size()]);
            if (other.cost < kJumpGain * best.cost) {
                best = other;
            }
        }
    } else {
        best.cost = std::numeric_limits<double>::infinity();
        for (const double curl : kColdCurls) {
            const FingerFit fit = from_curl(curl);
            if (fit.cost < best.cost) {
                best = fit;
            }
        }
    }
    for (std::size_t i = 0; i < kFingerAngleCount; ++i) {
        const double share = 1 - std::exp(-since / kRateSeconds);
        finger.rate[i] =
            warm ? finger.rate[i] + share * ((best.angles[i] - finger.angles[i]) / since - finger.rate[i]) : 0;
    }
    finger.angles = best.angles;
    finger.measured_ns = time_ns;
    finger.ever_measured = true;
    residual_.position_m[index] = static_cast<float>(best.position_error_m);
    residual_.turn_rad[index] = static_cast<float>(best.turn_error);
}

void FingertipIk::relax(std::size_t index, unsigned live, double seconds) noexcept {
    // The neighbours, or where they are lost too all other fingers. The thumb follows fingers, but they do not follow
    // it.
    double sum = 0;
    int count = 0;
    for (const bool adjacent : {true, false}) {
        for (std::size_t other = kThumb + 1; other < kFingerCount && (adjacent || count == 0); ++other) {
            const bool beside = other + 1 == index || other == index + 1;
            if (other != index && (live & bit(other)) != 0 && beside == adjacent) {
                sum += curl_of(false, fingers_[other].angles);
                ++count;
            }
        }
    }
    if (count == 0) {
        return;
    }
    Finger& finger = fingers_[index];
    const FingerAngles target = angles_of_curl(index == kThumb, sum / count);
    const double share = finger.ever_measured ? 1 - std::exp(-seconds / kRelaxSeconds) : 1;
    for (std::size_t i = 0; i < kFingerAngleCount; ++i) {
        finger.angles[i] += share * (target[i] - finger.angles[i]);
    }
}

void FingertipIk::solve(const fnim::Message& message, std::int64_t time_ns, HandSample& out) noexcept {
    const XrPosef transmitter_in_wrist = inverse(calibration_.wrist_in_transmitter);
    residual_ = {};
    unsigned live = 0;
    for (std::size_t i = 0; i < kFingerCount; ++i) {
        if (usable(message.coils[i])) {
            live |= bit(i);
            measure(i, unit(compose(transmitter_in_wrist, coil_as_left(hand_, message.coils[i]))), time_ns);
        }
    }
    const double since_last = ever_solved_ ? std::max(0.0, seconds_between(solved_ns_, time_ns)) : 0;
    for (std::size_t i = 0; i < kFingerCount; ++i) {
        const Finger& finger = fingers_[i];
        const bool held =
            finger.ever_measured && seconds_between(finger.measured_ns, time_ns) <= seconds_between(0, kHoldNs);
        if ((live & bit(i)) == 0 && !held) {
            relax(i, live, since_last);
        }
    }
    solved_ns_ = time_ns;
    ever_solved_ = true;

    out.hand = hand_;
    out.source = Source::fnim;
    out.sequence = message.frame_number;
    out.scale = size_m_ * 1000 / kTemplateSizeMm;
    out.sent_ns = static_cast<std::int64_t>(message.timestamp_ns);

    constexpr XrVector3f back_of_hand{0, 1, 0};
    out.joint_in_wrist[XR_HAND_JOINT_WRIST_EXT] = kIdentityPose;
    out.tracked = bit(XR_HAND_JOINT_WRIST_EXT) | bit(XR_HAND_JOINT_PALM_EXT);
    for (std::size_t i = 0; i < kFingerCount; ++i) {
        const FingerJoints joints = joints_at(calibration_.fingers[i], fingers_[i].angles);
        const auto root = static_cast<std::size_t>(kRootJoint[i]);
        out.joint_in_wrist[root] = as_left(hand_, joints.root);
        out.joint_in_wrist[root + 1] = as_left(hand_, joints.middle);
        out.joint_in_wrist[root + 2] = as_left(hand_, joints.end);
        out.joint_in_wrist[root + 3] = as_left(hand_, joints.tip);
        std::size_t first = root;
        if (i != kThumb) {
            first = root - 1;
            XrPosef& metacarpal = out.joint_in_wrist[first];
            metacarpal.position = size_m_ * metacarpal_base_fraction(hand_, i - 1);
            metacarpal.orientation =
                bone_orientation(out.joint_in_wrist[root].position - metacarpal.position, back_of_hand, kNoRotation);
        }
        if ((live & bit(i)) != 0) {
            for (std::size_t joint = first; joint <= root + 3; ++joint) {
                out.tracked |= bit(joint);
            }
        }
    }
    const XrPosef& middle = out.joint_in_wrist[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT];
    out.joint_in_wrist[XR_HAND_JOINT_PALM_EXT] = {
        middle.orientation, midpoint(middle.position, out.joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position)};

    const fnim::CoilPose& forearm = message.coils[fnim::kForearmSlot];
    const bool forearm_live = usable(forearm);
    if (forearm_live) {
        wrist_in_forearm_ =
            as_left(hand_, unit(compose(inverse(coil_as_left(hand_, forearm)), calibration_.wrist_in_transmitter)));
        forearm_known_ = true;
    }
    out.through_forearm = forearm_known_;
    out.forearm_live = forearm_live;
    out.wrist_in_forearm = wrist_in_forearm_;
    out.turn_rate = {0, 0, 0};
    out.turn_rate_known = turn_rate_in_wrist(message, calibration_, out.turn_rate);
}

bool turn_rate_in_wrist(const fnim::Message& message, const HandCalibration& calibration, XrVector3f& out) noexcept {
    const auto& [x, y, z] = message.turn_rate;
    if (x == 0 && y == 0 && z == 0) {
        return false;
    }
    const XrPosef wrist_in_transmitter = as_left(message.hand, calibration.wrist_in_transmitter);
    out = rotate(conjugate(wrist_in_transmitter.orientation), {x, z, -y});
    return true;
}

}  // namespace glove
