// SPDX-License-Identifier: Apache-2.0
// What solving a hand costs in allocations: nothing. Not covered: time (tests/bench).
#include <gtest/gtest.h>

#include <cstdlib>

#include "fnim_encoding.hpp"
#include "hand/fnim/fingertip_ik.hpp"

extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: glibc's own name for it

namespace {
thread_local bool t_armed = false;
thread_local std::size_t t_allocations = 0;
}  // namespace

// The program's own malloc, which operator new and Eigen use as well.
extern "C" __attribute__((visibility("default"))) void* malloc(std::size_t size) {
    if (t_armed) {
        ++t_allocations;
    }
    return __libc_malloc(size);
}

namespace glove::test {
namespace {

TEST(FingertipCost, SolvingNeverAllocates) {
    const XrPosef wrist_in_transmitter{{0, 0, 0, 1}, {0, -0.015f, 0.045f}};
    const auto message_of = [&](const char* pose) {
        return fnim_message({.hand = Hand::right},
                            tips_as_coils(reference_pose(Hand::right, pose).joint_in_wrist, wrist_in_transmitter));
    };
    const fnim::Message fist = message_of("fist");
    const fnim::Message flat = message_of("flat");
    FingertipIk ik(Hand::right, template_calibration(92));
    HandSample sample{};

    t_armed = true;
    void* const witness = malloc(1);
    const std::size_t counted = t_allocations;
    for (int i = 0; i < 100; ++i) {
        ik.solve(i % 20 < 10 ? fist : flat, i * 8'333'333, sample);
    }
    t_armed = false;
    std::free(witness);
    EXPECT_EQ(counted, 1u) << "the counter does not count";
    EXPECT_EQ(t_allocations - counted, 0u);
}

}  // namespace
}  // namespace glove::test
