// SPDX-License-Identifier: Apache-2.0
// A set-uid program must not let its caller choose which files it reads and writes as another user. With a real one:
// making it takes root, and a file system that heeds the bit. Not covered: set-gid and file capabilities, which the
// system tells a program in the same way (AT_SECURE).
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "folders.hpp"
#include "samples/run_program.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "test_file_user";  // file_user.cpp
constexpr uid_t kNobody = 65534;

class SetUid : public testing::Test {
protected:
    void SetUp() override {
        if (geteuid() != 0) {
            GTEST_SKIP() << "making a set-uid program of root's takes root";
        }
        // For the other user to come in, and to write wherever it may choose.
        fs::permissions(folder_.path(), fs::perms::all);
        program_ = folder_.path() / kProgram;
        fs::copy_file(fs::path(GLOVE_BUILD_DIR) / "bin" / kProgram, program_);
        std::ofstream(folder_.path() / "gloves.toml") << "[receiver]\nport = 20123\nunknown = 1\n";
        fs::create_directories(folder_.path() / "home");
        fs::permissions(folder_.path() / "home", fs::perms::all);
    }

    // As another user, with an environment that names a configuration and a place for the log in every way there is.
    // What the program said.
    [[nodiscard]] std::string run_as_nobody() const {
        const std::string home = (folder_.path() / "home").string();
        std::vector<std::string> environment{"GLOVE_HANDS_CONFIG=" + (folder_.path() / "gloves.toml").string(),
                                             "GLOVE_HANDS_LOG=" + log().string(), "XDG_CONFIG_HOME=" + home,
                                             "XDG_STATE_HOME=" + home, "HOME=" + home};
        std::vector<char*> variables;
        for (std::string& variable : environment) {
            variables.push_back(variable.data());
        }
        variables.push_back(nullptr);
        std::string path = program_.string();
        std::array<char*, 2> arguments{path.data(), nullptr};

        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) {
            throw std::runtime_error("no pipe");
        }
        const pid_t child = fork();
        if (child == 0) {
            if (dup2(ends[1], STDOUT_FILENO) >= 0 && setgroups(0, nullptr) == 0 && setgid(kNobody) == 0 &&
                setuid(kNobody) == 0) {
                execve(path.c_str(), arguments.data(), variables.data());
            }
            _exit(127);
        }
        close(ends[1]);
        std::string said;
        std::array<char, 256> part{};
        for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;) {
            said.append(part.data(), static_cast<std::size_t>(size));
        }
        close(ends[0]);
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        return said;
    }
    [[nodiscard]] fs::path log() const { return folder_.path() / "gloves.log"; }
    [[nodiscard]] std::vector<fs::path> written() const {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
            if (entry.is_regular_file() && entry.path() != program_ && entry.path().filename() != "gloves.toml") {
                files.push_back(entry.path());
            }
        }
        return files;
    }

    test::ScratchFolder folder_;
    fs::path program_;
};

TEST_F(SetUid, AnOrdinaryProgramFollowsTheEnvironment) {
    fs::permissions(program_, fs::perms(0755));
    const std::string said = run_as_nobody();
    EXPECT_EQ(said, "secure 0 port 20123 complaints 1\n");
    EXPECT_EQ(written(), std::vector{log()});
}

TEST_F(SetUid, ASetUidProgramNeitherReadsNorWritesWhereTheEnvironmentSays) {
    fs::permissions(program_, fs::perms(04755));
    const std::string said = run_as_nobody();
    if (said.rfind("secure 0 ", 0) == 0) {
        GTEST_SKIP() << "the system does not heed the set-uid bit in " << folder_.path();
    }
    EXPECT_EQ(said, "secure 1 port 15001 complaints 0\n");
    EXPECT_TRUE(written().empty()) << written().front();
}

}  // namespace
}  // namespace glove
