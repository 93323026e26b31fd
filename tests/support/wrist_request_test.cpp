// SPDX-License-Identifier: Apache-2.0
// The two texts with which glovectl and a running layer talk. Not covered: the file they are in
// (calibration_file_test.cpp), and who reads it when.
#include "support/wrist_request.hpp"

#include <gtest/gtest.h>

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
