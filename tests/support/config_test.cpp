// SPDX-License-Identifier: Apache-2.0
// Not covered: what the values do; that is tested where they are used. A file without read permission, since the tests
// may run as root.
#include "support/config.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>

#include "folders.hpp"
#include "samples/run_program.hpp"

namespace glove {
namespace {

constexpr std::size_t kLimit = 262'144;  // 256 KiB

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line + '\n';
    }
    return text;
}

// The line number of "gloves.toml:12: ..."; 0 when the complaint has another form.
int line_of(const std::string& complaint) {
    const std::string file = "gloves.toml:";
    int line = 0;
    if (complaint.rfind(file, 0) != 0 || complaint.find("; ") == std::string::npos) {
        return 0;
    }
    const auto [end, error] =
        std::from_chars(complaint.data() + file.size(), complaint.data() + complaint.size(), line);
    return error == std::errc() && *end == ':' ? line : 0;
}

struct Mistake {
    const char* text;
    int line;
    const char* mentions;
};

// One complaint at that line, and nothing else changes.
void expect_one_complaint(const Mistake& mistake) {
    const ConfigResult result = parse_config(mistake.text, "gloves.toml");
    SCOPED_TRACE(std::string(mistake.text) + "\n-> " + joined(result.complaints));
    EXPECT_EQ(result.config, Config{});
    ASSERT_EQ(result.complaints.size(), 1U);
    EXPECT_EQ(line_of(result.complaints[0]), mistake.line);
    EXPECT_NE(result.complaints[0].find(mistake.mentions), std::string::npos);
}

void expect_all_within_limits(const Config& config) {
    EXPECT_GE(config.receiver.port, 1);
    EXPECT_FALSE(config.receiver.addresses.empty());
    for (const std::string& address : config.receiver.addresses) {
        if (address.rfind("127.", 0) != 0 && address != "::1") {
            EXPECT_FALSE(config.receiver.allowed_senders.empty()) << address;
        }
    }
    EXPECT_TRUE(config.hand.size_mm >= 60 && config.hand.size_mm <= 130) << config.hand.size_mm;
    for (const double bone : config.hand.bones_mm.index) {
        EXPECT_TRUE(bone == 0 || (bone >= 5 && bone <= 120)) << bone;
    }
    EXPECT_TRUE(!config.hand_engine.enabled || config.hand_engine.port != config.receiver.port);
    EXPECT_GE(config.hand_engine.performer, 0);
    const auto& wrist = config.wrist;
    for (const Config::Placement* placement : {&wrist.view.left, &wrist.view.right, &wrist.fixed.left,
                                               &wrist.fixed.right, &config.fnim.wrist_in_transmitter}) {
        for (int i = 0; i < 3; ++i) {
            const auto axis = static_cast<std::size_t>(i);
            EXPECT_LE(std::abs(placement->position_mm[axis]), 10000);
            EXPECT_LE(std::abs(placement->rotation_deg[axis]), 360);
        }
    }
    EXPECT_TRUE(config.age.tracked_ms >= 10 && config.age.tracked_ms <= 10000) << config.age.tracked_ms;
    EXPECT_TRUE(config.age.valid_ms >= config.age.tracked_ms && config.age.valid_ms <= 60000) << config.age.valid_ms;
}

TEST(Config, IsTheDefaultsWhenTheFileIsEmpty) {
    for (const char* text : {"", "\n", "# nothing\n", "[receiver]\n[wrist.view.left]\n"}) {
        const ConfigResult result = parse_config(text, "gloves.toml");
        EXPECT_EQ(result.config, Config{});
        EXPECT_TRUE(result.complaints.empty()) << joined(result.complaints);
    }
}

