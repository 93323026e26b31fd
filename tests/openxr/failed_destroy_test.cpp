// SPDX-License-Identifier: Apache-2.0
// What the application destroys may stay, when that fails below: then it is as good as before, and can be destroyed
// later. Not covered: hand trackers, and codes other than this one (result_code_test.cpp).
#include "openxr/wrist_fixture.hpp"

namespace glove::test {
namespace {

using test_runtime::attached;

class FailedDestroy : public WristTest {
protected:
    void SetUp() override {
        WristTest::SetUp();
        const std::string placement = "{ position_mm = [10, 20, 30], rotation_deg = [0, 0, 0] }\n";
        write_config("[wrist.offset.\"/interaction_profiles/oculus/touch_controller/grip\"]\nleft = " + placement +
                     "right = " + placement);
    }
    void fail_once(const char* function) const { runtime().fail(function, kFailure, 1); }
    // The controllers move, so a hand that is held or forgotten is elsewhere.
    void expect_hands_on_controllers() {
        for (std::size_t hand = 0; hand < 2; ++hand) {
            runtime().controllers[hand].change(
                [](ControllerScript& controller) { controller.grip.in_stage.position.y += 0.2f; });
        }
        frames(60);
        for (std::size_t hand = 0; hand < 2; ++hand) {
            expect_at(shown_[hand], attached(grip_of(hand, shown_[hand].time), placed_at({10, 20, 30}, {})));
            EXPECT_EQ(shown_[hand].flags, test_runtime::kValidAndTracked);
        }
    }
    void take_controllers() const {
        hold(0, kTouch);
        hold(1, kTouch);
    }

    static constexpr XrResult kFailure = XR_ERROR_RUNTIME_FAILURE;
};

TEST_F(FailedDestroy, ASessionThatStaysKeepsItsHands) {
    begin("grip");
    take_controllers();
    expect_hands_on_controllers();
    for (int i = 0; i < 3; ++i) {
        fail_once("xrDestroySession");
        EXPECT_EQ(xrDestroySession(session()), kFailure);
        expect_hands_on_controllers();
    }
    EXPECT_EQ(runtime().unknown_handles, 0u);
    EXPECT_EQ(xrDestroySession(session()), XR_SUCCESS);
    EXPECT_EQ(runtime().live_spaces, 0u);
    EXPECT_EQ(xrDestroySession(session()), XR_ERROR_HANDLE_INVALID);
}

TEST_F(FailedDestroy, AnActionThatStaysCarriesTheHandNowAndInTheNextSession) {
    begin("grip");
    take_controllers();
    expect_hands_on_controllers();
    const std::size_t spaces = runtime().live_spaces;
    fail_once("xrDestroyAction");
    EXPECT_EQ(xrDestroyAction(action_), kFailure);
    expect_hands_on_controllers();
    EXPECT_EQ(runtime().live_spaces, spaces);

    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    make_session();
    ASSERT_EQ(attach({set_}), XR_SUCCESS);
    stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    trackers_ = {make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
    expect_hands_on_controllers();
    EXPECT_EQ(runtime().unknown_handles, 0u);
    EXPECT_EQ(xrDestroyAction(action_), XR_SUCCESS);
    frames(60);
    EXPECT_EQ(shown_[0].flags & XR_SPACE_LOCATION_POSITION_TRACKED_BIT, 0u) << "the head is left";
    EXPECT_EQ(runtime().unknown_handles, 0u);
    EXPECT_EQ(xrDestroyAction(action_), XR_ERROR_HANDLE_INVALID);
}

TEST_F(FailedDestroy, AnActionSetThatStaysKeepsItsActions) {
    begin("grip");
    take_controllers();
    expect_hands_on_controllers();
    fail_once("xrDestroyActionSet");
    EXPECT_EQ(xrDestroyActionSet(set_), kFailure);
    expect_hands_on_controllers();
    EXPECT_EQ(xrDestroyAction(action_), XR_SUCCESS);
    EXPECT_EQ(runtime().unknown_handles, 0u);
    EXPECT_EQ(xrDestroyActionSet(set_), XR_SUCCESS);
    EXPECT_EQ(xrDestroyActionSet(set_), XR_ERROR_HANDLE_INVALID);
    EXPECT_EQ(xrDestroyAction(action_), XR_ERROR_HANDLE_INVALID);
}

// A hand that hangs before the head needs to know which way is up in the space.
TEST_F(FailedDestroy, ASpaceThatStaysStillHasItsUp) {
    runtime().head.change([](auto& head) { head.in_stage.orientation = {-0.6f, 0, 0, 0.8f}; });
    begin("");
    frames(60);
    const Shown before = shown_[0];
    ASSERT_TRUE(before.active);
    fail_once("xrDestroySpace");
    EXPECT_EQ(xrDestroySpace(stage_), kFailure);
    fail_once("xrDestroySession");
    EXPECT_EQ(xrDestroySession(session()), kFailure);
    frames(10);
    expect_at(shown_[0], before.wrist);
    EXPECT_EQ(runtime().unknown_handles, 0u);
    EXPECT_EQ(xrDestroySpace(stage_), XR_SUCCESS);
    EXPECT_EQ(xrDestroySpace(stage_), XR_ERROR_HANDLE_INVALID);
}

}  // namespace
}  // namespace glove::test
