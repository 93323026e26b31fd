// SPDX-License-Identifier: Apache-2.0
#include "hand/fnim/hand_calibration.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "hand/hand_model.hpp"
#include "hand/pose_math.hpp"

namespace glove {
namespace {

// Left hand of kTemplateSizeMm, millimetres and degrees, OpenXR axes. Rounded means of two hands: Quest's and the
// WebXR generic one.
struct TemplateFinger {
    XrVector3f root_mm;
    std::array<double, 3>
        root_deg;  // turns about the fixed x, then y, then z axis; the hinges' slant closes the fist toward the wrist
    std::array<float, 3> bones_mm;
    std::array<double, 3> middle_deg;  // likewise, between hinges
    std::array<double, 3> end_deg;
};

constexpr std::array<TemplateFinger, kFingerCount> kTemplate{{
    {{25, -20, -35.5}, {-8, -49, -86}, {32, 33, 21}, {0, 7, 9.5}, {0, -7, -9.5}},
    {{23, -7, -91.5}, {0, 0, -3.5}, {38, 24, 20}, {0, 0.5, 3}, {0, 3, 2}},
    {{1.5, -2.5, -92}, {0, 3, 1}, {43, 27, 21}, {0, 0.5, 1.5}, {0, 0, 5}},
    {{-17, -6.5, -85}, {0, 6, 6}, {40, 26, 21}, {0, 0, 4}, {0, -3, 0.5}},
    {{-34, -13.5, -74.5}, {0, 8, 13}, {32, 20, 18}, {0, 5, 5}, {0, -5.5, 0}},
}};

// About this the base of the thumb turns, as its metacarpal sees it. Fits Quest hands, which move it by up to 9 mm.
constexpr XrVector3f kThumbFromPivotMm{5, 8, -13};

// Where on the glove the transmitter sits is not documented: on the back of the hand, its axes the hand's, is a guess
// that the captures correct.
constexpr XrVector3f kWristFromTransmitterMm{0, -15, 45};

// What the captures may change, in standard deviations of what is expected: six of the transmitter's pose and the
// hand's size, then twelve a finger.
constexpr int kSharedUnknowns = 7;
constexpr int kSize = 6;
constexpr int kFingerUnknowns = 12;
constexpr int kUnknowns = kSharedUnknowns + static_cast<int>(kFingerCount) * kFingerUnknowns;
constexpr double kTransmitterShiftSigma = 0.002;
constexpr double kTransmitterTurnSigma = 1.5 * kRadiansPerDegree;
constexpr double kSizeSigma = 0.06;  // of the size
constexpr double kBoneSigma = 0.05;  // of its length
constexpr double kRootShiftSigma = 0.003;
constexpr double kRootTurnSigma = 4 * kRadiansPerDegree;
constexpr double kCoilTurnSigma = 4 * kRadiansPerDegree;

// A pose that is held shows the same thing again and again, with the same faults: so many messages of it are looked at,
// and all together count as so many looks.
constexpr std::size_t kMostMessages = 20;
constexpr double kLooksPerCapture = 1.5;
// The base of the thumb is not the fixed point it is taken for, so the thumb has little say about what all fingers
// share.
constexpr double kThumbSay = 0.2;

constexpr int kMostSteps = 25;
constexpr int kFitIterations = 20;

using Unknowns = Eigen::VectorXd;

XrVector3f scaled(const Unknowns& x, int first, double sigma) {
    return {static_cast<float>(sigma * x(first)), static_cast<float>(sigma * x(first + 1)),
            static_cast<float>(sigma * x(first + 2))};
}

XrPosef moved_transmitter(const XrPosef& before, const Unknowns& x) {
    return {normalised(multiply(before.orientation, from_rotation_vector(scaled(x, 3, kTransmitterTurnSigma)))),
            before.position + scaled(x, 0, kTransmitterShiftSigma)};
}

int first_unknown_of(std::size_t finger) {
    return kSharedUnknowns + static_cast<int>(finger) * kFingerUnknowns;
}

FingerModel changed(FingerModel model, const Unknowns& x, int first) {
    const auto factor = [&](int i) { return static_cast<float>(std::exp(kBoneSigma * x(first + i))); };
    const auto size = static_cast<float>(std::exp(kSizeSigma * x(kSize)));
    model.root_to_middle_m *= size * factor(0);
    model.middle_to_end_m *= size * factor(1);
    model.tip_in_end = size * factor(2) * model.tip_in_end;
    model.root_from_pivot = size * model.root_from_pivot;
    XrPosef& root = model.root_in_wrist;
    root.position = size * root.position + scaled(x, first + 3, kRootShiftSigma);
    root.orientation =
        normalised(multiply(root.orientation, from_rotation_vector(scaled(x, first + 6, kRootTurnSigma))));
    XrQuaternionf& coil = model.coil_in_tip.orientation;
    coil = normalised(multiply(coil, from_rotation_vector(scaled(x, first + 9, kCoilTurnSigma))));
    return model;
}

// What is known of a finger's angles because the user was asked for a pose.
AnglePrior expected_angles(CapturedPose pose, bool thumb) {
    constexpr double deg = kRadiansPerDegree;
    switch (pose) {
        case CapturedPose::flat:
            return thumb ? AnglePrior{{0, 0, 0, 10 * deg, 0}, {30 * deg, 30 * deg, 15 * deg, 25 * deg, 25 * deg}}
                         : AnglePrior{{}, {6 * deg, 8 * deg, 5 * deg, 5 * deg, 5 * deg}};
        case CapturedPose::fist:
            return {angles_of_curl(thumb, 1), thumb ? FingerAngles{30 * deg, 30 * deg, 15 * deg, 30 * deg, 30 * deg}
                                                    : FingerAngles{8 * deg, 15 * deg, 10 * deg, 5 * deg, 12 * deg}};
        case CapturedPose::pinch:
            break;
    }
    return {angles_of_curl(thumb, 0.4), thumb ? FingerAngles{30 * deg, 30 * deg, 15 * deg, 30 * deg, 30 * deg}
                                              : FingerAngles{10 * deg, 40 * deg, 40 * deg, 5 * deg, 40 * deg}};
}

// One coil in one message: its pose, and the angles that explain it best under the unknowns of the moment.
struct Look {
    std::size_t finger;
    XrPosef coil_in_transmitter;
    AnglePrior prior;
    double weight;
    FingerAngles angles;
};

std::vector<Look> looks_at(std::span<const Capture> captures) {
    std::vector<Look> looks;
    for (const Capture& capture : captures) {
        const std::size_t count = std::min(capture.messages.size(), kMostMessages);
        for (std::size_t i = 0; i < count; ++i) {
            const fnim::Message& message = capture.messages[i * capture.messages.size() / count];
            for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
                if (message.coils[finger].valid) {
                    const AnglePrior prior = expected_angles(capture.pose, finger == kThumb);
                    const double say = finger == kThumb ? kThumbSay : 1;
                    looks.push_back({finger, coil_as_left(message.hand, message.coils[finger]), prior,
                                     say * kLooksPerCapture / static_cast<double>(count), prior.mean});
                }
            }
        }
    }
    return looks;
}

// A coil that a flat hand shows turned by more than any finger could be is mounted that way round.
HandCalibration with_coils_as_mounted(HandCalibration before, std::span<const Capture> captures) {
    constexpr float clearly_turned = 35 * static_cast<float>(kRadiansPerDegree);
    for (const Capture& capture : captures) {
        if (capture.pose != CapturedPose::flat || capture.messages.empty()) {
            continue;
        }
        const fnim::Message& message = capture.messages[capture.messages.size() / 2];
        for (std::size_t i = 0; i < kFingerCount; ++i) {
            if (!message.coils[i].valid) {
                continue;
            }
            FingerModel& finger = before.fingers[i];
            const XrPosef tip = compose(before.wrist_in_transmitter,
                                        joints_at(finger, expected_angles(capture.pose, i == kThumb).mean).tip);
            const XrQuaternionf mounted = normalised(
                multiply(conjugate(tip.orientation), coil_as_left(message.hand, message.coils[i]).orientation));
            if (angle_between(mounted, finger.coil_in_tip.orientation) > (i == kThumb ? 2.0f : 1.0f) * clearly_turned) {
                finger.coil_in_tip.orientation = mounted;
            }
        }
    }
    return before;
}

class Calibration {
public:
    Calibration(const HandCalibration& before, std::span<const Capture> captures)
        : before_(with_coils_as_mounted(before, captures)), looks_(looks_at(captures)) {}

