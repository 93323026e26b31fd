// SPDX-License-Identifier: Apache-2.0
#include "openxr/app/finger_source.hpp"

#include <algorithm>

namespace glove {

namespace {

// A glove is worn on purpose: it takes over at once.
Ranks glove_at_once(const FingerSource::Order& order) noexcept {
    const auto at = std::find(order.begin(), order.end(), Config::HandSource::glove);
    return bit_of_rank(static_cast<std::size_t>(at - order.begin()));
}

}  // namespace

FingerSource::FingerSource(const Order& order) noexcept
    : order_(order), selector_({SourceSelector::kTrialNs, 0, glove_at_once(order)}) {
}

std::size_t FingerSource::rank_of(Config::HandSource source) const noexcept {
    return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), source) - order_.begin());
}

Ranks FingerSource::ranks_of(const Good& good) const noexcept {
    Ranks ranks = 0;
    for (const auto& [is_good, source] :
         {std::pair{good.glove, Config::HandSource::glove}, std::pair{good.native, Config::HandSource::native},
          std::pair{good.controller, Config::HandSource::controller}}) {
        ranks |= is_good ? bit_of_rank(rank_of(source)) : Ranks{0};
    }
    return ranks;
}

bool FingerSource::outranks_native(const Good& good) const noexcept {
    const std::size_t native = rank_of(Config::HandSource::native);
    // The best of ours, which has to be shown already: in its trial the runtime's hand is still the one.
    for (std::size_t rank = 0; rank < native; ++rank) {
        if ((ranks_of(good) & bit_of_rank(rank)) != 0) {
            return order_[rank] == Config::HandSource::glove ||
                   shown_.load(std::memory_order_relaxed) == static_cast<int>(order_[rank]);
        }
    }
    return false;
}

std::optional<Config::HandSource> FingerSource::choose(const Good& good, std::int64_t now_ns, bool steers) noexcept {
    const Ranks ranks = ranks_of(good);
    if (ranks == 0 && shown_.load(std::memory_order_relaxed) == kNone) {
        return std::nullopt;
    }
    if (steers) {
        const SourceSelector::Answer answer = selector_.choose(ranks, now_ns);
        return answer.known ? std::optional(order_[answer.rank]) : std::nullopt;
    }
    const int shown = shown_.load(std::memory_order_relaxed);
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

}  // namespace glove
