// SPDX-License-Identifier: Apache-2.0
#include "openxr/calibrator.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <system_error>

#include "hand/calibration_numbers.hpp"
#include "hand/pose_math.hpp"

namespace glove {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kTickNs = kSecondNs / 20;
constexpr std::int64_t kFileNs = kSecondNs / 2;
// Time to bring the hand to where the frozen one is, before stillness counts.
constexpr std::int64_t kAlignAfterNs = 3 * kSecondNs;
constexpr std::int64_t kStillNs = 2 * kSecondNs;
constexpr std::int64_t kCompareNs = 3 * kSecondNs;
constexpr std::int64_t kLongestNs = 30 * kSecondNs;
// A controller that is lost for a moment is no reason to speak.
constexpr std::int64_t kNoCarrierNs = 3 * kSecondNs / 2;
// Thumb and little finger together: nobody does it by chance for so long.
constexpr std::int64_t kGestureNs = 3 * kSecondNs;
constexpr float kTouchM = 0.020f;

constexpr const char* kAlign = "the hand is frozen: bring your own hand into it and hold it still";

std::uint64_t milliseconds_now() noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count());
}

std::string millimetres_and_degrees(float metres, float radians) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.1f mm, %.1f deg", static_cast<double>(metres) * 1000,
                  static_cast<double>(radians) / kRadiansPerDegree);
    return text.data();
}

}  // namespace

Calibrator::Calibrator(const Instance& instance, WristOffsets& offsets, std::filesystem::path file)
    : instance_(instance), offsets_(offsets), file_(std::move(file)), writer_(file_) {
    if (!file_.empty()) {
        std::error_code failure;
        written_ = std::filesystem::last_write_time(file_, failure);
        offsets_.read(load_calibration(file_).values);
    }
}

void Calibrator::tick(std::int64_t now_ns) {
    const TryLock ticks(ticking_);
    if (file_.empty() || !ticks || now_ns - last_ns_ < kTickNs) {
        return;
    }
    last_ns_ = now_ns;
    if (trial_ != nullptr) {
        advance(now_ns);
        return;
    }
    if (now_ns - looked_ns_ >= kFileNs) {
        looked_ns_ = now_ns;
        look_at_file(now_ns);
    }
    if (instance_.config().wrist.calibrate_by_gesture && trial_ == nullptr) {
        look_at_gesture(now_ns);
    }
}

void Calibrator::look_at_file(std::int64_t now_ns) {
    std::error_code failure;
    const auto written = std::filesystem::last_write_time(file_, failure);
    if (failure || written == written_) {
        return;
    }
    written_ = written;
    const CalibrationValues values = load_calibration(file_).values;
    offsets_.read(values);
    Session::for_each_of(instance_.handle(), [](Session& session) { session.input().look_again(); });

    const std::optional<WristRequest> request = wrist_request_in(values);
    if (!request || request->number <= answered_ || request->number + kWristRequestGoodForMs < milliseconds_now()) {
        return;
    }
    if (const std::optional<WristAnswer> given = wrist_answer_in(values); given && given->number == request->number) {
        return;  // another program took it
    }
    if (focused_session() == XR_NULL_HANDLE) {
        written_ = {};  // another program's, or ours as soon as the person is in it: looked at again until then
        return;
    }
    begin(*request, now_ns);
    if (trial_ != nullptr) {
        trial_->asked_in_file = true;
    }
}

void Calibrator::look_at_gesture(std::int64_t now_ns) {
    for (const Hand hand : kBothHands) {
        const HandFeed& feed = instance_.stream().hand(hand);
        HandMotion motion;
        std::int64_t& since_ns = gesture_since_ns_[index_of(hand)];
        const std::int64_t heard_ns = feed.heard_ns.load(std::memory_order_acquire);
        const std::int64_t fresh_ns = instance_.config().age.tracked_ms * std::int64_t{1'000'000};
        const bool touches = heard_ns != 0 && now_ns - heard_ns <= fresh_ns && feed.motion.read(motion) &&
                             length(motion.sample.joint_in_wrist[XR_HAND_JOINT_THUMB_TIP_EXT].position -
                                    motion.sample.joint_in_wrist[XR_HAND_JOINT_LITTLE_TIP_EXT].position) < kTouchM;
        if (!touches) {
            since_ns = 0;
        } else if (since_ns == 0) {
            since_ns = now_ns;
        } else if (since_ns > 0 && now_ns - since_ns >= kGestureNs) {
            since_ns = -1;  // once for each time they come together
            begin({milliseconds_now(), hand == Hand::left, false}, now_ns);
            return;
        }
    }
}

XrSession Calibrator::focused_session() const {
    XrSession focused = XR_NULL_HANDLE;
    Session::all().for_each([&](std::uint64_t key, const Session& session) {
        if (&session.instance() == &instance_ && session.is_focused()) {
            focused = handle_of<XrSession>(key);
        }
    });
    return focused;
}

void Calibrator::begin(const WristRequest& request, std::int64_t now_ns) {
    answered_ = request.number;
    const Hand hand = request.left ? Hand::left : Hand::right;
    const XrSession focused = focused_session();
    const auto session = Session::find(focused);
    HandWrist* const wrist = session ? session->known_wrist(hand) : nullptr;
    if (wrist == nullptr) {
        answer("failed", "no program in focus shows this hand");
        return;
    }
    trial_ = std::make_unique<Trial>();
    trial_->request = request;
    trial_->hand = hand;
    trial_->session = focused;
    trial_->begun_ns = now_ns;
    trial_->aligned_from_ns = now_ns;
    trial_->measured_ns = now_ns;
    trial_->taken = wrist->newest_measured();
    wrist->begin_trial(request.by_native_hand ? HandWrist::Trial::compare : HandWrist::Trial::freeze);
    answer("took", request.by_native_hand ? "turn and move the hand where the headset sees it" : kAlign);
}