    [[nodiscard]] HandCalibration at(const Unknowns& x) const {
        HandCalibration out = before_;
        out.wrist_in_transmitter = moved_transmitter(before_.wrist_in_transmitter, x);
        for (std::size_t i = 0; i < kFingerCount; ++i) {
            out.fingers[i] = changed(before_.fingers[i], x, first_unknown_of(i));
        }
        return out;
    }

    struct Trial {
        double cost;  // sum of squares, each look with its best angles
        double rms_m;
        std::vector<FingerAngles> angles;
    };

    [[nodiscard]] Trial at_best_angles(const Unknowns& x) const {
        const HandCalibration calibration = at(x);
        Trial trial{x.squaredNorm(), 0, {}};
        trial.angles.reserve(looks_.size());
        for (const Look& look : looks_) {
            const FingerModel& model = calibration.fingers[look.finger];
            FingerFit best = fit_look(look, look.angles, model, calibration.wrist_in_transmitter);
            const FingerFit afresh = fit_look(look, look.prior.mean, model, calibration.wrist_in_transmitter);
            if (afresh.cost < best.cost) {
                best = afresh;
            }
            trial.angles.push_back(best.angles);
            trial.cost += look.weight * best.cost;
            trial.rms_m += best.position_error_m * best.position_error_m;
        }
        trial.rms_m = looks_.empty() ? 0 : std::sqrt(trial.rms_m / static_cast<double>(looks_.size()));
        return trial;
    }

