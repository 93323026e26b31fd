// SPDX-License-Identifier: Apache-2.0
#include "openxr/wrist/wrist.hpp"

#include "motion/pose_memory.hpp"

namespace glove {

namespace {

constexpr SourceSelector::Settings kBelief{SourceSelector::kTrialNs, 200'000'000};

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
                     std::unique_ptr<ReferenceWrist> reference) noexcept
    : hand_(hand),
      allowed_(allowed_kinds(config.source)),
      next_(next),
      input_(input),
      reference_(std::move(reference)),
      selector_(kBelief) {
}

bool HandWrist::wants_native() const noexcept {
    WristState state;
    return (allowed_ & bit_of(WristKind::native)) != 0 &&
           !(state_.read(state) && state.known && state.kind < WristKind::native && !state.held);
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

XrResult HandWrist::steer(const Question& question, WristState& state, Answer& answer) noexcept {
    if (question.now_ns - in_use_ns_ > PoseMemory::kForgottenAfterNs) {
        selector_ = SourceSelector(kBelief);
        state.known = false;
    }
    WristKinds good = ready(question);
    if (!answer.found) {
        good &= static_cast<WristKinds>(~bit_of(state.kind));
    }
    const SourceSelector::Answer chosen = selector_.choose(good, question.now_ns);
    const auto kind = static_cast<WristKind>(chosen.rank);
    const bool turns = chosen.known && (!state.known || kind != state.kind);
    XrResult result = XR_SUCCESS;
    if (turns && kind != state.kind) {
        answer.found = false;
        result = ask(kind, question, answer.root, answer.found);
        if (XR_FAILED(result)) {
            return result;
        }
    }
    state = {kind, chosen.known, chosen.held || (turns && !answer.found)};
    state_.publish(state);
    if (question.is_shown && (answer.found || state.held)) {
        in_use_ns_ = question.now_ns;
    }
    return result;
}

XrResult HandWrist::locate(const Question& question, Answer& answer) noexcept {
    WristState state;
    (void)state_.read(state);
    answer = {};
    XrResult result = ask(state.kind, question, answer.root, answer.found);
    if (XR_FAILED(result)) {
        return result;
    }
    const TryLock steers(steering_);
    if (steers) {
        if (const XrResult other = steer(question, state, answer); XR_FAILED(other)) {
            return other;
        }
    }
    answer.kind = state.kind;
    answer.held = state.held && !(answer.found && !steers);
    return result;
}

}  // namespace glove