TEST(Config, TakesEveryKey) {
    const ConfigResult result = parse_config(R"(
[receiver]
address = "192.168.1.5"
port = 6000
allowed_senders = ["192.168.1.20", "fe80::2"]
[hand]
size_mm = 101.5
[hand.bones_mm]
thumb = [40, 31.5, 0]
index = [60, 41, 24, 17]
middle = [61, 42, 25, 18]
ring = [62, 43, 26, 19]
little = [63, 44, 27, 20]
[hand_engine]
enabled = false
port = 9500
performer = 3
axes = "custom"
custom_axes = { left = [0, 0, 1, 1, 0, 0, 0, -1, 0], right = [-1, 0, 0, 0, -1, 0, 0, 0, -1] }
rest = "captured"
[hand_engine.kinematic]
enabled = true
port = 9003
[fnim]
wrist_in_transmitter = { position_mm = [1, -2, 30], rotation_deg = [0, 90, -10] }
[fnim.coil_in_tip_mm]
thumb = [1, 2, 3]
index = [4, 5, 6]
middle = [7, 8, 9]
ring = [10, 11, 12]
little = [-50, 50, -13.5]
[wrist]
source = "fixed"
report_tracked = true
self_attach = true
calibrate_by_gesture = true
[wrist.tracker]
left = "left_elbow"
right = "handheld_object"
[wrist.offset.tracker]
right = { position_mm = [1, 1, 2] }
[wrist.offset."/interaction_profiles/oculus/touch_controller/grip".left]
rotation_deg = [3, 5, 8]
[wrist.view]
left = { position_mm = [-1, 2, -3], rotation_deg = [10, -20, 30] }
right = { position_mm = [4.5, 5, 6], rotation_deg = [1, 2, 3] }
[wrist.fixed]
space = "stage"
left = { position_mm = [7, 8, 9], rotation_deg = [4, 5, 6] }
right = { position_mm = [10, 11, 12], rotation_deg = [7, 8, 9] }
[fallback]
order = ["controller", "glove", "native"]
controller_fingers = "always"
[fallback.curl]
thumb = [0.4, 0.4, -0.6, 1]
closed = 0.75
[age]
tracked_ms = 50
valid_ms = 60
[log]
level = "debug"
)",
                                             "gloves.toml");
    EXPECT_TRUE(result.complaints.empty()) << joined(result.complaints);
    Config wanted;
    wanted.receiver.addresses = {"192.168.1.5"};
    wanted.receiver.port = 6000;
    wanted.receiver.allowed_senders = {"192.168.1.20", "fe80::2"};
    wanted.hand.size_mm = 101.5;
    wanted.hand.bones_mm = {{40, 31.5, 0}, {60, 41, 24, 17}, {61, 42, 25, 18}, {62, 43, 26, 19}, {63, 44, 27, 20}};
    wanted.hand_engine = {false,
                          9500,
                          3,
                          Config::Axes::custom,
                          {{0, 0, 1, 1, 0, 0, 0, -1, 0}, {-1, 0, 0, 0, -1, 0, 0, 0, -1}},
                          Config::Rest::captured,
                          {true, 9003}};
    wanted.fnim = {{{1, -2, 30}, {0, 90, -10}}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}, {-50, 50, -13.5}}};
    wanted.wrist.source = Config::WristSource::fixed;
    wanted.wrist.report_tracked = true;
    wanted.wrist.self_attach = true;
    wanted.wrist.calibrate_by_gesture = true;
    wanted.wrist.tracker = {"left_elbow", "handheld_object"};
    wanted.wrist.offsets = {
        {"/interaction_profiles/oculus/touch_controller/grip", Config::Placement{{0, 0, 0}, {3, 5, 8}}, {}},
        {"tracker", {}, Config::Placement{{1, 1, 2}, {0, 0, 0}}}};
    wanted.wrist.view.left = {{-1, 2, -3}, {10, -20, 30}};
    wanted.wrist.view.right = {{4.5, 5, 6}, {1, 2, 3}};
    wanted.wrist.fixed.space = Config::FixedSpace::stage;
    wanted.wrist.fixed.left = {{7, 8, 9}, {4, 5, 6}};
    wanted.wrist.fixed.right = {{10, 11, 12}, {7, 8, 9}};
    wanted.fallback.order = {Config::HandSource::controller, Config::HandSource::glove, Config::HandSource::native};
    wanted.fallback.controller_fingers = Config::ControllerFingers::always;
    wanted.fallback.curl.thumb[2] = -0.6;
    wanted.fallback.curl.closed = 0.75;
    wanted.age.tracked_ms = 50;
    wanted.age.valid_ms = 60;
    wanted.log.level = LogLevel::debug;
    EXPECT_EQ(result.config, wanted);
}