    void keep(const Trial& trial) {
        for (std::size_t i = 0; i < looks_.size(); ++i) {
            looks_[i].angles = trial.angles[i];
        }
    }

    // Gauss-Newton. The angles are eliminated: with G the residual's derivative at fixed angles and D the one
    // with the angles following, the gradient is G^T r and the curvature G^T D.
    void linearise(const Unknowns& x, Eigen::MatrixXd& curvature, Unknowns& gradient) const {
        curvature = Eigen::MatrixXd::Identity(kUnknowns, kUnknowns);
        gradient = x;
        for (const Look& look : looks_) {
            constexpr int width = kSharedUnknowns + kFingerUnknowns;
            const int first = first_unknown_of(look.finger);
            const auto residual_at = [&](const Unknowns& y, bool follow) {
                const XrPosef transmitter = moved_transmitter(before_.wrist_in_transmitter, y);
                const FingerModel model = changed(before_.fingers[look.finger], y, first);
                const FingerAngles angles =
                    follow ? fit_look(look, look.angles, model, transmitter).angles : look.angles;
                const CoilResidual r = coil_residual(model, coil_in_wrist(look, transmitter), angles);
                return Eigen::Matrix<double, 6, 1>(r.data());
            };
            const auto here = residual_at(x, false);
            Eigen::Matrix<double, 6, width> fixed;
            Eigen::Matrix<double, 6, width> following;
            Unknowns beside = x;
            for (int i = 0; i < width; ++i) {
                const int unknown = i < kSharedUnknowns ? i : first + i - kSharedUnknowns;
                constexpr double difference = 0.1;
                beside(unknown) += difference;
                fixed.col(i) = (residual_at(beside, false) - here) / difference;
                following.col(i) = (residual_at(beside, true) - here) / difference;
                beside(unknown) = x(unknown);
            }
            const Eigen::Matrix<double, width, width> product = fixed.transpose() * following;
            const Eigen::Matrix<double, width, 1> slope = fixed.transpose() * here;
            for (int i = 0; i < width; ++i) {
                const int row = i < kSharedUnknowns ? i : first + i - kSharedUnknowns;
                gradient(row) += look.weight * slope(i);
                for (int j = 0; j < width; ++j) {
                    const int column = j < kSharedUnknowns ? j : first + j - kSharedUnknowns;
                    curvature(row, column) += look.weight * 0.5 * (product(i, j) + product(j, i));
                }
            }
        }
    }

