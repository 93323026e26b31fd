// SPDX-License-Identifier: Apache-2.0
// What one xrLocateHandJointsEXT of the layer costs the application's thread in allocations and locks: nothing.
// This program's own malloc and pthread_mutex_lock also serve the layer that the loader loads into it.
// Not covered: time (tests/bench), and what a runtime does in the calls we make; this one, of ours, is quiet in them
// only after it is subtracted.
#include <pthread.h>

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>

#include "loader_fixture.hpp"

extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: glibc's own name for it

namespace {
thread_local bool t_armed = false;
thread_local std::uint64_t t_allocations = 0;
thread_local std::uint64_t t_locks = 0;
}  // namespace

extern "C" __attribute__((visibility("default"))) void* malloc(std::size_t size) {
    if (t_armed) {
        ++t_allocations;
    }
    return __libc_malloc(size);
}

extern "C" __attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t* mutex) {
    using Lock = int (*)(pthread_mutex_t*);
    static const auto real = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    if (t_armed) {
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

class LocateCost : public LoaderTest {};

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

TEST_F(LocateCost, ALocateAddsNoAllocationAndNoLockToTheRuntimesOwn) {
    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME,
                   XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME});
    make_session();
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    const XrSpace view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    wear_glove(reference_pose(Hand::left, "fist"), tracker, local);

    // The two calls that a locate makes below, made by us: the difference is the layer's own.
    const auto convert = proc<PFN_xrConvertTimeToTimespecTimeKHR>("xrConvertTimeToTimespecTimeKHR");
    const XrTime time = runtime().now();
    const auto both_below = [&] {
        XrSpaceVelocity velocity{XR_TYPE_SPACE_VELOCITY, nullptr, 0, {}, {}};
        XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, &velocity, 0, {}};
        xrLocateSpace(view, local, time, &location);
        timespec converted{};
        convert(instance(), time, &converted);
    };
    const auto locate_joints = proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
    const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, local, time};
    HandAnswer answer;
    const auto hand = [&] { locate_joints(tracker, &info, &answer.location_part); };
    hand();
    both_below();
    const Cost below = cost_of(both_below);
    const Cost all = cost_of(hand);
    ASSERT_TRUE(answer.active());
    EXPECT_EQ(all.allocations, below.allocations);
    EXPECT_EQ(all.locks, below.locks);
}

}  // namespace
}  // namespace glove::test
