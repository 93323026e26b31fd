#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts golden datagrams of all protocols in a row, as tests/fuzz/fuzz_glove_stream.cpp reads them. Run where it is."""
import pathlib

HERE = pathlib.Path(__file__).parent
GOLDEN = HERE.parent


def bytes_of(name):
    lines = (GOLDEN / name).read_text().splitlines()
    return bytes.fromhex("".join(line.split("#")[0] for line in lines))


def sequence(*steps):
    """steps: (golden file, milliseconds since the one before, whether another sender sends it)"""
    out = b""
    for i, (name, ms, other) in enumerate(steps):
        out += (b"\xff\xffNX" + bytes([ms // 8 << 1 | other]) if i else b"") + bytes_of(name)
    return out


def write(name, title, data):
    rows = [data[i : i + 16].hex(" ") for i in range(0, len(data), 16)]
    text = f"# {title} Written by make_sequences.py.\n# SPDX-License-Identifier: Apache-2.0\n"
    (HERE / name).write_text(text + "\n".join(rows) + "\n")


write(
    "handover.hex",
    "A left hand from Hand Engine, then coils, then joints, then coils again.",
    sequence(
        ("hand_engine/glove_status.hex", 0, False),
        ("hand_engine/fist_left_bundle.hex", 8, False),
        ("fnim/left_relaxed.hex", 8, False),
        ("fsnh/wrist_left_relaxed.hex", 8, False),
        ("fnim/left_index_lost.hex", 8, True),
        ("fnim/left_relaxed.hex", 1000, False),
        ("fnim/left_all_lost.hex", 8, False),
    ),
)
write(
    "two_senders.hex",
    "Both hands of two senders at once.",
    sequence(
        ("hand_engine/performer.hex", 0, False),
        ("hand_engine/finger_right_thumb.hex", 8, False),
        ("hand_engine/sliders_fidelity.hex", 8, True),
        ("hand_engine/dongle_status.hex", 8, False),
        ("fnim/right_fist_forearm.hex", 8, False),
        ("fsnh/forearm_left_live.hex", 8, True),
        ("fsnh/wrist_left_repeat.hex", 8, False),
    ),
)
