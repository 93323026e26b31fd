// SPDX-License-Identifier: Apache-2.0
// For the application's input nothing changes: a script of action calls gives the same results, states, sources, names,
// profiles, events and places, bit by bit, without the layer and with it while hands follow whatever they can.
// Not covered: calls from several threads at once, and how long calls take. Calls that no script would make are in
// random_actions_test.cpp.
#include "openxr/action_script.hpp"
#include "openxr/glove_flood.hpp"
#include "openxr/input_configurations.hpp"

namespace glove::test {
namespace {

class InputTransparency : public ComparedInput {
protected:
    ScriptRun run(bool with_layer) {
        begin_run(with_layer);
        ScriptWorld world;
        world.hold = [this](std::size_t hand, const std::string& profile) { take(hand, profile); };
        world.press = [this](std::size_t hand, const std::string& input, float value) { press(hand, input, value); };
        world.focus = [this](bool has_focus) { runtime().focused = has_focus; };
        world.recentre = [this] {
            runtime().recentrings.change([this](std::vector<Recentring>& all) {
                all.push_back({{{0, 0.6f, 0, 0.8f}, {0.5f, 1.5f, -0.25f}}, runtime().now()});
            });
        };
        ScriptOptions options;
        options.with_hands = with_layer;
        return play_actions(world, options);
    }
};

TEST_P(InputTransparency, AProgramsActionsAreTheSameWithAndWithoutTheLayer) {
    write_config(GetParam().toml);
    const ScriptRun without = run(false);
    const GloveFlood gloves(port(), GloveFlood::Sends::hands);
    const ScriptRun with = run(true);

    EXPECT_GT(without.calls, 1000u);
    EXPECT_GT(with.active_hands, 20u) << log_text();  // else nothing was compared
    EXPECT_EQ(runtime().live_spaces, 0u);
    expect_same(without.lines, with.lines);
}

// The script's own eyes: two of its runs differ when something else happens to the program's actions.
TEST_F(InputTest, TheActionScriptSeesALighterPressAndASyncThatFails) {
    hide_layer();
    const auto run = [this](float pressed, bool one_sync_fails) {
        runtime().reset();
        if (one_sync_fails) {
            runtime().fail("xrSyncActions", XR_ERROR_RUNTIME_FAILURE, 1);
        }
        ScriptWorld world;
        world.hold = [this](std::size_t hand, const std::string& profile) {
            runtime().controllers[hand].change([&](ControllerScript& controller) {
                controller.present = !profile.empty();
                controller.profile = profile;
            });
        };
        world.press = [&, this](std::size_t hand, const std::string& input, float value) {
            press(hand, input, pressed * value);
        };
        world.focus = [](bool) {};
        world.recentre = [] {};
        return play_actions(world, {}).lines;
    };
    const std::vector<std::string> usual = run(1, false);
    EXPECT_EQ(usual, run(1, false));
    EXPECT_NE(usual, run(0.9f, false));
    EXPECT_NE(usual, run(1, true));
}

INSTANTIATE_TEST_SUITE_P(EachSource, InputTransparency, kInputConfigurations, name_of);

}  // namespace
}  // namespace glove::test
