// SPDX-License-Identifier: Apache-2.0
// Finger messages into samples of a hand: complete, incomplete, out of order, twice, lost, mixed, across midnight.
// Every finger's rotation carries its sample's number, so a torn hand shows itself.
#include "protocol/finger_assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace glove::hand_engine {
namespace {

using From = HandMessage::From;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSilence = 500 * kMs;

FingerRotation finger_of(Timecode timecode, std::size_t finger, bool with_metacarpals = true, float mark = -1) {
    FingerRotation rotation{timecode, 0, Hand::left, static_cast<Finger>(finger), with_metacarpals, {}};
    for (Quaternion& bone : rotation.bones) {
        bone = {mark < 0 ? static_cast<float>(timecode) : mark, 0, 0, 1};
    }
    if (!with_metacarpals) {
        rotation.bones[kMetacarpal].fill(osc::kNull);
    }
    return rotation;
}

Sliders sliders_of(Timecode timecode) {
    Sliders sliders{};
    sliders.timecode = timecode;
    sliders.hand = Hand::left;
    sliders.values.global_splay = static_cast<float>(timecode);
    return sliders;
}

// A glove's stream as it arrives: collects what the assembly hands out and looks at each for tears.
class Stream {
public:
    void finger(Timecode timecode, std::size_t finger, bool with_metacarpals = true) {
        keep(assembly_.take(finger_of(timecode, finger, with_metacarpals), now_ns_));
    }
    void sliders(Timecode timecode) { keep(assembly_.take(sliders_of(timecode), now_ns_)); }
    void hand(Timecode timecode, bool with_metacarpals = true) {
        for (std::size_t k = 0; k < kFingerCount; ++k) {
            finger(timecode, k, with_metacarpals);
        }
    }
    void wait(std::int64_t ns) { now_ns_ += ns; }
    [[nodiscard]] std::int64_t now_ns() const { return now_ns_; }

    [[nodiscard]] std::vector<Timecode> timecodes() const {
        std::vector<Timecode> out;
        for (const HandMessage& sample : samples_) {
            out.push_back(sample.timecode);
        }
        return out;
    }
    [[nodiscard]] const std::vector<HandMessage>& samples() const { return samples_; }
    [[nodiscard]] const FingerAssembly::Counts& counts() const { return assembly_.counts(); }

private:
    void keep(const std::optional<HandMessage>& sample) {
        if (!sample) {
            return;
        }
        for (std::size_t k = 0; k < kFingerCount; ++k) {
            if (sample->from[k] == From::rotation) {
                EXPECT_EQ(sample->bones[k][kProximal][0], static_cast<float>(sample->timecode))
                    << "torn at finger " << k;
            }
            if (sample->from[k] == From::sliders) {
                EXPECT_EQ(sample->sliders.global_splay, static_cast<float>(sample->timecode)) << "torn at finger " << k;
            }
        }
        samples_.push_back(*sample);
    }

