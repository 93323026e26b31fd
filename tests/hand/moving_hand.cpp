// SPDX-License-Identifier: Apache-2.0
#include "hand/moving_hand.hpp"

#include <utility>

#include "hand/near.hpp"
#include "hand/own_motion.hpp"
#include "recordings.hpp"

namespace glove::test {
namespace {

// Root, middle and end joint of each finger of hand_calibration.hpp; the tip comes next.
constexpr std::array<std::size_t, kFingerCount> kRoot{
    XR_HAND_JOINT_THUMB_METACARPAL_EXT, XR_HAND_JOINT_INDEX_PROXIMAL_EXT, XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT,
    XR_HAND_JOINT_RING_PROXIMAL_EXT, XR_HAND_JOINT_LITTLE_PROXIMAL_EXT};

XrVector3f vector(const Row& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

HandFrame frame_of(double seconds, const nlohmann::json& joints) {
    HandFrame frame{};
    frame.time_ns = static_cast<std::int64_t>(seconds * 1e9);
    frame.joint_in_wrist.fill({{0, 0, 0, 1}, {0, 0, 0}});
    const auto pose = [&](std::size_t i) { return joints.at(i).get<std::array<float, 8>>(); };
    const auto wrist = pose(0);
    const Matrix to_wrist = transposed(matrix_of({wrist[3], wrist[4], wrist[5], wrist[6]}));
    for (std::size_t i = 0; i < 25; ++i) {
        const auto joint = pose(i);
        const Row offset{double{joint[0]} - wrist[0], double{joint[1]} - wrist[1], double{joint[2]} - wrist[2]};
        frame.joint_in_wrist[i + 1] = {quaternion(to_wrist * matrix_of({joint[3], joint[4], joint[5], joint[6]})),
                                       vector(to_wrist * offset)};
    }
    return frame;
}

constexpr double kRecordedSeconds = 5;  // as long as the recording
constexpr double kFrameSeconds = 1.0 / 90;

std::vector<MovingHand> own_hands(MotionSettings settings) {
    std::vector<MovingHand> hands;
    for (const Hand hand : kBothHands) {
        settings.hand = hand;
        settings.seed += 1;
        const OwnMotion motion(settings, kRecordedSeconds);
        MovingHand own{
            "own motion", hand, {}, motion.held(Pose::open), motion.held(Pose::fist), motion.held(Pose::pinch)};
        for (double seconds = 0; seconds < kRecordedSeconds; seconds += kFrameSeconds) {
            own.frames.push_back({static_cast<std::int64_t>(seconds * 1e9), motion.at(seconds)});
        }
        hands.push_back(std::move(own));
    }
    return hands;
}

std::vector<MovingHand> recorded_hands() {
    std::vector<MovingHand> hands;
    const auto recording = read_recording(kHandSession);
    if (!recording) {
        return hands;
    }
    for (const Hand hand : kBothHands) {
        const auto held = [&](const char* pose) { return reference_pose(hand, pose).joint_in_wrist; };
        MovingHand recorded{kHandSession, hand, {}, held("flat"), held("fist"), held("pinch")};
        for (const auto& entry : recording->at("frames")) {
            if (entry.contains(name_of(hand)) && !entry.at(name_of(hand)).empty()) {
                recorded.frames.push_back(frame_of(entry.at("t").get<double>(), entry.at(name_of(hand))));
            }
        }
        hands.push_back(std::move(recorded));
    }
    return hands;
}

}  // namespace

std::vector<MovingHand> moving_hands(Motion motion) {
    switch (motion) {
        case Motion::quick:
            return own_hands(kQuickMotion);
        case Motion::calm:
            return own_hands(kCalmMotion);
        case Motion::recorded:
            break;
    }
    return recorded_hands();
}

double wrist_to_middle_knuckle_mm(const std::vector<HandFrame>& frames) {
    double sum = 0;
    for (const HandFrame& frame : frames) {
        sum += millimetres_between({0, 0, 0}, frame.joint_in_wrist[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].position);
    }
    return sum / static_cast<double>(frames.size());
}

HandCalibration measured_calibration(Hand hand, const std::vector<HandFrame>& frames) {
    HandCalibration out = template_calibration(static_cast<float>(wrist_to_middle_knuckle_mm(frames)));
    const auto share = 1 / static_cast<double>(frames.size());
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        FingerModel& model = out.fingers[finger];
        Row from_pivot = row_of(model.root_from_pivot);
        from_pivot[0] *= hand == Hand::left ? 1 : -1;
        Row root{};
        Row tip{};
        double first = 0;
        double second = 0;
        for (const HandFrame& frame : frames) {
            const XrPosef* const joint = &frame.joint_in_wrist[kRoot[finger]];
            first += share * millimetres_between(joint[0].position, joint[1].position) / 1000;
            second += share * millimetres_between(joint[1].position, joint[2].position) / 1000;
            const Row to_tip =
                transposed(matrix_of(joint[2].orientation)) * from_to(joint[2].position, joint[3].position);
            const Row at = row_of(joint[0].position);
            const Row carried = matrix_of(joint[0].orientation) * from_pivot;
            for (std::size_t i = 0; i < 3; ++i) {
                root[i] += share * (at[i] - carried[i]);
                tip[i] += share * to_tip[i];
            }
        }
        if (hand == Hand::right) {
            root[0] = -root[0];
            tip[0] = -tip[0];
        }
        const Row at_zero = matrix_of(model.root_in_wrist.orientation) * row_of(model.root_from_pivot);
        for (std::size_t i = 0; i < 3; ++i) {
            root[i] += at_zero[i];
        }
        model.root_in_wrist.position = vector(root);
        model.root_to_middle_m = static_cast<float>(first);
        model.middle_to_end_m = static_cast<float>(second);
        model.tip_in_end = vector(tip);
    }
    return out;
}

HandCalibration disturbed(HandCalibration calibration, double share, double shift_m, std::mt19937& random) {
    std::uniform_real_distribution<double> any(-1, 1);
    const auto factor = [&] { return static_cast<float>(1 + share * any(random)); };
    const auto shift = [&] { return static_cast<float>(shift_m * any(random)); };
    for (FingerModel& finger : calibration.fingers) {
        finger.root_to_middle_m *= factor();
        finger.middle_to_end_m *= factor();
        const float last = factor();
        finger.tip_in_end = {last * finger.tip_in_end.x, last * finger.tip_in_end.y, last * finger.tip_in_end.z};
        XrVector3f& root = finger.root_in_wrist.position;
        root = {root.x + shift(), root.y + shift(), root.z + shift()};
    }
    return calibration;
}

}  // namespace glove::test
