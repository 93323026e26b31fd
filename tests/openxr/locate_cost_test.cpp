// SPDX-License-Identifier: Apache-2.0
// What xrLocateHandJointsEXT of the layer costs the application's thread in allocations and locks, whatever the hand
// follows: nothing. This program's own malloc and pthread_mutex_lock also serve the layer that the loader loads into
// it. Not covered: time (tests/bench), and what a runtime does in the calls we make.
#include <execinfo.h>
#include <pthread.h>

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "openxr/wrist_fixture.hpp"
#include "support/calibration_file.hpp"
#include "support/wrist_request.hpp"

extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: glibc's own name for it

namespace {
thread_local bool t_armed = false;
thread_local std::uint64_t t_allocations = 0;
thread_local std::uint64_t t_locks = 0;

// What the test runtime does in a call of ours is its own affair.
bool is_runtimes() {
    t_armed = false;
    std::array<void*, 64> frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    bool found = false;
    for (int i = 0; i < count && !found; ++i) {
        Dl_info info{};
        found = dladdr(frames[static_cast<std::size_t>(i)], &info) != 0 && info.dli_fname != nullptr &&
                std::strstr(info.dli_fname, "libglove_test_runtime") != nullptr;
    }
    t_armed = true;
    return found;
}
}  // namespace

extern "C" __attribute__((visibility("default"))) void* malloc(std::size_t size) {
    if (t_armed && !is_runtimes()) {
        ++t_allocations;
    }
    return __libc_malloc(size);
}

extern "C" __attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t* mutex) {
    using Lock = int (*)(pthread_mutex_t*);
    static const auto real = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    if (t_armed && !is_runtimes()) {
        ++t_locks;
    }
    return real(mutex);
}

namespace glove::test {
namespace {

struct Cost {
    std::uint64_t allocations;
    std::uint64_t locks;
};

template <class Call>
Cost cost_of(Call call) {
    t_allocations = 0;
    t_locks = 0;
    t_armed = true;
    call();
    t_armed = false;
    return {t_allocations, t_locks};
}

class LocateCost : public WristTest {
protected:
    void SetUp() override {
        WristTest::SetUp();
        std::array<void*, 4> frames{};
        (void)backtrace(frames.data(), 4);  // its first call allocates
    }
    // Every locate of the left hand is counted, whatever the layer is doing at that moment.
    Shown locate_counted(XrSpace base) {
        const auto call = proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
        const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, base, runtime().now()};
        HandAnswer answer;
        XrResult result = XR_ERROR_RUNTIME_FAILURE;
        const Cost cost = cost_of([&] { result = call(trackers_[0], &info, &answer.location_part); });
        EXPECT_EQ(result, XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer));
        EXPECT_EQ(cost.allocations, 0u);
        EXPECT_EQ(cost.locks, 0u);
        const XrHandJointLocationEXT& wrist = answer.joints[XR_HAND_JOINT_WRIST_EXT];
        return {answer.active(), info.time, Motion{test_runtime::from_xr(wrist.pose)}, wrist.locationFlags};
    }
    Shown frame_counted(XrSpace base) {
        if (wears_glove_) {
            send(gloves_[0]);
        }
        if (set_ != XR_NULL_HANDLE) {
            EXPECT_TRUE(XR_SUCCEEDED(sync({set_})));
        }
        (void)poll_events();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return locate_counted(base);
    }
    Shown frame_counted() { return frame_counted(stage_); }

    static double distance(const Shown& shown, const Vector& place) {
        return length(shown.wrist.pose.position - place);
    }
    // Frames until the hand is there; false when it never comes.
    [[nodiscard]] bool comes_to(const Vector& place) {
        return wait_for([&] {
            const Shown shown = frame_counted();
            return shown.active && distance(shown, place) < 0.001;
        });
    }
    void put_controller(const Vector& place) const {
        hold(0, kTouch);
        runtime().controllers[0].change([&](ControllerScript& controller) {
            controller.grip.in_stage = {{0, 0, 0, 1}, test_runtime::to_xr(place)};
        });
    }
    void take_controller() const {
        runtime().controllers[0].change([](ControllerScript& controller) { controller.present = false; });
    }
    // A wrist that is where the controller is.
    static std::string at_the_grip(const std::string& more) {
        return "[wrist]\nsource = \"auto\"\n" + more +
               "[wrist.offset.\"/interaction_profiles/oculus/touch_controller/grip\"]\nleft = {}\n";
    }

    static constexpr Vector kOnController{-0.3, 1.1, -0.4};
    static constexpr Vector kOfNative{-0.1, 1.3, -0.4};
    bool wears_glove_ = true;
};

TEST_F(LocateCost, TheCountersCountWhatTheLayerWouldDo) {
    const Cost cost = cost_of([] {
        std::free(std::malloc(100));
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    });
    EXPECT_GE(cost.allocations, 1u);
    EXPECT_EQ(cost.locks, 1u);
}

TEST_F(LocateCost, IsNothingBeforeTheHead) {
    begin("");
    EXPECT_TRUE(wait_for([&] { return frame_counted().active; }));
}

