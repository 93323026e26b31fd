// SPDX-License-Identifier: Apache-2.0
// Calls that make or destroy something, while each allocation of the layer fails in turn, alone or with all that come
// after it: the answer is one that the function may give, and what failed leaves nothing behind below. This program's
// own malloc also serves the layer that the loader loads into it; loader, runtime and test are never refused. Not
// covered: the layer's own threads.
#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "openxr/input_fixture.hpp"

// NOLINTBEGIN: glibc's own names
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND

namespace {

// Where the layer's code is.
std::uintptr_t g_layer_begin = 0;
std::uintptr_t g_layer_end = 0;

thread_local bool t_armed = false;
thread_local bool t_all_that_follow = false;
thread_local int t_until_failure = 0;
thread_local int t_failures = 0;

bool is_refused(const void* caller) {
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    if (!t_armed || address < g_layer_begin || address >= g_layer_end) {
        return false;
    }
    const bool refused = --t_until_failure == 0 || (t_all_that_follow && t_until_failure < 0);
    t_failures += refused ? 1 : 0;
    return refused;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* malloc(std::size_t size) {
    return is_refused(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}

extern "C" __attribute__((visibility("default"))) void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return is_refused(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}

namespace glove::test {
namespace {

constexpr const char* kHands = XR_EXT_HAND_TRACKING_EXTENSION_NAME;
constexpr const char* kHeadless = XR_MND_HEADLESS_EXTENSION_NAME;

int note_layer(dl_phdr_info* info, std::size_t, void*) {
    if (std::string_view(info->dlpi_name).find("XrApiLayer_glove_hands") == std::string_view::npos) {
        return 0;
    }
    g_layer_begin = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            g_layer_end = info->dlpi_addr + segment.p_vaddr + segment.p_memsz;
        }
    }
    return 1;
}

class OutOfMemory : public InputTest, public testing::WithParamInterface<bool> {
protected:
    void SetUp() override {
        InputTest::SetUp();
        // Stays where it is between two instances.
        ASSERT_NE(::dlopen(GLOVE_LAYER_LIBRARY, RTLD_NOW | RTLD_LOCAL), nullptr) << ::dlerror();
        ASSERT_NE(::dl_iterate_phdr(&note_layer, nullptr), 0);
        runtime().vive_tracker_revision = 3;
        write_config("[wrist.tracker]\nleft = \"left_wrist\"\n");
    }

    enum class Needs { memory, perhaps_nothing };
    // `call` again and again, until it needs no allocation that is refused. `after` looks at its result and at what is
    // left, and cleans up.
    template <class Before, class Call, class After>
    void with_each_allocation_refused(Before before, Call call, After after, Needs needs = Needs::memory) {
        for (int count = 1; count < 10'000; ++count) {
            SCOPED_TRACE("allocation " + std::to_string(count));
            before();
            t_all_that_follow = GetParam();
            t_until_failure = count;
            t_failures = 0;
            t_armed = true;
            const XrResult result = call();
            t_armed = false;
            after(result);
            if (HasFailure()) {
                return;
            }
            if (t_failures == 0) {
                EXPECT_EQ(result, XR_SUCCESS);
                EXPECT_TRUE(count > 1 || needs == Needs::perhaps_nothing) << "the layer allocated nothing";
                return;
            }
        }
        ADD_FAILURE() << "it never came through";
    }

    void begin() {
        make_instance({kHands, kHeadless});
        make_session();
    }
};

INSTANTIATE_TEST_SUITE_P(Of, OutOfMemory, testing::Bool(),
                         [](const auto& of) { return of.param ? "AllFromOneOn" : "OneAllocation"; });

TEST_P(OutOfMemory, AnInstanceIsWholeOrNotThereBelow) {
    with_each_allocation_refused([] {},
                                 [&] {
                                     return try_instance({kHands, kHeadless});
                                 },
                                 [&](XrResult result) {
                                     if (XR_SUCCEEDED(result)) {
                                         destroy_instance();
                                     } else {
                                         // One that is left behind would make it XR_ERROR_LIMIT_REACHED.
                                         EXPECT_EQ(result, XR_ERROR_OUT_OF_MEMORY);
                                     }
                                 });
}

TEST_P(OutOfMemory, ASessionIsWholeOrNotThereBelow) {
    make_instance({kHands, kHeadless});
    const XrSessionCreateInfo info{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, system()};
    XrSession session = XR_NULL_HANDLE;
    with_each_allocation_refused([] {}, [&] { return xrCreateSession(instance(), &info, &session); },
                                 [&](XrResult result) {
                                     if (XR_SUCCEEDED(result)) {
                                         EXPECT_EQ(xrDestroySession(session), XR_SUCCESS);
                                     } else {
                                         EXPECT_EQ(result, XR_ERROR_OUT_OF_MEMORY);
                                     }
                                     EXPECT_EQ(runtime().live_sessions, 0u);
                                 });
}

TEST_P(OutOfMemory, AHandTrackerIsWholeOrNotThereBelow) {
    for (const NativeHands native : {NativeHands::absent, NativeHands::supported}) {
        runtime().native_hands = native;
        begin();
        const auto create = proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT");
        const auto destroy = proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
        const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, XR_HAND_LEFT_EXT,
                                              XR_HAND_JOINT_SET_DEFAULT_EXT};
        XrHandTrackerEXT tracker = XR_NULL_HANDLE;
        std::vector<XrHandTrackerEXT> trackers;
        for (int i = 0; i < 16; ++i) {  // so many that the books have to grow
            trackers.push_back(make_tracker(XR_HAND_RIGHT_EXT));
        }
        with_each_allocation_refused([] {}, [&] { return create(session(), &info, &tracker); },
                                     [&](XrResult result) {
                                         if (XR_SUCCEEDED(result)) {
                                             trackers.push_back(tracker);
                                         } else {
                                             EXPECT_EQ(result, XR_ERROR_OUT_OF_MEMORY);
                                         }
                                         EXPECT_EQ(runtime().live_hand_trackers,
                                                   native == NativeHands::absent ? 0u : trackers.size());
                                         EXPECT_LE(runtime().live_spaces, 2u);  // one for each hand
                                     });
        for (const XrHandTrackerEXT each : trackers) {
            EXPECT_EQ(destroy(each), XR_SUCCESS);
        }
        destroy_instance();
    }
}

TEST_P(OutOfMemory, AReferenceSpaceIsWholeOrNotThereBelow) {
    begin();
    const XrReferenceSpaceCreateInfo info{XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, XR_REFERENCE_SPACE_TYPE_LOCAL,
                                          kHere};
    XrSpace space = XR_NULL_HANDLE;
    with_each_allocation_refused([] {}, [&] { return xrCreateReferenceSpace(session(), &info, &space); },
                                 [&](XrResult result) {
                                     if (XR_SUCCEEDED(result)) {
                                         EXPECT_EQ(xrDestroySpace(space), XR_SUCCESS);
                                     } else {
                                         EXPECT_EQ(result, XR_ERROR_OUT_OF_MEMORY);
                                     }
                                     EXPECT_EQ(runtime().live_spaces, 0u);
                                 });
}

TEST_P(OutOfMemory, AnActionSetIsWholeOrNotThereBelow) {
    begin();
    XrActionSetCreateInfo info{XR_TYPE_ACTION_SET_CREATE_INFO, nullptr, "play", "Play", 0};
    XrActionSet set = XR_NULL_HANDLE;
    with_each_allocation_refused([] {}, [&] { return xrCreateActionSet(instance(), &info, &set); },
                                 [&](XrResult result) {
                                     if (XR_SUCCEEDED(result)) {
                                         EXPECT_EQ(xrDestroyActionSet(set), XR_SUCCESS);
                                     } else {
                                         EXPECT_EQ(result, XR_ERROR_OUT_OF_MEMORY);
                                     }
                                     EXPECT_EQ(runtime().live_action_sets, 0u);
                                 });
}

TEST_P(OutOfMemory, AnActionIsWholeOrNotThereBelow) {
    begin();
    const XrActionSet set = make_set("play");
    const std::array<XrPath, 2> hands{user("left"), user("right")};
    const XrActionCreateInfo info{
        XR_TYPE_ACTION_CREATE_INFO, nullptr, "grip", XR_ACTION_TYPE_POSE_INPUT, hands.size(), hands.data(), "Grip"};
    XrAction action = XR_NULL_HANDLE;
    with_each_allocation_refused([] {}, [&] { return xrCreateAction(set, &info, &action); },
                                 [&](XrResult result) {
                                     if (XR_SUCCEEDED(result)) {
                                         EXPECT_EQ(xrDestroyAction(action), XR_SUCCESS);
                                     } else {
                                         EXPECT_EQ(result, XR_ERROR_OUT_OF_MEMORY);
                                     }
                                     EXPECT_EQ(runtime().live_actions, 0u);
                                 });
}

// What cannot be destroyed for want of memory is still there, and goes the next time.
TEST_P(OutOfMemory, WhatIsDestroyedIsGoneOrStillThere) {
    make_instance({kHands, kHeadless});
    const auto destroy_hand = proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
    XrActionSet set = XR_NULL_HANDLE;
    XrAction action = XR_NULL_HANDLE;
    XrSpace space = XR_NULL_HANDLE;
    XrHandTrackerEXT hand = XR_NULL_HANDLE;
    const auto each = [&](const char* what, auto destroy) {
        SCOPED_TRACE(what);
        with_each_allocation_refused(
            [&] {
                make_session();
                set = make_set("play");
                action = make_action(set, "pose", XR_ACTION_TYPE_POSE_INPUT, {"left"});
                space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
                hand = make_tracker(XR_HAND_LEFT_EXT);
            },
            destroy,
            [&](XrResult result) {
                if (XR_FAILED(result)) {
                    EXPECT_EQ(result, XR_ERROR_RUNTIME_FAILURE);
                    EXPECT_EQ(destroy(), XR_SUCCESS);
                }
                EXPECT_EQ(destroy(), XR_ERROR_HANDLE_INVALID);
                (void)xrDestroyAction(action);
                (void)xrDestroyActionSet(set);
                (void)xrDestroySession(session());
                EXPECT_EQ(runtime().live_actions + runtime().live_action_sets + runtime().live_sessions, 0u);
            },
            Needs::perhaps_nothing);
    };
    each("space", [&] { return xrDestroySpace(space); });
    each("hand tracker", [&] { return destroy_hand(hand); });
    each("action", [&] { return xrDestroyAction(action); });
    each("action set", [&] { return xrDestroyActionSet(set); });
    each("session", [&] { return xrDestroySession(session()); });
}

TEST_P(OutOfMemory, AnInstanceEnds) {
    with_each_allocation_refused(
        [&] {
            begin();
            (void)make_tracker(XR_HAND_LEFT_EXT);
            (void)make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
            (void)make_action(make_set("play"), "pose", XR_ACTION_TYPE_POSE_INPUT);
        },
        [&] {
            destroy_instance();
            return XR_SUCCESS;
        },
        [&](XrResult) {
            EXPECT_EQ(runtime().live_sessions, 0u);
            EXPECT_EQ(runtime().live_action_sets, 0u);
        },
        Needs::perhaps_nothing);
}

// What the layer adds to these may be lost; what the program asked for is done.
TEST_P(OutOfMemory, BindingsSetsAndSyncsOfTheProgramComeThrough) {
    XrActionSet set = XR_NULL_HANDLE;
    XrAction button = XR_NULL_HANDLE;
    XrAction pose = XR_NULL_HANDLE;
    const auto prepare = [&] {
        begin();
        hold(0, "oculus/touch_controller");
        set = make_set("play");
        button = make_action(set, "button", XR_ACTION_TYPE_BOOLEAN_INPUT, {"left", "right"});
        pose = make_action(set, "pose", XR_ACTION_TYPE_POSE_INPUT, {"left", "right"});
    };
    const auto suggest_all = [&] {
        return suggest("oculus/touch_controller", {{button, "left/input/x/click"}, {pose, "left/input/aim/pose"}});
    };
    const auto expect_done = [&](XrResult result) {
        EXPECT_EQ(result, XR_SUCCESS);
        EXPECT_LE(runtime().live_action_sets, 2u);  // the program's and ours
        EXPECT_LE(runtime().live_spaces, 2u);       // of the left hand's controller and tracker
        destroy_instance();
    };
    {
        SCOPED_TRACE("suggest");
        with_each_allocation_refused(prepare, suggest_all, expect_done);
    }
    {
        SCOPED_TRACE("attach");
        const auto before = [&] {
            prepare();
            ASSERT_EQ(suggest_all(), XR_SUCCESS);
        };
        with_each_allocation_refused(
            before, [&] { return attach({set}); }, expect_done);
    }
    {
        SCOPED_TRACE("sync");
        const auto before = [&] {
            prepare();
            ASSERT_EQ(suggest_all(), XR_SUCCESS);
            ASSERT_EQ(attach({set}), XR_SUCCESS);
        };
        with_each_allocation_refused(
            before, [&] { return sync({set}); },
            [&](XrResult result) {
                press(0, "x/click", 1);
                EXPECT_EQ(sync({set}), XR_SUCCESS);
                EXPECT_TRUE(boolean(button, "left").currentState);
                expect_done(result);
            });
    }
}

}  // namespace
}  // namespace glove::test
