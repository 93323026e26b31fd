// SPDX-License-Identifier: Apache-2.0
// Hands that hang before the head, in whatever space the application asks: what it costs below, and that the calls
// which tell the layer of spaces are the runtime's own. Not covered: the body's arithmetic
// (tests/motion/arm_model_test.cpp).
#include "hand/pose_math.hpp"
#include "openxr/input_fixture.hpp"

namespace glove::test {
namespace {

class HandBeforeTheHead : public InputTest {
protected:
    void begin(XrReferenceSpaceType type = XR_REFERENCE_SPACE_TYPE_LOCAL, const XrPosef& pose = kHere) {
        write_config("[wrist]\nsource = \"view\"\n");
        make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
        make_session();
        base_ = make_space(type, pose);
        tracker_ = make_tracker(XR_HAND_RIGHT_EXT);
        wear_glove(reference_pose(Hand::right, "flat"), tracker_, base_);
    }
    void hold_head(const XrPosef& in_stage) const {
        runtime().head.change([&](HeadScript& head) { head.in_stage = in_stage; });
    }
    [[nodiscard]] XrPosef wrist_in(XrSpace space) const {
        HandAnswer answer;
        EXPECT_EQ(locate(tracker_, space, runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(answer.active());
        EXPECT_TRUE(is_whole(answer));
        return answer.joints[XR_HAND_JOINT_WRIST_EXT].pose;
    }
    static void expect_same(const XrPosef& a, const XrPosef& b) {
        EXPECT_LT(length(a.position - b.position), 2e-5f)
            << a.position.x << ' ' << a.position.y << ' ' << a.position.z << " is not " << b.position.x << ' '
            << b.position.y << ' ' << b.position.z;
        EXPECT_LT(angle_between(a.orientation, b.orientation), 1e-3f);
    }

    // The usual place of the right hand, before a level head, and where its forearm points
    // (tests/motion/arm_model_test).
    static constexpr XrPosef kRest{{0.286932f, 0.079407f, -0.023874f, 0.954356f}, {0.18f, -0.25f, -0.35f}};
    // Looking left and steeply down, the eyes on a neck at (0, 1.525, 0.08), 75 mm above and 80 mm ahead of it.
    const XrPosef level_{from_euler_degrees(0, 30, 0),
                         XrVector3f{0, 1.525f, 0.08f} + rotate(from_euler_degrees(0, 30, 0), {0, 0.075f, -0.08f})};
    const XrQuaternionf nod_ = multiply(from_euler_degrees(0, 30, 0), from_euler_degrees(-70, 0, 0));
    const XrPosef nodding_{nod_, XrVector3f{0, 1.525f, 0.08f} + rotate(nod_, {0, 0.075f, -0.08f})};
    XrSpace base_ = XR_NULL_HANDLE;
    XrHandTrackerEXT tracker_ = XR_NULL_HANDLE;
};

TEST_F(HandBeforeTheHead, StaysWhereItIsInStageWhenTheHeadNods) {
    begin(XR_REFERENCE_SPACE_TYPE_STAGE);
    hold_head(level_);
    expect_same(wrist_in(base_), compose(level_, kRest));
    hold_head(nodding_);
    expect_same(wrist_in(base_), compose(level_, kRest));
}

TEST_F(HandBeforeTheHead, StaysWhereItIsInLocalAndInASpaceThatTheApplicationTilted) {
    const XrPosef local_in_stage{from_euler_degrees(0, 70, 0), {0.5f, 1.6f, 0.4f}};
    const XrPosef base_in_local{from_euler_degrees(40, -20, 110), {1, 2, 3}};
    runtime().local_in_stage = local_in_stage;
    begin(XR_REFERENCE_SPACE_TYPE_LOCAL, base_in_local);
    const XrPosef wrist_in_stage = compose(level_, kRest);
    for (const XrPosef& head : {level_, nodding_}) {
        hold_head(head);
        expect_same(compose(compose(local_in_stage, base_in_local), wrist_in(base_)), wrist_in_stage);
        const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        expect_same(compose(local_in_stage, wrist_in(local)), wrist_in_stage);
    }
}

TEST_F(HandBeforeTheHead, IsRigidToTheHeadWhereNothingSaysWhatIsUp) {
    begin();
    hold_head(nodding_);
    const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    expect_same(wrist_in(view), kRest);

    const XrActionSet set = make_set("play");
    const XrAction grip = make_action(set, "grip", XR_ACTION_TYPE_POSE_INPUT, {"left"});
    ASSERT_EQ(suggest("khr/simple_controller", {{grip, "left/input/grip/pose"}}), XR_SUCCESS);
    ASSERT_EQ(attach({set}), XR_SUCCESS);
    hold(0, "khr/simple_controller");
    const XrPosef grip_in_stage{from_euler_degrees(-30, 50, 80), {-0.3f, 1.2f, -0.4f}};
    runtime().controllers[0].change([&](ControllerScript& controller) { controller.grip.in_stage = grip_in_stage; });
    ASSERT_EQ(sync({set}), XR_SUCCESS);
    const XrSpace controller = make_action_space(grip, "left");
    expect_same(compose(grip_in_stage, wrist_in(controller)), compose(nodding_, kRest));
}

TEST_F(HandBeforeTheHead, CostsOneCallBelowInAnySpace) {
    begin(XR_REFERENCE_SPACE_TYPE_STAGE);
    for (const XrSpace space : {base_, make_space(XR_REFERENCE_SPACE_TYPE_VIEW),
                                make_space(XR_REFERENCE_SPACE_TYPE_LOCAL, {{0.6f, 0, 0, 0.8f}, {0, 1, 0}})}) {
        (void)wrist_in(space);
        const std::uint64_t before = runtime().calls("xrLocateSpace");
        for (int i = 0; i < 100; ++i) {
            (void)wrist_in(space);
        }
        EXPECT_EQ(runtime().calls("xrLocateSpace") - before, 100u);
    }
}

TEST_F(HandBeforeTheHead, LeavesTheMakingAndDestroyingOfSpacesToTheRuntime) {
    begin();
    const auto create = proc<PFN_xrCreateReferenceSpace>("xrCreateReferenceSpace");
    const auto destroy = proc<PFN_xrDestroySpace>("xrDestroySpace");
    const std::size_t spaces = runtime().live_spaces;
    const XrActionSet set = make_set("play");
    const XrAction grip = make_action(set, "grip", XR_ACTION_TYPE_POSE_INPUT, {"left"});
    for (const XrSpace space : {make_space(XR_REFERENCE_SPACE_TYPE_STAGE), make_space(XR_REFERENCE_SPACE_TYPE_VIEW),
                                make_action_space(grip, "left")}) {
        EXPECT_EQ(destroy(space), XR_SUCCESS);
        EXPECT_EQ(runtime().unknown_handles, 0u);
        EXPECT_EQ(destroy(space), XR_ERROR_HANDLE_INVALID);
        EXPECT_EQ(runtime().unknown_handles, 1u) << "not asked";
        runtime().unknown_handles = 0;
    }
    EXPECT_EQ(runtime().live_spaces, spaces);

    XrReferenceSpaceCreateInfo info{XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, XR_REFERENCE_SPACE_TYPE_LOCAL, kHere};
    XrSpace made = XR_NULL_HANDLE;
    for (const XrResult result : {XR_ERROR_LIMIT_REACHED, XR_ERROR_SESSION_LOST, XR_SESSION_LOSS_PENDING}) {
        runtime().fail("xrCreateReferenceSpace", result, 1);
        EXPECT_EQ(create(session(), &info, &made), result);
    }
    info.poseInReferenceSpace.orientation = {0, 0, 0, 0};
    EXPECT_EQ(create(session(), &info, &made), XR_ERROR_POSE_INVALID);
    EXPECT_EQ(create(session(), &info, nullptr), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_EQ(create(session(), nullptr, &made), XR_ERROR_VALIDATION_FAILURE);
    runtime().fail("xrDestroySpace", XR_ERROR_RUNTIME_FAILURE, 1);
    EXPECT_EQ(destroy(base_), XR_ERROR_RUNTIME_FAILURE);
}

}  // namespace
}  // namespace glove::test
