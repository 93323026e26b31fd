// SPDX-License-Identifier: Apache-2.0
// Files of the calibration, in a folder of each test's own.
// Not covered: Windows; a disk that is full. Writers that are killed: calibration_kills_test.cpp.
#include "support/calibration_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include "support/file_lock.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

class CalibrationFile : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "glove_calibration_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        file_ = folder_ / "new folder" / "calibration.toml";
    }
    void TearDown() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    void write(std::string_view text) const {
        fs::create_directories(file_.parent_path());
        std::ofstream(file_, std::ios::binary) << text;
    }
    [[nodiscard]] std::string text() const {
        std::ifstream in(file_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // No temporary file is left behind.
    void expect_only_the_file_and_its_lock() const {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(file_.parent_path())) {
            names.insert(entry.path().filename());
        }
        EXPECT_EQ(names, (std::set<std::string>{"calibration.toml", "calibration.toml.lock"}));
    }

    fs::path folder_;
    fs::path file_;
};

TEST_F(CalibrationFile, IsNoValuesAndNoComplaintWhereThereIsNone) {
    const CalibrationResult result = load_calibration(file_);
    EXPECT_EQ(result.values, CalibrationValues{});
    EXPECT_TRUE(result.complaints.empty());
}

TEST_F(CalibrationFile, GivesBackWhatWasSavedToTheBit) {
    CalibrationValues values;
    values.numbers["a.left"] = {0.1, -1.0 / 3.0, 1e-300, std::numeric_limits<double>::max(), -0.0, 5};
    values.numbers["empty"] = {};
    values.texts["rig.glove-1"] = "mirror-x";
    values.texts["nothing"] = "";
    ASSERT_EQ(save_calibration(values, file_), "");
    const CalibrationResult result = load_calibration(file_);
    EXPECT_TRUE(result.complaints.empty());
    EXPECT_EQ(result.values, values);
    EXPECT_TRUE(std::signbit(result.values.find_numbers("a.left")->at(4)));
    EXPECT_EQ(*result.values.find_text("rig.glove-1"), "mirror-x");
    EXPECT_EQ(result.values.find_text("a.left"), nullptr);
    EXPECT_EQ(result.values.find_numbers("rig.glove-1"), nullptr);
    expect_only_the_file_and_its_lock();
}

TEST_F(CalibrationFile, LivesBesideTheUsersConfigurationAndLeavesThatAlone) {
    const fs::path configuration = folder_ / "mine.toml";
    std::ofstream(configuration) << "[hand]\nsize_mm = 90\n";
    ::setenv("GLOVE_HANDS_CONFIG", configuration.c_str(), 1);
    CalibrationValues values;
    values.numbers["key"] = {1};
    ASSERT_EQ(save_calibration(values), "");
    EXPECT_EQ(load_calibration().values, values);
    EXPECT_TRUE(fs::exists(folder_ / "calibration.toml"));
    std::ifstream in(configuration);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "[hand]\nsize_mm = 90\n");
}

TEST_F(CalibrationFile, KeepsTheKeysOfOtherWriters) {
    CalibrationValues mine;
    mine.numbers["mine"] = {1};
    mine.texts["changed"] = "old";
    ASSERT_EQ(save_calibration(mine, file_), "");
    CalibrationValues theirs;
    theirs.texts["theirs"] = "text";
    theirs.numbers["changed"] = {2};
    ASSERT_EQ(save_calibration(theirs, file_), "");
    CalibrationValues both;
    both.numbers = {{"mine", {1}}, {"changed", {2}}};
    both.texts = {{"theirs", "text"}};
    EXPECT_EQ(load_calibration(file_).values, both);
}

