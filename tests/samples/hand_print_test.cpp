// SPDX-License-Identifier: Apache-2.0
// hand_print as a person starts it, through the real loader, on the test runtime, with glove_sim as the glove.
// Not covered: a runtime without headless sessions or time conversion (the test runtime's own process would have to
// script it), the STAGE and VIEW spaces' places, graphics runtimes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "folders.hpp"
#include "fsnh_encoding.hpp"
#include "hand_print/hand_report.hpp"
#include "samples/run_program.hpp"
#include "senders/hand_poses.hpp"
#include "udp_socket.hpp"

namespace glove {
namespace {

using nlohmann::json;

// A machine of its own: only what the test says is registered, a free port, log and configuration in a scratch folder.
class HandPrint : public testing::Test {
protected:
    HandPrint() {
        port_ = test::free_udp_port();
        const std::string config = folder_.path() / "glove_hands.toml";
        std::ofstream(config) << "[receiver]\nport = " << port_ << "\n";
        const std::string folder = folder_.path();
        environment_ = {{"HOME", folder},
                        {"XDG_CONFIG_HOME", folder},
                        {"XDG_CONFIG_DIRS", folder},
                        {"XDG_DATA_HOME", folder},
                        {"XDG_DATA_DIRS", GLOVE_BUILD_DIR "/share"},
                        {"XR_RUNTIME_JSON", GLOVE_BUILD_DIR "/share/glove_hands/test_runtime.json"},
                        {"XR_LOADER_DEBUG", std::nullopt},
                        {"XR_ENABLE_API_LAYERS", std::nullopt},
                        {"DISABLE_GLOVE_HANDS", std::nullopt},
                        {"GLOVE_HANDS_CONFIG", config},
                        {"GLOVE_HANDS_LOG", folder + "/glove_hands.log"}};
    }

    [[nodiscard]] test::Outcome print(const std::vector<std::string>& arguments) const {
        return test::run("hand_print", arguments, environment_);
    }

    // Until it is destroyed.
    [[nodiscard]] test::Program glove(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"fsnh", "--quiet", "--to", "127.0.0.1:" + std::to_string(port_)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::Program("glove_sim", arguments);
    }

