// SPDX-License-Identifier: Apache-2.0
// Whatever is misspelt in the configuration file is one complaint with file, line and the right word: each key, each
// word of each enumeration, each interaction profile. Not covered: keys that stand in the wrong table.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/config_keys.hpp"
#include "support/interaction_profiles.hpp"

namespace glove::test {
namespace {

// One complaint, at that line, with each of these.
void expect_complaint(const std::string& text, int line, const std::vector<std::string>& parts) {
    const std::vector<std::string> complaints = parse_config(text, "gloves.toml").complaints;
    SCOPED_TRACE(text);
    ASSERT_EQ(complaints.size(), 1U) << complaints.back();
    EXPECT_EQ(complaints[0].find("gloves.toml:" + std::to_string(line) + ": "), 0U) << complaints[0];
    for (const std::string& part : parts) {
        EXPECT_NE(complaints[0].find(part), std::string::npos) << part << "\n-> " << complaints[0];
    }
}

std::string did_you_mean(const std::string& word) {
    return "did you mean \"" + word + "\"?";
}

TEST(ConfigSpelling, NamesTheKeyThatAMisspeltOneStandsFor) {
    std::vector<ConfigKey> keys = keys_below("");
    const std::vector<ConfigKey> of_a_device = keys_below("wrist.offset.\"tracker\"");
    keys.insert(keys.end(), of_a_device.begin(), of_a_device.end());
    EXPECT_GE(keys.size(), 70U);  // so many when this was written
    for (const ConfigKey& key : keys) {
        const std::vector<ConfigKey> neighbours = keys_in(key.table);
        for (const std::string& wrong : misspelt(key.name)) {
            if (std::none_of(neighbours.begin(), neighbours.end(),
                             [&](const ConfigKey& known) { return known.name == wrong; })) {
                const std::string text = key.table.empty() ? "\n\n" : "\n" + header_of(key.table);
                expect_complaint(text + wrong + " = 1\n", 3,
                                 {"unknown key " + ConfigKey{key.table, wrong}.path() + ";", did_you_mean(key.name)});
            }
        }
    }
}

TEST(ConfigSpelling, NamesTheWordThatAMisspeltOneStandsFor) {
    std::size_t count = 0;
    for (const ConfigKey& key : value_keys()) {
        const std::vector<std::string> words = words_of(key);
        const bool is_list = wanted_of(key, "2020-01-01").find("a list of") == 0;
        for (std::size_t i = 0; i < words.size(); ++i, ++count) {
            for (const std::string& wrong : misspelt(words[i])) {
                std::string value = '"' + wrong + '"';
                if (is_list) {
                    value = "[";
                    for (std::size_t j = 0; j < words.size(); ++j) {
                        value += "\n\"" + (j == i ? wrong : words[j]) + "\",";
                    }
                    value += "]";
                }
                const int line = is_list ? 3 + static_cast<int>(i) : 2;
                expect_complaint(header_of(key.table) + key.name + " = " + value, line,
                                 {key.path() + " is \"" + wrong + "\";", did_you_mean(words[i])});
            }
        }
    }
    EXPECT_GE(count, 37U);  // so many when this was written
}

TEST(ConfigSpelling, NamesTheDeviceThatAMisspeltOneStandsFor) {
    for (const std::string_view profile : kInteractionProfiles) {
        for (const char* pose : {"/grip", "/aim", "/palm"}) {
            const std::string device = std::string(kInteractionProfilePrefix) + std::string(profile) + pose;
            const auto text = [](const std::string& name) {
                return "\n[wrist.offset.\"" + name + "\".left]\nposition_mm = [1, 2, 3]\n";
            };
            EXPECT_TRUE(parse_config(text(device), "f").complaints.empty()) << device;
            for (const std::string& wrong : misspelt(device)) {
                expect_complaint(text(wrong), 2, {"wrist.offset.\"" + wrong + '"', did_you_mean(device)});
            }
        }
    }
    for (const std::string& wrong : misspelt("tracker")) {
        expect_complaint("[wrist.offset." + wrong + "]\nleft = {}\n", 1,
                         {"wrist.offset.\"" + wrong + "\" names nothing", did_you_mean("tracker")});
    }
}

TEST(ConfigSpelling, KeepsTheOffsetOfAControllerThatMayBeNewerAndOfNothingElse) {
    const auto offsets_of = [](const std::string& device) {
        const ConfigResult result = parse_config("[wrist.offset.\"" + device + "\"]\nleft = {}\n", "f");
        EXPECT_EQ(result.complaints.size(), 1U) << device;
        return result.config.wrist.offsets.size();
    };
    EXPECT_EQ(offsets_of("/interaction_profiles/somebody/newer_controller/grip"), 1U);
    for (const char* wrong : {"", "/", "grip", "oculus/touch_controller/grip", "/user/hand/left",
                              "/interaction_profiles/oculus/touch_controller",
                              "/interaction_profiles/oculus/touch_controller/input/grip/pose"}) {
        EXPECT_EQ(offsets_of(wrong), 0U) << wrong;
    }
}

TEST(ConfigSpelling, GuessesNothingWhereNothingIsNear) {
    for (const char* text : {"[receiver]\nxyzzy = 1", "[log]\nlevel = \"xyzzy\"", "[log]\nlevel = \"\"",
                             "[wrist.offset.xyzzy]\nleft = {}"}) {
        const std::vector<std::string> complaints = parse_config(text, "f").complaints;
        ASSERT_EQ(complaints.size(), 1U);
        EXPECT_EQ(complaints[0].find("did you mean"), std::string::npos) << complaints[0];
    }
}

}  // namespace
}  // namespace glove::test
