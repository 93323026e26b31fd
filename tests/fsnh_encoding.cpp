// SPDX-License-Identifier: Apache-2.0
#include "fsnh_encoding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace glove::test {
namespace {

// OpenXR axes (x right, y up, z back) from the sender's: v_openxr = M v_sender.
constexpr Matrix kOpenXrFromLeft{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};   // right, forward, up
constexpr Matrix kOpenXrFromRight{{{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}};  // left, back, up

const Matrix& openxr_from_sender(Hand hand) {
    return hand == Hand::left ? kOpenXrFromLeft : kOpenXrFromRight;
}

// Document section 4.1, in the words of OpenXR.
constexpr std::array<XrHandJointEXT, 21> kSentJoints{
    XR_HAND_JOINT_WRIST_EXT,
    XR_HAND_JOINT_THUMB_METACARPAL_EXT,
    XR_HAND_JOINT_THUMB_PROXIMAL_EXT,
    XR_HAND_JOINT_THUMB_DISTAL_EXT,
    XR_HAND_JOINT_THUMB_TIP_EXT,
    XR_HAND_JOINT_INDEX_PROXIMAL_EXT,
    XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT,
    XR_HAND_JOINT_INDEX_DISTAL_EXT,
    XR_HAND_JOINT_INDEX_TIP_EXT,
    XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT,
    XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT,
    XR_HAND_JOINT_MIDDLE_DISTAL_EXT,
    XR_HAND_JOINT_MIDDLE_TIP_EXT,
    XR_HAND_JOINT_RING_PROXIMAL_EXT,
    XR_HAND_JOINT_RING_INTERMEDIATE_EXT,
    XR_HAND_JOINT_RING_DISTAL_EXT,
    XR_HAND_JOINT_RING_TIP_EXT,
    XR_HAND_JOINT_LITTLE_PROXIMAL_EXT,
    XR_HAND_JOINT_LITTLE_INTERMEDIATE_EXT,
    XR_HAND_JOINT_LITTLE_DISTAL_EXT,
    XR_HAND_JOINT_LITTLE_TIP_EXT,
};

SenderJoint to_sender(Hand hand, const XrPosef& pose) {
    const Matrix& m = openxr_from_sender(hand);
    return {transposed(m) * matrix_of(pose.orientation) * m,
            transposed(m) * Row{pose.position.x, pose.position.y, pose.position.z}};
}

// w, x, y, z. Each row of the symmetric 4x4 matrix q q^T is a multiple of q; the longest one loses no digits.
std::array<double, 4> quaternion_wxyz(const Matrix& r) {
    const std::array<std::array<double, 4>, 4> outer{{
        {1 + r[0][0] + r[1][1] + r[2][2], r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]},
        {r[2][1] - r[1][2], 1 + r[0][0] - r[1][1] - r[2][2], r[0][1] + r[1][0], r[0][2] + r[2][0]},
        {r[0][2] - r[2][0], r[0][1] + r[1][0], 1 - r[0][0] + r[1][1] - r[2][2], r[1][2] + r[2][1]},
        {r[1][0] - r[0][1], r[0][2] + r[2][0], r[1][2] + r[2][1], 1 - r[0][0] - r[1][1] + r[2][2]},
    }};
    const auto size = [](const std::array<double, 4>& row) {
        return std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
    };
    std::array<double, 4> q =
        *std::max_element(outer.begin(), outer.end(), [&](const auto& a, const auto& b) { return size(a) < size(b); });
    const double whole = size(q);
    for (double& part : q) {
        part /= whole;
    }
    return q;
}

class Datagram {
public:
    template <class T>
    Datagram& put(T value) {
        auto rest = static_cast<std::uint64_t>(value);
        for (std::size_t i = 0; i < sizeof value; ++i, rest >>= 8) {
            bytes_.push_back(static_cast<std::byte>(rest & 0xFF));
        }
        return *this;
    }

