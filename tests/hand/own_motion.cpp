// SPDX-License-Identifier: Apache-2.0
#include "hand/own_motion.hpp"

#include <cmath>

#include "fsnh_encoding.hpp"
#include "hand/near.hpp"
#include "same_bits.hpp"

namespace glove::test {
namespace {

// A left hand of 92 mm: where the metacarpals begin, and their turn away from the thumb.
constexpr std::array<Row, 5> kBaseMm{
    {{25.0, -16.0, -31.0}, {12.4, -6.0, -31.5}, {1.9, -4.5, -30.3}, {-9.6, -3.4, -28.8}, {-20.7, -5.0, -28.5}}};
constexpr std::array<double, 5> kYawDegrees{0, -5, 0, 10, 15};
constexpr std::array<std::array<double, 4>, 5> kBonesMm{
    {{40, 32, 20, 0}, {60, 40, 24, 17}, {62, 44, 27, 18}, {55, 40, 25, 18}, {48, 32, 19, 16}}};
constexpr double kSizeMm = 92;
// Hinges of a finger are not parallel: how each is turned in the one before it, about Y and then about Z, degrees.
// Knuckle (the thumb's: none), middle joint, end joint. Rounded means of tests/data/reference-poses-npm.json.
constexpr std::array<std::array<std::array<double, 2>, 3>, 5> kHingeDegrees{{{{{0, 0}, {8, 9}, {-7, -9}}},
                                                                             {{{0, -4}, {1, 3}, {3, 2}}},
                                                                             {{{0, 1}, {0.5, 1.5}, {1.5, 7}}},
                                                                             {{{0, 5.5}, {1, 4.5}, {-2, 2.5}}},
                                                                             {{{0, 14}, {6, 6}, {-5, 0.5}}}}};

// The base of the thumb is carried round by a bone of the wrist: where it is from what it turns about, as the
// metacarpal sees it; and how far a person is from that. From the same poses.
constexpr Row kThumbFromPivotMm{6, 10, -12};
constexpr double kPivotOffMm = 2;

// How far a person's pose is from the one that was meant.
constexpr double kBendOff = 6;
constexpr double kSplayOff = 4;
constexpr double kMostLag = 0.25;  // of a finger behind the first

struct Frame {
    Matrix turn;
    Row at_mm;
};

Frame after(const Frame& parent, double bone_mm, const Matrix& bend) {
    const Row along = parent.turn * Row{0, 0, -bone_mm};
    return {parent.turn * bend, {parent.at_mm[0] + along[0], parent.at_mm[1] + along[1], parent.at_mm[2] + along[2]}};
}

Matrix thumb_turn(const std::array<double, 21>& angles) {
    return turn_about(1, -angles[0]) * turn_about(0, -angles[1]) * turn_about(2, -angles[2]);
}

bool is_splay(std::size_t angle) {
    return angle >= 5 && (angle - 5) % 4 == 3;
}
std::size_t finger_of(std::size_t angle) {
    return angle < 5 ? 0 : 1 + (angle - 5) / 4;
}

}  // namespace

OwnMotion::OwnMotion(const MotionSettings& settings, double seconds)
    : hand_(settings.hand), size_mm_(settings.size_mm), bones_mm_(settings.bones_mm), start_(angles_of(Pose::relaxed)) {
    for (std::size_t finger = 0; finger < bones_mm_.size(); ++finger) {
        for (std::size_t bone = 0; bone < bones_mm_[finger].size(); ++bone) {
            double& mm = bones_mm_[finger][bone];
            mm = mm > 0 ? mm : kBonesMm[finger][bone] * size_mm_ / kSizeMm;
        }
    }
    Random random(settings.seed);
    for (std::size_t finger = 0; finger < hinges_.size(); ++finger) {
        for (std::size_t joint = 0; joint < hinges_[finger].size(); ++joint) {
            const auto off = [&] { return random.between(-settings.hinges_off_deg, settings.hinges_off_deg); };
            const double about_y = kHingeDegrees[finger][joint][0] + off();
            const double about_z = kHingeDegrees[finger][joint][1] + off();
            hinges_[finger][joint] = turn_about(2, about_z) * turn_about(1, about_y);
        }
    }
    for (std::size_t i = 0; i < thumb_from_pivot_mm_.size(); ++i) {
        thumb_from_pivot_mm_[i] = kThumbFromPivotMm[i] + random.between(-kPivotOffMm, kPivotOffMm);
    }
    for (auto& waves : waves_) {
        for (Wave& wave : waves) {
            const bool tremor = &wave != &waves.back();
            wave.hertz = tremor ? random.between(8, 12) : random.between(0.2, 0.6);
            wave.turns = random.between(0, 1);
            wave.degrees = settings.tremor_deg * (tremor ? 1 : 3 * std::sqrt(2.0));
        }
    }
    constexpr std::array kStill{Pose::open, Pose::relaxed, Pose::fist, Pose::point, Pose::pinch};
    std::size_t before = 1;
    for (double now = settings.pause_s; now < seconds;) {
        Gesture gesture{};
        gesture.begin_s = now;
        gesture.end_s = now + settings.gesture_s * random.between(0.75, 1.25);
        // One of the other poses, or a single finger that closes while its neighbours give way.
        const std::size_t choice = (before + 1 + random.below(kStill.size())) % (kStill.size() + 1);
        if (choice < kStill.size()) {
            gesture.target = angles_of(kStill[choice]);
        } else {
            gesture.target = angles_of(Pose::open);
            const Angles closed = angles_of(Pose::fist);
            const std::size_t alone = 1 + random.below(4);
            for (std::size_t i = 5; i < gesture.target.size(); ++i) {
                const std::size_t finger = finger_of(i);
                const std::size_t apart = finger > alone ? finger - alone : alone - finger;
                const double share = apart == 0 ? 1 : (apart == 1 ? 0.3 : 0.1);
                gesture.target[i] += share * (closed[i] - gesture.target[i]);
            }
        }
        before = choice;
        for (std::size_t i = 0; i < gesture.target.size(); ++i) {
            const double off = is_splay(i) ? kSplayOff : kBendOff;
            gesture.target[i] += random.between(-off, off);
        }
        for (double& lag : gesture.lag) {
            lag = random.between(0, kMostLag);
        }
        gestures_.push_back(gesture);
        now = gesture.end_s + settings.pause_s * random.between(0.3, 1.7);
    }
}

OwnMotion::Angles OwnMotion::angles_of(Pose pose) {
    const HandAngles angles = pose_angles(pose, 0);
    const ThumbBend& thumb = angles.thumb;
    Angles out{thumb.radial, thumb.palmar, thumb.roll, thumb.mcp, thumb.ip};
    for (std::size_t i = 0; i < angles.fingers.size(); ++i) {
        const FingerBend& finger = angles.fingers[i];
        out[5 + 4 * i] = finger.mcp;
        out[6 + 4 * i] = finger.pip;
        out[7 + 4 * i] = finger.dip;
        out[8 + 4 * i] = finger.splay;
    }
    return out;
}

JointPoses OwnMotion::at(double seconds) const {
    Angles from = start_;
    Angles now = start_;
    for (const Gesture& gesture : gestures_) {
        if (gesture.begin_s > seconds) {
            break;
        }
        for (std::size_t i = 0; i < now.size(); ++i) {
            const double share = (seconds - gesture.begin_s) / (gesture.end_s - gesture.begin_s);
            const double moved = least_jerk((share - gesture.lag[finger_of(i)]) / (1 - kMostLag));
            now[i] = from[i] + moved * (gesture.target[i] - from[i]);
        }
        from = gesture.target;
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
        for (const Wave& wave : waves_[i]) {
            now[i] += wave.degrees * sine(wave.turns + wave.hertz * seconds);
        }
    }
    return joints_of(now);
}

JointPoses OwnMotion::held(Pose pose) const {
    return joints_of(angles_of(pose));
}

JointPoses OwnMotion::joints_of(const Angles& angles) const {
    std::array<Frame, XR_HAND_JOINT_COUNT_EXT> frames{};
    frames[XR_HAND_JOINT_WRIST_EXT] = {kIdentityMatrix, {0, 0, 0}};
    for (std::size_t finger = 0; finger < bones_mm_.size(); ++finger) {
        Row base = kBaseMm[finger];
        for (double& part : base) {
            part *= size_mm_ / kSizeMm;
        }
        const auto& bones = bones_mm_[finger];
        const auto& hinge = hinges_[finger];
        if (finger == 0) {
            const Matrix turn = thumb_turn(angles);
            const Row carried = turn * thumb_from_pivot_mm_;
            const Row at_rest = thumb_turn(start_) * thumb_from_pivot_mm_;
            for (std::size_t i = 0; i < base.size(); ++i) {
                base[i] += (carried[i] - at_rest[i]) * size_mm_ / kSizeMm;
            }
            Frame* const joint = &frames[XR_HAND_JOINT_THUMB_METACARPAL_EXT];
            joint[0] = {turn, base};
            joint[1] = after(joint[0], bones[0], hinge[1] * turn_about(0, -angles[3]));
            joint[2] = after(joint[1], bones[1], hinge[2] * turn_about(0, -angles[4]));
            joint[3] = after(joint[2], bones[2], kIdentityMatrix);
            continue;
        }
        const double* const angle = &angles[5 + 4 * (finger - 1)];
        Frame* const joint = &frames[XR_HAND_JOINT_INDEX_METACARPAL_EXT + 5 * (finger - 1)];
        joint[0] = {turn_about(1, kYawDegrees[finger]), base};
        joint[1] = after(joint[0], bones[0], turn_about(1, -angle[3]) * hinge[0] * turn_about(0, -angle[0]));
        joint[2] = after(joint[1], bones[1], hinge[1] * turn_about(0, -angle[1]));
        joint[3] = after(joint[2], bones[2], hinge[2] * turn_about(0, -angle[2]));
        joint[4] = after(joint[3], bones[3], kIdentityMatrix);
    }
    const Frame& metacarpal = frames[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT];
    const Frame& knuckle = frames[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT];
    frames[XR_HAND_JOINT_PALM_EXT] = metacarpal;
    for (std::size_t i = 0; i < 3; ++i) {
        frames[XR_HAND_JOINT_PALM_EXT].at_mm[i] = (metacarpal.at_mm[i] + knuckle.at_mm[i]) / 2;
    }

    JointPoses out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        XrPosef& pose = out[i];
        pose.orientation = quaternion(frames[i].turn);
        const Row& mm = frames[i].at_mm;
        pose.position = {static_cast<float>(mm[0] / 1000), static_cast<float>(mm[1] / 1000),
                         static_cast<float>(mm[2] / 1000)};
        if (hand_ == Hand::right) {  // mirrored in the plane x = 0
            pose.position.x = -pose.position.x;
            pose.orientation.y = -pose.orientation.y;
            pose.orientation.z = -pose.orientation.z;
        }
    }
    return out;
}

}  // namespace glove::test