TEST(Config, ComplainsOnceAboutWhatIsWrongInSettingsOfStreams) {
    for (const Mistake& mistake : std::vector<Mistake>{
             {"[hand.bones_mm]\nthumb = [40, 32]", 2, "hand.bones_mm.thumb is a list of 2; it must be three lengths"},
             {"[hand.bones_mm]\nindex = [1, 2, 3]", 2, "hand.bones_mm.index is a list of 3; it must be four lengths"},
             {"[hand.bones_mm]\nring = [60, 4, 24, 17]", 2, "entry 2 of hand.bones_mm.ring is 4; it must be 0 or"},
             {"[hand.bones_mm]\nring = [60, 40, 24, 121]", 2, "entry 4 of hand.bones_mm.ring"},
             {"[hand.bones_mm]\nring = [60, 40, 24, nan]", 2, "entry 4 of hand.bones_mm.ring"},
             {"[hand_engine]\nenabled = 1", 2, "hand_engine.enabled is 1; it must be true or false"},
             {"[hand_engine]\nport = 0", 2, "hand_engine.port is 0"},
             {"[hand_engine]\nperformer = -1", 2, "hand_engine.performer is -1"},
             {"[hand_engine]\naxes = \"unity\"", 2, "hand_engine.axes is \"unity\"; it must be one of \"auto\""},
             {"[hand_engine]\nrest = true", 2, "hand_engine.rest is true"},
             {"[hand_engine.custom_axes]\nleft = [1, 0, 0]", 2, "hand_engine.custom_axes.left is a list of 3"},
             {"[hand_engine.custom_axes]\nleft = [2, 0, 0, 0, 1, 0, 0, 0, 1]", 2,
              "entry 1 of hand_engine.custom_axes.left is 2"},
             {"[hand_engine.custom_axes]\nleft = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]", 2,
              "entry 1 of hand_engine.custom_axes.left is 1"},
             {"[hand_engine.custom_axes]\nright = [1, 0, 0, 1, 0, 0, 0, 0, 1]", 2,
              "hand_engine.custom_axes.right is a list of 9; it must be nine of 1, -1 and 0, one not 0 in each"},
             {"[hand_engine.kinematic]\nport = 70000", 2, "hand_engine.kinematic.port is 70000"},
             {"[fnim]\nwrist_in_transmitter = [0, 0, 0]", 2, "fnim.wrist_in_transmitter is a list of 3"},
             {"[fnim.coil_in_tip_mm]\nthumb = [0, 51, 0]", 2, "entry 2 of fnim.coil_in_tip_mm.thumb is 51"}}) {
        expect_one_complaint(mistake);
    }
}

TEST(Config, ReceivesTheLaterOfTwoStreamsOnOnePortNot) {
    Config wanted;
    wanted.receiver.port = 9400;
    wanted.hand_engine.enabled = false;
    ConfigResult result = parse_config("[receiver]\nport = 9400", "gloves.toml");
    EXPECT_EQ(result.config, wanted);
    ASSERT_EQ(result.complaints.size(), 1u);
    EXPECT_NE(result.complaints[0].find("receiver.port and hand_engine.port are both 9400"), std::string::npos);
    EXPECT_EQ(line_of(result.complaints[0]), 1);

    wanted = {};
    wanted.hand_engine.port = 9002;
    result = parse_config("\n[hand_engine]\nport = 9002\nkinematic = { enabled = true }", "gloves.toml");
    EXPECT_EQ(result.config, wanted);
    ASSERT_EQ(result.complaints.size(), 1u);
    EXPECT_EQ(line_of(result.complaints[0]), 2);

    // One that is off takes no port.
    result = parse_config("[receiver]\nport = 9002\n[hand_engine]\nenabled = false\nport = 9002", "gloves.toml");
    EXPECT_TRUE(result.complaints.empty()) << joined(result.complaints);
}

