// SPDX-License-Identifier: Apache-2.0
#include "openxr/app/session.hpp"

#include "support/clock.hpp"

namespace glove {

namespace {

// An application that means to attach actions has done so by then.
constexpr std::int64_t kSelfAttachAfterNs = 3'000'000'000;
// No more often than displays show frames; applications poll events more often.
constexpr std::int64_t kSelfSyncNs = 8'000'000;

}  // namespace

Registry<Session>& Session::all() noexcept {
    static Registry<Session> registry;
    return registry;
}

Session::Session(Registry<Instance>::Ref instance)
    : instance_(std::move(instance)),
      input_(std::make_shared<SessionInput>(instance_->config())),
      probes_{WristProbe(Hand::left, instance_->next(), *input_, reference_space_changes_),
              WristProbe(Hand::right, instance_->next(), *input_, reference_space_changes_)} {
    if (Input* const input = instance_->input()) {
        input->add(input_);
    }
}

std::vector<XrSession> Session::handles_of(XrInstance instance) {
    std::vector<XrSession> handles;
    all().for_each([&](std::uint64_t key, const Session& session) {
        if (session.instance().handle() == instance) {
            handles.push_back(handle_of<XrSession>(key));
        }
    });
    return handles;
}

void Session::set_state(XrSessionState state, XrTime time, std::int64_t polled_ns) noexcept {
    const bool focused = state == XR_SESSION_STATE_FOCUSED;
    const std::lock_guard lock(state_mutex_);
    const std::int64_t now_ns = steady_now_ns();
    // Only then: a runtime's times need not rise where nothing else says the order.
    if (polled_ns <= state_set_ns_ && time < state_time_) {
        return;
    }
    state_time_ = time;
    state_set_ns_ = now_ns;
    focused_since_ns_.store(focused ? now_ns : 0, std::memory_order_relaxed);
    focused_.store(focused, std::memory_order_relaxed);
}

HandWrist* Session::wrist(XrSession self, Hand hand) {
    if (HandWrist* const known = known_wrist(hand)) {
        return known;
    }
    const Config::Wrist& config = instance_->config().wrist;
    auto reference = ReferenceWrist::make(config, hand, instance_->next(), self);
    if (reference == nullptr) {
        return nullptr;
    }
    // Where another thread was quicker, this one goes again, with its space.
    auto made = std::make_unique<HandWrist>(config, hand, instance_->next(), *input_, std::move(reference));
    const std::lock_guard lock(wrist_mutex_);
    std::unique_ptr<HandWrist>& wrist = wrists_[index_of(hand)];
    if (wrist == nullptr) {
        wrist = std::move(made);
    }
    return wrist.get();
}

void Session::attach_for_itself(XrSession self) {
    const TryLock attaches(attaching_itself_);
    if (!attaches || !instance_->config().wrist.self_attach || instance_->input() == nullptr || !is_focused()) {
        return;
    }
    const std::int64_t now_ns = steady_now_ns();
    if (input_->has_attached_itself()) {
        std::int64_t last_ns = self_synced_ns_.load(std::memory_order_relaxed);
        if (now_ns - last_ns >= kSelfSyncNs && self_synced_ns_.compare_exchange_strong(last_ns, now_ns)) {
            instance_->input()->self_sync(*input_, self);
        }
        return;
    }
    const std::int64_t since_ns = focused_since_ns_.load(std::memory_order_relaxed);
    if (input_->is_attached() || since_ns == 0 || now_ns - since_ns < kSelfAttachAfterNs) {
        return;
    }
    // Before the call: what it brings about may come to another thread that polls.
    input_->set_attached_itself(true);
    instance_->input()->self_attach(*input_, self);
    input_->set_attached_itself(input_->is_attached());
    focused_since_ns_.store(0, std::memory_order_relaxed);  // once is enough
}

void Session::release_spaces() noexcept {
    for (const Hand hand : kBothHands) {
        if (HandWrist* const wrist = known_wrist(hand)) {
            wrist->release();
        }
    }
    input_->release(instance_->next());
}

void Session::renew_spaces(XrSession self) {
    for (const Hand hand : kBothHands) {
        HandWrist* const wrist = known_wrist(hand);
        if (auto reference = wrist == nullptr
                                 ? nullptr
                                 : ReferenceWrist::make(instance_->config().wrist, hand, instance_->next(), self)) {
            wrist->renew(std::move(reference));
        }
    }
    input_->renew_spaces();
}

}  // namespace glove
