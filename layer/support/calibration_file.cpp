// SPDX-License-Identifier: Apache-2.0
#include "support/calibration_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#if defined(_WIN32)
#include <io.h>
#include <share.h>
#else
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include "support/file_lock.hpp"
#include "support/paths.hpp"
#include "support/read_file.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = std::size_t{1024} * 1024;
constexpr std::size_t kMaxComplaints = 10;  // a file of another kind is wrong in every line

constexpr std::chrono::milliseconds kPatience{500};  // with other writers

constexpr std::size_t kPlainPartBytes = 40;

bool is_key_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
}

bool is_text_letter(char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

bool is_key(std::string_view text) {
    return !text.empty() && text.size() <= CalibrationValues::kMaxKeyBytes &&
           std::all_of(text.begin(), text.end(), is_key_letter);
}

bool is_text(std::string_view text) {
    return text.size() <= CalibrationValues::kMaxTextBytes && std::all_of(text.begin(), text.end(), is_text_letter);
}

bool are_numbers(const std::vector<double>& numbers) {
    return numbers.size() <= CalibrationValues::kMaxNumbers &&
           std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

bool fits(const CalibrationValues& values) {
    return values.numbers.size() + values.texts.size() <= CalibrationValues::kMaxKeys &&
           std::all_of(values.numbers.begin(), values.numbers.end(),
                       [](const auto& entry) { return is_key(entry.first) && are_numbers(entry.second); }) &&
           std::all_of(values.texts.begin(), values.texts.end(),
                       [](const auto& entry) { return is_key(entry.first) && is_text(entry.second); });
}

void skip_blanks(std::string_view& rest) {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) {
        rest.remove_prefix(1);
    }
}

bool take(std::string_view& rest, char wanted) {
    skip_blanks(rest);
    if (rest.empty() || rest.front() != wanted) {
        return false;
    }
    rest.remove_prefix(1);
    return true;
}

// What stands between two quotation marks. Nothing is escaped.
std::optional<std::string_view> take_quoted(std::string_view& rest) {
    if (!take(rest, '"')) {
        return std::nullopt;
    }
    const std::size_t end = rest.find('"');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view quoted = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return quoted;
}

std::optional<std::vector<double>> take_list(std::string_view& rest) {
    std::vector<double> numbers;
    if (!take(rest, '[')) {
        return std::nullopt;
    }
    while (!take(rest, ']')) {
        if (!numbers.empty() && !take(rest, ',')) {
            return std::nullopt;
        }
        skip_blanks(rest);
        double number = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (error != std::errc{}) {
            return std::nullopt;
        }
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        numbers.push_back(number);
    }
    return numbers;
}

// False when the line is no entry.
bool take_line(std::string_view line, CalibrationValues& out) {
    const std::optional<std::string_view> key = take_quoted(line);
    if (!key || !is_key(*key) || !take(line, '=')) {
        return false;
    }
    skip_blanks(line);
    const std::string name(*key);
    if (line.substr(0, 1) == "[") {
        std::optional<std::vector<double>> numbers = take_list(line);
        skip_blanks(line);
        if (!numbers || !are_numbers(*numbers) || !line.empty()) {
            return false;
        }
        out.texts.erase(name);
        out.numbers[name] = std::move(*numbers);
        return true;
    }
    const std::optional<std::string_view> text = take_quoted(line);
    skip_blanks(line);
    if (!text || !is_text(*text) || !line.empty()) {
        return false;
    }
    out.numbers.erase(name);
    out.texts[name] = *text;
    return true;
}

std::string name_of(const fs::path& file) {
    const std::u8string utf8 = file.u8string();
    return {utf8.begin(), utf8.end()};
}

CalibrationResult parse(std::string_view text, const std::string& file) {
    CalibrationResult result;
    for (std::size_t line = 1; !text.empty(); ++line) {
        std::string_view current = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), current.size() + 1));
        if (!current.empty() && current.back() == '\r') {
            current.remove_suffix(1);
        }
        skip_blanks(current);
        if (current.empty() || current.front() == '#') {
            continue;
        }
        if (result.values.numbers.size() + result.values.texts.size() >= CalibrationValues::kMaxKeys ||
            !take_line(current, result.values)) {
            if (result.complaints.size() < kMaxComplaints) {
                result.complaints.push_back(file + ':' + std::to_string(line) +
                                            ": this line is damaged and is passed over");
            }
        }
    }
    return result;
}

std::string number_text(double number) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), error == std::errc{} ? end : text.data()};
}

std::string text_of(const CalibrationValues& values) {
    std::string text =
        "# Written by Glove Hands: what it has learnt about your gloves. Delete this file to begin anew.\n"
        "# Your own settings belong into glove_hands.toml.\n";
    for (const auto& [key, numbers] : values.numbers) {
        text.append(1, '"').append(key).append("\" = [");
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            text.append(i == 0 ? "" : ", ").append(number_text(numbers[i]));
        }
        text.append("]\n");
    }
    for (const auto& [key, value] : values.texts) {
        text.append(1, '"').append(key).append("\" = \"").append(value).append("\"\n");
    }
    return text;
}

std::string message_of(int error) {
    return std::generic_category().message(error);
}

// Opens a file that did not exist before, readable by the user alone. Negative, and errno, when it cannot.
int create(const fs::path& path) {
#if defined(_WIN32)
    int descriptor = -1;
    errno = _wsopen_s(&descriptor, path.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _SH_DENYNO,
                      _S_IREAD | _S_IWRITE);
    return descriptor;
#else
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
#endif
}

