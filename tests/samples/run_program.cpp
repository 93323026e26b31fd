// SPDX-License-Identifier: Apache-2.0
#include "samples/run_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "folders.hpp"
#include "wait_for.hpp"

namespace glove::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> changed_environment(const Environment& changes) {
    std::vector<std::string> out;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (changes.find(text.substr(0, text.find('='))) == changes.end()) {
            out.push_back(text);
        }
    }
    for (const auto& [name, value] : changes) {
        if (value) {
            out.push_back(name + "=" + *value);
        }
    }
    return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        out.push_back(text.data());
    }
    out.push_back(nullptr);
    return out;
}

}  // namespace

ScratchFolder::ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "glove_hands_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

Program::Program(const std::string& name, const std::vector<std::string>& arguments, const Environment& environment) {
    std::vector<std::string> words{GLOVE_BUILD_DIR "/bin/" + name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> settings = changed_environment(environment);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    const std::string out = folder_.path() / "out";
    const std::string err = folder_.path() / "err";
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
    const int error = posix_spawn(&process_, words[0].c_str(), &files, nullptr, pointers_to(words).data(),
                                  pointers_to(settings).data());
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) {
        process_ = -1;
        throw std::system_error(error, std::generic_category(), words[0]);
    }
}

Program::~Program() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

void Program::send_signal(int signal) const {
    kill(process_, signal);
}

bool Program::says(const std::string& text, int times) const {
    const auto said = [&] {
        const std::string out = text_of(folder_.path() / "out");
        int found = 0;
        for (std::size_t at = 0; (at = out.find(text, at)) != std::string::npos; at += text.size()) {
            ++found;
        }
        return found >= times;
    };
    return wait_for(said, std::chrono::seconds(30));
}

Outcome Program::wait() {
    int status = 0;
    if (process_ <= 0 || waitpid(process_, &status, 0) != process_) {
        throw std::runtime_error("no program to wait for");
    }
    process_ = -1;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, text_of(folder_.path() / "out"), text_of(folder_.path() / "err")};
}

Outcome run(const std::string& name, const std::vector<std::string>& arguments, const Environment& environment) {
    return Program(name, arguments, environment).wait();
}

}  // namespace glove::test
