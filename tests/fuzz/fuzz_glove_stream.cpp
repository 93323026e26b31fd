// SPDX-License-Identifier: Apache-2.0
// Any datagrams of any senders on all ports, all the way to joints in the room: always hands of finite numbers and unit
// quaternions, whichever protocol, performer and sender they come from.
// The input is datagrams in a row, each after the first behind the bytes FF FF 'N' 'X' and one that says how long after
// the one before (upper bits, in 8 ms) and from whom (lowest bit) it comes. Each is taken on both kinds of port.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "expect.hpp"
#include "glove_stream.hpp"
#include "hand/pose_math.hpp"
#include "motion/placement.hpp"
#include "support/log.hpp"

namespace {

using namespace glove;

constexpr std::array<std::uint8_t, 4> kNext{0xFF, 0xFF, 'N', 'X'};
constexpr std::array<Sender, 2> kSenders{{{1, "127.0.0.1:1"}, {2, "127.0.0.1:2"}}};

bool is_finite(const XrVector3f& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void expect_usable(const GloveStream& stream, Hand side, std::int64_t now_ns) {
    const HandFeed& feed = stream.hand(side);
    GLOVE_FUZZ_EXPECT(feed.heard_ns <= now_ns);
    HandMotion motion;
    if (!feed.motion.read(motion)) {
        return;
    }
    const HandSample& sample = motion.sample;
    GLOVE_FUZZ_EXPECT(sample.hand == side);
    GLOVE_FUZZ_EXPECT(sample.source == Source::fsnh || sample.source == Source::fnim ||
                      sample.source == Source::hand_engine);
    GLOVE_FUZZ_EXPECT((sample.tracked & ~kAllJointsTracked) == 0);
    GLOVE_FUZZ_EXPECT(sample.time_ns <= now_ns);
    std::array<XrHandJointLocationEXT, kJointCount> locations;
    std::array<XrHandJointVelocityEXT, kJointCount> velocities;
    RootMotion root{};
    root.in_base = kIdentityPose;
    root.is_forearm = true;
    place_joints(motion, root, true, locations.data(), velocities.data());
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const XrPosef& pose = locations[i].pose;
        const XrQuaternionf& q = pose.orientation;
        GLOVE_FUZZ_EXPECT(is_finite(pose.position));
        GLOVE_FUZZ_EXPECT(std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-4f);
        GLOVE_FUZZ_EXPECT(locations[i].radius > 0);
        GLOVE_FUZZ_EXPECT(is_finite(velocities[i].linearVelocity) && is_finite(velocities[i].angularVelocity));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool quiet = [] {
        log::set_level(LogLevel::error);  // each input would be a new stream with all its first complaints
        return true;
    }();
    static_cast<void>(quiet);

    GloveStream stream{Config{}};
    std::int64_t now_ns = 1'000'000'000;
    std::size_t sender = 0;
    std::span<const std::uint8_t> rest(data, size);
    for (bool more = true; more;) {
        const auto end = std::search(rest.begin(), rest.end(), kNext.begin(), kNext.end());
        const auto length = static_cast<std::size_t>(end - rest.begin());
        const std::span<const std::byte> datagram = std::as_bytes(rest.first(length));
        stream.take(datagram, kSenders[sender], now_ns);
        stream.take_osc(datagram, kSenders[sender], now_ns);
        for (const Hand side : kBothHands) {
            expect_usable(stream, side, now_ns);
        }
        more = rest.size() > length + kNext.size();
        if (more) {
            const std::uint8_t how = rest[length + kNext.size()];
            rest = rest.subspan(length + kNext.size() + 1);
            now_ns += (how >> 1) * std::int64_t{8'000'000};
            sender = how & 1u;
        }
    }
    const HandEngineStatus status = stream.hand_engine_status();
    for (const HandEngineStatus::Glove& glove : status.gloves) {
        GLOVE_FUZZ_EXPECT(glove.received_ns <= now_ns);
        GLOVE_FUZZ_EXPECT(glove.id.view().size() <= 48);
    }
    return 0;
}
