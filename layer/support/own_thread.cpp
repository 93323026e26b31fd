// SPDX-License-Identifier: Apache-2.0
#include "support/own_thread.hpp"

#ifdef _WIN32
#include <windows.h>
#else
#include <pthread.h>
#include <unistd.h>
#endif

#include <utility>

#include "support/signals_blocked.hpp"

namespace glove {

long this_process() noexcept {
#ifdef _WIN32
    return static_cast<long>(GetCurrentProcessId());
#else
    return getpid();
#endif
}

OwnThread::OwnThread(const char* name, std::function<void()> work)
    : running_(std::make_unique<Running>()), process_(this_process()) {
    std::packaged_task<void()> task([name, work = std::move(work)] {
#ifdef __linux__
        pthread_setname_np(pthread_self(), name);
#else
        static_cast<void>(name);
#endif
        work();
    });
    running_->ended = task.get_future();
    [[maybe_unused]] const SignalsBlocked blocked;
    running_->thread = std::thread(std::move(task));
}

OwnThread::~OwnThread() {
    if (running_ == nullptr) {
        return;
    }
    if (is_of_another_process()) {
        static_cast<void>(running_.release());  // the system has given its thread's place away
    } else {
        running_->thread.join();
    }
}

bool OwnThread::join_until(std::chrono::steady_clock::time_point deadline) noexcept {
    if (running_ == nullptr) {
        return !left_;
    }
    if (is_of_another_process() || running_->ended.wait_until(deadline) != std::future_status::ready) {
        left_ = true;
        if (!is_of_another_process()) {
            running_->thread.detach();
        }
        static_cast<void>(running_.release());  // with it the library stays
        return false;
    }
    running_->thread.join();
    running_.reset();
    return true;
}

}  // namespace glove
