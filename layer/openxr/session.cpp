// SPDX-License-Identifier: Apache-2.0
#include "openxr/session.hpp"

#include "openxr/hand_tracker.hpp"

namespace glove {

Registry<Session>& Session::all() noexcept {
    static Registry<Session> registry;
    return registry;
}

const WristSource* Session::wrist(XrSession self, Hand hand) {
    const std::lock_guard lock(wrist_mutex_);
    std::unique_ptr<WristSource>& source = wrists_[index_of(hand)];
    if (source == nullptr) {
        source = make_wrist_source(instance_->config().wrist, hand, instance_->next(), self);
    }
    return source.get();
}

void Session::release_wrists() noexcept {
    const std::lock_guard lock(wrist_mutex_);
    for (const std::unique_ptr<WristSource>& source : wrists_) {
        if (source != nullptr) {
            source->release();
        }
    }
}

void forget_children(Session& session) noexcept {
    const auto is_child = [&session](const HandTracker& tracker) { return &tracker.session() == &session; };
    while (HandTracker::all().take_if(is_child)) {
    }
    session.release_wrists();
}

}  // namespace glove
