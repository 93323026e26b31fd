// SPDX-License-Identifier: Apache-2.0
// What each controller feels moves the fingers it should: the inputs that are really bound, by pressing them. Not
// covered: how far a finger goes (tests/hand/finger_curl_test.cpp), and controllers that the test runtime does not
// know.
#include "openxr/fingers_fixture.hpp"

namespace glove::test {
namespace {

struct Controller {
    const char* profile;
    const char* extension;  // "" for core profiles
    const char* trigger;
    const char* grip;   // "" where nothing feels the grip
    const char* touch;  // of the left hand's thumb; "" where nothing does

    friend void PrintTo(const Controller& controller, std::ostream* out) { *out << controller.profile; }
};

class ControllerInputOff : public FingersTest {
protected:
    void begin_with(const Controller& controller, const std::string& config) {
        write_config(config);
        std::vector<const char*> extensions{XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME,
                                            kStatus};
        if (*controller.extension != '\0') {
            runtime().extra_extensions = {controller.extension};
            extensions.push_back(controller.extension);
        }
        make_instance(extensions);
        set_ = make_set("play");
        grip_ = make_action(set_, "hand", XR_ACTION_TYPE_POSE_INPUT, {"left", "right"});
        ASSERT_EQ(suggest(controller.profile, {{grip_, "left/input/grip/pose"}, {grip_, "right/input/grip/pose"}}),
                  XR_SUCCESS);
        make_session();
        ASSERT_EQ(attach({set_}), XR_SUCCESS);
        stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
        trackers_ = {make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
        for (const std::size_t hand : {0, 1}) {
            hold(hand, controller.profile);
        }
    }
    // After a while with these inputs of the left controller, how far each tip is from the wrist.
    std::array<double, 3> reaches(std::size_t hand, const std::vector<std::string>& pressed) {
        runtime().controllers[0].change([](ControllerScript& controller) { controller.inputs.clear(); });
        for (const std::string& input : pressed) {
            press(0, input, 1);
        }
        pass_frames(30);
        HandAnswer answer;
        EXPECT_EQ(locate(trackers_[hand], stage_, runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(answer.active());
        thumb_ = test_runtime::from_xr(answer.joints[XR_HAND_JOINT_THUMB_TIP_EXT].pose).position;
        return {reach(answer, XR_HAND_JOINT_INDEX_TIP_EXT), reach(answer, XR_HAND_JOINT_MIDDLE_TIP_EXT),
                reach(answer, XR_HAND_JOINT_LITTLE_TIP_EXT)};
    }
    Vector thumb_;
};

class ControllerInput : public ControllerInputOff, public ::testing::WithParamInterface<Controller> {};

constexpr char kAlways[] = "[fallback]\ncontroller_fingers = \"always\"\n[wrist]\nsource = \"fixed\"\n";

TEST_P(ControllerInput, MovesTheFingersThatItFeels) {
    const Controller& controller = GetParam();
    begin_with(controller, kAlways);
    const std::array<double, 3> at_rest = reaches(0, {});
    EXPECT_EQ(status_source(0), "controller");

    const std::array<double, 3> pulled = reaches(0, {controller.trigger});
    EXPECT_LT(pulled[0], at_rest[0] - 0.03);
    const std::array<double, 3> other = reaches(1, {controller.trigger});
    EXPECT_NEAR(other[0], at_rest[0], 1e-3);  // the right hand holds its own

    if (*controller.grip != '\0') {
        const std::array<double, 3> gripped = reaches(0, {controller.grip});
        EXPECT_NEAR(gripped[0], at_rest[0], 1e-3);
        EXPECT_LT(gripped[1], at_rest[1] - 0.03);
        EXPECT_LT(gripped[2], at_rest[2] - 0.015);
    }
    if (*controller.touch != '\0') {
        (void)reaches(0, {});
        const Vector free = thumb_;
        (void)reaches(0, {controller.touch});
        EXPECT_GT(length(thumb_ - free), 0.005);
    }
}

INSTANTIATE_TEST_SUITE_P(
    EveryController, ControllerInput,
    ::testing::Values(Controller{"khr/simple_controller", "", "select/click", "", "select/click"},
                      Controller{"oculus/touch_controller", "", "trigger/value", "squeeze/value", "thumbrest/touch"},
                      Controller{"oculus/touch_controller", "", "trigger/value", "squeeze/value", "y/touch"},
                      Controller{"facebook/touch_controller_pro", "XR_FB_touch_controller_pro", "trigger/value",
                                 "squeeze/value", "x/touch"},
                      Controller{"meta/touch_controller_plus", "XR_META_touch_controller_plus", "trigger/value",
                                 "squeeze/value", "thumbstick/touch"},
                      Controller{"valve/index_controller", "", "trigger/value", "squeeze/value", "trackpad/touch"},
                      Controller{"htc/vive_controller", "", "trigger/value", "squeeze/click", "trackpad/touch"},
                      Controller{"htc/vive_cosmos_controller", "XR_HTC_vive_cosmos_controller_interaction",
                                 "trigger/value", "squeeze/click", "thumbstick/touch"},
                      Controller{"htc/vive_focus3_controller", "XR_HTC_vive_focus3_controller_interaction",
                                 "trigger/value", "squeeze/value", "thumbrest/touch"},
                      Controller{"microsoft/motion_controller", "", "trigger/value", "squeeze/click", "trackpad/touch"},
                      Controller{"hp/mixed_reality_controller", "XR_EXT_hp_mixed_reality_controller", "trigger/value",
                                 "squeeze/value", "y/click"},
                      Controller{"bytedance/pico_neo3_controller", "XR_BD_controller_interaction", "trigger/value",
                                 "squeeze/value", "thumbstick/touch"},
                      Controller{"bytedance/pico4_controller", "XR_BD_controller_interaction", "trigger/value",
                                 "squeeze/value", "x/touch"},
                      Controller{"ml/ml2_controller", "XR_ML_ml2_controller_interaction", "trigger/value", "",
                                 "trackpad/touch"}),
    [](const auto& controller) {
        std::string name = std::to_string(controller.index) + '_' + controller.param.profile;
        std::replace_if(
            name.begin(), name.end(), [](char c) { return c == '/'; }, '_');
        return name;
    });

TEST_F(ControllerInputOff, MovesNothingWhereItIsSwitchedOff) {
    const Controller touch{"oculus/touch_controller", "", "trigger/value", "squeeze/value", "x/touch"};
    begin_with(touch, "[fallback]\ncontroller_fingers = \"off\"\n[wrist]\nsource = \"fixed\"\n");
    pass_frames(30);
    HandAnswer answer;
    ASSERT_EQ(locate(trackers_[0], stage_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_FALSE(answer.active());
    EXPECT_EQ(runtime().live_action_sets, 1u);  // the program's own
}

}  // namespace
}  // namespace glove::test
