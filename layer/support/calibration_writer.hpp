// SPDX-License-Identifier: Apache-2.0
// Writes to the calibration file for threads that must not wait for a disk: a write goes down to the platter, which can
// take a second, and a receiver that waits so long loses the glove.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/calibration_file.hpp"
#include "support/own_library.hpp"

namespace glove {

// Any thread may call. A thread of its own does the writing, which is there only while there is something to write.
class CalibrationWriter {
public:
    // Where `file` is empty nothing is written.
    explicit CalibrationWriter(std::filesystem::path file) : file_(std::move(file)) {}
    // After everything was written.
    ~CalibrationWriter() { wait(); }
    CalibrationWriter(const CalibrationWriter&) = delete;
    CalibrationWriter& operator=(const CalibrationWriter&) = delete;

    // Returns at once. In the order they were asked for; when one fails, the log says that `what` is not kept, and why.
    // Throws nothing but std::bad_alloc.
    void write(CalibrationValues changes, std::string what);

    // Until all that was asked for is written.
    void wait() noexcept;

private:
    struct Wanted {
        CalibrationValues changes;
        std::string what;
    };
    void run() noexcept;

    const std::filesystem::path file_;
    std::mutex mutex_;
    std::vector<Wanted> wanted_;
    bool runs_ = false;  // the thread; its last act is to say that it does not
    std::thread thread_;
    std::optional<KeepsOwnLibrary> keeps_own_library_;  // from the first thread on
};

}  // namespace glove
