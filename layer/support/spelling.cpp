// SPDX-License-Identifier: Apache-2.0
#include "support/spelling.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace glove {
namespace {

char lower(char character) {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

// Letters missing, added, changed, or swapped with the next ("optimal string alignment").
std::size_t distance(std::string_view a, std::string_view b) {
    std::array<std::vector<std::size_t>, 3> rows;  // of the last two letters of `a`, and of this one
    rows.fill(std::vector<std::size_t>(b.size() + 1));
    for (std::size_t j = 0; j <= b.size(); ++j) {
        rows[0][j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        const std::vector<std::size_t>& before_last = rows[(i + 1) % 3];
        const std::vector<std::size_t>& last = rows[(i + 2) % 3];
        std::vector<std::size_t>& row = rows[i % 3];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + changed});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
    }
    return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view written, std::span<const std::string> known) {
    std::string_view nearest;
    std::size_t fewest = 0;
    for (const std::string& name : known) {
        const std::size_t longer = std::max(name.size(), written.size());
        const std::size_t shorter = std::min(name.size(), written.size());
        const std::size_t most = longer / 2;  // more, and it is another word
        if (longer - shorter > most) {
            continue;
        }
        const std::size_t letters = distance(written, name);
        if (letters <= most && (nearest.empty() || letters < fewest)) {
            nearest = name;
            fewest = letters;
        }
    }
    return nearest;
}

}  // namespace glove
