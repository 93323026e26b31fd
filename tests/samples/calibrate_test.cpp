// SPDX-License-Identifier: Apache-2.0
// glovectl calibrate as a person starts it, with simulated gloves. How well captures fit a hand: hand_calibration_test.
// Not covered: what a terminal shows; people.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <optional>
#include <thread>

#include "glove_stream/calibrations.hpp"
#include "samples/gloves_at_ports.hpp"
#include "senders/fnim_sender.hpp"

namespace glove {
namespace {

using test::Outcome;

class Calibrate : public testing::Test {
protected:
    [[nodiscard]] Outcome calibrate(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "calibrate");
        return test::run("glovectl", arguments, gloves_.environment());
    }

    void expect_nothing_is_kept(const Outcome& outcome, const std::string& why) const {
        EXPECT_EQ(outcome.status, 1) << outcome.out;
        EXPECT_EQ(outcome.err.rfind("Nothing is kept: ", 0), 0u) << outcome.err;
        EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(gloves_.calibration()));
    }

    [[nodiscard]] CalibrationValues kept() const {
        const CalibrationResult loaded = load_calibration(gloves_.calibration());
        EXPECT_TRUE(loaded.complaints.empty());
        return loaded.values;
    }

    test::GlovesAtPorts gloves_;
};

// The two figures of a hand's line.
std::pair<double, double> errors_mm(const std::string& out, Hand hand) {
    const std::string begin = std::string(name_of(hand)) + " hand: coils off by ";
    const std::size_t at = out.find(begin);
    double before = 0;
    double after = 0;
    EXPECT_NE(at, std::string::npos) << out;
    EXPECT_EQ(std::sscanf(out.c_str() + at + begin.size(), "%lf mm before, by %lf mm after", &before, &after), 2);
    return {before, after};
}

// Both hands' coils, in the pose that they take.
class HandsInPose {
public:
    HandsInPose(std::uint16_t port, float scale, Pose pose)
        : port_(port), scale_(scale), pose_(pose), thread_([this] { send(); }) {}
    ~HandsInPose() {
        over_ = true;
        thread_.join();
    }
    HandsInPose(const HandsInPose&) = delete;
    HandsInPose& operator=(const HandsInPose&) = delete;

    void take(Pose pose) { pose_ = pose; }

private:
    void send() {
        test::UdpSocket socket;
        CoilFaults faults(1, 2, 0);
        for (std::uint32_t frame = 0; !over_; ++frame) {
            for (const Hand hand : kBothHands) {
                HandJoints joints = hand_joints(hand, pose_, 0);
                for (XrPosef& joint : joints) {
                    joint.position = {scale_ * joint.position.x, scale_ * joint.position.y, scale_ * joint.position.z};
                }
                const Coils coils = faults.apply(coils_on_tips(joints));
                socket.send(encode_fnim({hand, frame, std::uint64_t{frame} * 8'333'333}, coils), port_);
            }
            std::this_thread::sleep_for(std::chrono::microseconds(8333));
        }
    }

    std::uint16_t port_;
    float scale_;
    std::atomic<Pose> pose_;
    std::atomic<bool> over_{false};
    std::thread thread_;
};

