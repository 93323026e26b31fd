// SPDX-License-Identifier: Apache-2.0
// The host program's signal handlers are not to run on a thread of ours, which takes its starter's mask.
#pragma once

#ifndef _WIN32
#include <csignal>

#include <pthread.h>
#endif

namespace glove {

// While it lives, no signal is delivered to the calling thread, nor to threads that are started meanwhile, ever.
class SignalsBlocked {
public:
#ifdef _WIN32
    SignalsBlocked() noexcept {
    }
    ~SignalsBlocked() {
    }
#else
    SignalsBlocked() noexcept {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() {
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
#endif
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

#ifndef _WIN32
private:
    sigset_t before_{};
#endif
};

}  // namespace glove
