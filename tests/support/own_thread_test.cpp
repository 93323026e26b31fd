// SPDX-License-Identifier: Apache-2.0
// Waiting for a thread that ends, that hangs, and that fork() left in another process.
#include "support/own_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "wait_for.hpp"

namespace glove {
namespace {

using std::chrono::steady_clock;
constexpr std::chrono::seconds kLong(60);

TEST(OwnThread, IsWaitedForUntilItEnds) {
    std::atomic<bool> done{false};
    OwnThread thread("glove_test", [&] { done = true; });
    EXPECT_TRUE(thread.join_until(steady_clock::now() + kLong));
    EXPECT_TRUE(done);
    EXPECT_TRUE(thread.join_until(steady_clock::now()));
}

TEST(OwnThread, EndsWellWhateverItsWorkThrows) {
    OwnThread thread("glove_test", [] { throw std::runtime_error("no"); });
    EXPECT_TRUE(thread.join_until(steady_clock::now() + kLong));
}

TEST(OwnThread, IsLeftBehindWhenItHangs) {
    static std::atomic<bool> go_on{false};
    static std::atomic<bool> ended{false};
    {
        OwnThread thread("glove_test", [] {
            while (!go_on) {
                std::this_thread::yield();
            }
            ended = true;
        });
        EXPECT_FALSE(thread.join_until(steady_clock::now() + std::chrono::milliseconds(20)));
        EXPECT_FALSE(thread.join_until(steady_clock::now() + kLong)) << "for good";
    }
    EXPECT_FALSE(ended);
    go_on = true;
    EXPECT_TRUE(test::wait_for([] { return ended.load(); }));
}

#ifndef _WIN32
TEST(OwnThread, IsNotWaitedForInAChildThatDoesNotHaveIt) {
    std::atomic<bool> stop{false};
    OwnThread thread("glove_test", [&] {
        while (!stop) {
            std::this_thread::yield();
        }
    });
    for (const bool by_destructor : {false, true}) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(10);
            if (by_destructor) {
                thread.~OwnThread();
                _exit(0);
            }
            _exit(thread.join_until(steady_clock::now() + kLong) ? 1 : 0);
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    stop = true;
    EXPECT_TRUE(thread.join_until(steady_clock::now() + kLong));
}
#endif

}  // namespace
}  // namespace glove
