// SPDX-License-Identifier: Apache-2.0
#include "openxr/stream_fixture.hpp"

#include <cmath>

namespace glove::test {
namespace {

Row minus(const XrVector3f& a, const XrVector3f& b) {
    return {double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z};
}

// Of a rotation matrix by its largest part, so that it is good for any rotation.
XrQuaternionf quaternion(const Matrix& r) {
    const double trace = r[0][0] + r[1][1] + r[2][2];
    std::array<double, 4> q{1 + 2 * r[0][0] - trace, 1 + 2 * r[1][1] - trace, 1 + 2 * r[2][2] - trace, 1 + trace};
    std::size_t most = 0;
    for (std::size_t i = 1; i < q.size(); ++i) {
        most = q[i] > q[most] ? i : most;
    }
    if (most == 3) {
        q = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], q[3]};
    } else {
        const std::size_t i = most;
        const std::size_t j = (i + 1) % 3;
        const std::size_t k = (i + 2) % 3;
        const double own = q[i];
        q[i] = own;
        q[j] = r[i][j] + r[j][i];
        q[k] = r[i][k] + r[k][i];
        q[3] = r[k][j] - r[j][k];
    }
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return {static_cast<float>(q[0] / norm), static_cast<float>(q[1] / norm), static_cast<float>(q[2] / norm),
            static_cast<float>(q[3] / norm)};
}

}  // namespace

void StreamTest::begin(const std::string& toml) {
    write_config(R"(
        [wrist]
        source = "fixed"
        [wrist.fixed]
        space = "stage"
        left = { position_mm = [-180, 1100, -350], rotation_deg = [20, -30, 10] }
        right = { position_mm = [180, 1150, -300], rotation_deg = [-15, 40, 5] }
    )" + toml);
    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME,
                   XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME});
    make_session();
    get_status_ = proc<PFN_xrGetGloveHandStatusNOVENDOR>("xrGetGloveHandStatusNOVENDOR");
    stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
    trackers_ = {make_tracker(XR_HAND_LEFT_EXT), make_tracker(XR_HAND_RIGHT_EXT)};
}

XrGloveHandStatusNOVENDOR StreamTest::status(Hand hand) const {
    XrGloveHandStatusNOVENDOR status{};
    status.size = sizeof status;
    EXPECT_EQ(get_status_(instance(), hand == Hand::left ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT, &status), XR_SUCCESS);
    return status;
}

bool StreamTest::has_samples(Hand hand, std::uint64_t count) const {
    return wait_for([&] { return status(hand).samples >= count; });
}

StreamTest::Located StreamTest::located(Hand hand) const {
    HandAnswer answer;
    EXPECT_EQ(locate(trackers_[index_of(hand)], stage_, runtime().now(), answer), XR_SUCCESS);
    EXPECT_TRUE(is_whole(answer));
    Located out{answer.active(), {}, {}};
    const XrPosef& wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT].pose;
    const Matrix to_wrist = transposed(matrix_of(wrist.orientation));
    for (std::size_t i = 0; i < out.joint_in_wrist.size(); ++i) {
        const XrPosef& joint = answer.joints[i].pose;
        const Row at = to_wrist * minus(joint.position, wrist.position);
        out.joint_in_wrist[i] = {quaternion(to_wrist * matrix_of(joint.orientation)),
                                 {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])}};
        out.flags[i] = answer.joints[i].locationFlags;
    }
    return out;
}

}  // namespace glove::test
