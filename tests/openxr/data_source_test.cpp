// SPDX-License-Identifier: Apache-2.0
// XR_EXT_hand_tracking_data_source and XR_EXT_hand_joints_motion_range through the loader: what a program may ask for,
// which source a hand then has, and what it is told of it (rules 5.1, 5.2). Not covered: how fingers lie on a
// controller (controller_input_test.cpp), and how a hand gets from one source to the next (source_switch_test.cpp).
#include <algorithm>

#include "openxr/fingers_fixture.hpp"

namespace glove::test {
namespace {

using Sources = std::vector<std::int32_t>;

class DataSource : public FingersTest {
protected:
    void SetUp() override {
        FingersTest::SetUp();
        write_config(kBeforeTheHead);
        gloves_ = {reference_pose(Hand::left, "fist"), reference_pose(Hand::right, "fist")};
    }
    static Sources both() { return {kUnobstructed, kController}; }
    void make_native(bool with_data_source) const {
        runtime().native_hands = NativeHands::supported;
        if (with_data_source) {
            runtime().extra_extensions = std::vector<std::string>{kDataSource, kMotionRange};
        }
    }

    // There is always a wrist, so that no hand is missing for want of one.
    static constexpr const char* kBeforeTheHead = "[wrist]\nsource = \"view\"\n";
    static constexpr const char* kOnControllers = "[wrist]\nsource = \"controller\"\n";
};

TEST_F(DataSource, WhoNamesNoSourceOrOneTwiceOrAnUnknownOneGetsNoHandTracker) {
    for (const bool native : {false, true}) {
        SCOPED_TRACE(native ? "native" : "no native hands");
        if (native) {
            make_native(true);
        }
        begin_program();
        const auto untouched = reinterpret_cast<XrHandTrackerEXT>(std::uintptr_t{0x1234});
        XrHandTrackerEXT tracker = untouched;
        for (const Sources& sources :
             {Sources{}, Sources{kUnobstructed, kUnobstructed}, Sources{kController, kController},
              Sources{kUnobstructed, kController, 1}, Sources{kController, kUnobstructed, 2}, Sources{0}, Sources{3},
              Sources{-1}, Sources{kUnobstructed, 7}, Sources{0x7FFFFFFF}, Sources{1000428000}}) {
            EXPECT_EQ(try_tracker(0, sources, tracker), XR_ERROR_VALIDATION_FAILURE)
                << ::testing::PrintToString(sources);
        }
        EXPECT_EQ(try_tracker(0, {kDataSourceInfoType, nullptr, 1, nullptr}, tracker), XR_ERROR_VALIDATION_FAILURE);
        EXPECT_EQ(tracker, untouched);
        EXPECT_EQ(runtime().live_hand_trackers, 0u);
        destroy_instance();
    }
}

TEST_F(DataSource, EitherSourceAndBothInAnyOrderAreGranted) {
    begin_program();
    for (const Sources& sources : {Sources{kUnobstructed}, Sources{kController}, Sources{kUnobstructed, kController},
                                   Sources{kController, kUnobstructed}}) {
        EXPECT_NE(tracker_of(0, sources), XrHandTrackerEXT{XR_NULL_HANDLE});
    }
}

TEST_F(DataSource, TheStateOfATrackerMadeWithoutSourcesIsAnErrorThatWritesNothing) {
    for (const bool native : {false, true}) {
        SCOPED_TRACE(native ? "native" : "no native hands");
        if (native) {
            make_native(true);
        }
        begin_program();
        FingersAnswer answer;
        EXPECT_EQ(try_ask(make_tracker(XR_HAND_LEFT_EXT), answer, nullptr), XR_ERROR_VALIDATION_FAILURE);
        EXPECT_TRUE(answer.hand.untouched());
        EXPECT_EQ(answer.state.isActive, 77u);
        EXPECT_EQ(answer.source(), 78);
        destroy_instance();
    }
}

TEST_F(DataSource, WhoAsksForNoStateIsNotGivenOne) {
    begin_program();
    const XrHandTrackerEXT tracker = tracker_of(0, both());
    HandAnswer answer;
    EXPECT_EQ(locate(tracker, stage_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_TRUE(is_whole(answer));
}

TEST_F(DataSource, OnlyControllersAskedForAGloveGivesNoData) {
    begin_program();
    wears_glove_ = {true, true};
    const XrHandTrackerEXT of_gloves = tracker_of(0, {kUnobstructed});
    const XrHandTrackerEXT of_controllers = tracker_of(0, {kController});
    ASSERT_TRUE(shows_from(of_gloves, kUnobstructed));
    for (int i = 0; i < 30; ++i) {
        pass_frame();
        FingersAnswer answer;
        ask(of_controllers, answer);
        EXPECT_FALSE(answer.hand.active());
        EXPECT_EQ(answer.state.isActive, XrBool32{XR_FALSE});
        EXPECT_EQ(answer.source(), kController);
    }
    // With a controller in the hand it is that one's, though the glove makes a fist beside it.
    hold(0, kTouch);
    ASSERT_TRUE(shows_from(of_controllers, kController));
    FingersAnswer answer;
    ask(of_controllers, answer);
    EXPECT_GT(reach(answer.hand, XR_HAND_JOINT_INDEX_TIP_EXT), 0.15);
    EXPECT_TRUE(shows_from(of_gloves, kUnobstructed));
}

TEST_F(DataSource, ControllersThatAreSwitchedOffGiveNoHandEvenToWhoAsksForThem) {
    write_config(std::string(kBeforeTheHead) + "[fallback]\ncontroller_fingers = \"off\"\n");
    begin_program();
    hold(0, kTouch);
    const XrHandTrackerEXT tracker = tracker_of(0, {kController});
    pass_frames(30);
    FingersAnswer answer;
    ask(tracker, answer);
    EXPECT_FALSE(answer.hand.active());
    EXPECT_EQ(answer.state.isActive, XrBool32{XR_FALSE});
}

TEST_F(DataSource, OnlyUnobstructedAskedForNoFingersComeFromControllers) {
    write_config(std::string(kBeforeTheHead) + "[fallback]\ncontroller_fingers = \"always\"\n");
    begin_program();
    hold(0, kTouch);
    const XrHandTrackerEXT of_controllers = tracker_of(0, {kController});
    const XrHandTrackerEXT of_gloves = tracker_of(0, {kUnobstructed});
    ASSERT_TRUE(shows_from(of_controllers, kController));
    for (int i = 0; i < 30; ++i) {
        pass_frame();
        FingersAnswer answer;
        ask(of_gloves, answer);
        EXPECT_FALSE(answer.hand.active());
        EXPECT_EQ(answer.state.isActive, XrBool32{XR_FALSE});
        EXPECT_EQ(answer.source(), kUnobstructed);
    }
}

TEST_F(DataSource, EachHandHasASourceOfItsOwn) {
    write_config(kOnControllers);
    begin_program();
    hold(0, kTouch);
    hold(1, kTouch);
    wears_glove_ = {true, false};
    const std::array trackers{tracker_of(0, both()), tracker_of(1, both())};
    EXPECT_TRUE(shows_from(trackers[0], kUnobstructed));
    EXPECT_TRUE(shows_from(trackers[1], kController));
    wears_glove_ = {false, true};
    EXPECT_TRUE(shows_from(trackers[0], kController));
    EXPECT_TRUE(shows_from(trackers[1], kUnobstructed));
}

TEST_F(DataSource, ADeviceIsThereThoughItsHandIsNotShown) {
    write_config(kOnControllers);  // and nobody holds one
    begin_program();
    wears_glove_ = {true, false};
    const XrHandTrackerEXT tracker = tracker_of(0, both());
    EXPECT_TRUE(shows(tracker, [](const FingersAnswer& answer) {
        EXPECT_FALSE(answer.hand.active());
        return answer.state.isActive == XR_TRUE && answer.source() == kUnobstructed;
    }));
    wears_glove_ = {false, false};
    EXPECT_TRUE(shows(tracker, [](const FingersAnswer& answer) { return answer.state.isActive == XR_FALSE; }));
}

TEST_F(DataSource, AHandIsNeverShownFromADeviceThatIsSaidNotToBeThere) {
    begin_program();
    const std::array trackers{tracker_of(0, both()), tracker_of(0, {kController}), tracker_of(0, {kUnobstructed})};
    const std::array<Sources, 3> requested{both(), Sources{kController}, Sources{kUnobstructed}};
    hold(0, kTouch);
    std::array<int, 3> frames_shown{};
    for (int i = 0; i < 300; ++i) {
        // Gloves and controllers come and go out of step, and stay for longer than they have to before they are shown;
        // the focus leaves once.
        wears_glove_[0] = i % 140 < 70;
        runtime().controllers[0].change([i](ControllerScript& controller) { controller.present = i % 100 < 60; });
        hold(1, kTouch);
        runtime().focused = i < 200 || i >= 220;
        pass_frame();
        for (std::size_t t = 0; t < trackers.size(); ++t) {
            FingersAnswer answer;
            ask(trackers[t], answer);
            EXPECT_LE(answer.state.isActive, XrBool32{XR_TRUE});
            EXPECT_TRUE(!answer.hand.active() || answer.state.isActive == XR_TRUE);
            frames_shown[t] += answer.hand.active() ? 1 : 0;
            EXPECT_EQ(std::count(requested[t].begin(), requested[t].end(), answer.source()), 1) << answer.source();
        }
    }
    for (std::size_t t = 0; t < trackers.size(); ++t) {
        EXPECT_GT(frames_shown[t], 0) << t;
    }
}

TEST_F(DataSource, BothMotionRangesAreWhatTheGloveMeasures) {
    begin_program();
    wears_glove_ = {true, false};
    const XrHandTrackerEXT tracker = tracker_of(0, both());
    ASSERT_TRUE(shows_from(tracker, kUnobstructed));
    gloves_[0] = reference_pose(Hand::left, "fist");
    pass_frames(5);
    std::array<FingersAnswer, 3> answers;
    for (std::size_t range = 0; range < answers.size(); ++range) {
        ask(tracker, answers[range], static_cast<std::int32_t>(range));
        ASSERT_TRUE(answers[range].hand.active());
    }
    const auto wrist_joint = [](const FingersAnswer& answer, std::size_t joint) {
        return test_runtime::relative({test_runtime::from_xr(answer.hand.joints[joint].pose)},
                                      {test_runtime::from_xr(answer.hand.joints[XR_HAND_JOINT_WRIST_EXT].pose)})
            .pose;
    };
    for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
        for (const FingersAnswer& answer : answers) {
            const Pose shown = wrist_joint(answer, joint);
            EXPECT_LT(test_runtime::length(shown.position - wrist_joint(answers[0], joint).position), 1e-5) << joint;
            EXPECT_LT(degrees_between(shown.orientation, wrist_joint(answers[0], joint).orientation), 0.1) << joint;
            // What a glove measures: its packets have neither the palm nor the metacarpals of four fingers.
            const bool is_metacarpal =
                joint >= XR_HAND_JOINT_INDEX_METACARPAL_EXT && (joint - XR_HAND_JOINT_INDEX_METACARPAL_EXT) % 5 == 0;
            if (joint != XR_HAND_JOINT_PALM_EXT && !is_metacarpal) {
                const Pose wanted = test_runtime::from_xr(gloves_[0].joint_in_wrist[joint]);
                EXPECT_LT(test_runtime::length(shown.position - wanted.position), 0.001) << joint;
            }
        }
    }
}

TEST_F(DataSource, BothMotionRangesAreGrantedOnControllers) {
    begin_program();
    hold(0, kTouch);
    const XrHandTrackerEXT tracker = tracker_of(0, both());
    ASSERT_TRUE(shows_from(tracker, kController));
    for (const std::int32_t range : {1, 2}) {
        pass_frame();
        FingersAnswer answer;
        ask(tracker, answer, range);
        EXPECT_TRUE(answer.hand.active()) << range;
    }
}

TEST_F(DataSource, AnUnknownMotionRangeIsAnErrorThatWritesNothing) {
    for (const bool native : {false, true}) {
        SCOPED_TRACE(native ? "native" : "no native hands");
        if (native) {
            make_native(true);
        }
        begin_program();
        const XrHandTrackerEXT tracker = tracker_of(0, both());
        for (const std::int32_t range : {0, 3, -1, 0x7FFFFFFF}) {
            const XrHandJointsMotionRangeInfoEXT motion{XR_TYPE_HAND_JOINTS_MOTION_RANGE_INFO_EXT, nullptr,
                                                        static_cast<XrHandJointsMotionRangeEXT>(range)};
            FingersAnswer answer;
            EXPECT_EQ(try_ask(tracker, answer, &motion), XR_ERROR_VALIDATION_FAILURE) << range;
            EXPECT_TRUE(answer.hand.untouched());
            EXPECT_EQ(answer.state.isActive, 77u);
        }
        destroy_instance();
    }
}

TEST_F(DataSource, StructsOfWhatIsNotEnabledAreNotLookedAt) {
    for (const bool native : {false, true}) {
        SCOPED_TRACE(native ? "native" : "no native hands");
        if (native) {
            make_native(true);
        }
        begin_program({});
        wears_glove_ = {true, false};
        XrHandTrackerEXT tracker = XR_NULL_HANDLE;
        ASSERT_EQ(try_tracker(0, {kDataSourceInfoType, nullptr, 0, nullptr}, tracker), XR_SUCCESS);
        ASSERT_TRUE(shows(tracker, [](const FingersAnswer& answer) { return answer.hand.active(); }));
        const XrHandJointsMotionRangeInfoEXT motion{XR_TYPE_HAND_JOINTS_MOTION_RANGE_INFO_EXT, nullptr,
                                                    static_cast<XrHandJointsMotionRangeEXT>(9)};
        FingersAnswer answer;
        EXPECT_EQ(try_ask(tracker, answer, &motion), XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer.hand));
        EXPECT_EQ(answer.state.isActive, 77u);
        EXPECT_EQ(answer.source(), 78);
        destroy_instance();
    }
}

TEST_F(DataSource, WhereTheRuntimeDoesNotSayItsHandIsUnobstructed) {
    make_native(false);
    begin_program();
    const XrHandTrackerEXT tracker = tracker_of(0, both());
    ASSERT_TRUE(shows_from(tracker, kUnobstructed));
    EXPECT_EQ(status_source(0), "native");
    runtime().hands[0].change([](NativeHandScript& hand) { hand.active = false; });
    EXPECT_TRUE(shows(tracker, [](const FingersAnswer& answer) {
        return !answer.hand.active() && answer.state.isActive == XR_FALSE && answer.source() == kUnobstructed;
    }));
    hold(0, kTouch);
    EXPECT_TRUE(shows_from(tracker, kController));
    EXPECT_EQ(status_source(0), "controller");
}

// The runtime was not told what was asked for, so its hand may be one that a camera sees: no hand on a controller.
TEST_F(DataSource, WhereTheRuntimeDoesNotSayItsHandIsNotGivenToWhoAsksForControllersAlone) {
    make_native(false);
    begin_program();
    const XrHandTrackerEXT of_controllers = tracker_of(0, {kController});
    const XrHandTrackerEXT of_hands = tracker_of(0, {kUnobstructed});
    for (const bool wears_glove : {false, true}) {
        wears_glove_[0] = wears_glove;
        ASSERT_TRUE(shows_from(of_hands, kUnobstructed));
        for (int i = 0; i < 30; ++i) {
            pass_frame();
            FingersAnswer answer;
            ask(of_controllers, answer);
            EXPECT_FALSE(answer.hand.active());
            EXPECT_EQ(answer.state.isActive, XrBool32{XR_FALSE});
            EXPECT_EQ(answer.source(), kController);
        }
    }
    hold(0, kTouch);
    EXPECT_TRUE(shows_from(of_controllers, kController));
    EXPECT_EQ(status_source(0), "controller");
    runtime().controllers[0].change([](ControllerScript& controller) { controller.present = false; });
    EXPECT_TRUE(shows(of_controllers, [](const FingersAnswer& answer) {
        return !answer.hand.active() && answer.state.isActive == XR_FALSE;
    }));
    EXPECT_TRUE(shows_from(of_hands, kUnobstructed));
}

TEST_F(DataSource, WhereTheRuntimeSaysItIsToldThatControllersAloneAreAskedFor) {
    make_native(true);
    begin_program();
    runtime().hands[0].change([](NativeHandScript& hand) { hand.data_source = kController; });
    EXPECT_TRUE(shows_from(tracker_of(0, {kController}), kController));
    EXPECT_EQ(status_source(0), "native");
}

TEST_F(DataSource, WhereTheRuntimeSaysItsWordStandsUntilOneOfOursIsShown) {
    make_native(true);
    begin_program();
    runtime().hands[0].change([](NativeHandScript& hand) { hand.data_source = kController; });
    const XrHandTrackerEXT tracker = tracker_of(0, both());
    ASSERT_TRUE(shows_from(tracker, kController));
    EXPECT_EQ(status_source(0), "native");
    // The runtime's device is there and its hand is not.
    runtime().hands[0].change([](NativeHandScript& hand) { hand.active = false; });
    EXPECT_TRUE(shows(tracker, [](const FingersAnswer& answer) {
        return !answer.hand.active() && answer.state.isActive == XR_TRUE && answer.source() == kController;
    }));
    runtime().hands[0].change([](NativeHandScript& hand) { hand.has_device = XR_FALSE; });
    EXPECT_TRUE(shows(tracker, [](const FingersAnswer& answer) {
        return !answer.hand.active() && answer.state.isActive == XR_FALSE && answer.source() == kController;
    }));
    wears_glove_ = {true, false};
    EXPECT_TRUE(shows_from(tracker, kUnobstructed));
    EXPECT_EQ(status_source(0), "fsnh");
}

// The runtime's hand then stands in, and does not say where it comes from: that answer is ours.
TEST_F(DataSource, AStateIsWrittenEvenWhenTheWristIsLostAndTheRuntimesHandStandsIn) {
    make_native(false);
    begin_program();
    wears_glove_ = {true, false};
    const XrHandTrackerEXT tracker = tracker_of(0, both());
    ASSERT_TRUE(shows(tracker, [this](const FingersAnswer&) { return status_source(0) == "fsnh"; }));
    runtime().fail("xrLocateSpace", XR_ERROR_RUNTIME_FAILURE);
    FingersAnswer answer;
    pass_frame();
    ask(tracker, answer);
    EXPECT_TRUE(answer.hand.active());
    EXPECT_EQ(answer.state.isActive, XrBool32{XR_TRUE});
    EXPECT_EQ(answer.source(), kUnobstructed);
    EXPECT_EQ(status_source(0), "native");
}

TEST_F(DataSource, NamesAreListedOnceAndGoDownOnlyWhereTheRuntimeHasThem) {
    for (const bool native : {false, true}) {
        for (const bool runtime_has : {false, true}) {
            SCOPED_TRACE(::testing::Message() << "native " << native << ", listed below " << runtime_has);
            runtime().native_hands = native ? NativeHands::supported : NativeHands::absent;
            runtime().extra_extensions =
                runtime_has ? std::vector<std::string>{kDataSource, kMotionRange} : std::vector<std::string>{};
            std::uint32_t count = 0;
            ASSERT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr), XR_SUCCESS);
            std::vector<XrExtensionProperties> listed(count, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
            ASSERT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, count, &count, listed.data()), XR_SUCCESS);
            make_instance(
                {XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME, kDataSource, kMotionRange});
            const std::vector<std::string> below = runtime().enabled_extensions.get();
            for (const std::string_view name : {kDataSource, kMotionRange}) {
                EXPECT_EQ(std::count_if(listed.begin(), listed.end(),
                                        [&](const XrExtensionProperties& p) { return p.extensionName == name; }),
                          1)
                    << name;
                EXPECT_EQ(std::count(below.begin(), below.end(), name), native && runtime_has ? 1 : 0) << name;
            }
            destroy_instance();
        }
    }
}

