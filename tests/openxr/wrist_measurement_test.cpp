// SPDX-License-Identifier: Apache-2.0
// A wrist's offset measured in a running program: asked for through the calibration file or by a gesture, kept there,
// and used at once and by the next program. Not covered: the mathematics (tests/motion/wrist_calibration_test.cpp) and
// the program that asks (tests/samples).
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "hand/pose_math.hpp"
#include "hand/wrist_offset.hpp"
#include "openxr/input_fixture.hpp"
#include "support/calibration_file.hpp"
#include "support/config.hpp"
#include "support/wrist_request.hpp"

namespace glove::test {
namespace {

constexpr const char* kTouch = "oculus/touch_controller";

class WristMeasurement : public InputTest {
protected:
    void begin() {
        make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME,
                       XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME});
        set_ = make_set("play");
        const XrAction grip = make_action(set_, "grip", XR_ACTION_TYPE_POSE_INPUT, {"left", "right"});
        ASSERT_EQ(suggest(kTouch, {{grip, "left/input/grip/pose"}, {grip, "right/input/grip/pose"}}), XR_SUCCESS);
        make_session();
        ASSERT_EQ(attach({set_}), XR_SUCCESS);
        stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
        tracker_ = make_tracker(XR_HAND_RIGHT_EXT);
        hold(1, kTouch);
        began_ = std::chrono::steady_clock::now();
    }
    // One frame of the program; the last answer stays in answer_.
    void frame(const XrPosef& grip) {
        runtime().controllers[1].change([&](ControllerScript& controller) { controller.grip.in_stage = grip; });
        EXPECT_TRUE(XR_SUCCEEDED(sync({set_})));  // XR_SESSION_NOT_FOCUSED too
        send(pose_);
        EXPECT_EQ(locate(tracker_, stage_, runtime().now(), answer_), XR_SUCCESS);
        (void)poll_events();
        std::this_thread::sleep_for(std::chrono::milliseconds(8));
    }
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }
    [[nodiscard]] std::filesystem::path file() const { return scratch() / "calibration.toml"; }
    // Each under a lower number than the one before, as times are of a clock that was set back.
    void ask(bool left, bool by_native_hand) {
        CalibrationValues changes;
        changes.texts[kWristRequestKey] = as_text(WristRequest{--number_, left, by_native_hand});
        ASSERT_EQ(save_calibration(changes, file()), "");
    }
    // That `watch`, on the folder, has seen since the call before; of two in a row it shows one.
    [[nodiscard]] int opens_of_the_file(int watch) const {
        alignas(inotify_event) std::array<char, 65536> events{};
        int count = 0;
        for (ssize_t size = 0; (size = ::read(watch, events.data(), events.size())) > 0;) {
            for (ssize_t at = 0; at < size;) {
                const auto* event = reinterpret_cast<const inotify_event*>(events.data() + at);
                count += event->len > 0 && file().filename() == event->name ? 1 : 0;
                at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
            }
        }
        return count;
    }
    [[nodiscard]] WristAnswer heard() const {
        return wrist_answer_in(load_calibration(file()).values).value_or(WristAnswer{0, "", ""});
    }
    [[nodiscard]] XrPosef shown_wrist() const { return answer_.joints[XR_HAND_JOINT_WRIST_EXT].pose; }
    void expect_near(const XrPosef& pose, const XrPosef& wanted, float metres, float degrees) const {
        EXPECT_LT(length(pose.position - wanted.position), metres);
        EXPECT_LT(angle_between(pose.orientation, wanted.orientation), degrees * static_cast<float>(kRadiansPerDegree));
    }
    static XrPosef waving(double t) {
        return {from_euler_degrees(35 * std::sin(3 * t), 30 * std::sin(2.2 * t + 1), 10 * std::sin(t)),
                {static_cast<float>(0.2 + 0.1 * std::sin(2 * t)), 1.1f, static_cast<float>(-0.3 + 0.1 * std::cos(t))}};
    }

    const XrPosef wrist_in_grip_{from_euler_degrees(-30, 15, -80), {0.03f, 0.05f, 0.08f}};
    ReferencePose pose_ = reference_pose(Hand::right, "flat");
    XrActionSet set_ = XR_NULL_HANDLE;
    XrSpace stage_ = XR_NULL_HANDLE;
    XrHandTrackerEXT tracker_ = XR_NULL_HANDLE;
    HandAnswer answer_;
    std::chrono::steady_clock::time_point began_;
    std::uint64_t number_ = 1000;
};

