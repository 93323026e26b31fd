// SPDX-License-Identifier: Apache-2.0
// Cost of one joint packet on the receiver's thread; 240 arrive in a second.
#include <benchmark/benchmark.h>

#include <string>

#include "golden_file.hpp"
#include "protocol/fsnh.hpp"

namespace glove {
namespace {

void decode_fsnh(benchmark::State& state, const std::string& name) {
    const auto datagram = test::golden_file(name);
    fsnh::Message message;
    if (fsnh::decode(datagram, message) != fsnh::DecodeError::none) {
        state.SkipWithError("refused");
    }
    for ([[maybe_unused]] const auto _ : state) {
        benchmark::DoNotOptimize(fsnh::decode(datagram, message));
        benchmark::ClobberMemory();
    }
}
BENCHMARK_CAPTURE(decode_fsnh, wrist_612_bytes, "fsnh/wrist_left_relaxed.hex");
BENCHMARK_CAPTURE(decode_fsnh, forearm_640_bytes, "fsnh/forearm_left_live.hex");

}  // namespace
}  // namespace glove