// The new content on its way, of the one writer that has the lock.
class NewFile {
public:
    explicit NewFile(const fs::path& path) : path_(path) {
        remove();  // what a writer left that was ended in the middle
        descriptor_ = create(path);
        if (descriptor_ < 0) {
            error_ = message_of(errno);
        }
    }
    ~NewFile() {
        if (descriptor_ >= 0) {
            close();
            remove();
        }
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    // Why it could not be made; empty when it was.
    [[nodiscard]] const std::string& error() const { return error_; }

    // On the disk when it answers true; else errno says why not.
    [[nodiscard]] bool write(std::string_view text) const {
        while (!text.empty()) {
#if defined(_WIN32)
            const auto written = _write(descriptor_, text.data(), static_cast<unsigned>(text.size()));
#else
            const auto written = ::write(descriptor_, text.data(), text.size());
            if (written < 0 && errno == EINTR) {
                continue;
            }
#endif
            if (written <= 0) {
                return false;
            }
            text.remove_prefix(static_cast<std::size_t>(written));
        }
#if defined(_WIN32)
        return _commit(descriptor_) == 0;
#else
        return ::fsync(descriptor_) == 0;
#endif
    }

    // Closed first: Windows renames no open file.
    [[nodiscard]] std::error_code put_in_place_of(const fs::path& target) {
        close();
        descriptor_ = -1;
        std::error_code failure;
        fs::rename(path_, target, failure);
        if (failure) {
            remove();
        }
        return failure;
    }

private:
    void close() const {
#if defined(_WIN32)
        _close(descriptor_);
#else
        ::close(descriptor_);
#endif
    }
    void remove() const {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }

    fs::path path_;
    int descriptor_ = -1;
    std::string error_;
};

// False, and one complaint, when there is something that cannot be read: then it must not be written over either.
bool read(const fs::path& file, CalibrationResult& out) {
    const auto fails = [&](const char* why) {
        out.complaints.push_back(name_of(file) + ": " + why);
        return false;
    };
    std::error_code failure;
    const fs::file_status status = fs::status(file, failure);
    if (status.type() == fs::file_type::not_found) {
        return true;
    }
    if (!fs::is_regular_file(status)) {  // opening a FIFO would wait
        return fails("this is not a file that can be read");
    }
    const std::optional<std::string> text = read_file(file, kMaxFileBytes + 1);
    if (!text) {
        return fails("the file cannot be read");
    }
    if (text->size() > kMaxFileBytes) {
        return fails("the file is too long");
    }
    out = parse(*text, name_of(file));
    return true;
}

enum class Replace : std::uint8_t { no, yes };

// All of it but, where that is asked for, the last step.
std::string save(const CalibrationValues& changes, const fs::path& file, Replace replace) {
    if (file.empty()) {
        return "the system names no place for the user's files";
    }
    if (!fits(changes)) {
        return name_of(file) + ": a value that cannot be written";
    }
    std::error_code failure;
    if (file.has_parent_path()) {
        fs::create_directories(file.parent_path(), failure);
    }
    if (failure) {
        return name_of(file.parent_path()) + ": " + failure.message();
    }
    fs::path beside = file;
    beside += ".lock";
    const FileLock lock(beside, kPatience);
    if (!lock.error().empty()) {
        return name_of(beside) + ": " + lock.error();
    }
    beside.replace_extension(".new");
    NewFile next(beside);
    if (!next.error().empty()) {
        return name_of(beside) + ": " + next.error();
    }
    CalibrationResult now;
    if (!read(file, now)) {
        return now.complaints.front();
    }
    for (const auto& [key, numbers] : changes.numbers) {
        now.values.texts.erase(key);
        now.values.numbers[key] = numbers;
    }
    for (const auto& [key, text] : changes.texts) {
        now.values.numbers.erase(key);
        now.values.texts[key] = text;
    }
    if (!fits(now.values)) {
        return name_of(file) + ": it is full; delete it to begin anew";
    }
    if (!next.write(text_of(now.values))) {
        return name_of(beside) + ": " + message_of(errno);
    }
    if (replace == Replace::no) {
        return {};
    }
    failure = next.put_in_place_of(file);
    return failure ? name_of(file) + ": " + failure.message() : std::string();
}

}  // namespace

const std::vector<double>* CalibrationValues::find_numbers(const std::string& key) const {
    const auto found = numbers.find(key);
    return found == numbers.end() ? nullptr : &found->second;
}

const std::string* CalibrationValues::find_text(const std::string& key) const {
    const auto found = texts.find(key);
    return found == texts.end() ? nullptr : &found->second;
}

CalibrationResult load_calibration() {
    return load_calibration(paths::calibration_file());
}

CalibrationResult load_calibration(const std::filesystem::path& file) {
    CalibrationResult result;
    if (!file.empty()) {
        static_cast<void>(read(file, result));  // the complaint says it
    }
    return result;
}

std::string save_calibration(const CalibrationValues& changes) {
    return save_calibration(changes, paths::calibration_file());
}

std::string save_calibration(const CalibrationValues& changes, const std::filesystem::path& file) {
    return save(changes, file, Replace::yes);
}

std::string why_calibration_cannot_be_saved() {
    return save({}, paths::calibration_file(), Replace::no);
}

std::string calibration_key_part(std::string_view name) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string part;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_key_letter(c) && c != '.' && c != '_') {
            part += c;
        } else {
            part += {'_', digits[byte >> 4], digits[byte & 0xf]};
        }
        if (part.size() > kPlainPartBytes) {
            break;
        }
    }
    if (name.empty()) {
        return "_";
    }
    if (part.size() <= kPlainPartBytes) {
        return part;
    }
    // The rest as a hash (FNV-1a, 64 bits) of the whole name.
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    part.resize(kPlainPartBytes);
    part += "__";
    for (int shift = 60; shift >= 0; shift -= 4) {
        part += digits[hash >> shift & 0xf];
    }
    return part;
}

}  // namespace glove
