# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of every format."""
import numpy as np
import pytest

import nonsmooth


def test_a_capture_is_a_sequence_of_steps(data):
    file = nonsmooth.open(data / "balls.h5")
    assert (file.format, len(file)) == ("capture", 36)
    assert file[-1].step == file[35].step
    assert [step.step for step in file] == list(range(file[0].step, file[0].step + 36))
    with pytest.raises(IndexError):
        file[36]


def test_the_engine_is_judged_like_everybody(balls):
    """The recorded impulses under the same measure; w of the file is A x + b."""
    errors = nonsmooth.errors(balls.problem, balls.x)
    assert 0 < errors.energy < errors.free_energy
    assert np.allclose(balls.problem.A @ balls.x + balls.problem.b, balls.w, atol=1e-9)


@pytest.mark.parametrize(
    "name, kind",
    [
        ("balls.fclib-local.hdf5", "fclib-local"),
        ("chain.fclib-global.hdf5", "fclib-global"),
        ("chain.lu.h5", "lu"),
        ("balls.ode.h5", "ode"),
    ],
)
def test_other_formats_are_told_by_what_is_in_them(data, name, kind):
    file = nonsmooth.open(str(data / name))
    assert file.format == kind
    assert nonsmooth.solve(file[0].problem, max_iterations=10).x.shape == (file[0].problem.rows,)


def test_real_fclib_files_are_solved(fclib_files):
    for path in fclib_files:
        p = nonsmooth.open(path)[0].problem
        result = nonsmooth.solve(p, "nsgs", law="ncp", max_iterations=20)
        assert np.all(np.isfinite(result.x)), path
        assert len(nonsmooth.errors(p, result.x).per_row) == p.rows


def test_foreign_files_are_refused_in_the_same_words(data, tmp_path):
    text = tmp_path / "text.h5"
    text.write_text("not HDF5")
    for path in (text, tmp_path / "none.h5", data):
        with pytest.raises(nonsmooth.FileError) as error:
            nonsmooth.open(path)
        assert str(path) in str(error.value)
        assert isinstance(error.value, OSError)


def test_a_file_cut_short_is_refused(data, tmp_path):
    short = tmp_path / "short.h5"
    short.write_bytes((data / "balls.h5").read_bytes()[:50000])
    with pytest.raises(nonsmooth.FileError):
        for step in nonsmooth.open(short):
            step.problem
