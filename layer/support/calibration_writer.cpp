// SPDX-License-Identifier: Apache-2.0
#include "support/calibration_writer.hpp"

#ifdef __linux__
#include <pthread.h>
#endif

#include <exception>
#include <system_error>
#include <utility>

#include "support/log.hpp"
#include "support/signals_blocked.hpp"

namespace glove {

namespace {

void say(const std::string& what, const char* why) noexcept {
    log::warning("%s is not kept: %s", what.c_str(), why);
}

}  // namespace

void CalibrationWriter::write(CalibrationValues changes, std::string what) {
    if (file_.empty()) {
        return;
    }
    const std::lock_guard lock(mutex_);
    wanted_.push_back({std::move(changes), std::move(what)});
    if (runs_) {
        return;
    }
    if (thread_.joinable()) {
        thread_.join();  // it has nothing left to do
    }
    if (!keeps_own_library_) {
        keeps_own_library_.emplace();
    }
    try {
        [[maybe_unused]] const SignalsBlocked blocked;
        thread_ = std::thread([this] { run(); });
        runs_ = true;
    } catch (const std::system_error& error) {
        say(wanted_.back().what, error.what());
        wanted_.clear();
    }
}

void CalibrationWriter::wait() noexcept {
    std::thread last;
    {
        const std::lock_guard lock(mutex_);
        last = std::move(thread_);
    }
    if (last.joinable()) {
        last.join();
    }
}

void CalibrationWriter::run() noexcept {
#ifdef __linux__
    pthread_setname_np(pthread_self(), "glove_writer");
#endif
    for (;;) {
        std::vector<Wanted> now;
        {
            const std::lock_guard lock(mutex_);
            now.swap(wanted_);
            if (now.empty()) {
                runs_ = false;
                return;
            }
        }
        for (const Wanted& wanted : now) {
            try {
                if (const std::string why = save_calibration(wanted.changes, file_); !why.empty()) {
                    say(wanted.what, why.c_str());
                }
            } catch (const std::exception& error) {
                say(wanted.what, error.what());
            }
        }
    }
}

}  // namespace glove
