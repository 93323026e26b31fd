// SPDX-License-Identifier: Apache-2.0
// Not covered: Windows, a full disk, several processes that move the file away at the same moment.
#include "support/log.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "samples/run_program.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

class Log : public testing::Test {
protected:
    // The log asks for its place once in a process, so all tests share it.
    static const fs::path& file() {
        static const test::ScratchFolder folder;
        static const fs::path path = [] {
            fs::path name = folder.path() / "made" / "by log" / "glove_hands.log";
            setenv("GLOVE_HANDS_LOG", name.c_str(), 1);
            return name;
        }();
        return path;
    }
    static fs::path older() { return file().string() + ".1"; }

    void SetUp() override {
        fs::remove_all(file());
        fs::remove_all(older());
        log::set_level(LogLevel::info);
    }

    static std::vector<std::string> lines(const fs::path& path = file()) {
        std::ifstream in(path, std::ios::binary);
        std::vector<std::string> all;
        for (std::string line; std::getline(in, line);) {
            all.push_back(line);
        }
        return all;
    }

    // What follows "time level name[process] ".
    static std::string text_of(const std::string& line) { return line.substr(line.find("] ") + 2); }
};

TEST_F(Log, LineSaysWhenHowBadAndWho) {
    const std::time_t before = std::time(nullptr);
    log::warning("%s is %d", "port", 15001);
    const std::time_t after = std::time(nullptr);

    ASSERT_EQ(lines().size(), 1U);
    const std::string line = lines()[0];
    const std::string form = "2026-11-30T18:24:54.123Z";
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool digit = form[i] >= '0' && form[i] <= '9';
        EXPECT_TRUE(digit ? line[i] >= '0' && line[i] <= '9' : line[i] == form[i]) << line;
    }
    std::tm utc{};
    ASSERT_NE(strptime(line.c_str(), "%Y-%m-%dT%H:%M:%S", &utc), nullptr);
    EXPECT_GE(timegm(&utc), before);
    EXPECT_LE(timegm(&utc), after);
    const std::string name = fs::read_symlink("/proc/self/exe").filename();
    EXPECT_EQ(line.substr(form.size()), " warning " + name + '[' + std::to_string(getpid()) + "] port is 15001");
}

TEST_F(Log, WritesWhatItsLevelAllows) {
    const auto write_all = [] {
        log::error("e");
        log::warning("w");
        log::info("i");
        log::debug("d");
    };
    const std::map<LogLevel, std::string> wanted = {
        {LogLevel::error, "e"}, {LogLevel::warning, "ew"}, {LogLevel::info, "ewi"}, {LogLevel::debug, "ewid"}};
    for (const auto& [level, letters] : wanted) {
        fs::remove(file());
        log::set_level(level);
        write_all();
        std::string written;
        for (const std::string& line : lines()) {
            written += line.back();
        }
        EXPECT_EQ(written, letters);
    }
}

TEST_F(Log, EscapesWhatCouldForgeALineOrMoveACursor) {
    log::info("%s", "a\nb\r\x1b[2J\x7f\x01~ \xc3\xa9\xff");
    ASSERT_EQ(lines().size(), 1U);
    EXPECT_NE(lines()[0].find("] a\\x0ab\\x0d\\x1b[2J\\x7f\\x01~ \\xc3\\xa9\\xff"), std::string::npos) << lines()[0];
}

