// SPDX-License-Identifier: Apache-2.0
// The two texts with which glovectl and a running layer talk. Not covered: the file they are in
// (calibration_file_test.cpp), and who reads it when.
#include "support/wrist_request.hpp"

#include <gtest/gtest.h>

#include <set>

namespace glove {
namespace {

CalibrationValues with(const char* key, std::string text) {
    CalibrationValues values;
    values.texts[key] = std::move(text);
    return values;
}

TEST(WristRequest, ComesBackAsItWent) {
    for (const bool left : {true, false}) {
        for (const bool by_native_hand : {true, false}) {
            const auto read =
                wrist_request_in(with(kWristRequestKey, as_text(WristRequest{1790000000123, left, by_native_hand})));
            ASSERT_TRUE(read);
            EXPECT_EQ(read->number, 1790000000123u);
            EXPECT_EQ(read->left, left);
            EXPECT_EQ(read->by_native_hand, by_native_hand);
        }
    }
}

TEST(WristRequest, IsNoneOfTheseTexts) {
    EXPECT_FALSE(wrist_request_in({}));
    for (const char* text : {"", " ", "left auto", "12 up auto", "12 left", "12 left fast", "12 left auto now",
                             "-1 left auto", "12x left auto", "99999999999999999999999 left auto"}) {
        EXPECT_FALSE(wrist_request_in(with(kWristRequestKey, text))) << text;
    }
}

constexpr std::int64_t kSecond = 1'000'000'000;

CalibrationValues asked(std::uint64_t number, std::uint64_t answered = 0) {
    CalibrationValues values = with(kWristRequestKey, as_text(WristRequest{number, true, false}));
    if (answered != 0) {
        values.texts[kWristAnswerKey] = as_text(WristAnswer{answered, "took", ""});
    }
    return values;
}

TEST(WristRequestWatch, TakesUpOneAfterTheOtherWhateverTheirNumbers) {
    WristRequestWatch watch;
    watch.see({}, 0);
    std::int64_t now_ns = 0;
    // The later of them lower, as times are of a clock that was set back.
    for (const std::uint64_t number : {2'000u, 1'000u, 3'000u}) {
        now_ns += kSecond;
        EXPECT_FALSE(watch.open(now_ns));
        watch.see(asked(number), now_ns);
        ASSERT_TRUE(watch.open(now_ns));
        EXPECT_EQ(watch.newest(), number);
        EXPECT_EQ(watch.take()->number, number);
        watch.see(asked(number), now_ns);  // somebody wrote something else
        EXPECT_FALSE(watch.open(now_ns)) << "it was taken";
    }
}

TEST(WristRequestWatch, LeavesAloneWhatWasAskedBeforeItsTime) {
    WristRequestWatch watch;
    watch.see(asked(7), 0);
    EXPECT_FALSE(watch.open(0));
    watch.see(asked(7), kSecond);
    EXPECT_FALSE(watch.open(kSecond));
    watch.see(asked(8), 2 * kSecond);
    EXPECT_TRUE(watch.open(2 * kSecond));
}

TEST(WristRequestWatch, KeepsARequestForAMinute) {
    WristRequestWatch watch;
    watch.see({}, 0);
    watch.see(asked(7), kSecond);
    watch.see_no_change(61 * kSecond);
    EXPECT_TRUE(watch.open(61 * kSecond));
    EXPECT_FALSE(watch.open(61 * kSecond + 1));
}

TEST(WristRequestWatch, DoesNotTrustWhatCameWhileNobodyLooked) {
    WristRequestWatch watch;
    watch.see({}, 0);
    watch.see(asked(7), 60 * kSecond + 1);
    EXPECT_FALSE(watch.open(60 * kSecond + 1));
    watch.see_no_change(100 * kSecond);
    watch.see(asked(8), 160 * kSecond);
    EXPECT_TRUE(watch.open(160 * kSecond));
}

TEST(WristRequestWatch, GivesUpWhatWasAnsweredOrTakenBack) {
    WristRequestWatch watch;
    watch.see({}, 0);
    watch.see(asked(7), kSecond);
    watch.see(asked(7, 6), kSecond);  // of another request
    EXPECT_TRUE(watch.open(kSecond));
    watch.see(asked(7, 7), kSecond);
    EXPECT_FALSE(watch.open(kSecond));
    watch.see(asked(9, 7), kSecond);
    EXPECT_TRUE(watch.open(kSecond));
    watch.see(with(kWristRequestKey, ""), kSecond);
    EXPECT_FALSE(watch.open(kSecond));
    EXPECT_EQ(watch.newest(), kNobodysRequest);
}

TEST(WristRequest, IsNumberedUnlikeAnyOther) {
    std::set<std::uint64_t> numbers{kNobodysRequest};
    for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(numbers.insert(new_request_number()).second);
    }
}

TEST(WristAnswer, ComesBackAsItWent) {
    const auto read = wrist_answer_in(with(kWristAnswerKey, as_text(WristAnswer{7, "done", "all is well"})));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->number, 7u);
    EXPECT_EQ(read->stage, "done");
    EXPECT_EQ(read->words, "all is well");
}

TEST(WristAnswer, FitsTheFileWhateverItSays) {
    const std::string text = as_text(WristAnswer{7, "failed", std::string("\"C:\\x\"\n") + std::string(500, 'y')});
    EXPECT_LE(text.size(), CalibrationValues::kMaxTextBytes);
    EXPECT_EQ(text.find_first_of("\"\\\n"), std::string::npos);
}

}  // namespace
}  // namespace glove
