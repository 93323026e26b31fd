// SPDX-License-Identifier: Apache-2.0
// glovectl calibrate left|right, with the test in place of the program that shows the hand, which answers through the
// file. Not covered: what a running layer does (tests/openxr/wrist_measurement_test.cpp), what a terminal shows,
// people.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <optional>
#include <thread>

#include "glovectl/wrist_calibration.hpp"
#include "samples/gloves_at_ports.hpp"
#include "support/wrist_request.hpp"
#include "wait_for.hpp"

namespace glove {
namespace {

using namespace std::chrono_literals;
using test::Outcome;

std::optional<WristRequest> request_in(const std::filesystem::path& file) {
    return wrist_request_in(load_calibration(file).values);
}

class CalibrateWrist : public testing::Test {
protected:
    [[nodiscard]] Outcome calibrate(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "calibrate");
        return test::run("glovectl", arguments, gloves_.environment());
    }

    // What a program that shows the hand says, once it was asked. Returns what it was asked.
    WristRequest answer(const std::string& stage, const std::string& words = "") const {
        std::optional<WristRequest> request;
        EXPECT_TRUE(test::wait_for([&] { return (request = request_in(gloves_.calibration())).has_value(); }));
        std::this_thread::sleep_for(
            20ms);  // a file that is written twice at one time of the file system looks the same
        CalibrationValues changes;
        changes.texts[kWristAnswerKey] = as_text(WristAnswer{request.value_or(WristRequest{}).number, stage, words});
        EXPECT_EQ(save_calibration(changes, gloves_.calibration()), "");
        return request.value_or(WristRequest{});
    }

    test::GlovesAtPorts gloves_;
};

TEST_F(CalibrateWrist, AsksForAFrozenHandAndTellsWhatWasFound) {
    test::Program program("glovectl", {"calibrate", "right"}, gloves_.environment());
    const WristRequest request = answer("took", "the hand is frozen");
    ASSERT_TRUE(program.says("into the frozen hand, 3 seconds"));
    answer("done", "khr/simple_controller/grip");
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("The hand is frozen"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("right wrist measured on khr/simple_controller/grip"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("Kept in " + gloves_.calibration().string()), std::string::npos) << outcome.out;

    EXPECT_FALSE(request.left);
    EXPECT_FALSE(request.by_native_hand);
    EXPECT_NE(request.number, kNobodysRequest);
}

TEST_F(CalibrateWrist, AsksToCompareWithTheHeadsetsHand) {
    test::Program program("glovectl", {"calibrate", "left", "--auto"}, gloves_.environment());
    const WristRequest request = answer("took");
    ASSERT_TRUE(program.says("turn and move, 3 seconds"));
    answer("done", "tracker; remaining difference 1.5 mm, 0.4 deg");
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("left wrist measured on tracker; remaining difference 1.5 mm, 0.4 deg"),
              std::string::npos)
        << outcome.out;
    EXPECT_TRUE(request.left);
    EXPECT_TRUE(request.by_native_hand);
}

TEST_F(CalibrateWrist, CountsDownToTheFrozenHandAndThenToTheEndOfHoldingStill) {
    test::Program program("glovectl", {"calibrate", "left"}, gloves_.environment());
    answer("took");
    ASSERT_TRUE(program.says("not still for long enough yet\n"));
    answer("done", "tracker");
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::size_t at = 0;
    for (const char* line :
         {"into the frozen hand, 3 seconds\n", "into the frozen hand, 2 seconds\n", "into the frozen hand, 1 second\n",
          "hold still, 2 seconds\n", "hold still, 1 second\n", "not still for long enough yet\n", "left wrist"}) {
        at = outcome.out.find(line, at);
        ASSERT_NE(at, std::string::npos) << line << outcome.out;
    }
}

TEST_F(CalibrateWrist, SaysWhatTheProgramWaitsForUntilItIsThereAndCountsAnew) {
    test::Program program("glovectl", {"calibrate", "left"}, gloves_.environment());
    answer("took");
    ASSERT_TRUE(program.says("into the frozen hand, 2 seconds\n"));
    answer("waits", "no controller follows this hand");
    ASSERT_TRUE(program.says("no controller follows this hand\n"));
    answer("took");
    ASSERT_TRUE(program.says("into the frozen hand, 3 seconds\n", 2));
    answer("done", "tracker");
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::size_t at = 0;
    for (const char* line : {"into the frozen hand, 3 seconds\n", "no controller follows this hand\n",
                             "into the frozen hand, 3 seconds\n", "left wrist measured"}) {
        at = outcome.out.find(line, at);
        ASSERT_NE(at, std::string::npos) << line << outcome.out;
    }
}

TEST_F(CalibrateWrist, SaysWhyTheProgramCouldNotMeasure) {
    test::Program program("glovectl", {"calibrate", "left"}, gloves_.environment());
    answer("took");
    answer("failed", "no controller or tracker follows this hand");
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "Nothing is kept: no controller or tracker follows this hand\n");
    EXPECT_EQ(outcome.out.find("Kept in"), std::string::npos);
}