TEST_F(Log, CutsALongTextAndSaysSo) {
    const std::string text(100'000, '\n');
    log::info("%s", text.c_str());
    log::info("next");
    ASSERT_EQ(lines().size(), 2U);
    EXPECT_LT(lines()[0].size(), 10'000U);
    EXPECT_EQ(lines()[0].substr(lines()[0].size() - 7), "\\x0a...");
}

TEST_F(Log, KeepsTheNewestLinesAndBoundsTheRest) {
    const std::string padding(1000, '.');
    constexpr int kLines = 3000;  // about 3 MB
    for (int i = 0; i < kLines; ++i) {
        log::info("%s %d", padding.c_str(), i);
    }
    EXPECT_LE(fs::file_size(file()), log::kMaxBytes);
    EXPECT_LE(fs::file_size(older()), log::kMaxBytes);
    EXPECT_GT(fs::file_size(older()), log::kMaxBytes - 2000);
    EXPECT_EQ(std::distance(fs::directory_iterator(file().parent_path()), fs::directory_iterator()), 2);

    std::vector<std::string> kept = lines(older());
    const std::vector<std::string> newest = lines();
    kept.insert(kept.end(), newest.begin(), newest.end());
    int number = kLines - static_cast<int>(kept.size());
    for (const std::string& line : kept) {
        EXPECT_EQ(line.substr(line.rfind(' ') + 1), std::to_string(number++));
    }
}

TEST_F(Log, LosesNothingBetweenThreads) {
    constexpr int kThreads = 4;
    constexpr int kLines = 400;
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([thread] {
            for (int i = 0; i < kLines; ++i) {
                log::info("thread %d line %d end", thread, i);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::map<std::string, int> next;  // per thread
    for (const std::string& line : lines()) {
        const std::string text = text_of(line);
        const std::string thread = text.substr(0, 8);
        EXPECT_EQ(text, thread + " line " + std::to_string(next[thread]++) + " end") << line;
    }
    EXPECT_EQ(next.size(), std::size_t{kThreads});
    EXPECT_EQ(lines().size(), std::size_t{kThreads} * kLines);
}

TEST_F(Log, IsSharedByProcesses) {
    constexpr int kLines = 400;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    for (int i = 0; i < kLines; ++i) {
        log::info("from %s, whole", child == 0 ? "child" : "parent");
    }
    if (child == 0) {
        _exit(0);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    std::map<std::string, int> count;
    for (const std::string& line : lines()) {
        const std::string who = line.substr(line.find('[') + 1, line.find(']') - line.find('[') - 1);
        EXPECT_EQ(text_of(line), who == std::to_string(child) ? "from child, whole" : "from parent, whole") << line;
        ++count[who];
    }
    EXPECT_EQ(count[std::to_string(child)], kLines);
    EXPECT_EQ(count[std::to_string(getpid())], kLines);
}

TEST_F(Log, IsTheUsersAlone) {
    umask(0);
    log::info("secret");
    const auto mode_of = [](const fs::path& path) {
        struct stat status {};
        EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
        return status.st_mode & 07777;
    };
    EXPECT_EQ(mode_of(file()), 0600U);
    EXPECT_EQ(mode_of(file().parent_path()), 0700U);
    EXPECT_EQ(mode_of(file().parent_path().parent_path()), 0700U);
}

TEST_F(Log, HoldsNoDescriptorBetweenLines) {
    const auto descriptors = [] {
        return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    };
    const auto before = descriptors();
    log::info("text");
    EXPECT_EQ(descriptors(), before);
    EXPECT_EQ(lines().size(), 1U);
}

TEST_F(Log, IsSilentWhereItCannotWrite) {
    log::info("makes the folder");
    fs::remove(file());
    fs::create_directory(file());
    log::error("nobody reads this");
    EXPECT_TRUE(fs::is_empty(file()));
}

TEST_F(Log, NeitherWaitsForAFifosReaderNorDiesOfIt) {
    log::info("makes the folder");
    fs::remove(file());
    ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
    log::error("nobody reads this");
}

TEST_F(Log, StopsRatherThanGrowWhenTheOldFileCannotBeMovedAway) {
    log::info("makes the folder");
    fs::create_directories(older() / "in the way");
    {
        std::ofstream big(file());
        big << std::string(log::kMaxBytes, '.');
    }
    log::error("one more");
    EXPECT_EQ(fs::file_size(file()), log::kMaxBytes);
}

}  // namespace
}  // namespace glove
