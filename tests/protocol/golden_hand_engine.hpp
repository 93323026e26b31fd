// SPDX-License-Identifier: Apache-2.0
// OSC datagrams as StretchSense Hand Engine sends them, written byte by byte by none of our encoders. From the Open SDK
// Core document: the types ("OSC Arguments"), the addresses, the bones and their parts ("Animation Rotation Data OSC
// Arguments", "Animation Position Data OSC Message Format"). Its rotations have no column of indices: their number, 13
// or 17, and the order of the document's tables make them. From OSC 1.0: padding to four bytes, big-endian numbers,
// bundles, which the document does not name. No two floats of a message are alike, zeros and kHalves aside, and
// quaternions are of unit length. Not covered: the other addresses (hand_engine_test.cpp), what the rotations mean
// (hand/).
#pragma once

#include <array>
#include <cstdint>

namespace glove::golden_hand_engine {

// A right little finger of performer 3.
inline constexpr std::array<std::uint8_t, 140> kRotationWithMetacarpals{
    '/',  'v',  '1',  '/',  'a', 'n', 'i', 'm', 'a', 't', 'i', 'o', 'n', '/', '3', '/',  // address
    '2',  '/',  'L',  'i',  't', 't', 'l', 'e', '/', 'r', 'o', 't', 'a', 't', 'i', 'o',  // address, on
    'n',  'W',  'i',  't',  'h', 'M', 'e', 't', 'a', 'c', 'a', 'r', 'p', 'a', 'l', 's',  // address, on
    0x00, 0x00, 0x00, 0x00,                                                              // address, on
    ',',  'i',  'f',  'f',  'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f',  // type tags
    'f',  'f',  0x00, 0x00,                                                              // type tags, on
    0x08, 0x00, 0x91, 0xC3,  // 0 Timecode, hhmmssfff: 134255043
    0xBE, 0x63, 0x8E, 0x39,  // 1 Metacarpal Rotation Quaternion X: -2/9
    0xBF, 0x0E, 0x38, 0xE4,  // 2 Metacarpal Rotation Quaternion Y: -5/9
    0x3F, 0x2A, 0xAA, 0xAB,  // 3 Metacarpal Rotation Quaternion Z: 6/9
    0xBE, 0xE3, 0x8E, 0x39,  // 4 Metacarpal Rotation Quaternion W: -4/9
    0x3F, 0x68, 0xBA, 0x2F,  // 5 Proximal Rotation Quaternion X: 10/11
    0xBD, 0xBA, 0x2E, 0x8C,  // 6 Proximal Rotation Quaternion Y: -1/11
    0xBE, 0x3A, 0x2E, 0x8C,  // 7 Proximal Rotation Quaternion Z: -2/11
    0x3E, 0xBA, 0x2E, 0x8C,  // 8 Proximal Rotation Quaternion W: 4/11
    0x3F, 0x08, 0x88, 0x89,  // 9 Intermediate Rotation Quaternion X: 8/15
    0x3F, 0x3B, 0xBB, 0xBC,  // 10 Intermediate Rotation Quaternion Y: 11/15
    0x3E, 0x08, 0x88, 0x89,  // 11 Intermediate Rotation Quaternion Z: 2/15
    0xBE, 0xCC, 0xCC, 0xCD,  // 12 Intermediate Rotation Quaternion W: -6/15
    0x3E, 0xDE, 0x9B, 0xD3,  // 13 Distal Rotation Quaternion X: 10/23
    0x3E, 0xB2, 0x16, 0x43,  // 14 Distal Rotation Quaternion Y: 8/23
    0x3F, 0x1B, 0xD3, 0x7A,  // 15 Distal Rotation Quaternion Z: 14/23
    0xBF, 0x10, 0xB2, 0x16,  // 16 Distal Rotation Quaternion W: -13/23
};

// A left thumb of performer 0. Timecode and proximal bone are the document's examples.
// A thumb has no intermediate bone, and what has no value is -2147483648.
inline constexpr std::array<std::uint8_t, 104> kRotation{
    '/',  'v',  '1',  '/',  'a', 'n', 'i', 'm', 'a', 't', 'i', 'o', 'n', '/', '0',  '/',   // address
    '1',  '/',  'T',  'h',  'u', 'm', 'b', '/', 'r', 'o', 't', 'a', 't', 'i', 'o',  'n',   // address, on
    0x00, 0x00, 0x00, 0x00,                                                                // address, on
    ',',  'i',  'f',  'f',  'f', 'f', 'i', 'i', 'i', 'i', 'f', 'f', 'f', 'f', 0x00, 0x00,  // type tags
    0x08, 0x00, 0x91, 0xC3,  // 0 Timecode, hhmmssfff: 134255043
    0xBE, 0x2D, 0x52, 0x20,  // 1 Proximal Rotation Quaternion X: -0.1692586
    0xBD, 0xFC, 0x69, 0x3D,  // 2 Proximal Rotation Quaternion Y: -0.1232476
    0xBD, 0x8D, 0x1B, 0x25,  // 3 Proximal Rotation Quaternion Z: -0.06889943
    0x3F, 0x79, 0xB4, 0x06,  // 4 Proximal Rotation Quaternion W: 0.9754032
    0x80, 0x00, 0x00, 0x00,  // 5 Intermediate Rotation Quaternion X: -2147483648
    0x80, 0x00, 0x00, 0x00,  // 6 Intermediate Rotation Quaternion Y: -2147483648
    0x80, 0x00, 0x00, 0x00,  // 7 Intermediate Rotation Quaternion Z: -2147483648
    0x80, 0x00, 0x00, 0x00,  // 8 Intermediate Rotation Quaternion W: -2147483648
    0x3F, 0x25, 0xA5, 0xA6,  // 9 Distal Rotation Quaternion X: 11/17
    0x3E, 0xF0, 0xF0, 0xF1,  // 10 Distal Rotation Quaternion Y: 8/17
    0xBF, 0x16, 0x96, 0x97,  // 11 Distal Rotation Quaternion Z: -10/17
    0x3D, 0xF0, 0xF0, 0xF1,  // 12 Distal Rotation Quaternion W: 2/17
};

// A left index finger of performer 0. All figures are the document's examples, which name no unit.
inline constexpr std::array<std::uint8_t, 88> kPosition{
    '/',  'v',  '1',  '/',  'a', 'n', 'i', 'm', 'a', 't', 'i', 'o',  'n', '/', '0', '/',  // address
    '1',  '/',  'I',  'n',  'd', 'e', 'x', '/', 'p', 'o', 's', 'i',  't', 'i', 'o', 'n',  // address, on
    0x00, 0x00, 0x00, 0x00,                                                               // address, on
    ',',  'i',  'f',  'f',  'f', 'f', 'f', 'f', 'f', 'f', 'f', 0x00,                      // type tags
    0x08, 0x00, 0x91, 0xC3,  // 0 Timecode, hhmmssfff: 134255043
    0xBD, 0x9D, 0xD8, 0xA1,  // 1 Proximal Position X: -0.07707334
    0xB9, 0x9A, 0x5F, 0xFE,  // 2 Proximal Position Y: -0.0002944469
    0x3C, 0xBB, 0x86, 0xBF,  // 3 Proximal Position Z: 0.0228914
    0xBD, 0x10, 0x2E, 0x00,  // 4 Intermediate Position X: -0.03520012
    0xB5, 0xBF, 0xFF, 0xFC,  // 5 Intermediate Position Y: -0.000001430511
    0x00, 0x00, 0x00, 0x00,  // 6 Intermediate Position Z: 0
    0xBC, 0xA9, 0x38, 0x02,  // 7 Distal Position X: -0.02065659
    0xB5, 0x60, 0x00, 0x00,  // 8 Distal Position Y: -0.000000834465
    0x00, 0x00, 0x00, 0x00,  // 9 Distal Position Z: 0
};

// Both kinds of sliders of a right Pro Fidelity glove of performer 2. Values in parts of 32; one above 1, some below 0.
// The table of this message is not in the text of the document: the order is that of the vendor's Unity plugin.
inline constexpr std::array<std::uint8_t, 164> kSliders{
    '/',  'v',  '1',  '/',  'a', 'n', 'i', 'm',  'a',  't',  'i',  'o',  'n', '/', 's', 'l',  // address
    'i',  'd',  'e',  'r',  '/', 'a', 'l', 'l',  0x00, 0x00, 0x00, 0x00,                      // address, on
    ',',  'i',  'i',  'i',  's', 's', 'f', 'f',  'f',  'f',  'f',  'f',  'f', 'f', 'f', 'f',  // type tags
    'f',  'f',  'f',  'f',  'f', 'f', 'f', 'f',  'f',  'f',  'f',  0x00,                      // type tags, on
    0x08, 0x00, 0x91, 0xC3,                       // 0 timecode, hhmmssfff: 134255043
    0x00, 0x00, 0x00, 0x02,                       // 1 performerId
    0x00, 0x00, 0x00, 0x02,                       // 2 handedness, 2 right
    'P',  'F',  '-',  '4',  '0', '2', '1', 0x00,  // 3 gloveId
    'F',  0x00, 0x00, 0x00,                       // 4 gloveRevision
    0x3E, 0xD0, 0x00, 0x00,                       // 5 thumbBend1: 0.40625
    0x3E, 0x90, 0x00, 0x00,                       // 6 thumbBend2: 0.28125
    0x3E, 0xB0, 0x00, 0x00,                       // 7 thumbBend3: 0.34375
    0xBE, 0x20, 0x00, 0x00,                       // 8 thumbSplay: -0.15625
    0x3F, 0x08, 0x00, 0x00,                       // 9 indexBend1: 0.53125
    0x3F, 0x28, 0x00, 0x00,                       // 10 indexBend2: 0.65625
    0x3E, 0x60, 0x00, 0x00,                       // 11 indexBend3: 0.21875
    0x3F, 0x18, 0x00, 0x00,                       // 12 middleBend1: 0.59375
    0x3F, 0x38, 0x00, 0x00,                       // 13 middleBend2: 0.71875
    0x3E, 0xF0, 0x00, 0x00,                       // 14 middleBend3: 0.46875
    0x3F, 0x48, 0x00, 0x00,                       // 15 ringBend1: 0.78125
    0x3F, 0x58, 0x00, 0x00,                       // 16 ringBend2: 0.84375
    0x3F, 0x68, 0x00, 0x00,                       // 17 ringBend3: 0.90625
    0x3F, 0x78, 0x00, 0x00,                       // 18 pinkyBend1: 0.96875
    0x3F, 0x84, 0x00, 0x00,                       // 19 pinkyBend2: 1.03125
    0x3F, 0x80, 0x00, 0x00,                       // 20 pinkyBend3: 1
    0x3F, 0x40, 0x00, 0x00,                       // 21 globalSplay: 0.75
    0xBD, 0x80, 0x00, 0x00,                       // 22 indexSplay: -0.0625
    0x3D, 0x00, 0x00, 0x00,                       // 23 middleSplay: 0.03125
    0x3D, 0xC0, 0x00, 0x00,                       // 24 ringSplay: 0.09375
    0xBE, 0xA0, 0x00, 0x00,                       // 25 pinkySplay: -0.3125
};

// Two positions of two hands in one datagram: a right thumb of performer 0, a left ring finger of performer 1.
inline constexpr std::array<std::uint8_t, 196> kBundle{
    '#',  'b',  'u',  'n',  'd',  'l',  'e',  0x00,  // OSC 1.0, OSC Bundles
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,  // time tag: immediately
    0x00, 0x00, 0x00, 0x58,                          // size of the element, 88 bytes
    '/',  'v',  '1',  '/',  'a',  'n',  'i',  'm',  'a', 't', 'i', 'o',  'n', '/', '0', '/',  // address
    '2',  '/',  'T',  'h',  'u',  'm',  'b',  '/',  'p', 'o', 's', 'i',  't', 'i', 'o', 'n',  // address, on
    0x00, 0x00, 0x00, 0x00,                                                                   // address, on
    ',',  'i',  'f',  'f',  'f',  'f',  'f',  'f',  'f', 'f', 'f', 0x00,                      // type tags
    0x0E, 0x10, 0x73, 0x4F,  // 0 Timecode, hhmmssfff: 235959119
    0x3D, 0x00, 0x00, 0x00,  // 1 Proximal Position X: 0.03125
    0xBD, 0x40, 0x00, 0x00,  // 2 Proximal Position Y: -0.046875
    0x3D, 0x60, 0x00, 0x00,  // 3 Proximal Position Z: 0.0546875
    0x3D, 0x20, 0x00, 0x00,  // 4 Intermediate Position X: 0.0390625
    0xBC, 0x00, 0x00, 0x00,  // 5 Intermediate Position Y: -0.0078125
    0x3C, 0xC0, 0x00, 0x00,  // 6 Intermediate Position Z: 0.0234375
    0x3C, 0xA0, 0x00, 0x00,  // 7 Distal Position X: 0.01953125
    0xBB, 0x80, 0x00, 0x00,  // 8 Distal Position Y: -0.00390625
    0x3C, 0x40, 0x00, 0x00,  // 9 Distal Position Z: 0.01171875
    0x00, 0x00, 0x00, 0x54,  // size of the element, 84 bytes
    '/',  'v',  '1',  '/',  'a',  'n',  'i',  'm',  'a', 't', 'i', 'o',  'n', '/', '1', '/',   // address
    '1',  '/',  'R',  'i',  'n',  'g',  '/',  'p',  'o', 's', 'i', 't',  'i', 'o', 'n', 0x00,  // address, on
    ',',  'i',  'f',  'f',  'f',  'f',  'f',  'f',  'f', 'f', 'f', 0x00,                       // type tags
    0x00, 0x9B, 0xAF, 0x7C,  // 0 Timecode, hhmmssfff: 010203004
    0x3D, 0xA0, 0x00, 0x00,  // 1 Proximal Position X: 0.078125
    0xBC, 0x40, 0x00, 0x00,  // 2 Proximal Position Y: -0.01171875
    0x3D, 0xB0, 0x00, 0x00,  // 3 Proximal Position Z: 0.0859375
    0x3D, 0x30, 0x00, 0x00,  // 4 Intermediate Position X: 0.04296875
    0xBC, 0xB0, 0x00, 0x00,  // 5 Intermediate Position Y: -0.021484375
    0x3D, 0x50, 0x00, 0x00,  // 6 Intermediate Position Z: 0.05078125
    0x3C, 0xF0, 0x00, 0x00,  // 7 Distal Position X: 0.029296875
    0xBC, 0x60, 0x00, 0x00,  // 8 Distal Position Y: -0.013671875
    0x3D, 0x08, 0x00, 0x00,  // 9 Distal Position Z: 0.033203125
};

// A left middle finger of performer 0, each bone turned by a third of a circle, so that all parts are halves and a
// sender that works in rotations has nothing to round. The signs tell the parts and the bones from each other.
inline constexpr std::array<std::uint8_t, 140> kHalves{
    '/',  'v',  '1',  '/',  'a', 'n', 'i', 'm', 'a', 't', 'i', 'o', 'n', '/', '0', '/',  // address
    '1',  '/',  'M',  'i',  'd', 'd', 'l', 'e', '/', 'r', 'o', 't', 'a', 't', 'i', 'o',  // address, on
    'n',  'W',  'i',  't',  'h', 'M', 'e', 't', 'a', 'c', 'a', 'r', 'p', 'a', 'l', 's',  // address, on
    0x00, 0x00, 0x00, 0x00,                                                              // address, on
    ',',  'i',  'f',  'f',  'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 'f',  // type tags
    'f',  'f',  0x00, 0x00,                                                              // type tags, on
    0x08, 0x00, 0x91, 0xC3,  // 0 Timecode, hhmmssfff: 134255043
    0x3F, 0x00, 0x00, 0x00,  // 1 Metacarpal Rotation Quaternion X: 0.5
    0x3F, 0x00, 0x00, 0x00,  // 2 Metacarpal Rotation Quaternion Y: 0.5
    0x3F, 0x00, 0x00, 0x00,  // 3 Metacarpal Rotation Quaternion Z: 0.5
    0x3F, 0x00, 0x00, 0x00,  // 4 Metacarpal Rotation Quaternion W: 0.5
    0x3F, 0x00, 0x00, 0x00,  // 5 Proximal Rotation Quaternion X: 0.5
    0xBF, 0x00, 0x00, 0x00,  // 6 Proximal Rotation Quaternion Y: -0.5
    0xBF, 0x00, 0x00, 0x00,  // 7 Proximal Rotation Quaternion Z: -0.5
    0x3F, 0x00, 0x00, 0x00,  // 8 Proximal Rotation Quaternion W: 0.5
    0xBF, 0x00, 0x00, 0x00,  // 9 Intermediate Rotation Quaternion X: -0.5
    0x3F, 0x00, 0x00, 0x00,  // 10 Intermediate Rotation Quaternion Y: 0.5
    0xBF, 0x00, 0x00, 0x00,  // 11 Intermediate Rotation Quaternion Z: -0.5
    0x3F, 0x00, 0x00, 0x00,  // 12 Intermediate Rotation Quaternion W: 0.5
    0xBF, 0x00, 0x00, 0x00,  // 13 Distal Rotation Quaternion X: -0.5
    0xBF, 0x00, 0x00, 0x00,  // 14 Distal Rotation Quaternion Y: -0.5
    0x3F, 0x00, 0x00, 0x00,  // 15 Distal Rotation Quaternion Z: 0.5
    0x3F, 0x00, 0x00, 0x00,  // 16 Distal Rotation Quaternion W: 0.5
};

}  // namespace glove::golden_hand_engine
