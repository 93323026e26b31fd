// SPDX-License-Identifier: Apache-2.0
// What a fuzz target holds to be true. Broken, it says so and aborts: libFuzzer and the replaying main both take that
// for a find.
#pragma once

#include <cstdio>
#include <cstdlib>

#define GLOVE_FUZZ_EXPECT(condition)                                                            \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                       \
        }                                                                                       \
    } while (false)
