// SPDX-License-Identifier: Apache-2.0
// A program whose hands follow controllers on a real runtime: wrist_print grip|select|nothing
// It binds its own grip pose, or a button alone, or never attaches actions; looks for some seconds; and prints in the
// middle of the room where grips (the first only) and wrists were at last, a line each:
//   left grip 0 0 0 1 0.1 1.2 -0.3        orientation x y z w, position in metres
// Status 1 when a hand never came.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "openxr/action_calls.hpp"
#include "openxr/headless_program.hpp"

namespace glove::test {
namespace {

constexpr std::array kUsers{"/user/hand/left", "/user/hand/right"};
constexpr std::array kNames{"left", "right"};
constexpr std::chrono::seconds kLook{6};  // self_attach waits for three

XrSpace make_room(XrSession session) {
    const XrReferenceSpaceCreateInfo info{
        XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, XR_REFERENCE_SPACE_TYPE_STAGE, {{0, 0, 0, 1}, {0, 0, 0}}};
    XrSpace room = XR_NULL_HANDLE;
    if (XR_FAILED(xrCreateReferenceSpace(session, &info, &room))) {
        throw std::runtime_error("no stage");
    }
    return room;
}

void print(const char* hand, const char* what, const XrPosef& pose) {
    const XrQuaternionf& q = pose.orientation;
    const XrVector3f& p = pose.position;
    std::printf("%s %s %.7f %.7f %.7f %.7f %.6f %.6f %.6f\n", hand, what, double{q.x}, double{q.y}, double{q.z},
                double{q.w}, double{p.x}, double{p.y}, double{p.z});
}

int run(const std::string& bound) {
    ActionCalls calls(false);
    HeadlessProgram program(calls, false, std::chrono::milliseconds(10));
    program.begin_instance({"XR_EXT_hand_tracking", "XR_MND_headless"});
    calls.use(program.instance());
    XrActionSet set = XR_NULL_HANDLE;
    XrAction grip = XR_NULL_HANDLE;
    if (bound != "nothing") {
        set = calls.create_set("play", "Play", 0);
        if (bound == "grip") {
            grip = calls.create_action(set, "grip", XR_ACTION_TYPE_POSE_INPUT, {kUsers[0], kUsers[1]});
            calls.suggest("/interaction_profiles/khr/simple_controller",
                          {{grip, "/user/hand/left/input/grip/pose"}, {grip, "/user/hand/right/input/grip/pose"}});
        } else {
            const XrAction select =
                calls.create_action(set, "select", XR_ACTION_TYPE_BOOLEAN_INPUT, {kUsers[0], kUsers[1]});
            calls.suggest(
                "/interaction_profiles/khr/simple_controller",
                {{select, "/user/hand/left/input/select/click"}, {select, "/user/hand/right/input/select/click"}});
        }
    }
    program.begin_session();
    if (set != XR_NULL_HANDLE && XR_FAILED(calls.attach({set}))) {
        throw std::runtime_error("cannot attach");
    }
    const XrSpace room = make_room(program.session());

    PFN_xrVoidFunction create = nullptr;
    PFN_xrVoidFunction locate = nullptr;
    xrGetInstanceProcAddr(program.instance(), "xrCreateHandTrackerEXT", &create);
    xrGetInstanceProcAddr(program.instance(), "xrLocateHandJointsEXT", &locate);
    std::array<XrHandTrackerEXT, 2> trackers{};
    std::array<XrSpace, 2> grips{};
    for (std::size_t hand = 0; hand < 2; ++hand) {
        const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr,
                                              hand == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT,
                                              XR_HAND_JOINT_SET_DEFAULT_EXT};
        if (XR_FAILED(
                reinterpret_cast<PFN_xrCreateHandTrackerEXT>(create)(program.session(), &info, &trackers[hand]))) {
            throw std::runtime_error("no hand tracker");
        }
        if (grip != XR_NULL_HANDLE) {
            XrActionSpaceCreateInfo space{};
            space.type = XR_TYPE_ACTION_SPACE_CREATE_INFO;
            space.action = grip;
            space.subactionPath = calls.path(kUsers[hand]);
            space.poseInActionSpace.orientation.w = 1;
            if (XR_FAILED(xrCreateActionSpace(program.session(), &space, &grips[hand]))) {
                throw std::runtime_error("no action space");
            }
        }
    }

    std::array<XrPosef, 2> wrists{};
    std::array<XrPosef, 2> controllers{};
    std::array<bool, 2> seen{};
    const auto end = std::chrono::steady_clock::now() + kLook;
    while (std::chrono::steady_clock::now() < end) {
        program.frame();
        if (set != XR_NULL_HANDLE) {
            const XrActiveActionSet active{set, XR_NULL_PATH};
            const XrActionsSyncInfo sync{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 1, &active};
            (void)xrSyncActions(program.session(), &sync);
        }
        for (std::size_t hand = 0; hand < 2; ++hand) {
            std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joints{};
            XrHandJointLocationsEXT answer{XR_TYPE_HAND_JOINT_LOCATIONS_EXT, nullptr, XR_FALSE, XR_HAND_JOINT_COUNT_EXT,
                                           joints.data()};
            const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, room, program.time()};
            seen[hand] =
                XR_SUCCEEDED(reinterpret_cast<PFN_xrLocateHandJointsEXT>(locate)(trackers[hand], &info, &answer)) &&
                answer.isActive == XR_TRUE;
            wrists[hand] = joints[XR_HAND_JOINT_WRIST_EXT].pose;
            XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, nullptr, 0, {}};
            if (grips[hand] != XR_NULL_HANDLE &&
                XR_SUCCEEDED(xrLocateSpace(grips[hand], room, program.time(), &location))) {
                controllers[hand] = location.pose;
            }
        }
    }
    for (std::size_t hand = 0; hand < 2; ++hand) {
        if (grip != XR_NULL_HANDLE) {
            print(kNames[hand], "grip", controllers[hand]);
        }
        if (seen[hand]) {
            print(kNames[hand], "wrist", wrists[hand]);
        }
    }
    program.end_session();
    program.end_instance();
    return seen[0] && seen[1] ? 0 : 1;
}

}  // namespace
}  // namespace glove::test

int main(int argc, char** argv) {
    if (argc != 2 || (std::strcmp(argv[1], "grip") != 0 && std::strcmp(argv[1], "select") != 0 &&
                      std::strcmp(argv[1], "nothing") != 0)) {
        std::fprintf(stderr, "wrist_print grip|select|nothing\n");
        return 2;
    }
    try {
        return glove::test::run(argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wrist_print: %s\n", error.what());
        return 1;
    }
}
