// SPDX-License-Identifier: Apache-2.0
// The file is opened for each line. So this module holds no descriptor that the program could close or inherit, several
// processes share the file, and the library leaves nothing behind when it is unloaded. No state here has a destructor
// that runs: other objects may still log when the process ends.
#include "support/log.hpp"

#if defined(_WIN32)
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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

#include "support/paths.hpp"

namespace glove::log {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxText = 2048;  // of one message, before escaping; the rest is cut off

std::atomic<LogLevel> threshold{LogLevel::info};

std::mutex& mutex() {
    alignas(std::mutex) static std::array<std::byte, sizeof(std::mutex)> storage;
    static std::mutex& undestroyed = *new (storage.data()) std::mutex;
    return undestroyed;
}

// Where the log is, asked of the environment once: another thread of the program may be changing it later.
std::array<fs::path::value_type, 4096> file_name{};
bool file_name_known = false;

#if defined(_WIN32)
class AppendedFile {
public:
    explicit AppendedFile(const fs::path& path)
        : handle_(CreateFileW(path.c_str(), FILE_APPEND_DATA | FILE_READ_ATTRIBUTES,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_ALWAYS,
                              FILE_ATTRIBUTE_NORMAL, nullptr)) {}
    ~AppendedFile() {
        if (handle_ != INVALID_HANDLE_VALUE) {
            CloseHandle(handle_);
        }
    }
    AppendedFile(const AppendedFile&) = delete;
    AppendedFile& operator=(const AppendedFile&) = delete;

    [[nodiscard]] bool usable() const {
        return handle_ != INVALID_HANDLE_VALUE && GetFileType(handle_) == FILE_TYPE_DISK;
    }
    [[nodiscard]] std::uintmax_t size() const {
        LARGE_INTEGER size{};
        return GetFileSizeEx(handle_, &size) != 0 ? static_cast<std::uintmax_t>(size.QuadPart) : 0;
    }
    void write(std::string_view line) const {
        DWORD written = 0;
        WriteFile(handle_, line.data(), static_cast<DWORD>(line.size()), &written, nullptr);
    }

private:
    HANDLE handle_;
};

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
class AppendedFile {
public:
    // Not blocking: a FIFO at this place must not hold the program up until somebody reads it.
    explicit AppendedFile(const fs::path& path)
        : descriptor_(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                             S_IRUSR | S_IWUSR)) {
        if (descriptor_ < 0 || fstat(descriptor_, &status_) != 0) {
            status_ = {};
        }
    }
    ~AppendedFile() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }
    AppendedFile(const AppendedFile&) = delete;
    AppendedFile& operator=(const AppendedFile&) = delete;

    // Writing to a pipe could end the program with SIGPIPE.
    [[nodiscard]] bool usable() const { return S_ISREG(status_.st_mode); }
    [[nodiscard]] std::uintmax_t size() const { return static_cast<std::uintmax_t>(status_.st_size); }
    void write(std::string_view line) const {
        while (::write(descriptor_, line.data(), line.size()) < 0 && errno == EINTR) {
        }
    }

private:
    int descriptor_;
    struct stat status_ {};
};

unsigned long process_id() {
    return static_cast<unsigned long>(getpid());
}

std::string process_name() {
    return program_invocation_short_name;
}
#endif

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

// False when there is no room for `size` more bytes and no way to make any. Two processes that come here at the same
// moment may both rename, and the older lines are lost; the size stays bounded all the same.
bool make_room(const fs::path& path, std::size_t size) {
    std::uintmax_t present = 0;
    {
        const AppendedFile file(path);
        if (!file.usable()) {
            return false;
        }
        present = file.size();
    }
    if (present == 0 || present + size <= kMaxBytes) {
        return true;
    }
    fs::path older = path;
    older += ".1";
    std::error_code failure;
    fs::rename(path, older, failure);
    return !failure;
}

void append(const fs::path& path, std::string_view line) {
    if (!make_room(path, line.size())) {
        return;
    }
    const AppendedFile file(path);
    if (file.usable()) {
        file.write(line);
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

        const std::lock_guard lock(mutex());
        if (const fs::path path = file_path(); !path.empty()) {
            append(path, line);
        }
    } catch (...) {  // NOLINT(bugprone-empty-catch): nobody to tell
    }
}

}  // namespace

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