TEST(Config, ComplainsOnceAboutAWrongType) {
    for (const Mistake& mistake : std::vector<Mistake>{
             {"[receiver]\nport = \"15001\"", 2, "receiver.port is \"15001\""},
             {"[receiver]\nport = 15001.0", 2, "receiver.port is 15001"},
             {"[receiver]\n\naddress = 127", 3, "receiver.address is 127"},
             {"[receiver]\nallowed_senders = \"127.0.0.1\"", 2, "receiver.allowed_senders"},
             {"[receiver]\nallowed_senders = [\n\"127.0.0.1\",\n5]", 4, "entry 2 of receiver.allowed_senders is 5"},
             {"hand = 92", 1, "hand is 92"},
             {"[hand]\nsize_mm = true", 2, "hand.size_mm is true"},
             {"[hand]\nsize_mm = 2020-01-01", 2, "hand.size_mm is a date"},
             {"[hand]\nsize_mm = { mm = 92 }", 2, "hand.size_mm is a table"},
             {"[wrist]\nsource = 1", 2, "wrist.source is 1"},
             {"[wrist]\nview = \"view\"", 2, "wrist.view is"},
             {"[fallback]\norder = 1", 2, "fallback.order is 1"},
             {"[fallback]\norder = [\"glove\", \"native\"]", 2, "fallback.order is a list of 2"},
             {"[fallback]\norder = [\"glove\", \"native\", \"native\"]", 2, "fallback.order is a list of 3"},
             {"[fallback.curl]\nthumb = [1, 2, 3]", 2, "fallback.curl.thumb is a list of 3"},
             {"[fallback.curl]\nring = [1, 2, 3, 4]", 2, "entry 4 of fallback.curl.ring is 4"},
             {"[fallback.curl]\nclosed = 2", 2, "fallback.curl.closed is 2"},
             {"[fallback]\ncontroller_fingers = true", 2, "fallback.controller_fingers is true"},
             {"[wrist]\nself_attach = 1", 2, "wrist.self_attach is 1"},
             {"[wrist]\nsource = \"tracker\"", 2, "wrist.tracker names none"},
             {"[wrist.tracker]\nleft = \"left_foot\"", 2, "wrist.tracker.left is \"left_foot\""},
             {"[wrist]\noffset = 3", 2, "wrist.offset is 3"},
             {"[wrist.offset]\ntracker = 3", 2, "wrist.offset.\"tracker\" is 3"},
             {"[wrist.offset.tracker]\nup = 3", 2, "unknown key wrist.offset.\"tracker\".up"},
             {"[wrist.offset.tracker.left]\nposition_mm = 3", 2, "wrist.offset.\"tracker\".left.position_mm is 3"},
             {"[wrist.view]\nleft = [1, 2, 3]", 2, "wrist.view.left is a list"},
             {"[wrist.view.left]\nposition_mm = 5", 2, "wrist.view.left.position_mm is 5"},
             {"[wrist.view.left]\nposition_mm = [1, 2]", 2, "wrist.view.left.position_mm is a list of 2"},
             {"[wrist.view.left]\nposition_mm = [1, 2, 3, 4]", 2, "a list of 4"},
             {"[wrist.fixed.right]\nrotation_deg = [1,\n2,\n\"3\"]", 4,
              "entry 3 of wrist.fixed.right.rotation_deg is \"3\""},
             {"[age]\ntracked_ms = 100.5", 2, "age.tracked_ms is 100.5"},
             {"[[age]]\ntracked_ms = 100", 1, "age is a list"},
             {"[log]\nlevel = 3", 2, "log.level is 3"},
         }) {
        expect_one_complaint(mistake);
    }
}

