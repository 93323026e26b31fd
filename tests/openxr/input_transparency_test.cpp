// SPDX-License-Identifier: Apache-2.0
// For the application's input nothing changes: a script of action calls gives the same results, states, sources, names,
// profiles, events and places, bit by bit, without the layer and with it while hands follow whatever they can.
// Not covered: calls from several threads at once, and how long calls take.
#include <algorithm>

#include "openxr/action_script.hpp"
#include "openxr/glove_flood.hpp"
#include "openxr/input_fixture.hpp"

namespace glove::test {
namespace {

struct Configuration {
    const char* name;
    const char* toml;
    NativeHands native = NativeHands::absent;
    bool has_trackers = false;
};

std::string name_of(const ::testing::TestParamInfo<Configuration>& of) {
    return of.param.name;
}

void PrintTo(const Configuration& configuration, std::ostream* out) {
    *out << configuration.name;
}

class InputTransparency : public InputTest, public ::testing::WithParamInterface<Configuration> {
protected:
    ScriptRun run(bool with_layer) {
        set_environment("DISABLE_GLOVE_HANDS", "1");
        if (with_layer) {
            ::unsetenv("DISABLE_GLOVE_HANDS");
        }
        script_the_runtime();
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

private:
    void script_the_runtime() {
        runtime().reset();
        runtime().frame_period_ns = 5'000'000;
        runtime().native_hands = GetParam().native;
        if (GetParam().has_trackers) {
            runtime().vive_tracker_revision = 3;
            runtime().trackers.change([](std::vector<TrackerScript>& trackers) {
                for (const char* role : {"left_wrist", "right_wrist"}) {
                    trackers.push_back({role,
                                        std::string("/devices/htc/vive_tracker.") + role,
                                        {{{0, 0, 0, 1}, {0, 1, 0}}, {}, {}, 0, test_runtime::kValidAndTracked, 0}});
                }
            });
        }
    }
    void take(std::size_t hand, const std::string& profile) {
        runtime().controllers[hand].change([&](ControllerScript& controller) {
            controller.present = !profile.empty();
            controller.profile = profile;
            controller.inputs.clear();
            controller.aim_in_grip = {{-0.5f, 0, 0, 0.8660254f}, {0, 0.01f, -0.05f}};
        });
    }
};

std::string around(const std::vector<std::string>& lines, std::size_t at) {
    std::string text;
    for (std::size_t i = at < 6 ? 0 : at - 6; i < std::min(at + 3, lines.size()); ++i) {
        text += (i == at ? "> " : "  ") + lines[i] + '\n';
    }
    return text;
}

TEST_P(InputTransparency, AProgramsActionsAreTheSameWithAndWithoutTheLayer) {
    write_config(GetParam().toml);
    const ScriptRun without = run(false);
    const GloveFlood gloves(port(), GloveFlood::Sends::hands);
    const ScriptRun with = run(true);

    EXPECT_GT(without.calls, 1000u);
    EXPECT_GT(with.active_hands, 20u) << log_text();  // else nothing was compared
    EXPECT_EQ(runtime().live_spaces, 0u);
    const auto [here, there] =
        std::mismatch(without.lines.begin(), without.lines.end(), with.lines.begin(), with.lines.end());
    const auto at = static_cast<std::size_t>(here - without.lines.begin());
    EXPECT_TRUE(here == without.lines.end() && there == with.lines.end())
        << "line " << at << " without the layer:\n"
        << around(without.lines, at) << "and with it:\n"
        << around(with.lines, at) << log_text();
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

INSTANTIATE_TEST_SUITE_P(EachSource, InputTransparency,
                         ::testing::Values(Configuration{"View", "[wrist]\nsource = \"view\"\n"},
                                           Configuration{"Fixed", "[wrist]\nsource = \"fixed\"\n"},
                                           Configuration{"Native", "", NativeHands::supported}),
                         name_of);

}  // namespace
}  // namespace glove::test
