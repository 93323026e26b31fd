// SPDX-License-Identifier: Apache-2.0
// glovectl calibrate left|right, with a stand-in for the program that shows the hand, which answers through the file.
// Not covered: what a running layer does (tests/openxr/wrist_measurement_test.cpp), what a terminal shows, people.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
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

// Takes up the first request and goes through `stages`, each with its words, half a second apart.
class StandIn {
public:
    StandIn(std::filesystem::path file, std::vector<std::pair<std::string, std::string>> stages)
        : file_(std::move(file)), stages_(std::move(stages)), thread_([this] { answer(); }) {}
    ~StandIn() {
        over_ = true;
        thread_.join();
    }
    StandIn(const StandIn&) = delete;
    StandIn& operator=(const StandIn&) = delete;

    // Once glovectl ended.
    [[nodiscard]] std::optional<WristRequest> taken() {
        over_ = true;
        if (thread_.joinable()) {
            thread_.join();
        }
        thread_ = std::thread([] {});
        return taken_;
    }

private:
    void answer() {
        while (!over_ && !(taken_ = request_in(file_))) {
            std::this_thread::sleep_for(20ms);
        }
        for (const auto& [stage, words] : stages_) {
            if (over_) {
                return;
            }
            CalibrationValues changes;
            changes.texts[kWristAnswerKey] = as_text(WristAnswer{taken_->number, stage, words});
            EXPECT_EQ(save_calibration(changes, file_), "");
            std::this_thread::sleep_for(500ms);
        }
    }

    std::filesystem::path file_;
    std::vector<std::pair<std::string, std::string>> stages_;
    std::optional<WristRequest> taken_;
    std::atomic<bool> over_{false};
    std::thread thread_;
};

class CalibrateWrist : public testing::Test {
protected:
    [[nodiscard]] Outcome calibrate(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "calibrate");
        return test::run("glovectl", arguments, gloves_.environment());
    }

    test::GlovesAtPorts gloves_;
};

TEST_F(CalibrateWrist, AsksForAFrozenHandAndTellsWhatWasFound) {
    StandIn program(gloves_.calibration(), {{"took", "the hand is frozen"}, {"done", "khr/simple_controller/grip"}});
    const auto before = std::chrono::system_clock::now();
    const Outcome outcome = calibrate({"right"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("The hand is frozen"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("into the frozen hand, 3 seconds"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("right wrist measured on khr/simple_controller/grip"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("Kept in " + gloves_.calibration().string()), std::string::npos) << outcome.out;

    const auto request = program.taken();
    ASSERT_TRUE(request);
    EXPECT_FALSE(request->left);
    EXPECT_FALSE(request->by_native_hand);
    // The layer tells old requests by it.
    const auto asked = std::chrono::system_clock::time_point(std::chrono::milliseconds(request->number));
    EXPECT_GE(asked, before - 1ms);
    EXPECT_LE(asked, std::chrono::system_clock::now());
}

TEST_F(CalibrateWrist, AsksToCompareWithTheHeadsetsHand) {
    StandIn program(gloves_.calibration(), {{"took", ""}, {"done", "tracker; remaining difference 1.5 mm, 0.4 deg"}});
    const Outcome outcome = calibrate({"left", "--auto"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("turn and move, 3 seconds"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("left wrist measured on tracker; remaining difference 1.5 mm, 0.4 deg"),
              std::string::npos)
        << outcome.out;
    const auto request = program.taken();
    ASSERT_TRUE(request);
    EXPECT_TRUE(request->left);
    EXPECT_TRUE(request->by_native_hand);
}

TEST_F(CalibrateWrist, CountsDownToTheFrozenHandAndThenToTheEndOfHoldingStill) {
    std::vector<std::pair<std::string, std::string>> stages(11, {"took", ""});  // 5.5 seconds
    stages.emplace_back("done", "tracker");
    const StandIn program(gloves_.calibration(), stages);
    const Outcome outcome = calibrate({"left"});
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
    const StandIn program(
        gloves_.calibration(),
        {{"took", ""}, {"waits", "no controller follows this hand"}, {"took", ""}, {"took", ""}, {"done", "tracker"}});
    const Outcome outcome = calibrate({"left"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::size_t at = 0;
    for (const char* line : {"into the frozen hand, 3 seconds\n", "no controller follows this hand\n",
                             "into the frozen hand, 3 seconds\n", "left wrist measured"}) {
        at = outcome.out.find(line, at);
        ASSERT_NE(at, std::string::npos) << line << outcome.out;
    }
    EXPECT_EQ(outcome.out.find("into the frozen hand, 1 second"), std::string::npos) << outcome.out;
}

TEST_F(CalibrateWrist, SaysWhyTheProgramCouldNotMeasure) {
    const StandIn program(gloves_.calibration(),
                          {{"took", ""}, {"failed", "no controller or tracker follows this hand"}});
    const Outcome outcome = calibrate({"left"});
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
    const StandIn program(gloves_.calibration(), {{"took", ""}});
    testing::internal::CaptureStderr();
    EXPECT_FALSE(ctl::calibrate_wrist({}, gloves_.calibration(), {60s, 800ms}));
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
    const StandIn stand_in(gloves_.calibration(), {{"took", ""}});
    test::Program program("glovectl", {"calibrate", "left"}, gloves_.environment());
    ASSERT_TRUE(
        test::wait_for([&] { return wrist_answer_in(load_calibration(gloves_.calibration()).values).has_value(); }));
    std::this_thread::sleep_for(300ms);
    program.send_signal(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.out.find("The hand is frozen"), std::string::npos) << outcome.out;
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
