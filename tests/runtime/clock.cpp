// SPDX-License-Identifier: Apache-2.0
// XrTime and this system's clock: the steady clock of std::chrono, which is CLOCK_MONOTONIC on Linux and the
// performance counter on Windows, plus an epoch of our own.
#include <limits>

#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

// XrTime must be positive and must not overflow.
XrResult to_xr_time(std::int64_t steady_ns, XrTime* out) {
    const std::int64_t epoch = control().epoch_ns.get();
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    if (steady_ns < 0 || (epoch > 0 && steady_ns > kMax - epoch) || steady_ns + epoch <= 0) {
        return XR_ERROR_TIME_INVALID;
    }
    *out = steady_ns + epoch;
    return XR_SUCCESS;
}

// Nothing the system's clock could ever have shown is negative.
XrResult to_steady_ns(XrTime time, std::int64_t* out) {
    const std::int64_t epoch = control().epoch_ns.get();
    if (time <= 0 || time < epoch) {
        return XR_ERROR_TIME_INVALID;
    }
    *out = time - epoch;
    return XR_SUCCESS;
}

}  // namespace

#ifdef _WIN32

XRAPI_ATTR XrResult XRAPI_CALL entry::xrConvertWin32PerformanceCounterToTimeKHR(XrInstance instance,
                                                                                const LARGE_INTEGER* counter,
                                                                                XrTime* time) {
    return answer(Function::xrConvertWin32PerformanceCounterToTimeKHR, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (counter == nullptr || time == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        LARGE_INTEGER frequency;
        QueryPerformanceFrequency(&frequency);
        const std::int64_t seconds = counter->QuadPart / frequency.QuadPart;
        const std::int64_t rest = counter->QuadPart % frequency.QuadPart;
        if (seconds >= std::numeric_limits<std::int64_t>::max() / kNsPerSecond) {
            return XR_ERROR_TIME_INVALID;
        }
        return to_xr_time(seconds * kNsPerSecond + rest * kNsPerSecond / frequency.QuadPart, time);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrConvertTimeToWin32PerformanceCounterKHR(XrInstance instance, XrTime time,
                                                                                LARGE_INTEGER* counter) {
    return answer(Function::xrConvertTimeToWin32PerformanceCounterKHR, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (counter == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        std::int64_t steady_ns = 0;
        if (const XrResult result = to_steady_ns(time, &steady_ns); XR_FAILED(result)) {
            return result;
        }
        LARGE_INTEGER frequency;
        QueryPerformanceFrequency(&frequency);
        counter->QuadPart = steady_ns / kNsPerSecond * frequency.QuadPart +
                            steady_ns % kNsPerSecond * frequency.QuadPart / kNsPerSecond;
        return XR_SUCCESS;
    });
}

#else

XRAPI_ATTR XrResult XRAPI_CALL entry::xrConvertTimespecTimeToTimeKHR(XrInstance instance, const timespec* steady,
                                                                     XrTime* time) {
    return answer(Function::xrConvertTimespecTimeToTimeKHR, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (steady == nullptr || time == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        if (steady->tv_sec < 0 || steady->tv_sec >= std::numeric_limits<std::int64_t>::max() / kNsPerSecond ||
            steady->tv_nsec < 0 || steady->tv_nsec >= kNsPerSecond) {
            return XR_ERROR_TIME_INVALID;
        }
        return to_xr_time(steady->tv_sec * kNsPerSecond + steady->tv_nsec, time);
    });
}

XRAPI_ATTR XrResult XRAPI_CALL entry::xrConvertTimeToTimespecTimeKHR(XrInstance instance, XrTime time,
                                                                     timespec* steady) {
    return answer(Function::xrConvertTimeToTimespecTimeKHR, [&](Runtime& the_runtime) {
        if (!the_runtime.is(instance)) {
            return XR_ERROR_HANDLE_INVALID;
        }
        if (steady == nullptr) {
            return XR_ERROR_VALIDATION_FAILURE;
        }
        std::int64_t steady_ns = 0;
        if (const XrResult result = to_steady_ns(time, &steady_ns); XR_FAILED(result)) {
            return result;
        }
        steady->tv_sec = steady_ns / kNsPerSecond;
        steady->tv_nsec = steady_ns % kNsPerSecond;
        return XR_SUCCESS;
    });
}

#endif

}  // namespace glove::test_runtime
