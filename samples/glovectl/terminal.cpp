// SPDX-License-Identifier: Apache-2.0
#include "glovectl/terminal.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace glove::ctl {
namespace {

volatile std::sig_atomic_t interruption = 0;

void note_interruption(int) {
    interruption = 1;
}

}  // namespace

void catch_interruption() {
    std::signal(SIGINT, note_interruption);
    std::signal(SIGTERM, note_interruption);
}

bool interrupted() {
    return interruption != 0;
}

Screen::Screen() : terminal_(prepare_terminal()) {
    if (terminal_) {
        std::fputs("\x1b[?25l\x1b[?7l", stdout);  // no cursor; a long line is cut off, so that lines can be counted
    }
}

Screen::~Screen() {
    if (terminal_) {
        std::fputs("\x1b[?7h\x1b[?25h", stdout);
        std::fflush(stdout);
    }
}

void Screen::show(const std::string& text) {
    std::string out;
    if (terminal_ && lines_ > 0) {
        out = "\x1b[" + std::to_string(lines_) + "A";  // up to the text's first line
    }
    for (const char c : text) {
        if (terminal_ && c == '\n') {
            out += "\x1b[K";  // what the line before leaves to the right
        }
        out += c;
    }
    if (terminal_) {
        out += "\x1b[J";  // and below
    }
    lines_ = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    std::fputs(out.c_str(), stdout);
    std::fflush(stdout);
}

}  // namespace glove::ctl
