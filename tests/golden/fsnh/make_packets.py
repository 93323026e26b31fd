#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the packets of this folder as commented hex, from the document "UDP Reception - Joint Poses" alone.

Shares nothing with the C++ code: what both agree on, both have read in the document.
Run it in this folder; the result is committed, so that a change shows in a diff.
"""
import math
import struct

# Section 4.1 and the template hand, in millimetres: x toward the thumb, forward along the fingers, up out of the back.
# name, base joint, bone lengths, spread toward the thumb in degrees, bends of the three joints in degrees
RELAXED = [
    ("thumb", (25, 31, -16), (40, 32, 20), 42, (5, 12, 15)),
    ("index", (24, 92, 2), (40, 24, 17), 4, (20, 25, 12)),
    ("middle", (2, 92, 4), (44, 27, 18), 0, (24, 30, 15)),
    ("ring", (-18, 87, 0), (40, 25, 18), -4, (28, 33, 17)),
    ("little", (-35, 78, -6), (32, 19, 16), -9, (30, 35, 20)),
]
FIST = [
    ("thumb", (25, 31, -16), (40, 32, 20), 25, (20, 35, 60)),
    ("index", (24, 92, 2), (40, 24, 17), 0, (80, 95, 55)),
    ("middle", (2, 92, 4), (44, 27, 18), 0, (84, 98, 58)),
    ("ring", (-18, 87, 0), (40, 25, 18), 0, (86, 100, 60)),
    ("little", (-35, 78, -6), (32, 19, 16), 0, (88, 96, 62)),
]
PARTS = {"thumb": ("MCP", "proximal", "distal", "tip")}
FINGER_PARTS = ("proximal", "intermediate", "distal", "tip")

LEFT, RIGHT = 1, 2
NEW, FOREARM_LIVE = 0x01, 0x02
IDENTITY = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def product(a, b):
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def turned(q, v):
    w, x, y, z = q
    return product(product(q, (0.0, *v)), (w, -x, -y, -z))[1:]


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return (math.cos(half), *(math.sin(half) * c for c in axis))


def placed(parent, child):
    offset = turned(parent[1], child[0])
    return tuple(p + o for p, o in zip(parent[0], offset)), product(parent[1], child[1])


def hand_joints(side, fingers):
    """21 joints in the axes of section 3. Forward is +Y on the left hand and -Y on the right; X and Z are alike."""
    forward = 1 if side == LEFT else -1
    # To bend is to carry "forward" toward "down"; to spread toward the thumb is to carry it toward +X.
    bending, spreading = (-forward, 0, 0), (0, 0, -forward)
    joints = [("palm root", IDENTITY)]
    for name, (x, along, up), lengths, spread, bends in fingers:
        pose = ((x / 1000, forward * along / 1000, up / 1000), about(spreading, spread))
        parts = PARTS.get(name, FINGER_PARTS)
        for part, length, bend in zip(parts, lengths, bends):
            pose = placed(pose, ((0, 0, 0), about(bending, bend)))
            joints.append((f"{name} {part}", pose))
            pose = placed(pose, ((0, forward * length / 1000, 0), (1, 0, 0, 0)))
        joints.append((f"{name} {parts[-1]}", pose))
    return joints


def seen_from_forearm(joints, wrist):
    moved = [(name, placed(wrist, pose)) for name, pose in joints]
    return [("forearm", IDENTITY), ("wrist", moved[0][1])] + moved[1:]


def write(file_name, what, side, joints, status, frame_index, timestamp_ns):
    def line(layout, *values, comment):
        return f"{struct.pack('<' + layout, *values).hex(' ')}  # {comment}"

    lines = [
        f'# {what}. From the document "UDP Reception - Joint Poses", sections 3 to 5; written by make_packets.py.',
        "# SPDX-License-Identifier: Apache-2.0",
        line("I", 0x464E4853, comment="magic FSNH"),
        line("B", 4, comment="version"),
        line("B", side, comment="hand, 1 left 2 right"),
        line("B", len(joints), comment="joint_count"),
        line("B", status, comment="status, bit 0 new solve, bit 1 forearm live"),
        line("I", frame_index, comment=f"frame_index {frame_index}"),
        line("Q", timestamp_ns, comment=f"timestamp_ns {timestamp_ns}"),
        line("I", 0x77787A79, comment="quat_order wxyz"),
    ]
    for index, (name, (position, orientation)) in enumerate(joints):
        xyz = " ".join(f"{v:+.6f}" for v in position)
        wxyz = " ".join(f"{v:+.6f}" for v in orientation)
        lines.append(line("3f", *position, comment=f"{index} {name}: x y z {xyz}"))
        lines.append(line("4f", *orientation, comment=f"{index} {name}: w x y z {wxyz}"))
    with open(file_name, "w", encoding="ascii", newline="\n") as out:
        out.write("\n".join(lines) + "\n")


relaxed_left = hand_joints(LEFT, RELAXED)
relaxed_right = hand_joints(RIGHT, RELAXED)
fist_right = hand_joints(RIGHT, FIST)
# The forearm module some way up the arm; the hand lowered by 20 degrees and leaning 10 degrees toward the thumb.
left_wrist = ((0.004, 0.21, -0.012), product(about((0, 0, -1), 10), about((-1, 0, 0), 20)))
right_wrist = ((0.004, -0.21, -0.012), product(about((0, 0, 1), 10), about((1, 0, 0), 20)))

write("wrist_left_relaxed.hex", "Relaxed left hand, 21 joints", LEFT, relaxed_left, NEW, 1000, 5_000_000_000)
write("wrist_left_repeat.hex", "The relaxed left hand once more, not a new solve", LEFT, relaxed_left, 0, 1000, 5_008_333_333)
write("wrist_right_fist.hex", "Right fist, 21 joints", RIGHT, fist_right, NEW, 0xFFFFFFFF, 0x0123456789ABCDEF)
write("forearm_left_live.hex", "Relaxed left hand seen from the forearm, 22 joints", LEFT,
      seen_from_forearm(relaxed_left, left_wrist), NEW | FOREARM_LIVE, 7, 6_000_000_000)
write("forearm_right_held.hex", "Relaxed right hand, 22 joints, forearm held at its last good pose", RIGHT,
      seen_from_forearm(relaxed_right, right_wrist), NEW, 8, 6_100_000_000)
