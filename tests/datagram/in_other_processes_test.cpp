// SPDX-License-Identifier: Apache-2.0
// A receiver in programs that fork, start others, close all descriptors, or may not open sockets.
// Not covered: a child made by the system call alone, of which the C library knows nothing.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>

#include "datagram/udp_receiver.hpp"
#include "descriptors.hpp"
#include "udp_socket.hpp"
#include "wait_for.hpp"

namespace glove {
namespace {

using test::close_behind_their_back;
using test::free_udp_port;
using test::is_free_udp_port;
using test::open_descriptors;
using test::wait_for;

const UdpReceiver::Handler kNobody = [](std::span<const std::byte>, const Sender&, std::int64_t) {};

class ReceiverInAProgram : public testing::Test {
protected:
    void SetUp() override {
        receiver_ = std::make_unique<UdpReceiver>(UdpReceiver::Settings{{"127.0.0.1"}, port_, {}}, kNobody);
        ASSERT_TRUE(wait_for([&] { return receiver_->port() == port_; }));
        ours_ = open_descriptors();
        std::erase_if(ours_, [&](int number) { return programs_.count(number) > 0; });
    }
    void TearDown() override {
        if (child_ > 0) {
            kill(child_, SIGKILL);
            waitpid(child_, nullptr, 0);
        }
    }
    // A started program closes what it was not to have a moment after its parent goes on.
    [[nodiscard]] bool port_is_free_while_the_child_lives() const {
        return wait_for([&] { return is_free_udp_port(port_); }) && kill(child_, 0) == 0;
    }
    // Whether the receiver ended in time.
    [[nodiscard]] bool stop() {
        return std::exchange(receiver_, nullptr)->stop(std::chrono::steady_clock::now() + std::chrono::seconds(2));
    }

    const std::uint16_t port_ = free_udp_port();
    std::set<int> programs_ = open_descriptors();
    std::set<int> ours_;
    std::unique_ptr<UdpReceiver> receiver_;
    pid_t child_ = -1;
};

TEST_F(ReceiverInAProgram, LeavesNothingToAProgramThatIsStartedByFork) {
    child_ = fork();
    if (child_ == 0) {
        execlp("sleep", "sleep", "60", nullptr);
        _exit(127);
    }
    const std::string name = "/proc/" + std::to_string(child_) + "/comm";
    ASSERT_TRUE(wait_for([&] {
        std::ifstream in(name);
        return std::string(std::istreambuf_iterator<char>(in), {}) == "sleep\n";
    }));
    EXPECT_TRUE(stop());
    EXPECT_TRUE(port_is_free_while_the_child_lives());
}

TEST_F(ReceiverInAProgram, LeavesNothingToAProgramThatIsSpawned) {
    const char* const arguments[] = {"sleep", "60", nullptr};
    ASSERT_EQ(posix_spawnp(&child_, "sleep", nullptr, nullptr, const_cast<char* const*>(arguments), environ), 0);
    EXPECT_TRUE(stop());
    EXPECT_TRUE(port_is_free_while_the_child_lives());
}

TEST_F(ReceiverInAProgram, EveryDescriptorOfOursIsClosedOnExec) {
    ASSERT_FALSE(ours_.empty());
    for (const int number : ours_) {
        EXPECT_NE(fcntl(number, F_GETFD) & FD_CLOEXEC, 0) << number;
    }
}

TEST_F(ReceiverInAProgram, LeavesNothingToAChildThatGoesOnByItself) {
    child_ = fork();
    if (child_ == 0) {
        for (;;) {
            pause();
        }
    }
    EXPECT_TRUE(stop());
    EXPECT_TRUE(port_is_free_while_the_child_lives());
}

// The child has the receiver and not its thread.
TEST_F(ReceiverInAProgram, StopsAtOnceInAChildThatHasNoSuchThread) {
    child_ = fork();
    if (child_ == 0) {
        alarm(10);
        const bool left = !stop();
        _exit(left ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child_, &status, 0), std::exchange(child_, -1));
    EXPECT_EQ(status, 0);
    EXPECT_EQ(receiver_->port(), port_) << "the parent's goes on";
    EXPECT_FALSE(is_free_udp_port(port_));
}

TEST_F(ReceiverInAProgram, StopsWhenTheProgramHasClosedAllDescriptors) {
    for (const int number : ours_) {
        close_behind_their_back(number);
    }
    EXPECT_TRUE(stop());
    EXPECT_TRUE(is_free_udp_port(port_));
}

TEST_F(ReceiverInAProgram, NeitherReadsNorClosesWhatTheProgramOpensInThePlaceOfOurs) {
    int theirs[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, theirs), 0);
    for (const int number : ours_) {
        ASSERT_EQ(syscall(SYS_dup3, theirs[0], number, O_CLOEXEC), number);
    }
    ASSERT_EQ(write(theirs[1], "theirs", 6), 6);
    EXPECT_TRUE(wait_for([&] { return receiver_->port() == port_ && !is_free_udp_port(port_); })) << "it opens anew";
    EXPECT_TRUE(stop());
    char text[16]{};
    EXPECT_EQ(recv(theirs[0], text, sizeof text, MSG_DONTWAIT), 6) << std::string(text);
    for (const int number : ours_) {
        EXPECT_GE(fcntl(number, F_GETFD), 0) << number;
        close_behind_their_back(number);
    }
    close(theirs[0]);
    close(theirs[1]);
}

// The calling thread's system call `number` fails from now on with `error`, and that of threads it starts: where its
// first argument is `argument`, or always.
void refuse(unsigned number, int error, int argument = -1) {
    const sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | (argument < 0 ? BPF_JGE : BPF_JEQ) | BPF_K, static_cast<unsigned>(std::max(argument, 0)), 0,
                 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{std::size(filter), const_cast<sock_filter*>(filter)};
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0) << errno;
}

std::vector<UdpReceiver::Address> addresses_where_refused(unsigned number, int error, int argument,
                                                          std::vector<std::string> addresses) {
    std::vector<UdpReceiver::Address> seen;
    std::thread([&] {
        const std::uint16_t port = free_udp_port();
        refuse(number, error, argument);
        const UdpReceiver receiver({std::move(addresses), port, {}}, kNobody);
        EXPECT_TRUE(wait_for([&] { return !(seen = receiver.addresses()).empty(); }));
    }).join();
    return seen;
}

TEST(ReceiverInASandbox, SaysThatItIsASandbox) {
    for (const int error : {EPERM, EACCES}) {
        const auto seen = addresses_where_refused(SYS_bind, error, -1, {"127.0.0.1"});
        ASSERT_EQ(seen.size(), 1u);
        EXPECT_NE(seen[0].problem.find("sandbox"), std::string::npos) << seen[0].problem;
        EXPECT_EQ(seen[0].problem.find("nother program"), std::string::npos) << seen[0].problem;
        EXPECT_FALSE(seen[0].taken);
    }
}

TEST(ReceiverWithoutIpv6, ListensOnWhatThereIsAndSaysNothing) {
    const auto seen = addresses_where_refused(SYS_socket, EAFNOSUPPORT, AF_INET6, {"127.0.0.1", "::1"});
    EXPECT_EQ(seen, (std::vector<UdpReceiver::Address>{{"127.0.0.1", "", false}}));
}

TEST(ReceiverWithoutIpv6, SaysSoWhereNothingElseIsAskedFor) {
    const auto seen = addresses_where_refused(SYS_socket, EAFNOSUPPORT, AF_INET6, {"::1"});
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_NE(seen[0].problem.find("This computer has no such address"), std::string::npos) << seen[0].problem;
}

}  // namespace
}  // namespace glove
