// SPDX-License-Identifier: Apache-2.0
// What one hand tracker shows: which source it takes the hand from, and how it gets from one to the next. Any thread
// may ask; no lock, no allocation.
#pragma once

#include <array>
#include <atomic>
#include <optional>

#include "motion/choice.hpp"
#include "motion/joint_blend.hpp"
#include "openxr/wrist/per_base_space.hpp"
#include "openxr/wrist/reference_space_changes.hpp"
#include "support/config.hpp"
#include "support/latest.hpp"
#include "support/try_lock.hpp"

namespace glove {

class ShownHand {
public:
    using Order = std::array<Config::HandSource, Config::kHandSourceCount>;

    ShownHand(const Order& order, const ReferenceSpaceChanges& reference_space_changes) noexcept;

    struct Good {
        bool glove, native, controller;
    };
    // The source to show now; nothing where none is good.
    [[nodiscard]] std::optional<Config::HandSource> choose(const Good& good, std::int64_t now_ns) noexcept;

    // Whether `source` stands before all others that are good, and will be chosen whatever they are.
    [[nodiscard]] bool outranks_native(const Good& good) const noexcept;

    // Leads the joints, which are `source`'s in this base space at this time, on from what was shown before.
    void blend(Config::HandSource source, XrSpace base, XrTime time, std::int64_t now_ns,
               XrHandJointLocationEXT* locations, XrHandJointVelocityEXT* velocities) noexcept;
    // Nothing is shown: the next hand comes from nowhere.
    void nothing() noexcept { shown_source_.store(kNone, std::memory_order_relaxed); }

private:
    struct Shown {
        XrSpace base;
        XrTime time;
        std::int64_t at_ns;
        JointPoses joints;
    };
    static constexpr int kNone = -1;

    [[nodiscard]] std::size_t rank_of(Config::HandSource source) const noexcept;
    [[nodiscard]] Ranks ranks_of(const Good& good) const noexcept;
    // Of the thread that steers.
    void remember(XrSpace base, XrTime time, std::int64_t now_ns, const XrHandJointLocationEXT* locations) noexcept;

    const Order order_;
    const ReferenceSpaceChanges& reference_space_changes_;
    // Whoever finds it free decides for all; the others do as decided before. Nobody waits.
    std::atomic_flag steering_ = ATOMIC_FLAG_INIT;
    Choice choice_;
    std::atomic<int> shown_source_{kNone};
    std::atomic<std::int64_t> blends_until_ns_{0};
    Latest<JointBlend> blend_;
    std::array<Shown, kBaseSpacesKept> kept_{};  // of the thread that steers
};

}  // namespace glove
