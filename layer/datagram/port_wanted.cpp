// SPDX-License-Identifier: Apache-2.0
#include "datagram/port_wanted.hpp"

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#endif

#include <algorithm>
#include <string>

namespace glove {
namespace {

#ifdef _WIN32

std::wstring name_of(std::uint16_t port) {
    return L"Local\\glove_hands wants UDP port " + std::to_wstring(port);
}

#else

// In the abstract namespace: no file, and gone with its last descriptor.
struct Name {
    sockaddr_un address{};
    socklen_t length;

    explicit Name(std::uint16_t port) {
        const std::string text = "glove_hands wants UDP port " + std::to_string(port);
        address.sun_family = AF_UNIX;
        std::copy(text.begin(), text.end(), address.sun_path + 1);
        length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    }
    [[nodiscard]] const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&address); }
};

int unix_socket() noexcept {
    return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

#endif

}  // namespace

#ifdef _WIN32

PortWanted::PortWanted(std::uint16_t port) : event_(CreateEventW(nullptr, TRUE, FALSE, name_of(port).c_str())) {
}

PortWanted::~PortWanted() {
    if (event_ != nullptr) {
        CloseHandle(event_);
    }
}

bool is_wanted(std::uint16_t port) {
    void* const event = OpenEventW(SYNCHRONIZE, FALSE, name_of(port).c_str());
    if (event == nullptr) {
        return false;
    }
    CloseHandle(event);
    return true;
}

#else

PortWanted::PortWanted(std::uint16_t port) {
    const Name name(port);
    name_.open(unix_socket);
    static_cast<void>(::bind(name_.number(), name.get(), name.length));  // fails where another program wants it too
}

PortWanted::~PortWanted() = default;

bool is_wanted(std::uint16_t port) {
    const Name name(port);
    OwnDescriptor asking;
    asking.open(unix_socket);
    return ::connect(asking.number(), name.get(), name.length) == 0;
}

#endif

}  // namespace glove
