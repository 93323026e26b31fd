// SPDX-License-Identifier: Apache-2.0
// Where a hand was shown last in each base space that an application locates it in; applications use one or two.
// Pure: time is a parameter, a base space is a number.
#pragma once

#include <openxr/openxr.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "hand/hand_sample.hpp"
#include "motion/hand_motion.hpp"
#include "support/latest.hpp"

namespace glove {

using JointPoses = std::array<XrPosef, kJointCount>;

// One question of an application.
struct Instant {
    std::uint64_t space;  // not 0
    std::int64_t time;    // XrTime
    std::int64_t now_ns;  // of the caller's steady clock
};

class PoseMemory {
public:
    // A hand that was not shown for so long comes from nowhere.
    static constexpr std::int64_t kForgottenAfterNs = 200'000'000;

    struct Entry {
        Instant at{};
        int source = 0;          // which said where it is
        XrPosef source_wrist{};  // where that had the wrist
        Velocity source_velocity{};
        bool velocity_known = false;
        JointPoses joints{};  // as shown
    };
    struct Wrist {
        Instant at;
        XrPosef pose;
    };

    // One thread at a time. Null where the hand was not shown in this space lately.
    [[nodiscard]] const Entry* find(const Instant& now) const noexcept {
        const auto it = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
            return entry.at.space == now.space && is_fresh(entry.at, now);
        });
        return it == entries_.end() ? nullptr : &*it;
    }
    [[nodiscard]] bool is_anywhere(const Instant& now) const noexcept {
        return std::any_of(entries_.begin(), entries_.end(),
                           [&](const Entry& entry) { return is_fresh(entry.at, now); });
    }
    // The entry of this space, else the one that was used longest ago. `write` fills it.
    template <class Write>
    void remember(const Instant& now, Write write) noexcept {
        std::size_t index = 0;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (entries_[i].at.space == now.space) {
                index = i;
                break;
            }
            index = entries_[i].at.now_ns < entries_[index].at.now_ns ? i : index;
        }
        Entry& entry = entries_[index];
        entry.at = now;
        write(entry);
        wrists_[index].publish({now, entry.joints[XR_HAND_JOINT_WRIST_EXT]});
    }

    // Any thread: the wrist as shown in this space.
    [[nodiscard]] bool wrist_in(const Instant& now, Wrist& out) const noexcept {
        return std::any_of(wrists_.begin(), wrists_.end(), [&](const Latest<Wrist>& wrist) {
            return wrist.read(out) && out.at.space == now.space && is_fresh(out.at, now);
        });
    }

private:
    [[nodiscard]] static bool is_fresh(const Instant& then, const Instant& now) noexcept {
        return then.space != 0 && now.now_ns - then.now_ns < kForgottenAfterNs;
    }

    static constexpr std::size_t kSpaces = 4;
    std::array<Entry, kSpaces> entries_{};
    std::array<Latest<Wrist>, kSpaces> wrists_;
};

}  // namespace glove
