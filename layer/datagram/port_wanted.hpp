// SPDX-License-Identifier: Apache-2.0
// How a program that waits for a port tells the one that has it: by a name that the system knows for as long as it
// waits. Nothing is sent, no file is left. The name is known wherever the port is the same one: on Linux in the network
// namespace, so also from container to container; on Windows in the user's session.
#pragma once

#include <cstdint>

#ifndef _WIN32
#include "support/own_descriptor.hpp"
#endif

namespace glove {

// While it lives, the port is wanted. When several programs want it, one of them says so.
class PortWanted {
public:
    explicit PortWanted(std::uint16_t port);
    ~PortWanted();
    PortWanted(const PortWanted&) = delete;
    PortWanted& operator=(const PortWanted&) = delete;

private:
#ifdef _WIN32
    void* event_;
#else
    OwnDescriptor name_;
#endif
};

[[nodiscard]] bool is_wanted(std::uint16_t port);

}  // namespace glove
