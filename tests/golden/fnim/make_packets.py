#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the packets of this folder as commented hex, from the document "UDP Reception - EMF Poses" alone.

Shares nothing with the C++ code: what both agree on, both have read in the document.
Run it in this folder; the result is committed, so that a change shows in a diff.
"""
import math
import struct

SLOTS = ("thumb", "index", "middle", "ring", "pinky", "forearm")
NAN = float("nan")


def bent(degrees, about=(-1, 0, 0)):
    """w, x, y, z; by default fingers bend about -X: Y (forward) turns toward -Z (palm)."""
    half = math.radians(degrees) / 2
    return (math.cos(half),) + tuple(math.sin(half) * part for part in about)


RELAXED_LEFT = [  # right-forward-up, millimetres; the thumb is to the right of a left hand
    ((71.5, 62.0, -38.25), bent(40, (-0.6, 0.8, 0))),
    ((27.0, 118.0, -37.5), bent(50)),
    ((2.5, 125.0, -42.0), bent(55)),
    ((-20.0, 113.0, -45.5), bent(60)),
    ((-39.0, 92.0, -43.0), bent(65)),
    None,
]
FIST_RIGHT = [
    ((-12.0, 48.0, -72.0), bent(75, (-0.6, -0.8, 0))),
    ((-22.0, 22.5, -58.0), bent(200)),
    ((-2.0, 20.0, -60.0), bent(210)),
    ((16.0, 18.0, -57.0), bent(212)),
    ((31.0, 15.0, -50.0), bent(208)),
    ((4.0, -205.0, -10.0), bent(20)),
]
NO_IMU = ((0, 0, 0), (0, 0, 0))


def write(name, title, flags, frame, stamp, slots, imu, stale=None):
    lines = ['# %s. From the document "UDP Reception - EMF Poses", sections 3 to 5; written by make_packets.py.' % title,
             "# SPDX-License-Identifier: Apache-2.0"]

    def put(data, comment):
        lines.append(data.hex(" ") + "  # " + comment)

    put(struct.pack("<I", 0x464E494D), "magic FNIM")
    put(struct.pack("<B", 2), "version")
    put(struct.pack("<B", flags), "flags, 1 left 2 right")
    put(struct.pack("<H", 0), "reserved")
    put(struct.pack("<I", frame), "frame_number %d" % frame)
    put(struct.pack("<Q", stamp), "timestamp_ns %d" % stamp)
    put(struct.pack("<I", 0x77787A79), "quat_order wxyz")
    for slot, pose in zip(SLOTS, slots):
        position, rotation = pose or stale or ((0, 0, 0), (0, 0, 0, 0))
        put(struct.pack("<3f", *position), "%s: x y z mm %g %g %g" % ((slot,) + tuple(position)))
        put(struct.pack("<4f", *rotation), "%s: w x y z %g %g %g %g" % ((slot,) + tuple(rotation)))
        put(struct.pack("<B3x", 1 if pose else 0), "%s: valid, reserved" % slot)
    put(struct.pack("<3f", *imu[0]), "accel_mps2 %g %g %g" % imu[0])
    put(struct.pack("<3f", *imu[1]), "gyro_radps %g %g %g" % imu[1])
    with open(name + ".hex", "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


write("left_relaxed", "Relaxed left hand, no forearm, no IMU", 1, 41, 5_000_000_000, RELAXED_LEFT, NO_IMU)
write("right_fist_forearm", "Right fist with forearm and IMU", 2, 0xFFFFFFFF, 123_456_789_012_345, FIST_RIGHT,
      ((0.25, -1.5, 9.75), (0.5, -0.125, 2.0)))
write("left_index_lost", "Left hand whose index and forearm slots hold not-a-number and are not valid", 1, 42,
      5_008_333_333, [RELAXED_LEFT[0], None] + RELAXED_LEFT[2:], NO_IMU, stale=((NAN, 1e30, 0), (NAN, 0, 0, 0)))
write("left_all_lost", "Left hand of which no slot is valid; stale poses remain", 1, 43, 5_016_666_667, [None] * 6,
      NO_IMU, stale=RELAXED_LEFT[1])