    FingerAssembly assembly_{Hand::left, kSilence};
    std::int64_t now_ns_ = 1'000 * kMs;
    std::vector<HandMessage> samples_;
};

std::size_t fingers_in(const HandMessage& sample) {
    return static_cast<std::size_t>(
        std::count_if(sample.from.begin(), sample.from.end(), [](From from) { return from != From::nothing; }));
}

TEST(FingerAssembly, HandsOutASampleWithItsFifthFinger) {
    Stream stream;
    for (const std::size_t finger : {3u, 0u, 4u, 1u}) {
        stream.finger(100, finger);
        EXPECT_TRUE(stream.samples().empty());
        stream.wait(kMs);
    }
    stream.finger(100, 2);
    ASSERT_EQ(stream.samples().size(), 1u);
    EXPECT_EQ(fingers_in(stream.samples()[0]), 5u);
    EXPECT_EQ(stream.samples()[0].timecode, 100);
    EXPECT_EQ(stream.samples()[0].hand, Hand::left);
    EXPECT_EQ(stream.samples()[0].received_ns, stream.now_ns() - 4 * kMs) << "the first finger's arrival";
}

TEST(FingerAssembly, HandsOutAnIncompleteSampleWhenTheNextBegins) {
    Stream stream;
    stream.hand(100);
    stream.finger(101, 0);
    stream.finger(101, 4);
    stream.finger(102, 1);
    ASSERT_EQ(stream.timecodes(), (std::vector<Timecode>{100, 101}));
    const HandMessage& sample = stream.samples()[1];
    EXPECT_EQ(sample.from,
              (std::array<From, 5>{From::rotation, From::nothing, From::nothing, From::nothing, From::rotation}));
    EXPECT_EQ(stream.counts().whole, 1u);
    EXPECT_EQ(stream.counts().partial, 1u);
}

TEST(FingerAssembly, DropsWhatComesLate) {
    Stream stream;
    stream.finger(101, 0);
    stream.finger(102, 0);
    stream.finger(101, 1);
    stream.finger(102, 1);
    stream.finger(102, 2);
    stream.finger(102, 3);
    stream.finger(102, 4);
    EXPECT_EQ(stream.timecodes(), (std::vector<Timecode>{101, 102}));
    EXPECT_EQ(fingers_in(stream.samples()[0]), 1u);
    EXPECT_EQ(fingers_in(stream.samples()[1]), 5u);
    EXPECT_EQ(stream.counts().late, 1u);
}

TEST(FingerAssembly, TakesEachFingerOnceWhenAllComeTwice) {
    Stream stream;
    for (Timecode t = 1; t <= 10; ++t) {
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            stream.finger(t, finger);
            stream.finger(t, finger);
        }
        stream.wait(8 * kMs);
    }
    EXPECT_EQ(stream.samples().size(), 10u);
    EXPECT_EQ(stream.counts().whole, 10u);
    EXPECT_EQ(stream.counts().duplicate, 50u);
}

TEST(FingerAssembly, GoesOnAtMidnight) {
    Stream stream;
    for (const Timecode t : {235959057, 235959058, 235959059, 0, 1, 2}) {
        stream.hand(t);
    }
    EXPECT_EQ(stream.samples().size(), 6u);
    stream.finger(235959059, 0);  // from before midnight
    EXPECT_EQ(stream.samples().size(), 6u);
    EXPECT_EQ(stream.counts().late, 1u);
    EXPECT_EQ(stream.counts().restarts, 0u);
}

TEST(FingerAssembly, GoesOnAtTheTurnOfSecondsMinutesAndHours) {
    Stream stream;
    for (const Timecode t : {125958059, 125959000, 125959059, 130000000, 130000001}) {
        stream.hand(t);
    }
    EXPECT_EQ(stream.samples().size(), 5u);
    EXPECT_EQ(stream.counts().whole, 5u);
}

TEST(FingerAssembly, TakesAPlainCounterToo) {
    Stream stream;
    for (Timecode t = 59'990; t < 60'100; ++t) {  // would be the sixtieth second
        stream.hand(t);
    }
    EXPECT_EQ(stream.samples().size(), 110u);
}

