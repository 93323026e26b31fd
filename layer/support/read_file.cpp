// SPDX-License-Identifier: Apache-2.0
#include "support/read_file.hpp"

#include <cstdio>
#include <memory>

namespace glove {
namespace {

struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

std::FILE* open(const std::filesystem::path& file) {
#ifdef _WIN32
    return _wfopen(file.c_str(), L"rbN");  // N: not inherited
#else
    return std::fopen(file.c_str(), "rbe");  // e: closed by exec
#endif
}

}  // namespace

std::optional<std::string> read_file(const std::filesystem::path& file, std::size_t most) {
    const std::unique_ptr<std::FILE, Close> in(open(file));
    if (in == nullptr) {
        return std::nullopt;
    }
    std::string text(most, '\0');
    text.resize(std::fread(text.data(), 1, most, in.get()));
    if (std::ferror(in.get()) != 0) {
        return std::nullopt;
    }
    return text;
}

}  // namespace glove