TEST_F(WristMeasurement, ComparesTheControllerWithTheRuntimesOwnHandAndKeepsWhatItFinds) {
    runtime().native_hands = NativeHands::supported;
    write_config("[wrist]\nsource = \"controller\"\n");
    begin();
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    const auto both = [&] {
        const XrPosef grip = waving(seconds());
        XrPosef wrist = compose(grip, wrist_in_grip_);
        const auto any = [&](float size) {
            return XrVector3f{size * normal(random), size * normal(random), size * normal(random)};
        };
        wrist.position = wrist.position + any(0.001f);
        wrist.orientation = normalised(multiply(wrist.orientation, from_rotation_vector(any(0.01f))));
        runtime().hands[1].change([&](NativeHandScript& hand) { hand.wrist_in_stage = wrist; });
        frame(grip);
        return grip;
    };
    while (seconds() < 0.5) {
        both();
    }
    ask(false, true);
    while (heard().stage != "done" && heard().stage != "failed" && seconds() < 20) {
        both();
    }
    ASSERT_EQ(heard().stage, "done") << heard().words;
    const double found_at = seconds();
    while (seconds() < found_at + 1.5) {  // the next look at the profiles takes the offset up, without a jump
        both();
    }
    const XrPosef grip = both();
    expect_near(shown_wrist(), compose(grip, wrist_in_grip_), 0.002f, 1.0f);
    destroy_instance();

    // Another program, without the headset's hands.
    runtime().native_hands = NativeHands::absent;
    begin();
    while (seconds() < 0.5) {
        frame(waving(0.3));
    }
    expect_near(shown_wrist(), compose(waving(0.3), wrist_in_grip_), 0.002f, 1.0f);
}

TEST_F(WristMeasurement, FreezesTheHandUntilTheControllerIsBroughtToItAndHeldStill) {
    write_config("[wrist]\nsource = \"controller\"\n");
    begin();
    while (seconds() < 0.4) {
        frame(waving(0));
    }
    const XrPosef frozen = shown_wrist();
    const double asked_at = seconds();
    ask(false, false);
    while (heard().stage != "took" && seconds() < 10) {
        frame(waving(0));
    }
    ASSERT_EQ(heard().stage, "took") << heard().words;
    frame(waving(0));  // the first frame after it freezes the hand where it is
    // The person's true wrist is at wrist_in_grip_; they bring it to the frozen hand.
    const XrPosef there = compose(frozen, inverse(wrist_in_grip_));
    const double took_at = seconds();
    while (seconds() < took_at + 1.5) {
        frame(waving(seconds()));
        expect_near(shown_wrist(), frozen, 0.0005f, 0.1f);
    }
    while (heard().stage == "took" && seconds() < took_at + 20) {
        frame(there);
    }
    ASSERT_EQ(heard().stage, "done") << heard().words;
    EXPECT_GT(seconds(), asked_at + 4.9);  // three seconds to get there, two to hold still
    const double found_at = seconds();
    while (seconds() < found_at + 1.5) {
        frame(waving(1));
    }
    expect_near(shown_wrist(), compose(waving(1), wrist_in_grip_), 0.001f, 0.2f);
}

TEST_F(WristMeasurement, SaysThatNothingCarriesTheHandUntilSomethingDoesAndWaitsForItToBeAligned) {
    begin();
    const auto put_down = [this] {
        runtime().controllers[1].change([](ControllerScript& controller) { controller.present = false; });
    };
    put_down();
    while (seconds() < 0.6) {
        frame(waving(0));
    }
    ASSERT_TRUE(answer_.active());  // before the head
    ask(false, false);
    while (heard().stage.empty() && seconds() < 10) {
        frame(waving(0));
    }
    const double took_at = seconds();
    EXPECT_EQ(heard().stage, "took");
    const XrPosef frozen = shown_wrist();
    while (heard().stage == "took" && seconds() < took_at + 10) {
        frame(waving(0));
    }
    EXPECT_EQ(heard().stage, "waits");
    EXPECT_EQ(heard().words.find("no controller or tracker follows this hand"), 0u) << heard().words;
    EXPECT_LT(seconds() - took_at, 5);  // a second and a half, and what a busy disk takes for the file

    // There it is, and lies still where it is not to be yet.
    hold(1, kTouch);
    const double came_at = seconds();
    while (heard().stage == "waits" && seconds() < came_at + 5) {
        frame(waving(0));
    }
    EXPECT_EQ(heard().stage, "took");
    while (seconds() < came_at + 2.5) {
        frame(waving(0));
        expect_near(shown_wrist(), frozen, 0.0005f, 0.1f);
    }
    // A moment without it is not worth a word.
    put_down();
    while (seconds() < came_at + 3) {
        frame(waving(0));
    }
    hold(1, kTouch);
    while (heard().stage == "took" && seconds() < came_at + 20) {
        frame(compose(frozen, inverse(wrist_in_grip_)));
    }
    ASSERT_EQ(heard().stage, "done") << heard().words;
    EXPECT_GT(seconds(), came_at + 4.9);
    const double found_at = seconds();
    while (seconds() < found_at + 1.5) {
        frame(waving(1));
    }
    expect_near(shown_wrist(), compose(waving(1), wrist_in_grip_), 0.001f, 0.2f);
}

TEST_F(WristMeasurement, SaysSoWhenTheHandIsNotShown) {
    write_config("[wrist]\nsource = \"controller\"\n");
    begin();
    ask(true, false);  // this program shows the right hand alone
    while (heard().stage.empty() && seconds() < 10) {
        frame(waving(0));
    }
    EXPECT_EQ(heard().stage, "failed");
    EXPECT_EQ(heard().words, "no program in focus shows this hand");
}

