// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "glovectl/terminal.hpp"

namespace glove::ctl {

bool prepare_terminal() {
    return isatty(STDOUT_FILENO) == 1;
}

}  // namespace glove::ctl
