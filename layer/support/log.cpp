// SPDX-License-Identifier: Apache-2.0
// The file is opened for each line. So this module holds no descriptor that the program could close or inherit, several
// processes share the file, and the library leaves nothing behind when it is unloaded. No state here has a destructor
// that runs: other objects may still log when the process ends.
#include "support/log.hpp"

#if defined(_WIN32)
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "support/paths.hpp"
#include "support/signals_blocked.hpp"

namespace glove::log {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxText = 2048;  // of one message, before escaping; the rest is cut off
constexpr int kMostTries = 200;         // to get the file, one each millisecond

std::atomic<LogLevel> threshold{LogLevel::info};

std::mutex& mutex() {
    alignas(std::mutex) static std::array<std::byte, sizeof(std::mutex)> storage;
    static std::mutex& undestroyed = *new (storage.data()) std::mutex;
    return undestroyed;
}

// Where the log is, asked of the environment once: another thread of the program may be changing it later.
std::array<fs::path::value_type, 4096> file_name{};
bool file_name_known = false;

// Where a line goes. Opened for writing at the end, and made where it is missing unless `make` is false.
#if defined(_WIN32)
class Place {
public:
    explicit Place(const fs::path& path, bool make = true)
        : handle_(CreateFileW(path.c_str(), FILE_APPEND_DATA | FILE_READ_ATTRIBUTES,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                              make ? OPEN_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr)) {
        if (handle_ == INVALID_HANDLE_VALUE) {
            problem_ = std::system_category().message(static_cast<int>(GetLastError()));
        } else if (GetFileType(handle_) != FILE_TYPE_DISK) {
            problem_ = "only files can be written here";  // nothing else writes without waiting
        }
    }
    ~Place() {
        if (handle_ != INVALID_HANDLE_VALUE) {
            CloseHandle(handle_);
        }
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] std::uintmax_t size_of_file() const {
        LARGE_INTEGER size{};
        return GetFileSizeEx(handle_, &size) != 0 ? static_cast<std::uintmax_t>(size.QuadPart) : 0;
    }
    void write(std::string_view line) const {
        DWORD written = 0;
        WriteFile(handle_, line.data(), static_cast<DWORD>(line.size()), &written, nullptr);
    }

private:
    HANDLE handle_;
    std::string problem_;
};

bool may_make_files_in(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder, ignored);
}

unsigned long process_id() {
    return GetCurrentProcessId();
}

std::string process_name() {
    std::array<wchar_t, 1024> path{};
    GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size() - 1));
    const std::u8string name = fs::path(path.data()).stem().u8string();
    return {name.begin(), name.end()};
}
#else
// The program's own descriptor, where the name says so; else -1.
int standard_stream(const fs::path& path) {
    return path == "/dev/stdout" ? STDOUT_FILENO : path == "/dev/stderr" ? STDERR_FILENO : -1;
}

class Place {
public:
    // Not blocking: a pipe that is full or has no reader, and a terminal that is stopped, must not hold the program up.
    explicit Place(const fs::path& path, bool make = true) {
        const int stream = standard_stream(path);
        // Through the program's own descriptor, where it does not block: a file has one end then, the program's, and a
        // socket cannot be opened a second time.
        is_borrowed_ = stream >= 0 && fstat(stream, &status_) == 0 && (is_file() || S_ISSOCK(status_.st_mode));
        if (is_borrowed_) {
            descriptor_ = stream;
            return;
        }
        descriptor_ =
            ::open(path.c_str(), O_WRONLY | O_APPEND | (make ? O_CREAT : 0) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                   S_IRUSR | S_IWUSR);
        if (descriptor_ < 0 || fstat(descriptor_, &status_) != 0) {
            const int error = errno;
            status_ = {};
            problem_ = error == ENXIO ? "nobody reads from there" : std::generic_category().message(error);
        } else if (!is_file() && !S_ISFIFO(status_.st_mode) && !S_ISCHR(status_.st_mode)) {
            problem_ = "this is neither a file nor a pipe nor a terminal";
        }
    }
    ~Place() {
        if (descriptor_ >= 0 && !is_borrowed_) {
            ::close(descriptor_);
        }
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    [[nodiscard]] const std::string& problem() const { return problem_; }
    // 0 for what is not ours to begin anew.
    [[nodiscard]] std::uintmax_t size_of_file() const {
        return is_file() && !is_borrowed_ ? static_cast<std::uintmax_t>(status_.st_size) : 0;
    }
    void write(std::string_view line) const {
        if (is_file()) {
            while (::write(descriptor_, line.data(), line.size()) < 0 && errno == EINTR) {
            }
        } else if (is_borrowed_) {
            ::send(descriptor_, line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        } else {
            write_to_reader(line);
        }
    }

private:
    [[nodiscard]] bool is_file() const { return S_ISREG(status_.st_mode); }

    // A reader that went away must not end the program (SIGPIPE), nor a terminal stop it (SIGTTOU).
    void write_to_reader(std::string_view line) const {
        const SignalsBlocked blocked;
        sigset_t pending;
        sigpending(&pending);
        const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
        if (::write(descriptor_, line.data(), line.size()) < 0 && errno == EPIPE && !was_pending) {
            sigset_t broken_pipe;
            sigemptyset(&broken_pipe);
            sigaddset(&broken_pipe, SIGPIPE);
            const timespec no_time{};
            sigtimedwait(&broken_pipe, nullptr, &no_time);
        }
    }

    int descriptor_ = -1;
    bool is_borrowed_ = false;
    struct stat status_ {};
    std::string problem_;
};

bool may_make_files_in(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder, ignored) && access(folder.c_str(), W_OK | X_OK) == 0;
}

unsigned long process_id() {
    return static_cast<unsigned long>(getpid());
}

std::string process_name() {
    return program_invocation_short_name;
}
#endif

std::string text_of(const fs::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

const char* name_of(LogLevel level) noexcept {
    switch (level) {
        case LogLevel::error:
            return "error";
        case LogLevel::warning:
            return "warning";
        case LogLevel::info:
            return "info";
        case LogLevel::debug:
            break;
    }
    return "debug";
}

std::string utc_now() {
    using namespace std::chrono;
    const auto now = floor<milliseconds>(system_clock::now());
    const auto day = floor<days>(now);
    const year_month_day date(day);
    const hh_mm_ss time(now - day);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
    return text.data();
}

void append_escaped(std::string& line, std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte >= 0x20 && byte <= 0x7e) {
            line += character;
        } else {
            line += "\\x";
            line += kHex[byte >> 4];
            line += kHex[byte & 15];
        }
    }
}