TEST_F(LocateCost, IsNothingOnATracker) {
    write_config("[wrist]\nsource = \"tracker\"\n[wrist.tracker]\nleft = \"left_wrist\"\n");
    runtime().vive_tracker_revision = 3;
    begin("trigger");
    MotionScript resting{};
    resting.in_stage = {{0, 0, 0, 1}, test_runtime::to_xr(kOnController)};
    resting.location_flags = test_runtime::kValidAndTracked;
    runtime().trackers = {{"left_wrist", "/devices/htc/vive_tracker.1", resting}};
    EXPECT_TRUE(comes_to(kOnController));
}

TEST_F(LocateCost, IsNothingOnTheRuntimesOwnHand) {
    runtime().native_hands = NativeHands::supported;
    runtime().hands[0].change(
        [](NativeHandScript& hand) { hand.wrist_in_stage.position = test_runtime::to_xr(kOfNative); });
    write_config("[wrist]\nsource = \"native\"\n");
    begin("");
    EXPECT_TRUE(comes_to(kOfNative));
}

TEST_F(LocateCost, IsNothingOnAControllerNorWhereTheHandIsHeldNorOnItsWay) {
    runtime().native_hands = NativeHands::supported;
    runtime().hands[0].change(
        [](NativeHandScript& hand) { hand.wrist_in_stage.position = test_runtime::to_xr(kOfNative); });
    write_config(at_the_grip(""));
    begin("grip");
    put_controller(kOnController);
    ASSERT_TRUE(comes_to(kOfNative));  // it is preferred
    int held = 0;
    int on_the_way = 0;
    // On a busy machine a hold of 200 ms may be over before it is looked at.
    EXPECT_TRUE(wait_for([&] {
        runtime().hands[0].change([](NativeHandScript& hand) { hand.active = false; });
        const Shown lost = frame_counted();
        held += lost.active && lost.flags != test_runtime::kValidAndTracked && distance(lost, kOfNative) < 0.001;
        for (int i = 0; i < 400; ++i) {
            const Shown shown = frame_counted();
            const double from_native = distance(shown, kOfNative);
            const double from_controller = distance(shown, kOnController);
            on_the_way += shown.active && from_native > 0.005 && from_controller > 0.005;
            if (from_controller < 0.001) {
                break;
            }
        }
        runtime().hands[0].change([](NativeHandScript& hand) { hand.active = true; });
        EXPECT_TRUE(comes_to(kOfNative));
        return held > 0 && on_the_way > 3;
    }));
}

TEST_F(LocateCost, IsNothingWhereAHeldHandIsRecentred) {
    write_config(
        "[wrist]\nsource = \"controller\"\n"
        "[wrist.offset.\"/interaction_profiles/oculus/touch_controller/grip\"]\nleft = {}\n");
    begin("grip");
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    float side = 0;
    EXPECT_TRUE(wait_for([&] {
        put_controller(kOnController);
        EXPECT_TRUE(wait_for([&] { return frame_counted(local).flags == test_runtime::kValidAndTracked; }));
        take_controller();
        side += 1;
        runtime().recentrings.change([&](std::vector<Recentring>& all) {
            all.push_back({{{0, 0, 0, 1}, {side, 1.5f, 0}}, runtime().now()});
        });
        const Shown shown = frame_counted(local);
        return shown.active && shown.flags != test_runtime::kValidAndTracked &&
               distance(shown, kOnController - Vector{side, 1.5, 0}) < 0.001;
    }));
}

TEST_F(LocateCost, IsNothingWhileAHandIsFrozen) {
    write_config(
        "[wrist]\nsource = \"controller\"\n"
        "[wrist.offset.\"/interaction_profiles/oculus/touch_controller/grip\"]\nleft = {}\n");
    begin("grip");
    put_controller(kOnController);
    ASSERT_TRUE(comes_to(kOnController));
    const std::filesystem::path file = scratch() / "calibration.toml";
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    CalibrationValues changes;
    changes.texts[kWristRequestKey] = as_text(WristRequest{
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()), true, false});
    ASSERT_EQ(save_calibration(changes, file), "");
    ASSERT_TRUE(wait_for([&] {
        frame_counted();
        const auto answer = wrist_answer_in(load_calibration(file).values);
        return answer && answer->stage == "took";
    }));
    frame_counted();
    put_controller(kOfNative);
    for (int i = 0; i < 20; ++i) {
        EXPECT_LT(distance(frame_counted(), kOnController), 0.001);
    }
}

TEST_F(LocateCost, IsNothingForFingersOnAControllerNorOnTheWayToTheRuntimesHand) {
    runtime().native_hands = NativeHands::supported;
    runtime().hands[0].change([](NativeHandScript& hand) {
        hand.active = false;
        hand.wrist_in_stage.position = test_runtime::to_xr(kOfNative);
    });
    write_config("[fallback]\ncontroller_fingers = \"always\"\n" + at_the_grip(""));
    wears_glove_ = false;
    begin("grip");
    put_controller(kOnController);
    ASSERT_TRUE(comes_to(kOnController));
    runtime().hands[0].change([](NativeHandScript& hand) { hand.active = true; });
    ASSERT_TRUE(comes_to(kOfNative));
    wears_glove_ = true;
    EXPECT_TRUE(wait_for([&] { return frame_counted().flags == test_runtime::kValidAndTracked; }));
}

}  // namespace
}  // namespace glove::test
