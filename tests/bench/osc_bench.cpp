// SPDX-License-Identifier: Apache-2.0
// One rotationWithMetacarpals message, 17 arguments, from its bytes to its values: ours beside oscpack and liblo.
// Each reads what a receiver of this message needs, the address, the timecode and 16 floats, in its own ordinary way.
#include <benchmark/benchmark.h>
#include <lo/lo_lowlevel.h>
#include <oscpack/osc/OscReceivedElements.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "osc_encoding.hpp"
#include "protocol/hand_engine.hpp"
#include "protocol/osc.hpp"

namespace {

using glove::test::Bytes;

struct Values {
    std::int32_t timecode;
    std::array<float, 16> numbers;
};

Bytes finger_message() {
    glove::test::OscEncoder encoder("/v1/animation/0/1/Index/rotationWithMetacarpals");
    encoder.i(134255043);
    for (int k = 0; k < 16; ++k) {
        encoder.f(std::cos(0.3 * k));
    }
    return encoder.bytes();
}

void Ours(benchmark::State& state) {
    const Bytes bytes = finger_message();
    for (auto _ : state) {
        glove::osc::PacketReader packet(bytes);
        glove::osc::Message message;
        Values values{};
        while (packet.next(message)) {
            glove::osc::ArgumentReader in(message);
            values.timecode = in.integer();
            in.numbers(values.numbers);
            if (in.argument_error() != glove::osc::ArgumentError::none) {
                state.SkipWithError("refused");
            }
        }
        benchmark::DoNotOptimize(message.address.data());
        benchmark::DoNotOptimize(values);
    }
}
BENCHMARK(Ours);

void OursToAFinger(benchmark::State& state) {
    const Bytes bytes = finger_message();
    for (auto _ : state) {
        glove::osc::PacketReader packet(bytes);
        glove::osc::Message message;
        glove::hand_engine::Message said;
        while (packet.next(message)) {
            if (glove::hand_engine::decode(message, said) != glove::hand_engine::DecodeError::none) {
                state.SkipWithError("refused");
            }
        }
        benchmark::DoNotOptimize(said);
    }
}
BENCHMARK(OursToAFinger);

void Oscpack(benchmark::State& state) {
    const Bytes bytes = finger_message();
    for (auto _ : state) {
        const osc::ReceivedPacket packet(reinterpret_cast<const char*>(bytes.data()),
                                         static_cast<osc::osc_bundle_element_size_t>(bytes.size()));
        const osc::ReceivedMessage message(packet);
        Values values{};
        auto argument = message.ArgumentsBegin();
        values.timecode = (argument++)->AsInt32();
        for (float& number : values.numbers) {
            number = (argument++)->AsFloat();
        }
        benchmark::DoNotOptimize(message.AddressPattern());
        benchmark::DoNotOptimize(values);
    }
}
BENCHMARK(Oscpack);

void Liblo(benchmark::State& state) {
    const Bytes bytes = finger_message();
    for (auto _ : state) {
        Bytes copy = bytes;  // it swaps the bytes where they are
        lo_message message = lo_message_deserialise(copy.data(), copy.size(), nullptr);
        lo_arg** arguments = lo_message_get_argv(message);
        Values values{};
        values.timecode = arguments[0]->i;
        for (std::size_t k = 0; k < values.numbers.size(); ++k) {
            values.numbers[k] = arguments[k + 1]->f;
        }
        benchmark::DoNotOptimize(lo_get_path(copy.data(), static_cast<ssize_t>(copy.size())));
        benchmark::DoNotOptimize(values);
        lo_message_free(message);
    }
}
BENCHMARK(Liblo);

}  // namespace
