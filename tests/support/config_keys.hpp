// SPDX-License-Identifier: Apache-2.0
// The keys and values that the configuration knows, as the parser itself tells them in its complaints: so no test has a
// list of its own.
#pragma once

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "support/config.hpp"

namespace glove::test {

// Dotted; the table before the last dot is empty for what is at the top.
struct ConfigKey {
    std::string table;
    std::string name;
    [[nodiscard]] std::string path() const { return table.empty() ? name : table + '.' + name; }
};

inline std::string header_of(const std::string& table) {
    return table.empty() ? "" : '[' + table + "]\n";
}

// What the parser lists when it meets something unknown in a table. Empty: `table` is no table, or its keys are the
// user's.
inline std::vector<ConfigKey> keys_in(const std::string& table) {
    const std::string mark = "known here: ";
    std::vector<ConfigKey> keys;
    for (const std::string& complaint : parse_config(header_of(table) + "zzzz = 1", "f").complaints) {
        if (complaint.find("unknown key " + ConfigKey{table, "zzzz"}.path() + "; ") == std::string::npos) {
            continue;
        }
        std::istringstream list(complaint.substr(complaint.find(mark) + mark.size()));
        for (std::string name; std::getline(list >> std::ws, name, ',');) {
            keys.push_back({table, name});
        }
    }
    return keys;
}

// Of a table and all tables in it, these included.
inline std::vector<ConfigKey> keys_below(const std::string& table) {
    std::vector<ConfigKey> all;
    for (const ConfigKey& key : keys_in(table)) {
        all.push_back(key);
        const std::vector<ConfigKey> inner = keys_below(key.path());
        all.insert(all.end(), inner.begin(), inner.end());
    }
    return all;
}

// Those that have a value.
inline std::vector<ConfigKey> value_keys() {
    std::vector<ConfigKey> keys = keys_below("");
    std::erase_if(keys, [](const ConfigKey& key) { return !keys_in(key.path()).empty(); });
    return keys;
}

// What the value must be, as the complaint about this one says it: without examples and guesses.
inline std::string wanted_of(const ConfigKey& key, const std::string& wrong_value) {
    const std::string mark = "; it must be ";
    for (const std::string& complaint : parse_config(key.path() + " = " + wrong_value, "f").complaints) {
        if (const std::size_t at = complaint.find(mark); at != std::string::npos) {
            const std::string wanted = complaint.substr(at + mark.size());
            return wanted.substr(0, std::min(wanted.find(", as in"), wanted.find("; did you mean")));
        }
    }
    return "";
}

inline std::vector<std::string> all_matches(const std::string& text, const char* pattern) {
    const std::regex expression(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
        found.push_back(it->str(it->size() > 1 ? 1 : 0));
    }
    return found;
}

// The words that an enumeration knows; none for other keys. "list": all of them are the value.
inline std::vector<std::string> words_of(const ConfigKey& key) {
    return all_matches(wanted_of(key, "2020-01-01"), R"re("([^"]*)")re");
}

// As fingers slip: a letter missing, twice, another, swapped with the next, and capitals.
inline std::vector<std::string> misspelt(const std::string& word) {
    const std::size_t at = (word.size() - 1) / 2;
    std::vector<std::string> all(5, word);
    all[0].erase(at, 1);
    all[1].insert(at, 1, word[at]);
    all[2][at] = 'q';
    std::swap(all[3][at], all[3][at + 1]);
    for (char& letter : all[4]) {
        letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    std::erase(all, word);
    return all;
}

}  // namespace glove::test
