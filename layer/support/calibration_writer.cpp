// SPDX-License-Identifier: Apache-2.0
#include "support/calibration_writer.hpp"

#include <exception>
#include <system_error>
#include <utility>

#include "support/log.hpp"

namespace glove {

namespace {

void say(const std::string& what, const char* why) noexcept {
    log::warning("%s is not kept: %s", what.c_str(), why);
}

}  // namespace

CalibrationWriter::CalibrationWriter(std::filesystem::path file) : work_(std::make_shared<Work>(std::move(file))) {
}

void CalibrationWriter::write(CalibrationValues changes, std::string what) {
    if (work_->file.empty() || process_ != this_process()) {
        return;
    }
    const std::lock_guard lock(work_->mutex);
    work_->wanted.push_back({std::move(changes), std::move(what)});
    if (work_->runs) {
        return;
    }
    thread_.reset();  // it has nothing left to do
    try {
        thread_ = std::make_unique<OwnThread>("glove_writer", [work = work_] { work->run(); });
        work_->runs = true;
    } catch (const std::system_error& error) {
        say(work_->wanted.back().what, error.what());
        work_->wanted.clear();
    }
}

std::unique_ptr<OwnThread> CalibrationWriter::last_thread() noexcept {
    if (process_ != this_process()) {
        return std::move(thread_);  // which may have held the lock
    }
    const std::lock_guard lock(work_->mutex);
    return std::move(thread_);
}

void CalibrationWriter::wait() noexcept {
    const std::unique_ptr<OwnThread> ended = last_thread();
}

void CalibrationWriter::wait_until(std::chrono::steady_clock::time_point deadline) noexcept {
    if (const std::unique_ptr<OwnThread> last = last_thread(); last != nullptr && !last->join_until(deadline)) {
        log::warning("the calibration file is still being written while the program goes on without it");
    }
}

void CalibrationWriter::Work::run() noexcept {
    for (;;) {
        std::vector<Wanted> now;
        {
            const std::lock_guard lock(mutex);
            now.swap(wanted);
            if (now.empty()) {
                runs = false;
                return;
            }
        }
        for (const Wanted& one : now) {
            try {
                if (const std::string why = save_calibration(one.changes, file); !why.empty()) {
                    say(one.what, why.c_str());
                }
            } catch (const std::exception& error) {
                say(one.what, error.what());
            }
        }
    }
}

}  // namespace glove
