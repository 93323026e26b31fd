// SPDX-License-Identifier: Apache-2.0
// Sends datagrams at a steady rate until its time is over or SIGINT or SIGTERM comes.
#pragma once

#include "glove_sim/options.hpp"

namespace glove {

// The program's exit status: 0, or 1 when the host is unknown or not one datagram could be sent.
// Throws what the system's sockets make asio throw.
[[nodiscard]] int simulate(const SimOptions& options);

}  // namespace glove
