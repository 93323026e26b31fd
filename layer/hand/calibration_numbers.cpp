// SPDX-License-Identifier: Apache-2.0
#include "hand/calibration_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hand/pose_math.hpp"

namespace glove {
namespace {

// In metres. Between a small child's hand and one larger than any that was measured.
struct Range {
    double least;
    double most;
};
constexpr Range kBone{0.005, 0.09};      // from a joint to the next, or to the tip
constexpr Range kKnuckle{0.035, 0.16};   // from the wrist; of the middle finger it is the size of the hand
constexpr Range kThumbBase{0.01, 0.10};  // from the wrist
constexpr Range kPivot{0, 0.05};         // of the thumb's base
constexpr Range kCoil{0, 0.09};          // from the tip
constexpr Range kTransmitter{0, 0.4};    // from the wrist; it may be on the forearm
constexpr Range kWristDevice{0, 0.6};    // a controller, or a tracker on the arm
constexpr double kUnitTolerance = 0.01;  // of the length of a quaternion that was written as 1
constexpr std::size_t kNumbersOfAPose = 7;

class Writer {
public:
    void bone(float m) { out_.push_back(double{m}); }
    void offset(const XrVector3f& v, const Range& /*length*/) {
        out_.insert(out_.end(), {double{v.x}, double{v.y}, double{v.z}});
    }
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
        good_ = good_ && is_within(kBone, number);
        m = static_cast<float>(number);
    }
    void offset(XrVector3f& v, const Range& length) noexcept {
        double square = 0;
        for (float* const part : {&v.x, &v.y, &v.z}) {
            const double number = next();
            square += number * number;
            *part = static_cast<float>(number);
        }
        good_ = good_ && is_within(length, std::sqrt(square));
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
    // Says no to what is no number.
    static bool is_within(const Range& range, double number) noexcept {
        return number >= range.least && number <= range.most;
    }
    double next() noexcept {
        if (rest_.empty()) {
            good_ = false;
            return 0;
        }
        const double number = rest_.front();
        rest_ = rest_.subspan(1);
        good_ = good_ && std::abs(number) <= kLargest;
        return good_ ? number : 0;
    }

    static constexpr double kLargest = 10;  // of anything here, and no infinity

    std::span<const double> rest_;
    bool good_ = true;
};

// One order for writing and reading.
template <class Numbers, class Calibration>
void each_of_hand(Numbers& numbers, Calibration& calibration) {
    numbers.rotation(calibration.wrist_in_transmitter.orientation);
    numbers.offset(calibration.wrist_in_transmitter.position, kTransmitter);
    for (auto& finger : calibration.fingers) {
        numbers.rotation(finger.root_in_wrist.orientation);
        numbers.offset(finger.root_in_wrist.position, finger.thumb ? kThumbBase : kKnuckle);
        numbers.offset(finger.root_from_pivot, kPivot);
        numbers.bone(finger.root_to_middle_m);
        numbers.bone(finger.middle_to_end_m);
        numbers.rotation(finger.middle_turn);
        numbers.rotation(finger.end_turn);
        numbers.offset(finger.tip_in_end, kBone);
        numbers.rotation(finger.coil_in_tip.orientation);
        numbers.offset(finger.coil_in_tip.position, kCoil);
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

template <class Numbers, class Pose>
void each_of_pose(Numbers& numbers, Pose& wrist_in_source) {
    numbers.rotation(wrist_in_source.orientation);
    numbers.offset(wrist_in_source.position, kWristDevice);
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

std::vector<double> numbers_of(const XrPosef& wrist_in_source) {
    Writer writer;
    each_of_pose(writer, wrist_in_source);
    return writer.take();
}

std::optional<HandCalibration> hand_calibration_of(std::span<const double> numbers) noexcept {
    HandCalibration calibration{};
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        calibration.fingers[finger].thumb = finger == kThumb;
    }
    Reader reader(numbers);
    each_of_hand(reader, calibration);
    return reader.good() ? std::optional(calibration) : std::nullopt;
}

std::optional<RestPose> rest_pose_of(std::span<const double> numbers) noexcept {
    RestPose rest{};
    Reader reader(numbers);
    each_of_rest(reader, rest);
    return reader.good() ? std::optional(rest) : std::nullopt;
}

std::optional<XrPosef> wrist_offset_of(std::span<const double> numbers) noexcept {
    XrPosef wrist_in_source{};
    Reader reader(numbers.first(std::min(numbers.size(), kNumbersOfAPose)));
    each_of_pose(reader, wrist_in_source);
    return reader.good() ? std::optional(wrist_in_source) : std::nullopt;
}

}  // namespace glove
