// SPDX-License-Identifier: Apache-2.0
// The bytes are a script of packets, eight each, in the order in which they arrive:
//   0     bits 0-1 the sender, bit 2 a new solve, bit 3 the frame is counted from the frame of the packet before
//   1     not used, so that a packet is a row of a hexadecimal listing
//   2-5   frame, little-endian
//   6-7   milliseconds since the packet before, little-endian
#include <cstdio>

#include "expect.hpp"
#include "motion/gate_watch.hpp"
#include "motion/stream_gate.hpp"
#include "protocol/byte_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace glove;
    constexpr std::int64_t kSilenceNs = 200'000'000;
    StreamGate gate(kSilenceNs);
    test::GateWatch watch(kSilenceNs);
    ByteReader in(std::as_bytes(std::span(data, size)));
    std::int64_t now_ns = 0;
    std::uint32_t frame = 0;
    for (;;) {
        const auto flags = in.little<std::uint8_t>();
        in.skip(1);
        const auto number = in.little<std::uint32_t>();
        now_ns += std::int64_t{1'000'000} * in.little<std::uint16_t>();
        if (in.overrun()) {
            return 0;
        }
        frame = (flags & 8) != 0 ? frame + number : number;
        const StreamGate::Packet packet{flags & 3u, frame, (flags & 4) != 0};
        const Admission answer = gate.admit(packet, now_ns);
        const char* const fault = watch.see(packet, now_ns, answer, gate.began_anew());
        if (fault != nullptr) {
            std::fprintf(stderr, "frame %u: %s\n", static_cast<unsigned>(frame), fault);
        }
        GLOVE_FUZZ_EXPECT(fault == nullptr);
    }
}
