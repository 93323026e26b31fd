// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "glovectl/port_holder.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;

// The sockets on `port` in one of the kernel's tables: proc(5), /proc/net/udp.
void add_sockets(const char* table, std::uint16_t port, std::set<std::string>& inodes) {
    std::ifstream in(table);
    std::string line;
    std::getline(in, line);  // the heading
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string slot, local, skipped, inode;
        words >> slot >> local;
        for (int i = 0; i < 7; ++i) {
            words >> skipped;  // remote address, state, queues, timer, retransmissions, user, timeout
        }
        words >> inode;
        const std::size_t colon = local.rfind(':');
        unsigned found = 0;
        if (words && colon != std::string::npos) {
            std::from_chars(local.data() + colon + 1, local.data() + local.size(), found, 16);
            if (found == port) {
                inodes.insert(inode);
            }
        }
    }
}

// Of the sockets in `inodes` those that this process has open; empty too when it does not let us look.
std::set<std::string> sockets_of(const fs::path& process, const std::set<std::string>& inodes) {
    std::set<std::string> found;
    std::error_code failure;
    fs::directory_iterator entry(process / "fd", failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        std::error_code closed_meanwhile;
        const std::string target = fs::read_symlink(entry->path(), closed_meanwhile);
        constexpr std::string_view kPrefix = "socket:[";
        if (target.rfind(kPrefix, 0) == 0) {
            const std::string inode = target.substr(kPrefix.size(), target.size() - kPrefix.size() - 1);
            if (inodes.count(inode) > 0) {
                found.insert(inode);
            }
        }
    }
    return found;
}

}  // namespace

std::vector<PortHolder> holders_of_udp_port(std::uint16_t port) {
    std::set<std::string> inodes;
    add_sockets("/proc/net/udp", port, inodes);
    add_sockets("/proc/net/udp6", port, inodes);
    std::vector<PortHolder> holders;
    if (inodes.empty()) {
        return holders;
    }
    std::set<std::string> unseen = inodes;
    std::error_code failure;
    fs::directory_iterator entry("/proc", failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        const std::string name = entry->path().filename();
        std::int64_t process = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (error != std::errc{} || end != name.data() + name.size()) {
            continue;
        }
        const std::set<std::string> open = sockets_of(entry->path(), inodes);
        if (open.empty()) {
            continue;
        }
        std::for_each(open.begin(), open.end(), [&unseen](const std::string& inode) { unseen.erase(inode); });
        PortHolder holder{process, {}};
        std::ifstream comm(entry->path() / "comm");
        std::getline(comm, holder.program);
        holders.push_back(holder);
    }
    if (!unseen.empty()) {
        holders.push_back({0, {}});
    }
    return holders;
}

}  // namespace glove::ctl
