// SPDX-License-Identifier: Apache-2.0
#include "fnim_encoding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace glove::test {
namespace {

// OpenXR axes (x right, y up, z back) from the sender's (x right, y forward, z up), the same on both hands.
constexpr Matrix kOpenXrFromSender{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};

Row row(const XrVector3f& v) {
    return {v.x, v.y, v.z};
}

Row minus(const Row& a, const Row& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Matrix turn_about(const Row& axis_times_angle) {
    const auto& [x, y, z] = axis_times_angle;
    const double angle = std::sqrt(x * x + y * y + z * z);
    const Matrix k{{{0, -z, y}, {z, 0, -x}, {-y, x, 0}}};
    const Matrix kk = k * k;
    const double a = angle < 1e-9 ? 1 : std::sin(angle) / angle;
    const double b = angle < 1e-9 ? 0.5 : (1 - std::cos(angle)) / (angle * angle);
    Matrix out = kIdentityMatrix;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            out[i][j] += a * k[i][j] + b * kk[i][j];
        }
    }
    return out;
}

SenderCoil to_sender(const Matrix& rotation, const Row& position_m) {
    const Matrix sender_from_openxr = transposed(kOpenXrFromSender);
    SenderCoil coil;
    coil.valid = true;
    coil.rotation = sender_from_openxr * rotation * kOpenXrFromSender;
    coil.position_mm = sender_from_openxr * position_m;
    for (double& part : coil.position_mm) {
        part *= 1000;
    }
    return coil;
}

// w, x, y, z from trace and differences; half a turn about an axis is told by the largest diagonal element.
std::array<double, 4> quaternion_of(const Matrix& r) {
    const auto part = [](double square, double sign) {
        return std::copysign(std::sqrt(std::max(0.0, square)) / 2, sign);
    };
    const double w = part(1 + r[0][0] + r[1][1] + r[2][2], 1);
    std::array<double, 4> q{w, part(1 + r[0][0] - r[1][1] - r[2][2], r[2][1] - r[1][2]),
                            part(1 - r[0][0] + r[1][1] - r[2][2], r[0][2] - r[2][0]),
                            part(1 - r[0][0] - r[1][1] + r[2][2], r[1][0] - r[0][1])};
    if (w < 1e-4) {  // the signs are not to be had from differences
        const std::size_t i = r[0][0] >= r[1][1] && r[0][0] >= r[2][2] ? 0 : (r[1][1] >= r[2][2] ? 1 : 2);
        for (std::size_t j = 0; j < 3; ++j) {
            q[j + 1] = j == i ? std::abs(q[j + 1]) : std::copysign(q[j + 1], r[i][j]);
        }
    }
    return q;
}

void put(std::vector<std::byte>& bytes, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        bytes.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
    }
}

void put_float(std::vector<std::byte>& bytes, double value) {
    put(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
}

}  // namespace

SenderCoil as_coil(const XrPosef& in_transmitter) {
    return to_sender(matrix_of(in_transmitter.orientation), row(in_transmitter.position));
}

SenderCoils tips_as_coils(const JointPoses& joint_in_wrist, const XrPosef& wrist_in_transmitter) {
    constexpr std::array<XrHandJointEXT, 5> tips{XR_HAND_JOINT_THUMB_TIP_EXT, XR_HAND_JOINT_INDEX_TIP_EXT,
                                                 XR_HAND_JOINT_MIDDLE_TIP_EXT, XR_HAND_JOINT_RING_TIP_EXT,
                                                 XR_HAND_JOINT_LITTLE_TIP_EXT};
    const Matrix wrist = matrix_of(wrist_in_transmitter.orientation);
    SenderCoils coils;
    for (std::size_t i = 0; i < tips.size(); ++i) {
        const XrPosef& tip = joint_in_wrist.at(tips[i]);
        Row position = wrist * row(tip.position);
        const Row zero{};
        position = minus(position, minus(zero, row(wrist_in_transmitter.position)));
        coils[i] = to_sender(wrist * matrix_of(tip.orientation), position);
    }
    return coils;
}

void add_noise(SenderCoils& coils, double sigma_mm, double sigma_degrees, std::mt19937& random) {
    std::normal_distribution<double> normal;
    for (SenderCoil& coil : coils) {
        for (double& part : coil.position_mm) {
            part += sigma_mm * normal(random);
        }
        const double sigma = sigma_degrees * std::numbers::pi / 180;
        const double x = sigma * normal(random);
        const double y = sigma * normal(random);
        const double z = sigma * normal(random);
        coil.rotation = coil.rotation * turn_about({x, y, z});
    }
}

std::vector<std::byte> fnim_datagram(const FnimHeader& header, const SenderCoils& coils) {
    std::vector<std::byte> bytes;
    for (const char letter : {'M', 'I', 'N', 'F'}) {
        put(bytes, static_cast<unsigned char>(letter), 1);
    }
    put(bytes, 2, 1);
    put(bytes, header.hand == Hand::left ? 1 : 2, 1);
    put(bytes, 0, 2);
    put(bytes, header.frame_number, 4);
    put(bytes, header.timestamp_ns, 8);
    for (const char letter : {'y', 'z', 'x', 'w'}) {
        put(bytes, static_cast<unsigned char>(letter), 1);
    }
    for (const SenderCoil& coil : coils) {
        for (const double part : coil.position_mm) {
            put_float(bytes, part);
        }
        for (const double part : quaternion_of(coil.rotation)) {
            put_float(bytes, part);
        }
        put(bytes, coil.valid ? 1 : 0, 4);
    }
    for (const Row& imu : {header.acceleration, header.turn_rate}) {
        for (const double part : imu) {
            put_float(bytes, part);
        }
    }
    if (bytes.size() != 240) {
        throw std::logic_error("FNIM datagram of the wrong size");
    }
    return bytes;
}

fnim::Message fnim_message(const FnimHeader& header, const SenderCoils& coils) {
    fnim::Message message{};
    message.hand = header.hand;
    message.frame_number = header.frame_number;
    message.timestamp_ns = header.timestamp_ns;
    for (std::size_t i = 0; i < coils.size(); ++i) {
        if (!coils[i].valid) {
            continue;
        }
        fnim::CoilPose& coil = message.coils[i];
        coil.valid = true;
        const std::array<double, 4> q = quaternion_of(coils[i].rotation);
        for (std::size_t part = 0; part < 3; ++part) {
            coil.position[part] = static_cast<float>(coils[i].position_mm[part] / 1000);
        }
        for (std::size_t part = 0; part < 4; ++part) {
            coil.orientation_wxyz[part] = static_cast<float>(q[part]);
        }
    }
    for (std::size_t part = 0; part < 3; ++part) {
        message.acceleration[part] = static_cast<float>(header.acceleration[part]);
        message.turn_rate[part] = static_cast<float>(header.turn_rate[part]);
    }
    return message;
}

}  // namespace glove::test