void Calibrator::advance(std::int64_t now_ns) {
    Trial& trial = *trial_;
    const auto session = Session::find(trial.session);
    HandWrist* const wrist = session ? session->known_wrist(trial.hand) : nullptr;
    if (wrist == nullptr) {
        finish("failed", "the program ended its session");
        return;
    }
    if (trial.asked_in_file && is_taken_back(now_ns)) {
        wrist->end_trial();
        finish("failed", "stopped");
        return;
    }
    const bool is_old = now_ns - trial.begun_ns > kLongestNs;
    const std::uint64_t newest = wrist->newest_measured();
    if (!trial.request.by_native_hand) {
        watch_carrier(newest > trial.taken, now_ns);
    }
    for (; trial.taken < newest; ++trial.taken) {
        HandWrist::Measured measured{};
        if (wrist->measured(trial.taken + 1, measured) &&
            (trial.request.by_native_hand || now_ns - trial.aligned_from_ns >= kAlignAfterNs)) {
            take(measured, *session);
        }
    }

    if (trial.request.by_native_hand) {
        if (trial.compared.span_ns() < kCompareNs && !is_old) {
            return;
        }
        const WristCalibration::Result result = trial.compared.solve();
        if (result.outcome == WristCalibration::Outcome::solved) {
            wrist->end_trial();
            keep(compose(trial.offset, result.wrist_in_source), result.residual_m, result.residual_rad, *session);
        } else if (is_old) {
            wrist->end_trial();
            finish("failed", trial.compared.empty() ? "controller or tracker and the headset's hand were never seen "
                                                      "together"
                                                    : name_of(result.outcome));
        }
        return;
    }
    XrPosef mean{};
    if (trial.still.still_for(kStillNs, mean)) {
        wrist->end_trial();
        keep(compose(trial.offset, compose(inverse(mean), trial.frozen)), 0, 0, *session);
    } else if (is_old) {
        wrist->end_trial();
        finish("failed", trial.waits ? "no controller or tracker follows this hand"
                                     : "the hand was not held still for two seconds");
    }
}

void Calibrator::watch_carrier(bool is_measured, std::int64_t now_ns) {
    Trial& trial = *trial_;
    if (is_measured) {
        trial.measured_ns = now_ns;
        if (trial.waits) {
            trial.waits = false;
            trial.aligned_from_ns = now_ns;
            trial.still.clear();
            answer("took", kAlign);
        }
    } else if (!trial.waits && now_ns - trial.measured_ns >= kNoCarrierNs) {
        trial.waits = true;
        answer("waits", "no controller or tracker follows this hand; switch on the one that is strapped to it");
    }
}

bool Calibrator::is_taken_back(std::int64_t now_ns) {
    if (now_ns - looked_ns_ < kFileNs) {
        return false;
    }
    looked_ns_ = now_ns;
    std::error_code failure;
    const auto written = std::filesystem::last_write_time(file_, failure);
    if (failure || written == written_) {
        return false;
    }
    written_ = written;
    const std::optional<WristRequest> request = wrist_request_in(load_calibration(file_).values);
    return !request || request->number != trial_->request.number;
}

void Calibrator::take(const HandWrist::Measured& measured, Session& session) {
    Trial& trial = *trial_;
    const auto carrier = measured.carrier == WristKind::tracker ? SessionInput::kTracker : SessionInput::kController;
    const std::string source = session.input().source_name(carrier, trial.hand);
    SessionInput::Place place;
    if (source.empty() || !session.input().place(carrier, trial.hand, place)) {
        return;
    }
    if (source != trial.source) {
        // Another controller: what was measured of the one before does not count.
        trial.source = source;
        trial.offset = place.wrist_in_source;
        trial.compared.clear();
        trial.still.clear();
    }
    trial.frozen = measured.true_wrist;
    if (trial.request.by_native_hand) {
        trial.compared.add(measured.carried_wrist, measured.true_wrist, measured.time);
    } else {
        trial.still.add(measured.carried_wrist, measured.time);
    }
}

void Calibrator::keep(const XrPosef& offset, float residual_m, float residual_rad, Session& session) {
    const Trial& trial = *trial_;
    CalibrationValues changes;
    std::vector<double>& numbers = changes.numbers[WristOffsets::key_of(trial.source, trial.hand)];
    numbers = numbers_of(XrPosef{normalised(offset.orientation), offset.position});
    if (!wrist_offset_of(numbers)) {
        finish("failed", "the hand is too far from what is to carry it");
        return;
    }
    numbers.insert(numbers.end(), {double{residual_m}, double{residual_rad}});
    // The hand follows it from now on, whether it can be kept or not.
    CalibrationValues values = load_calibration(file_).values;
    values.numbers.insert_or_assign(changes.numbers.begin()->first, numbers);
    offsets_.read(values);
    session.input().look_again();
    log::info("wrist: the %s hand was measured on %s", name_of(trial.hand), trial.source.c_str());
    finish("done",
           trial.request.by_native_hand
               ? trial.source + "; remaining difference " + millimetres_and_degrees(residual_m, residual_rad)
               : trial.source,
           std::move(changes));
}

void Calibrator::finish(const char* stage, const std::string& words, CalibrationValues found) {
    answer(stage, words, std::move(found));
    trial_.reset();
}

void Calibrator::answer(const char* stage, const std::string& words, CalibrationValues found) {
    log::info("wrist calibration: %s: %s", stage, words.c_str());
    found.texts[kWristAnswerKey] = as_text(WristAnswer{answered_, stage, words});
    writer_.write(std::move(found), "what was measured of a wrist");
}

}  // namespace glove
