// SPDX-License-Identifier: Apache-2.0
// What one slot of this layer in the loader's chain knows of the instances that came through it.
#pragma once

#include <array>
#include <mutex>
#include <utility>

#include "openxr/loader/platform.hpp"

namespace glove {

enum class Role {
    works,      // the application enabled extensions of ours: Instance has the rest
    not_asked,  // it enabled none: everything is passed on, and functions of ours are missing
    aside,  // everything is passed on: another copy of this layer is nearer to the application, or hands cannot be had
};

struct PassThroughInstance {
    XrInstance instance = XR_NULL_HANDLE;
    PFN_xrGetInstanceProcAddr next = nullptr;  // null: no such instance
    Role role = Role::aside;
};

// More instances at a time than a loader makes. With still more, the oldest gives way.
class PassThroughInstances {
public:
    void remember(const PassThroughInstance& instance) noexcept {
        const std::lock_guard lock(mutex_);
        for (PassThroughInstance& entry : entries_) {
            if (entry.instance == instance.instance) {
                entry = {};
            }
        }
        newest_ = (newest_ + 1) % entries_.size();
        entries_[newest_] = instance;
    }

    // Before the call that destroys it: right after it the handle may be another's.
    PassThroughInstance take(XrInstance instance) noexcept {
        const std::lock_guard lock(mutex_);
        for (PassThroughInstance& entry : entries_) {
            if (entry.instance == instance) {
                return std::exchange(entry, {});
            }
        }
        return {};
    }

    [[nodiscard]] PassThroughInstance find(XrInstance instance) noexcept {
        const std::lock_guard lock(mutex_);
        for (const PassThroughInstance& entry : entries_) {
            if (entry.instance == instance) {
                return entry;
            }
        }
        return {};
    }

    // For calls that name no instance.
    [[nodiscard]] PassThroughInstance newest() noexcept {
        const std::lock_guard lock(mutex_);
        for (std::size_t back = 0; back < entries_.size(); ++back) {
            const PassThroughInstance& entry = entries_[(newest_ + entries_.size() - back) % entries_.size()];
            if (entry.next != nullptr) {
                return entry;
            }
        }
        return {};
    }

private:
    std::mutex mutex_;
    std::array<PassThroughInstance, 8> entries_{};
    std::size_t newest_ = 0;
};

}  // namespace glove
