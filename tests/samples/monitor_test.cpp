// SPDX-License-Identifier: Apache-2.0
// glovectl monitor as a person starts it, with glove_sim as the gloves.
// Not covered: the kinematic port; Windows.
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "folders.hpp"
#include "glovectl/monitor_view.hpp"
#include "samples/gloves_at_ports.hpp"

namespace glove {
namespace {

using nlohmann::json;
using test::Outcome;

class Monitor : public testing::Test {
protected:
    [[nodiscard]] Outcome monitor(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "monitor");
        return test::run("glovectl", arguments, gloves_.environment());
    }

    // What --once says, and the exit status it ends with.
    [[nodiscard]] json once(int status) const {
        const Outcome outcome = monitor({"--once", "--json"});
        EXPECT_EQ(outcome.status, status) << outcome.err;
        EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
        return json::parse(outcome.out);
    }

    // A machine that pauses takes no hand away.
    Monitor() { gloves_.configure("[age]\ntracked_ms = 10000\nvalid_ms = 60000\n"); }

    test::GlovesAtPorts gloves_;
};

TEST_F(Monitor, FindsNoHandWhenNobodySends) {
    const json seen = once(1);
    for (const char* hand : {"left", "right"}) {
        EXPECT_EQ(seen["hands"][hand], (json{{"live", false},
                                             {"tracked", false},
                                             {"source", nullptr},
                                             {"rate_hz", 0.0},
                                             {"loss", 0.0},
                                             {"age_ms", nullptr},
                                             {"curl", nullptr}}));
    }
    EXPECT_EQ(seen["hand_engine"], nullptr);
    EXPECT_EQ(seen["refused"], json::object());
    json addresses = json::array();
    for (const char* address : {"127.0.0.1", "::1"}) {
        if (test::is_free_udp_port(0, address)) {
            addresses.push_back({{"address", address}, {"listening", true}, {"problem", nullptr}});
        }
    }
    EXPECT_EQ(seen["ports"], (json::array({{{"port", gloves_.port},
                                            {"protocols", "FSNH, FNIM"},
                                            {"listening", true},
                                            {"addresses", addresses},
                                            {"holders", json::array()}},
                                           {{"port", gloves_.hand_engine_port},
                                            {"protocols", "Hand Engine"},
                                            {"listening", true},
                                            {"addresses", addresses},
                                            {"holders", json::array()}}})));
    EXPECT_NE(monitor({"--once"}).out.find("(FSNH, FNIM): listening on 127.0.0.1"), std::string::npos);
}

// Beside the monitor: what is listened on, and who does.
TEST_F(Monitor, StatusListsWhereGlovesAreListenedForAndWhoHasThePorts) {
    const test::UdpSocket other(gloves_.port);
    const json seen = json::parse(test::run("glovectl", {"status", "--json"}, gloves_.environment()).out)["gloves"];
    EXPECT_EQ(seen["addresses"], (json::array({"127.0.0.1", "::1"})));
    EXPECT_EQ(seen["ports"][0]["port"], gloves_.port);
    EXPECT_EQ(seen["ports"][1]["protocols"], "Hand Engine");
    EXPECT_EQ(seen["ports"][1]["holders"], json::array());
    const std::string text = test::run("glovectl", {"status"}, gloves_.environment()).out;
    EXPECT_NE(text.find("listens on 127.0.0.1, ::1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("(FSNH, FNIM): held by test_monitor"), std::string::npos) << text;
    EXPECT_NE(text.find("(Hand Engine): free now"), std::string::npos) << text;
}

TEST_F(Monitor, HearsWhoSendsToLocalhostByItsName) {
    const test::Program glove("glove_sim", {"fsnh", "--quiet", "--to", "localhost:" + std::to_string(gloves_.port)});
    EXPECT_EQ(once(0)["hands"]["left"]["live"], true);
}

TEST_F(Monitor, SeesTheHandThatSendsAndHowFarItsFingersAreClosed) {
    const auto glove = gloves_.glove({"fsnh", "--hand", "left", "--pose", "point"});
    const json seen = once(0);
    const json& left = seen["hands"]["left"];
    EXPECT_EQ(left["live"], true);
    EXPECT_EQ(left["tracked"], true);
    EXPECT_EQ(left["source"], "fsnh");
    EXPECT_GT(left["rate_hz"], 60.0);
    EXPECT_LT(left["rate_hz"], 240.0);
    EXPECT_GE(left["age_ms"], 0.0);
    EXPECT_LT(left["curl"]["index"], 0.2);
    EXPECT_GT(left["curl"]["middle"], 0.8);
    EXPECT_EQ(seen["hands"]["right"]["live"], false);
}

TEST_F(Monitor, TellsHowMuchIsLost) {
    const auto glove = gloves_.glove({"fnim", "--rate", "240", "--loss", "0.3"});
    const json seen = once(0);
    EXPECT_EQ(seen["hands"]["left"]["source"], "fnim");
    EXPECT_NEAR(seen["hands"]["left"]["loss"].get<double>(), 0.3, 0.15);
    EXPECT_NEAR(seen["hands"]["right"]["loss"].get<double>(), 0.3, 0.15);
}

TEST_F(Monitor, ShowsWhatHandEngineSaysOfItsGloves) {
    const auto glove = gloves_.glove({"hand-engine", "--uncalibrated", "--battery", "42.5", "--performer", "2",
                                      "--pose", "wave", "--rig", "mirror-x"});
    const json seen = once(0);
    EXPECT_EQ(seen["hands"]["right"]["source"], "hand_engine");
    EXPECT_EQ(seen["hands"]["right"]["tracked"], false) << "a glove that is not calibrated";
    EXPECT_EQ(seen["hand_engine"]["performer"], (json{{"number", 2}, {"name", "Simulated"}, {"staged", true}}));
    EXPECT_EQ(seen["hand_engine"]["dongles"], (json::array({{{"id", "SIM-DONGLE"}, {"firmware", "1.0.0"}}})));
    EXPECT_EQ(seen["hand_engine"]["gloves"]["right"], (json{{"id", "SIM-STUDIO-R"},
                                                            {"product", "Studio Glove"},
                                                            {"revision", "G"},
                                                            {"firmware", "1.0.0"},
                                                            {"dongle", "SIM-DONGLE"},
                                                            {"calibrated", false},
                                                            {"battery", 42.5},
                                                            {"axes", "mirror-x"}}));
}

TEST_F(Monitor, SaysWhichProgramHoldsThePort) {
    const test::UdpSocket other(gloves_.port);
    const json seen = once(1);
    EXPECT_EQ(seen["ports"][0]["listening"], false);
    EXPECT_EQ(seen["ports"][0]["addresses"][0]["listening"], false);
    // Not it alone: the program that we started has our socket too.
    const json holders = seen["ports"][0]["holders"];
    const json me = {{"process", getpid()}, {"program", "test_monitor"}};
    EXPECT_NE(std::find(holders.begin(), holders.end(), me), holders.end()) << holders;
    EXPECT_EQ(seen["ports"][1]["listening"], true);

    const Outcome for_people = monitor({"--once"});
    EXPECT_EQ(for_people.status, 1);
    EXPECT_NE(for_people.out.find("held by test_monitor (process " + std::to_string(getpid()) + ")"), std::string::npos)
        << for_people.out;
}

TEST_F(Monitor, SaysOfAnAddressThatIsNotOfThisMachineThatItIsATypingError) {
    std::ofstream(gloves_.config()) << "[receiver]\naddress = \"192.0.2.1\"\nallowed_senders = [\"192.0.2.0/24\"]\n";
    const Outcome for_people = monitor({"--once"});
    EXPECT_NE(for_people.out.find("192.0.2.1 cannot be listened on: "), std::string::npos) << for_people.out;
    EXPECT_NE(for_people.out.find("typing error in receiver.address"), std::string::npos) << for_people.out;
    EXPECT_EQ(for_people.out.find("held by"), std::string::npos) << for_people.out;
}

TEST_F(Monitor, CountsWhatIsNotUsable) {
    std::atomic<bool> over{false};
    std::thread sender([&] {
        test::UdpSocket socket;
        while (!over) {
            socket.send(std::vector<std::byte>(100), gloves_.port);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    });
    const Outcome outcome = monitor({"--once", "--json"});
    over = true;
    sender.join();
    const json seen = json::parse(outcome.out);
    EXPECT_GT(seen["refused"]["FSNH: size"], 10) << seen;
}

TEST_F(Monitor, CountsSendersThatAreNotAllowed) {
    std::ofstream(gloves_.config()) << "[receiver]\nport = " << gloves_.port << "\nallowed_senders = [\"192.0.2.7\"]\n";
    const auto glove = gloves_.glove({"fsnh"});
    EXPECT_GT(once(1)["refused"]["sender not allowed"], 10);
    const Outcome for_people = monitor({"--once"});
    EXPECT_NE(for_people.out.find("(sender not allowed)"), std::string::npos) << for_people.out;
}

TEST_F(Monitor, SaysALinePerHandAndSecondWhereStdoutIsNoTerminal) {
    const auto glove = gloves_.glove({"fsnh"});
    const Outcome outcome = monitor({"--seconds", "2.5"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4) << outcome.out;

    const Outcome as_json = monitor({"--seconds", "2.5", "--json"});
    std::istringstream lines(as_json.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_TRUE(json::parse(line).contains("hands"));
    }
    EXPECT_EQ(count, 2);
}

TEST_F(Monitor, EndsCleanlyWhenStopped) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const auto glove = gloves_.glove({"fsnh", "--hand", "right"});
        test::Program program("glovectl", {"monitor"}, gloves_.environment());
        EXPECT_TRUE(program.says("right  fsnh"));
        program.send_signal(signal);
        EXPECT_EQ(program.wait().status, 0) << signal;
    }
}

TEST_F(Monitor, NamesWhatIsWrongInTheConfiguration) {
    gloves_.configure("[receever]\n");
    const Outcome outcome = monitor({"--once", "--seconds", "0.1"});
    EXPECT_NE(outcome.err.find(gloves_.config() + ":"), std::string::npos) << outcome.err;
}

TEST_F(Monitor, RefusesWrongArguments) {
    for (const char* seconds : {"-1", "nan", "soon"}) {
        EXPECT_EQ(monitor({"--seconds", seconds}).status, 2);
    }
}

// A terminal's side: all that the program writes until it ends, told to stop once it has painted twice.
TEST_F(Monitor, RepaintsInPlaceOnATerminalAndGivesTheCursorBack) {
    for (const auto& [name, value] : gloves_.environment()) {
        setenv(name.c_str(), value->c_str(), 1);
    }
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    ASSERT_GE(child, 0);
    if (child == 0) {
        execl(GLOVE_BUILD_DIR "/bin/glovectl", "glovectl", "monitor", nullptr);
        _exit(127);
    }
    const std::string up = "\x1b[8A";  // two ports, and an empty line and two lines for each hand
    std::string painted;
    std::array<char, 4096> bytes{};
    bool stopped = false;
    for (ssize_t size = 0; (size = read(terminal, bytes.data(), bytes.size())) > 0;) {
        painted.append(bytes.data(), static_cast<std::size_t>(size));
        if (!stopped && painted.find(up, painted.find(up) + 1) != std::string::npos) {
            stopped = true;
            kill(child, SIGINT);
        }
    }
    close(terminal);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1) << "no glove sent";
    EXPECT_TRUE(stopped);
    EXPECT_EQ(painted.rfind("\x1b[?25l", 0), 0u);
    ASSERT_GE(painted.size(), 6u);
    EXPECT_EQ(painted.substr(painted.size() - 6), "\x1b[?25h");
}

ctl::MonitorReading busy_reading() {
    ctl::MonitorReading reading{};
    for (ctl::HandReading& hand : reading.hands) {
        hand = {true, false, Source::hand_engine, 123456, 1234, 1, {1, 1, 1, 1, 1}};
    }
    const std::vector<UdpReceiver::Address> addresses{{"127.0.0.1", "", false}, {"::1", "", false}};
    reading.ports = {{{"FSNH, FNIM", 65535, addresses}, {}}, {{"Hand Engine", 65535, addresses}, {}}};
    reading.hand_engine.gloves[0].received_ns = 1;
    reading.hand_engine.gloves[0].id = "\x1b[2J\n\"\xff";
    return reading;
}

TEST(MonitorView, FitsIntoEightyColumns) {
    ctl::MonitorReading reading = busy_reading();
    std::istringstream lines(ctl::as_table(reading));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80u) << line;
    }
}

TEST(MonitorView, GivesATerminalNoBytesOfASenders) {
    const std::string table = ctl::as_table(busy_reading());
    EXPECT_NE(table.find("glove ?[2J?\"?"), std::string::npos) << table;
    EXPECT_TRUE(std::all_of(table.begin(), table.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
}

TEST(MonitorView, GivesJsonEvenForNamesThatAreNoText) {
    const json seen = json::parse(ctl::as_json(busy_reading()));
    EXPECT_TRUE(seen["hand_engine"]["gloves"]["left"]["id"].is_string());
}

}  // namespace
}  // namespace glove
