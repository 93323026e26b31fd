// SPDX-License-Identifier: Apache-2.0
// When the layer holds a port, a thread, a space, and that it gives them back: programs make and destroy instances
// again and again, start others, and close what is not theirs. Not covered: that the library itself is unloaded.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <thread>

#include "datagram/udp_receiver.hpp"
#include "descriptors.hpp"
#include "openxr/loader_fixture.hpp"
#include "udp_socket.hpp"

namespace glove::test {
namespace {

constexpr auto kLongestEnd = std::chrono::seconds(2);

void close_all_but(const std::set<int>& kept) {
    for (const int number : open_descriptors()) {
        if (kept.count(number) == 0) {
            close_behind_their_back(number);
        }
    }
}

std::uint16_t g_wake_at_the_end = 0;  // the port, or 0: not wanted

// Runs behind all destructors of static objects, the loader's among them: it unloads layers there.
[[gnu::destructor]] void wake_the_receiver() {
    if (g_wake_at_the_end != 0) {
        UdpSocket().send({}, g_wake_at_the_end);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

class Lifetime : public LoaderTest {
protected:
    void begin() {
        make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
        make_session();
    }
    void have_hand_engine_listen() const {
        write_config("[hand_engine]\nport = " + std::to_string(hand_engine_port()));
    }
    [[nodiscard]] bool port_is_free() const { return is_free(port()); }
    [[nodiscard]] static bool is_free(std::uint16_t port) { return is_free_udp_port(port); }
    void destroy(XrHandTrackerEXT tracker) const {
        EXPECT_EQ(proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(tracker), XR_SUCCESS);
    }
    // As for a launcher that has started a game, and for a game when its own menu is over.
    void move_focus(bool to_the_program) {
        runtime().focused = to_the_program;
        drive_until(to_the_program ? XR_SESSION_STATE_FOCUSED : XR_SESSION_STATE_VISIBLE);
    }
    [[nodiscard]] bool glove_arrives(XrHandTrackerEXT tracker, XrSpace space) {
        return wait_for([&] {
            send(pose_);
            HandAnswer answer;
            EXPECT_EQ(locate(tracker, space, runtime().now(), answer), XR_SUCCESS);
            return answer.active();
        });
    }

    ReferencePose pose_ = reference_pose(Hand::left, "flat");
};

TEST_F(Lifetime, NoPortIsOpenedAndNoThreadStartedBeforeTheFirstHandTracker) {
    const std::ptrdiff_t threads = thread_count();
    begin();
    EXPECT_TRUE(port_is_free());
    EXPECT_EQ(thread_count(), threads);
    (void)make_tracker(XR_HAND_LEFT_EXT);
    EXPECT_TRUE(wait_for([&] { return !port_is_free(); }));
    EXPECT_EQ(thread_count(), threads + 1);
    (void)make_tracker(XR_HAND_RIGHT_EXT);
    EXPECT_EQ(thread_count(), threads + 1);
}

TEST_F(Lifetime, HandEnginesPortComesWithAThreadOfItsOwnAndGoesLikewise) {
    have_hand_engine_listen();
    const std::ptrdiff_t threads = thread_count();
    begin();
    EXPECT_TRUE(is_free(hand_engine_port()));
    (void)make_tracker(XR_HAND_LEFT_EXT);
    EXPECT_TRUE(wait_for([&] { return !port_is_free() && !is_free(hand_engine_port()); }));
    EXPECT_EQ(thread_count(), threads + 2);
    destroy_instance();
    EXPECT_TRUE(port_is_free());
    EXPECT_TRUE(is_free(hand_engine_port()));
    EXPECT_TRUE(wait_for([&] { return thread_count() == threads; }));
}

TEST_F(Lifetime, AHundredInstancesEachGiveBackPortThreadAndObjects) {
    const std::ptrdiff_t threads = thread_count();
    for (int i = 0; i < 100; ++i) {
        begin();
        const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
        (void)make_tracker(XR_HAND_RIGHT_EXT);
        if (i % 10 == 0) {
            ASSERT_TRUE(glove_arrives(tracker, make_space(XR_REFERENCE_SPACE_TYPE_LOCAL))) << i;
        }
        destroy_instance();
        ASSERT_TRUE(port_is_free()) << i;
        ASSERT_TRUE(wait_for([&] { return thread_count() == threads; })) << i;
        ASSERT_EQ(runtime().live_spaces, 0u) << i;
        ASSERT_EQ(runtime().live_sessions, 0u) << i;
    }
    EXPECT_EQ(runtime().unknown_handles, 0u);
}

TEST_F(Lifetime, ASessionTakesItsHandTrackersWithIt) {
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    const auto locate_joints = proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
    const auto destroy_tracker = proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    EXPECT_EQ(runtime().live_spaces, 0u);
    EXPECT_EQ(runtime().unknown_handles, 0u);

    const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, XR_NULL_HANDLE, runtime().now()};
    HandAnswer answer;
    EXPECT_EQ(locate_joints(tracker, &info, &answer.location_part), XR_ERROR_HANDLE_INVALID);
    EXPECT_TRUE(answer.untouched());
    EXPECT_EQ(destroy_tracker(tracker), XR_ERROR_HANDLE_INVALID);
}

TEST_F(Lifetime, ASecondSessionInOneInstanceHasHandsToo) {
    begin();
    (void)make_tracker(XR_HAND_LEFT_EXT);
    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    make_session();
    EXPECT_TRUE(glove_arrives(make_tracker(XR_HAND_LEFT_EXT), make_space(XR_REFERENCE_SPACE_TYPE_LOCAL)));
}

TEST_F(Lifetime, ATrackerOfADestroyedSessionCannotBeMade) {
    begin();
    const auto create = proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT");
    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, XR_HAND_LEFT_EXT,
                                          XR_HAND_JOINT_SET_DEFAULT_EXT};
    XrHandTrackerEXT tracker = XR_NULL_HANDLE;
    EXPECT_EQ(create(session(), &info, &tracker), XR_ERROR_HANDLE_INVALID);
    EXPECT_EQ(create(XR_NULL_HANDLE, &info, &tracker), XR_ERROR_HANDLE_INVALID);
}

TEST_F(Lifetime, ATakenPortMeansNoGloveALineInTheLogAndAnotherTry) {
    std::optional<UdpSocket> other(port());
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    const XrSpace local = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    EXPECT_TRUE(wait_for([&] { return log_text().find(std::to_string(port())) != std::string::npos; })) << log_text();
    send(pose_);
    HandAnswer answer;
    ASSERT_EQ(locate(tracker, local, runtime().now(), answer), XR_SUCCESS);
    EXPECT_FALSE(answer.active());
    EXPECT_TRUE(is_whole(answer));

    other.reset();
    EXPECT_TRUE(glove_arrives(tracker, local)) << log_text();
}

TEST_F(Lifetime, AnInstanceEndsAtOnceWhileItsPortIsTaken) {
    const UdpSocket other(port());
    // The next try is a second away. The quickest of three ends, as a busy machine may hold up one.
    auto quickest = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 3; ++i) {
        begin();
        (void)make_tracker(XR_HAND_LEFT_EXT);
        const auto before = std::chrono::steady_clock::now();
        destroy_instance();
        quickest = std::min(quickest, std::chrono::steady_clock::now() - before);
    }
    EXPECT_LT(quickest, std::chrono::milliseconds(500));
}

TEST_F(Lifetime, ThePortGoesWithTheLastHandTrackerAndComesWithTheNext) {
    begin();
    const std::ptrdiff_t threads = thread_count();
    const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    for (int i = 0; i < 3; ++i) {
        const XrHandTrackerEXT left = make_tracker(XR_HAND_LEFT_EXT);
        const XrHandTrackerEXT right = make_tracker(XR_HAND_RIGHT_EXT);
        ASSERT_TRUE(glove_arrives(left, space));
        destroy(right);
        EXPECT_TRUE(wait_for([&] { return !port_is_free(); }));
        destroy(left);
        EXPECT_TRUE(port_is_free());
        EXPECT_TRUE(wait_for([&] { return thread_count() == threads; }));
    }
}

TEST_F(Lifetime, ThePortGoesWithTheSessionOfTheLastHandTracker) {
    begin();
    (void)make_tracker(XR_HAND_LEFT_EXT);
    ASSERT_TRUE(wait_for([&] { return !port_is_free(); }));
    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    EXPECT_TRUE(port_is_free());
    make_session();
    EXPECT_TRUE(glove_arrives(make_tracker(XR_HAND_LEFT_EXT), make_space(XR_REFERENCE_SPACE_TYPE_LOCAL)));
}

TEST_F(Lifetime, WithoutTheFocusThePortGoesToAProgramThatNeedsItAndComesBack) {
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    ASSERT_TRUE(glove_arrives(tracker, space));

    // A program with hands in front, which has the same layer.
    const auto take_nothing = [](std::span<const std::byte>, const Sender&, std::int64_t) {};
    UdpReceiver game({{"127.0.0.1", "::1"}, port(), {}}, take_nothing);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    EXPECT_EQ(game.port(), 0) << "while this program has the focus, the port is its own";
    move_focus(false);
    EXPECT_TRUE(wait_for([&] { return game.port() == port(); })) << log_text();

    move_focus(true);
    game.set_needed(false);
    EXPECT_TRUE(glove_arrives(tracker, space)) << log_text();
}

// Each child lives on when the instance is over.
TEST_F(Lifetime, NoChildOfTheProgramKeepsThePort) {
    const auto fork_alone = [] {
        const pid_t child = fork();
        if (child == 0) {
            for (;;) {
                pause();
            }
        }
        return child;
    };
    const auto fork_and_execute = [] {
        const pid_t child = fork();
        if (child == 0) {
            execlp("sleep", "sleep", "60", nullptr);
            _exit(127);
        }
        return child;
    };
    const auto spawn = [] {
        pid_t child = -1;
        const char* const arguments[] = {"sleep", "60", nullptr};
        EXPECT_EQ(posix_spawnp(&child, "sleep", nullptr, nullptr, const_cast<char* const*>(arguments), environ), 0);
        return child;
    };
    for (const std::function<pid_t()>& start : {std::function<pid_t()>(fork_alone), {fork_and_execute}, {spawn}}) {
        begin();
        const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
        EXPECT_TRUE(glove_arrives(tracker, make_space(XR_REFERENCE_SPACE_TYPE_LOCAL)));
        const pid_t child = start();
        destroy_instance();
        EXPECT_TRUE(wait_for([&] { return port_is_free(); }));
        EXPECT_EQ(kill(child, SIGKILL), 0);
        EXPECT_EQ(waitpid(child, nullptr, 0), child);
    }
}

TEST_F(Lifetime, AnInstanceEndsInTimeInAChildThatHasNoThreadOfOurs) {
    have_hand_engine_listen();
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    ASSERT_TRUE(glove_arrives(tracker, space));
    const pid_t child = fork();
    if (child == 0) {
        alarm(10);
        const auto before = std::chrono::steady_clock::now();
        const bool ended = xrDestroyInstance(instance()) == XR_SUCCESS;
        _exit(ended && std::chrono::steady_clock::now() - before < kLongestEnd ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(glove_arrives(tracker, space)) << "the parent's goes on";
}

TEST_F(Lifetime, AnInstanceEndsInTimeWhenTheProgramHasClosedAllDescriptors) {
    have_hand_engine_listen();
    const std::set<int> before = open_descriptors();
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    ASSERT_TRUE(glove_arrives(tracker, space));
    ASSERT_TRUE(wait_for([&] { return !is_free(hand_engine_port()); }));
    close_all_but(before);
    EXPECT_TRUE(glove_arrives(tracker, space)) << "it opens its socket anew";
    close_all_but(before);
    const auto begun = std::chrono::steady_clock::now();
    destroy_instance();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, kLongestEnd);
    EXPECT_TRUE(port_is_free());
}

TEST_F(Lifetime, GlovesAreHeardOnTheLoopbackOfIpv6Too) {
    if (!has_ipv6_loopback()) {
        GTEST_SKIP() << "this machine has no IPv6";
    }
    begin();
    const XrHandTrackerEXT tracker = make_tracker(XR_HAND_LEFT_EXT);
    const XrSpace space = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    UdpSocket glove(0, "::1");
    FsnhHeader header;
    EXPECT_TRUE(wait_for([&] {
        ++header.frame_index;
        glove.send(wrist_datagram(header, to_sender(Hand::left, pose_.joint_in_wrist)), port());
        HandAnswer answer;
        EXPECT_EQ(locate(tracker, space, runtime().now(), answer), XR_SUCCESS);
        return answer.active();
    })) << log_text();
}

TEST_F(Lifetime, AProgramMayLeaveWithoutDestroyingAnything) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            begin();
            (void)glove_arrives(make_tracker(XR_HAND_LEFT_EXT), make_space(XR_REFERENCE_SPACE_TYPE_LOCAL));
            g_wake_at_the_end = port();
            std::exit(0);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace glove::test
