// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "glovectl/closed_way.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;

struct Needed {
    bool read;
    bool enter;
};

template <class Allows>
std::optional<fs::path> closed_part(const fs::path& path, const Allows& allows) {
    fs::path way;
    for (const fs::path& part : path) {
        way /= part;
        struct stat entry {};
        if (stat(way.c_str(), &entry) != 0) {
            return std::nullopt;
        }
        const bool is_folder = S_ISDIR(entry.st_mode);
        if (!allows(way, entry, Needed{way == path, is_folder})) {
            return way;
        }
    }
    return std::nullopt;
}

template <class Allows>
std::optional<fs::path> closed_way(const fs::path& path, const Allows& allows) {
    std::error_code failure;
    const fs::path written = fs::absolute(path, failure).lexically_normal();
    if (auto closed = closed_part(written, allows)) {
        return closed;
    }
    const fs::path real = fs::canonical(written, failure);
    return failure ? std::nullopt : closed_part(real, allows);
}

}  // namespace

std::optional<fs::path> closed_to_us(const fs::path& path) {
    return closed_way(path, [](const fs::path& part, const struct stat&, Needed needed) {
        const int mode = (needed.read ? R_OK : 0) | (needed.enter ? X_OK : 0);
        return faccessat(AT_FDCWD, part.c_str(), mode, AT_EACCESS) == 0;
    });
}

std::optional<fs::path> closed_to_others(const fs::path& path) {
    return closed_way(path, [](const fs::path&, const struct stat& entry, Needed needed) {
        const mode_t mode = (needed.read ? S_IROTH : 0U) | (needed.enter ? S_IXOTH : 0U);
        return (entry.st_mode & mode) == mode;
    });
}

}  // namespace glove::ctl
