// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>

#include "glovectl/library_trial.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// What the child says when all is well: silence could also be its death.
constexpr std::string_view kGood = "+";

struct Architecture {
    unsigned char word_size;
    std::uint16_t machine;
    bool operator==(const Architecture&) const = default;
};

std::optional<Architecture> architecture_of(const fs::path& file) {
    // The machine stands at the same place for 32 and 64 bits.
    std::array<char, sizeof(Elf32_Ehdr)> bytes{};
    std::ifstream in(file, std::ios::binary);
    Elf32_Ehdr header{};
    if (!in.read(bytes.data(), bytes.size()) || memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
        return std::nullopt;
    }
    memcpy(&header, bytes.data(), sizeof header);
    return Architecture{header.e_ident[EI_CLASS], header.e_machine};
}

// The system's own words for this are "no such file".
const char* remark_on(const fs::path& library) {
    const auto architecture = architecture_of(library);
    return architecture && architecture != architecture_of("/proc/self/exe") ? " (it is for another kind of processor)"
                                                                             : "";
}

std::string load_and_negotiate(const fs::path& library) {
    void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);  // as the loader does
    if (handle == nullptr) {
        const char* const words = dlerror();
        return std::string(words == nullptr ? "it cannot be loaded" : words) + remark_on(library);
    }
    return problem_of_negotiation(reinterpret_cast<NegotiateLayer>(dlsym(handle, kNegotiation)));
}

[[noreturn]] void be_the_child(const fs::path& library, int answer) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    answer = fcntl(answer, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);  // out of the way of what follows
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        dup2(nothing, stream);  // whatever the library prints
    }
    std::string words;
    try {
        words = load_and_negotiate(library);
    } catch (const std::exception& error) {
        words = error.what();
    }
    if (words.empty()) {
        words = kGood;
    }
    const ssize_t written = write(answer, words.data(), words.size());
    _exit(written == static_cast<ssize_t>(words.size()) ? 0 : 1);
}

// Until the child has said everything or died; nothing: it took too long.
std::optional<std::string> read_answer(int from, std::chrono::milliseconds longest) {
    const auto give_up = Clock::now() + longest;
    std::string words;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(give_up - Clock::now()).count();
        pollfd readable{from, POLLIN, 0};
        const int ready = poll(&readable, 1, left > 0 ? static_cast<int>(left) : 0);
        if (ready == 0) {
            return std::nullopt;
        }
        std::array<char, 512> part{};
        const ssize_t size = ready < 0 ? -1 : read(from, part.data(), part.size());
        if (size == 0 || (size < 0 && errno != EINTR)) {
            return words;
        }
        words.append(part.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    }
}

std::string death_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status)
               ? std::string("signal ") + std::to_string(WTERMSIG(status)) + ", " + strsignal(WTERMSIG(status))
               : "status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

std::string try_library(const fs::path& library, std::chrono::milliseconds longest) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "no pipe to try the library with");
    }
    const pid_t child = fork();
    if (child == 0) {
        be_the_child(library, ends[1]);
    }
    const int failure = errno;
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        throw std::system_error(failure, std::generic_category(), "no process to try the library in");
    }
    const std::optional<std::string> words = read_answer(ends[0], longest);
    close(ends[0]);
    if (!words) {
        kill(child, SIGKILL);
    }
    const std::string death = death_of(child);
    if (!words) {
        return "a program that loads it hangs: nothing for " + std::to_string(longest.count()) + " ms";
    }
    if (words->empty()) {
        return "a program that loads it dies: " + death;
    }
    return *words == kGood ? std::string() : *words;
}

}  // namespace glove::ctl