TEST(Config, ComplainsOnceAboutAValueOutsideItsRange) {
    for (const Mistake& mistake : std::vector<Mistake>{
             {"[receiver]\nport = 0", 2, "from 1 to 65535"},
             {"[receiver]\nport = 65536", 2, "receiver.port is 65536"},
             {"[receiver]\nport = -15001", 2, "receiver.port is -15001"},
             {"[receiver]\nport = 9223372036854775807", 2, "receiver.port is 9223372036854775807"},
             {"[hand]\nsize_mm = 59.9", 2, "from 60 to 130"},
             {"[hand]\nsize_mm = 130.1", 2, "hand.size_mm is 130.1"},
             {"[hand]\nsize_mm = nan", 2, "hand.size_mm is nan"},
             {"[hand]\nsize_mm = inf", 2, "hand.size_mm is inf"},
             {"[wrist]\nsource = \"View\"", 2, "\"view\" \"fixed\""},
             {"[wrist.fixed]\nspace = \"\"", 2, "\"stage\" \"local\""},
             {"[wrist.view.left]\nposition_mm = [0, -10000.5, 0]", 2, "entry 2 of wrist.view.left.position_mm"},
             {"[wrist.view.left]\nrotation_deg = [0, 0, nan]", 2, "entry 3 of wrist.view.left.rotation_deg"},
             {"[wrist.view.left]\nrotation_deg = [361, 0, 0]", 2, "entry 1 of wrist.view.left.rotation_deg"},
             {"[age]\ntracked_ms = 9", 2, "from 10 to 10000"},
             {"[age]\nvalid_ms = 60001", 2, "to 60000"},
             {"[log]\nlevel = \"verbose\"", 2, "\"error\" \"warning\" \"info\" \"debug\""},
         }) {
        expect_one_complaint(mistake);
    }
}

TEST(Config, TakesTheEndsOfEveryRange) {
    const ConfigResult low = parse_config(
        "age = { tracked_ms = 10, valid_ms = 10 }\nhand.size_mm = 60\nreceiver.port = 1\n"
        "wrist.view.left = { position_mm = [-10000, -10000.0, 0], rotation_deg = [-360, 0, 0] }",
        "gloves.toml");
    EXPECT_TRUE(low.complaints.empty()) << joined(low.complaints);
    EXPECT_EQ(low.config.age.valid_ms, 10);
    EXPECT_EQ(low.config.receiver.port, 1);
    EXPECT_EQ(low.config.wrist.view.left.position_mm[0], -10000);
    const ConfigResult high = parse_config(
        "age = { tracked_ms = 10000, valid_ms = 60000 }\nhand.size_mm = 130\nreceiver.port = 65535\n", "gloves.toml");
    EXPECT_TRUE(high.complaints.empty()) << joined(high.complaints);
    EXPECT_EQ(high.config.age.tracked_ms, 10000);
    EXPECT_EQ(high.config.receiver.port, 65535);
    EXPECT_EQ(high.config.hand.size_mm, 130);
}

TEST(Config, ComplainsOnceAboutAnUnknownKeyAtAnyDepthAndNamesTheKnownOnes) {
    for (const Mistake& mistake : std::vector<Mistake>{
             {"prot = 15001", 1, "known here: receiver, hand, hand_engine, fnim, wrist, fallback, age, log"},
             {"[recevier]\nport = 15001\naddress = 5", 1, "unknown key recevier"},
             {"[receiver]\nprot = 15001", 2, "unknown key receiver.prot; known here: address, port, allowed_senders"},
             {"[wrist.view.middle]\nposition_mm = [0, 0, 0]", 1, "unknown key wrist.view.middle"},
             {"[wrist.view]\n\nleft = { position = [0, 0, 0] }", 3, "unknown key wrist.view.left.position;"},
             {"\"\" = 1", 1, "unknown key"},
         }) {
        expect_one_complaint(mistake);
    }
}

