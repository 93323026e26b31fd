// SPDX-License-Identifier: Apache-2.0
// Writes files as libFuzzer reads them: *.hex become the bytes that they spell, others are copied.
//   write_corpus TO_FOLDER FILE...
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "golden_file.hpp"

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "write_corpus TO_FOLDER FILE...\n");
        return 2;
    }
    try {
        const std::filesystem::path folder = arguments[1];
        std::filesystem::create_directories(folder);
        for (int i = 2; i < count; ++i) {
            const std::filesystem::path file = arguments[i];
            std::ofstream out(folder / file.filename(), std::ios::binary);
            for (const std::byte byte : glove::test::bytes_of(file)) {
                out.put(static_cast<char>(byte));
            }
            if (!out.flush()) {
                throw std::runtime_error("cannot write " + (folder / file.filename()).string());
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    return 0;
}
