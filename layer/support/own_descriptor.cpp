// SPDX-License-Identifier: Apache-2.0
#ifndef _WIN32

#include "support/own_descriptor.hpp"

#include <pthread.h>
#include <unistd.h>

#include <utility>

namespace glove {
namespace {

// Of plain data, for a child of fork() may do little, and other objects may still close when the process ends.
pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
OwnDescriptor* g_first = nullptr;

void lock() noexcept {
    pthread_mutex_lock(&g_mutex);
}

void unlock() noexcept {
    pthread_mutex_unlock(&g_mutex);
}

}  // namespace

OwnDescriptor::ForksHeld::ForksHeld() noexcept {
    // The C library forgets these when it unloads this one.
    static const int registered = pthread_atfork(&lock, &unlock, &close_all_in_child);
    static_cast<void>(registered);
    lock();
}

OwnDescriptor::ForksHeld::~ForksHeld() {
    unlock();
}

void OwnDescriptor::close_all_in_child() noexcept {
    for (OwnDescriptor* one = std::exchange(g_first, nullptr); one != nullptr; one = one->next_) {
        if (const int number = one->number(); number >= 0) {
            ::close(number);
        }
        one->number_ = -1;
    }
    unlock();
}

void OwnDescriptor::take(int number) noexcept {
    struct stat status {};
    if (number < 0) {
        return;
    }
    if (fstat(number, &status) != 0) {
        ::close(number);
        return;
    }
    number_ = number;
    device_ = status.st_dev;
    inode_ = status.st_ino;
    link_ = &g_first;
    next_ = g_first;
    if (next_ != nullptr) {
        next_->link_ = &next_;
    }
    g_first = this;
}

void OwnDescriptor::close() noexcept {
    if (number_ < 0) {  // what the list says is for who holds the lock
        return;
    }
    const ForksHeld held;
    *link_ = next_;
    if (next_ != nullptr) {
        next_->link_ = link_;
    }
    if (const int open = number(); open >= 0) {
        ::close(open);
    }
    number_ = -1;
}

int OwnDescriptor::number() const noexcept {
    struct stat status {};
    const bool is_ours =
        number_ >= 0 && fstat(number_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
    return is_ours ? number_ : -1;
}

}  // namespace glove

#endif
