// SPDX-License-Identifier: Apache-2.0
// Writes to the calibration file for threads that must not wait for a disk: a write goes down to the platter, which can
// take a second, and a receiver that waits so long loses the glove.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "support/calibration_file.hpp"
#include "support/own_thread.hpp"

namespace glove {

// Any thread may call. A thread of its own does the writing, which is there only while there is something to write.
// In a child that fork() made after this was, nothing is written and nothing waited for.
class CalibrationWriter {
public:
    // Where `file` is empty nothing is written.
    explicit CalibrationWriter(std::filesystem::path file);
    // After everything was written, or was given up waiting for.
    ~CalibrationWriter() { wait(); }
    CalibrationWriter(const CalibrationWriter&) = delete;
    CalibrationWriter& operator=(const CalibrationWriter&) = delete;

    // Returns at once. In the order they were asked for; when one fails, the log says that `what` is not kept, and why.
    // Throws nothing but std::bad_alloc.
    void write(CalibrationValues changes, std::string what);

    // Until all that was asked for is written.
    void wait() noexcept;
    // No longer than this. What is not written by then is written after, if the program lives so long.
    void wait_until(std::chrono::steady_clock::time_point deadline) noexcept;

private:
    struct Wanted {
        CalibrationValues changes;
        std::string what;
    };
    // The thread's too, which may be left behind.
    struct Work {
        explicit Work(std::filesystem::path to) : file(std::move(to)) {}
        void run() noexcept;

        const std::filesystem::path file;
        std::mutex mutex;
        std::vector<Wanted> wanted;
        bool runs = false;  // the thread; its last act is to say that it does not
    };
    [[nodiscard]] std::unique_ptr<OwnThread> last_thread() noexcept;

    const std::shared_ptr<Work> work_;
    std::unique_ptr<OwnThread> thread_;
    const long process_ = this_process();
};

}  // namespace glove
