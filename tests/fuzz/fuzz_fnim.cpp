// SPDX-License-Identifier: Apache-2.0
// Any bytes: the decoder refuses them and leaves its output alone, or yields numbers that can be used; and whatever it
// yields, the fingers stay finite and within what a hand can do. Then the same bytes as coils which no decoder has
// looked at: not finite, huge, without rotation.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "expect.hpp"
#include "hand/fnim/fingertip_ik.hpp"
#include "hand/hand_model.hpp"
#include "protocol/fnim.hpp"

namespace {

using namespace glove;

void expect_hand(const FingertipIk& ik, const HandSample& sample) {
    for (const XrPosef& joint : sample.joint_in_wrist) {
        const XrQuaternionf& q = joint.orientation;
        const double square = double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w;
        GLOVE_FUZZ_EXPECT(std::abs(square - 1) < 1e-4);
        const XrVector3f& p = joint.position;
        GLOVE_FUZZ_EXPECT(std::abs(p.x) < 0.5f && std::abs(p.y) < 0.5f && std::abs(p.z) < 0.5f);
    }
    for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
        const AngleRange& range = angle_range(finger == kThumb);
        for (std::size_t i = 0; i < kFingerAngleCount; ++i) {
            GLOVE_FUZZ_EXPECT(ik.angles(finger)[i] >= range.low[i] && ik.angles(finger)[i] <= range.high[i]);
        }
        GLOVE_FUZZ_EXPECT(std::isfinite(ik.residual().position_m[finger]));
        GLOVE_FUZZ_EXPECT(std::isfinite(ik.residual().turn_rad[finger]));
    }
    const XrQuaternionf& q = sample.wrist_in_forearm.orientation;
    const double square = double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w;
    GLOVE_FUZZ_EXPECT(std::abs(square - 1) < 1e-4);
    GLOVE_FUZZ_EXPECT(std::isfinite(sample.wrist_in_forearm.position.x));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const HandCalibration calibration = template_calibration(kTemplateSizeMm);
    fnim::Message message;
    std::memset(static_cast<void*>(&message), 0xA5, sizeof message);
    std::array<std::byte, sizeof message> untouched;
    untouched.fill(std::byte{0xA5});

    FingertipIk ik(Hand::right, calibration);
    HandSample sample{};
    if (fnim::decode(std::as_bytes(std::span(data, size)), message) == fnim::DecodeError::none) {
        GLOVE_FUZZ_EXPECT(size == 240);
        GLOVE_FUZZ_EXPECT(std::memcmp(data, "MINF\x02", 5) == 0);
        ik.solve(message, static_cast<std::int64_t>(message.timestamp_ns), sample);
        expect_hand(ik, sample);
    } else {
        std::array<std::byte, sizeof message> left;
        std::memcpy(left.data(), &message, sizeof message);
        GLOVE_FUZZ_EXPECT(left == untouched);
    }

    fnim::Message raw{};
    raw.hand = Hand::right;
    std::size_t next = 0;
    const auto any_float = [&] {
        std::array<std::uint8_t, 4> bytes{};
        for (std::uint8_t& byte : bytes) {
            byte = next < size ? data[next++] : 0;
        }
        return std::bit_cast<float>(bytes);
    };
    for (int i = 0; i < 3 && next < size; ++i) {
        for (fnim::CoilPose& coil : raw.coils) {
            coil.valid = next < size && (data[next++] & 3) != 0;
            for (float& part : coil.position) {
                part = any_float();
            }
            for (float& part : coil.orientation_wxyz) {
                part = any_float();
            }
        }
        ik.solve(raw, i * 60'000'000, sample);
        expect_hand(ik, sample);
    }
    return 0;
}
