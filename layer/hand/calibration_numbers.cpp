// SPDX-License-Identifier: Apache-2.0
#include "hand/calibration_numbers.hpp"

#include <cmath>
#include <utility>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

constexpr double kLongestOffsetM = 0.5;   // between any two parts of a glove
constexpr double kShortestBoneM = 0.003;  // from a joint to the next
constexpr double kLongestBoneM = 0.15;
constexpr double kUnitTolerance = 0.01;  // of the length of a quaternion that was written as 1

class Writer {
public:
    void bone(float m) { out_.push_back(double{m}); }
    void offset(const XrVector3f& v) { out_.insert(out_.end(), {double{v.x}, double{v.y}, double{v.z}}); }
    void rotation(const XrQuaternionf& q) {
        out_.insert(out_.end(), {double{q.x}, double{q.y}, double{q.z}, double{q.w}});
    }
    [[nodiscard]] std::vector<double> take() { return std::move(out_); }

private:
    std::vector<double> out_;
};

class Reader {
public:
    explicit Reader(std::span<const double> numbers) noexcept : rest_(numbers) {}

    void bone(float& m) noexcept {
        const double number = next();
        good_ = good_ && number >= kShortestBoneM && number <= kLongestBoneM;
        m = static_cast<float>(number);
    }
    void offset(XrVector3f& v) noexcept {
        for (float* const part : {&v.x, &v.y, &v.z}) {
            const double number = next();
            good_ = good_ && std::abs(number) <= kLongestOffsetM;
            *part = static_cast<float>(number);
        }
    }
    void rotation(XrQuaternionf& q) noexcept {
        double square = 0;
        for (float* const part : {&q.x, &q.y, &q.z, &q.w}) {
            const double number = next();
            square += number * number;
            *part = static_cast<float>(number);
        }
        good_ = good_ && std::abs(std::sqrt(square) - 1) <= kUnitTolerance;
        q = normalised(q);
    }
    // All of it was read, and every number was one that may be there.
    [[nodiscard]] bool good() const noexcept { return good_ && rest_.empty(); }

private:
    double next() noexcept {
        if (rest_.empty()) {
            good_ = false;
            return 0;
        }
        const double number = rest_.front();
        rest_ = rest_.subspan(1);
        good_ = good_ && std::isfinite(number);
        return good_ ? number : 0;
    }

    std::span<const double> rest_;
    bool good_ = true;
};

// One order for writing and reading.
template <class Numbers, class Calibration>
void each_of_hand(Numbers& numbers, Calibration& calibration) {
    numbers.rotation(calibration.wrist_in_transmitter.orientation);
    numbers.offset(calibration.wrist_in_transmitter.position);
    for (auto& finger : calibration.fingers) {
        numbers.rotation(finger.root_in_wrist.orientation);
        numbers.offset(finger.root_in_wrist.position);
        numbers.offset(finger.root_from_pivot);
        numbers.bone(finger.root_to_middle_m);
        numbers.bone(finger.middle_to_end_m);
        numbers.rotation(finger.middle_turn);
        numbers.rotation(finger.end_turn);
        numbers.offset(finger.tip_in_end);
        numbers.rotation(finger.coil_in_tip.orientation);
        numbers.offset(finger.coil_in_tip.position);
    }
}

template <class Numbers, class Rest>
void each_of_rest(Numbers& numbers, Rest& rest) {
    for (auto& finger : rest) {
        for (auto& bone : finger) {
            numbers.rotation(bone);
        }
    }
}

}  // namespace

std::vector<double> numbers_of(const HandCalibration& calibration) {
    Writer writer;
    each_of_hand(writer, calibration);
    return writer.take();
}

std::vector<double> numbers_of(const RestPose& rest) {
    Writer writer;
    each_of_rest(writer, rest);
    return writer.take();
}

std::optional<HandCalibration> hand_calibration_of(std::span<const double> numbers) noexcept {
    HandCalibration calibration{};
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        calibration.fingers[finger].thumb = finger == kThumb;
    }
    Reader reader(numbers);
    each_of_hand(reader, calibration);
    for (const FingerModel& finger : calibration.fingers) {
        if (!(length(finger.tip_in_end) >= static_cast<float>(kShortestBoneM))) {
            return std::nullopt;
        }
    }
    return reader.good() ? std::optional(calibration) : std::nullopt;
}

std::optional<RestPose> rest_pose_of(std::span<const double> numbers) noexcept {
    RestPose rest{};
    Reader reader(numbers);
    each_of_rest(reader, rest);
    return reader.good() ? std::optional(rest) : std::nullopt;
}

}  // namespace glove
