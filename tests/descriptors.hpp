// SPDX-License-Identifier: Apache-2.0
// What a program finds open in itself, and closes without asking whose it is.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <set>

namespace glove::test {

// Asked one by one: a listing would be a descriptor itself, in the place of one that was closed behind a thread's back.
inline std::set<int> open_descriptors() {
    std::set<int> open;
    for (int number = 0; number < 1024; ++number) {
        if (fcntl(number, F_GETFD) >= 0) {
            open.insert(open.end(), number);
        }
    }
    return open;
}

// By the system itself: ThreadSanitizer calls it a race, which it is.
inline void close_behind_their_back(int number) {
    EXPECT_EQ(syscall(SYS_close, number), 0);
}

}  // namespace glove::test
