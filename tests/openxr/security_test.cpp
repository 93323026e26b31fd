// SPDX-License-Identifier: Apache-2.0
// What strangers can do: senders of datagrams, and the application's own name. Not covered here: set-uid programs
// (support/set_uid_test.cpp), how large the log becomes (support/log_test.cpp).
#include <algorithm>
#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "openxr/loader/status_extension.hpp"
#include "openxr/loader_fixture.hpp"
#include "udp_socket.hpp"

namespace glove::test {
namespace {

class Security : public LoaderTest {
protected:
    void begin() {
        make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME,
                       XR_MND_HEADLESS_EXTENSION_NAME});
        make_session();
        left_ = make_tracker(XR_HAND_LEFT_EXT);
        local_ = make_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
    }
    [[nodiscard]] bool sees_hand() const {
        HandAnswer answer;
        EXPECT_EQ(locate(left_, local_, runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(is_whole(answer));
        return answer.active();
    }
    [[nodiscard]] XrGloveHandStatusNOVENDOR status(XrHandEXT hand = XR_HAND_LEFT_EXT) const {
        XrGloveHandStatusNOVENDOR status{};
        status.size = sizeof status;
        EXPECT_EQ(proc<PFN_xrGetGloveHandStatusNOVENDOR>("xrGetGloveHandStatusNOVENDOR")(instance(), hand, &status),
                  XR_SUCCESS);
        return status;
    }
    [[nodiscard]] std::vector<std::string> log_lines() const {
        std::istringstream text(log_text());
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);) {
            lines.push_back(line);
        }
        return lines;
    }
    [[nodiscard]] std::ptrdiff_t lines_with(const std::string& part) const {
        const std::vector<std::string> lines = log_lines();
        return std::count_if(lines.begin(), lines.end(),
                             [&](const std::string& line) { return line.find(part) != std::string::npos; });
    }
    // One record a line, of printable characters: nothing that came from outside ends a line or moves a cursor.
    void expect_clean_log() const {
        for (const std::string& line : log_lines()) {
            // 2025-01-01T00:00:00.000Z level program[id] text
            ASSERT_GT(line.size(), 25u) << line;
            EXPECT_TRUE(line[4] == '-' && line[7] == '-' && line[10] == 'T' && line[19] == '.' && line[23] == 'Z')
                << line;
            const std::string level = line.substr(25, line.find(' ', 25) - 25);
            EXPECT_TRUE(level == "error" || level == "warning" || level == "info" || level == "debug") << line;
            EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c <= 0x7e; })) << line;
        }
    }
    [[nodiscard]] std::vector<std::byte> right_hand() const {
        FsnhHeader header;
        header.hand = Hand::right;
        return wrist_datagram(header, to_sender(Hand::right, reference_pose(Hand::right, "flat").joint_in_wrist));
    }
    [[nodiscard]] std::vector<std::byte> left_hand(std::uint32_t frame) const {
        FsnhHeader header;
        header.frame_index = frame;
        return wrist_datagram(header, flat_);
    }

private:
    const SenderHand flat_ = to_sender(Hand::left, reference_pose(Hand::left, "flat").joint_in_wrist);
    XrHandTrackerEXT left_ = XR_NULL_HANDLE;
    XrSpace local_ = XR_NULL_HANDLE;
};

TEST_F(Security, OnlySendersOnTheListMoveAHand) {
    write_config("allowed_senders = [\"127.0.0.4/31\", \"127.0.0.3\", \"::/0\"]\n");
    begin();
    UdpSocket stranger(0, "127.0.0.2"), friendly(0, "127.0.0.3");
    std::uint32_t frame = 0;
    ASSERT_TRUE(wait_for([&] {
        stranger.send(left_hand(++frame), port(), "127.0.0.1");
        return lines_with("127.0.0.2") == 1;
    })) << log_text();
    for (int i = 0; i < 200; ++i) {
        stranger.send(left_hand(++frame), port(), "127.0.0.1");
    }
    EXPECT_FALSE(sees_hand());
    EXPECT_EQ(status().datagrams, 0u);

    std::uint64_t sent = 0;
    EXPECT_TRUE(wait_for([&] {
        friendly.send(left_hand(++frame), port(), "127.0.0.1");
        ++sent;
        return sees_hand();
    }));
    // All that the stranger sent lies before what the friend sent. It is said once, and only counted from then on.
    EXPECT_EQ(lines_with("127.0.0.2"), 1) << log_text();
    EXPECT_LE(status().datagrams, sent);
}