TEST(Config, ComplainsOnceAboutWhatIsNoToml) {
    for (const Mistake& mistake : std::vector<Mistake>{
             {"[hand]\nsize_mm = 100\nsize_mm = 101\n", 3, "default"},
             {"[hand]\nsize_mm = 100\n[hand\n", 3, "default"},
             {"[hand]\nsize_mm = ninety\n", 2, "default"},
             {"[hand]\nsize_mm = 100\n\n\xc3\xa9 = 1\n", 4, "default"},
             {"[hand]\nsize_mm = \xc5\xac\n", 2, "default"},
             {"[hand]\nsize_mm = \"#\" \xc3\xbc\n", 2, "default"},
             {"[hand]\nsize_mm = 100\n[[[1]]]\n[log]\nlevel = \"info\"\n", 3, "default"},
             {"[hand]\n\n\n[&", 4, "default"},
             {"[receiver]\nallowed_senders = [\n}\n]\n[log]\n", 3, "default"},
         }) {
        expect_one_complaint(mistake);
    }
}

TEST(Config, LetsCommentsAndEditorsUseOtherLetters) {
    const ConfigResult result = parse_config(
        "\xef\xbb\xbf[hand]  # gr\xc3\xb6\xc3\x9f"
        "e\r\n# \xff\r\nsize_mm = 100 # \xe2\x80\xa8\r\n",
        "gloves.toml");
    EXPECT_TRUE(result.complaints.empty()) << joined(result.complaints);
    EXPECT_EQ(result.config.hand.size_mm, 100);
}

TEST(Config, KeepsWhatIsRightBesideWhatIsWrong) {
    const ConfigResult result = parse_config(
        "[log]\nlevel = \"loud\"\n[receiver]\nport = 6000\nadress = \"127.0.0.1\"\n"
        "[wrist.view]\nleft = { position_mm = [1, 2, 3], rotation_deg = 5 }\n[hand]\nsize_mm = 100\n",
        "gloves.toml");
    EXPECT_EQ(result.config.receiver.port, 6000);
    EXPECT_EQ(result.config.hand.size_mm, 100);
    EXPECT_EQ(result.config.wrist.view.left, (Config::Placement{{1, 2, 3}, {0, 0, 0}}));
    EXPECT_EQ(result.config.log.level, LogLevel::info);
    std::vector<int> lines;
    for (const std::string& complaint : result.complaints) {
        lines.push_back(line_of(complaint));
    }
    EXPECT_EQ(lines, (std::vector<int>{2, 5, 7})) << joined(result.complaints);
}

TEST(Config, HoldsAHandAtLeastAsLongAsItIsTracked) {
    expect_one_complaint({"[age]\ntracked_ms = 200\nvalid_ms = 199", 3, "age.valid_ms 199 is less than"});
    expect_one_complaint({"[age]\ntracked_ms = 501", 2, "age.valid_ms 500 is less than age.tracked_ms 501"});
    expect_one_complaint({"[age]\n\nvalid_ms = 50", 3, "age.valid_ms 50"});
    EXPECT_TRUE(parse_config("[age]\ntracked_ms = 500", "gloves.toml").complaints.empty());
}

TEST(Config, ListensBeyondThisComputerOnlyForNamedSenders) {
    for (const char* address : {"0.0.0.0", "::", "192.168.1.5"}) {
        const std::string open = std::string("[receiver]\naddress = \"") + address + "\"\n";
        expect_one_complaint({open.c_str(), 2, "receiver.allowed_senders names none"});
        const ConfigResult closed = parse_config(open + "allowed_senders = [\"192.168.1.20\"]", "gloves.toml");
        EXPECT_TRUE(closed.complaints.empty()) << joined(closed.complaints);
        EXPECT_EQ(closed.config.receiver.addresses, std::vector<std::string>{address});
    }
    expect_one_complaint({"[receiver]\naddress = [\"127.0.0.1\",\n\"192.168.1.5\"]", 2,
                          "receiver.address 192.168.1.5 can be reached from other computers"});
}

