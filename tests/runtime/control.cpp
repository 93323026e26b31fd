// SPDX-License-Identifier: Apache-2.0
// How the runtime is when nobody scripts it: a standing user of 1.6 m eye height who looks along -Z and has the focus.
#include "runtime/runtime.hpp"

namespace glove::test_runtime {
namespace {

constexpr XrPosef kEyeHeight{{0, 0, 0, 1}, {0, 1.6f, 0}};
// 11.6 days: far from the steady clock, whatever that counts from.
constexpr std::int64_t kEpochNs = 1'000'000'000'000'000;
constexpr std::int64_t k90HzNs = 11'111'111;

constexpr MotionScript at_rest(const XrPosef& in_stage) {
    return {in_stage, {0, 0, 0}, {0, 0, 0}, 0, kValidAndTracked, kVelocityValid};
}

constexpr XrPosef kIdentity{{0, 0, 0, 1}, {0, 0, 0}};

// Not there. Level before the user once it is.
ControllerScript away(float x) {
    return {false,
            "/interaction_profiles/khr/simple_controller",
            at_rest({{0, 0, 0, 1}, {x, 1.1f, -0.4f}}),
            kIdentity,
            kIdentity,
            {}};
}

// A flat hand, fingers along -Z and the back up, so no joint is turned. `thumb_side` is the sign of x there.
NativeHandScript flat_hand(float thumb_side, const XrPosef& wrist_in_stage) {
    NativeHandScript hand{true, wrist_in_stage, {}, 0.009f, XR_TRUE, 1};
    const auto place = [&hand](int joint, float x, float z) {
        hand.joint_in_wrist[static_cast<std::size_t>(joint)] = {{0, 0, 0, 1}, {x, 0, z}};
    };
    constexpr std::array<float, 4> kThumbZ{-0.02f, -0.06f, -0.09f, -0.115f};
    for (int i = 0; i < 4; ++i) {
        place(XR_HAND_JOINT_THUMB_METACARPAL_EXT + i, thumb_side * 0.04f, kThumbZ[static_cast<std::size_t>(i)]);
    }
    constexpr std::array<float, 5> kFingerZ{-0.03f, -0.09f, -0.13f, -0.155f, -0.175f};
    for (int finger = 0; finger < 4; ++finger) {
        const float x = thumb_side * (0.02f - 0.02f * static_cast<float>(finger));
        for (int i = 0; i < 5; ++i) {
            place(XR_HAND_JOINT_INDEX_METACARPAL_EXT + 5 * finger + i, x, kFingerZ[static_cast<std::size_t>(i)]);
        }
    }
    place(XR_HAND_JOINT_WRIST_EXT, 0, 0);
    place(XR_HAND_JOINT_PALM_EXT, 0, 0.5f * (kFingerZ[0] + kFingerZ[1]));
    return hand;
}

}  // namespace

RuntimeControl::RuntimeControl()
    : lists_time_conversion(true),
      native_hands(NativeHands::absent),
      lists_hand_aim(false),
      extra_extensions({}),
      vive_tracker_revision(0),
      has_stage(true),
      epoch_ns(kEpochNs),
      frame_period_ns(k90HzNs),
      focused(true),
      head(at_rest(kEyeHeight)),
      local_in_stage(kEyeHeight),
      recentrings({}),
      controllers{Scripted(away(-0.25f)), Scripted(away(0.25f))},
      trackers({}),
      hands{Scripted(flat_hand(+1, {{0, 0, 0, 1}, {-0.2f, 1.2f, -0.3f}})),
            Scripted(flat_hand(-1, {{0, 0, 0, 1}, {0.2f, 1.2f, -0.3f}}))},
      index_pinch(0.25f),
      created_hand_trackers({}),
      enabled_extensions({}) {
}

// Never destroyed: a program may leave main() with its instance alive.
RuntimeControl& control() {
    static RuntimeControl& the_control = *new RuntimeControl;
    return the_control;
}

Runtime& runtime() {
    static Runtime& the_runtime = *new Runtime;
    return the_runtime;
}

}  // namespace glove::test_runtime

extern "C" GLOVE_RUNTIME_EXPORT glove::test_runtime::RuntimeControl* glove_test_runtime_control() {
    return &glove::test_runtime::control();
}
