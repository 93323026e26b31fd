// SPDX-License-Identifier: Apache-2.0
#include "hand/fnim/finger_chain.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
constexpr int kN = kFingerAngleCount;
using Vector = Eigen::Matrix<double, kN, 1>;
using Normal = Eigen::Matrix<double, kN, kN>;

// How far a perfect solver would be off: the coil's noise, and what a hand does that hinges do not. Turns about the end
// joint's X (flexion) are hinges' own, so they are believed more than turns about its Y and Z.
constexpr double kPositionSigma = 0.015;  // of the finger's length
constexpr double kFlexionWeight = 1 / (2.5 * kRadiansPerDegree);
constexpr double kSidewaysWeight = 1 / (5 * kRadiansPerDegree);

// The end joint follows the middle joint through their common tendon. Slope and offset vary between fingers and people,
// and the coil mostly knows better: this is for the straight finger, whose tip hardly shows how the bend is shared.
constexpr double kCouplingSlope = 0.65;
constexpr double kCouplingOffset = -5 * kRadiansPerDegree;
constexpr double kCouplingSigma = 30 * kRadiansPerDegree;

// Toward an easy hand where nothing else decides.
constexpr double kEaseSigma = 110 * kRadiansPerDegree;
// The thumb's base is a saddle: how far it twists follows from how it swings, if not to the last degree.
constexpr double kTwistSigma = 20 * kRadiansPerDegree;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr FingerAngles degrees(double a, double b, double c, double d, double e) noexcept {
    return {a * kRadiansPerDegree, b * kRadiansPerDegree, c * kRadiansPerDegree, d * kRadiansPerDegree,
            e * kRadiansPerDegree};
}

constexpr AngleRange kFingerRange{degrees(-25, -30, 0, -10, -10), degrees(25, 95, 0, 115, 80)};
constexpr AngleRange kThumbRange{degrees(-60, -60, -35, -15, -28), degrees(60, 60, 35, 70, 85)};
constexpr FingerAngles kFingerFist = degrees(0, 70, 0, 95, 55);
constexpr FingerAngles kThumbFist = degrees(10, 25, 0, 35, 50);

