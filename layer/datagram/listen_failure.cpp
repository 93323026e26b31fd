// SPDX-License-Identifier: Apache-2.0
#include "datagram/listen_failure.hpp"

#ifdef _WIN32
#include <winsock2.h>
#else
#include <cerrno>
#endif

namespace glove {

ListenFailure listen_failure(const std::error_code& error) noexcept {
    switch (error.value()) {
#ifdef _WIN32
        case WSAEADDRINUSE:
            return ListenFailure::port_taken;
        case WSAEADDRNOTAVAIL:
        case WSAEAFNOSUPPORT:
            return ListenFailure::no_such_address;
        case WSAEACCES:
            return ListenFailure::not_permitted;
#else
        case EADDRINUSE:
            return ListenFailure::port_taken;
        case EADDRNOTAVAIL:
        case EAFNOSUPPORT:
            return ListenFailure::no_such_address;
        case EPERM:
        case EACCES:
            return ListenFailure::not_permitted;
#endif
        default:
            return ListenFailure::other;
    }
}

std::string remedy_of(ListenFailure failure, std::uint16_t port) {
    switch (failure) {
        case ListenFailure::port_taken:
            return "Another program has this port; glovectl monitor says which. End it, or give one of the two another "
                   "port.";
        case ListenFailure::no_such_address:
            return "This computer has no such address: look for a typing error in receiver.address, or for a network "
                   "that is down.";
        case ListenFailure::not_permitted:
#ifdef _WIN32
            return "A program that shares it with nobody has port " + std::to_string(port) +
                   ", or Windows keeps it for itself: netsh int ipv4 show excludedportrange udp.";
#else
            if (port < 1024) {
                return "Ports below 1024 are for the system's own services: choose a higher one.";
            }
            return "A sandbox around this program forbids it: allow it the network.";
#endif
        case ListenFailure::other:
            break;
    }
    return "Gloves stay silent until the system allows it.";
}

}  // namespace glove
