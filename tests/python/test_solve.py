# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solving, measuring, threads."""
import threading
import time

import numpy as np
import pytest

import nonsmooth


def test_errors_add_up(balls):
    """The sum of the rows is the whole, and what the driver has measured."""
    p = balls.problem
    result = nonsmooth.solve(p, "psor", max_iterations=20, relative_tolerance=0)
    errors = nonsmooth.errors(p, result.x)
    assert errors.per_row.shape == (p.rows,)
    assert errors.per_row.sum() == pytest.approx(errors.energy, rel=1e-12)
    assert errors.energy == pytest.approx(result.energy, rel=1e-9)
    assert np.allclose(p.A @ result.x + p.b, result.w, atol=1e-12)


def test_nothing_done_costs_the_free_energy():
    """One contact without friction, a = 2, b = -3, x = 0: w/a is -1.5, error and free energy are
    both a/2 1.5^2 = 2.25 J."""
    p = nonsmooth.Problem.from_matrix([[2.0]], [-3.0], mu=[0.0])
    errors = nonsmooth.errors(p, [0.0])
    assert errors.per_row[0] == pytest.approx(2.25)
    assert errors.free_energy == pytest.approx(2.25)


def test_history_is_what_happened(balls):
    result = nonsmooth.solve(
        balls.problem, "psor", history=True, max_iterations=25, relative_tolerance=0
    )
    assert list(result.history["iteration"]) == list(range(26))
    assert np.all(np.diff(result.history["seconds"]) >= 0)
    assert result.history["energy"].min() == pytest.approx(result.energy, rel=1e-6)
    assert len(nonsmooth.solve(balls.problem, "psor").history) == 0


def test_a_solver_keeps_options_and_takes_a_start(balls):
    solver = nonsmooth.Solver("psor", relaxation=1.2, max_iterations=40, law="ncp")
    assert solver.options["relaxation"] == "1.2"
    first = solver.solve(balls.problem)
    again = solver.solve(balls.problem, start=first.x)
    assert again.energy <= first.energy
    assert np.array_equal(first.x, solver.solve(balls.problem).x)


@pytest.mark.parametrize("name", sorted(nonsmooth.solvers()))
def test_every_solver_runs_from_here(name):
    """Two frictionless contacts, A = I: x = (0.3, 0)."""
    p = nonsmooth.Problem.from_matrix(np.eye(2), [-0.3, 0.1], mu=[0.0, 0.0], law="coupled_box")
    for law in ("coupled_box", "ncp", "ccp", "pyramid:4", "box"):
        try:
            result = nonsmooth.solve(p, name, law=law)
        except ValueError as error:
            assert "law" in str(error)
            continue
        assert np.allclose(result.x, [0.3, 0], atol=1e-4)
        return
    pytest.fail(f"{name} handles no law")


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda p: nonsmooth.solve(p, "gauss"), "gauss"),
        (lambda p: nonsmooth.solve(p, "psor", relaxation=3), "relaxation"),
        (lambda p: nonsmooth.solve(p, "psor", colour=3), "colour"),
        (lambda p: nonsmooth.solve(p, start=[1.0]), "1"),
        (lambda p: nonsmooth.solve(p, start=np.full(p.rows, np.nan)), "finite"),
        (lambda p: nonsmooth.errors(p, np.zeros(p.rows + 1)), "entries, expected"),
        (lambda p: nonsmooth.errors(p, np.full(p.rows, np.nan)), "not finite"),
    ],
)
def test_mistakes_are_value_errors(balls, call, words):
    with pytest.raises(ValueError, match=words):
        call(balls.problem)


def test_the_interpreter_goes_on_while_a_solve_runs(balls):
    """A thread that counts gets on during a solve that is stopped by its deadline: with the
    interpreter held it would not count at all."""
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(time.monotonic())
            time.sleep(0.001)

    solver = nonsmooth.Solver(
        "pjacobi", deadline=0.5, max_iterations=10**9, relative_tolerance=0, measure_every=1000
    )
    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    result = solver.solve(balls.problem)
    end = time.monotonic()
    stop.set()
    thread.join()
    assert result.status == "deadline"
    assert len([t for t in counted if start < t < end]) > 5


def test_threads_may_share_a_solver(balls):
    solver = nonsmooth.Solver("nncg", max_iterations=50)
    expected = solver.solve(balls.problem).x.copy()
    results = [None] * 8

    def work(k):
        results[k] = solver.solve(balls.problem).x

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x in results:
        assert np.array_equal(x, expected)
