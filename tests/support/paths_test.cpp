// SPDX-License-Identifier: Apache-2.0
// Not covered: Windows. The set-uid program is played by a secure_getenv that answers as the system's does in one.
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {
bool set_uid = false;
}

// Takes the place of the C library's for the whole test program.
extern "C" char* secure_getenv(const char* name) noexcept {
    return set_uid ? nullptr : std::getenv(name);
}

namespace glove {
namespace {

class Paths : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name :
             {"GLOVE_HANDS_CONFIG", "GLOVE_HANDS_LOG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"}) {
            unsetenv(name);
        }
    }
    void TearDown() override { set_uid = false; }

    static void set(const char* name, const char* value) { setenv(name, value, 1); }
};

TEST_F(Paths, AreBelowTheHomeFolder) {
    set("HOME", "/home/ada");
    EXPECT_EQ(paths::config_file(), "/home/ada/.config/glove_hands/glove_hands.toml");
    EXPECT_EQ(paths::calibration_file(), "/home/ada/.config/glove_hands/calibration.toml");
    EXPECT_EQ(paths::log_file(), "/home/ada/.local/state/glove_hands/glove_hands.log");
}

TEST_F(Paths, FollowXdgBeforeTheHomeFolder) {
    set("HOME", "/home/ada");
    set("XDG_CONFIG_HOME", "/c");
    set("XDG_STATE_HOME", "/s");
    EXPECT_EQ(paths::config_file(), "/c/glove_hands/glove_hands.toml");
    EXPECT_EQ(paths::log_file(), "/s/glove_hands/glove_hands.log");
}

TEST_F(Paths, FollowOurOwnVariablesBeforeAll) {
    set("HOME", "/home/ada");
    set("XDG_CONFIG_HOME", "/c");
    set("XDG_STATE_HOME", "/s");
    set("GLOVE_HANDS_CONFIG", "mine.toml");
    set("GLOVE_HANDS_LOG", "/tmp/mine.log");
    EXPECT_EQ(paths::config_file(), "mine.toml");
    EXPECT_EQ(paths::calibration_file(), "calibration.toml");
    EXPECT_EQ(paths::log_file(), "/tmp/mine.log");
}

TEST_F(Paths, TakeAnEmptyVariableAsUnset) {
    set("HOME", "/home/ada");
    set("XDG_CONFIG_HOME", "");
    set("GLOVE_HANDS_CONFIG", "");
    EXPECT_EQ(paths::config_file(), "/home/ada/.config/glove_hands/glove_hands.toml");
}

TEST_F(Paths, IgnoreRelativeXdgFolders) {
    set("HOME", "/home/ada");
    set("XDG_CONFIG_HOME", "config");
    set("XDG_STATE_HOME", "./state");
    EXPECT_EQ(paths::config_file(), "/home/ada/.config/glove_hands/glove_hands.toml");
    EXPECT_EQ(paths::log_file(), "/home/ada/.local/state/glove_hands/glove_hands.log");
}

TEST_F(Paths, AreEmptyWhereNoPlaceIsNamed) {
    EXPECT_TRUE(paths::config_file().empty());
    EXPECT_TRUE(paths::calibration_file().empty());
    EXPECT_TRUE(paths::log_file().empty());
}

TEST_F(Paths, AreEmptyInASetUidProgramWhateverTheEnvironmentSays) {
    set("HOME", "/home/ada");
    set("XDG_CONFIG_HOME", "/c");
    set("XDG_STATE_HOME", "/s");
    set("GLOVE_HANDS_CONFIG", "/etc/shadow");
    set("GLOVE_HANDS_LOG", "/etc/passwd");
    ASSERT_FALSE(paths::config_file().empty());
    set_uid = true;
    EXPECT_TRUE(paths::config_file().empty());
    EXPECT_TRUE(paths::calibration_file().empty());
    EXPECT_TRUE(paths::log_file().empty());
}

}  // namespace
}  // namespace glove