TEST_F(Security, AStrangerCannotTakeAHandFromTheGloveThatMovesIt) {
    write_config("[age]\nvalid_ms = 60000\n");  // as long as the glove counts as live
    begin();
    UdpSocket glove, stranger(0, "127.0.0.2");
    ASSERT_TRUE(wait_for([&] { return status().port != 0; }));
    std::uint32_t frame = 0;
    ASSERT_TRUE(wait_for([&] {
        glove.send(left_hand(++frame), port(), "127.0.0.1");
        return sees_hand();
    }));
    ASSERT_TRUE(wait_for([&] { return status().samples == frame; }));  // counted after the datagrams
    const std::uint64_t samples = status().samples;
    std::uint32_t strangers_frame = 1'000'000;
    ASSERT_TRUE(wait_for([&] {
        stranger.send(left_hand(++strangers_frame), port(), "127.0.0.1");
        return status().datagrams >= samples + 100;
    }));
    EXPECT_EQ(status().samples, samples);
}

TEST_F(Security, JunkMakesNoHandAndFewLines) {
    begin();
    UdpSocket stranger(0, "127.0.0.2"), glove;
    std::mt19937 random(20250307);
    const auto junk = [&random](std::size_t size) {
        std::vector<std::byte> bytes(size);
        std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random() % 256); });
        return bytes;
    };
    ASSERT_TRUE(wait_for([&] {
        stranger.send(junk(612), port(), "127.0.0.1");
        return lines_with("127.0.0.2") > 0;
    }));
    for (int i = 0; i < 5000; ++i) {
        std::vector<std::byte> bytes =
            random() % 2 == 0 ? junk(random() % 2000) : left_hand(static_cast<std::uint32_t>(random()));
        if (!bytes.empty()) {
            bytes[random() % std::min<std::size_t>(bytes.size(), 40)] = static_cast<std::byte>(random() % 256);
        }
        bytes.resize(random() % 8 == 0 ? random() % 9000 : bytes.size());
        // The magic of FSNH gets the rest of the datagram looked at; never one whole hand.
        if (bytes.size() >= 612 && bytes.size() <= 640) {
            bytes.back() = std::byte{0xFF};
            bytes[bytes.size() - 2] = std::byte{0xFF};
        }
        stranger.send(bytes, port(), "127.0.0.1");
    }
    ASSERT_TRUE(wait_for([&] {
        glove.send(right_hand(), port(), "127.0.0.1");
        return status(XR_HAND_RIGHT_EXT).samples > 0;
    })) << "the receiver comes to what was sent after the junk";
    EXPECT_FALSE(sees_hand());
    EXPECT_LT(log_lines().size(), 50u) << log_text();
    expect_clean_log();
}

TEST_F(Security, AnApplicationsNameCannotForgeALineOfTheLog) {
    const char name[] = "game\n2025-01-01T00:00:00.000Z error forged[1] all is lost\r\x1b[31m\x7f\xff%s%n";
    XrInstanceCreateInfo info{};
    info.type = XR_TYPE_INSTANCE_CREATE_INFO;
    static_assert(sizeof name <= sizeof info.applicationInfo.applicationName);
    std::memcpy(info.applicationInfo.applicationName, name, sizeof name);
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    const char* const extension = XR_EXT_HAND_TRACKING_EXTENSION_NAME;
    info.enabledExtensionCount = 1;
    info.enabledExtensionNames = &extension;
    XrInstance made = XR_NULL_HANDLE;
    ASSERT_EQ(xrCreateInstance(&info, &made), XR_SUCCESS);
    EXPECT_EQ(xrDestroyInstance(made), XR_SUCCESS);

    EXPECT_EQ(lines_with("all is lost"), 1) << log_text();
    EXPECT_EQ(lines_with("game\\x0a2025-01-01T00:00:00.000Z error forged[1] all is lost\\x0d\\x1b[31m\\x7f\\xff%s%n"),
              1)
        << log_text();
    expect_clean_log();
}

TEST_F(Security, AConfigurationCannotForgeALineOfTheLog) {
    write_config("address = \"\\n\\u001b[31m\\u0085 forged\"\n\"\\u0007\\n\" = 1\n");
    begin();
    EXPECT_GT(lines_with("glove_hands.toml:"), 0) << log_text();
    expect_clean_log();
}

}  // namespace
}  // namespace glove::test