// Hands that a program never asked about by source: on a runtime without hands controllers may stand in.
TEST_F(DataSource, WhoNamesNoSourcesIsGivenControllersOnlyWhereTheRuntimeTracksNoHands) {
    for (const bool native : {false, true}) {
        SCOPED_TRACE(native ? "native" : "no native hands");
        if (native) {
            make_native(false);
            runtime().hands[0].change([](NativeHandScript& hand) { hand.active = false; });
        }
        begin_program();
        hold(0, kTouch);
        const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
        bool active = false;
        for (int i = 0; i < 50; ++i) {
            pass_frame();
            HandAnswer answer;
            ASSERT_EQ(locate(tracker, stage_, runtime().now(), answer), XR_SUCCESS);
            active = active || answer.active();
        }
        EXPECT_EQ(active, !native);
        destroy_instance();
    }
}

TEST_F(DataSource, TheStatusTellsWhoseHandIsShown) {
    begin_program();
    const XrHandTrackerEXT tracker = tracker_of(0, both());
    pass_frame();
    EXPECT_EQ(status_source(0), "none");
    hold(0, kTouch);
    ASSERT_TRUE(shows_from(tracker, kController));
    EXPECT_EQ(status_source(0), "controller");
    EXPECT_EQ(status_source(1), "none");
    wears_glove_ = {true, false};
    ASSERT_TRUE(shows_from(tracker, kUnobstructed));
    EXPECT_EQ(status_source(0), "fsnh");
}

}  // namespace
}  // namespace glove::test