TEST(Config, ListensOnAllAddressesThatItNames) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(Config{}.receiver.addresses, (Texts{"127.0.0.1", "::1"})) << "whatever localhost is here";
    const auto addresses = [](const char* text) { return parse_config(text, "f").config.receiver.addresses; };
    EXPECT_EQ(addresses("receiver.address = \"::1\""), Texts{"::1"});
    EXPECT_EQ(addresses("receiver.address = [\"::1\"]"), Texts{"::1"});
    EXPECT_EQ(addresses("receiver.address = [\"127.0.0.9\", \"::1\"]"), (Texts{"127.0.0.9", "::1"}));
    expect_one_complaint({"[receiver]\naddress = []", 2, "receiver.address is a list of 0"});
    expect_one_complaint({"[receiver]\naddress = [\"::1\",\n\"lan\"]", 3, "entry 2 of receiver.address is \"lan\""});
}

TEST(Config, AllowsSendersByAddressAndByNetwork) {
    const ConfigResult result =
        parse_config("receiver.allowed_senders = [\"192.168.1.20\", \"192.168.1.0/24\", \"fd00::/8\", \"::1\"]", "f");
    EXPECT_TRUE(result.complaints.empty()) << joined(result.complaints);
    EXPECT_EQ(result.config.receiver.allowed_senders.size(), 4U);
    expect_one_complaint({"[receiver]\nallowed_senders = [\n\"192.168.1.0/33\"]", 3,
                          "entry 1 of receiver.allowed_senders is \"192.168.1.0/33\""});
}

TEST(Config, ListensOnlyHereWhenTheListOfSendersIsWrong) {
    const ConfigResult result = parse_config(
        "[receiver]\naddress = \"0.0.0.0\"\nallowed_senders = [\"192.168.1.20\", \"192.168.1.*\"]", "gloves.toml");
    EXPECT_EQ(result.config, Config{});
    EXPECT_EQ(result.complaints.size(), 2U) << joined(result.complaints);
}

TEST(Config, TakesOnlyLiteralAddresses) {
    expect_one_complaint({"[receiver]\naddress = \"localhost\"", 2, "receiver.address is \"localhost\""});
    expect_one_complaint({"[receiver]\naddress = \"\"", 2, "an IP address"});
    expect_one_complaint(
        {"[receiver]\nallowed_senders = [\"glove-pc\"]", 2, "entry 1 of receiver.allowed_senders is \"glove-pc\""});
}

TEST(Config, RepeatsNoControlCharactersAndNoLongTexts) {
    const std::string text = "[receiver]\naddress = \"\\u001b[2J" + std::string(5000, 'x') + "\"\n\"\\u0007k\" = 1\n";
    const ConfigResult result = parse_config(text, "gloves.toml");
    ASSERT_EQ(result.complaints.size(), 2U);
    for (const std::string& complaint : result.complaints) {
        EXPECT_LT(complaint.size(), 300U);
        for (const char character : complaint) {
            EXPECT_GE(static_cast<unsigned char>(character), 0x20) << complaint;
        }
    }
}

TEST(Config, RefusesATextOfMoreThan256KiB) {
    std::string text = "hand.size_mm = 100\n";
    text.resize(kLimit, '#');
    EXPECT_EQ(parse_config(text, "gloves.toml").config.hand.size_mm, 100);
    text += '#';
    expect_one_complaint({text.c_str(), 1, "256 KiB"});
}

std::string repeated(const char* part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += part;
    }
    return text;
}

