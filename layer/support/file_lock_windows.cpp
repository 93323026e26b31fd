// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include <system_error>
#include <thread>

#include "support/file_lock.hpp"

namespace glove {

FileLock::FileLock(const std::filesystem::path& file, std::chrono::milliseconds patience) {
    const HANDLE handle = CreateFileW(file.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                      nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        error_ = std::system_category().message(static_cast<int>(GetLastError()));
        return;
    }
    const auto give_up = std::chrono::steady_clock::now() + patience;
    OVERLAPPED first_byte{};
    while (LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &first_byte) == 0) {
        const DWORD error = GetLastError();
        const bool held = error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING;
        if (!held || std::chrono::steady_clock::now() >= give_up) {
            error_ = held ? kHeldByAnother
                          : "it cannot be locked on this file system: " +
                                std::system_category().message(static_cast<int>(error));
            CloseHandle(handle);
            return;
        }
        std::this_thread::sleep_for(kBetweenTries);
    }
    handle_ = reinterpret_cast<std::intptr_t>(handle);
}

FileLock::~FileLock() {
    if (handle_ != -1) {
        OVERLAPPED first_byte{};
        UnlockFileEx(reinterpret_cast<HANDLE>(handle_), 0, 1, 0, &first_byte);
        CloseHandle(reinterpret_cast<HANDLE>(handle_));
    }
}

}  // namespace glove
