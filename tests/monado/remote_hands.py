#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds Monado's "remote" driver with a head and two hands that stay where they are, until it is gone.
   remote_hands.py there|away      away: controllers that are not held, and no hands

The driver takes one struct, native layout (x86-64), as often as one likes; Monado 25."""
import socket
import struct
import sys
import time

PORT = 4242
RATE_HZ = 100
TURNED_BY_NOTHING = (0.0, 0.0, 0.0, 1.0)


def pose(position, orientation=TURNED_BY_NOTHING):
    return struct.pack("<7f", *orientation, *position)


def head(position):
    field_of_view = struct.pack("<4f", -0.8, 0.8, 0.8, -0.8)
    view = field_of_view + pose((0, 0, 0)) + bytes(4)
    return 2 * view + pose(position) + bytes(4)


def controller(position, there):
    velocities = struct.pack("<6f", *(6 * [0.0]))
    curls = struct.pack("<5f", *(5 * [0.2]))
    analog_inputs = struct.pack("<8f", *(8 * [0.0]))
    hand_tracked_and_active = struct.pack("<2B", there, there)
    buttons = bytes(11)
    return pose(position) + velocities + curls + analog_inputs + hand_tracked_and_active + buttons + bytes(3)


def connect():
    for _ in range(50):
        try:
            return socket.create_connection(("127.0.0.1", PORT))
        except OSError:
            time.sleep(0.1)
    sys.exit("remote_hands.py: no answer")


def main():
    there = {"there": 1, "away": 0}[sys.argv[1]]
    packet = (b"mndrmt3\0" + head((0.0, 1.6, 0.0)) + controller((-0.2, 1.3, -0.5), there)
              + controller((0.2, 1.3, -0.5), there))
    packet += bytes(-len(packet) % 8)
    with connect() as connection:
        connection.sendall(packet)
        print("feeding", flush=True)
        while True:
            time.sleep(1 / RATE_HZ)
            try:
                connection.sendall(packet)
            except OSError:
                return


main()
