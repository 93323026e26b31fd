// SPDX-License-Identifier: Apache-2.0
// Not covered: machines with a weaker memory order than the one the test runs on; for those there is ThreadSanitizer.
#include "support/latest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace glove {
namespace {

// Every number says which value it belongs to, so a mixture of two shows. Not a multiple of eight bytes long.
struct Value {
    std::array<std::uint32_t, 101> numbers;
};
static_assert(sizeof(Value) % 8 != 0);

Value marked(std::uint32_t mark) {
    Value value;
    value.numbers.fill(mark);
    return value;
}

bool is_whole(const Value& value) {
    for (const std::uint32_t number : value.numbers) {
        if (number != value.numbers[0]) {
            return false;
        }
    }
    return true;
}

TEST(Latest, HasNothingAtFirst) {
    const Latest<Value> latest;
    Value value = marked(7);
    EXPECT_EQ(latest.newest(), 0u);
    EXPECT_FALSE(latest.read(value));
    EXPECT_FALSE(latest.read_number(0, value));
    EXPECT_FALSE(latest.read_number(1, value));
    EXPECT_EQ(value.numbers[0], 7u) << "a failed read must leave the output alone";
}

TEST(Latest, GivesTheNewestAsOftenAsItIsAsked) {
    Latest<Value> latest;
    for (std::uint32_t i = 1; i <= 100; ++i) {
        latest.publish(marked(i));
        EXPECT_EQ(latest.newest(), i);
        for (int again = 0; again < 2; ++again) {
            Value value = marked(0);
            ASSERT_TRUE(latest.read(value));
            EXPECT_EQ(value.numbers[0], i);
            EXPECT_TRUE(is_whole(value));
        }
    }
}

template <std::size_t Slots>
void expect_limits_of_numbers() {
    Latest<Value, Slots> latest;
    for (std::uint32_t newest = 1; newest <= 3 * Slots; ++newest) {
        latest.publish(marked(newest));
        for (std::uint32_t number = 0; number <= newest + Slots + 1; ++number) {
            // The slot after the newest may be in the writer's hands, so one value less than there are slots is kept.
            const bool kept = number >= 1 && number <= newest && newest - number < Slots - 1;
            Value value = marked(0);
            ASSERT_EQ(latest.read_number(number, value), kept) << number << " of " << newest;
            EXPECT_EQ(value.numbers[100], kept ? number : 0u);
        }
    }
    Value value = marked(0);
    EXPECT_FALSE(latest.read_number(UINT64_MAX, value));
}

TEST(Latest, KeepsOneValueLessThanItHasSlots) {
    expect_limits_of_numbers<3>();
    expect_limits_of_numbers<4>();
    expect_limits_of_numbers<16>();
}

// A writer that stops half-way through a publish() has stored part of a value in the next slot and not counted it. That
// is done here by hand: the slots come first in a Latest, each one a row of atomic words.
TEST(Latest, IsReadableWhileTheWriterIsStoppedHalfWay) {
    constexpr std::size_t kSlots = 4;
    constexpr std::size_t kWords = (sizeof(Value) + 7) / 8;
    using Small = Latest<Value, kSlots>;
    static_assert(sizeof(Small) == 8 * (kSlots * kWords + 1));
    Small latest;
    auto* const words = reinterpret_cast<std::atomic<std::uint64_t>*>(&latest);
    const auto word_of = [&](std::uint64_t number, std::size_t word) -> std::atomic<std::uint64_t>& {
        return words[number % kSlots * kWords + word];
    };

    for (std::uint32_t i = 1; i <= 6; ++i) {
        latest.publish(marked(i));
    }
    ASSERT_EQ(word_of(6, kWords / 2).load(), 0x0000000600000006u) << "the slots are not where this test looks for them";
    for (std::size_t word = 0; word < kWords / 2; ++word) {
        word_of(7, word) = 0x0000000700000007u;
    }

    EXPECT_EQ(latest.newest(), 6u);
    Value value = marked(0);
    ASSERT_TRUE(latest.read(value));
    EXPECT_EQ(value.numbers[0], 6u);
    for (std::uint32_t number = 4; number <= 6; ++number) {
        ASSERT_TRUE(latest.read_number(number, value));
        EXPECT_EQ(value.numbers[0], number);
        EXPECT_TRUE(is_whole(value)) << number;
    }
    EXPECT_FALSE(latest.read_number(3, value)) << "its slot is the one that is being written";
}

TEST(Latest, IsNeitherTornNorBackwardsForThreeReaders) {
    constexpr std::uint32_t kLast = 100'000;
    struct Seen {
        int torn = 0;
        int backwards = 0;
        int wrong_number = 0;
        std::uint64_t reads = 0;
    };
    Latest<Value> latest;
    latest.publish(marked(1));
    std::atomic<int> started{0};
    std::array<Seen, 3> seen;
    std::vector<std::thread> readers;
    for (Seen& mine : seen) {
        readers.emplace_back([&latest, &mine, &started] {
            Value value = marked(0);
            Value old = marked(0);
            std::uint32_t before = 0;
            ++started;
            do {
                if (!latest.read(value)) {
                    ++mine.backwards;
                }
                mine.torn += is_whole(value) ? 0 : 1;
                mine.backwards += value.numbers[0] < before ? 1 : 0;
                before = value.numbers[0];
                ++mine.reads;
                // By number: gone or right, nothing between.
                if (latest.read_number(before - 1, old)) {
                    mine.torn += is_whole(old) ? 0 : 1;
                    mine.wrong_number += old.numbers[0] == before - 1 ? 0 : 1;
                }
            } while (before < kLast);
        });
    }
    while (started < 3) {
        std::this_thread::yield();
    }
    for (std::uint32_t i = 2; i <= kLast; ++i) {
        latest.publish(marked(i));
    }
    for (std::thread& reader : readers) {
        reader.join();
    }
    for (const Seen& mine : seen) {
        EXPECT_EQ(mine.torn, 0);
        EXPECT_EQ(mine.backwards, 0);
        EXPECT_EQ(mine.wrong_number, 0);
        EXPECT_GT(mine.reads, 100u) << "the reader hardly ran beside the writer";
    }
}

}  // namespace
}  // namespace glove
