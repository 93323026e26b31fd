// SPDX-License-Identifier: Apache-2.0
#include "motion/wrist_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hand/pose_math.hpp"

namespace glove {

namespace {

// Mean of rotations that lie close together: the mean rotation vector from a first guess, a few times over.
template <class Range, class Rotation>
XrQuaternionf mean_rotation(const Range& range, const XrQuaternionf& guess, Rotation rotation_of) noexcept {
    XrQuaternionf mean = guess;
    for (int round = 0; round < 4; ++round) {
        XrVector3f sum{0, 0, 0};
        std::size_t count = 0;
        for (const auto& item : range) {
            sum = sum + rotation_vector(multiply(conjugate(mean), rotation_of(item)));
            ++count;
        }
        if (count == 0) {
            break;
        }
        mean = normalised(multiply(mean, from_rotation_vector(1.0f / static_cast<float>(count) * sum)));
    }
    return mean;
}

float median(std::vector<float>& values) noexcept {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

template <class Range, class Position>
XrVector3f median_position(const Range& range, Position position_of) {
    std::vector<float> x, y, z;
    for (const auto& item : range) {
        const XrVector3f p = position_of(item);
        x.push_back(p.x);
        y.push_back(p.y);
        z.push_back(p.z);
    }
    return {median(x), median(y), median(z)};
}

}  // namespace

const char* name_of(WristCalibration::Outcome outcome) noexcept {
    switch (outcome) {
        case WristCalibration::Outcome::solved:
            return "solved";
        case WristCalibration::Outcome::too_short:
            return "too few poses were seen";
        case WristCalibration::Outcome::too_still:
            return "the hand hardly turned: turn it about two axes while it is measured";
        case WristCalibration::Outcome::not_rigid:
            return "hand and controller or tracker did not move as one";
    }
    return "unknown";
}

void WristCalibration::add(const XrPosef& source_in_base, const XrPosef& wrist_in_base, std::int64_t time_ns) {
    if (pairs_.size() >= kMost) {
        pairs_.erase(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(kMost / 4));
    }
    pairs_.push_back({source_in_base, compose(inverse(source_in_base), wrist_in_base), time_ns});
}

WristCalibration::Result WristCalibration::solve() const {
    Result result{Outcome::too_short, kIdentityPose, 0, 0, 0};
    if (pairs_.size() < kFewest || span_ns() < kShortestNs) {
        return result;
    }

    // How far the source turned: the largest turn from its mean, and the largest across that turn's axis.
    const XrQuaternionf mean_source = mean_rotation(pairs_, pairs_[pairs_.size() / 2].source_in_base.orientation,
                                                    [](const Pair& p) { return p.source_in_base.orientation; });
    XrVector3f widest{0, 0, 0};
    for (const Pair& pair : pairs_) {
        const XrVector3f turn = rotation_vector(multiply(conjugate(mean_source), pair.source_in_base.orientation));
        if (length(turn) > length(widest)) {
            widest = turn;
        }
    }
    const XrVector3f axis = direction(widest, {1, 0, 0});
    float across = 0;
    for (const Pair& pair : pairs_) {
        const XrVector3f turn = rotation_vector(multiply(conjugate(mean_source), pair.source_in_base.orientation));
        across = std::max(across, length(turn - dot(turn, axis) * axis));
    }
    if (length(widest) < kLeastTurnRad || across < 0.5f * kLeastTurnRad) {
        result.outcome = Outcome::too_still;
        return result;
    }

    // A first guess that outliers cannot move far: the median place, and of all rotations the one nearest to the others
    // among a few.
    const XrVector3f middle = median_position(pairs_, [](const Pair& p) { return p.wrist_in_source.position; });
    constexpr std::size_t kCandidates = 24;
    XrQuaternionf guess = kNoRotation;
    float least = std::numeric_limits<float>::max();
    for (std::size_t c = 0; c < kCandidates; ++c) {
        const XrQuaternionf& candidate =
            pairs_[c * (pairs_.size() - 1) / (kCandidates - 1)].wrist_in_source.orientation;
        float sum = 0;
        for (const Pair& pair : pairs_) {
            sum += angle_between(candidate, pair.wrist_in_source.orientation);
        }
        if (sum < least) {
            least = sum;
            guess = candidate;
        }
    }

    // Three times the median distance and more is an outlier.
    std::vector<float> distances, angles;
    for (const Pair& pair : pairs_) {
        distances.push_back(length(pair.wrist_in_source.position - middle));
        angles.push_back(angle_between(guess, pair.wrist_in_source.orientation));
    }
    std::vector<float> sorted = distances;
    const float far = 3.0f * std::max(median(sorted), 0.001f);
    sorted = angles;
    const float turned = 3.0f * std::max(median(sorted), 0.01f);
    std::vector<const Pair*> kept;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        if (distances[i] <= far && angles[i] <= turned) {
            kept.push_back(&pairs_[i]);
        }
    }
    if (kept.size() < pairs_.size() / 2) {
        result.outcome = Outcome::not_rigid;
        return result;
    }