TEST_F(CalibrateWrist, AnAnswerToAnEarlierQuestionIsNone) {
    CalibrationValues old;
    old.texts[kWristAnswerKey] = "1000 done tracker";
    old.numbers["somebody.elses"] = {1, 2};
    ASSERT_EQ(save_calibration(old, gloves_.calibration()), "");
    EXPECT_FALSE(ctl::calibrate_wrist({}, gloves_.calibration(), {400ms, 400ms}));
    EXPECT_EQ(load_calibration(gloves_.calibration()).values.numbers.at("somebody.elses"), (std::vector<double>{1, 2}));
}

TEST_F(CalibrateWrist, SaysWhatToDoWhenNobodyTakesItUpAndTakesTheRequestBack) {
    testing::internal::CaptureStderr();
    EXPECT_FALSE(ctl::calibrate_wrist({}, gloves_.calibration(), {400ms, 60s}));
    const std::string err = testing::internal::GetCapturedStderr();
    EXPECT_NE(err.find("no program took it up"), std::string::npos) << err;
    EXPECT_NE(err.find("glovectl status"), std::string::npos) << err;
    EXPECT_FALSE(request_in(gloves_.calibration()));
}

TEST_F(CalibrateWrist, DoesNotWaitForEverForAProgramThatEnded) {
    std::thread program([this] { answer("took"); });
    testing::internal::CaptureStderr();
    EXPECT_FALSE(ctl::calibrate_wrist({}, gloves_.calibration(), {60s, 800ms}));
    program.join();
    EXPECT_NE(testing::internal::GetCapturedStderr().find("said nothing more"), std::string::npos);
}

TEST_F(CalibrateWrist, TakesItsRequestBackWhenStopped) {
    test::Program program("glovectl", {"calibrate", "left"}, gloves_.environment());
    ASSERT_TRUE(test::wait_for([&] { return request_in(gloves_.calibration()).has_value(); }));
    program.send_signal(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "Nothing is kept: stopped\n");
    EXPECT_FALSE(request_in(gloves_.calibration()));
}

TEST_F(CalibrateWrist, TakesItsRequestBackWhenStoppedWhileTheHandIsFrozen) {
    test::Program program("glovectl", {"calibrate", "left"}, gloves_.environment());
    answer("took");
    ASSERT_TRUE(program.says("The hand is frozen"));
    program.send_signal(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "Nothing is kept: stopped\n");
    EXPECT_FALSE(request_in(gloves_.calibration()));
}

TEST_F(CalibrateWrist, SaysWhyItCannotAsk) {
    std::filesystem::create_directory(gloves_.calibration());
    const Outcome outcome = calibrate({"left"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(gloves_.calibration().string()), std::string::npos) << outcome.err;
}

TEST_F(CalibrateWrist, RefusesWrongArguments) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"both"},
                                                                                           {"left", "right"},
                                                                                           {"--auto"},
                                                                                           {"left", "--yes"},
                                                                                           {"left", "--flat"},
                                                                                           {"--flat", "--auto"},
                                                                                           {"right", "--lengths"}}) {
        const Outcome outcome = calibrate(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments.front();
        EXPECT_NE(outcome.err, "");
        EXPECT_FALSE(std::filesystem::exists(gloves_.calibration()));
    }
}

}  // namespace
}  // namespace glove
