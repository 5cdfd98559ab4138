# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""What README and docs/python.md show runs as it stands there."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_the_example_runs(name, data, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.S)
    blocks = [block for block in blocks if "import nonsmooth" in block]
    assert blocks
    monkeypatch.chdir(data)
    for block in blocks:
        names = {}
        exec(block, names)
        assert names["result"].history["energy"].min() == pytest.approx(names["result"].energy, rel=1e-6)
