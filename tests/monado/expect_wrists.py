#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""expect_wrists.py GRIPS WRISTS: each wrist that wrist_print wrote is where the grips of the first file and the offsets
below put it, within 1 mm and 0.1 degrees. Prints what is wrong; status 1 then."""
import math
import sys

# As in the check's configuration: position in metres, a turn about z.
OFFSETS = {"left": ((0.01, -0.02, 0.08), 90), "right": ((-0.01, 0.03, 0.07), -90)}


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def turned(q, v):
    x, y, z, _ = multiply(multiply(q, (*v, 0)), (-q[0], -q[1], -q[2], q[3]))
    return (x, y, z)


def read(name, what):
    poses = {}
    with open(name, encoding="utf-8") as lines:
        for line in lines:
            hand, kind, *numbers = line.split()
            if kind == what:
                values = [float(number) for number in numbers]
                poses[hand] = (values[:4], values[4:])
    return poses


def main():
    grips = read(sys.argv[1], "grip")
    wrists = read(sys.argv[2], "wrist")
    wrong = []
    for hand, (offset, degrees) in OFFSETS.items():
        if hand not in grips or hand not in wrists:
            wrong.append(f"{hand}: no {'grip' if hand not in grips else 'wrist'}")
            continue
        turn, place = grips[hand]
        half = math.radians(degrees) / 2
        wanted_turn = multiply(turn, (0, 0, math.sin(half), math.cos(half)))
        wanted = [a + b for a, b in zip(place, turned(turn, offset))]
        off = math.dist(wanted, wrists[hand][1]) * 1000
        cosine = abs(sum(a * b for a, b in zip(wanted_turn, wrists[hand][0])))
        angle = math.degrees(2 * math.acos(min(1, cosine)))
        print(f"{hand}: {off:.3f} mm, {angle:.3f} deg")
        if off > 1 or angle > 0.1:
            wrong.append(f"{hand}: {off:.1f} mm and {angle:.2f} deg off")
        if all(abs(value) < 1e-6 for value in place):
            wrong.append(f"{hand}: the grip itself is nowhere")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