    const XrVector3f position = median_position(kept, [](const Pair* p) { return p->wrist_in_source.position; });
    const XrQuaternionf orientation =
        mean_rotation(kept, guess, [](const Pair* p) { return p->wrist_in_source.orientation; });
    double square_m = 0;
    double square_rad = 0;
    for (const Pair* pair : kept) {
        const float d = length(pair->wrist_in_source.position - position);
        const float a = angle_between(orientation, pair->wrist_in_source.orientation);
        square_m += static_cast<double>(d) * static_cast<double>(d);
        square_rad += static_cast<double>(a) * static_cast<double>(a);
    }
    const auto count = static_cast<double>(kept.size());
    result.wrist_in_source = {orientation, position};
    result.residual_m = static_cast<float>(std::sqrt(square_m / count));
    result.residual_rad = static_cast<float>(std::sqrt(square_rad / count));
    result.used = kept.size();
    result.outcome = result.residual_m > kMostResidualM || result.residual_rad > kMostResidualRad ? Outcome::not_rigid
                                                                                                  : Outcome::solved;
    return result;
}

void StillPose::add(const XrPosef& pose, std::int64_t time_ns) {
    constexpr std::size_t kMost = 2000;
    if (poses_.size() >= kMost) {
        poses_.erase(poses_.begin(), poses_.begin() + static_cast<std::ptrdiff_t>(kMost / 2));
    }
    poses_.push_back({pose, time_ns});
}

bool StillPose::still_for(std::int64_t still_ns, XrPosef& mean) const noexcept {
    if (poses_.empty() || poses_.back().time_ns - poses_.front().time_ns < still_ns) {
        return false;
    }
    const std::int64_t since = poses_.back().time_ns - still_ns;
    XrVector3f sum{0, 0, 0};
    std::size_t count = 0;
    for (auto it = poses_.rbegin(); it != poses_.rend() && it->time_ns >= since; ++it) {
        sum = sum + it->pose.position;
        ++count;
    }
    constexpr std::size_t kFewest = 20;
    if (count < kFewest) {
        return false;
    }
    const XrVector3f middle = 1.0f / static_cast<float>(count) * sum;
    const auto first = poses_.end() - static_cast<std::ptrdiff_t>(count);
    struct Tail {
        std::vector<Timed>::const_iterator from, to;
        [[nodiscard]] auto begin() const noexcept { return from; }
        [[nodiscard]] auto end() const noexcept { return to; }
    } const tail{first, poses_.end()};
    const XrQuaternionf turn =
        mean_rotation(tail, first->pose.orientation, [](const Timed& t) { return t.pose.orientation; });
    for (const Timed& timed : tail) {
        if (length(timed.pose.position - middle) > kMostMotionM ||
            angle_between(turn, timed.pose.orientation) > kMostTurnRad) {
            return false;
        }
    }
    mean = {turn, middle};
    return true;
}

}  // namespace glove
