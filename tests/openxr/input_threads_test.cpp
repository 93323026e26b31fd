// SPDX-License-Identifier: Apache-2.0
// Calls that OpenXR lets an application make from several threads at once, where this layer adds to them. The runtime
// keeps a thread in the middle of a call, so the order is no chance. Not covered: calls whose handles an application
// has to keep apart itself.
#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "openxr/wrist_fixture.hpp"

namespace glove::test {
namespace {

class InputThreads : public WristTest {
protected:
    // Two threads at once in this call of the runtime's, then on.
    template <class First, class Second>
    void meet_in(const char* function, First first, Second second) {
        runtime().hold(function);
        std::thread one(first), other(second);
        EXPECT_TRUE(wait_for([&] { return runtime().held == 2; }));
        runtime().let_go();
        one.join();
        other.join();
    }
};

TEST_F(InputThreads, TwoThatSuggestBindingsAtOnceGetOneSetOfOurs) {
    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
    set_ = make_set("play");
    const XrAction trigger = make_action(set_, "trigger", XR_ACTION_TYPE_BOOLEAN_INPUT, {"left", "right"});
    XrResult of_touch = XR_ERROR_RUNTIME_FAILURE, of_simple = XR_ERROR_RUNTIME_FAILURE;
    meet_in(
        "xrCreateActionSet",
        [&] {
            of_touch = suggest(kTouch, {{trigger, "left/input/trigger/touch"}});
        },
        [&] {
            of_simple = suggest(kSimple, {{trigger, "left/input/select/click"}});
        });
    EXPECT_EQ(of_touch, XR_SUCCESS);
    EXPECT_EQ(of_simple, XR_SUCCESS);
    EXPECT_EQ(runtime().live_action_sets, 2u);  // the program's, and one of ours
    EXPECT_EQ(log_text().find("refuses an action set"), std::string::npos);

    // Neither's bindings are lost.
    make_session();
    ASSERT_EQ(attach({set_}), XR_SUCCESS);
    stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    trackers_ = {make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
    for (const char* const profile : {kTouch, kSimple}) {
        SCOPED_TRACE(profile);
        hold(0, profile);
        EXPECT_TRUE(wait_for([&] {
            frame();
            const std::string wanted = std::string("the left hand can follow /interaction_profiles/") + profile;
            return shown_[0].active && log_text().find(wanted) != std::string::npos;
        }));
    }
}

TEST_F(InputThreads, TwoThatMakeTheFirstTrackersOfTheHandsDoNotWaitForEachOther) {
    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
    make_session();
    meet_in(
        "xrCreateReferenceSpace", [&] { trackers_[0] = make_tracker(XR_HAND_LEFT_EXT); },
        [&] { trackers_[1] = make_tracker(XR_HAND_RIGHT_EXT); });
    EXPECT_NE(trackers_[0], trackers_[1]);
}

TEST_F(InputThreads, TwoThatMakeTheFirstTrackersOfOneHandLeaveOneSpace) {
    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
    make_session();
    const auto make = [&] { (void)make_tracker(XR_HAND_LEFT_EXT); };
    meet_in("xrCreateReferenceSpace", make, make);
    EXPECT_EQ(runtime().live_spaces, 1u);
}

TEST_F(InputThreads, OfTwoThatPollAtOnceTheYoungerStateOfTheSessionHolds) {
    write_config("[wrist]\nsource = \"head\"\n");
    begin("grip", {kTouch});
    ASSERT_TRUE(wait_for([&] {
        frame();
        return shown_[0].active;
    }));
    // One gets "visible" and is slow to note it; another gets "focused".
    runtime().hold_answer("xrPollEvent");
    runtime().focused = false;
    std::thread slow([&] { (void)poll_events(); });
    EXPECT_TRUE(wait_for([&] { return runtime().held == 1; }));
    runtime().focused = true;
    EXPECT_FALSE(poll_events().empty());
    runtime().let_go();
    slow.join();
    frame();
    EXPECT_TRUE(shown_[0].active);

    // And alone: what comes is what is.
    runtime().focused = false;
    frame();
    EXPECT_FALSE(shown_[0].active);
}

// xrDestroyAction beside xrSyncActions is the application's right; that this layer asks about the action after a sync,
// the application does not know.
TEST_F(InputThreads, AnActionThatIsAskedAboutIsDestroyedAfterTheAnswer) {
    for (const bool with_its_set : {false, true}) {
        SCOPED_TRACE(with_its_set);
        begin("grip", {kTouch});
        hold(0, kTouch);
        ASSERT_TRUE(wait_for([&] {
            frame();
            return shown_[0].active;
        }));
        const char* const destroys = with_its_set ? "xrDestroyActionSet" : "xrDestroyAction";
        const std::uint64_t before = runtime().calls(destroys);
        runtime().hold("xrGetActionStatePose");
        std::thread syncs([&] { EXPECT_TRUE(XR_SUCCEEDED(sync({set_}))); });
        EXPECT_TRUE(wait_for([&] { return runtime().held == 1; }));
        std::thread ends(
            [&] { EXPECT_EQ(with_its_set ? xrDestroyActionSet(set_) : xrDestroyAction(action_), XR_SUCCESS); });
        // Time for the mistake: without the wait the call is below in microseconds.
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        EXPECT_EQ(runtime().calls(destroys), before);
        runtime().let_go();
        syncs.join();
        ends.join();
        EXPECT_EQ(runtime().calls(destroys), before + 1);
        EXPECT_EQ(runtime().unknown_handles, 0u);
        destroy_instance();
    }
}

// Under ThreadSanitizer this says whether our additions get along with each other.
TEST_F(InputThreads, EveryCallThatMayComeAtOnceDoes) {
    write_config("[wrist]\nsource = \"controller\"\n");
    begin("trigger", {kTouch});
    hold(0, kTouch);
    ASSERT_TRUE(wait_for([&] {
        frame();
        return shown_[0].active;
    }));
    std::atomic<bool> stop{false};
    std::vector<std::thread> crew;
    std::array<std::atomic<std::uint64_t>, 6> rounds{};
    const auto add = [&](std::size_t number, auto work) {
        crew.emplace_back([&, number, work] {
            while (!stop) {
                work(rounds[number]++);
            }
        });
    };
    for (const std::size_t number : {0u, 1u}) {
        add(number, [&, number](std::uint64_t round) {
            const std::string name = "of_" + std::to_string(number) + "_" + std::to_string(round);
            const XrActionSet set = make_set(name);
            const XrAction pose = make_action(set, name + "_pose", XR_ACTION_TYPE_POSE_INPUT, {"left", "right"});
            const XrAction trigger = make_action(set, name + "_trigger", XR_ACTION_TYPE_BOOLEAN_INPUT);
            EXPECT_EQ(suggest(number == 0 ? kIndex : kSimple, {{pose, "left/input/grip/pose"}}), XR_SUCCESS);
            EXPECT_EQ(xrDestroyAction(trigger), XR_SUCCESS);
            EXPECT_EQ(xrDestroyActionSet(set), XR_SUCCESS);
        });
    }
    for (const std::size_t number : {2u, 3u}) {
        add(number, [&](std::uint64_t) { EXPECT_TRUE(XR_SUCCEEDED(sync({set_}))); });
    }
    add(4, [&](std::uint64_t) {
        (void)poll_events();
        EXPECT_EQ(xrDestroySpace(make_space(XR_REFERENCE_SPACE_TYPE_LOCAL)), XR_SUCCESS);
    });
    add(5, [&](std::uint64_t) {
        HandAnswer answer;
        EXPECT_EQ(locate(trackers_[0], stage_, runtime().now(), answer), XR_SUCCESS);
        const XrHandTrackerEXT tracker = make_tracker(XR_HAND_RIGHT_EXT);
        EXPECT_EQ(proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(tracker), XR_SUCCESS);
    });
    EXPECT_TRUE(wait_for(
        [&] { return std::all_of(rounds.begin(), rounds.end(), [](const auto& count) { return count > 30; }); },
        std::chrono::seconds(60)));
    stop = true;
    for (std::thread& thread : crew) {
        thread.join();
    }
    EXPECT_TRUE(wait_for([&] {
        frame();
        return shown_[0].active;
    }));
    EXPECT_EQ(runtime().unknown_handles, 0u);
}

}  // namespace
}  // namespace glove::test