    [[nodiscard]] std::size_t coils_used() const { return looks_.size(); }

private:
    static XrPosef coil_in_wrist(const Look& look, const XrPosef& wrist_in_transmitter) {
        XrPosef coil = compose(inverse(wrist_in_transmitter), look.coil_in_transmitter);
        coil.orientation = normalised(coil.orientation);
        return coil;
    }
    static FingerFit fit_look(const Look& look, const FingerAngles& start, const FingerModel& model,
                              const XrPosef& wrist_in_transmitter) {
        return fit_finger(model, coil_in_wrist(look, wrist_in_transmitter), start, look.prior, kFitIterations);
    }

    HandCalibration before_;
    std::vector<Look> looks_;
};

}  // namespace

XrPosef mirrored(const XrPosef& pose) noexcept {
    const XrQuaternionf& q = pose.orientation;
    const XrVector3f& p = pose.position;
    return {{q.x, -q.y, -q.z, q.w}, {-p.x, p.y, p.z}};
}

XrPosef coil_as_left(Hand hand, const fnim::CoilPose& coil) noexcept {
    // Right-forward-up to right-up-back: a quarter turn about X.
    const auto& [x, y, z] = coil.position;
    const auto& [qw, qx, qy, qz] = coil.orientation_wxyz;
    const XrPosef pose{{qx, qz, -qy, qw}, {x, z, -y}};
    return hand == Hand::left ? pose : mirrored(pose);
}

HandCalibration template_calibration(float size_mm) noexcept {
    const float scale = size_mm / kTemplateSizeMm * 0.001f;
    const auto turn = [](const std::array<double, 3>& deg) { return from_euler_degrees(deg[0], deg[1], deg[2]); };
    HandCalibration out{};
    out.wrist_in_transmitter = {kNoRotation, 0.001f * kWristFromTransmitterMm};
    for (std::size_t i = 0; i < kFingerCount; ++i) {
        const TemplateFinger& finger = kTemplate[i];
        const auto& rv = finger.root_deg;
        const XrQuaternionf root = i == kThumb ? from_rotation_vector({static_cast<float>(rv[0] * kRadiansPerDegree),
                                                                       static_cast<float>(rv[1] * kRadiansPerDegree),
                                                                       static_cast<float>(rv[2] * kRadiansPerDegree)})
                                               : turn(rv);
        out.fingers[i] = {i == kThumb,
                          {root, scale * finger.root_mm},
                          i == kThumb ? scale * kThumbFromPivotMm : XrVector3f{},
                          scale * finger.bones_mm[0],
                          scale * finger.bones_mm[1],
                          turn(finger.middle_deg),
                          turn(finger.end_deg),
                          {0, 0, -scale * finger.bones_mm[2]},
                          kIdentityPose};
    }
    return out;
}

CalibrationReport calibrate(const HandCalibration& before, std::span<const Capture> captures) {
    Calibration calibration(before, captures);
    Unknowns x = Unknowns::Zero(kUnknowns);
    Calibration::Trial now = calibration.at_best_angles(x);
    calibration.keep(now);
    const double error_before_m = now.rms_m;

    Eigen::MatrixXd curvature;
    Unknowns gradient;
    double damping = 1e-2;
    bool linear = false;
    for (int i = 0; i < kMostSteps; ++i) {
        if (!linear) {
            calibration.linearise(x, curvature, gradient);
            linear = true;
        }
        Eigen::MatrixXd damped = curvature;
        damped.diagonal() *= 1 + damping;
        const Unknowns step = damped.ldlt().solve(-gradient);
        const Calibration::Trial next = calibration.at_best_angles(x + step);
        if (!(next.cost < now.cost)) {
            damping *= 10;
            continue;
        }
        const bool done = now.cost - next.cost < 1e-4 * next.cost;
        x += step;
        now = next;
        calibration.keep(now);
        linear = false;
        damping /= 10;
        if (done) {
            break;
        }
    }
    return {calibration.at(x), error_before_m, now.rms_m, calibration.coils_used()};
}

}  // namespace glove
