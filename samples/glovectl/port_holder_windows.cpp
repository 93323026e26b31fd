// SPDX-License-Identifier: Apache-2.0
#include <winsock2.h>
#include <ws2tcpip.h>
// After winsock2.h.
#include <iphlpapi.h>
#include <windows.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <set>

#include "glovectl/own_files.hpp"
#include "glovectl/port_holder.hpp"

namespace glove::ctl {
namespace {

std::vector<std::byte> udp_table(ULONG family) {
    std::vector<std::byte> table;
    DWORD size = 0;
    // The table may grow between the two calls.
    for (int i = 0; i < 4; ++i) {
        const DWORD result = GetExtendedUdpTable(table.data(), &size, FALSE, family, UDP_TABLE_OWNER_PID, 0);
        if (result == NO_ERROR && !table.empty()) {
            return table;
        }
        if (result != ERROR_INSUFFICIENT_BUFFER) {
            break;
        }
        table.resize(size);
    }
    return {};
}

template <class Table>
void add_processes(ULONG family, std::uint16_t port, std::set<DWORD>& processes) {
    const std::vector<std::byte> bytes = udp_table(family);
    if (bytes.empty()) {
        return;
    }
    const auto* table = reinterpret_cast<const Table*>(bytes.data());
    for (DWORD i = 0; i < table->dwNumEntries; ++i) {
        // In network order, in the lower half.
        if (ntohs(static_cast<u_short>(table->table[i].dwLocalPort)) == port) {
            processes.insert(table->table[i].dwOwningPid);
        }
    }
}

std::string program_of(DWORD process) {
    HANDLE handle = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process);
    if (handle == nullptr) {
        return {};
    }
    std::array<wchar_t, 1024> path{};
    auto size = static_cast<DWORD>(path.size());
    const BOOL known = QueryFullProcessImageNameW(handle, 0, path.data(), &size);
    CloseHandle(handle);
    return known != FALSE ? text_of(std::filesystem::path(path.data()).filename()) : std::string();
}

}  // namespace

std::vector<PortHolder> holders_of_udp_port(std::uint16_t port) {
    std::set<DWORD> processes;
    add_processes<MIB_UDPTABLE_OWNER_PID>(AF_INET, port, processes);
    add_processes<MIB_UDP6TABLE_OWNER_PID>(AF_INET6, port, processes);
    std::vector<PortHolder> holders;
    for (const DWORD process : processes) {
        holders.push_back({process, program_of(process)});
    }
    return holders;
}

}  // namespace glove::ctl
