// SPDX-License-Identifier: Apache-2.0
#include "support/clock.hpp"

#ifdef _WIN32
#include <windows.h>
#else
#include <ctime>
#endif

namespace glove {

#ifdef _WIN32

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::int64_t ticks_per_second() noexcept {
    LARGE_INTEGER frequency;
    QueryPerformanceFrequency(&frequency);  // cannot fail, and is constant, since Windows XP
    return frequency.QuadPart;
}

// value * numerator / denominator without overflow in between.
std::int64_t scaled(std::int64_t value, std::int64_t numerator, std::int64_t denominator) noexcept {
    return value / denominator * numerator + value % denominator * numerator / denominator;
}

}  // namespace

std::int64_t ns_from_ticks(std::int64_t ticks) noexcept {
    return scaled(ticks, kNsPerSecond, ticks_per_second());
}

std::int64_t ticks_from_ns(std::int64_t ns) noexcept {
    return scaled(ns, ticks_per_second(), kNsPerSecond);
}

std::int64_t steady_now_ns() noexcept {
    LARGE_INTEGER ticks;
    QueryPerformanceCounter(&ticks);
    return ns_from_ticks(ticks.QuadPart);
}

#else

std::int64_t steady_now_ns() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

#endif

}  // namespace glove
