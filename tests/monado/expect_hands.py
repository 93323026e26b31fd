#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what hand_print --json printed against what it should have; says what is wrong and ends with 1.
Whatever is active must also be a whole hand by OpenXR's own rules for joints."""
import argparse
import json
import math
import sys

JOINTS = ["palm", "wrist", "thumb-metacarpal", "thumb-proximal", "thumb-distal", "thumb-tip"]
for finger in ("index", "middle", "ring", "little"):
    JOINTS += [f"{finger}-{joint}" for joint in ("metacarpal", "proximal", "intermediate", "distal", "tip")]


class Wrong(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Wrong(what)


def minus(a, b):
    return [p - q for p, q in zip(a, b)]


def forward(q):
    """-Z of a frame: from a joint towards the fingertip."""
    x, y, z, w = q
    return [-2 * (x * z + w * y), -2 * (y * z - w * x), -(1 - 2 * (x * x + y * y))]


def points_at(joint, other):
    way = minus(other["position_mm"], joint["position_mm"])
    length = math.hypot(*way)
    need(length > 1, f"{joint['name']} and {other['name']} are at one place")
    return sum(a * b for a, b in zip(forward(joint["orientation_xyzw"]), way)) / length


def whole_hand(joints):
    need([joint["name"] for joint in joints] == JOINTS, "not the 26 joints in OpenXR's order")
    by_name = {joint["name"]: joint for joint in joints}
    for joint in joints:
        name = joint["name"]
        numbers = joint["position_mm"] + joint["orientation_xyzw"] + [joint["radius_mm"]]
        need(all(math.isfinite(number) for number in numbers), f"{name}: not finite")
        need(abs(math.hypot(*joint["orientation_xyzw"]) - 1) < 1e-4, f"{name}: not a unit quaternion")
        need(2 < joint["radius_mm"] < 40, f"{name}: radius {joint['radius_mm']} mm")
        need(joint["flags"][0] in "pP" and joint["flags"][1] in "oO", f"{name}: flags {joint['flags']}")
        from_wrist = math.hypot(*minus(joint["position_mm"], by_name["wrist"]["position_mm"]))
        need(from_wrist < 260, f"{name}: {from_wrist:.0f} mm from the wrist")
    middle = [by_name["middle-metacarpal"], by_name["middle-proximal"]]
    between = [(a + b) / 2 for a, b in zip(middle[0]["position_mm"], middle[1]["position_mm"])]
    need(math.hypot(*minus(between, by_name["palm"]["position_mm"])) < 2, "the palm is not in the middle of its bone")


def bones_lie_along_their_frames(joints):
    """Of hands that we made; runtimes are less strict."""
    for joint, other in zip(joints[2:], joints[3:]):
        if joint["name"].split("-")[0] == other["name"].split("-")[0]:
            cosine = points_at(joint, other)
            need(cosine > 0.98, f"-Z of {joint['name']} does not point at {other['name']}: cosine {cosine:.3f}")


def look_at(hand, source, wrist):
    if source == "inactive":
        need(not hand["active"] and not hand["joints"], "active")
        return
    need(hand["active"], "not active")
    need(source == "any" or hand["source"] == source, f"comes from {hand['source']}, not {source}")
    whole_hand(hand["joints"])
    if source not in ("any", "native"):
        bones_lie_along_their_frames(hand["joints"])
    if wrist:
        off = math.hypot(*minus(hand["joints"][1]["position_mm"], wrist))
        need(off < 1, f"the wrist is {off:.1f} mm from where it was put")


def places(frames, side):
    return [[joint["position_mm"] for joint in frame["hands"][side]["joints"]] for frame in frames]


def moves(frames, side):
    tips = [[joints[i] for i in (5, 10, 15, 20, 25)] for joints in places(frames, side)]
    way = max(math.hypot(*minus(a, b)) for first in tips[:1] for later in tips for a, b in zip(first, later))
    need(way > 5, f"no fingertip moves: {way:.2f} mm")


def same(frames, others, side):
    for a, b in zip(places(frames, side)[-1], places(others, side)[-1]):
        need(math.hypot(*minus(a, b)) < 0.5, f"not where they are without us: {a} and {b}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--frames", type=int, required=True)
    parser.add_argument("--moving", action="store_true", help="fingertips move, and velocities are given")
    parser.add_argument("--same-as", help="another such file whose last frame shows the same hands")
    for side in ("left", "right"):
        parser.add_argument(f"--{side}", required=True, help="the layer's source ('native': the runtime's hand), 'any' or 'inactive'")
        parser.add_argument(f"--{side}-wrist", type=float, nargs=3, help="mm")
    options = parser.parse_args()

    def read(file):
        with open(file, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    frames = read(options.file)
    side = ""
    frame = {"frame": "all"}
    try:
        need(len(frames) == options.frames, f"{len(frames)} frames, not {options.frames}")
        for side in ("left", "right"):
            for frame in frames:
                look_at(frame["hands"][side], getattr(options, side), getattr(options, f"{side}_wrist"))
            frame = {"frame": "all"}
            if options.moving:
                moves(frames, side)
                need(all("l" in joint["flags"] and "a" in joint["flags"] for joint in
                         frames[-1]["hands"][side]["joints"]), "no velocities")
            if options.same_as:
                same(frames, read(options.same_as), side)
    except Wrong as wrong:
        print(f"    frame {frame['frame']} {side}: {wrong}")
        sys.exit(1)


main()
