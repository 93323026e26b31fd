// SPDX-License-Identifier: Apache-2.0
// A file descriptor in a process that is not ours. Programs close all descriptors, ours among them, and then the system
// gives our number to something of theirs: so a number is used and closed only while it means what was opened. And a
// child made by fork() gives its copies back at once, for nobody there would. Not on Windows, which knows neither.
#pragma once

#include <sys/stat.h>

namespace glove {

class OwnDescriptor {
public:
    OwnDescriptor() noexcept = default;
    ~OwnDescriptor() { close(); }
    OwnDescriptor(const OwnDescriptor&) = delete;
    OwnDescriptor& operator=(const OwnDescriptor&) = delete;

    // Takes what `make` answers, a descriptor or less than 0. No fork comes between.
    template <class Make>
    void open(Make&& make) {
        close();
        const ForksHeld held;
        take(make());
    }
    void close() noexcept;
    // Something was opened here and not closed by us.
    [[nodiscard]] bool was_opened() const noexcept { return number_ >= 0; }
    // -1: there is none, or the program has closed it.
    [[nodiscard]] int number() const noexcept;

private:
    struct ForksHeld {
        ForksHeld() noexcept;
        ~ForksHeld();
        ForksHeld(const ForksHeld&) = delete;
        ForksHeld& operator=(const ForksHeld&) = delete;
    };
    static void close_all_in_child() noexcept;
    void take(int number) noexcept;

    int number_ = -1;
    dev_t device_ = 0;
    ino_t inode_ = 0;  // of a socket: its alone
    OwnDescriptor* next_ = nullptr;
    OwnDescriptor** link_ = nullptr;  // what points here
};

}  // namespace glove
