# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib

import pytest

import nonsmooth

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


@pytest.fixture
def data():
    return DATA


@pytest.fixture
def balls():
    """A step with contacts on packed bodies."""
    return nonsmooth.open(DATA / "balls.h5")[30]


@pytest.fixture
def chain():
    """An FCLIB global problem: M, J, and joints."""
    return nonsmooth.open(DATA / "chain.fclib-global.hdf5")[0]


@pytest.fixture
def fclib_files():
    folder = os.environ.get("NONSMOOTH_FCLIB_DIR", "")
    files = sorted(pathlib.Path(folder).glob("*.hdf5")) if folder else []
    if not files:
        pytest.skip("NONSMOOTH_FCLIB_DIR names no FCLIB files")
    return files
