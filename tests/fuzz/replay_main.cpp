// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target where there is no libFuzzer, so that it is built and tried with every compiler and in every test
// run: first the corpus as it is, then changes of it for two seconds. The changes come in the same order each time; a
// run that aborts prints the bytes that made it.
//   <target> FILE...   (*.hex files stand for the bytes that they spell)
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <vector>

#include "golden_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

constexpr auto kTime = std::chrono::seconds(2);
constexpr int kMostChanges = 2'000'000;
constexpr std::size_t kLongest = 4096;

Input running;  // NOLINT(cert-err58-cpp): an empty vector throws nothing

extern "C" void print_input(int) {
    std::fprintf(stderr, "the input, %zu bytes:", running.size());
    for (const std::uint8_t byte : running) {
        std::fprintf(stderr, " %02x", static_cast<unsigned>(byte));
    }
    std::fprintf(stderr, "\n");
    std::fflush(stderr);
    std::signal(SIGABRT, SIG_DFL);
}

void run(const Input& input) {
    running = input;
    running.shrink_to_fit();  // a read behind the end is then behind the allocation, where a sanitizer sees it
    (void)LLVMFuzzerTestOneInput(running.data(), running.size());
}

std::vector<Input> corpus_of(int count, char** paths) {
    std::vector<Input> corpus;
    for (int i = 1; i < count; ++i) {
        Input input;
        for (const std::byte byte : glove::test::bytes_of(paths[i])) {
            input.push_back(std::to_integer<std::uint8_t>(byte));
        }
        corpus.push_back(std::move(input));
    }
    return corpus;
}

class Changer {
public:
    Input change(Input input, const std::vector<Input>& corpus) {
        for (std::size_t times = 1 + below(4); times > 0; --times) {
            change_once(input, corpus);
        }
        input.resize(std::min(input.size(), kLongest));
        return input;
    }

    std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

private:
    void change_once(Input& input, const std::vector<Input>& corpus) {
        // Zero, one, the largest numbers of both signs, and the upper bytes of infinity and NaN.
        constexpr std::uint8_t kOdd[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, 0xC0, 0x0A, 0x22};
        const std::size_t at = below(input.size());
        const auto offset = static_cast<std::ptrdiff_t>(at);
        switch (below(8)) {
            case 0:
            case 1:
                if (!input.empty()) {
                    input[at] ^= static_cast<std::uint8_t>(1u << below(8));
                }
                break;
            case 2:
                if (!input.empty()) {
                    input[at] = static_cast<std::uint8_t>(below(256));
                }
                break;
            case 3: {
                const std::uint8_t odd = kOdd[below(std::size(kOdd))];
                std::fill(input.begin() + offset, input.begin() + offset + length_from(input, at), odd);
                break;
            }
            case 4:
                input.resize(at);
                break;
            case 5:
                input.erase(input.begin() + offset, input.begin() + offset + length_from(input, at));
                break;
            case 6: {
                const Input piece(input.begin() + offset, input.begin() + offset + length_from(input, at));
                input.insert(input.begin() + static_cast<std::ptrdiff_t>(below(input.size())), piece.begin(),
                             piece.end());
                break;
            }
            default: {
                const Input& other = corpus[below(corpus.size())];
                input.resize(at);
                const std::size_t from = below(other.size());
                input.insert(input.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
                break;
            }
        }
    }

    // Up to 16 bytes, as far as there are any.
    std::ptrdiff_t length_from(const Input& input, std::size_t at) {
        return static_cast<std::ptrdiff_t>(std::min(input.size() - at, 1 + below(16)));
    }

    std::mt19937_64 random_{20250307};
};

int replay(int count, char** paths) {
    const std::vector<Input> corpus = corpus_of(count, paths);
    if (corpus.empty()) {
        std::fprintf(stderr, "no corpus\n");
        return 2;
    }
    run({});
    for (const Input& input : corpus) {
        run(input);
    }
    Changer changer;
    const auto end = std::chrono::steady_clock::now() + kTime;
    int changes = 0;
    while (changes < kMostChanges && std::chrono::steady_clock::now() < end) {
        run(changer.change(corpus[changer.below(corpus.size())], corpus));
        ++changes;
    }
    std::printf("%zu files, %d changes of them\n", corpus.size(), changes);
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    std::signal(SIGABRT, print_input);
    try {
        return replay(count, arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