TEST(FingerAssembly, FollowsASenderThatStoppedAndBeganAgainFromZero) {
    Stream stream;
    for (Timecode t = 5'000; t < 5'010; ++t) {
        stream.hand(t);
        stream.wait(8 * kMs);
    }
    stream.finger(5'010, 0);  // cut off in the middle of a sample
    stream.wait(kSilence + kMs);
    stream.hand(0);
    stream.hand(1);
    ASSERT_EQ(stream.samples().size(), 12u) << "the sample that was cut off is half a second old: nobody wants it";
    EXPECT_EQ(stream.samples()[10].timecode, 0);
}

TEST(FingerAssembly, FollowsASenderThatBeganAgainWithoutAPauseWithinThreeSamples) {
    Stream stream;
    stream.hand(5'000);
    stream.hand(5'001);
    for (Timecode t = 0; t < 4; ++t) {
        stream.hand(t);
        stream.wait(8 * kMs);
    }
    EXPECT_EQ(stream.samples().back().timecode, 3);
    EXPECT_EQ(stream.counts().restarts, 1u);
}

TEST(FingerAssembly, KeepsToTheNewerOfTwoMixedStreams) {
    Stream stream;
    for (Timecode t = 0; t < 50; ++t) {
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            stream.finger(9'000 + t, finger);
            stream.finger(100 + t, finger);
        }
        stream.wait(8 * kMs);
    }
    EXPECT_EQ(stream.samples().size(), 50u);
    EXPECT_EQ(stream.counts().whole, 50u);
    EXPECT_EQ(stream.counts().late, 250u - stream.counts().duplicate);
    for (const HandMessage& sample : stream.samples()) {
        EXPECT_GE(sample.timecode, 9'000);
    }
}

TEST(FingerAssembly, NeverTearsAHandWhateverTheNetworkDoes) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        const auto chance = [&](double p) { return std::bernoulli_distribution(p)(random); };
        std::vector<std::pair<Timecode, std::size_t>> sent;
        constexpr Timecode kSamples = 2'000;
        for (Timecode t = 0; t < kSamples; ++t) {
            std::array<std::size_t, kFingerCount> order{0, 1, 2, 3, 4};
            std::shuffle(order.begin(), order.end(), random);
            for (const std::size_t finger : order) {
                if (chance(0.2)) {
                    continue;  // lost
                }
                sent.emplace_back(t, finger);
                if (chance(0.1)) {
                    sent.emplace_back(t, finger);  // twice
                }
            }
        }
        for (std::size_t k = 0; k + 8 < sent.size(); ++k) {
            if (chance(0.05)) {
                std::swap(sent[k], sent[k + 1 + random() % 7]);  // overtaken
            }
        }
        Stream stream;
        Timecode newest = sent.front().first;
        Timecode before = newest;
        for (const auto& [t, finger] : sent) {
            if (t > newest) {
                before = newest;
                newest = t;
            }
            stream.finger(t, finger);
            stream.wait(kMs);
            if (newest != before) {
                ASSERT_FALSE(stream.samples().empty());
                EXPECT_GE(stream.samples().back().timecode, before) << "out when a newer one begins; seed " << seed;
            }
        }
        const std::vector<Timecode> timecodes = stream.timecodes();
        EXPECT_TRUE(std::is_sorted(timecodes.begin(), timecodes.end())) << "seed " << seed;
        EXPECT_EQ(std::adjacent_find(timecodes.begin(), timecodes.end()), timecodes.end()) << "seed " << seed;
        // A finger that overtakes a whole sample costs that sample.
        EXPECT_GT(stream.samples().size(), static_cast<std::size_t>(kSamples * 0.9)) << "seed " << seed;
        EXPECT_EQ(stream.counts().restarts, 0u) << "seed " << seed;
    }
}

TEST(FingerAssembly, PrefersRotationsWithMetacarpalsWhenBothCome) {
    Stream stream;
    for (Timecode t = 0; t < 20; ++t) {
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            stream.finger(t, finger, false);
            stream.finger(t, finger, true);
        }
        stream.wait(8 * kMs);
    }
    ASSERT_EQ(stream.samples().size(), 20u);
    for (const HandMessage& sample : stream.samples()) {
        for (const auto& bones : sample.bones) {
            EXPECT_FALSE(is_null(bones[kMetacarpal])) << sample.timecode;
        }
    }
}

TEST(FingerAssembly, TakesRotationsWithoutMetacarpalsWhenNothingElseComes) {
    Stream stream;
    stream.hand(1, true);
    stream.wait(kSilence + kMs);
    stream.hand(2, false);
    stream.hand(3, false);
    ASSERT_EQ(stream.samples().size(), 3u);
    EXPECT_TRUE(is_null(stream.samples()[2].bones[1][kMetacarpal]));
}

TEST(FingerAssembly, LetsSlidersMakeTheWholeHandWhenOnlyTheyCome) {
    Stream stream;
    for (Timecode t = 0; t < 10; ++t) {
        stream.sliders(t);
        stream.wait(16 * kMs);
    }
    ASSERT_EQ(stream.samples().size(), 10u);
    for (const HandMessage& sample : stream.samples()) {
        EXPECT_EQ(std::count(sample.from.begin(), sample.from.end(), From::sliders), 5);
    }
}

TEST(FingerAssembly, DropsRotationsOfASampleThatSlidersHadMade) {
    Stream stream;
    stream.sliders(1);
    stream.hand(1);
    EXPECT_EQ(stream.samples().size(), 1u);
    EXPECT_EQ(stream.counts().duplicate, 5u);
    stream.sliders(2);
    EXPECT_EQ(stream.samples().size(), 1u) << "rotations are being sent now: wait for them";
    stream.hand(2);
    ASSERT_EQ(stream.samples().size(), 2u);
    EXPECT_EQ(stream.samples()[1].from[0], From::rotation);
}

TEST(FingerAssembly, LetsSlidersMakeTheFingerWhoseRotationsAreNotSent) {
    Stream stream;
    for (Timecode t = 0; t < 10; ++t) {
        for (std::size_t finger = 1; finger < kFingerCount; ++finger) {
            stream.finger(t, finger);
        }
        stream.sliders(t);
        stream.wait(16 * kMs);
    }
    ASSERT_EQ(stream.samples().size(), 10u) << "complete with the sliders: nothing to wait for";
    EXPECT_EQ(stream.samples().back().from,
              (std::array<From, 5>{From::sliders, From::rotation, From::rotation, From::rotation, From::rotation}));
}

TEST(FingerAssembly, HoldsAFingerThatIsLostOnceThoughSlidersCome) {
    Stream stream;
    for (Timecode t = 0; t < 5; ++t) {
        stream.sliders(t);
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            if (t != 3 || finger != 2) {
                stream.finger(t, finger);
            }
        }
        stream.wait(8 * kMs);
    }
    const auto sample = std::find_if(stream.samples().begin(), stream.samples().end(),
                                     [](const HandMessage& s) { return s.timecode == 3; });
    ASSERT_NE(sample, stream.samples().end());
    EXPECT_EQ(sample->from[2], From::nothing) << "another shape for one frame would be a twitch";
    EXPECT_EQ(sample->from[1], From::rotation);
}

