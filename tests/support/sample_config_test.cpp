// SPDX-License-Identifier: Apache-2.0
// samples/glove_hands.toml shows every key with its default. Not covered: whether its comments are true.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "folders.hpp"
#include "support/config.hpp"
#include "support/config_keys.hpp"

namespace glove {
namespace {

std::string sample_text() {
    std::ifstream in(GLOVE_SAMPLES_DIR "/glove_hands.toml", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Read as text, in the plain form the sample has: sections, and one key in a line, perhaps with an inline table.
std::set<std::string> keys_shown() {
    std::set<std::string> keys;
    std::string section;
    std::istringstream in(sample_text());
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        if (line[0] == '[') {
            section = line.substr(1, line.find(']') - 1);
            keys.insert(section);  // a table whose keys are the user's shows no other
            section += '.';
            continue;
        }
        std::string outer;
        std::string before;
        std::istringstream words(line);
        for (std::string word; words >> word; before = word) {
            if (word == "=") {
                std::string key = section;
                key += outer;
                key += before;
                keys.insert(key);
                if (outer.empty()) {
                    outer = before + '.';
                }
            }
        }
    }
    return keys;
}

TEST(SampleConfig, IsTheDefaults) {
    const ConfigResult result = parse_config(sample_text(), "glove_hands.toml");
    EXPECT_TRUE(result.complaints.empty()) << result.complaints.front();
    EXPECT_EQ(result.config, Config{});
}

TEST(SampleConfig, ShowsEveryKeyThatTheParserKnows) {
    const std::vector<test::ConfigKey> keys = test::value_keys();
    EXPECT_GE(keys.size(), 38U);  // so many when this was written

    const std::set<std::string> shown = keys_shown();
    for (const test::ConfigKey& key : keys) {
        EXPECT_TRUE(shown.count(key.path()) == 1) << key.path();
    }
}

}  // namespace
}  // namespace glove
