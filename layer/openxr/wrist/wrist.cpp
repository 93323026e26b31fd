// SPDX-License-Identifier: Apache-2.0
#include "openxr/wrist/wrist.hpp"

#include <algorithm>

#include "hand/pose_math.hpp"

namespace glove {

namespace {

// Older than this, what was shown says nothing of where the hand should come from.
constexpr std::int64_t kShownForNs = 500'000'000;
// A hand that nobody saw for so long comes from nowhere: no source is waited for, and it is led from no place.
constexpr std::int64_t kAwayNs = 100'000'000;
// Two poses nearer together or further apart say nothing of how fast the hand is.
constexpr std::int64_t kShortestStepNs = 1'000'000;
constexpr std::int64_t kLongestStepNs = 100'000'000;

}  // namespace

WristKinds allowed_kinds(Config::WristSource source) noexcept {
    switch (source) {
        case Config::WristSource::automatic:
            return bit_of(WristKind::tracker) | bit_of(WristKind::native) | bit_of(WristKind::controller) |
                   bit_of(WristKind::reference);
        case Config::WristSource::tracker:
            return bit_of(WristKind::tracker);
        case Config::WristSource::native:
            return bit_of(WristKind::native);
        case Config::WristSource::controller:
            return bit_of(WristKind::controller);
        case Config::WristSource::view:
        case Config::WristSource::fixed:
            break;
    }
    return bit_of(WristKind::reference);
}

HandWrist::HandWrist(const Config::Wrist& config, Hand hand, const NextTable& next, const SessionInput& input,
                     const ReferenceSpaceChanges& reference_space_changes,
                     std::unique_ptr<ReferenceWrist> reference) noexcept
    : hand_(hand),
      allowed_(allowed_kinds(config.source)),
      next_(next),
      input_(input),
      reference_space_changes_(reference_space_changes),
      reference_(std::move(reference)) {
}

bool HandWrist::wants_native() const noexcept {
    WristState course;
    if (trial_.load(std::memory_order_acquire) == Trial::compare) {
        return true;
    }
    return (allowed_ & bit_of(WristKind::native)) != 0 &&
           !(course_.read(course) && course.known && course.kind < WristKind::native && !course.held);
}

WristKinds HandWrist::ready(const Question& question) const noexcept {
    WristKinds kinds = bit_of(WristKind::reference);
    if (input_.is_there(SessionInput::kTracker, hand_)) {
        kinds |= bit_of(WristKind::tracker);
    }
    if (input_.is_there(SessionInput::kController, hand_)) {
        kinds |= bit_of(WristKind::controller);
    }
    if (question.native != nullptr) {
        kinds |= bit_of(WristKind::native);
    }
    return kinds & allowed_;
}

XrResult HandWrist::ask(WristKind kind, const Question& question, RootMotion& root, bool& found) const noexcept {
    if ((allowed_ & bit_of(kind)) != 0) {
        if (kind == WristKind::native && question.native != nullptr) {
            root = *question.native;
            found = true;
            return XR_SUCCESS;
        }
        SessionInput::Place place;
        const auto device = kind == WristKind::tracker ? SessionInput::kTracker : SessionInput::kController;
        if ((kind == WristKind::tracker || kind == WristKind::controller) && input_.is_there(device, hand_) &&
            input_.place(device, hand_, place)) {
            const XrResult result = locate_root(next_, place.space, place.wrist_in_source, question.base, question.time,
                                                question.with_velocity, root, found);
            if (found) {
                root.is_forearm = place.is_forearm;
                root = at_wrist(root, question.motion);
            }
            return result;
        }
    }
    // Somebody has to look at the application's base space and time.
    RootMotion reference{};
    const XrResult result = reference_->locate(question.base, question.time, question.with_velocity, reference, found);
    found = found && kind == WristKind::reference && (allowed_ & bit_of(kind)) != 0;
    if (found) {
        root = at_wrist(reference, question.motion);
    }
    return result;
}

bool HandWrist::bring_to(XrTime time, Shown& shown) const noexcept {
    const std::optional<XrPosef> previous_in_current =
        reference_space_changes_.previous_in_current(shown.base, shown.time, time);
    if (!previous_in_current) {
        return false;
    }
    shown.time = time;
    shown.root.in_base = compose(*previous_in_current, shown.root.in_base);
    shown.root.velocity.linear = rotate(previous_in_current->orientation, shown.root.velocity.linear);
    shown.root.velocity.angular = rotate(previous_in_current->orientation, shown.root.velocity.angular);
    return true;
}

bool HandWrist::shown_in(const Question& question, Shown& out) const noexcept {
    for (const Latest<Shown>& shown : shown_) {
        if (shown.read(out) && out.base == question.base && question.now_ns - out.at_ns < kShownForNs) {
            return bring_to(question.time, out);
        }
    }
    return false;
}

bool HandWrist::is_shown_elsewhere(const Question& question) const noexcept {
    return std::any_of(kept_.begin(), kept_.end(), [&question](const Shown& shown) {
        return shown.base != question.base && question.now_ns - shown.at_ns < kShownForNs;
    });
}

XrResult HandWrist::steer(const Question& question, WristState& course, RootMotion& root, bool& found) noexcept {
    if (question.now_ns - in_use_ns_ > kAwayNs) {
        choice_ = WristChoice{};
        course.known = false;
    }
    const bool was_known = course.known;
    WristKinds good = ready(question);
    if (!found) {
        good &= static_cast<WristKinds>(~bit_of(course.kind));
    }
    const WristChoice::Answer answer = choice_.choose(good, question.now_ns);
    const bool turns = answer.known && (!course.known || answer.kind != course.kind);
    XrResult result = XR_SUCCESS;
    if (turns && answer.kind != course.kind) {
        found = false;
        result = ask(answer.kind, question, root, found);
        if (XR_FAILED(result)) {
            return result;
        }
    }
    begins_elsewhere_ = false;
    if (found && answer.known && (turns || course.held)) {
        Shown before;
        const bool was_here = was_known && shown_in(question, before);
        course.blend = was_here ? blend_from(before.root.in_base, root.in_base, question.now_ns) : WristBlend{};
        begins_elsewhere_ = was_known && !was_here && is_shown_elsewhere(question);
    }
    course.kind = answer.kind;
    course.known = answer.known;
    course.held = answer.held || (turns && !found);
    if (!begins_elsewhere_) {
        course_.publish(course);
    }
    if (question.is_shown && (found || course.held)) {
        in_use_ns_ = question.now_ns;
    }
    return result;
}

void HandWrist::remember(const Question& question, RootMotion& root) noexcept {
    const std::size_t entry = entry_of(kept_, question.base);
    Shown before = kept_[entry];
    const std::int64_t step_ns = question.time - before.time;
    if (question.with_velocity && !root.velocity_known && before.base == question.base && before.at_ns != 0 &&
        bring_to(question.time, before)) {
        if (step_ns >= kShortestStepNs && step_ns <= kLongestStepNs) {
            const float per_second = 1e9f / static_cast<float>(step_ns);
            root.velocity.linear = per_second * (root.in_base.position - before.root.in_base.position);
            root.velocity.angular = per_second * rotation_vector(multiply(root.in_base.orientation,
                                                                          conjugate(before.root.in_base.orientation)));
            root.velocity_known = true;
        } else if (step_ns < kShortestStepNs && step_ns > -kLongestStepNs) {
            root.velocity = before.root.velocity;  // the same frame again
            root.velocity_known = before.root.velocity_known;
        }
    }
    kept_[entry] = {question.base, question.time, question.now_ns, root};
    shown_[entry].publish(kept_[entry]);
}

void HandWrist::begin_trial(Trial trial) noexcept {
    trials_.fetch_add(1, std::memory_order_relaxed);
    trial_.store(trial, std::memory_order_release);
}

void HandWrist::measure(const Question& question, Trial trial, RootMotion& root, bool found) noexcept {
    const std::uint32_t number = trials_.load(std::memory_order_relaxed);
    if (trial == Trial::freeze && frozen_.base == question.base && !bring_to(question.time, frozen_)) {
        frozen_in_trial_ = 0;
    }
    if (trial == Trial::freeze && found && frozen_in_trial_ != number) {
        frozen_in_trial_ = number;
        frozen_ = {question.base, question.time, question.now_ns, root};
    }
    const bool is_frozen = trial == Trial::freeze && frozen_in_trial_ == number && frozen_.base == question.base;
    for (const WristKind device : {WristKind::tracker, WristKind::controller}) {
        const auto slot = device == WristKind::tracker ? SessionInput::kTracker : SessionInput::kController;
        SessionInput::Place place;
        if (!input_.is_there(slot, hand_) || !input_.place(slot, hand_, place)) {
            continue;
        }
        RootMotion carried{};
        bool is_there = false;
        if (XR_FAILED(locate_root(next_, place.space, place.wrist_in_source, question.base, question.time, false,
                                  carried, is_there)) ||
            !is_there || !carried.position_tracked || !carried.orientation_tracked) {
            break;
        }
        if (is_frozen) {
            measured_.publish({question.time, device, carried.in_base, frozen_.root.in_base});
        } else if (trial == Trial::compare && question.native != nullptr && question.native->position_tracked &&
                   question.native->orientation_tracked) {
            measured_.publish({question.time, device, carried.in_base, question.native->in_base});
        }
        break;
    }
    if (is_frozen) {
        root.in_base = frozen_.root.in_base;
        root.velocity = {};
        root.velocity_known = true;
    }
}

XrResult HandWrist::locate(const Question& question, RootMotion& root, bool& found) noexcept {
    WristState course;
    (void)course_.read(course);
    found = false;
    RootMotion answer{};
    XrResult result = ask(course.kind, question, answer, found);
    if (XR_FAILED(result)) {
        return result;
    }
    const TryLock steers(steering_);
    if (steers) {
        if (const XrResult other = steer(question, course, answer, found); XR_FAILED(other)) {
            return other;
        }
    }
    if (course.held && !(found && !steers)) {
        Shown before;
        found = shown_in(question, before);
        if (found) {
            answer = before.root;
            answer.velocity = {};
            answer.velocity_known = false;
            answer.orientation_tracked = false;
            answer.position_tracked = false;
        }
    } else if (found) {
        apply(course.blend, question.now_ns, answer);
        if (steers && !begins_elsewhere_) {
            remember(question, answer);
        }
    }
    if (steers) {
        if (const Trial trial = trial_.load(std::memory_order_acquire); trial != Trial::none) {
            measure(question, trial, answer, found);
        }
    }
    if (found) {
        root = answer;
    }
    return result;
}

}  // namespace glove
