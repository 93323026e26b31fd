// SPDX-License-Identifier: Apache-2.0
// Any bytes on Hand Engine's port, all the way to joints: whatever is taken lies inside the datagram and makes hands of
// finite numbers, unit quaternions and bones of fixed length.
#include <array>
#include <cmath>
#include <cstdint>

#include "expect.hpp"
#include "hand/hand_engine/bone_chain.hpp"
#include "hand/pose_math.hpp"
#include "protocol/finger_assembly.hpp"
#include "protocol/hand_engine.hpp"
#include "protocol/osc.hpp"

namespace {

using namespace glove;

void expect_inside(const void* begin, std::size_t size, std::span<const std::byte> datagram) {
    const auto* first = static_cast<const std::byte*>(begin);
    GLOVE_FUZZ_EXPECT(size == 0 || (first >= datagram.data() && first + size <= datagram.data() + datagram.size()));
}

void expect_usable(const HandSample& sample) {
    GLOVE_FUZZ_EXPECT((sample.tracked & ~kAllJointsTracked) == 0);
    for (const XrPosef& joint : sample.joint_in_wrist) {
        const XrQuaternionf& q = joint.orientation;
        GLOVE_FUZZ_EXPECT(std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-4f);
        GLOVE_FUZZ_EXPECT(length(joint.position) < 30.0f);
    }
}

// The longest finger of the template hand is 151 mm, its base 32 mm from the wrist.
void expect_template(const HandSample& sample) {
    for (const XrPosef& joint : sample.joint_in_wrist) {
        GLOVE_FUZZ_EXPECT(length(joint.position) < 0.19f);
    }
}

struct Receiver {
    std::array<hand_engine::FingerAssembly, kHandCount> assembly{hand_engine::FingerAssembly(Hand::left, 500'000'000),
                                                                 hand_engine::FingerAssembly(Hand::right, 500'000'000)};
    std::array<BoneChain, kHandCount> chain{BoneChain(Hand::left, {}), BoneChain(Hand::right, {})};

    template <class Part>
    void assemble(const Part& part, std::int64_t now_ns) {
        const std::size_t hand = index_of(part.hand);
        if (const auto message = assembly[hand].take(part, now_ns)) {
            GLOVE_FUZZ_EXPECT(message->hand == part.hand);
            HandSample sample;
            chain[hand].pose(*message, sample);
            expect_usable(sample);
            expect_template(sample);
        }
    }
    void take(const hand_engine::FingerRotation& rotation, std::int64_t now_ns) { assemble(rotation, now_ns); }
    void take(const hand_engine::Sliders& sliders, std::int64_t now_ns) { assemble(sliders, now_ns); }
    void take(const hand_engine::KinematicHand& kinematic, std::int64_t) {
        HandSample sample;
        if (pose_kinematic(kinematic, kTemplateSizeMm, sample)) {
            expect_usable(sample);
        }
    }
    template <class Other>
    void take(const Other&, std::int64_t) {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> datagram = std::as_bytes(std::span(data, size));
    Receiver receiver;
    std::int64_t now_ns = 0;
    osc::PacketReader packet(datagram);
    osc::Message message;
    while (packet.next(message)) {
        GLOVE_FUZZ_EXPECT(message.address.starts_with('/'));
        expect_inside(message.address.data(), message.address.size() + 1, datagram);
        expect_inside(message.tags.data(), message.tags.size() + 1, datagram);
        expect_inside(message.arguments.data(), message.arguments.size(), datagram);

        hand_engine::Message said;
        if (hand_engine::decode(message, said) == hand_engine::DecodeError::none) {
            std::visit([&](const auto& part) { receiver.take(part, now_ns); }, said);
        }
        now_ns += 1'000'000;
    }
    GLOVE_FUZZ_EXPECT(packet.error() < osc::DecodeError::count_);
    return 0;
}
