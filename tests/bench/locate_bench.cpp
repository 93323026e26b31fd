// SPDX-License-Identifier: Apache-2.0
// xrLocateHandJointsEXT through loader, layer and test runtime, with the calls the layer makes below beside it: the
// difference is the layer's own share.
#include <benchmark/benchmark.h>

#include "openxr/loader_fixture.hpp"

namespace glove::test {
namespace {

// As applications ask: for when the frame will be seen, so past the newest sample. In between two samples, which is in
// the past, 26 joints are turned part of the way, for 2 to 3 microseconds more.
constexpr XrTime kAheadNs = 20'000'000;

class Application final : public LoaderTest {
public:
    Application() {
        SetUp();
        write_config("[age]\ntracked_ms = 10000\nvalid_ms = 60000\n");
        make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME,
                       XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME});
        make_session();
        base = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
        tracker = make_tracker(XR_HAND_LEFT_EXT);
        wear_glove(reference_pose(Hand::left, "fist"), tracker, base);
        locate_joints = proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
        convert = proc<PFN_xrConvertTimeToTimespecTimeKHR>("xrConvertTimeToTimespecTimeKHR");
        time = runtime().now() + kAheadNs;
    }
    ~Application() override { TearDown(); }
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    void TestBody() override {}
    using LoaderTest::instance;

    XrSpace base;
    XrSpace view;
    XrHandTrackerEXT tracker;
    XrTime time;
    PFN_xrLocateHandJointsEXT locate_joints;
    PFN_xrConvertTimeToTimespecTimeKHR convert;
};

Application& application() {
    static Application one;
    return one;
}

// What the layer asks of the runtime for one hand.
void calls_below(benchmark::State& state) {
    Application& app = application();
    const bool with_velocities = state.range(0) != 0;
    for (auto _ : state) {
        XrSpaceVelocity velocity{XR_TYPE_SPACE_VELOCITY, nullptr, 0, {}, {}};
        XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, with_velocities ? &velocity : nullptr, 0, {}};
        timespec converted{};
        benchmark::DoNotOptimize(xrLocateSpace(app.view, app.base, app.time, &location));
        benchmark::DoNotOptimize(app.convert(app.instance(), app.time, &converted));
        benchmark::DoNotOptimize(location);
    }
}
BENCHMARK(calls_below)->ArgName("velocities")->Arg(0)->Arg(1);

void locate_hand_joints(benchmark::State& state) {
    Application& app = application();
    const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, app.base, app.time};
    HandAnswer answer;
    if (state.range(0) == 0) {
        answer.location_part.next = nullptr;
    }
    for (auto _ : state) {
        if (app.locate_joints(app.tracker, &info, &answer.location_part) != XR_SUCCESS || !answer.active()) {
            state.SkipWithError("the hand is not active");
            break;
        }
        benchmark::DoNotOptimize(answer.joints);
    }
}
BENCHMARK(locate_hand_joints)->ArgName("velocities")->Arg(0)->Arg(1);

}  // namespace
}  // namespace glove::test
