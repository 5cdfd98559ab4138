#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the Python of docs/replay.md as it stands there and checks what it reads.

    h5py_capture.py DOCS/REPLAY.MD NONSMOOTH CAPTURE

The first fenced block reads CAPTURE (it names "balls.h5"), the second results saved by
`nonsmooth replay --save`.
"""
import json
import re
import subprocess
import sys
import tempfile

import numpy as np


def main():
    docs, cli, capture = sys.argv[1:]
    with open(docs, encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    assert len(blocks) == 2, f"{docs} has {len(blocks)} blocks of Python, expected 2"
    capture_block, results_block = blocks
    lines = [line for line in capture_block.splitlines() if not line.startswith("import")]
    assert len(lines) == 3, f"three lines were promised, these are {len(lines)}"
    with tempfile.TemporaryDirectory() as folder:
        saved = f"{folder}/results.h5"
        text = subprocess.run([cli, "replay", capture, "--solver", "bb", "--save", saved,
                               "--json", "-"], check=True, stdout=subprocess.PIPE).stdout
        results = json.loads(text)["results"]

        # What the documents read: the contact forces' normal parts of one step, from x.
        scope = {}
        exec(capture_block.replace('"balls.h5"', repr(capture)), scope)
        step = results_of(results, "engine")[30]
        assert len(scope["x"]) == step["rows"], (len(scope["x"]), step["rows"])
        normals = scope["x"][::3]
        assert np.all(normals >= 0) and np.any(normals > 0), normals

        scope = {}
        exec(results_block.replace('"results.h5"', repr(saved)), scope)
        ours = [result["energy_error"] for result in results_of(results, "bb")]
        assert np.array_equal(scope["error"], ours), (scope["error"], ours)
    print("ok")


def results_of(results, solver):
    return [result for result in results if result["solver"] == solver]


if __name__ == "__main__":
    main()
