// SPDX-License-Identifier: Apache-2.0
// Prints what the action script got, on whatever runtime there is. With --hands it looks at hands meanwhile, which is
// to change no line; what it saw of them goes to the standard error.
#include <cstdio>
#include <cstring>
#include <exception>

#include "openxr/action_script.hpp"

int main(int argc, char** argv) {
    using namespace glove::test;
    const ScriptWorld world{[](std::size_t, const std::string&) {}, [](std::size_t, const std::string&, float) {},
                            [](bool) {}, [] {}};
    ScriptOptions options;
    options.with_hands = argc == 2 && std::strcmp(argv[1], "--hands") == 0;
    options.with_poses = false;
    options.with_dead_handles = false;
    options.with_empty_syncs = false;
    if (argc > 2 || (argc == 2 && !options.with_hands)) {
        std::fprintf(stderr, "usage: action_print [--hands]\n");
        return 2;
    }
    try {
        const ScriptRun run = play_actions(world, options);
        for (const std::string& line : run.lines) {
            std::printf("%s\n", line.c_str());
        }
        std::fprintf(stderr, "%zu calls, %zu answers with a hand\n", run.calls, run.active_hands);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "action_print: %s\n", error.what());
        return 1;
    }
}
