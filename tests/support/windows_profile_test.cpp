// SPDX-License-Identifier: Apache-2.0
// A user whose name has letters that are in no one code page. Windows alone; elsewhere names are bytes.
#include <gtest/gtest.h>
#include <windows.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/calibration_file.hpp"
#include "support/config.hpp"
#include "support/log.hpp"
#include "support/paths.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

TEST(WindowsProfile, AFolderOfAnyLettersHoldsTheUsersFiles) {
    const fs::path root = fs::temp_directory_path() / ("glove_hands_" + std::to_string(GetCurrentProcessId()));
    const fs::path profile = root / L"J\u00fcrgen \u0141\u00f3\u017a \u624b" / L"AppData";
    const fs::path folder = profile / L"glove_hands";
    fs::create_directories(folder);
    ASSERT_TRUE(SetEnvironmentVariableW(L"LOCALAPPDATA", profile.c_str()));
    SetEnvironmentVariableW(L"GLOVE_HANDS_CONFIG", nullptr);
    SetEnvironmentVariableW(L"GLOVE_HANDS_LOG", nullptr);
    EXPECT_EQ(paths::config_file(), folder / L"glove_hands.toml");

    std::ofstream(folder / L"glove_hands.toml") << "[receiver]\nport = 20123\nunknown = 1\n";
    const ConfigResult config = load_config();
    EXPECT_EQ(config.config.receiver.port, 20123);
    ASSERT_EQ(config.complaints.size(), 1U);
    const std::u8string name = paths::config_file().u8string();
    EXPECT_EQ(config.complaints[0].rfind(std::string(name.begin(), name.end()) + ":3: ", 0), 0U)
        << config.complaints[0];

    EXPECT_EQ(save_calibration({{{"left.scale", {1, 2.5}}}, {}}), "");
    EXPECT_TRUE(fs::exists(folder / L"calibration.toml"));
    EXPECT_EQ(load_calibration().values.numbers["left.scale"], (std::vector<double>{1, 2.5}));

    log::error("something to read");
    std::ifstream log(folder / L"glove_hands.log");
    const std::string text{std::istreambuf_iterator<char>(log), {}};
    EXPECT_NE(text.find("something to read"), std::string::npos) << text;
    log.close();
    std::error_code ignored;
    fs::remove_all(root, ignored);
}

}  // namespace
}  // namespace glove