Vector3d vector(const XrVector3f& v) {
    return {v.x, v.y, v.z};
}
Quaterniond rotation(const XrQuaternionf& q) {
    return {q.w, q.x, q.y, q.z};
}
XrPosef pose(const Quaterniond& q, const Vector3d& p) {
    const Quaterniond unit = q.normalized();
    return {{static_cast<float>(unit.x()), static_cast<float>(unit.y()), static_cast<float>(unit.z()),
             static_cast<float>(unit.w())},
            {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())}};
}
Quaterniond about_x(double angle) {
    return {std::cos(angle / 2), std::sin(angle / 2), 0, 0};
}
Quaterniond about_y(double angle) {
    return {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
}
Quaterniond about_z(double angle) {
    return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
}
Vector3d x_axis(const Quaterniond& q) {
    return {1 - 2 * (q.y() * q.y() + q.z() * q.z()), 2 * (q.x() * q.y() + q.w() * q.z()),
            2 * (q.x() * q.z() - q.w() * q.y())};
}
Vector3d y_axis(const Quaterniond& q) {
    return {2 * (q.x() * q.y() - q.w() * q.z()), 1 - 2 * (q.x() * q.x() + q.z() * q.z()),
            2 * (q.y() * q.z() + q.w() * q.x())};
}
Vector3d z_axis(const Quaterniond& q) {
    return {2 * (q.x() * q.z() + q.w() * q.y()), 2 * (q.y() * q.z() - q.w() * q.x()),
            1 - 2 * (q.x() * q.x() + q.y() * q.y())};
}

// The model in double precision, so that one fit converts it once.
struct Geometry {
    explicit Geometry(const FingerModel& m)
        : root(rotation(m.root_in_wrist.orientation)),
          root_from_pivot(vector(m.root_from_pivot)),
          pivot(vector(m.root_in_wrist.position) - root * root_from_pivot),
          middle_turn(rotation(m.middle_turn)),
          end_turn(rotation(m.end_turn)),
          coil_turn(rotation(m.coil_in_tip.orientation)),
          tip_in_end(vector(m.tip_in_end)),
          coil_in_end(tip_in_end + vector(m.coil_in_tip.position)),
          root_to_middle(m.root_to_middle_m),
          middle_to_end(m.middle_to_end_m) {}

    Quaterniond root;
    Vector3d root_from_pivot, pivot;
    Quaterniond middle_turn, end_turn, coil_turn;
    Vector3d tip_in_end, coil_in_end;
    double root_to_middle, middle_to_end;
};

struct Chain {
    Chain(const Geometry& g, const FingerAngles& a) {
        const Quaterniond spread = g.root * about_y(a[kAbduction]);
        const Quaterniond bent = spread * about_x(-a[kRootFlexion]);
        root = bent * about_z(a[kRootTwist]);
        root_position = g.pivot + root * g.root_from_pivot;
        middle_position = root_position - g.root_to_middle * z_axis(root);
        const Quaterniond middle_hinge = root * g.middle_turn;
        middle = middle_hinge * about_x(-a[kMiddleFlexion]);
        end_position = middle_position - g.middle_to_end * z_axis(middle);
        const Quaterniond end_hinge = middle * g.end_turn;
        end = end_hinge * about_x(-a[kEndFlexion]);
        coil_position = end_position + end * g.coil_in_end;
        coil = end * g.coil_turn;
        axis = {y_axis(g.root), -x_axis(spread), z_axis(bent), -x_axis(middle_hinge), -x_axis(end_hinge)};
    }

    Quaterniond root, middle, end, coil;
    Vector3d root_position, middle_position, end_position, coil_position;
    std::array<Vector3d, kN> axis;  // of each angle, in the wrist frame
};

double length_of(const FingerModel& m) {
    return double{m.root_to_middle_m} + double{m.middle_to_end_m} + vector(m.tip_in_end).norm();
}

double middle_of_range(const AngleRange& range, std::size_t i) {
    return i == kAbduction || i == kRootTwist ? 0 : range.low[i] + 0.4 * (range.high[i] - range.low[i]);
}

// One coil to be explained by angles: residuals, their derivatives, their sum of squares.
class Problem {
public:
    Problem(const FingerModel& model, const XrPosef& coil_in_wrist, const AnglePrior& prior)
        : thumb_(model.thumb),
          geometry_(model),
          position_(vector(coil_in_wrist.position)),
          from_coil_(rotation(coil_in_wrist.orientation).conjugate()),
          position_weight_(1 / (kPositionSigma * length_of(model))),
          prior_mean_(prior.mean) {
        for (std::size_t i = 0; i < kN; ++i) {
            prior_weight_[i] = 1 / (prior.sigma[i] * prior.sigma[i]);
        }
    }

    struct State {
        FingerAngles angles;
        Normal curvature;  // J^T J
        Vector gradient;   // J^T r
        double cost;
        double position_error, turn_error;
    };

    using Residual = Eigen::Matrix<double, 6, 1>;
    using Jacobian = Eigen::Matrix<double, 6, kN>;

    // Of the coil alone, in standard deviations. The turn is seen in the end joint's axes.
    Residual look_at_coil(const Chain& chain, Jacobian* jacobian, State* errors) const {
        Quaterniond turn = from_coil_ * chain.coil;
        if (turn.w() < 0) {
            turn.coeffs() = -turn.coeffs();
        }
        const Vector3d half_turn = geometry_.coil_turn * turn.vec();
        const Vector3d offset = chain.coil_position - position_;
        // Twice the sine of half the angle: the angle itself where it is small, and bounded where the coil contradicts.
        Residual residual;
        residual << position_weight_ * offset, 2 * kFlexionWeight * half_turn.x(), 2 * kSidewaysWeight * half_turn.y(),
            2 * kSidewaysWeight * half_turn.z();
        if (errors != nullptr) {
            errors->position_error = offset.norm();
            errors->turn_error = 2 * std::asin(std::min(1.0, turn.vec().norm()));
        }
        if (jacobian != nullptr) {
            const Eigen::Matrix3d to_end = chain.end.conjugate().toRotationMatrix();
            const Vector3d from_pivot = chain.coil_position - geometry_.pivot;
            const std::array<Vector3d, kN> lever{from_pivot, from_pivot, from_pivot,
                                                 chain.coil_position - chain.middle_position,
                                                 chain.coil_position - chain.end_position};
            for (std::size_t i = 0; i < kN; ++i) {
                const auto column = static_cast<int>(i);
                const Vector3d axis = to_end * chain.axis[i];
                const Vector3d rate = turn.w() * axis + half_turn.cross(axis);
                jacobian->col(column) << position_weight_ * chain.axis[i].cross(lever[i]), kFlexionWeight * rate.x(),
                    kSidewaysWeight * rate.y(), kSidewaysWeight * rate.z();
            }
        }
        return residual;
    }

    [[nodiscard]] Residual coil_residual(const FingerAngles& angles) const {
        return look_at_coil(Chain(geometry_, angles), nullptr, nullptr);
    }

    void evaluate(const FingerAngles& angles, State& out) const {
        Jacobian jacobian;
        const Residual residual = look_at_coil(Chain(geometry_, angles), &jacobian, &out);
        out.angles = angles;
        out.curvature = jacobian.transpose() * jacobian;
        out.gradient = jacobian.transpose() * residual;
        out.cost = residual.squaredNorm();

        const AngleRange& range = angle_range(thumb_);
        for (std::size_t i = 0; i < kN; ++i) {
            const double sigma = i == kRootTwist ? kTwistSigma : kEaseSigma;
            const double ease_weight = 1 / (sigma * sigma);
            const double from_ease = angles[i] - middle_of_range(range, i);
            const double from_prior = angles[i] - prior_mean_[i];
            const auto at = static_cast<int>(i);
            out.curvature(at, at) += ease_weight + prior_weight_[i];
            out.gradient(at) += ease_weight * from_ease + prior_weight_[i] * from_prior;
            out.cost += ease_weight * from_ease * from_ease + prior_weight_[i] * from_prior * from_prior;
        }
        if (!thumb_) {
            constexpr double weight = 1 / (kCouplingSigma * kCouplingSigma);
            const double apart = angles[kEndFlexion] - kCouplingSlope * angles[kMiddleFlexion] - kCouplingOffset;
            out.curvature(kEndFlexion, kEndFlexion) += weight;
            out.curvature(kMiddleFlexion, kMiddleFlexion) += weight * kCouplingSlope * kCouplingSlope;
            out.curvature(kEndFlexion, kMiddleFlexion) -= weight * kCouplingSlope;
            out.curvature(kMiddleFlexion, kEndFlexion) -= weight * kCouplingSlope;
            out.gradient(kEndFlexion) += weight * apart;
            out.gradient(kMiddleFlexion) -= weight * kCouplingSlope * apart;
            out.cost += weight * apart * apart;
        }
    }

private:
    bool thumb_;
    Geometry geometry_;
    Vector3d position_;
    Quaterniond from_coil_;
    double position_weight_;
    FingerAngles prior_mean_;
    FingerAngles prior_weight_;
};

// The damped step, with the angles that stand at an end of their range and want to go further left out.
Vector step_from(const Problem::State& state, const AngleRange& range, double damping) {
    Normal matrix = state.curvature;
    Vector right = -state.gradient;
    for (int i = 0; i < kN; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool fixed = (state.angles[at] <= range.low[at] && state.gradient(i) >= 0) ||
                           (state.angles[at] >= range.high[at] && state.gradient(i) <= 0);
        if (fixed) {
            matrix.row(i).setZero();
            matrix.col(i).setZero();
            matrix(i, i) = 1;
            right(i) = 0;
        } else {
            matrix(i, i) *= 1 + damping;
        }
    }
    return matrix.llt().solve(right);
}

}  // namespace