TEST(FingerAssembly, TakesAFingerOfNullsForOneThatIsNotSent) {
    FingerAssembly assembly(Hand::left, kSilence);
    FingerRotation null = finger_of(1, 1);
    null.bones[kIntermediate].fill(osc::kNull);
    EXPECT_FALSE(assembly.take(null, 0));
    EXPECT_EQ(assembly.counts().null, 1u);
    const auto sample = assembly.take(sliders_of(1), 0);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->from[1], From::sliders);
}

TEST(FingerAssembly, DoesNotAskTheThumbForABoneItDoesNotHave) {
    FingerAssembly assembly(Hand::left, kSilence);
    FingerRotation thumb = finger_of(1, 0);
    thumb.bones[kIntermediate].fill(osc::kNull);
    std::optional<HandMessage> sample = assembly.take(thumb, 0);
    for (std::size_t finger = 1; finger < kFingerCount; ++finger) {
        sample = assembly.take(finger_of(1, finger), 0);
    }
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->from[0], From::rotation);
}

TEST(FingerAssembly, BeginsASampleWithEachRepeatedFingerWhenThereIsNoTimecode) {
    FingerAssembly assembly(Hand::left, kSilence);
    std::vector<HandMessage> samples;
    for (int number = 0; number < 6; ++number) {
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            if (number == 3 && finger == 4) {
                continue;  // lost
            }
            const auto mark = static_cast<float>(number);
            if (const auto sample = assembly.take(finger_of(osc::kNullInteger, finger, true, mark), number * 8 * kMs)) {
                samples.push_back(*sample);
            }
        }
    }
    ASSERT_EQ(samples.size(), 6u);
    for (std::size_t number = 0; number < samples.size(); ++number) {
        for (std::size_t finger = 0; finger < kFingerCount; ++finger) {
            if (samples[number].from[finger] == From::rotation) {
                EXPECT_EQ(samples[number].bones[finger][kProximal][0], static_cast<float>(number));
            }
        }
    }
    EXPECT_EQ(samples[3].from[4], From::nothing);
}

}  // namespace
}  // namespace glove::hand_engine
