// SPDX-License-Identifier: Apache-2.0
// Writing beside the threads that ask for it. Not covered: a slow disk itself; the lock of another program stands for
// it.
#include "support/calibration_writer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "support/file_lock.hpp"
#include "wait_for.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

class CalibrationWriting : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "glove_writer_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        file_ = folder_ / "calibration.toml";
    }
    void TearDown() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    static CalibrationValues number(const std::string& key, double value) {
        CalibrationValues values;
        values.numbers[key] = {value};
        return values;
    }

    fs::path folder_;
    fs::path file_;
};

TEST_F(CalibrationWriting, WritesWhatWasAskedForInThatOrder) {
    {
        CalibrationWriter writer(file_);
        for (int i = 0; i < 20; ++i) {
            writer.write(number("key" + std::to_string(i), i), "a number");
            writer.write(number("newest", i), "a number");
        }
    }
    const CalibrationValues kept = load_calibration(file_).values;
    EXPECT_EQ(kept.numbers.size(), 21u);
    EXPECT_EQ(kept.numbers.at("key7"), std::vector<double>{7});
    EXPECT_EQ(kept.numbers.at("newest"), std::vector<double>{19});
}

TEST_F(CalibrationWriting, DoesNotKeepTheAskingThreadForAsLongAsTheFileIsBusy) {
    CalibrationWriter writer(file_);
    {
        const FileLock another_program(folder_ / "calibration.toml.lock", std::chrono::milliseconds(0));
        ASSERT_EQ(another_program.error(), "");
        // Each would wait half a second for that program, and then write nothing, were it to wait here.
        writer.write(number("first", 1), "the first");
        writer.write(number("second", 2), "the second");
    }
    writer.wait();
    EXPECT_EQ(load_calibration(file_).values.numbers.size(), 2u);
}

TEST_F(CalibrationWriting, WritesAgainAfterItHadNothingToDo) {
    CalibrationWriter writer(file_);
    for (int i = 0; i < 3; ++i) {
        writer.write(number("key" + std::to_string(i), i), "a number");
        EXPECT_TRUE(
            test::wait_for([&] { return load_calibration(file_).values.numbers.size() == std::size_t(i + 1); }));
    }
    writer.wait();
    writer.write(number("after waiting", 1), "this");  // no key, so not written
    writer.write(number("after.waiting", 1), "this");
    writer.wait();
    EXPECT_EQ(load_calibration(file_).values.numbers.size(), 4u);
}

TEST_F(CalibrationWriting, WritesNothingWhereThereIsNoPlaceForIt) {
    CalibrationWriter writer{fs::path()};
    writer.write(number("key", 1), "a number");
    writer.wait();
    EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace glove
