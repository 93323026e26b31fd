// SPDX-License-Identifier: Apache-2.0
// glove_sim as a person starts it, heard on a loopback socket, with FSNH gloves; the other gloves:
// glove_sim_protocols_test. What the datagrams say about hands: fsnh_sender_test.
// Not covered: name resolution and networks other than loopback; the pace of single datagrams.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "glove_sim/faulty_link.hpp"
#include "protocol/hand.hpp"
#include "samples/run_program.hpp"
#include "samples/udp_listener.hpp"

namespace glove {
namespace {

struct Heard {
    std::size_t size;
    int hand;  // as sent: 1 left, 2 right
    std::uint32_t frame_index;
    std::uint64_t timestamp_ns;

    bool operator==(const Heard&) const = default;
};

std::uint64_t number_at(const std::vector<std::byte>& bytes, std::size_t offset, std::size_t size) {
    std::uint64_t out = 0;
    for (std::size_t i = size; i-- > 0;) {
        out = out << 8 | std::to_integer<std::uint64_t>(bytes.at(offset + i));
    }
    return out;
}

// FSNH datagrams, by the fields of their header.
class Listener : public test::UdpListener {
public:
    std::vector<Heard> stop() {
        std::vector<Heard> out;
        for (const Datagram& bytes : UdpListener::stop()) {
            out.push_back({bytes.size(), static_cast<int>(number_at(bytes, 5, 1)),
                           static_cast<std::uint32_t>(number_at(bytes, 8, 4)), number_at(bytes, 12, 8)});
        }
        return out;
    }
};

std::vector<Heard> only(int hand, const std::vector<Heard>& heard) {
    std::vector<Heard> out;
    std::copy_if(heard.begin(), heard.end(), std::back_inserter(out),
                 [hand](const Heard& h) { return h.hand == hand; });
    return out;
}

// The number after `word` in the line at the end.
int said(const std::string& out, const std::string& word) {
    const std::size_t at = out.find(word + ' ');
    return at == std::string::npos ? -1 : std::stoi(out.substr(at + word.size() + 1));
}

TEST(GloveSim, SendsBothHandsAtItsRateForItsTime) {
    Listener listener;
    const test::Outcome outcome =
        test::run("glove_sim", {"fsnh", "--rate", "200", "--seconds", "1.5", "--to", listener.address()});
    const std::vector<Heard> heard = listener.stop();
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(said(outcome.out, "sent"), 600) << outcome.out;
    for (const int hand : {1, 2}) {
        const std::vector<Heard> one = only(hand, heard);
        ASSERT_EQ(one.size(), 300u);
        for (std::size_t i = 0; i < one.size(); ++i) {
            EXPECT_EQ(one[i].size, 612u);
            EXPECT_EQ(one[i].frame_index, i);
            EXPECT_TRUE(i == 0 || one[i].timestamp_ns > one[i - 1].timestamp_ns);
        }
        const double seconds = 1e-9 * static_cast<double>(one.back().timestamp_ns - one.front().timestamp_ns);
        EXPECT_NEAR(seconds, 299 / 200.0, 0.15) << "by the sender's own clock";
    }
}

TEST(GloveSim, SendsTheForearmFormatOfOneHand) {
    Listener listener;
    const test::Outcome outcome = test::run(
        "glove_sim", {"fsnh", "--joints", "22", "--hand", "right", "--seconds", "0.2", "--to", listener.address()});
    const std::vector<Heard> heard = listener.stop();
    EXPECT_EQ(outcome.status, 0);
    ASSERT_EQ(heard.size(), 24u);
    for (const Heard& datagram : heard) {
        EXPECT_EQ(datagram.size, 640u);
        EXPECT_EQ(datagram.hand, 2);
    }
}

TEST(GloveSim, LosesSwapsAndDoublesAsOftenAsAskedAndAsItSays) {
    Listener listener;
    const test::Outcome outcome =
        test::run("glove_sim", {"fsnh", "--hand", "left", "--rate", "500", "--seconds", "3", "--loss", "0.1",
                                "--reorder", "0.2", "--duplicate", "0.15", "--seed", "7", "--to", listener.address()});
    const std::vector<Heard> heard = listener.stop();
    ASSERT_EQ(outcome.status, 0);

    std::set<std::uint32_t> different;
    int late = 0;
    std::uint32_t newest = 0;
    for (const Heard& datagram : heard) {
        late += datagram.frame_index < newest && !different.contains(datagram.frame_index);
        newest = std::max(newest, datagram.frame_index);
        different.insert(datagram.frame_index);
    }
    const int lost = 1500 - static_cast<int>(different.size());
    const int doubled = static_cast<int>(heard.size() - different.size());
    EXPECT_EQ(lost, said(outcome.out, "lost")) << outcome.out;
    EXPECT_EQ(late, said(outcome.out, "reordered")) << outcome.out;
    EXPECT_EQ(doubled, said(outcome.out, "duplicated")) << outcome.out;

    // Five standard deviations of as many draws.
    const auto expect_share = [](int count, double draws, double chance) {
        EXPECT_NEAR(count, draws * chance, 5 * std::sqrt(draws * chance * (1 - chance)));
    };
    expect_share(lost, 1500, 0.1);
    expect_share(doubled, 1500 - lost, 0.15);
    // The one after a held one is not held itself: P / (1 + P) of them are.
    expect_share(late, 1500 - lost, 0.2 / 1.2);
}

TEST(GloveSim, RepeatsItsFaultsWithTheirSeed) {
    const auto indices_of = [](const std::string& seed) {
        Listener listener;
        const test::Outcome outcome =
            test::run("glove_sim", {"fsnh", "--rate", "400", "--seconds", "0.5", "--loss", "0.3", "--reorder", "0.3",
                                    "--duplicate", "0.3", "--seed", seed, "--to", listener.address()});
        EXPECT_EQ(outcome.status, 0);
        std::vector<std::pair<int, std::uint32_t>> out;
        for (const Heard& datagram : listener.stop()) {
            out.emplace_back(datagram.hand, datagram.frame_index);
        }
        return out;
    };
    const auto once = indices_of("5");
    EXPECT_FALSE(once.empty());
    EXPECT_EQ(once, indices_of("5"));
    EXPECT_NE(once, indices_of("6"));
}

TEST(GloveSim, EndsCleanlyWhenStopped) {
    for (const int signal : {SIGINT, SIGTERM}) {
        Listener listener;
        test::Program program("glove_sim", {"fsnh", "--to", listener.address()});
        while (!listener.heard_something()) {  // CTest's time limit ends a wait in vain
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        program.send_signal(signal);
        const test::Outcome outcome = program.wait();
        const std::vector<Heard> heard = listener.stop();
        EXPECT_EQ(outcome.status, 0) << signal;
        EXPECT_EQ(said(outcome.out, "sent"), static_cast<int>(heard.size())) << outcome.out;
        EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
    }
}

TEST(GloveSim, SaysEverySecondWhatItDoesUnlessQuiet) {
    Listener listener;
    test::Program loud("glove_sim", {"fsnh", "--pose", "fist", "--seconds", "2.5", "--to", listener.address()});
    test::Program quiet("glove_sim", {"fsnh", "--quiet", "--seconds", "1.5", "--to", listener.address()});
    const std::string said_loud = loud.wait().err;
    EXPECT_EQ(std::count(said_loud.begin(), said_loud.end(), '\n'), 2) << said_loud;
    EXPECT_NE(said_loud.find("fist"), std::string::npos);
    EXPECT_EQ(quiet.wait().err, "");
}

TEST(GloveSim, RefusesWrongArgumentsWithStatus2AndSaysWhich) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{}, "subcommand"},
        {{"emg"}, "subcommand"},
        {{"fsnh", "--joints", "23"}, "--joints"},
        {{"fsnh", "--hand", "none"}, "--hand"},
        {{"fsnh", "--pose", "salute"}, "--pose"},
        {{"fsnh", "--rate", "0"}, "--rate"},
        {{"fsnh", "--rate", "nan"}, "--rate"},
        {{"fsnh", "--rate", "fast"}, "--rate"},
        {{"fsnh", "--seconds", "-1"}, "--seconds"},
        {{"fsnh", "--loss", "1.01"}, "--loss"},
        {{"fsnh", "--reorder", "inf"}, "--reorder"},
        {{"fsnh", "--duplicate", "-0.1"}, "--duplicate"},
        {{"fsnh", "--seed", "x"}, "--seed"},
        {{"fsnh", "--to", "127.0.0.1"}, "--to"},
        {{"fsnh", "--to", ":15001"}, "--to"},
        {{"fsnh", "--to", "127.0.0.1:0"}, "--to"},
        {{"fsnh", "--to", "127.0.0.1:65536"}, "--to"},
        {{"fsnh", "--to", "127.0.0.1:15001x"}, "--to"},
        {{"fsnh", "--to", "::1:15001"}, "--to"},
        {{"fsnh", "--volume", "11"}, "--volume"},
        {{"fsnh", "--rig", "mirror-x"}, "--rig"},
        {{"hand-engine", "--rig", "vrm"}, "--rig"},
        {{"hand-engine", "--glove", "reality"}, "--glove"},
        {{"hand-engine", "--format", "position"}, "--format"},
        {{"hand-engine", "--rate", "90"}, "--rate"},
        {{"hand-engine", "--performer", "-1"}, "--performer"},
        {{"hand-engine", "--battery", "101"}, "--battery"},
        {{"hand-engine", "--to", "127.0.0.1"}, "--to"},
        {{"fnim", "--noise-mm", "-1"}, "--noise-mm"},
        {{"fnim", "--noise-deg", "nan"}, "--noise-deg"},
        {{"fnim", "--dropout", "2"}, "--dropout"},
        {{"fnim", "--joints", "22"}, "--joints"},
    };
    for (const auto& [arguments, word] : cases) {
        const test::Outcome outcome = test::run("glove_sim", arguments);
        EXPECT_EQ(outcome.status, 2) << word;
        EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.out, "") << word;
    }
}

