// SPDX-License-Identifier: Apache-2.0
// What each controller feels closes each finger of that hand as far as the published table says, seen in the joints
// that a program gets. Not covered: the names that OpenXR 1.1 has for four of Meta's controllers, and programs that
// bind the same inputs (controller_sharing_test.cpp).
#include <algorithm>
#include <iterator>
#include <sstream>

#include "openxr/finger_shares.hpp"
#include "openxr/fingers_fixture.hpp"

namespace glove::test {
namespace {

// As OpenXR names the inputs. "" where the controller has none.
struct Controller {
    const char* profile;
    const char* extension;  // "" for core profiles
    const char* trigger;
    const char* trigger_touch;
    const char* grip;
    const char* thumb_left;  // of the left hand, by blanks: each of them is a touch of the thumb
    const char* thumb_right;

    friend void PrintTo(const Controller& controller, std::ostream* out) { *out << controller.profile; }
};

std::vector<double> levels_of(const std::string& input) {
    if (input.empty()) {
        return {0};
    }
    return input.ends_with("/click") ? std::vector<double>{0, 1} : std::vector<double>{0, 0.5, 1};
}

std::vector<std::string> words(const char* text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

class ControllerFingers : public FingersTest {
protected:
    void begin_with(const Controller& controller, const std::string& config) {
        write_config(config + "[wrist]\nsource = \"fixed\"\n");
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
        for (const std::size_t hand : {0u, 1u}) {
            hold(hand, controller.profile);
        }
    }
    // Longer than a thumb takes to follow a touch.
    void settle() { pass_frames(15); }
    void press_if_any(std::size_t hand, const std::string& input, double value) {
        if (!input.empty()) {
            press(hand, input, static_cast<float>(value));
        }
    }
    void expect_shares(std::size_t hand, const Shares& wanted) {
        HandAnswer answer;
        ASSERT_EQ(locate(trackers_[hand], stage_, runtime().now(), answer), XR_SUCCESS);
        ASSERT_TRUE(answer.active());
        FingerShares::expect_near(fingers_[hand].of(answer), wanted);
    }

    const std::array<FingerShares, 2> fingers_{FingerShares(Hand::left), FingerShares(Hand::right)};
};

class ControllerInput : public ControllerFingers, public ::testing::WithParamInterface<Controller> {};

constexpr char kAlways[] = "[fallback]\ncontroller_fingers = \"always\"\n";

TEST_P(ControllerInput, ClosesEachFingerAsFarAsTheTableSays) {
    const Controller& controller = GetParam();
    begin_with(controller, kAlways);
    const bool simple = std::string(controller.trigger) == controller.thumb_left;  // one button is all it has
    for (const std::size_t hand : {0u, 1u}) {
        const std::vector<std::string> thumbs = words(hand == 0 ? controller.thumb_left : controller.thumb_right);
        for (const bool touch : {false, true}) {
            if (touch && (simple || thumbs.empty())) {
                continue;
            }
            if (touch) {
                press(hand, thumbs[0], 1);
            }
            settle();
            for (const double trigger : levels_of(controller.trigger)) {
                for (const double grip : levels_of(controller.grip)) {
                    SCOPED_TRACE(::testing::Message() << "hand " << hand << ", trigger " << trigger << ", grip " << grip
                                                      << ", touch " << touch);
                    press_if_any(hand, controller.trigger, trigger);
                    press_if_any(hand, controller.grip, grip);
                    if (simple) {
                        settle();
                    } else {
                        pass_frame();
                    }
                    expect_shares(hand, shares_of_table({trigger, grip, simple ? trigger > 0 : touch}));
                    expect_shares(1 - hand, shares_of_table({}));
                }
            }
        }
        runtime().controllers[hand].change([](ControllerScript& script) { script.inputs.clear(); });
        settle();
    }
    EXPECT_EQ(status_source(0), "controller");
}

TEST_P(ControllerInput, FeelsTheThumbWhereverItRests) {
    const Controller& controller = GetParam();
    begin_with(controller, kAlways);
    for (const std::size_t hand : {0u, 1u}) {
        for (const std::string& thumb : words(hand == 0 ? controller.thumb_left : controller.thumb_right)) {
            SCOPED_TRACE(::testing::Message() << "hand " << hand << ' ' << thumb);
            press(hand, thumb, 1);
            settle();
            const bool is_trigger = thumb == controller.trigger;
            expect_shares(hand, shares_of_table({is_trigger ? 1.0 : 0.0, 0, true}));
            press(hand, thumb, 0);
            settle();
            expect_shares(hand, shares_of_table({}));
        }
    }
}

class ControllerThatFeelsAFinger : public ControllerInput {};

TEST_P(ControllerThatFeelsAFinger, BendsOneThatLiesOnTheTriggerALittle) {
    const Controller& controller = GetParam();
    begin_with(controller, kAlways);
    press(0, controller.trigger_touch, 1);
    pass_frames(3);
    HandAnswer answer;
    ASSERT_EQ(locate(trackers_[0], stage_, runtime().now(), answer), XR_SUCCESS);
    ASSERT_TRUE(answer.active());
    const double index = fingers_[0].of(answer)[1];
    EXPECT_GT(index, 0.1);
    EXPECT_LT(index, 0.2);
    press(0, controller.trigger, 0.5f);
    pass_frame();
    expect_shares(0, shares_of_table({0.5, 0, false}));
}

constexpr char kXY[] = "thumbstick/touch x/touch y/touch";
constexpr char kAB[] = "thumbstick/touch a/touch b/touch";
constexpr char kRestXY[] = "thumbrest/touch thumbstick/touch x/touch y/touch";
constexpr char kRestAB[] = "thumbrest/touch thumbstick/touch a/touch b/touch";
constexpr char kIndexThumb[] = "thumbstick/touch trackpad/touch a/touch b/touch";
constexpr char kTrigger[] = "trigger/value";
constexpr char kOnTrigger[] = "trigger/touch";
constexpr char kPressed[] = "squeeze/value";
constexpr char kClicked[] = "squeeze/click";
constexpr char kPad[] = "trackpad/touch";
constexpr char kPadStick[] = "trackpad/touch thumbstick/x thumbstick/y";
constexpr char kFocus3Thumb[] = "thumbstick/touch thumbrest/touch";
constexpr char kPico[] = "XR_BD_controller_interaction";

const std::vector<Controller>& controllers() {
    static const std::vector<Controller> list{
        {"khr/simple_controller", "", "select/click", "", "", "select/click", "select/click"},
        {"khr/generic_controller", "XR_KHR_generic_controller", kTrigger, "", kPressed, "thumbstick/x thumbstick/y",
         "thumbstick/x thumbstick/y"},
        {"oculus/touch_controller", "", kTrigger, kOnTrigger, kPressed, kRestXY, kRestAB},
        {"facebook/touch_controller_pro", "XR_FB_touch_controller_pro", kTrigger, kOnTrigger, kPressed, kRestXY,
         kRestAB},
        {"meta/touch_controller_plus", "XR_META_touch_controller_plus", kTrigger, kOnTrigger, kPressed, kRestXY,
         kRestAB},
        {"valve/index_controller", "", kTrigger, kOnTrigger, kPressed, kIndexThumb, kIndexThumb},
        {"htc/vive_controller", "", kTrigger, "", kClicked, kPad, kPad},
        {"htc/vive_cosmos_controller", "XR_HTC_vive_cosmos_controller_interaction", kTrigger, "", kClicked,
         "thumbstick/touch", "thumbstick/touch"},
        {"htc/vive_focus3_controller", "XR_HTC_vive_focus3_controller_interaction", kTrigger, kOnTrigger, kPressed,
         kFocus3Thumb, kFocus3Thumb},
        {"microsoft/motion_controller", "", kTrigger, "", kClicked, kPadStick, kPadStick},
        {"samsung/odyssey_controller", "XR_EXT_samsung_odyssey_controller", kTrigger, "", kClicked, kPadStick,
         kPadStick},
        {"hp/mixed_reality_controller", "XR_EXT_hp_mixed_reality_controller", kTrigger, "", kPressed,
         "x/click y/click thumbstick/x thumbstick/y", "a/click b/click thumbstick/x thumbstick/y"},
        {"bytedance/pico_neo3_controller", kPico, kTrigger, kOnTrigger, kPressed, kXY, kAB},
        {"bytedance/pico4_controller", kPico, kTrigger, kOnTrigger, kPressed, kXY, kAB},
        {"bytedance/pico4s_controller", kPico, kTrigger, kOnTrigger, kPressed, kXY, kAB},
        {"oppo/mr_controller_oppo", "XR_OPPO_controller_interaction", kTrigger, kOnTrigger, kPressed, kXY, kAB},
        {"ml/ml2_controller", "XR_ML_ml2_controller_interaction", kTrigger, "", "", kPad, kPad}};
    return list;
}

std::vector<Controller> controllers_that_feel_a_finger() {
    std::vector<Controller> list = controllers();
    std::erase_if(list, [](const Controller& controller) { return *controller.trigger_touch == '\0'; });
    return list;
}

std::string name_of(const ::testing::TestParamInfo<Controller>& controller) {
    std::string name = controller.param.profile;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(EveryController, ControllerInput, ::testing::ValuesIn(controllers()), name_of);
INSTANTIATE_TEST_SUITE_P(EveryController, ControllerThatFeelsAFinger,
                         ::testing::ValuesIn(controllers_that_feel_a_finger()), name_of);

// Each number of [fallback.curl] has its part: none here is the default, and no two are alike.
TEST_F(ControllerFingers, CloseByTheUsersTableBetweenTheUsersPoses) {
    const Controller touch{"oculus/touch_controller", "", kTrigger, kOnTrigger, kPressed, kRestXY, kRestAB};
    constexpr CurlTable kTable{{{0.05, 0.15, 0.25, 0.35},
                                {0.1, 0.3, 0.2, 0.08},
                                {0.12, 0.22, 0.32, 0.18},
                                {0.02, 0.42, 0.28, 0.13},
                                {0.24, 0.14, 0.34, 0.04}}};
    constexpr double kOpen = 0.2, kClosed = 0.7;
    std::string config = std::string(kAlways) + "[fallback.curl]\nopen = 0.2\nclosed = 0.7\n";
    constexpr std::array kFingers{"thumb", "index", "middle", "ring", "little"};
    for (std::size_t finger = 0; finger < kFingers.size(); ++finger) {
        const auto& [rest, trigger, grip, thumb] = kTable[finger];
        config += std::string(kFingers[finger]) + " = [" + std::to_string(rest) + ", " + std::to_string(trigger) +
                  ", " + std::to_string(grip) + ", " + std::to_string(thumb) + "]\n";
    }
    begin_with(touch, config);
    for (const ControllerInputs& inputs :
         std::vector<ControllerInputs>{{0, 0, false}, {1, 0, false}, {0, 1, false}, {0, 0, true}, {1, 1, true}}) {
        SCOPED_TRACE(::testing::Message() << inputs.trigger << ' ' << inputs.grip << ' ' << inputs.touch);
        Shares wanted = shares_of_table(inputs, kTable);
        for (double& share : wanted) {
            share = kOpen + (kClosed - kOpen) * share;
        }
        for (const std::size_t hand : {0u, 1u}) {
            press(hand, kTrigger, static_cast<float>(inputs.trigger));
            press(hand, kPressed, static_cast<float>(inputs.grip));
            press(hand, "thumbstick/touch", inputs.touch ? 1 : 0);
        }
        settle();
        expect_shares(0, wanted);
        expect_shares(1, wanted);
    }
}

TEST_F(ControllerFingers, MovesNothingWhereItIsSwitchedOff) {
    const Controller touch{"oculus/touch_controller", "", kTrigger, kOnTrigger, kPressed, kRestXY, kRestAB};
    begin_with(touch, "[fallback]\ncontroller_fingers = \"off\"\n");
    pass_frames(30);
    HandAnswer answer;
    ASSERT_EQ(locate(trackers_[0], stage_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_FALSE(answer.active());
    EXPECT_EQ(runtime().live_action_sets, 1u);  // the program's own
}

}  // namespace
}  // namespace glove::test
