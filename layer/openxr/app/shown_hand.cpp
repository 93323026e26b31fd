// SPDX-License-Identifier: Apache-2.0
#include "openxr/app/shown_hand.hpp"

#include <algorithm>

#include "hand/pose_math.hpp"

namespace glove {

namespace {

constexpr std::int64_t kTrialNs = 300'000'000;
// Older than this, what was shown says nothing of where the hand should come from.
constexpr std::int64_t kShownForNs = 200'000'000;

// A glove is worn on purpose: it takes over at once.
Ranks glove_at_once(const ShownHand::Order& order) noexcept {
    const auto at = std::find(order.begin(), order.end(), Config::HandSource::glove);
    return bit_of_rank(static_cast<std::size_t>(at - order.begin()));
}

}  // namespace

ShownHand::ShownHand(const Order& order, const ReferenceSpaceChanges& reference_space_changes) noexcept
    : order_(order), reference_space_changes_(reference_space_changes), choice_({kTrialNs, 0, glove_at_once(order)}) {
}

std::size_t ShownHand::rank_of(Config::HandSource source) const noexcept {
    return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), source) - order_.begin());
}

Ranks ShownHand::ranks_of(const Good& good) const noexcept {
    Ranks ranks = 0;
    for (const auto& [is_good, source] :
         {std::pair{good.glove, Config::HandSource::glove}, std::pair{good.native, Config::HandSource::native},
          std::pair{good.controller, Config::HandSource::controller}}) {
        ranks |= is_good ? bit_of_rank(rank_of(source)) : Ranks{0};
    }
    return ranks;
}

bool ShownHand::outranks_native(const Good& good) const noexcept {
    const std::size_t native = rank_of(Config::HandSource::native);
    // The best of ours, which has to be shown already: in its trial the runtime's hand is still the one.
    for (std::size_t rank = 0; rank < native; ++rank) {
        if ((ranks_of(good) & bit_of_rank(rank)) != 0) {
            return order_[rank] == Config::HandSource::glove ||
                   shown_source_.load(std::memory_order_relaxed) == static_cast<int>(order_[rank]);
        }
    }
    return false;
}

std::optional<Config::HandSource> ShownHand::choose(const Good& good, std::int64_t now_ns) noexcept {
    const Ranks ranks = ranks_of(good);
    if (ranks == 0 && shown_source_.load(std::memory_order_relaxed) == kNone) {
        return std::nullopt;
    }
    if (const TryLock steers(steering_); steers) {
        const Choice::Answer answer = choice_.choose(ranks, now_ns);
        return answer.known ? std::optional(order_[answer.rank]) : std::nullopt;
    }
    const int shown = shown_source_.load(std::memory_order_relaxed);
    if (shown != kNone && (ranks & bit_of_rank(rank_of(static_cast<Config::HandSource>(shown)))) != 0) {
        return static_cast<Config::HandSource>(shown);
    }
    for (std::size_t rank = 0; rank < order_.size(); ++rank) {
        if ((ranks & bit_of_rank(rank)) != 0) {
            return order_[rank];
        }
    }
    return std::nullopt;
}

void ShownHand::remember(XrSpace base, XrTime time, std::int64_t now_ns,
                         const XrHandJointLocationEXT* locations) noexcept {
    Shown& shown = kept_[entry_of(kept_, base)];
    shown.base = base;
    shown.time = time;
    shown.at_ns = now_ns;
    for (std::size_t i = 0; i < kJointCount; ++i) {
        shown.joints[i] = locations[i].pose;
    }
}

void ShownHand::blend(Config::HandSource source, XrSpace base, XrTime time, std::int64_t now_ns,
                      XrHandJointLocationEXT* locations, XrHandJointVelocityEXT* velocities) noexcept {
    const TryLock steers(steering_);
    if (steers && shown_source_.load(std::memory_order_relaxed) != static_cast<int>(source)) {
        const auto is_fresh = [now_ns](const Shown& shown) { return now_ns - shown.at_ns < kShownForNs; };
        const bool is_shown = shown_source_.load(std::memory_order_relaxed) != kNone;
        Shown before = kept_[entry_of(kept_, base)];
        const std::optional<XrPosef> previous_in_current =
            reference_space_changes_.previous_in_current(base, before.time, time);
        const bool was_here = before.base == base && is_fresh(before);
        if (is_shown && was_here && previous_in_current) {
            for (XrPosef& joint : before.joints) {
                joint = compose(*previous_in_current, joint);
            }
            const JointBlend blend = blend_from(before.joints, locations, now_ns);
            blend_.publish(blend);
            blends_until_ns_.store(blend.begun_ns + blend.length_ns, std::memory_order_release);
        } else if (is_shown && !was_here && std::any_of(kept_.begin(), kept_.end(), is_fresh)) {
            return;  // the way begins in a base space that the hand was shown in
        } else {
            blends_until_ns_.store(0, std::memory_order_release);
        }
        shown_source_.store(static_cast<int>(source), std::memory_order_relaxed);
    }
    if (now_ns < blends_until_ns_.load(std::memory_order_acquire)) {
        JointBlend blend;
        if (blend_.read(blend)) {
            apply(blend, now_ns, locations, velocities);
        }
    }
    if (steers) {
        remember(base, time, now_ns, locations);
    }
}

}  // namespace glove