const AnglePrior kNothingExpected{{}, {kInfinity, kInfinity, kInfinity, kInfinity, kInfinity}};

const AngleRange& angle_range(bool thumb) noexcept {
    return thumb ? kThumbRange : kFingerRange;
}

FingerAngles angles_of_curl(bool thumb, double curl) noexcept {
    FingerAngles angles = thumb ? kThumbFist : kFingerFist;
    for (double& angle : angles) {
        angle *= curl;
    }
    return angles;
}

double curl_of(bool thumb, const FingerAngles& angles) noexcept {
    const FingerAngles& fist = thumb ? kThumbFist : kFingerFist;
    const double closed = angles[kRootFlexion] + angles[kMiddleFlexion];
    return std::clamp(closed / (fist[kRootFlexion] + fist[kMiddleFlexion]), 0.0, 1.0);
}

FingerJoints joints_at(const FingerModel& model, const FingerAngles& angles) noexcept {
    const Geometry geometry(model);
    const Chain chain(geometry, angles);
    return {pose(chain.root, chain.root_position), pose(chain.middle, chain.middle_position),
            pose(chain.end, chain.end_position), pose(chain.end, chain.end_position + chain.end * geometry.tip_in_end)};
}

XrPosef coil_at(const FingerModel& model, const FingerAngles& angles) noexcept {
    const Geometry geometry(model);
    const Chain chain(geometry, angles);
    return pose(chain.coil, chain.coil_position);
}

