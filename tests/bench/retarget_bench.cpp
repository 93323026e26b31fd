// SPDX-License-Identifier: Apache-2.0
// One FSNH message to 26 joints, once per axis verdict: what the receiver thread pays 240 times a second.
#include <benchmark/benchmark.h>

#include <cmath>

#include "fsnh_encoding.hpp"
#include "hand/fsnh/retarget.hpp"
#include "hand/hand_in_motion.hpp"
#include "hand/hand_model.hpp"

namespace glove {
namespace {

using namespace test;

void retarget_with_axes(benchmark::State& state, const Matrix& finger_axes, AxisVerdict expected) {
    SenderHand joints = to_sender(Hand::right, reference_pose(Hand::right, "relax").joint_in_wrist);
    for (std::size_t i = 1; i < joints.size(); ++i) {
        joints[i].rotation = joints[i].rotation * finger_axes;
    }
    const fsnh::Message message = wrist_message({.hand = Hand::right}, joints);
    FsnhRetarget retarget(Hand::right, kTemplateSizeMm);
    HandSample sample{};
    const std::int64_t now_ns = show_in_motion(retarget, message);
    for ([[maybe_unused]] auto _ : state) {
        retarget.retarget(message, now_ns, sample);
        benchmark::DoNotOptimize(sample);
    }
    if (retarget.axes().verdict() != expected) {
        state.SkipWithError("another verdict than the one to be measured");
    }
}

void documented(benchmark::State& state) {
    retarget_with_axes(state, kIdentityMatrix, AxisVerdict::documented);
}
BENCHMARK(documented);

void permuted(benchmark::State& state) {
    retarget_with_axes(state, {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}, AxisVerdict::permuted);
}
BENCHMARK(permuted);

void rebuilt(benchmark::State& state) {
    const double part = std::sqrt(0.5);  // 45 degrees about x, between two axis orders
    retarget_with_axes(state, {{{1, 0, 0}, {0, part, -part}, {0, part, part}}}, AxisVerdict::rebuilt);
}
BENCHMARK(rebuilt);

// The look at the axes comes with the first message, and then with each that moves.
void first_message(benchmark::State& state) {
    const SenderHand joints = to_sender(Hand::left, reference_pose(Hand::left, "relax").joint_in_wrist);
    const fsnh::Message message = wrist_message({.hand = Hand::left}, joints);
    FsnhRetarget retarget(Hand::left, kTemplateSizeMm);
    HandSample sample{};
    for ([[maybe_unused]] auto _ : state) {
        retarget.reset();
        retarget.retarget(message, 0, sample);
        benchmark::DoNotOptimize(sample);
    }
}
BENCHMARK(first_message);

}  // namespace
}  // namespace glove
