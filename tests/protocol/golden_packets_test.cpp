// SPDX-License-Identifier: Apache-2.0
// Packets laid out byte by byte from the protocol documents (golden_fsnh.hpp, golden_fnim.hpp, golden_hand_engine.hpp):
// the decoders read from them the numbers that stand here, and the encoders of tests and samples make the same bytes of
// these numbers, so decoders and encoders are held against the documents and not only against each other. Not covered:
// whether gloves send what the documents say; no recording of one is at hand. liblo against the same messages is in
// hand_engine_test.cpp, as the cross-build has no liblo.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "fnim_encoding.hpp"
#include "fsnh_encoding.hpp"
#include "hand/pose_math.hpp"
#include "protocol/fnim.hpp"
#include "protocol/fsnh.hpp"
#include "protocol/golden_fnim.hpp"
#include "protocol/golden_fsnh.hpp"
#include "protocol/golden_hand_engine.hpp"
#include "protocol/hand_engine.hpp"
#include "protocol/osc.hpp"
#include "senders/fnim_sender.hpp"
#include "senders/fsnh_sender.hpp"
#include "senders/hand_engine_sender.hpp"

namespace glove {
namespace {

using Bytes = std::vector<std::byte>;

template <std::size_t Size>
Bytes bytes_of(const std::array<std::uint8_t, Size>& packet) {
    const auto bytes = std::as_bytes(std::span(packet));
    return {bytes.begin(), bytes.end()};
}

// One byte at a time, so that a failure says where.
void expect_same(const Bytes& made, const Bytes& golden) {
    ASSERT_EQ(made.size(), golden.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
        EXPECT_EQ(std::to_integer<int>(made[i]), std::to_integer<int>(golden[i])) << "byte " << i;
    }
}

// A pose as a document gives it: position in its unit, and a quaternion of unit length as whole numbers over another.
struct Stated {
    const char* part;
    std::array<double, 3> position;  // x, y, z
    std::array<int, 4> wxyz;
    int over;
};

double quaternion_part(const Stated& stated, std::size_t part) {
    return static_cast<double>(stated.wxyz[part]) / stated.over;
}

void expect_orientation(const std::array<float, 4>& wxyz, const Stated& stated) {
    for (std::size_t part = 0; part < 4; ++part) {
        EXPECT_FLOAT_EQ(wxyz[part], static_cast<float>(quaternion_part(stated, part)))
            << stated.part << ", part " << part << " of w x y z";
    }
}

test::Matrix rotation_of(const Stated& stated) {
    const double w = quaternion_part(stated, 0);
    const double x = quaternion_part(stated, 1);
    const double y = quaternion_part(stated, 2);
    const double z = quaternion_part(stated, 3);
    return {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

// OpenXR axes, x right, y up, z back, from right-forward-up and from left-back-up.
XrVector3f from_right_forward_up(double right, double forward, double up) {
    return {static_cast<float>(right), static_cast<float>(up), -static_cast<float>(forward)};
}
XrVector3f from_left_back_up(double left, double back, double up) {
    return {-static_cast<float>(left), static_cast<float>(up), static_cast<float>(back)};
}

// `unit`: metres.
template <class Axes>
XrPosef openxr_pose(const Stated& stated, double unit, Axes axes) {
    const auto& [x, y, z] = stated.position;
    const XrVector3f v = axes(quaternion_part(stated, 1), quaternion_part(stated, 2), quaternion_part(stated, 3));
    return {{v.x, v.y, v.z, static_cast<float>(quaternion_part(stated, 0))}, axes(unit * x, unit * y, unit * z)};
}

// Metres, left-back-up from the palm root.
constexpr std::array<Stated, 21> kWristRight{{
    {"palm root", {0.0001, 0.0002, 0.0003}, {6, -5, 2, 4}, 9},
    {"thumb MCP", {0.0243, -0.0301, -0.0157}, {-2, 1, 10, 4}, 11},
    {"thumb proximal", {0.0502, -0.0614, -0.0216}, {-2, -4, 10, -7}, 13},
    {"thumb distal", {0.0678, -0.0883, -0.0264}, {7, 5, 11, 1}, 14},
    {"thumb tip", {0.0775, -0.1059, -0.0292}, {8, 2, 11, -6}, 15},
    {"index proximal", {0.0231, -0.0917, 0.0033}, {2, -10, -8, 11}, 17},
    {"index intermediate", {0.0254, -0.1296, -0.0081}, {-3, 13, 11, 5}, 18},
    {"index distal", {0.0267, -0.1493, -0.0199}, {-9, -10, -6, 12}, 19},
    {"index tip", {0.0276, -0.1628, -0.0285}, {4, 8, 16, -5}, 19},
    {"middle proximal", {0.0019, -0.0924, 0.0046}, {10, -6, 16, 7}, 21},
    {"middle intermediate", {0.0022, -0.1351, -0.0093}, {9, 15, -13, 3}, 22},
    {"middle distal", {0.0028, -0.1587, -0.0224}, {8, -13, 14, -10}, 23},
    {"middle tip", {0.0031, -0.1729, -0.0327}, {6, 18, 12, -5}, 23},
    {"ring proximal", {-0.0182, -0.0865, 0.0007}, {16, 13, 14, -2}, 25},
    {"ring intermediate", {-0.0205, -0.1238, -0.0149}, {18, -11, -12, -6}, 25},
    {"ring distal", {-0.0213, -0.1442, -0.0304}, {9, 3, 15, 19}, 26},
    {"ring tip", {-0.0229, -0.1566, -0.0415}, {-3, 20, -16, -8}, 27},
    {"little proximal", {-0.0356, -0.0789, -0.0052}, {24, -7, 2, -10}, 27},
    {"little intermediate", {-0.0408, -0.1071, -0.0173}, {17, 10, -16, -14}, 29},
    {"little distal", {-0.0437, -0.1219, -0.0298}, {9, -18, -6, 20}, 29},
    {"little tip", {-0.0451, -0.1334, -0.0386}, {-17, 19, -9, 13}, 30},
}};

// Metres, right-forward-up from the forearm. The forearm's own joint is not handed out.
constexpr std::array<Stated, 21> kForearmLeft{{
    {"wrist", {0.0055, 0.1893, -0.0526}, {17, 4, 16, 20}, 31},
    {"thumb MCP", {0.0297, 0.2196, -0.0686}, {3, 22, -12, 18}, 31},
    {"thumb proximal", {0.0556, 0.2509, -0.0745}, {8, 11, 26, -10}, 31},
    {"thumb distal", {0.0732, 0.2778, -0.0793}, {-18, 20, -14, 13}, 33},
    {"thumb tip", {0.0829, 0.2954, -0.0821}, {27, 2, 10, 16}, 33},
    {"index proximal", {0.0285, 0.2812, -0.0496}, {28, -8, 4, 15}, 33},
    {"index intermediate", {0.0308, 0.3191, -0.0610}, {19, 25, 11, 7}, 34},
    {"index distal", {0.0321, 0.3388, -0.0728}, {29, 9, -3, -15}, 34},
    {"index tip", {0.0330, 0.3523, -0.0814}, {-18, 24, 6, 17}, 35},
    {"middle proximal", {0.0073, 0.2819, -0.0483}, {-4, -7, 26, 22}, 35},
    {"middle intermediate", {0.0076, 0.3246, -0.0622}, {11, 8, 28, -16}, 35},
    {"middle distal", {0.0082, 0.3482, -0.0753}, {-17, -14, 20, 22}, 37},
    {"middle tip", {0.0085, 0.3624, -0.0856}, {12, -18, 26, 15}, 37},
    {"ring proximal", {-0.0128, 0.2760, -0.0522}, {-16, 32, 5, -8}, 37},
    {"ring intermediate", {-0.0151, 0.3133, -0.0678}, {13, 25, 11, -23}, 38},
    {"ring distal", {-0.0159, 0.3337, -0.0833}, {15, 21, 27, -7}, 38},
    {"ring tip", {-0.0175, 0.3461, -0.0944}, {24, 20, 17, -16}, 39},
    {"little proximal", {-0.0302, 0.2684, -0.0581}, {-18, 5, 4, 34}, 39},
    {"little intermediate", {-0.0354, 0.2966, -0.0702}, {20, 26, -22, -11}, 41},
    {"little distal", {-0.0383, 0.3114, -0.0827}, {4, 25, -16, 28}, 41},
    {"little tip", {-0.0397, 0.3229, -0.0915}, {21, 14, 30, 12}, 41},
}};

void expect_joints(const fsnh::Message& message, const std::array<Stated, 21>& stated) {
    for (std::size_t joint = 0; joint < stated.size(); ++joint) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(message.joints[joint].position[axis], static_cast<float>(stated[joint].position[axis]))
                << stated[joint].part << ", axis " << axis;
        }
        expect_orientation(message.joints[joint].orientation_wxyz, stated[joint]);
    }
}

test::SenderHand as_sent(const std::array<Stated, 21>& stated) {
    test::SenderHand hand{};
    for (std::size_t joint = 0; joint < stated.size(); ++joint) {
        hand[joint] = {rotation_of(stated[joint]), stated[joint].position};
    }
    return hand;
}

TEST(GoldenFsnh, ARightHandRelativeToItsWristIsReadAsTheDocumentSays) {
    fsnh::Message message{};
    ASSERT_EQ(fsnh::decode(bytes_of(golden_fsnh::kWristRight), message), fsnh::DecodeError::none);
    EXPECT_EQ(message.hand, Hand::right);
    EXPECT_FALSE(message.forearm_format);
    EXPECT_TRUE(message.new_solve);
    EXPECT_FALSE(message.forearm_live);
    EXPECT_EQ(message.frame_index, 168'496'141u);
    EXPECT_EQ(message.timestamp_ns, 72'623'859'790'382'856u);
    expect_joints(message, kWristRight);
}

TEST(GoldenFsnh, ALeftHandRelativeToItsForearmIsReadAsTheDocumentSays) {
    fsnh::Message message{};
    ASSERT_EQ(fsnh::decode(bytes_of(golden_fsnh::kForearmLeft), message), fsnh::DecodeError::none);
    EXPECT_EQ(message.hand, Hand::left);
    EXPECT_TRUE(message.forearm_format);
    EXPECT_FALSE(message.new_solve);
    EXPECT_TRUE(message.forearm_live);
    EXPECT_EQ(message.frame_index, 439'041'101u);
    EXPECT_EQ(message.timestamp_ns, 1'234'605'616'436'508'552u);
    expect_joints(message, kForearmLeft);
}

TEST(GoldenFsnh, TheTestsEncoderMakesTheSamePacketOfARightHandRelativeToItsWrist) {
    const test::FsnhHeader header{Hand::right, 168'496'141, 72'623'859'790'382'856, true, false};
    expect_same(test::wrist_datagram(header, as_sent(kWristRight)), bytes_of(golden_fsnh::kWristRight));
}

TEST(GoldenFsnh, TheTestsEncoderMakesTheSamePacketOfALeftHandRelativeToItsForearm) {
    const test::FsnhHeader header{Hand::left, 439'041'101, 1'234'605'616'436'508'552, false, true};
    expect_same(test::forearm_datagram(header, as_sent(kForearmLeft)), bytes_of(golden_fsnh::kForearmLeft));
}

// Its packets relative to the forearm come out of a multiplication and are not the same to the last bit.
TEST(GoldenFsnh, TheSimulatedGloveMakesTheSamePacketOfAHandInOpenXrAxes) {
    HandJoints joints{};
    joints.fill(kIdentityPose);
    std::size_t joint = XR_HAND_JOINT_WRIST_EXT;
    for (const Stated& stated : kWristRight) {
        joints[joint] = openxr_pose(stated, 1, from_left_back_up);
        joint += joint == XR_HAND_JOINT_THUMB_TIP_EXT || joint % 5 == XR_HAND_JOINT_INDEX_TIP_EXT % 5 ? 2 : 1;
    }
    ASSERT_EQ(joint, std::size_t{XR_HAND_JOINT_LITTLE_TIP_EXT} + 2) << "all joints but the palm and four metacarpals";
    const FsnhFrame frame{Hand::right, 168'496'141, 72'623'859'790'382'856, true};
    expect_same(encode_fsnh(frame, joints), bytes_of(golden_fsnh::kWristRight));
}

// Millimetres, right-forward-up from the transmitter.
constexpr std::array<Stated, 6> kCoilsRight{{
    {"thumb", {-62.5, 47.25, -41.75}, {6, -2, 5, 4}, 9},
    {"index", {-24.5, 103.25, -35.5}, {1, -10, 4, 2}, 11},
    {"middle", {-1.5, 111.75, -38.25}, {10, 7, 2, -4}, 13},
    {"ring", {21.25, 98.5, -44.5}, {1, 7, -5, 11}, 14},
    {"pinky", {43.75, 76.5, -33.25}, {2, 11, 6, 8}, 15},
    {"forearm", {9.5, -187.25, -12.75}, {2, -11, -10, -8}, 17},
}};
constexpr std::array<Stated, 6> kCoilsLeft{{
    {"thumb", {58.25, 51.5, -36.25}, {11, 3, 13, -5}, 18},
    {"index", {27.75, 106.5, -29.5}, {12, 6, -9, -10}, 19},
    {"middle", {3.25, 114.75, -31.5}, {16, -8, 4, 5}, 19},
    {"ring", {-19.25, 101.5, -40.75}, {6, 7, -10, 16}, 21},
    {"pinky", {-45.5, 79.25, -27.25}, {9, 13, -3, -15}, 22},
    {"forearm", {-7.5, -181.25, -14.25}, {13, -14, 10, 8}, 23},
}};
constexpr std::size_t kRing = 3;  // lost on the left

void expect_coil(const fnim::CoilPose& coil, const Stated& stated) {
    EXPECT_TRUE(coil.valid) << stated.part;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_FLOAT_EQ(coil.position[axis], static_cast<float>(stated.position[axis] / 1000))
            << stated.part << ", axis " << axis;
    }
    expect_orientation(coil.orientation_wxyz, stated);
}

test::SenderCoils as_sent(const std::array<Stated, 6>& stated) {
    test::SenderCoils coils;
    for (std::size_t i = 0; i < stated.size(); ++i) {
        coils[i] = {true, rotation_of(stated[i]), stated[i].position};
    }
    return coils;
}

TEST(GoldenFnim, ARightHandIsReadAsTheDocumentSays) {
    fnim::Message message{};
    ASSERT_EQ(fnim::decode(bytes_of(golden_fnim::kRight), message), fnim::DecodeError::none);
    EXPECT_EQ(message.hand, Hand::right);
    EXPECT_EQ(message.frame_number, 168'496'141u);
    EXPECT_EQ(message.timestamp_ns, 72'623'859'790'382'856u);
    for (std::size_t i = 0; i < kCoilsRight.size(); ++i) {
        expect_coil(message.coils[i], kCoilsRight[i]);
    }
    EXPECT_EQ(message.acceleration, (std::array<float, 3>{0.625f, -1.25f, 9.875f}));
    EXPECT_EQ(message.turn_rate, (std::array<float, 3>{-0.1875f, 2.5f, -3.75f}));
}

TEST(GoldenFnim, ALeftHandWithoutOneCoilIsReadAsTheDocumentSays) {
    fnim::Message message{};
    ASSERT_EQ(fnim::decode(bytes_of(golden_fnim::kLeft), message), fnim::DecodeError::none);
    EXPECT_EQ(message.hand, Hand::left);
    EXPECT_EQ(message.frame_number, 439'041'101u);
    EXPECT_EQ(message.timestamp_ns, 1'234'605'616'436'508'552u);
    for (std::size_t i = 0; i < kCoilsLeft.size(); ++i) {
        if (i != kRing) {
            expect_coil(message.coils[i], kCoilsLeft[i]);
        }
    }
    EXPECT_FALSE(message.coils[kRing].valid);
    EXPECT_EQ(message.coils[kRing].position, (std::array<float, 3>{})) << "where it was is not handed out";
    EXPECT_EQ(message.acceleration, (std::array<float, 3>{}));
    EXPECT_EQ(message.turn_rate, (std::array<float, 3>{}));
}

TEST(GoldenFnim, TheTestsEncoderMakesTheSamePacketOfARightHand) {
    const test::FnimHeader header{
        Hand::right, 168'496'141, 72'623'859'790'382'856, {0.625, -1.25, 9.875}, {-0.1875, 2.5, -3.75}};
    expect_same(test::fnim_datagram(header, as_sent(kCoilsRight)), bytes_of(golden_fnim::kRight));
}

TEST(GoldenFnim, TheTestsEncoderMakesTheSamePacketOfALeftHandWithoutOneCoil) {
    const test::FnimHeader header{Hand::left, 439'041'101, 1'234'605'616'436'508'552, {}, {}};
    test::SenderCoils coils = as_sent(kCoilsLeft);
    coils[kRing].valid = false;
    expect_same(test::fnim_datagram(header, coils), bytes_of(golden_fnim::kLeft));
}

// It sends nothing of a coil that is lost, so not where the one of the left hand was.
TEST(GoldenFnim, TheSimulatedGloveMakesTheSamePacketOfAHandInOpenXrAxes) {
    Coils coils{};
    for (std::size_t i = 0; i < coils.size(); ++i) {
        coils[i] = {true, openxr_pose(kCoilsRight[i], 0.001, from_right_forward_up)};
    }
    const FnimFrame frame{Hand::right, 168'496'141, 72'623'859'790'382'856, from_right_forward_up(0.625, -1.25, 9.875),
                          from_right_forward_up(-0.1875, 2.5, -3.75)};
    expect_same(encode_fnim(frame, coils), bytes_of(golden_fnim::kRight));
}

// Keeps the bytes that texts point into.
struct Said {
    template <std::size_t Size>
    explicit Said(const std::array<std::uint8_t, Size>& packet) : bytes(bytes_of(packet)) {
        osc::PacketReader reader(bytes);
        osc::Message message;
        while (reader.next(message)) {
            EXPECT_EQ(hand_engine::decode(message, messages.emplace_back()), hand_engine::DecodeError::none);
        }
        EXPECT_EQ(reader.error(), osc::DecodeError::none);
    }
    Bytes bytes;
    std::vector<hand_engine::Message> messages;
};

hand_engine::Quaternion over(int whole, int x, int y, int z, int w) {
    const auto part = [whole](int value) { return static_cast<float>(value) / static_cast<float>(whole); };
    return {part(x), part(y), part(z), part(w)};
}

TEST(GoldenHandEngine, ARotationWithMetacarpalsIsReadAsTheDocumentSays) {
    const Said said(golden_hand_engine::kRotationWithMetacarpals);
    ASSERT_EQ(said.messages.size(), 1u);
    const auto& rotation = std::get<hand_engine::FingerRotation>(said.messages[0]);
    EXPECT_EQ(rotation.timecode, 134255043);
    EXPECT_EQ(rotation.performer, 3);
    EXPECT_EQ(rotation.hand, Hand::right);
    EXPECT_EQ(rotation.finger, hand_engine::Finger::little);
    EXPECT_TRUE(rotation.with_metacarpals);
    EXPECT_EQ(rotation.bones[hand_engine::kMetacarpal], over(9, -2, -5, 6, -4));
    EXPECT_EQ(rotation.bones[hand_engine::kProximal], over(11, 10, -1, -2, 4));
    EXPECT_EQ(rotation.bones[hand_engine::kIntermediate], over(15, 8, 11, 2, -6));
    EXPECT_EQ(rotation.bones[hand_engine::kDistal], over(23, 10, 8, 14, -13));
}

TEST(GoldenHandEngine, ARotationOfAThumbIsReadAsTheDocumentSays) {
    const Said said(golden_hand_engine::kRotation);
    ASSERT_EQ(said.messages.size(), 1u);
    const auto& rotation = std::get<hand_engine::FingerRotation>(said.messages[0]);
    EXPECT_EQ(rotation.timecode, 134255043);
    EXPECT_EQ(rotation.performer, 0);
    EXPECT_EQ(rotation.hand, Hand::left);
    EXPECT_EQ(rotation.finger, hand_engine::Finger::thumb);
    EXPECT_FALSE(rotation.with_metacarpals);
    EXPECT_EQ(rotation.bones[hand_engine::kProximal],
              (hand_engine::Quaternion{-0.1692586f, -0.1232476f, -0.06889943f, 0.9754032f}));
    for (std::size_t part = 0; part < 4; ++part) {
        EXPECT_TRUE(osc::is_null(rotation.bones[hand_engine::kMetacarpal][part])) << "not sent";
        EXPECT_TRUE(osc::is_null(rotation.bones[hand_engine::kIntermediate][part])) << "sent as -2147483648";
    }
    EXPECT_EQ(rotation.bones[hand_engine::kDistal], over(17, 11, 8, -10, 2));
}

TEST(GoldenHandEngine, APositionIsReadAsTheDocumentSays) {
    const Said said(golden_hand_engine::kPosition);
    ASSERT_EQ(said.messages.size(), 1u);
    const auto& position = std::get<hand_engine::FingerPosition>(said.messages[0]);
    EXPECT_EQ(position.timecode, 134255043);
    EXPECT_EQ(position.performer, 0);
    EXPECT_EQ(position.hand, Hand::left);
    EXPECT_EQ(position.finger, hand_engine::Finger::index);
    EXPECT_EQ(position.bones[0], (std::array<float, 3>{-0.07707334f, -0.0002944469f, 0.0228914f}));
    EXPECT_EQ(position.bones[1], (std::array<float, 3>{-0.03520012f, -0.000001430511f, 0}));
    EXPECT_EQ(position.bones[2], (std::array<float, 3>{-0.02065659f, -0.000000834465f, 0}));
}

TEST(GoldenHandEngine, SlidersAreReadInTheOrderOfTheVendorsPlugin) {
    const Said said(golden_hand_engine::kSliders);
    ASSERT_EQ(said.messages.size(), 1u);
    const auto& sliders = std::get<hand_engine::Sliders>(said.messages[0]);
    EXPECT_EQ(sliders.timecode, 134255043);
    EXPECT_EQ(sliders.performer, 2);
    EXPECT_EQ(sliders.hand, Hand::right);
    EXPECT_EQ(sliders.glove_id, "PF-4021");
    EXPECT_EQ(sliders.glove_revision, "F");
    EXPECT_EQ(sliders.values.bend[0], (std::array<float, 3>{0.40625f, 0.28125f, 0.34375f}));
    EXPECT_EQ(sliders.values.bend[1], (std::array<float, 3>{0.53125f, 0.65625f, 0.21875f}));
    EXPECT_EQ(sliders.values.bend[2], (std::array<float, 3>{0.59375f, 0.71875f, 0.46875f}));
    EXPECT_EQ(sliders.values.bend[3], (std::array<float, 3>{0.78125f, 0.84375f, 0.90625f}));
    EXPECT_EQ(sliders.values.bend[4], (std::array<float, 3>{0.96875f, 1.03125f, 1.0f}));
    EXPECT_EQ(sliders.values.splay, (std::array<float, 5>{-0.15625f, -0.0625f, 0.03125f, 0.09375f, -0.3125f}));
    EXPECT_EQ(sliders.values.global_splay, 0.75f);
}

TEST(GoldenHandEngine, ABundleIsReadMessageByMessage) {
    const Said said(golden_hand_engine::kBundle);
    ASSERT_EQ(said.messages.size(), 2u);
    const auto& thumb = std::get<hand_engine::FingerPosition>(said.messages[0]);
    EXPECT_EQ(thumb.timecode, 235959119);
    EXPECT_EQ(thumb.performer, 0);
    EXPECT_EQ(thumb.hand, Hand::right);
    EXPECT_EQ(thumb.finger, hand_engine::Finger::thumb);
    EXPECT_EQ(thumb.bones[0], (std::array<float, 3>{0.03125f, -0.046875f, 0.0546875f}));
    EXPECT_EQ(thumb.bones[1], (std::array<float, 3>{0.0390625f, -0.0078125f, 0.0234375f}));
    EXPECT_EQ(thumb.bones[2], (std::array<float, 3>{0.01953125f, -0.00390625f, 0.01171875f}));
    const auto& ring = std::get<hand_engine::FingerPosition>(said.messages[1]);
    EXPECT_EQ(ring.timecode, 10203004);
    EXPECT_EQ(ring.performer, 1);
    EXPECT_EQ(ring.hand, Hand::left);
    EXPECT_EQ(ring.finger, hand_engine::Finger::ring);
    EXPECT_EQ(ring.bones[0], (std::array<float, 3>{0.078125f, -0.01171875f, 0.0859375f}));
    EXPECT_EQ(ring.bones[1], (std::array<float, 3>{0.04296875f, -0.021484375f, 0.05078125f}));
    EXPECT_EQ(ring.bones[2], (std::array<float, 3>{0.029296875f, -0.013671875f, 0.033203125f}));
}

// x, y, z, w from the wrist down.
constexpr std::array<hand_engine::Quaternion, 4> kHalves{
    {{0.5f, 0.5f, 0.5f, 0.5f}, {0.5f, -0.5f, -0.5f, 0.5f}, {-0.5f, 0.5f, -0.5f, 0.5f}, {-0.5f, -0.5f, 0.5f, 0.5f}}};

TEST(GoldenHandEngine, ARotationOfHalvesIsReadAsTheDocumentSays) {
    const Said said(golden_hand_engine::kHalves);
    ASSERT_EQ(said.messages.size(), 1u);
    const auto& rotation = std::get<hand_engine::FingerRotation>(said.messages[0]);
    EXPECT_EQ(rotation.timecode, 134255043);
    EXPECT_EQ(rotation.performer, 0);
    EXPECT_EQ(rotation.hand, Hand::left);
    EXPECT_EQ(rotation.finger, hand_engine::Finger::middle);
    EXPECT_TRUE(rotation.with_metacarpals);
    EXPECT_EQ(rotation.bones, kHalves);
}

// That x and y of its rig point the other way is not in the document; rig_axes.hpp is about rigs.
TEST(GoldenHandEngine, TheSimulatedHandEngineMakesTheSameMessageOfBonesTurnedOneAfterTheOther) {
    HandJoints joints{};
    joints.fill(kIdentityPose);
    XrQuaternionf in_wrist = kNoRotation;
    std::size_t joint = XR_HAND_JOINT_MIDDLE_METACARPAL_EXT;
    for (const auto& [x, y, z, w] : kHalves) {
        in_wrist = multiply(in_wrist, {-x, -y, z, w});
        joints[joint++].orientation = in_wrist;
    }
    const HandEngineFrame frame{.hand = Hand::left, .timecode = 134255043, .rig = HandEngineRig::unity_wave};
    const std::vector<Bytes> fingers = encode_hand_engine(frame, joints);
    ASSERT_EQ(fingers.size(), 5u);
    expect_same(fingers[2], bytes_of(golden_hand_engine::kHalves));
}

}  // namespace
}  // namespace glove
