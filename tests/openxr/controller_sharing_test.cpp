// SPDX-License-Identifier: Apache-2.0
// A program binds inputs that fingers follow too, at the layer's priority and above it: it reads what it reads without
// the layer, and fingers follow what it leaves to them. And both hands, each with inputs of its own. Not covered: long
// scripts of all calls (input_transparency_test.cpp).
#include <sstream>

#include "openxr/finger_shares.hpp"
#include "openxr/fingers_fixture.hpp"

namespace glove::test {
namespace {

class ControllerSharing : public FingersTest {
protected:
    // It binds triggers, thumbsticks and a touch of the left X, but neither the grip nor the thumb rest.
    void begin_sharing(bool with_layer, std::uint32_t priority) {
        set_environment("DISABLE_GLOVE_HANDS", "1");
        std::vector<const char*> extensions{XR_MND_HEADLESS_EXTENSION_NAME};
        if (with_layer) {
            ::unsetenv("DISABLE_GLOVE_HANDS");
            extensions.push_back(XR_EXT_HAND_TRACKING_EXTENSION_NAME);
        }
        make_instance(extensions);
        set_ = make_set("play", priority);
        trigger_ = make_action(set_, "trigger", XR_ACTION_TYPE_FLOAT_INPUT, {"left", "right"});
        stick_ = make_action(set_, "stick", XR_ACTION_TYPE_VECTOR2F_INPUT, {"left", "right"});
        touch_ = make_action(set_, "touch", XR_ACTION_TYPE_BOOLEAN_INPUT, {"left"});
        ASSERT_EQ(suggest(kTouch, {{trigger_, "left/input/trigger/value"},
                                   {trigger_, "right/input/trigger/value"},
                                   {stick_, "left/input/thumbstick"},
                                   {stick_, "right/input/thumbstick"},
                                   {touch_, "left/input/x/touch"}}),
                  XR_SUCCESS);
        make_session();
        ASSERT_EQ(attach({set_}), XR_SUCCESS);
        stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
        hold(0, kTouch);
        hold(1, kTouch);
        trackers_ = {};
        if (with_layer) {
            trackers_ = {make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
        }
        settle();
    }
    // Longer than a thumb takes to follow a touch.
    void settle() { pass_frames(15); }

    void expect_shares(std::size_t hand, const ControllerInputs& inputs) {
        SCOPED_TRACE(::testing::Message() << "hand " << hand);
        HandAnswer answer;
        ASSERT_EQ(locate(trackers_[hand], stage_, runtime().now(), answer), XR_SUCCESS);
        ASSERT_TRUE(answer.active());
        FingerShares::expect_near(fingers_[hand].of(answer), shares_of_table(inputs));
    }

    // What the program reads; of times only whether they moved.
    template <class State>
    void print(std::ostream& out, const State& state) {
        XrTime& changed = changed_[printed_++];
        out << ' ' << state.isActive << state.changedSinceLastSync << (state.lastChangeTime == changed ? '=' : '>')
            << value_of(state);
        changed = state.lastChangeTime;
    }
    static std::string value_of(const XrActionStateVector2f& state) {
        return std::to_string(state.currentState.x) + '/' + std::to_string(state.currentState.y);
    }
    template <class State>
    static std::string value_of(const State& state) {
        return std::to_string(state.currentState);
    }
    std::string read_all() {
        std::ostringstream line;
        printed_ = 0;
        for (const char* hand : {"left", "right", ""}) {
            print(line, number(trigger_, hand));
            print(line, vector(stick_, hand));
        }
        print(line, boolean(touch_, "left"));
        return line.str();
    }

    XrAction stick_ = XR_NULL_HANDLE;
    XrAction touch_ = XR_NULL_HANDLE;
    const std::array<FingerShares, 2> fingers_{FingerShares(Hand::left), FingerShares(Hand::right)};

private:
    std::array<XrTime, 7> changed_{};
    std::size_t printed_ = 0;
};

struct Step {
    const char* input;  // of the left hand
    float value;
    // What a hand feels where the program leaves it everything, and where it keeps what it binds.
    ControllerInputs all;
    ControllerInputs rest;
};
const std::vector<Step> kSteps{
    {"trigger/value", 0.5f, {0.5, 0, false}, {0, 0, false}},  {"squeeze/value", 1, {0.5, 1, false}, {0, 1, false}},
    {"thumbstick/x", 0.8f, {0.5, 1, false}, {0, 1, false}},   {"x/touch", 1, {0.5, 1, true}, {0, 1, false}},
    {"thumbrest/touch", 1, {0.5, 1, true}, {0, 1, true}},     {"trigger/value", 1, {1, 1, true}, {0, 1, true}},
    {"squeeze/value", 0.5f, {1, 0.5, true}, {0, 0.5, true}},  {"x/touch", 0, {1, 0.5, true}, {0, 0.5, true}},
    {"thumbrest/touch", 0, {1, 0.5, false}, {0, 0.5, false}}, {"trigger/value", 0, {0, 0.5, false}, {0, 0.5, false}},
    {"squeeze/value", 0, {0, 0, false}, {0, 0, false}}};

class ControllerSharingAtPriority : public ControllerSharing, public ::testing::WithParamInterface<std::uint32_t> {};

TEST_P(ControllerSharingAtPriority, WhatTheProgramReadsStaysItsOwnAndFingersFollowTheRest) {
    std::array<std::vector<std::string>, 2> read;
    for (const bool with_layer : {false, true}) {
        begin_sharing(with_layer, GetParam());
        (void)read_all();
        for (const Step& step : kSteps) {
            SCOPED_TRACE(::testing::Message() << step.input << " = " << step.value);
            press(0, step.input, step.value);
            for (int frame = 0; frame < 2; ++frame) {
                pass_frame();
                read[with_layer ? 1 : 0].push_back(read_all());
            }
            settle();
            if (with_layer) {
                expect_shares(0, GetParam() == 0 ? step.all : step.rest);
                expect_shares(1, {});
            }
        }
        destroy_instance();
        runtime().reset();
    }
    EXPECT_EQ(read[0], read[1]);
    EXPECT_NE(read[0][0], read[0][1]);  // a press is new once
}

INSTANTIATE_TEST_SUITE_P(EachPriority, ControllerSharingAtPriority, ::testing::Values(0u, 3u),
                         [](const auto& priority) { return std::to_string(priority.param); });

TEST_F(ControllerSharing, BothHandsFeelDifferentThingsAtOnce) {
    begin_sharing(true, 0);
    press(0, "trigger/value", 1);
    press(0, "y/touch", 1);
    press(1, "squeeze/value", 0.5f);
    settle();
    expect_shares(0, {1, 0, true});
    expect_shares(1, {0, 0.5, false});
    press(0, "trigger/value", 0);
    press(0, "squeeze/value", 1);
    press(1, "squeeze/value", 0);
    press(1, "trigger/value", 0.5f);
    press(1, "b/touch", 1);
    settle();
    expect_shares(0, {0, 1, true});
    expect_shares(1, {0.5, 0, true});
}

TEST_F(ControllerSharing, APressAndItsReleaseAreInTheNextFrame) {
    begin_sharing(true, 0);
    for (int round = 0; round < 5; ++round) {
        press(1, "trigger/value", 1);
        press(1, "squeeze/value", 1);
        pass_frame();
        expect_shares(1, {1, 1, false});
        press(1, "trigger/value", 0);
        press(1, "squeeze/value", 0);
        pass_frame();
        expect_shares(1, {});
    }
}

TEST_F(ControllerSharing, AThumbTakesATenthOfASecondToLieDownAndToRise) {
    begin_sharing(true, 0);
    const auto thumb_at = [this] {
        HandAnswer answer;
        EXPECT_EQ(locate(trackers_[0], stage_, runtime().now(), answer), XR_SUCCESS);
        return fingers_[0].of(answer)[0];
    };
    press(0, "squeeze/value", 0.4f);  // so that a thumb goes from open to closed, and both ends are not cut off
    press(0, "trigger/value", 0.8f);  // 0.4 + 0.32 - 0.72
    settle();
    // Thumbs move when actions are synced, so this is between the two times.
    struct Frame {
        double begun_ns, synced_ns;
    };
    const auto frame = [this] {
        Frame out{static_cast<double>(runtime().now()), 0};
        EXPECT_TRUE(XR_SUCCEEDED(sync({set_})));
        out.synced_ns = static_cast<double>(runtime().now());
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return out;
    };
    Frame last = frame();
    for (const bool touch : {true, false}) {
        press(0, "thumbrest/touch", touch ? 1.0f : 0.0f);
        double before = thumb_at();
        EXPECT_NEAR(before, touch ? 0 : 1, 0.02);
        for (int i = 0; i < 15; ++i) {
            const Frame now = frame();
            const double share = thumb_at();
            EXPECT_GE((share - before) * (touch ? 1 : -1), -0.01);
            // 100 ms or so, and never at once: a frame that came late may go as much further.
            EXPECT_LT(std::abs(share - before), 0.05 + (now.synced_ns - last.begun_ns) / 80e6);
            before = share;
            last = now;
        }
        EXPECT_NEAR(before, touch ? 1 : 0, 0.02);
    }
}

}  // namespace
}  // namespace glove::test
