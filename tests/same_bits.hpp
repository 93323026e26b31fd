// SPDX-License-Identifier: Apache-2.0
// Numbers for generators whose output is the same to the last bit on every machine: each C++ library has its own
// std::sin and its own std::normal_distribution. Sources that use it are built without fused multiply-adds
// (-ffp-contract=off).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "fsnh_encoding.hpp"

namespace glove::test {

// Steele, Lea and Flood's SplitMix64.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    // From `low` to below `high`.
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }
    // 0 to below `count`.
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits() % count); }

private:
    std::uint64_t state_;
};

// The sine of `turns` whole turns, by its series.
inline double sine(double turns) {
    double part = turns - std::floor(turns + 0.5);
    if (part > 0.25) {
        part = 0.5 - part;
    } else if (part < -0.25) {
        part = -0.5 - part;
    }
    const double x = 2 * std::numbers::pi * part;
    double term = x;
    double sum = x;
    for (int i = 1; i < 11; ++i) {
        term = -term * x * x / ((2.0 * i) * (2.0 * i + 1));
        sum = sum + term;
    }
    return sum;
}
inline double cosine(double turns) {
    return sine(turns + 0.25);
}

// About an axis, 0 to 2, by the right-hand rule.
inline Matrix turn_about(std::size_t axis, double degrees) {
    const std::size_t j = (axis + 1) % 3;
    const std::size_t k = (axis + 2) % 3;
    Matrix m{};
    m[axis][axis] = 1;
    m[j][j] = m[k][k] = cosine(degrees / 360);
    m[k][j] = sine(degrees / 360);
    m[j][k] = -m[k][j];
    return m;
}

// From 0 at 0 to 1 at 1 with the least jerk, as people move (Flash and Hogan 1985).
inline double least_jerk(double x) {
    if (x <= 0) {
        return 0;
    }
    return x >= 1 ? 1 : x * x * x * (10 - 15 * x + 6 * x * x);
}

}  // namespace glove::test
