// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include "glovectl/terminal.hpp"

namespace glove::ctl {

bool prepare_terminal() {
    HANDLE console = GetStdHandle(STD_OUTPUT_HANDLE);
    DWORD mode = 0;
    return GetConsoleMode(console, &mode) != FALSE && SetConsoleOutputCP(CP_UTF8) != FALSE &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != FALSE;
}

}  // namespace glove::ctl
