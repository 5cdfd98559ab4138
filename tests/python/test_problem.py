# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of problems, and problems of matrices."""
import gc

import numpy as np
import pytest
import scipy.sparse as sp

import nonsmooth


def test_matrices_of_bodies_make_a(balls):
    """A = J M^-1 J^T + C, and these rows have no compliance; b = J v_free + b0."""
    p = balls.problem
    product = p.J @ p.M_inverse @ p.J.T
    assert abs(product - p.A).max() < 1e-12 * abs(p.A).max()
    assert p.J.shape == (p.rows, len(p.v_free))
    assert p.b.shape == (p.rows,)


def test_mass_is_the_inverse_of_its_inverse(balls):
    p = balls.problem
    inverse = p.M_inverse.toarray()
    moves = np.diag(inverse) > 0
    product = p.M.toarray()[np.ix_(moves, moves)] @ inverse[np.ix_(moves, moves)]
    assert np.allclose(product, np.eye(moves.sum()), atol=1e-12)
    assert np.all(np.isinf(p.M.diagonal()[~moves]))


def test_matrices_of_an_fclib_file_make_a(chain):
    p = chain.problem
    product = p.J @ np.linalg.solve(p.M.toarray(), p.J.T.toarray())
    assert np.allclose(product, p.A.toarray(), rtol=1e-9, atol=1e-12)


def test_arrays_are_views_and_read_only(balls):
    p = balls.problem
    assert p.b.ctypes.data == p.b.ctypes.data  # the same memory each time it is asked for
    assert p.A.data.ctypes.data == p.A.data.ctypes.data
    with pytest.raises(ValueError):
        p.b[0] = 1
    assert not p.lower.flags.owndata


def test_views_outlive_their_problem(balls):
    expected = balls.problem.b.copy()
    views = nonsmooth.Problem.from_matrix(balls.problem.A, expected, groups=_groups(balls.problem)).b
    del balls
    gc.collect()
    assert np.array_equal(views, expected)


def _groups(problem):
    kinds = {0: "equality", 1: "box"}
    return [
        ("contact", g["friction"], int(g["tangents"])) if g["kind"] == 2 else (kinds[g["kind"]], int(g["size"]))
        for g in problem.groups
    ]


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix, sp.coo_matrix, sp.csc_matrix])
def test_a_problem_of_arrays_is_the_same_problem(balls, kind):
    p = balls.problem
    again = nonsmooth.Problem.from_matrix(kind(p.A.toarray()), p.b, groups=_groups(p))
    assert abs(again.A - p.A).max() == 0
    assert np.array_equal(again.mu, p.mu)
    a = nonsmooth.solve(p, "psor", law="ncp", max_iterations=30, relative_tolerance=0)
    b = nonsmooth.solve(again, "psor", law="ncp", max_iterations=30, relative_tolerance=0)
    assert np.allclose(a.x, b.x, rtol=0, atol=1e-12)


def test_a_block_on_a_slope():
    """A block of 2 kg under h g = 0.0981 at 30 degrees, mu = 1: it sticks, and the impulses carry
    its weight: x_n = m h g cos 30, x_t = m h g sin 30."""
    push = 0.0981 * np.array([-np.cos(np.pi / 6), np.sin(np.pi / 6), 0])
    p = nonsmooth.Problem.from_mass(2 * np.eye(3), np.eye(3), hf=2 * push, mu=[1.0])
    result = nonsmooth.solve(p, "nsgs", relative_tolerance=1e-14)
    assert result.converged
    assert np.allclose(result.x, -2 * push, atol=1e-7)
    assert np.allclose(result.w, 0, atol=1e-7)


def test_boxes_keep_their_bounds():
    """Two motors of unit inertia that shall change their speed by 1 and may give 0.25."""
    p = nonsmooth.Problem.from_matrix(
        np.eye(2), [-1, 1], groups=[("box", 1), ("box", 1)], lower=[-0.25] * 2, upper=[0.25] * 2
    )
    assert np.allclose(nonsmooth.solve(p, "psor").x, [0.25, -0.25])


@pytest.mark.parametrize(
    "arguments, words",
    [
        (dict(A=np.eye(3), b=[0, 0], mu=[0.5]), "b"),
        (dict(A=np.ones((2, 3)), b=[0, 0], mu=[0.5]), "square"),
        (dict(A=np.eye(3), b=[0, np.nan, 0], mu=[0.5]), "b"),
        (dict(A=np.eye(3), b=[0, 0, 0], mu=[-1]), "friction"),
        (dict(A=np.eye(3), b=[0, 0, 0], mu=[0.5, 0.5]), "3 rows and 2 coefficients"),
        (dict(A=np.eye(3), b=[0, 0, 0]), "either mu or groups"),
        (dict(A=np.eye(3), b=[0, 0, 0], groups=[("ball", 3)]), "'ball'"),
        (dict(A=np.eye(3), b=[[0, 0, 0]], mu=[0.5]), "2 dimensions"),
        (dict(A=[1, 2, 3], b=[0, 0, 0], mu=[0.5]), "dimensions"),
        (dict(A=np.eye(3), b=[0, 0, 0], mu=[0.5], law="coulomb"), "coulomb"),
    ],
)
def test_mistakes_are_value_errors_that_name_them(arguments, words):
    with pytest.raises(ValueError, match=words):
        nonsmooth.Problem.from_matrix(**arguments)


def test_what_is_not_there_is_said(data):
    p = nonsmooth.open(data / "balls.fclib-local.hdf5")[0].problem
    with pytest.raises(ValueError, match="only A and b are known"):
        p.J
