// SPDX-License-Identifier: Apache-2.0
// What an application may do from several threads at once, while datagrams arrive at 1000 Hz. Under ThreadSanitizer
// these say whether the layer's own threads and tables get along. Not covered: a handle used while it is destroyed,
// which is an error of the application; registry_test.cpp has that.
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "openxr/glove_flood.hpp"
#include "openxr/loader_fixture.hpp"
#include "udp_socket.hpp"

namespace glove::test {
namespace {

constexpr auto kLong = std::chrono::milliseconds(1500);

// Ends the threads before the test ends, however it ends.
class Crew {
public:
    // Calls `work` again and again.
    void add(std::function<void()> work) {
        threads_.emplace_back([this, work = std::move(work)] {
            while (!stop_) {
                work();
            }
        });
    }
    void stop() {
        stop_ = true;
        for (std::thread& thread : threads_) {
            thread.join();
        }
        threads_.clear();
    }
    ~Crew() { stop(); }

private:
    std::atomic<bool> stop_{false};
    std::vector<std::thread> threads_;
};

class Concurrency : public LoaderTest {
protected:
    void begin() {
        make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
        make_session();
    }

    // One locate and its oracle; tells whether there was a hand.
    bool sees_hand(XrHandTrackerEXT tracker, XrSpace space) const {
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, space, runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer));
        return answer.active();
    }
    [[nodiscard]] bool hand_comes(XrHandTrackerEXT tracker, XrSpace space) const {
        return wait_for([&] { return sees_hand(tracker, space); });
    }

    void deliver_events() const {
        XrEventDataBuffer event{};
        event.type = XR_TYPE_EVENT_DATA_BUFFER;
        while (xrPollEvent(instance(), &event) == XR_SUCCESS) {
            event = {};
            event.type = XR_TYPE_EVENT_DATA_BUFFER;
        }
    }

    void destroy(XrHandTrackerEXT tracker) const {
        EXPECT_EQ(proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(tracker), XR_SUCCESS);
    }

    // Two threads make and destroy trackers of both hands, two more locate with one that stays.
    void let_trackers_come_and_go() {
        begin();
        const GloveFlood gloves(port(), GloveFlood::Sends::hands);
        const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        const XrHandTrackerEXT lasting = make_tracker(XR_HAND_LEFT_EXT);
        ASSERT_TRUE(hand_comes(lasting, space));

        std::atomic<std::uint64_t> made{0};
        Crew crew;
        for (const XrHandEXT hand : {XR_HAND_LEFT_EXT, XR_HAND_RIGHT_EXT}) {
            crew.add([&, hand] {
                const XrHandTrackerEXT tracker = make_tracker(hand);
                sees_hand(tracker, space);
                destroy(tracker);
                ++made;
            });
            crew.add([&] { sees_hand(lasting, space); });
        }
        std::this_thread::sleep_for(kLong);
        crew.stop();

        EXPECT_GT(made, 20u);
        EXPECT_TRUE(hand_comes(lasting, space));
        destroy(lasting);
        EXPECT_EQ(runtime().live_hand_trackers, 0u);
        destroy_instance();
        EXPECT_EQ(runtime().live_spaces, 0u);
        EXPECT_EQ(runtime().unknown_handles, 0u);
    }
};

TEST_F(Concurrency, FourThreadsLocateWhileTheFocusAndTheGlovesComeAndGo) {
    write_config("[age]\ntracked_ms = 10\nvalid_ms = 20\n");
    begin();
    GloveFlood gloves(port(), GloveFlood::Sends::hands_and_junk);
    const XrHandTrackerEXT left = make_tracker(XR_HAND_LEFT_EXT), right = make_tracker(XR_HAND_RIGHT_EXT);
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL), view = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    ASSERT_TRUE(hand_comes(left, local));

    std::array<std::atomic<std::uint64_t>, 4> active{}, inactive{};
    Crew crew;
    for (std::size_t i = 0; i < active.size(); ++i) {
        crew.add([&, i] {
            const bool hand = sees_hand(i % 2 == 0 ? left : right, i < 2 ? local : view);
            ++(hand ? active : inactive)[i];
        });
    }
    const auto end = std::chrono::steady_clock::now() + kLong;
    for (int round = 0; std::chrono::steady_clock::now() < end; ++round) {
        runtime().focused = round % 4 != 3;
        gloves.pause(round % 5 == 4);
        deliver_events();
        std::this_thread::sleep_for(std::chrono::milliseconds(40));
    }
    crew.stop();

    for (std::size_t i = 0; i < active.size(); ++i) {
        EXPECT_GT(active[i], 0u) << i;
        EXPECT_GT(inactive[i], 0u) << i;
    }
}

TEST_F(Concurrency, HandTrackersComeAndGoWhilePacketsArrive) {
    let_trackers_come_and_go();
}

TEST_F(Concurrency, TrackersOfARuntimeWithHandsComeAndGoWhilePacketsArrive) {
    runtime().native_hands = NativeHands::supported;
    let_trackers_come_and_go();
}

// The gloves' stream ends and begins with every last and first of them, and with the focus it is needed or not.
TEST_F(Concurrency, HandTrackersOfThreadsComeAndGoAndNoneLeavesThePortTakenOrClosed) {
    begin();
    const GloveFlood gloves(port(), GloveFlood::Sends::hands);
    const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    Crew crew;
    for (int i = 0; i < 3; ++i) {
        crew.add([&, hand = i % 2 == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT] {
            const XrHandTrackerEXT tracker = make_tracker(hand);
            sees_hand(tracker, space);
            destroy(tracker);
        });
    }
    const auto end = std::chrono::steady_clock::now() + kLong;
    for (int round = 0; std::chrono::steady_clock::now() < end; ++round) {
        runtime().focused = round % 4 != 3;
        deliver_events();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    crew.stop();
    EXPECT_TRUE(is_free_udp_port(port()));

    runtime().focused = true;
    deliver_events();
    EXPECT_TRUE(hand_comes(make_tracker(XR_HAND_LEFT_EXT), space));
}

TEST_F(Concurrency, SessionsInTurnEachHaveHandsWhilePacketsArrive) {
    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
    const GloveFlood gloves(port(), GloveFlood::Sends::hands);
    for (int i = 0; i < 25; ++i) {
        SCOPED_TRACE(i);
        make_session();
        const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        ASSERT_TRUE(hand_comes(make_tracker(XR_HAND_LEFT_EXT), space));
        ASSERT_TRUE(hand_comes(make_tracker(XR_HAND_RIGHT_EXT), space));
        ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
        ASSERT_EQ(runtime().live_spaces, 0u);
    }
    EXPECT_EQ(runtime().unknown_handles, 0u);
}

TEST_F(Concurrency, AnInstanceEndsInTheMiddleOfABurst) {
    const std::ptrdiff_t threads = thread_count();
    const std::vector<std::byte> hand =
        wrist_datagram({}, to_sender(Hand::left, reference_pose(Hand::left, "flat").joint_in_wrist));
    UdpSocket glove;
    for (int i = 0; i < 25; ++i) {
        SCOPED_TRACE(i);
        begin();
        const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
        const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        ASSERT_TRUE(wait_for([&] {
            glove.send(hand, port());
            return sees_hand(tracker, space);
        }));
        for (int burst = 0; burst < 200; ++burst) {
            glove.send(hand, port());
        }
        destroy_instance();
        ASSERT_TRUE(wait_for([&] { return thread_count() == threads; }));
        ASSERT_EQ(runtime().live_spaces, 0u);
    }
}

}  // namespace
}  // namespace glove::test
