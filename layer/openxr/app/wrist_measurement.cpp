// SPDX-License-Identifier: Apache-2.0
#include "openxr/app/wrist_measurement.hpp"

#include <array>
#include <cstdio>
#include <system_error>

#include "hand/calibration_numbers.hpp"
#include "hand/pose_math.hpp"
#include "support/clock.hpp"

namespace glove {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kTickNs = kSecondNs / 20;
constexpr std::int64_t kFileNs = kSecondNs / 2;
// Thumb and little finger together: nobody does it by chance for so long.
constexpr std::int64_t kGestureNs = 3 * kSecondNs;
constexpr float kTouchM = 0.020f;

constexpr const char* kAlign = "the hand is frozen: bring your own hand into it and hold it still";

std::string millimetres_and_degrees(float metres, float radians) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.1f mm, %.1f deg", static_cast<double>(metres) * 1000,
                  static_cast<double>(radians) / kRadiansPerDegree);
    return text.data();
}

}  // namespace

WristMeasurement::WristMeasurement(const Instance& instance, WristOffsets& offsets, std::filesystem::path file)
    : instance_(instance), offsets_(offsets), file_(std::move(file)), writer_(file_) {
    if (!file_.empty()) {
        if (const auto values = read_anew(steady_now_ns())) {
            offsets_.read(*values);
        }
    }
}

void WristMeasurement::tick(std::int64_t now_ns) {
    const TryLock ticks(ticking_);
    if (file_.empty() || !ticks || now_ns - last_ns_ < kTickNs) {
        return;
    }
    last_ns_ = now_ns;
    if (running_ != nullptr) {
        advance(now_ns);
        return;
    }
    if (now_ns - looked_ns_ >= kFileNs) {
        looked_ns_ = now_ns;
        look_at_file(now_ns);
    }
    if (instance_.config().wrist.calibrate_by_gesture && running_ == nullptr) {
        look_at_gesture(now_ns);
    }
}

std::optional<CalibrationValues> WristMeasurement::read_anew(std::int64_t now_ns) {
    std::error_code failure;
    const auto written = std::filesystem::last_write_time(file_, failure);
    if (failure || written == written_) {
        requests_.see_no_change(now_ns);
        return std::nullopt;
    }
    written_ = written;
    CalibrationValues values = load_calibration(file_).values;
    requests_.see(values, now_ns);
    return values;
}

void WristMeasurement::look_at_file(std::int64_t now_ns) {
    if (const auto values = read_anew(now_ns)) {
        offsets_.read(*values);
        Session::for_each_of(instance_.handle(), [](Session& session) { session.input().invalidate(); });
    }
    // Without the focus it is another program's, or ours as soon as the person is in it.
    if (requests_.open(now_ns) && focused_session() != XR_NULL_HANDLE) {
        begin(*requests_.take(), true, now_ns);
    }
}

void WristMeasurement::look_at_gesture(std::int64_t now_ns) {
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
            begin({kNobodysRequest, hand == Hand::left, false}, false, now_ns);
            return;
        }
    }
}

XrSession WristMeasurement::focused_session() const {
    XrSession focused = XR_NULL_HANDLE;
    Session::all().for_each([&](std::uint64_t key, const Session& session) {
        if (&session.instance() == &instance_ && session.is_focused()) {
            focused = handle_of<XrSession>(key);
        }
    });
    return focused;
}

void WristMeasurement::begin(const WristRequest& request, bool asked_in_file, std::int64_t now_ns) {
    answered_ = request.number;
    const Hand hand = request.left ? Hand::left : Hand::right;
    const XrSession focused = focused_session();
    const auto session = Session::find(focused);
    HandWrist* const wrist = session ? session->known_wrist(hand) : nullptr;
    if (wrist == nullptr) {
        answer("failed", "no program in focus shows this hand");
        return;
    }
    const auto way = request.by_native_hand ? WristTrial::Way::compare : WristTrial::Way::align;
    running_ = std::make_unique<Running>(
        Running{hand, focused, asked_in_file, session->probe(hand).newest_measured(), WristTrial(way, now_ns)});
    session->probe(hand).begin(request.by_native_hand ? WristProbe::Trial::compare : WristProbe::Trial::freeze);
    answer("took", request.by_native_hand ? "turn and move the hand where the headset sees it" : kAlign);
}