    test::Environment environment_;

private:
    test::ScratchFolder folder_;
    int port_;
};

XrQuaternionf orientation_of(const json& joint) {
    const json& q = joint["orientation_xyzw"];
    return {q[0].get<float>(), q[1].get<float>(), q[2].get<float>(), q[3].get<float>()};
}

std::vector<json> lines_of(const std::string& text) {
    std::vector<json> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        out.push_back(json::parse(line));
    }
    return out;
}

TEST_F(HandPrint, SaysWhatToDoWhenNobodyOffersHandTracking) {
    environment_["XDG_DATA_DIRS"] = environment_["HOME"];
    const test::Outcome outcome = print({});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_NE(outcome.err.find("XR_EXT_hand_tracking"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("is the layer registered?"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
}

TEST_F(HandPrint, SaysThatThereIsNoRuntime) {
    environment_["XR_RUNTIME_JSON"] = "/nowhere/runtime.json";
    const test::Outcome outcome = print({});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_NE(outcome.err.find("hand_print: no OpenXR runtime answers"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
}

TEST_F(HandPrint, RefusesWrongArgumentsWithStatus2AndSaysWhich) {
    const std::vector<std::vector<std::string>> cases{
        {"--frames", "0"},         {"--frames", "many"},       {"--space", "world"}, {"--wait-seconds", "-1"},
        {"--wait-seconds", "nan"}, {"--wait-seconds", "soon"}, {"--colour", "red"}};
    for (const std::vector<std::string>& arguments : cases) {
        const test::Outcome outcome = print(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments[1];
        EXPECT_NE(outcome.err.find(arguments[0]), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
}

TEST_F(HandPrint, PrintsTheGlovesHandsAroundTheirWrists) {
    using namespace test;  // arithmetic of its own
    const Program sender = glove({"--pose", "pinch"});
    const test::Outcome outcome = print({"--json", "--frames", "3", "--velocities"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const std::vector<json> frames = lines_of(outcome.out);
    ASSERT_EQ(frames.size(), 3u);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_EQ(frames[i]["frame"], i + 1);
        EXPECT_TRUE(i == 0 || frames[i]["time_ns"] > frames[i - 1]["time_ns"]);
        for (const Hand hand : kBothHands) {
            const json& found = frames[i]["hands"][name_of(hand)];
            EXPECT_EQ(found["active"], true);
            EXPECT_EQ(found["source"], "fsnh");
            EXPECT_EQ(found["tracked"], false);           // the wrist hangs before the head
            EXPECT_GT(found["packets_per_second"], 0.0);  // 120 are sent; how many come is the machine's matter
            EXPECT_LT(found["packets_per_second"], 240.0);
            EXPECT_GE(found["age_ms"], 0.0);
            EXPECT_LE(found["age_ms"], 500.0);  // else the hand would not be active
            ASSERT_EQ(found["joints"].size(), 26u);

            const HandJoints sent = hand_joints(hand, Pose::pinch, 0);
            const json& wrist = found["joints"][XR_HAND_JOINT_WRIST_EXT];
            EXPECT_EQ(wrist["name"], "wrist");
            const json& tip = found["joints"][XR_HAND_JOINT_INDEX_TIP_EXT];
            EXPECT_EQ(tip["name"], "index-tip");
            // As sent, seen from the wrist, which points where its forearm does.
            const test::Matrix to_wrist = transposed(matrix_of(orientation_of(wrist)));
            test::Row between{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                between[axis] = tip["position_mm"][axis].get<double>() - wrist["position_mm"][axis].get<double>();
                EXPECT_NEAR(tip["linear_mm_per_s"][axis].get<double>(), 0, 0.1) << "the hand is still";
            }
            const test::Row seen = to_wrist * between;
            const XrVector3f& position = sent[XR_HAND_JOINT_INDEX_TIP_EXT].position;
            const test::Row wanted{position.x, position.y, position.z};
            const test::Matrix turned = to_wrist * matrix_of(orientation_of(tip));
            const test::Matrix wanted_turn = matrix_of(sent[XR_HAND_JOINT_INDEX_TIP_EXT].orientation);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                EXPECT_NEAR(seen[axis], 1000 * wanted[axis], 0.1) << name_of(hand) << " axis " << axis;
                for (std::size_t column = 0; column < 3; ++column) {
                    EXPECT_NEAR(turned[axis][column], wanted_turn[axis][column], 1e-3);
                }
            }
            EXPECT_GT(tip["radius_mm"], 3.0);
            EXPECT_EQ(tip["flags"].get<std::string>().size(), 4u);
            EXPECT_EQ(tip["flags"].get<std::string>().find('-'), std::string::npos);
        }
    }
}

// Gloves of 120 packets a second that begin late, pause and come again, looked at 90 times a second.
TEST(PacketRate, IsTheGlovesFromItsFirstFigureOn) {
    PacketRate rate;
    std::uint64_t sent = 0;
    int figures = 0;
    for (int frame = 0; frame < 90 * 6; ++frame) {
        const double seconds = frame / 90.0;
        const bool sends = (seconds > 0.7 && seconds < 2.7) || seconds > 4.5;
        sent += sends ? (frame % 3 == 0 ? 2 : 1) : 0;
        rate.add(PacketRate::TimePoint() + std::chrono::duration_cast<PacketRate::TimePoint::duration>(
                                               std::chrono::duration<double>(1000 + seconds)),
                 sent);
        if (seconds < 0.7) {
            EXPECT_FALSE(rate.per_second()) << seconds;
        } else if (sends && rate.per_second() && *rate.per_second() > 0) {
            EXPECT_NEAR(*rate.per_second(), 120, 6) << seconds;
            ++figures;
        } else if (seconds > 3.8 && seconds < 4.5) {
            EXPECT_EQ(rate.per_second(), 0.0) << seconds;
        }
    }
    EXPECT_GE(figures, 90 * (1.7 + 1.2));
}

TEST_F(HandPrint, PrintsTextForPeople) {
    const test::Program sender = glove({});
    const test::Outcome outcome = print({"--space", "stage"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("space stage"), std::string::npos);
    EXPECT_NE(outcome.out.find("\n  little-tip "), std::string::npos);
    EXPECT_NE(outcome.out.find("\nleft   active, source fsnh, "), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find(" - packets/s"), std::string::npos) << "it waited for a figure";
    EXPECT_NE(outcome.out.find("\nright  active, source fsnh, "), std::string::npos) << outcome.out;
    // A line for the frame, two heads, two hands, two summaries.
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1 + 2 + 2 * 26 + 2);
}

TEST_F(HandPrint, EndsWithStatus1WhenAHandIsMissing) {
    const test::Program sender = glove({"--hand", "left"});
    const test::Outcome outcome = print({"--json", "--wait-seconds", "1"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("the right hand is not active"), std::string::npos) << outcome.err;
    const std::vector<json> frames = lines_of(outcome.out);
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(frames[0]["hands"]["left"]["active"], true);
    EXPECT_EQ(frames[0]["hands"]["right"]["active"], false);
    EXPECT_EQ(frames[0]["hands"]["right"]["joints"].size(), 0u);
}

TEST_F(HandPrint, TellsThatItWaits) {
    const test::Outcome outcome = print({"--wait-seconds", "2.5"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("waiting: the hands are not active; the layer receives on port "), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.out.find("left   not active, source none, - packets/s"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace glove
