// SPDX-License-Identifier: Apache-2.0
// The table in docs/settings.md lists every configuration key with its default and range. Not covered: whether the
// descriptions are right.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "folders.hpp"
#include "support/config_keys.hpp"

namespace glove::test {
namespace {

struct Row {
    std::string path;
    std::string default_value;
    std::string range;
};

std::vector<std::string> in_backticks(const std::string& cell) {
    return all_matches(cell, "`([^`]*)`");
}

// "`a.b.left`, `.right`" are a.b.left and a.b.right, with one default.
std::vector<Row> rows_of_table() {
    std::ifstream in(GLOVE_SAMPLES_DIR "/../docs/settings.md", std::ios::binary);
    std::vector<Row> rows;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (line == "| key | default | range | meaning |") {
            inside = true;
            std::getline(in, line);  // |---|
            continue;
        }
        if (!inside || line.empty() || line[0] != '|') {
            inside = false;
            continue;
        }
        const std::vector<std::string> cells = all_matches(line, R"(\| ([^|]*))");
        if (cells.size() < 4) {
            ADD_FAILURE() << line;
            return rows;
        }
        const std::vector<std::string> keys = in_backticks(cells[0]);
        const std::vector<std::string> defaults = in_backticks(cells[1]);
        EXPECT_FALSE(keys.empty()) << line;
        EXPECT_EQ(defaults.size(), 1U) << line;
        for (const std::string& key : keys) {
            const std::string path = key[0] == '.' ? keys[0].substr(0, keys[0].rfind('.')) + key : key;
            rows.push_back({path, defaults.empty() ? "" : defaults[0], cells[2]});
        }
    }
    return rows;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
}

// Every number, every quoted word, true and false.
std::set<std::string> limits_in(std::string text) {
    for (const std::string& number : all_matches(text, "\u00b1([0-9]+)")) {
        text += " -" + number + ' ' + number;
    }
    replace_all(text, "\u2212", "-");
    const std::vector<std::string> found = all_matches(text, R"("[^"]*"|-?[0-9.]+|\btrue\b|\bfalse\b)");
    return {found.begin(), found.end()};
}

TEST(SettingsPage, ListsEachKeyOnceAndNoOther) {
    std::multiset<std::string> listed;
    for (const Row& row : rows_of_table()) {
        listed.insert(row.path);
    }
    std::multiset<std::string> known;
    for (const ConfigKey& key : value_keys()) {
        known.insert(key.path());
    }
    EXPECT_EQ(listed, known);
}

TEST(SettingsPage, GivesTheDefaults) {
    for (const Row& row : rows_of_table()) {
        const ConfigResult result = parse_config(row.path + " = " + row.default_value, "f");
        EXPECT_TRUE(result.complaints.empty()) << result.complaints.front();
        EXPECT_EQ(result.config, Config{}) << row.path;
    }
}

TEST(SettingsPage, GivesTheRanges) {
    for (const Row& row : rows_of_table()) {
        // Of a list, the range of its first entry.
        std::string wrong = "2020-01-01";
        if (row.default_value[0] == '[' && row.default_value != "[]") {
            const std::size_t end = row.default_value.find_first_of(",]");
            wrong = '[' + wrong + row.default_value.substr(end);
        }
        const std::string wanted = wanted_of({"", row.path}, wrong);
        EXPECT_NE(wanted, "") << row.path;
        EXPECT_EQ(limits_in(row.range), limits_in(wanted)) << row.path << ": " << wanted;
    }
}

}  // namespace
}  // namespace glove::test