void WristMeasurement::advance(std::int64_t now_ns) {
    Running& running = *running_;
    const auto session = Session::find(running.session);
    HandWrist* const wrist = session ? session->known_wrist(running.hand) : nullptr;
    if (wrist == nullptr) {
        finish("failed", "the program ended its session");
        return;
    }
    if (running.asked_in_file && is_taken_back(now_ns)) {
        session->probe(running.hand).end();
        finish("failed", "stopped");
        return;
    }
    const std::uint64_t newest = session->probe(running.hand).newest_measured();
    switch (running.trial.watch(newest > running.taken, now_ns)) {
        case WristTrial::Device::as_before:
            break;
        case WristTrial::Device::came:
            answer("took", kAlign);
            break;
        case WristTrial::Device::missing:
            answer("waits", "no controller or tracker follows this hand; switch on the one that is strapped to it");
            break;
    }
    for (; running.taken < newest; ++running.taken) {
        WristProbe::Measured measured{};
        if (session->probe(running.hand).measured(running.taken + 1, measured)) {
            take(measured, *session, now_ns);
        }
    }
    const WristTrial::Result result = running.trial.result(now_ns);
    if (result.stage == WristTrial::Result::Stage::goes_on) {
        return;
    }
    session->probe(running.hand).end();
    if (result.stage == WristTrial::Result::Stage::found) {
        keep(result, *session);
    } else {
        finish("failed", result.why);
    }
}

bool WristMeasurement::is_taken_back(std::int64_t now_ns) {
    if (now_ns - looked_ns_ < kFileNs) {
        return false;
    }
    looked_ns_ = now_ns;
    // Offsets stay as they are while one of them is measured.
    static_cast<void>(read_anew(now_ns));
    return requests_.newest() != answered_;
}

void WristMeasurement::take(const WristProbe::Measured& measured, Session& session, std::int64_t now_ns) {
    WristTrial& trial = running_->trial;
    const auto device = measured.device == WristKind::tracker ? SessionInput::kTracker : SessionInput::kController;
    const std::string source = session.input().source_name(device, running_->hand);
    SessionInput::Place place;
    if (!source.empty() && session.input().place(device, running_->hand, place)) {
        trial.carried_by(source, place.wrist_in_source);
        trial.add(measured.carried_wrist, measured.true_wrist, measured.time, now_ns);
    }
}

void WristMeasurement::keep(const WristTrial::Result& found, Session& session) {
    const Hand hand = running_->hand;
    const std::string& source = running_->trial.source();
    CalibrationValues changes;
    std::vector<double>& numbers = changes.numbers[WristOffsets::key_of(source, hand)];
    numbers = numbers_of(XrPosef{normalised(found.wrist_in_source.orientation), found.wrist_in_source.position});
    if (!wrist_offset_of(numbers)) {
        finish("failed", "the hand is too far from what is to carry it");
        return;
    }
    numbers.insert(numbers.end(), {double{found.residual_m}, double{found.residual_rad}});
    // The hand follows it from now on, whether it can be kept or not.
    CalibrationValues values = load_calibration(file_).values;
    values.numbers.insert_or_assign(changes.numbers.begin()->first, numbers);
    offsets_.read(values);
    session.input().invalidate();
    log::info("wrist: the %s hand was measured on %s", name_of(hand), source.c_str());
    finish("done",
           running_->trial.way() == WristTrial::Way::compare
               ? source + "; remaining difference " + millimetres_and_degrees(found.residual_m, found.residual_rad)
               : source,
           std::move(changes));
}

void WristMeasurement::finish(const char* stage, const std::string& words, CalibrationValues found) {
    answer(stage, words, std::move(found));
    running_.reset();
}

void WristMeasurement::answer(const char* stage, const std::string& words, CalibrationValues found) {
    log::info("wrist calibration: %s: %s", stage, words.c_str());
    found.texts[kWristAnswerKey] = as_text(WristAnswer{answered_, stage, words});
    writer_.write(std::move(found), "what was measured of a wrist");
}

}  // namespace glove