CoilResidual coil_residual(const FingerModel& model, const XrPosef& coil_in_wrist,
                           const FingerAngles& angles) noexcept {
    const Problem::Residual residual = Problem(model, coil_in_wrist, kNothingExpected).coil_residual(angles);
    CoilResidual out;
    std::copy(residual.data(), residual.data() + out.size(), out.begin());
    return out;
}

FingerFit fit_finger(const FingerModel& model, const XrPosef& coil_in_wrist, const FingerAngles& start,
                     const AnglePrior& prior, int most_iterations) noexcept {
    constexpr double small_step = 0.05 * kRadiansPerDegree;
    constexpr double least_damping = 1e-4;
    constexpr double most_damping = 1e4;

    const AngleRange& range = angle_range(model.thumb);
    const auto into_range = [&range](FingerAngles angles) {
        for (std::size_t i = 0; i < kN; ++i) {
            angles[i] = std::clamp(angles[i], range.low[i], range.high[i]);
        }
        return angles;
    };

    const Problem problem(model, coil_in_wrist, prior);
    Problem::State state;
    Problem::State next;
    problem.evaluate(into_range(start), state);
    double damping = 1e-3;
    int iteration = 0;
    while (iteration < most_iterations && damping < most_damping) {
        ++iteration;
        const Vector step = step_from(state, range, damping);
        FingerAngles angles = state.angles;
        for (std::size_t i = 0; i < kN; ++i) {
            angles[i] += step(static_cast<int>(i));
        }
        problem.evaluate(into_range(angles), next);
        if (next.cost <= state.cost) {
            double largest = 0;
            for (std::size_t i = 0; i < kN; ++i) {
                largest = std::max(largest, std::abs(next.angles[i] - state.angles[i]));
            }
            state = next;
            damping = std::max(least_damping, damping / 10);
            if (largest < small_step) {
                break;
            }
        } else {
            damping *= 10;
        }
    }
    return {state.angles, state.cost, state.position_error, state.turn_error, iteration};
}

}  // namespace glove