TEST_F(WristMeasurement, LeavesARequestToOthersUntilThePersonIsInThisProgram) {
    write_config("[wrist]\nsource = \"controller\"\n");
    begin();
    runtime().focused = false;
    while (seconds() < 0.3) {
        frame(waving(0));
    }
    ask(false, false);
    const int opened = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    ASSERT_GE(::inotify_add_watch(opened, scratch().c_str(), IN_OPEN), 0);
    int opens = 0;
    while (seconds() < 2.8) {
        frame(waving(0));
        opens += opens_of_the_file(opened);
    }
    EXPECT_EQ(opens, 1) << "not again while it stays as it is";
    ::close(opened);
    EXPECT_EQ(heard().number, 0u) << heard().words;
    runtime().focused = true;
    while (heard().stage.empty() && seconds() < 12) {
        frame(waving(0));
    }
    EXPECT_EQ(heard().stage, "took");
}

TEST_F(WristMeasurement, LetsTheHandGoWhenTheRequestIsTakenBackAndTakesTheNext) {
    write_config("[wrist]\nsource = \"controller\"\n");
    begin();
    while (seconds() < 0.4) {
        frame(waving(0));
    }
    ask(false, false);
    while (heard().stage != "took" && seconds() < 10) {
        frame(waving(0));
    }
    ASSERT_EQ(heard().stage, "took") << heard().words;
    CalibrationValues changes;
    changes.texts[kWristRequestKey] = "";
    ASSERT_EQ(save_calibration(changes, file()), "");
    const double taken_back_at = seconds();
    while (heard().stage == "took" && seconds() < taken_back_at + 10) {
        frame(waving(1));
    }
    EXPECT_EQ(heard().stage, "failed");
    EXPECT_EQ(heard().words, "stopped");
    frame(waving(1));
    const XrPosef before = shown_wrist();
    frame(waving(2));
    EXPECT_GT(length(shown_wrist().position - before.position), 0.01f) << "still frozen";

    // The second of these replaces the first while that runs.
    for (int i = 0; i < 2; ++i) {
        const std::uint64_t last = heard().number;
        ask(false, false);
        const double asked_at = seconds();
        while ((heard().number == last || heard().stage != "took") && seconds() < asked_at + 10) {
            frame(waving(0));
        }
        EXPECT_EQ(heard().number, number_);
        EXPECT_EQ(heard().stage, "took");
    }
}

TEST_F(WristMeasurement, LeavesARequestAloneThatIsOlderThanTheProgramAndTakesANewOne) {
    write_config("[wrist]\nsource = \"controller\"\n");
    ask(false, false);
    begin();
    CalibrationValues changes;
    changes.numbers["somebody.elses"] = {1};
    ASSERT_EQ(save_calibration(changes, file()), "");  // so that the file is read again
    while (seconds() < 1.5) {
        frame(waving(0));
    }
    EXPECT_EQ(heard().number, 0u);
    ask(false, false);
    while (heard().stage.empty() && seconds() < 10) {
        frame(waving(0));
    }
    EXPECT_EQ(heard().stage, "took");
}

TEST_F(WristMeasurement, PassesOverADamagedOneAndSaysSo) {
    write_config("[wrist]\nsource = \"controller\"\n");
    CalibrationValues damaged;
    damaged.numbers["wrist.right." + calibration_key_part("/interaction_profiles/oculus/touch_controller/grip")] = {
        1e300, 0, 0, 1, 0.5, 0.5, 0.5};
    ASSERT_EQ(save_calibration(damaged, file()), "");
    begin();
    const XrPosef nominal = nominal_wrist_in("/interaction_profiles/oculus/touch_controller", PoseKind::grip,
                                             Hand::right, static_cast<float>(Config{}.hand.size_mm));
    while (seconds() < 0.5) {
        frame(waving(0));
    }
    expect_near(shown_wrist(), compose(waving(0), nominal), 0.001f, 0.2f);
    EXPECT_NE(log_text().find("is damaged and is passed over"), std::string::npos) << log_text();
}

TEST_F(WristMeasurement, BeginsWhenThumbAndLittleFingerAreHeldTogether) {
    write_config("[wrist]\nsource = \"controller\"\ncalibrate_by_gesture = true\n");
    begin();
    while (seconds() < 1) {
        frame(waving(0));
    }
    // A flat hand but for the thumb, which stands on the little finger.
    for (const std::size_t joint : {std::size_t{XR_HAND_JOINT_THUMB_TIP_EXT}}) {
        pose_.joint_in_wrist[joint].position = pose_.joint_in_wrist[XR_HAND_JOINT_LITTLE_TIP_EXT].position;
    }
    const double touched_at = seconds();
    while (heard().stage.empty() && seconds() < touched_at + 8) {
        frame(waving(0));
    }
    EXPECT_EQ(heard().stage, "took");
    EXPECT_GT(seconds(), touched_at + 2.9);
}

}  // namespace
}  // namespace glove::test
