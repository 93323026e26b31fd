// SPDX-License-Identifier: Apache-2.0
// A program that uses actions in every way we know, right and wrong, the same at each run: what it gets must not depend
// on whether somebody else in its process uses actions too.
#pragma once

#include <openxr/openxr.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace glove::test {

// What happens around the program. A real runtime's controllers do as they like: then all of these do nothing.
struct ScriptWorld {
    std::function<void(std::size_t hand, const std::string& profile)> hold;  // "" puts it down; 0 is the left hand
    std::function<void(std::size_t hand, const std::string& input, float value)> press;
    std::function<void(bool)> focus;
    std::function<void()> recentre;
};

struct ScriptOptions {
    // Creates hand trackers and locates them in each frame, which writes no lines.
    bool with_hands = false;
    // The controllers stand still when nobody moves them, and their poses are to be the same bit by bit.
    bool with_poses = true;
    // Handles that were destroyed are used again. Not every runtime survives that.
    bool with_dead_handles = true;
    // Syncs without any set. Monado 25 leaves all as the sync before had it, where OpenXR makes everything inactive;
    // the layer, whose own set rides along, then makes a difference.
    bool with_empty_syncs = true;
    std::chrono::milliseconds frame{5};
    // Beside the headless and the hand tracking one.
    std::vector<const char*> extensions;
};

struct ScriptRun {
    std::vector<std::string> lines;
    std::size_t calls = 0;         // lines that are calls
    std::size_t active_hands = 0;  // answers with a hand
};

// Throws std::runtime_error where no instance or session can be had.
[[nodiscard]] ScriptRun play_actions(const ScriptWorld& world, const ScriptOptions& options);

}  // namespace glove::test