TEST_F(Calibrate, AFlatHandFitsTheCoilsOfBothHands) {
    const auto glove = gloves_.glove({"fnim", "--pose", "open", "--noise-mm", "1", "--noise-deg", "2"});
    const Outcome outcome = calibrate({"--flat", "--yes"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    for (const Hand hand : kBothHands) {
        const auto [before, after] = errors_mm(outcome.out, hand);
        EXPECT_LT(after, before);
        EXPECT_LT(after, 2);
        EXPECT_TRUE(captured_fingertips(kept(), hand)) << name_of(hand);
    }
    EXPECT_NE(outcome.out.find("Kept in " + gloves_.calibration().string()), std::string::npos) << outcome.out;
}

TEST_F(Calibrate, TheSecondTimeItBeginsWhereTheFirstEnded) {
    const auto glove = gloves_.glove({"fnim", "--pose", "open", "--hand", "left"});
    const Outcome first = calibrate({"--flat", "--yes"});
    const Outcome second = calibrate({"--flat", "--yes"});
    ASSERT_EQ(second.status, 0) << second.err;
    EXPECT_NEAR(errors_mm(second.out, Hand::left).first, errors_mm(first.out, Hand::left).second, 0.11)
        << "a tenth is what is printed";
}

TEST_F(Calibrate, OnlyTheHandThatIsAskedForIsKeptAndEverythingElseStays) {
    std::ofstream(gloves_.calibration()) << "\"somebody.elses\" = [1, 2]\n";
    const auto glove = gloves_.glove({"fnim", "--pose", "open"});
    const Outcome outcome = calibrate({"--flat", "right", "--yes"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(captured_fingertips(kept(), Hand::right));
    EXPECT_FALSE(captured_fingertips(kept(), Hand::left));
    EXPECT_EQ(kept().numbers.at("somebody.elses"), (std::vector<double>{1, 2}));
}

TEST_F(Calibrate, AFlatHandIsTheRestPoseOfHandEngine) {
    const auto glove = gloves_.glove({"hand-engine", "--pose", "open"});
    const Outcome outcome = calibrate({"--flat", "--yes"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    for (const Hand hand : kBothHands) {
        const auto rest = captured_rest_pose(kept(), hand);
        ASSERT_TRUE(rest) << name_of(hand);
        // The open hand bends the index' middle joint by 3 degrees: raw, about +x.
        const XrQuaternionf& index = (*rest)[1][hand_engine::kIntermediate];
        EXPECT_NEAR(2 * std::atan2(index.x, index.w) * 180 / std::numbers::pi, 3, 0.01);
    }
    EXPECT_NE(outcome.out.find("rest = \"captured\" under [hand_engine] in " + gloves_.config()), std::string::npos)
        << outcome.out;

    gloves_.configure("rest = \"captured\"\n");
    EXPECT_EQ(calibrate({"--flat", "--yes"}).out.find("rest = \"captured\""), std::string::npos);
}

TEST_F(Calibrate, ListensToTheConfiguredPerformerAlone) {
    gloves_.configure("performer = 2\n");
    const auto other = gloves_.glove({"hand-engine", "--pose", "fist", "--performer", "1"});
    const auto wanted = gloves_.glove({"hand-engine", "--pose", "open", "--performer", "2"});
    EXPECT_EQ(calibrate({"--flat", "--yes"}).status, 0);
}

TEST_F(Calibrate, LengthsLeadsThroughThreePosesAndFindsALargerHand) {
    constexpr float kScale = 1.1f;
    HandsInPose hands(gloves_.port, kScale, Pose::open);
    test::Program program("glovectl", {"calibrate", "--lengths", "both", "--yes"}, gloves_.environment());
    ASSERT_TRUE(program.says("FIST:"));
    hands.take(Pose::fist);
    ASSERT_TRUE(program.says("PINCH:"));
    hands.take(Pose::pinch);
    const Outcome outcome = program.wait();
    ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    const HandCalibration before = configured_fingertips(Config{});
    for (const Hand hand : kBothHands) {
        const auto [error_before, error_after] = errors_mm(outcome.out, hand);
        EXPECT_LT(error_after, error_before);
        EXPECT_LT(error_after, 3);
        const auto found = captured_fingertips(kept(), hand);
        ASSERT_TRUE(found);
        for (const std::size_t finger : {1u, 2u, 3u, 4u}) {
            const auto reach = [finger](const HandCalibration& calibration) {
                const FingerModel& model = calibration.fingers[finger];
                return std::hypot(model.root_in_wrist.position.x, model.root_in_wrist.position.y,
                                  model.root_in_wrist.position.z) +
                       model.root_to_middle_m + model.middle_to_end_m - model.tip_in_end.z;
            };
            EXPECT_NEAR(reach(*found) / reach(before), kScale, 0.05) << name_of(hand) << finger;
        }
    }
}

TEST_F(Calibrate, HandsThatMoveAreAskedAgainAndGivenUpOn) {
    const auto glove = gloves_.glove({"fnim", "--pose", "wave"});
    const Outcome outcome = calibrate({"--flat", "--yes"});
    expect_nothing_is_kept(outcome, "hand moved");
    std::size_t times = 0;
    for (std::size_t at = 0; (at = outcome.out.find("once more: the ", at)) != std::string::npos; ++at) {
        ++times;
    }
    EXPECT_EQ(times, 5u) << outcome.out;
}

TEST_F(Calibrate, AFistIsNoFlatHand) {
    const auto coils = gloves_.glove({"fnim", "--pose", "fist", "--hand", "left"});
    expect_nothing_is_kept(calibrate({"--flat", "--yes"}), "finger is not straight (left hand)");
}

TEST_F(Calibrate, AFistIsNoFlatHandOfHandEngineEither) {
    const auto rotations = gloves_.glove({"hand-engine", "--pose", "fist", "--hand", "right"});
    expect_nothing_is_kept(calibrate({"--flat", "--yes"}), "index finger is not straight (right hand)");
}

TEST_F(Calibrate, AnOpenHandIsNoFist) {
    const auto glove = gloves_.glove({"fnim", "--pose", "open", "--hand", "left"});
    expect_nothing_is_kept(calibrate({"--lengths", "left", "--yes"}), "finger is not closed (left hand)");
}

TEST_F(Calibrate, SaysWhenNobodySends) {
    expect_nothing_is_kept(calibrate({"--flat", "--yes"}), "nothing comes from the gloves");
}

TEST_F(Calibrate, SaysWhenAHandThatIsAskedForDoesNotSend) {
    const auto glove = gloves_.glove({"fnim", "--pose", "open", "--hand", "left"});
    expect_nothing_is_kept(calibrate({"--flat", "both", "--yes"}), "not both of the hands");
}

TEST_F(Calibrate, SaysWhichProgramGetsTheData) {
    const test::UdpSocket other(gloves_.port);
    expect_nothing_is_kept(calibrate({"--flat", "--yes"}),
                           "port " + std::to_string(gloves_.port) + " is held by test_calibrate (process ");
}

TEST_F(Calibrate, HasNothingToDoForWholeJoints) {
    const auto glove = gloves_.glove({"fsnh"});
    expect_nothing_is_kept(calibrate({"--flat", "--yes"}), "FSNH");
}

TEST_F(Calibrate, LengthsAreNotForHandEngine) {
    const auto glove = gloves_.glove({"hand-engine", "--pose", "open"});
    expect_nothing_is_kept(calibrate({"--lengths", "--yes"}), "need no lengths");
}

TEST_F(Calibrate, SlidersAreNotEnough) {
    const auto glove = gloves_.glove({"hand-engine", "--pose", "open", "--format", "sliders"});
    expect_nothing_is_kept(calibrate({"--flat", "--yes"}), "sliders are not enough");
}

TEST_F(Calibrate, SaysWhyTheFileCannotBeWrittenBeforeItAsksForAPose) {
    std::filesystem::create_directory(gloves_.calibration());
    const auto glove = gloves_.glove({"fnim", "--pose", "open"});
    const Outcome outcome = calibrate({"--flat", "--yes"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(gloves_.calibration().string()), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out.find("FLAT"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("Kept in"), std::string::npos);
}

TEST_F(Calibrate, HearsAGloveWhoseProgramWasStartedAgain) {
    std::optional<test::Program> glove;
    glove.emplace("glove_sim", gloves_.arguments_of({"fnim", "--pose", "fist"}));
    test::Program program("glovectl", {"calibrate", "--flat", "--yes"}, gloves_.environment());
    std::this_thread::sleep_for(std::chrono::seconds(3));  // within them it was asked to stretch its fingers
    glove.reset();
    glove.emplace("glove_sim", gloves_.arguments_of({"fnim", "--pose", "open"}));
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_F(Calibrate, CountsDownForPeopleAndKeepsNothingWhenStopped) {
    const auto glove = gloves_.glove({"fnim", "--pose", "open"});
    test::Program program("glovectl", {"calibrate", "--flat"}, gloves_.environment());
    ASSERT_TRUE(program.says("in 5 seconds"));
    program.send_signal(SIGINT);
    const Outcome outcome = program.wait();
    expect_nothing_is_kept(outcome, "stopped");
}

TEST_F(Calibrate, RefusesWrongArguments) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {}, {"--yes"}, {"--flat", "middle"}, {"--flat", "--lengths"}, {"--fist"}}) {
        const Outcome outcome = calibrate(arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.err, "");
    }
}

}  // namespace
}  // namespace glove