TEST_F(CalibrationFile, LosesNothingOfWritersAtTheSameTime) {
    constexpr int writers = 4;
    constexpr int each = 20;
    std::vector<std::thread> threads;
    std::array<std::string, writers> failures;
    for (int writer = 0; writer < writers; ++writer) {
        threads.emplace_back([&, writer] {
            for (int i = 0; i < each; ++i) {
                CalibrationValues one;
                one.numbers[std::to_string(writer) + '.' + std::to_string(i)] = {double(i)};
                // Patience is the caller's: a writer gives up after a while.
                std::string failure;
                for (int attempt = 0; attempt < 50; ++attempt) {
                    failure = save_calibration(one, file_);
                    if (failure.empty()) {
                        break;
                    }
                }
                failures[static_cast<std::size_t>(writer)] += failure;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const std::string& failure : failures) {
        EXPECT_EQ(failure, "");
    }
    EXPECT_EQ(load_calibration(file_).values.numbers.size(), std::size_t{writers * each});
}

TEST_F(CalibrationFile, PassesOverDamagedLinesAndSaysWhichTheyAre) {
    write(
        "# a comment\n"
        "\"good\" = [1, 2]\r\n"
        "\"cut off\" = [1,\n"
        "\"cut_off\" = [1,\n"
        "\"quote = [1]\n"
        "\"not finite\" = [inf]\n"
        "\"not_finite\" = [inf]\n"
        "\"nan\" = [nan]\n"
        "\"twice\" = [1] [2]\n"
        "\"no value\"\n"
        "  \"text\"=\"good too\"  \n");
    const CalibrationResult result = load_calibration(file_);
    EXPECT_EQ(result.values.numbers, (std::map<std::string, std::vector<double>>{{"good", {1, 2}}}));
    EXPECT_EQ(result.values.texts, (std::map<std::string, std::string>{{"text", "good too"}}));
    ASSERT_EQ(result.complaints.size(), 8u);
    EXPECT_NE(result.complaints.front().find(file_.string() + ":3: "), std::string::npos) << result.complaints.front();
    EXPECT_NE(result.complaints.back().find(":10: "), std::string::npos) << result.complaints.back();
}

TEST_F(CalibrationFile, SurvivesAnyBytes) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> byte(0, 255);
    std::uniform_int_distribution<int> line(0, 5);
    for (int i = 0; i < 200; ++i) {
        std::string bytes = "\"kept\" = [7]\n";
        for (int j = 0; j < 300; ++j) {
            bytes += static_cast<char>(byte(random));
            bytes += line(random) == 0 ? "\n\"" : (line(random) == 0 ? "\" = [" : "");
        }
        write(bytes);
        const CalibrationResult result = load_calibration(file_);
        EXPECT_LE(result.complaints.size(), 10u);
        ASSERT_NE(result.values.find_numbers("kept"), nullptr);
        // What was understood can be written again.
        ASSERT_EQ(save_calibration({}, file_), "");
        EXPECT_EQ(load_calibration(file_).values, result.values);
        EXPECT_TRUE(load_calibration(file_).complaints.empty());
    }
}

TEST_F(CalibrationFile, ReadsNoFileThatIsTooLongAndDoesNotReplaceIt) {
    write(std::string(2'000'000, '#'));
    EXPECT_EQ(load_calibration(file_).complaints.size(), 1u);
    CalibrationValues values;
    values.numbers["key"] = {1};
    EXPECT_NE(save_calibration(values, file_), "");
    EXPECT_EQ(fs::file_size(file_), 2'000'000u);
    expect_only_the_file_and_its_lock();
}

TEST_F(CalibrationFile, RefusesWhatIsNoFile) {
    CalibrationValues values;
    values.numbers["key"] = {1};
    fs::create_directories(file_);
    EXPECT_EQ(load_calibration(file_).complaints.size(), 1u);
    EXPECT_NE(save_calibration(values, file_), "");
    EXPECT_TRUE(fs::is_directory(file_));

    fs::remove(file_);
    ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
    EXPECT_EQ(load_calibration(file_).complaints.size(), 1u);
    EXPECT_NE(save_calibration(values, file_), "");
    EXPECT_TRUE(fs::is_fifo(file_));
    expect_only_the_file_and_its_lock();
}

TEST_F(CalibrationFile, SaysWhyItCannotBeWritten) {
    CalibrationValues values;
    values.numbers["key"] = {1};
    std::ofstream(folder_ / "file") << "text";
    const std::string failure = save_calibration(values, folder_ / "file" / "calibration.toml");
    EXPECT_NE(failure.find("Not a directory"), std::string::npos) << failure;
    EXPECT_NE(save_calibration(values, fs::path()), "");
}

TEST_F(CalibrationFile, KeepsTheOldFileWhenWritingFails) {
    CalibrationValues values;
    values.numbers["old"] = {1};
    ASSERT_EQ(save_calibration(values, file_), "");
    const std::string before = text();
    // A folder in the place where the new content would be written.
    fs::create_directories(file_.string() + ".new/full");
    values.numbers["old"] = {2};
    EXPECT_NE(save_calibration(values, file_), "");
    EXPECT_EQ(text(), before);
}

TEST_F(CalibrationFile, WritesOverWhatACrashLeftBehindAtOnce) {
    write("\"old\" = [1]\n");
    const fs::path left = file_.string() + ".new";
    std::ofstream(left) << "\"half\" = [1,";
    std::ofstream(file_.string() + ".lock") << "";
    CalibrationValues values;
    values.numbers["key"] = {1};
    EXPECT_EQ(save_calibration(values, file_), "");
    EXPECT_EQ(load_calibration(file_).values.numbers.size(), 2u);
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(CalibrationFile, SaysWhoseTurnItIsAndWritesWhenThatIsOver) {
    write("\"old\" = [1]\n");
    CalibrationValues values;
    values.numbers["key"] = {1};
    {
        const FileLock other(file_.string() + ".lock", std::chrono::milliseconds(0));
        ASSERT_EQ(other.error(), "");
        const std::string failure = save_calibration(values, file_);
        EXPECT_NE(failure.find("calibration.toml.lock: another program is writing it"), std::string::npos) << failure;
        EXPECT_EQ(text(), "\"old\" = [1]\n");
    }
    EXPECT_EQ(save_calibration(values, file_), "");
}

TEST_F(CalibrationFile, NeitherWaitsForNorFollowsWhatIsNoLock) {
    CalibrationValues values;
    values.numbers["key"] = {1};
    fs::create_directories(file_.parent_path());
    const fs::path lock = file_.string() + ".lock";
    const fs::path elsewhere = folder_ / "elsewhere";
    fs::create_symlink(elsewhere, lock);
    EXPECT_NE(save_calibration(values, file_), "");
    EXPECT_FALSE(fs::exists(elsewhere));
    fs::remove(lock);
    fs::create_directory(lock);
    EXPECT_NE(save_calibration(values, file_), "");
    EXPECT_FALSE(fs::exists(file_));
}

TEST_F(CalibrationFile, CanBeAskedBeforehandWhetherItCanBeWritten) {
    const fs::path configuration = folder_ / "mine.toml";
    ::setenv("GLOVE_HANDS_CONFIG", configuration.c_str(), 1);
    EXPECT_EQ(why_calibration_cannot_be_saved(), "");
    EXPECT_FALSE(fs::exists(folder_ / "calibration.toml")) << "only asked";
    fs::create_directory(folder_ / "calibration.toml");
    EXPECT_NE(why_calibration_cannot_be_saved().find("this is not a file"), std::string::npos);
}

TEST_F(CalibrationFile, RefusesKeysAndValuesThatCouldNotBeReadBack) {
    const auto refused = [&](const CalibrationValues& values) { return !save_calibration(values, file_).empty(); };
    CalibrationValues values;
    for (const std::string& key : {std::string(), std::string("a b"), std::string("a\"b"), std::string("a\nb"),
                                   std::string(161, 'a'), std::string("\xc3\xa4")}) {
        values = {};
        values.numbers[key] = {1};
        EXPECT_TRUE(refused(values)) << key;
    }
    for (const std::string& text : {std::string("a\"b"), std::string("\\"), std::string("\n"), std::string(121, 'a')}) {
        values = {};
        values.texts["key"] = text;
        EXPECT_TRUE(refused(values)) << text;
    }
    values = {};
    values.numbers["key"] = {std::nan("")};
    EXPECT_TRUE(refused(values));
    values.numbers["key"] = std::vector<double>(513);
    EXPECT_TRUE(refused(values));
    EXPECT_FALSE(fs::exists(file_));
}

TEST_F(CalibrationFile, DoesNotGrowWithoutEnd) {
    CalibrationValues values;
    for (std::size_t i = 0; i < CalibrationValues::kMaxKeys; ++i) {
        values.numbers[std::to_string(i)] = {1};
    }
    ASSERT_EQ(save_calibration(values, file_), "");
    CalibrationValues one_more;
    one_more.numbers["one-more"] = {1};
    EXPECT_NE(save_calibration(one_more, file_), "");
    EXPECT_EQ(load_calibration(file_).values, values);
}

TEST(CalibrationKeyPart, MakesDifferentKeysOfDifferentNames) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> byte(0, 255);
    std::set<std::string> names{"",
                                "_",
                                ".",
                                "__",
                                "a.b",
                                "a_b",
                                "a b",
                                "a_2eb",
                                "A",
                                std::string(1, '\0'),
                                std::string(100, 'a'),
                                std::string(101, 'a')};
    for (int i = 0; i < 3000; ++i) {
        std::string name(static_cast<std::size_t>(i % 70), ' ');
        for (char& c : name) {
            c = static_cast<char>(byte(random));
        }
        names.insert(name);
    }
    std::set<std::string> parts;
    for (const std::string& name : names) {
        const std::string part = calibration_key_part(name);
        EXPECT_LE(part.size(), 64u);
        EXPECT_EQ(part.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"),
                  std::string::npos)
            << part;
        parts.insert(part);
    }
    EXPECT_EQ(parts.size(), names.size());
    EXPECT_EQ(calibration_key_part("SSG-0042"), "SSG-0042");
}

}  // namespace
}  // namespace glove
