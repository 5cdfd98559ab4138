#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""Holds docs/file_format.md against a capture, with no code of the library's.

    file_format.py DOCS/FILE_FORMAT.MD KILLED_WRITER CAPTURE...

Runs the document's Python as it stands there; compares its tables with the datasets and with the
`schema` attribute; checks every checksum as the document says they are made.
"""
import json
import re
import signal
import subprocess
import sys
import tempfile

import h5py
import numpy as np

PROBLEM_EXCLUDES = {"body_states", "contact_geometry", "violation", "x0", "x", "w", "v"}
SHAPES = {"shapes", "shape_points", "shape_triangles"}
MASK = (1 << 64) - 1
PRIMES = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
          0x27D4EB2F165667C5)


def rotate(value, bits):
    return ((value << bits) | (value >> (64 - bits))) & MASK


def xxh64(data, seed):
    """After Yann Collet's specification."""
    p1, p2, p3, p4, p5 = PRIMES

    def mix(lane, word):
        return rotate((lane + word * p2) & MASK, 31) * p1 & MASK

    at = 0
    if len(data) >= 32:
        lanes = [(seed + p1 + p2) & MASK, (seed + p2) & MASK, seed, (seed - p1) & MASK]
        words = np.frombuffer(data, "<u8", len(data) // 32 * 4).tolist()
        for i in range(0, len(words), 4):
            lanes = [mix(lane, word) for lane, word in zip(lanes, words[i:i + 4])]
        at = 8 * len(words)
        value = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ mix(0, lane)) * p1 + p4) & MASK
    else:
        value = (seed + p5) & MASK
    value = (value + len(data)) & MASK
    while at + 8 <= len(data):
        value ^= mix(0, int.from_bytes(data[at:at + 8], "little"))
        value = (rotate(value, 27) * p1 + p4) & MASK
        at += 8
    if at + 4 <= len(data):
        value ^= int.from_bytes(data[at:at + 4], "little") * p1 & MASK
        value = (rotate(value, 23) * p2 + p3) & MASK
        at += 4
    for byte in data[at:]:
        value = rotate(value ^ byte * p5 & MASK, 11) * p1 & MASK
    value = (value ^ value >> 33) * p2 & MASK
    value = (value ^ value >> 29) * p3 & MASK
    return value ^ value >> 32


def run_snippet(text, capture):
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) == 1, f"{len(blocks)} blocks of Python, expected 1"
    lines = [line for line in blocks[0].splitlines() if not line.startswith("import")]
    assert len(lines) == 3, f"three lines were promised, these are {len(lines)}"
    scope = {}
    exec(blocks[0].replace('"balls.h5"', repr(capture)), scope)
    rows = scope["file"]["steps"][30]["rows"][1]
    assert rows > 0 and scope["x"].shape == (rows,), (rows, scope["x"].shape)
    scope["file"].close()


def read_killed_file(text, writer):
    """The file of a process that was killed after five steps, read as the document says."""
    call = re.search(r"`h5py\.File\(\"balls\.h5\", (.*?)\)`", text).group(1)
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/killed.h5"
        code = subprocess.run([writer, path], check=False).returncode
        assert code == -signal.SIGKILL, code
        with eval(f"h5py.File({path!r}, {call})", {"h5py": h5py}) as file:
            steps = file["steps"][()]
            assert [row["step"] for row in steps if row_holds(row)] == [0, 1, 2, 3, 4], steps
            check_sums(file)


def text_of(attribute):
    return attribute.decode() if isinstance(attribute, bytes) else str(attribute)


def check_tables(text, file):
    schema = json.loads(file.attrs["schema"])
    cells = {}
    for line in text.splitlines():
        if line.startswith("| `"):
            row = [cell.strip() for cell in line.strip("|").split("|")]
            for name in re.findall(r"`([^`]+)`", row[0]):
                cells.setdefault(name, row)
    for name, entry in schema["datasets"].items():
        dataset = file[name]
        kind = entry["type"] + (f" × {entry['width']}" if entry["width"] > 1 else "")
        expected = [f"`{name}`", f"`{entry['pool']}`", kind, entry["units"], entry["frame"],
                    entry["meaning"]]
        found = cells.get(name)
        # The document is of this version; an earlier one may say less of what a dataset is for.
        if text_of(file.attrs["version"]) != "1.1":
            found, expected = found[:-1], expected[:-1]
        assert found == expected, (found, expected)
        assert dataset.attrs["units"].decode() == entry["units"], name
        assert dataset.attrs["frame"].decode() == entry["frame"], name
        scalar = file.attrs["scalar"].decode()
        stored = scalar if entry["type"] == "scalar" else entry["type"]
        assert dataset.dtype == np.dtype(stored), name
        assert dataset.shape[1:] == ((entry["width"],) if entry["width"] > 1 else ()), name
    for name, entry in schema["steps"].items():
        assert name in cells and entry["units"] in cells[name], name
    assert set(schema["steps"]) == set(file["steps"].dtype.names)
    for name in file.attrs:
        assert name in cells, f"root attribute {name} is not described"
    known = set(schema["datasets"]) | {"/steps"}
    found = set()
    file.visititems(lambda name, item: found.add("/" + name) if isinstance(item, h5py.Dataset)
                    else None)
    assert found == known, found ^ known


def row_holds(row):
    offset = row.dtype.fields["row_checksum"][1]
    raw = row.tobytes()
    return (xxh64(raw[offset + 8:], xxh64(raw[:offset], 0)) or 1) == row["row_checksum"]


def check_sums(file):
    schema = json.loads(file.attrs["schema"])
    steps = file["steps"]
    arrays = {name: file[name][()] for name in schema["datasets"]}
    for index, row in enumerate(steps[()]):
        assert row_holds(row), f"row {index}"
        data = problem = shapes = 0
        for name, entry in schema["datasets"].items():
            first, count = (int(k) for k in row[entry["pool"]])
            piece = arrays[name][first:first + count]
            if entry["pool"] in SHAPES:
                shapes = xxh64(piece.tobytes(), shapes)
                continue
            data = xxh64(piece.tobytes(), data)
            if entry["pool"] in PROBLEM_EXCLUDES:
                piece = piece[:0]
            wide = piece.astype("<f8") if entry["type"] == "scalar" else piece
            problem = xxh64(wide.tobytes(), problem)
        assert data == row["data_checksum"], f"data of step {index}"
        if SHAPES <= set(schema["steps"]):
            assert shapes == row["shape_checksum"], f"shapes of step {index}"
        assert problem == row["problem_checksum"], f"problem of step {index}"


def main():
    with open(sys.argv[1], encoding="utf-8") as document:
        text = document.read()
    assert xxh64(b"", 0) == 0xEF46DB3751D8E999  # the specification's own example
    run_snippet(text, sys.argv[3])
    read_killed_file(text, sys.argv[2])
    for capture in sys.argv[3:]:
        with h5py.File(capture, "r") as file:
            check_tables(text, file)
            check_sums(file)
    print("ok")


if __name__ == "__main__":
    main()