TEST(GloveSim, HelpsWithExamples) {
    const test::Outcome outcome = test::run("glove_sim", {"fsnh", "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out.find("glove_sim fsnh --hand left"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err, "");
}

TEST(GloveSim, FailsWhenNothingCanBeSent) {
    // The system refuses a broadcast to a socket that did not ask for the right.
    const test::Outcome outcome = test::run("glove_sim", {"fsnh", "--seconds", "0.1", "--to", "255.255.255.255:15001"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("cannot send to 255.255.255.255:15001"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << "once, not for every datagram";
}

std::vector<int> through(const FaultRates& rates, int count) {
    std::vector<int> out;
    FaultyLink link(rates, 1,
                    [&out](const FaultyLink::Datagram& datagram) { out.push_back(std::to_integer<int>(datagram[0])); });
    for (int i = 0; i < count; ++i) {
        link.send({static_cast<std::byte>(i)});
    }
    link.finish();
    return out;
}

TEST(FaultyLink, PassesEverythingInOrderWhenNothingIsAsked) {
    EXPECT_EQ(through({}, 4), (std::vector{0, 1, 2, 3}));
}

TEST(FaultyLink, SwapsPairsWhenAlwaysReordering) {
    EXPECT_EQ(through({0, 1, 0}, 5), (std::vector{1, 0, 3, 2, 4})) << "the last one has no next one to wait for";
}

TEST(FaultyLink, DoublesEachWhenAlwaysDuplicating) {
    EXPECT_EQ(through({0, 0, 1}, 2), (std::vector{0, 0, 1, 1}));
}

TEST(FaultyLink, LosesEachWhenAlwaysLosing) {
    EXPECT_EQ(through({1, 1, 1}, 5), std::vector<int>{});
}

}  // namespace
}  // namespace glove
