// SPDX-License-Identifier: Apache-2.0
// The log in places that are no files of ours: the program's own stdout and stderr, whatever these are, and pipes. A
// line arrives where somebody can read it, and where nobody can the program neither waits nor ends. Not covered:
// Windows, where only files are written.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include "folders.hpp"
#include "samples/run_program.hpp"
#include "support/log.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

struct Ends {
    int ours;
    int programs;
};

Ends make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    return {ends[0], ends[1]};
}

Ends make_socket() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::runtime_error("no socket");
    }
    return {ends[0], ends[1]};
}

Ends make_terminal() {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        throw std::runtime_error("no terminal");
    }
    return {terminal, open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC)};
}

struct Kind {
    const char* name;
    Ends (*make)();
};

// A program that writes one line to its log, which is its stderr, which is `programs`. As a shell gives it; it is
// given ten seconds.
int run_with_stderr(int programs) {
    const pid_t child = fork();
    if (child == 0) {
        dup2(programs, STDERR_FILENO);
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
        setenv("GLOVE_HANDS_LOG", "/dev/stderr", 1);
        setenv("GLOVE_HANDS_CONFIG", "/nowhere/glove_hands.toml", 1);
        alarm(10);
        execl(GLOVE_BUILD_DIR "/bin/test_file_user", "test_file_user", nullptr);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// What is there now, without waiting.
std::string read_all(int from) {
    fcntl(from, F_SETFL, O_NONBLOCK);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t size = 0; (size = read(from, buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return text;
}

class LogAtStderr : public testing::TestWithParam<Kind> {
protected:
    void TearDown() override {
        close(ends_.ours);
        close(ends_.programs);
    }
    Ends ends_ = GetParam().make();
};

TEST_P(LogAtStderr, IsReadByWhoeverReadsThat) {
    EXPECT_EQ(run_with_stderr(ends_.programs), 0);
    const std::string text = read_all(ends_.ours);
    EXPECT_NE(text.find("error test_file_user["), std::string::npos) << text;
    EXPECT_NE(text.find("] port 15001"), std::string::npos) << text;
}

TEST_P(LogAtStderr, NeitherEndsTheProgramWhenNobodyReadsNorWaitsForThem) {
    std::string flood(1 << 16, '.');
    fcntl(ends_.programs, F_SETFL, O_NONBLOCK);
    while (write(ends_.programs, flood.data(), flood.size()) > 0) {
    }
    fcntl(ends_.programs, F_SETFL, 0);  // the program's own writes would wait
    EXPECT_EQ(run_with_stderr(ends_.programs), 0);
    close(ends_.ours);
    EXPECT_EQ(run_with_stderr(ends_.programs), 0);
    ends_.ours = -1;
}

INSTANTIATE_TEST_SUITE_P(Kinds, LogAtStderr,
                         testing::Values(Kind{"pipe", &make_pipe}, Kind{"socket", &make_socket},
                                         Kind{"terminal", &make_terminal}),
                         [](const auto& kind) { return std::string(kind.param.name); });

// With an end of its own in the same file, one would write over the other.
TEST(LogAtStdout, StandsInOneFileWithWhatTheProgramPrints) {
    const test::Outcome outcome =
        test::run("test_file_user", {}, {{"GLOVE_HANDS_LOG", "/dev/stdout"}, {"GLOVE_HANDS_CONFIG", "/nowhere/x"}});
    EXPECT_EQ(outcome.status, 0);
    const std::size_t logged = outcome.out.find("] port 15001\n");
    const std::size_t printed = outcome.out.find("secure 0 port 15001 complaints 0\n");
    ASSERT_NE(logged, std::string::npos) << outcome.out;
    ASSERT_NE(printed, std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("20"), 0U) << outcome.out;  // the year
}

class LogInAFifo : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
        setenv("GLOVE_HANDS_LOG", path_.c_str(), 1);  // asked once in a process, so this needs one of its own
    }
    test::ScratchFolder folder_;
    const fs::path path_ = folder_.path() / "log";
};

TEST_F(LogInAFifo, IsReadByWhoeverReadsItAndLosesWhatDoesNotFit) {
    EXPECT_EQ(log::problem_of(path_), "nobody reads from there");
    const int reader = open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    EXPECT_EQ(log::problem_of(path_), "");
    log::error("first");
    EXPECT_NE(read_all(reader).find("] first\n"), std::string::npos);
    for (int i = 0; i < 5000; ++i) {  // more than a pipe holds
        log::error("line %d of many that are lost", i);
    }
    const std::string kept = read_all(reader);
    EXPECT_GT(kept.size(), 10'000U);
    EXPECT_EQ(kept.back(), '\n');
    log::error("last");
    EXPECT_NE(read_all(reader).find("] last\n"), std::string::npos);
    close(reader);
}

TEST_F(LogInAFifo, DoesNotEndTheProgramWhoseReaderComesAndGoes) {
    std::atomic<bool> done{false};
    std::thread reader([&] {
        while (!done) {
            close(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
        }
    });
    for (int i = 0; i < 20'000; ++i) {
        log::error("line");
    }
    done = true;
    reader.join();
    sigset_t pending;
    sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

}  // namespace
}  // namespace glove