// Each of these would make a recursive parser or destructor use up the stack.
TEST(Config, SurvivesDeepNesting) {
    for (const std::string& text :
         {"[" + repeated("a.", 100'000) + "a]", repeated("a.", 100'000) + "a = 1", "a = " + repeated("[", 200'000),
          "a = " + repeated("[", 100'000) + repeated("]", 100'000), "a = " + repeated("{a = ", 40'000),
          repeated("a.\"b\".", 40'000) + "c = 1", repeated("a.", 100) + "a = [\n" + repeated("{a = [\n", 30'000),
          "a = " + repeated("{a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = ", 7000), repeated("[a]\n", 60'000)}) {
        const ConfigResult result = parse_config(text, "gloves.toml");
        EXPECT_EQ(result.config, Config{});
        EXPECT_EQ(result.complaints.size(), 1U);
    }
}

TEST(Config, StaysWithinItsLimitsWhateverTheFileSays) {
    std::ifstream in(GLOVE_SAMPLES_DIR "/glove_hands.toml", std::ios::binary);
    const std::string sample(std::istreambuf_iterator<char>(in), {});
    ASSERT_FALSE(sample.empty());
    const std::string pieces = "0123456789-+.eE_\"'[]{}=,# \n\tnaif\xff\x7f";
    std::mt19937 random(20261130);  // fixed: a failure can be repeated
    const auto below = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    std::size_t parsed_well = 0;
    for (int i = 0; i < 5000; ++i) {
        std::string text = sample;
        for (std::size_t change = below(4) + 1; change > 0; --change) {
            const std::size_t at = below(text.size());
            switch (below(3)) {
                case 0:
                    text[at] = pieces[below(pieces.size())];
                    break;
                case 1:
                    text.insert(at, 1, pieces[below(pieces.size())]);
                    break;
                default:
                    text.erase(at, below(20));
            }
        }
        const ConfigResult result = parse_config(text, "gloves.toml");
        expect_all_within_limits(result.config);
        const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
        for (const std::string& complaint : result.complaints) {
            EXPECT_GE(line_of(complaint), 1) << complaint;
            EXPECT_LE(line_of(complaint), lines) << complaint;
        }
        parsed_well += result.complaints.empty() ? 1 : 0;
        if (testing::Test::HasFailure()) {
            FAIL() << text;
        }
    }
    EXPECT_GT(parsed_well, 100U);  // changes in comments, for one
    EXPECT_LT(parsed_well, 4900U);
}

class ConfigFile : public testing::Test {
protected:
    void SetUp() override { setenv("GLOVE_HANDS_CONFIG", file_.c_str(), 1); }

    test::ScratchFolder folder_;
    std::filesystem::path file_ = folder_.path() / "gloves.toml";
};

TEST_F(ConfigFile, MayBeMissing) {
    const ConfigResult result = load_config();
    EXPECT_EQ(result.config, Config{});
    EXPECT_TRUE(result.complaints.empty());
}

TEST_F(ConfigFile, IsReadAndNamedInComplaints) {
    std::ofstream(file_) << "[receiver]\nport = 6000\nprot = 6001\n";
    const ConfigResult result = load_config();
    EXPECT_EQ(result.config.receiver.port, 6000);
    ASSERT_EQ(result.complaints.size(), 1U);
    EXPECT_EQ(result.complaints[0].rfind(file_.string() + ":3: ", 0), 0U) << result.complaints[0];
}

TEST_F(ConfigFile, OfTooManyBytesIsRefused) {
    std::ofstream(file_) << "hand.size_mm = 100\n" << std::string(kLimit, '#');
    const ConfigResult result = load_config();
    EXPECT_EQ(result.config, Config{});
    EXPECT_EQ(result.complaints.size(), 1U);
}

TEST_F(ConfigFile, ThatIsAFolderIsOneComplaint) {
    std::filesystem::create_directory(file_);
    const ConfigResult result = load_config();
    EXPECT_EQ(result.config, Config{});
    EXPECT_EQ(result.complaints.size(), 1U);
}

TEST_F(ConfigFile, ThatIsAFifoHoldsNobodyUp) {
    ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
    const ConfigResult result = load_config();
    EXPECT_EQ(result.config, Config{});
    EXPECT_EQ(result.complaints.size(), 1U);
}

}  // namespace
}  // namespace glove
