// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include <array>
#include <cstdio>
#include <system_error>

#include "glovectl/library_trial.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;

// Names the library to the new process: its arguments come as bytes of a code page, which cannot write every path.
constexpr const wchar_t* kLibrary = L"GLOVECTL_TRY_LIBRARY";
constexpr const char* kGood = "+";

class Handle {
public:
    explicit Handle(HANDLE handle = nullptr) noexcept : handle_(handle) {}
    ~Handle() { close(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    void close() noexcept {
        if (handle_ != nullptr) {
            CloseHandle(handle_);
            handle_ = nullptr;
        }
    }
    [[nodiscard]] HANDLE get() const noexcept { return handle_; }
    [[nodiscard]] HANDLE* out() noexcept { return &handle_; }

private:
    HANDLE handle_;
};

[[noreturn]] void fail(const char* what) {
    throw std::system_error(static_cast<int>(GetLastError()), std::system_category(), what);
}

std::string words_of(DWORD error) {
    return "error " + std::to_string(error) + ", " + std::system_category().message(static_cast<int>(error));
}

std::string read_all(HANDLE from) {
    std::string words;
    std::array<char, 512> part{};
    for (DWORD size = 0; ReadFile(from, part.data(), static_cast<DWORD>(part.size()), &size, nullptr) && size > 0;) {
        words.append(part.data(), size);
    }
    return words;
}

}  // namespace

std::string try_library(const fs::path& library, std::chrono::milliseconds longest) {
    Handle answer;
    Handle childs_end;
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    if (!CreatePipe(answer.out(), childs_end.out(), &inherited, 0) ||
        !SetHandleInformation(answer.get(), HANDLE_FLAG_INHERIT, 0)) {
        fail("no pipe to try the library with");
    }
    std::array<wchar_t, 32768> program{};
    GetModuleFileNameW(nullptr, program.data(), static_cast<DWORD>(program.size()));
    std::wstring command = L"glovectl ";
    for (const char* letter = kTrialCommand; *letter != '\0'; ++letter) {
        command += static_cast<wchar_t>(*letter);
    }
    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdOutput = childs_end.get();
    PROCESS_INFORMATION child{};
    SetEnvironmentVariableW(kLibrary, library.c_str());
    const BOOL started = CreateProcessW(program.data(), command.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW,
                                        nullptr, nullptr, &startup, &child);
    SetEnvironmentVariableW(kLibrary, nullptr);
    if (!started) {
        fail("no process to try the library in");
    }
    const Handle process(child.hProcess);
    const Handle thread(child.hThread);
    childs_end.close();
    // An answer fits into the pipe, so the child need not be read from while it runs.
    if (WaitForSingleObject(process.get(), static_cast<DWORD>(longest.count())) != WAIT_OBJECT_0) {
        TerminateProcess(process.get(), 1);
        return "a program that loads it hangs: nothing for " + std::to_string(longest.count()) + " ms";
    }
    const std::string words = read_all(answer.get());
    if (words.empty()) {
        DWORD status = 0;
        GetExitCodeProcess(process.get(), &status);
        return "a program that loads it dies: status " + std::to_string(status);
    }
    return words == kGood ? std::string() : words;
}

void answer_trial() {
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);  // nobody is there to press a button
    std::array<wchar_t, 32768> library{};
    GetEnvironmentVariableW(kLibrary, library.data(), static_cast<DWORD>(library.size()));
    const HMODULE handle = LoadLibraryW(library.data());
    std::string words;
    if (handle == nullptr) {
        words = words_of(GetLastError());
    } else {
        words = problem_of_negotiation(
            reinterpret_cast<NegotiateLayer>(reinterpret_cast<void*>(GetProcAddress(handle, kNegotiation))));
    }
    std::fputs(words.empty() ? kGood : words.c_str(), stdout);
}

}  // namespace glove::ctl
