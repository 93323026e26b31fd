// SPDX-License-Identifier: Apache-2.0
// What a program that runs for a while says, and how it is stopped.
#pragma once

#include <string>

namespace glove::ctl {

// From here on Ctrl-C (and SIGTERM) only make interrupted() true.
void catch_interruption();
[[nodiscard]] bool interrupted();

// Whether stdout is a terminal, which then takes UTF-8 and control sequences.
[[nodiscard]] bool prepare_terminal();

// Shows text that replaces itself where stdout is a terminal; elsewhere each text follows the one before.
class Screen {
public:
    Screen();
    ~Screen();  // gives the cursor back
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    [[nodiscard]] bool is_terminal() const noexcept { return terminal_; }
    // Whole lines.
    void show(const std::string& text);
    // What is shown stays; the next text begins below it.
    void keep() noexcept { lines_ = 0; }

private:
    bool terminal_;
    int lines_ = 0;  // of the text that show() replaces
};

}  // namespace glove::ctl