    void put_float(double value) { put(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }

    void put_joint(const SenderJoint& joint) {
        for (const double part : joint.position) {
            put_float(part);
        }
        for (const double part : quaternion_wxyz(joint.rotation)) {
            put_float(part);
        }
    }

    // Document section 5.1.
    void put_header(const FsnhHeader& header, std::uint8_t joint_count, bool forearm_live) {
        put(std::uint8_t{'S'}).put(std::uint8_t{'H'}).put(std::uint8_t{'N'}).put(std::uint8_t{'F'});
        put(std::uint8_t{4});
        put(std::uint8_t{header.hand == Hand::left ? std::uint8_t{1} : std::uint8_t{2}});
        put(joint_count);
        put(static_cast<std::uint8_t>((header.new_solve ? 1 : 0) + (forearm_live ? 2 : 0)));
        put(header.frame_index);
        put(header.timestamp_ns);
        put(std::uint32_t{0x77787A79});
    }

    std::vector<std::byte> finished(std::size_t size) const {
        if (bytes_.size() != size) {
            throw std::logic_error("FSNH datagram of the wrong size");
        }
        return bytes_;
    }

private:
    std::vector<std::byte> bytes_;
};

fsnh::Message message(const FsnhHeader& header, const SenderHand& joints, bool forearm_format) {
    fsnh::Message out{};
    out.hand = header.hand;
    out.forearm_format = forearm_format;
    out.new_solve = header.new_solve;
    out.forearm_live = forearm_format && header.forearm_live;
    out.frame_index = header.frame_index;
    out.timestamp_ns = header.timestamp_ns;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::array<double, 4> q = quaternion_wxyz(joints[i].rotation);
        for (std::size_t part = 0; part < 3; ++part) {
            out.joints[i].position[part] = static_cast<float>(joints[i].position[part]);
        }
        for (std::size_t part = 0; part < 4; ++part) {
            out.joints[i].orientation_wxyz[part] = static_cast<float>(q[part]);
        }
    }
    return out;
}

}  // namespace

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix product{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            for (std::size_t k = 0; k < 3; ++k) {
                product[row][column] += a[row][k] * b[k][column];
            }
        }
    }
    return product;
}

Row operator*(const Matrix& a, const Row& v) {
    Row product{};
    for (std::size_t row = 0; row < 3; ++row) {
        product[row] = a[row][0] * v[0] + a[row][1] * v[1] + a[row][2] * v[2];
    }
    return product;
}

Matrix transposed(const Matrix& a) {
    return {{{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}};
}

Matrix matrix_of(const XrQuaternionf& q) {
    const double size = std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    const double x = q.x / size;
    const double y = q.y / size;
    const double z = q.z / size;
    const double w = q.w / size;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

SenderHand to_sender(Hand hand, const JointPoses& joint_in_wrist) {
    SenderHand joints{};
    for (std::size_t i = 0; i < joints.size(); ++i) {
        joints[i] = to_sender(hand, joint_in_wrist[kSentJoints[i]]);
    }
    return joints;
}

SenderHand seen_from_forearm(Hand hand, const SenderHand& in_root, const XrPosef& wrist_in_forearm) {
    const SenderJoint root = to_sender(hand, wrist_in_forearm);
    SenderHand joints{};
    for (std::size_t i = 0; i < joints.size(); ++i) {
        joints[i].rotation = root.rotation * in_root[i].rotation;
        joints[i].position = root.rotation * in_root[i].position;
        for (std::size_t part = 0; part < 3; ++part) {
            joints[i].position[part] += root.position[part];
        }
    }
    return joints;
}

std::vector<std::byte> wrist_datagram(const FsnhHeader& header, const SenderHand& joints) {
    Datagram datagram;
    datagram.put_header(header, 21, false);
    for (const SenderJoint& joint : joints) {
        datagram.put_joint(joint);
    }
    return datagram.finished(612);
}

std::vector<std::byte> forearm_datagram(const FsnhHeader& header, const SenderHand& joints) {
    Datagram datagram;
    datagram.put_header(header, 22, header.forearm_live);
    datagram.put_joint({kIdentityMatrix, {0, 0, 0}});
    for (const SenderJoint& joint : joints) {
        datagram.put_joint(joint);
    }
    return datagram.finished(640);
}

fsnh::Message wrist_message(const FsnhHeader& header, const SenderHand& joints) {
    return message(header, joints, false);
}

fsnh::Message forearm_message(const FsnhHeader& header, const SenderHand& joints) {
    return message(header, joints, true);
}

}  // namespace glove::test
