// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thread>

#include "support/file_lock.hpp"

namespace glove {

FileLock::FileLock(const std::filesystem::path& file, std::chrono::milliseconds patience) {
    // For writing, as file systems of other machines ask for that. A FIFO in its place is not waited for.
    const int descriptor =
        ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
    if (descriptor < 0) {
        error_ = std::generic_category().message(errno);
        return;
    }
    const auto give_up = std::chrono::steady_clock::now() + patience;
    // flock() and not fcntl(): the latter's locks are gone as soon as any thread closes the file.
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        if (error == EINTR) {
            continue;
        }
        if (error != EWOULDBLOCK || std::chrono::steady_clock::now() >= give_up) {
            error_ = error == EWOULDBLOCK
                         ? kHeldByAnother
                         : "it cannot be locked on this file system: " + std::generic_category().message(error);
            ::close(descriptor);
            return;
        }
        std::this_thread::sleep_for(kBetweenTries);
    }
    handle_ = descriptor;
}

FileLock::~FileLock() {
    if (handle_ >= 0) {
        const int descriptor = static_cast<int>(handle_);
        ::flock(descriptor, LOCK_UN);  // also where a child of this program has a copy of the descriptor
        ::close(descriptor);
    }
}

}  // namespace glove