// New folders are the user's alone, like the file.
void make_folders(const fs::path& folder) {
    fs::path made;
    for (const fs::path& part : folder) {
        made /= part;
        std::error_code ignored;
        if (fs::create_directory(made, ignored)) {
            fs::permissions(made, fs::perms::owner_all, ignored);
        }
    }
}

// Two processes that come to the limit at the same moment may both rename, and the older lines are lost; the size stays
// bounded all the same.
void append(const fs::path& path, std::string_view line) {
    {
        const Place place(path);
        if (!place.problem().empty()) {
            return;
        }
        const std::uintmax_t present = place.size_of_file();
        if (present == 0 || present + line.size() <= kMaxBytes) {
            place.write(line);
            return;
        }
    }
    fs::path older = path;
    older += ".1";
    std::error_code failure;
    fs::rename(path, older, failure);
    const Place place(path);
    if (!failure && place.problem().empty()) {
        place.write(line);
    }
}

// Holds mutex().
fs::path file_path() {
    if (!file_name_known) {
        file_name_known = true;
        const fs::path path = paths::log_file();
        if (path.native().size() < file_name.size()) {
            std::copy(path.native().begin(), path.native().end(), file_name.begin());
            make_folders(path.parent_path());
        }
    }
    return file_name.data();
}

void write(LogLevel level, const char* format, std::va_list arguments) noexcept {
    if (level > threshold.load(std::memory_order_relaxed)) {
        return;
    }
    try {
        std::array<char, kMaxText> text{};
        const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
        if (length < 0) {
            return;
        }
        std::string line = utc_now() + ' ' + name_of(level) + ' ';
        append_escaped(line, process_name());
        line += '[' + std::to_string(process_id()) + "] ";
        append_escaped(line, text.data());
        if (static_cast<std::size_t>(length) >= text.size()) {
            line += "...";
        }
        line += '\n';

        // In a child of fork() a thread that is not there may hold it, and a disk may hang: then the line is lost.
        std::unique_lock lock(mutex(), std::try_to_lock);
        for (int i = 0; !lock.owns_lock() && i < kMostTries; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            static_cast<void>(lock.try_lock());
        }
        if (!lock.owns_lock()) {
            return;
        }
        if (const fs::path path = file_path(); !path.empty()) {
            append(path, line);
        }
    } catch (...) {  // NOLINT(bugprone-empty-catch): nobody to tell
    }
}

}  // namespace

std::string problem_of(const fs::path& path) {
    if (path.empty()) {
        return "the environment names no place";
    }
    if (path.native().size() >= file_name.size()) {
        return "the name is too long";
    }
    std::error_code failure;
    if (fs::exists(fs::symlink_status(path, failure))) {
        return Place(path, false).problem();
    }
    fs::path folder = fs::absolute(path, failure).parent_path();
    while (folder.has_relative_path() && !fs::exists(folder, failure)) {
        folder = folder.parent_path();
    }
    return may_make_files_in(folder) ? "" : "no file can be made in " + text_of(folder);
}

void set_level(LogLevel level) noexcept {
    threshold.store(level, std::memory_order_relaxed);
}

void error(const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    write(LogLevel::error, format, arguments);
    va_end(arguments);
}

void warning(const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    write(LogLevel::warning, format, arguments);
    va_end(arguments);
}

void info(const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    write(LogLevel::info, format, arguments);
    va_end(arguments);
}

void debug(const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    write(LogLevel::debug, format, arguments);
    va_end(arguments);
}

}  // namespace glove::log
