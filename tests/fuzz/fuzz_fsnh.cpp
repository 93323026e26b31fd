// SPDX-License-Identifier: Apache-2.0
// Any bytes: the decoder refuses them and leaves its output alone, or yields numbers that can be used.
#include <array>
#include <cmath>
#include <cstring>

#include "expect.hpp"
#include "protocol/fsnh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace glove;
    fsnh::Message message;
    std::memset(static_cast<void*>(&message), 0xA5, sizeof message);
    std::array<std::byte, sizeof message> untouched;
    untouched.fill(std::byte{0xA5});

    if (fsnh::decode(std::as_bytes(std::span(data, size)), message) != fsnh::DecodeError::none) {
        std::array<std::byte, sizeof message> left;
        std::memcpy(left.data(), &message, sizeof message);
        GLOVE_FUZZ_EXPECT(left == untouched);
        return 0;
    }
    GLOVE_FUZZ_EXPECT(size == (message.forearm_format ? 640u : 612u));
    GLOVE_FUZZ_EXPECT(std::memcmp(data, "SHNF\x04", 5) == 0);
    GLOVE_FUZZ_EXPECT(message.hand == Hand::left || message.hand == Hand::right);
    GLOVE_FUZZ_EXPECT(message.forearm_format || !message.forearm_live);
    for (const fsnh::JointPose& joint : message.joints) {
        double norm_squared = 0;
        for (const float part : joint.orientation_wxyz) {
            GLOVE_FUZZ_EXPECT(std::isfinite(part));
            norm_squared += double{part} * double{part};
        }
        GLOVE_FUZZ_EXPECT(std::abs(std::sqrt(norm_squared) - 1.0) < 1e-6);
        for (const float coordinate : joint.position) {
            GLOVE_FUZZ_EXPECT(std::abs(coordinate) <= fsnh::kMaxReachM);
        }
    }
    return 0;
}
