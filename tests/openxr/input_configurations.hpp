// SPDX-License-Identifier: Apache-2.0
// Every way in which the layer may find wrists and fingers, for tests that compare a program's input with and without
// it.
#pragma once

#include <ostream>
#include <string>

#include "openxr/input_fixture.hpp"

namespace glove::test {

struct InputConfiguration {
    const char* name;
    std::string toml;
    NativeHands native = NativeHands::absent;
    bool has_trackers = false;

    friend void PrintTo(const InputConfiguration& configuration, std::ostream* out) { *out << configuration.name; }
};

inline const std::string kFingersAlways = "[fallback]\ncontroller_fingers = \"always\"\n";

inline const auto kInputConfigurations = ::testing::Values(
    InputConfiguration{"View", "[wrist]\nsource = \"view\"\n"},
    InputConfiguration{"Fixed", "[wrist]\nsource = \"fixed\"\n"},
    InputConfiguration{"Native", "[wrist]\nsource = \"native\"\n", NativeHands::supported},
    InputConfiguration{"Controller", "[wrist]\nsource = \"controller\"\n"}, InputConfiguration{"Automatic", ""},
    InputConfiguration{"AutomaticAboveNativeHands", "", NativeHands::supported},
    InputConfiguration{"Tracker",
                       "[wrist]\nsource = \"tracker\"\n[wrist.tracker]\nleft = \"left_wrist\"\n"
                       "right = \"right_wrist\"\n",
                       NativeHands::absent, true},
    InputConfiguration{"AutomaticWithOneTracker", "[wrist.tracker]\nleft = \"left_wrist\"\n", NativeHands::absent,
                       true},
    // What controllers feel is asked for everywhere, or nowhere; by default it is where the runtime has no hands.
    InputConfiguration{"FingersOnControllers", "[wrist]\nsource = \"controller\"\n" + kFingersAlways},
    InputConfiguration{"FingersOnControllersInView", "[wrist]\nsource = \"view\"\n" + kFingersAlways},
    InputConfiguration{"FingersOnControllersAboveNativeHands", "[wrist]\nsource = \"controller\"\n" + kFingersAlways,
                       NativeHands::supported},
    InputConfiguration{"FingersInViewAboveNativeHands", "[wrist]\nsource = \"view\"\n" + kFingersAlways,
                       NativeHands::supported},
    InputConfiguration{"NoFingersOnControllers",
                       "[wrist]\nsource = \"controller\"\n[fallback]\ncontroller_fingers = \"off\"\n"});

inline std::string name_of(const ::testing::TestParamInfo<InputConfiguration>& of) {
    return of.param.name;
}

// A program runs twice in the same process: without the layer and with it.
class ComparedInput : public InputTest, public ::testing::WithParamInterface<InputConfiguration> {
protected:
    void begin_run(bool with_layer) {
        set_environment("DISABLE_GLOVE_HANDS", "1");
        if (with_layer) {
            ::unsetenv("DISABLE_GLOVE_HANDS");
        }
        runtime().reset();
        runtime().native_hands = GetParam().native;
        if (GetParam().has_trackers) {
            runtime().vive_tracker_revision = 3;
            bring_tracker(0, true);
            bring_tracker(1, true);
        }
    }

    // On this wrist, or away; the program without the layer hears nothing of it.
    void bring_tracker(std::size_t hand, bool is_there) {
        const std::string role = hand == 0 ? "left_wrist" : "right_wrist";
        runtime().trackers.change([&](std::vector<TrackerScript>& trackers) {
            std::erase_if(trackers, [&](const TrackerScript& tracker) { return tracker.role == role; });
            if (is_there) {
                trackers.push_back({role,
                                    "/devices/htc/vive_tracker." + role,
                                    {{{0, 0, 0, 1}, {0, 1, 0}}, {}, {}, 0, test_runtime::kValidAndTracked, 0}});
            }
        });
    }

    // Another controller, nothing of which is pressed. "" is none.
    void take(std::size_t hand, const std::string& profile) {
        runtime().controllers[hand].change([&](ControllerScript& controller) {
            controller.present = !profile.empty();
            controller.profile = profile;
            controller.inputs.clear();
            controller.aim_in_grip = {{-0.5f, 0, 0, 0.8660254f}, {0, 0.01f, -0.05f}};
        });
    }

    static void expect_same(const std::vector<std::string>& without, const std::vector<std::string>& with) {
        std::size_t at = 0;
        while (at < without.size() && at < with.size() && without[at] == with[at]) {
            ++at;
        }
        EXPECT_TRUE(at == without.size() && at == with.size()) << "without the layer:\n"
                                                               << around(without, at) << "and with it:\n"
                                                               << around(with, at);
    }

private:
    static std::string around(const std::vector<std::string>& lines, std::size_t at) {
        std::string text;
        for (std::size_t i = at < 8 ? 0 : at - 8; i < lines.size() && i < at + 3; ++i) {
            text += (i == at ? "> " : "  ") + lines[i] + '\n';
        }
        return text;
    }
};

}  // namespace glove::test
