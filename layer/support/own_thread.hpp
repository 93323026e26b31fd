// SPDX-License-Identifier: Apache-2.0
// A thread in a process that is not ours. It handles no signal of the program's, keeps this library mapped while it
// runs, and whoever waits for its end gets away: a thread that hangs is left behind, and in a child that fork() made
// without it there is nothing to wait for.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>

#include "support/own_library.hpp"

namespace glove {

// Another number in a child of fork().
[[nodiscard]] long this_process() noexcept;

class OwnThread {
public:
    // `name`: up to 15 characters. What `work` throws is dropped. Throws std::bad_alloc and std::system_error.
    OwnThread(const char* name, std::function<void()> work);
    // Waits for as long as it takes, unless the thread was left behind.
    ~OwnThread();
    OwnThread(const OwnThread&) = delete;
    OwnThread& operator=(const OwnThread&) = delete;

    // False when it did not end by then, or is not in this process at all. Then it is left behind for good: what it
    // uses must stay, and this library stays too.
    [[nodiscard]] bool join_until(std::chrono::steady_clock::time_point deadline) noexcept;

private:
    [[nodiscard]] bool is_of_another_process() const noexcept { return process_ != this_process(); }

    struct Running {
        KeepsOwnLibrary library;
        std::thread thread;
        std::future<void> ended;
    };
    std::unique_ptr<Running> running_;  // null: it has ended, or was left behind
    bool left_ = false;
    long process_;
};

}  // namespace glove
