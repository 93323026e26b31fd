// SPDX-License-Identifier: Apache-2.0
// Handles looked up while others come and go. Not covered: two registries that refer to each other (test_openxr does).
#include "openxr/loader/registry.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace glove {
namespace {

struct Thing {
    explicit Thing(std::uint64_t number) : value(number) { ++alive; }
    ~Thing() {
        value = 0;
        --alive;
    }
    Thing(const Thing&) = delete;
    Thing& operator=(const Thing&) = delete;

    std::atomic<std::uint64_t> value;
    static inline std::atomic<int> alive{0};
};

TEST(Registry, FindsWhatWasAddedAndNothingElse) {
    Registry<Thing> registry;
    registry.add(7, std::make_unique<Thing>(70));
    registry.add(8, std::make_unique<Thing>(80));
    EXPECT_EQ(registry.find(7)->value, 70u);
    EXPECT_EQ(registry.find(8)->value, 80u);
    EXPECT_FALSE(registry.find(9));
    EXPECT_FALSE(registry.find(0));
    EXPECT_TRUE(registry.take(7));
    EXPECT_TRUE(registry.take(8));
}

TEST(Registry, TakesAHandleOutOnce) {
    Registry<Thing> registry;
    registry.add(7, std::make_unique<Thing>(70));
    EXPECT_TRUE(registry.take(7));
    EXPECT_FALSE(registry.take(7));
    EXPECT_FALSE(registry.find(7));
    EXPECT_EQ(Thing::alive, 0);
}

TEST(Registry, TakesNothingForAHandleItDoesNotHold) {
    Registry<Thing> registry;
    registry.add(7, std::make_unique<Thing>(70));
    for (const std::uint64_t handle : {std::uint64_t{0}, std::uint64_t{8}, ~std::uint64_t{0}}) {
        EXPECT_FALSE(registry.take(handle)) << handle;
    }
    EXPECT_TRUE(registry.take(7));
}

TEST(Registry, KeepsAnObjectAsLongAsSomebodyUsesIt) {
    Registry<Thing> registry;
    registry.add(7, std::make_unique<Thing>(70));
    {
        const auto user = registry.find(7);
        (void)registry.take(7);
        EXPECT_EQ(Thing::alive, 1);
        EXPECT_EQ(user->value, 70u);
    }
    EXPECT_EQ(Thing::alive, 0);
}

TEST(Registry, FindsAgainWhatWasPutBackThoughItsSlotWasWanted) {
    Registry<Thing> registry;
    registry.add(7, std::make_unique<Thing>(70));
    registry.add(8, std::make_unique<Thing>(80));
    auto seven = registry.take(7);
    EXPECT_FALSE(registry.find(7));
    registry.add(9, std::make_unique<Thing>(90));
    registry.put_back(7, std::move(seven));
    EXPECT_EQ(registry.find(7)->value, 70u);
    EXPECT_EQ(registry.find(9)->value, 90u);

    auto some = registry.take_all([](const Thing& thing) { return thing.value < 90; });
    EXPECT_EQ(some.size(), 2u);
    EXPECT_FALSE(registry.find(7));
    EXPECT_FALSE(registry.find(8));
    registry.put_back(std::move(some));
    EXPECT_EQ(registry.find(7)->value, 70u);
    EXPECT_EQ(registry.find(8)->value, 80u);
    for (const std::uint64_t key : {7u, 8u, 9u}) {
        EXPECT_TRUE(registry.take(key));
    }
    EXPECT_EQ(Thing::alive, 0);
}

TEST(Registry, HoldsMoreHandlesThanItBeganWith) {
    static Registry<Thing> registry;  // as in the layer: it keeps its blocks for ever
    for (std::uint64_t key = 1; key <= 500; ++key) {
        registry.add(key, std::make_unique<Thing>(key * 10));
    }
    for (std::uint64_t key = 1; key <= 500; ++key) {
        EXPECT_EQ(registry.find(key)->value, key * 10);
    }
    while (registry.take_if([](const Thing& thing) { return thing.value % 20 == 0; })) {
    }
    EXPECT_EQ(Thing::alive, 250);
    for (std::uint64_t key = 1; key <= 500; ++key) {
        EXPECT_EQ(static_cast<bool>(registry.find(key)), key % 2 == 1) << key;
    }
    while (registry.take_if([](const Thing&) { return true; })) {
    }
    EXPECT_EQ(Thing::alive, 0);
}

TEST(Registry, NeverShowsAReaderAnotherHandlesObject) {
    static Registry<Thing> registry;  // as in the layer: it keeps its blocks for ever
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> wrong{0};
    std::atomic<std::uint64_t> found{0};
    std::vector<std::thread> readers;
    for (int reader = 0; reader < 3; ++reader) {
        readers.emplace_back([&] {
            while (!stop) {
                for (std::uint64_t key = 1; key <= 40; ++key) {
                    if (const auto ref = registry.find(key)) {
                        ++found;
                        wrong += ref->value != key ? 1 : 0;
                    }
                }
            }
        });
    }
    // On a busy machine the readers may come late.
    for (int round = 0; round < 2000 || found == 0; ++round) {
        const auto first = static_cast<std::uint64_t>(round % 20 + 1);
        for (std::uint64_t key = first; key < first + 20; ++key) {
            registry.add(key, std::make_unique<Thing>(key));
        }
        for (std::uint64_t key = first; key < first + 20; ++key) {
            EXPECT_TRUE(registry.take(key));
        }
    }
    stop = true;
    for (std::thread& reader : readers) {
        reader.join();
    }
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(Thing::alive, 0);
}

}  // namespace
}  // namespace glove
