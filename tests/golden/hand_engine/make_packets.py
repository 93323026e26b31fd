#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the packets of this folder as commented hex, from OSC 1.0 and the Open SDK Core document alone.

Shares nothing with the C++ code: what both agree on, both have read in the documents.
"""
import math
import pathlib
import struct

NULL = -2147483648
FINGERS = ["Thumb", "Index", "Middle", "Ring", "Little"]


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def text(value: str) -> bytes:
    return padded(value.encode() + b"\0")


def message(address, *arguments):
    """Rows of (bytes, comment). An argument is an int, a float, a str, or a pair of type tag and value."""
    tags, rows = ",", []
    for value in arguments:
        tag = value[0] if isinstance(value, tuple) else {int: "i", float: "f", str: "s"}[type(value)]
        if isinstance(value, tuple):
            value = value[1]
        tags += tag
        packed = {
            "i": lambda: struct.pack(">i", value),
            "f": lambda: struct.pack(">f", value),
            "s": lambda: text(value),
            "b": lambda: struct.pack(">i", len(value)) + padded(value),
            "h": lambda: struct.pack(">q", value),
            "d": lambda: struct.pack(">d", value),
            "t": lambda: struct.pack(">II", *value),
        }.get(tag, lambda: b"")()
        rows.append((packed, f"{tag} {value}"))
    return [(text(address), address), (text(tags), tags)] + rows


def bundle(*elements):
    rows = [(text("#bundle"), "#bundle"), (struct.pack(">II", 0, 1), "time tag: now")]
    for element in elements:
        size = sum(len(data) for data, _ in element)
        rows.append((struct.pack(">i", size), f"element of {size} bytes"))
        rows += element
    return rows


def turn_about_x(degrees):
    """In the Wave rig a finger bends about +X."""
    half = math.radians(degrees) / 2
    return [math.sin(half), 0.0, 0.0, math.cos(half)]


def finger(hand, name, timecode, bends):
    """`bends` in degrees, one per slot; whole numbers go out as integers, as from an untyped language."""
    arguments = [timecode]
    for bend in bends:
        arguments += [int(part) if part == int(part) else part for part in turn_about_x(bend)]
    kind = "rotationWithMetacarpals" if len(bends) == 4 else "rotation"
    return message(f"/v1/animation/0/{hand}/{name}/{kind}", *arguments)


def fist(hand, timecode):
    return [finger(hand, name, timecode, [0, 30, 0, 60] if name == "Thumb" else [0, 80, 90, 60]) for name in FINGERS]


def sliders(hand, studio):
    values = []
    for k in range(5, 26):
        fidelity_only = k in (7, 11, 14, 17, 20) or k >= 22
        values.append(NULL if studio and fidelity_only else k / 32)
    return message("/v1/animation/slider/all", 134255043, 0, hand, "SN-0042", "G" if studio else "F", *values)


def kinematic(hand):
    joints = []
    for joint in range(26):
        joints += [0.0, 0.0, 0.0 if joint < 2 else -0.03] + [-0.5 if joint > 2 else 0.0, 0.0, 0.0,
                                                             math.sqrt(0.75) if joint > 2 else 1.0]
    return message("/v1/animation/kinematic/all", 77, 0, hand, "Reality Glove (L)", "Reality Glove", *joints)


PACKETS = {
    "finger_left_index": ("Left index finger bent, with metacarpal", finger(1, "Index", 134255043, [0, 40, 60, 30])),
    "finger_right_thumb": ("Right thumb, three slots", finger(2, "Thumb", 134255043, [20, 0, 40])),
    "position_left_middle": ("Left middle finger's positions", message(
        "/v1/animation/0/1/Middle/position", 134255043, -0.07707334, -0.0002944469, 0.0228914, -0.03520012,
        -0.000001430511, 0, -0.02065659, -0.000000834465, 0)),
    "sliders_studio": ("A Studio glove's sliders with their nulls", sliders(1, True)),
    "sliders_fidelity": ("A Pro Fidelity glove's sliders", sliders(2, False)),
    "performer": ("Performer", message("/v1/performer/all", 0, 1, "Ada")),
    "glove_status": ("Status of a left glove", message(
        "/v1/performer/glove/status", 0, 1, "D-1", "SN-0042", 1, 1, "F", "Pro Fidelity", "3.1.2", 1, 87.5, NULL, 0)),
    "dongle_status": ("Status of a dongle", message("/v1/device/dongle/status", "D-1", "2.0", 1)),
    "fist_left_bundle": ("A left fist, five fingers in one bundle", bundle(*fist(1, 134255043))),
    "two_samples_nested": ("Two samples of both hands in nested bundles", bundle(
        bundle(*fist(1, 235959059)), bundle(bundle(*fist(2, 235959059)), *fist(1, 0)), *fist(2, 0))),
    "kinematic_left": ("The kindred stream's left hand", kinematic(1)),
    "every_type": ("Every argument type that is taken, at an address that is not", message(
        "/every/type", 1, 2.5, "three", ("b", b"blobs"), ("h", 4), ("d", 5.5), ("t", (6, 7)), ("T", True), ("F", False),
        ("N", None), ("I", None))),
}

for name, (title, rows) in PACKETS.items():
    lines = [f"# {title}. From OSC 1.0 and the Open SDK Core document; written by make_packets.py.",
             "# SPDX-License-Identifier: Apache-2.0"]
    lines += [f"{data.hex(' ')}  # {comment}" for data, comment in rows if data]
    pathlib.Path(__file__).with_name(f"{name}.hex").write_text("\n".join(lines) + "\n")
