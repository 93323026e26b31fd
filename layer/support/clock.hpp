// SPDX-License-Identifier: Apache-2.0
// The local clock: one steady clock for receive times, ages and (through the runtime's conversion) XrTime.
#pragma once

#include <cstdint>

namespace glove {

// Nanoseconds of CLOCK_MONOTONIC on Linux, of the performance counter on Windows: the clocks that OpenXR's conversion
// extensions speak of. Neither enters the kernel.
[[nodiscard]] std::int64_t steady_now_ns() noexcept;

#ifdef _WIN32
// The performance counter's ticks as the same nanoseconds, and back (to within one tick).
[[nodiscard]] std::int64_t ns_from_ticks(std::int64_t ticks) noexcept;
[[nodiscard]] std::int64_t ticks_from_ns(std::int64_t ns) noexcept;
#endif

}  // namespace glove
