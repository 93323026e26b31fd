// SPDX-License-Identifier: Apache-2.0
// Lets one thread at a time do something that the others can do without: nobody waits, so it may stand on the hot path.
#pragma once

#include <atomic>

namespace glove {

class TryLock {
public:
    explicit TryLock(std::atomic_flag& flag) noexcept
        : flag_(flag.test_and_set(std::memory_order_acquire) ? nullptr : &flag) {}
    ~TryLock() {
        if (flag_ != nullptr) {
            flag_->clear(std::memory_order_release);
        }
    }
    TryLock(const TryLock&) = delete;
    TryLock& operator=(const TryLock&) = delete;

    // Whether this thread is the one.
    [[nodiscard]] explicit operator bool() const noexcept { return flag_ != nullptr; }

private:
    std::atomic_flag* flag_;
};

}  // namespace glove
