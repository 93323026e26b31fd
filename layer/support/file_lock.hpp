// SPDX-License-Identifier: Apache-2.0
// A lock between programs that the system gives back when its holder ends, in whatever way. For files on a disk, so
// never on the hot path.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace glove {

// One holder at a time of all programs and threads that name the same file. The file is empty and stays.
class FileLock {
public:
    // Tries for so long and no longer, also where the file system knows no locks.
    FileLock(const std::filesystem::path& file, std::chrono::milliseconds patience);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    // Why it is not held; empty when it is.
    [[nodiscard]] const std::string& error() const noexcept { return error_; }

private:
    static constexpr std::chrono::milliseconds kBetweenTries{2};
    static constexpr const char* kHeldByAnother = "another program is writing it";

    std::intptr_t handle_ = -1;  // the system's
    std::string error_;
};

}  // namespace glove
