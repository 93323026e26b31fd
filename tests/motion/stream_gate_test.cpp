// SPDX-License-Identifier: Apache-2.0
// Not covered: how senders are told apart; that is the caller's affair.
#include "motion/stream_gate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gate_watch.hpp"

namespace glove {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSilenceNs = 200 * kMs;
constexpr std::int64_t kFrameNs = 8 * kMs;
constexpr std::uint64_t kGlove = 1;
constexpr std::uint64_t kOther = 2;

// A gate and a clock that goes on by one frame with each packet.
class Stream {
public:
    Admission solve(std::uint32_t frame, std::uint64_t sender = kGlove) { return admit({sender, frame, true}); }
    Admission repeat(std::uint32_t frame, std::uint64_t sender = kGlove) { return admit({sender, frame, false}); }
    void wait(std::int64_t ns) { now_ns_ += ns; }
    [[nodiscard]] bool began_anew() const { return gate_.began_anew(); }

private:
    Admission admit(const StreamGate::Packet& packet) {
        now_ns_ += kFrameNs;
        return gate_.admit(packet, now_ns_);
    }

    StreamGate gate_{kSilenceNs};
    std::int64_t now_ns_ = 1'000 * kMs;
};

TEST(StreamGate, BeginsWithTheFirstPacketWhateverItsFrame) {
    for (const std::uint32_t frame : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
        Stream stream;
        EXPECT_EQ(stream.solve(frame), Admission::sample) << frame;
        EXPECT_TRUE(stream.began_anew()) << frame;
        EXPECT_EQ(stream.solve(frame + 1), Admission::sample) << frame;
        EXPECT_FALSE(stream.began_anew()) << frame;
    }
}

TEST(StreamGate, DropsWhatComesTwice) {
    Stream stream;
    EXPECT_EQ(stream.solve(10), Admission::sample);
    EXPECT_EQ(stream.solve(10), Admission::duplicate);
    EXPECT_FALSE(stream.began_anew());
    EXPECT_EQ(stream.solve(11), Admission::sample);
}

TEST(StreamGate, DropsWhatComesLate) {
    Stream stream;
    EXPECT_EQ(stream.solve(10), Admission::sample);
    EXPECT_EQ(stream.solve(12), Admission::sample);
    EXPECT_EQ(stream.solve(11), Admission::late);
    EXPECT_EQ(stream.repeat(11), Admission::late);
    EXPECT_EQ(stream.solve(13), Admission::sample);
}

TEST(StreamGate, GoesOnWhereTheCounterWraps) {
    Stream stream;
    EXPECT_EQ(stream.solve(0xFFFFFFFE), Admission::sample);
    EXPECT_EQ(stream.solve(0xFFFFFFFF), Admission::sample);
    EXPECT_EQ(stream.solve(0), Admission::sample);
    EXPECT_FALSE(stream.began_anew());
    EXPECT_EQ(stream.solve(0xFFFFFFFF), Admission::late);
    EXPECT_EQ(stream.solve(1), Admission::sample);
}

TEST(StreamGate, FollowsJumpsAheadOfLessThanHalfTheCounter) {
    Stream stream;
    EXPECT_EQ(stream.solve(5), Admission::sample);
    EXPECT_EQ(stream.solve(5u + 0x7FFFFFFFu), Admission::sample);
    EXPECT_FALSE(stream.began_anew());
}

TEST(StreamGate, TakesALongerJumpForARestart) {
    for (const std::uint32_t jump : {0x80000000u, 0x80000001u, 0xF0000000u}) {
        Stream stream;
        EXPECT_EQ(stream.solve(5), Admission::sample);
        for (std::uint32_t i = 0; i < 9; ++i) {
            EXPECT_EQ(stream.solve(5 + jump + i), Admission::late) << jump << " + " << i;
        }
        EXPECT_EQ(stream.solve(5 + jump + 9), Admission::sample) << jump;
        EXPECT_TRUE(stream.began_anew()) << jump;
        EXPECT_EQ(stream.solve(5 + jump + 10), Admission::sample) << jump;
        EXPECT_FALSE(stream.began_anew()) << jump;
    }
}

TEST(StreamGate, KeepsAStalledHandAliveWithRepeats) {
    Stream stream;
    EXPECT_EQ(stream.solve(10), Admission::sample);
    for (int i = 0; i < 1'000; ++i) {
        EXPECT_EQ(stream.repeat(10), Admission::alive);
        EXPECT_FALSE(stream.began_anew());
    }
    EXPECT_EQ(stream.solve(11), Admission::sample);
    EXPECT_FALSE(stream.began_anew());
}

TEST(StreamGate, KeepsAHandAliveWithRepeatsThatAreCounted) {
    Stream stream;
    EXPECT_EQ(stream.solve(10), Admission::sample);
    for (std::uint32_t frame = 11; frame < 1'000; ++frame) {
        EXPECT_EQ(stream.repeat(frame), Admission::alive);
    }
    EXPECT_EQ(stream.solve(1'000), Admission::sample);
    EXPECT_FALSE(stream.began_anew());
}

TEST(StreamGate, UsesASolveThatItsRepeatOvertook) {
    Stream stream;
    EXPECT_EQ(stream.solve(10), Admission::sample);
    EXPECT_EQ(stream.repeat(11), Admission::alive);
    EXPECT_EQ(stream.solve(11), Admission::sample);
    EXPECT_EQ(stream.solve(11), Admission::duplicate);
}

TEST(StreamGate, TakesTheFirstPacketForASampleEvenIfItIsARepeat) {
    Stream stream;
    EXPECT_EQ(stream.repeat(10), Admission::sample);
    EXPECT_TRUE(stream.began_anew());
    EXPECT_EQ(stream.repeat(10), Admission::alive);
    stream.wait(kSilenceNs + 1);
    EXPECT_EQ(stream.repeat(10), Admission::sample);
    EXPECT_TRUE(stream.began_anew());
}

TEST(StreamGate, BeginsAnewWhenTheCounterFallsBackAndStaysThere) {
    Stream stream;
    EXPECT_EQ(stream.solve(5'000), Admission::sample);
    for (std::uint32_t frame = 0; frame < 9; ++frame) {
        EXPECT_EQ(stream.solve(frame), Admission::late);
        EXPECT_FALSE(stream.began_anew());
    }
    EXPECT_EQ(stream.solve(9), Admission::sample);
    EXPECT_TRUE(stream.began_anew());
    EXPECT_EQ(stream.solve(10), Admission::sample);
    EXPECT_FALSE(stream.began_anew());
}

TEST(StreamGate, RecognisesARestartedSenderThatRepeatsItself) {
    Stream stream;
    EXPECT_EQ(stream.solve(5'000), Admission::sample);
    for (std::uint32_t frame = 0; frame < 9; ++frame) {
        EXPECT_EQ(stream.solve(frame), Admission::late);
        EXPECT_EQ(stream.repeat(frame), Admission::late);
    }
    EXPECT_EQ(stream.solve(9), Admission::sample);
    EXPECT_TRUE(stream.began_anew());
}

TEST(StreamGate, DoesNotTakeLatePacketsAmongNewOnesForARestart) {
    Stream stream;
    EXPECT_EQ(stream.solve(1'000), Admission::sample);
    for (std::uint32_t i = 0; i < 100; ++i) {
        EXPECT_EQ(stream.solve(100 + i), Admission::late);
        if (i % 9 == 8) {
            EXPECT_EQ(stream.solve(1'001 + i), Admission::sample);
            EXPECT_FALSE(stream.began_anew());
        }
    }
}

TEST(StreamGate, DoesNotTakeLatePacketsOutOfOrderForARestart) {
    Stream stream;
    EXPECT_EQ(stream.solve(1'000), Admission::sample);
    for (std::uint32_t i = 0; i < 20; ++i) {  // 160 ms, shorter than the silence
        EXPECT_EQ(stream.solve(500 - i), Admission::late);
    }
}

TEST(StreamGate, DoesNotTakeOneLatePacketSentOverAndOverForARestart) {
    Stream stream;
    EXPECT_EQ(stream.solve(1'000), Admission::sample);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(stream.solve(500), Admission::late);
    }
}

TEST(StreamGate, RecoversFromAStrayFrameFarAhead) {
    Stream stream;
    EXPECT_EQ(stream.solve(100), Admission::sample);
    EXPECT_EQ(stream.solve(0x40000000), Admission::sample);
    std::uint32_t frame = 101;
    while (stream.solve(frame) == Admission::late) {
        ASSERT_LT(++frame, 200u);
    }
    EXPECT_EQ(frame, 110u);
    EXPECT_TRUE(stream.began_anew());
}

TEST(StreamGate, BeginsAnewAfterSilence) {
    for (const std::uint32_t frame : {0u, 10u, 11u, 0x90000000u}) {
        Stream stream;
        EXPECT_EQ(stream.solve(10), Admission::sample);
        stream.wait(kSilenceNs);
        EXPECT_EQ(stream.solve(frame), Admission::sample) << frame;
        EXPECT_TRUE(stream.began_anew()) << frame;
    }
}

TEST(StreamGate, CountsSilenceToTheNanosecond) {
    StreamGate gate(kSilenceNs);
    EXPECT_EQ(gate.admit({kGlove, 10, true}, 0), Admission::sample);
    EXPECT_EQ(gate.admit({kGlove, 11, true}, kSilenceNs), Admission::sample);
    EXPECT_FALSE(gate.began_anew());
    EXPECT_EQ(gate.admit({kGlove, 12, true}, 2 * kSilenceNs + 1), Admission::sample);
    EXPECT_TRUE(gate.began_anew());
}

TEST(StreamGate, KeepsASecondSenderOutWhileTheFirstIsLive) {
    Stream stream;
    for (std::uint32_t frame = 0; frame < 1'000; ++frame) {
        EXPECT_EQ(stream.solve(frame), Admission::sample);
        EXPECT_EQ(stream.solve(frame + 500, kOther), Admission::other_sender);
        EXPECT_EQ(stream.repeat(frame + 500, kOther), Admission::other_sender);
        EXPECT_FALSE(stream.began_anew());
    }
}

TEST(StreamGate, LetsASecondSenderTakeOverAfterSilence) {
    Stream stream;
    EXPECT_EQ(stream.solve(1'000), Admission::sample);
    int kept_out = 0;
    while (stream.solve(7, kOther) == Admission::other_sender) {
        ASSERT_LT(++kept_out, 100);
    }
    EXPECT_EQ(kept_out, kSilenceNs / kFrameNs) << "another sender's packets must not keep the first alive";
    EXPECT_TRUE(stream.began_anew());
    EXPECT_EQ(stream.solve(8, kOther), Admission::sample);
    EXPECT_EQ(stream.solve(1'001), Admission::other_sender) << "the first has to wait in its turn";
}

TEST(StreamGate, DoesNotKeepAHandAliveWithDuplicates) {
    Stream stream;
    EXPECT_EQ(stream.solve(10), Admission::sample);
    int dropped = 0;
    while (stream.solve(10) == Admission::duplicate) {
        ASSERT_LT(++dropped, 100);
    }
    EXPECT_EQ(dropped, kSilenceNs / kFrameNs);
    EXPECT_TRUE(stream.began_anew());
}

TEST(StreamGate, DoesNotKeepAHandAliveWithLatePackets) {
    Stream stream;
    EXPECT_EQ(stream.solve(10), Admission::sample);
    int dropped = 0;
    while (stream.repeat(9) == Admission::late) {
        ASSERT_LT(++dropped, 100);
    }
    EXPECT_EQ(dropped, kSilenceNs / kFrameNs);
    EXPECT_TRUE(stream.began_anew());
}

TEST(StreamGate, HasANameOfItsOwnForEveryAdmission) {
    std::set<std::string> names;
    for (int i = 0; i <= static_cast<int>(Admission::count_); ++i) {
        names.insert(name_of(static_cast<Admission>(i)));
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(Admission::count_) + 1);
}

struct Sent {
    StreamGate::Packet packet;
    std::int64_t arrives_ns;
};

// Two gloves send the same hand over a network that loses, doubles and delays. The second sends all the time or after
// the first has stopped; counters begin anywhere, often just before the wrap.
std::vector<Sent> any_traffic(std::mt19937& random, std::int64_t longest_delay_ns) {
    const auto up_to = [&random](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(0, most)(random);
    };
    std::vector<Sent> sent;
    for (const std::uint64_t sender : {kGlove, kOther}) {
        auto frame = static_cast<std::uint32_t>(up_to(1) == 0 ? up_to(0xFFFFFFFF) : -up_to(200));
        std::int64_t at_ns = sender == kOther ? up_to(4'000) * kMs : 0;
        for (int i = 0; i < 300; ++i) {
            const bool new_solve = up_to(3) != 0;
            frame += new_solve ? 1 : 0;
            for (std::int64_t copies = up_to(9) == 0 ? 2 : up_to(9) == 0 ? 0 : 1; copies > 0; --copies) {
                sent.push_back({{sender, frame, new_solve}, at_ns + up_to(longest_delay_ns)});
            }
            at_ns += kFrameNs;
        }
    }
    std::stable_sort(sent.begin(), sent.end(),
                     [](const Sent& a, const Sent& b) { return a.arrives_ns < b.arrives_ns; });
    return sent;
}

TEST(StreamGate, KeepsItsPromisesOnAnyTraffic) {
    std::mt19937 random(20250307);  // fixed: a failure can be repeated
    std::array<int, static_cast<std::size_t>(Admission::count_)> seen{};
    for (int run = 0; run < 400; ++run) {
        StreamGate gate(kSilenceNs);
        test::GateWatch watch(kSilenceNs);
        for (const Sent& sent : any_traffic(random, run % 10 * kFrameNs)) {
            const Admission answer = gate.admit(sent.packet, sent.arrives_ns);
            const char* const fault = watch.see(sent.packet, sent.arrives_ns, answer, gate.began_anew());
            ASSERT_EQ(fault, nullptr) << "run " << run << ", frame " << sent.packet.frame_index;
            ++seen[static_cast<std::size_t>(answer)];
        }
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_GT(seen[i], 100) << "the traffic has no case of " << name_of(static_cast<Admission>(i));
    }
}

TEST(StreamGate, NeverBeginsAnewWhileOneSenderIsMerelyReordered) {
    std::mt19937 random(20250308);
    for (int run = 0; run < 200; ++run) {
        StreamGate gate(kSilenceNs);
        int begun = 0;
        for (const Sent& sent : any_traffic(random, 8 * kFrameNs)) {
            if (sent.packet.sender == kGlove) {
                (void)gate.admit(sent.packet, sent.arrives_ns);
                begun += gate.began_anew() ? 1 : 0;
            }
        }
        ASSERT_EQ(begun, 1) << "run " << run;
    }
}

TEST(StreamGate, UsesEverySolveOfAStreamInOrder) {
    Stream stream;
    for (std::uint32_t i = 0; i < 5'000; ++i) {
        ASSERT_EQ(stream.solve(0xFFFFF000u + i), Admission::sample);
        ASSERT_EQ(stream.began_anew(), i == 0);
    }
}

}  // namespace
}  // namespace glove
