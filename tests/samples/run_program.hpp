// SPDX-License-Identifier: Apache-2.0
// Runs one of our programs as a person would, and tells what it said and how it ended.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace glove::test {

// Changes to this process's environment for the program; nothing: not set.
using Environment = std::map<std::string, std::optional<std::string>>;

// Empty, of this process alone, and gone with it.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

struct Outcome {
    int status;  // as a shell gives it: 128 and the signal when one ended the program
    std::string out;
    std::string err;
};

class Program {
public:
    // `name`: in the build's bin folder. Throws when it cannot be started.
    Program(const std::string& name, const std::vector<std::string>& arguments, const Environment& environment = {});
    ~Program();  // kills it if it still runs
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void send_signal(int signal) const;
    // Waits until its output has this so many times. False when that takes long.
    [[nodiscard]] bool says(const std::string& text, int times = 1) const;
    [[nodiscard]] Outcome wait();

private:
    ScratchFolder folder_;  // of its output
    pid_t process_ = -1;
};

[[nodiscard]] Outcome run(const std::string& name, const std::vector<std::string>& arguments,
                          const Environment& environment = {});

}  // namespace glove::test
