// SPDX-License-Identifier: Apache-2.0
// Does with the user's files what a program with the layer does, for set_uid_test.cpp.
#include <sys/auxv.h>

#include <cstdio>

#include "support/config.hpp"
#include "support/log.hpp"

int main() {
    const glove::ConfigResult result = glove::load_config();
    glove::log::error("port %u", unsigned{result.config.receiver.port});
    std::printf("secure %d port %u complaints %zu\n", getauxval(AT_SECURE) != 0 ? 1 : 0,
                unsigned{result.config.receiver.port}, result.complaints.size());
    return 0;
}
