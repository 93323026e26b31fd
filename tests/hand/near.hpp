// SPDX-License-Identifier: Apache-2.0
// How far two poses are apart, in double precision and by matrices: no arithmetic of the layer.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fsnh_encoding.hpp"

namespace glove::test {

inline double degrees_between(const Matrix& a, const Matrix& b) {
    double squares = 0;
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            squares += (a[row][column] - b[row][column]) * (a[row][column] - b[row][column]);
        }
    }
    return 2 * std::asin(std::min(1.0, std::sqrt(squares / 8))) * 180 / std::numbers::pi;
}

inline double degrees_between(const XrQuaternionf& a, const XrQuaternionf& b) {
    return degrees_between(matrix_of(a), matrix_of(b));
}

inline double dot_product(const Row& a, const Row& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Row row_of(const XrVector3f& v) {
    return {v.x, v.y, v.z};
}

inline Row from_to(const XrVector3f& from, const XrVector3f& to) {
    return {double{to.x} - from.x, double{to.y} - from.y, double{to.z} - from.z};
}

inline Row unit(const Row& v) {
    const double size = std::sqrt(dot_product(v, v));
    return {v[0] / size, v[1] / size, v[2] / size};
}

inline double millimetres_between(const XrVector3f& a, const XrVector3f& b) {
    const Row way = from_to(a, b);
    return 1000 * std::sqrt(dot_product(way, way));
}

inline double degrees_between(const Row& a, const Row& b) {
    return std::acos(std::clamp(dot_product(unit(a), unit(b)), -1.0, 1.0)) * 180 / std::numbers::pi;
}

// Axis 0, 1 or 2 of a frame, seen from outside it.
inline Row axis_of(const XrQuaternionf& q, std::size_t axis) {
    const Matrix m = matrix_of(q);
    return {m[0][axis], m[1][axis], m[2][axis]};
}

inline XrQuaternionf quaternion(const Matrix& r) {
    const double trace = r[0][0] + r[1][1] + r[2][2];
    std::array<double, 4> q{r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], 1 + trace};
    if (trace < -0.5) {
        const std::size_t i = r[0][0] >= r[1][1] && r[0][0] >= r[2][2] ? 0 : (r[1][1] >= r[2][2] ? 1 : 2);
        const std::size_t j = (i + 1) % 3;
        const std::size_t k = (i + 2) % 3;
        q[i] = 1 + r[i][i] - r[j][j] - r[k][k];
        q[j] = r[i][j] + r[j][i];
        q[k] = r[i][k] + r[k][i];
        q[3] = r[k][j] - r[j][k];
    }
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return {static_cast<float>(q[0] / norm), static_cast<float>(q[1] / norm), static_cast<float>(q[2] / norm),
            static_cast<float>(q[3] / norm)};
}

inline Matrix turn_about_x(double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return {{{1, 0, 0}, {0, std::cos(angle), -std::sin(angle)}, {0, std::sin(angle), std::cos(angle)}}};
}

}  // namespace glove::test
