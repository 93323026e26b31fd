// SPDX-License-Identifier: Apache-2.0
#include "glovectl/own_files.hpp"

#if defined(_WIN32)
#include <windows.h>

#include <array>
#else
#include <cstdio>
#include <string_view>
#endif

#include "glovectl/layer_manifest.hpp"

namespace glove::ctl {

namespace fs = std::filesystem;

#if !defined(_WIN32)
namespace {

// Of the character that `text` begins with; 0: it begins with none. By table 3-7 of the Unicode standard.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    const unsigned lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;   // none that is longer than it need be
    const unsigned highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;  // no surrogate, none over U+10FFFF
    if (length == 0 || byte(1) < lowest || byte(1) > highest) {
        return 0;
    }
    for (std::size_t i = 2; i < length; ++i) {
        if (byte(i) < 0x80 || byte(i) > 0xbf) {
            return 0;
        }
    }
    return length;
}

}  // namespace
#endif

// bin/glovectl and share/openxr/1/api_layers/implicit.d/; on Windows all in one folder. See cmake/ApiLayer.cmake.
fs::path built_manifest() {
#if defined(_WIN32)
    std::array<wchar_t, 32768> program{};
    GetModuleFileNameW(nullptr, program.data(), static_cast<DWORD>(program.size()));
    return fs::path(program.data()).parent_path() / manifest_file_name();
#else
    const fs::path program = fs::read_symlink("/proc/self/exe");
    return program.parent_path().parent_path() / "share/openxr/1/api_layers/implicit.d" / manifest_file_name();
#endif
}

#if defined(_WIN32)
std::string text_of(const fs::path& path) {
    const std::wstring& wide = path.native();
    const auto length = static_cast<int>(wide.size());
    // Halves of a surrogate pair become U+FFFD.
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, nullptr, 0, nullptr, nullptr);
    std::string text(static_cast<std::size_t>(size), '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, text.data(), size, nullptr, nullptr);
    return text;
}

bool is_utf8(const fs::path& path) {
    const std::wstring& wide = path.native();
    return wide.empty() || WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide.data(),
                                               static_cast<int>(wide.size()), nullptr, 0, nullptr, nullptr) > 0;
}
#else
std::string text_of(const fs::path& path) {
    const std::string& bytes = path.native();
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
        if (const std::size_t length = utf8_length(std::string_view(bytes).substr(at)); length > 0) {
            text.append(bytes, at, length);
            at += length;
        } else {
            char escaped[5];
            std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(bytes[at]));
            text += escaped;
            ++at;
        }
    }
    return text;
}

bool is_utf8(const fs::path& path) {
    std::string_view rest = path.native();
    while (!rest.empty()) {
        const std::size_t length = utf8_length(rest);
        if (length == 0) {
            return false;
        }
        rest.remove_prefix(length);
    }
    return true;
}
#endif

}  // namespace glove::ctl
