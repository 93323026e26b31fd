// SPDX-License-Identifier: Apache-2.0
// Measured hands, sent as FSNH by a test-side encoder, through the real loader and the layer back into joints:
// against the measured joints and against what OpenXR's conformance suite checks ("XR_EXT_hand_tracking-interactive").
// Not covered: motion (still hands only), and hands that are not tracked.
#include <cmath>

#include "hand/pose_math.hpp"
#include "loader_fixture.hpp"

namespace glove::test {
namespace {

using glove::operator*;  // not the one of test matrices

constexpr float kMm = 1e-3f;
constexpr float kSourcedPositionM = 0.1f * kMm;
constexpr float kSourcedAngle = 0.1f * static_cast<float>(kRadiansPerDegree);
constexpr float kSynthesisedPositionM = 12 * kMm;

bool is_synthesised(std::size_t joint) {
    return joint == XR_HAND_JOINT_PALM_EXT || joint == XR_HAND_JOINT_INDEX_METACARPAL_EXT ||
           joint == XR_HAND_JOINT_MIDDLE_METACARPAL_EXT || joint == XR_HAND_JOINT_RING_METACARPAL_EXT ||
           joint == XR_HAND_JOINT_LITTLE_METACARPAL_EXT;
}

XrVector3f z_axis(const XrPosef& pose) {
    return rotate(pose.orientation, {0, 0, 1});
}
XrVector3f y_axis(const XrPosef& pose) {
    return rotate(pose.orientation, {0, 1, 0});
}

void expect_conformance_conditions(const HandAnswer& answer) {
    const XrPosef& palm = answer.joints[XR_HAND_JOINT_PALM_EXT].pose;
    const XrPosef& wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT].pose;
    const XrPosef& metacarpal = answer.joints[XR_HAND_JOINT_MIDDLE_METACARPAL_EXT].pose;
    const XrPosef& proximal = answer.joints[XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT].pose;
    const XrVector3f middle = 0.5f * (metacarpal.position + proximal.position);
    EXPECT_NEAR(palm.position.x, middle.x, 0.01f * std::abs(middle.x));
    EXPECT_NEAR(palm.position.y, middle.y, 0.01f * std::abs(middle.y));
    EXPECT_NEAR(palm.position.z, middle.z, 0.01f * std::abs(middle.z));
    EXPECT_GE(dot(z_axis(palm), z_axis(metacarpal)), 0.99f);
    EXPECT_GE(dot(y_axis(palm), y_axis(metacarpal)), 0.9f);
    const XrVector3f toward_arm = wrist.position - metacarpal.position;
    EXPECT_GE(dot(z_axis(wrist), toward_arm) / length(toward_arm), 0.9f);
    for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
        EXPECT_GT(answer.joints[joint].radius, 0.0f);
        EXPECT_EQ(answer.joints[joint].locationFlags & 0x3u, 0x3u);
    }
}

class ReferencePoses : public LoaderTest {};

TEST_F(ReferencePoses, ComeBackThroughLoaderAndLayerInEverySpace) {
    // The wrist stands at a known pose in STAGE, so the joints' own places in the wrist frame can be compared.
    write_config(R"(
        [wrist]
        source = "fixed"
        [wrist.fixed]
        space = "stage"
        left = { position_mm = [-180, 1100, -350], rotation_deg = [20, -30, 10] }
        right = { position_mm = [180, 1150, -300], rotation_deg = [-15, 40, 5] }
    )");
    HeadScript head = runtime().head.get();
    head.in_stage = {from_euler_degrees(10, 35, -5), {0.3f, 1.55f, -0.2f}};
    runtime().head = head;
    runtime().local_in_stage = XrPosef{from_euler_degrees(0, 70, 0), {0.5f, 1.6f, 0.4f}};

    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
    make_session();
    const XrSpace stage = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    const std::array spaces{make_space(XR_REFERENCE_SPACE_TYPE_LOCAL), make_space(XR_REFERENCE_SPACE_TYPE_VIEW), stage};
    const std::array trackers{make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};

    const std::vector<ReferencePose> poses = reference_poses();
    ASSERT_EQ(poses.size(), 22u);
    for (const ReferencePose& pose : poses) {
        SCOPED_TRACE(pose.name);
        const XrHandTrackerEXT tracker = trackers[index_of(pose.hand)];
        wear_glove(pose, tracker, stage);
        const auto arrived = [&] {
            HandAnswer answer;
            const XrResult result = locate(tracker, stage, runtime().now(), answer);
            if (result != XR_SUCCESS || !answer.active()) {
                return false;
            }
            const XrPosef wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT].pose;
            const XrPosef tip = compose(inverse(wrist), answer.joints[XR_HAND_JOINT_INDEX_TIP_EXT].pose);
            return length(tip.position - pose.joint_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT].position) < kSourcedPositionM;
        };
        ASSERT_TRUE(wait_for(arrived));

        for (const XrSpace space : spaces) {
            HandAnswer answer;
            ASSERT_EQ(locate(tracker, space, runtime().now(), answer), XR_SUCCESS);
            ASSERT_TRUE(answer.active());
            EXPECT_TRUE(is_whole(answer));
            expect_conformance_conditions(answer);

            const XrPosef base_in_wrist = inverse(answer.joints[XR_HAND_JOINT_WRIST_EXT].pose);
            for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
                const XrPosef actual = compose(base_in_wrist, answer.joints[joint].pose);
                const XrPosef& expected = pose.joint_in_wrist[joint];
                const float off = length(actual.position - expected.position);
                if (joint == XR_HAND_JOINT_PALM_EXT) {
                    // Not in the data; the conformance conditions above say where it is.
                } else if (is_synthesised(joint)) {
                    EXPECT_LT(off, kSynthesisedPositionM) << joint;
                } else {
                    EXPECT_LT(off, kSourcedPositionM) << joint;
                    EXPECT_LT(angle_between(actual.orientation, expected.orientation), kSourcedAngle) << joint;
                }
            }
        }
        // And the wrist itself is where the configuration puts it.
        HandAnswer answer;
        ASSERT_EQ(locate(tracker, stage, runtime().now(), answer), XR_SUCCESS);
        const XrPosef& wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT].pose;
        const XrVector3f expected =
            pose.hand == Hand::left ? XrVector3f{-0.18f, 1.1f, -0.35f} : XrVector3f{0.18f, 1.15f, -0.3f};
        EXPECT_LT(length(wrist.position - expected), kSourcedPositionM);
    }
}

}  // namespace
}  // namespace glove::test
