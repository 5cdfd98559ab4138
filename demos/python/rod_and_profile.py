#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""Enzenhoefer's rod in a few lines, then a performance profile over any files of problems.

    PYTHONPATH=build/python demos/python/rod_and_profile.py OUT [FILE...]

Reads like a notebook: every section prints what it found. Files default to tests/data. The rod is
that of A. Enzenhoefer, A. Peiret, M. Teichmann, J. Koevecses, "A unit-consistent error measure for
mixed linear complementarity problems in multibody dynamics with contact", 2018, Eqs. 22 and 23;
docs/reproductions/enzenhoefer.md has the same numbers from C++.
"""
import pathlib
import sys

import numpy as np

import nonsmooth

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLVERS = ["psor", "nncg", "nsgs", "apgd", "alart_curnier", "ip", "auto"]
TOLERANCE = 1e-8  # relative energy error

# --- 1. The rod: m = 1.5 kg, l = 1.5 m, T = 10 N m, h = 0.01 s, two contacts without friction


def rod(kilogram=1.0, metre=1.0):
    """A and b in units of `kilogram` and `metre`."""
    m, l, torque, h, g = 1.5, 1.5, 10.0, 0.01, 9.81
    turn = 6 / (m * l) * torque
    a = np.array([[4 / m, -2 / m], [-2 / m, 4 / m]]) / kilogram
    b = -h * np.array([g + turn, g - turn]) * metre
    return nonsmooth.Problem.from_matrix(a, b, mu=[0.0, 0.0], law="coupled_box")


def pivot(problem, kilogram=1.0, metre=1.0):
    """The paper's x1 = w2 = 0, and its errors."""
    a, b = problem.A.toarray(), problem.b
    x = np.array([0.0, -b[1] / a[1, 1]])
    return x, nonsmooth.errors(problem, x)


def print_rod():
    printed = nonsmooth.Problem.from_matrix(np.eye(2), [-0.2981, 0.1019], mu=[0.0, 0.0], law="coupled_box")
    print("Enzenhoefer's rod, pivot x1 = w2 = 0")
    print("                       x2 [N s]   de1 [J]    de2 [J]    de [J]     natural residual")
    for name, problem in (("printed numbers", printed), ("stated m, l, T, h", rod()), ("the same in g, mm", rod(1e3, 1e3))):
        x, e = pivot(problem)
        print(f"  {name:19s}  {x[1]:9.6g}  {e.per_row[0]:9.5e}  {e.per_row[1]:9.5e}  {e.energy:9.5e}  {e.natural:.4g}")
    x, e = pivot(printed)
    assert abs(e.energy - 4.96e-2) < 5e-5, "the paper's 4.96e-2 J"
    milli, stated = pivot(rod(1e3, 1e3))[1], pivot(rod())[1]
    assert abs(milli.energy / stated.energy - 1e9) < 1, "1 J is 1e9 g mm^2/s^2"
    solution = nonsmooth.solve(rod(), "lemke")
    print(f"  solution: x = ({solution.x[0]:.6f}, {solution.x[1]:.6f}) N s, error {solution.energy:.0e} J\n")
    assert np.allclose(solution.x, [0.140242, 0.006908], atol=1e-6)


# --- 2. A collection: every solver on some steps of every file


def problems(paths, steps_of_each=5):
    for path in paths:
        try:
            file = nonsmooth.open(path)
            for k in np.unique(np.linspace(0, len(file) - 1, steps_of_each).astype(int)):
                problem = file[int(k)].problem
                if problem.contacts > 0:
                    yield f"{path.name} {k}", problem
        except nonsmooth.FileError as error:
            print(f"  passed over: {error}")


def times(collection):
    """[solver][problem] seconds to the tolerance, infinite where it was not reached."""
    seconds = np.full((len(SOLVERS), len(collection)), np.inf)
    for s, name in enumerate(SOLVERS):
        solver = nonsmooth.Solver(name, law="ncp", relative_tolerance=TOLERANCE, max_iterations=2000)
        for p, (_, problem) in enumerate(collection):
            runs = [solver.solve(problem) for _ in range(3)]
            if runs[0].converged:
                seconds[s, p] = min(run.seconds for run in runs)
    return seconds


# --- 3. Dolan and More's performance profile: the share of the problems that a solver brings to the
#        tolerance within tau times the time of the fastest


def plot(seconds, out):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    solvable = np.isfinite(seconds).any(axis=0)
    ratios = np.full_like(seconds, np.inf)
    ratios[:, solvable] = seconds[:, solvable] / seconds[:, solvable].min(axis=0)
    figure, axes = pyplot.subplots(figsize=(8, 5))
    most = max(10.0, 2 * ratios[np.isfinite(ratios)].max())
    for name, row in zip(SOLVERS, ratios):
        tau = np.append(np.sort(row[np.isfinite(row)]), most)
        share = np.minimum(np.arange(1, len(tau) + 1), len(tau) - 1) / len(row)
        axes.step(tau, share, where="post", label=name)
    axes.set(
        xscale="log", xlim=(1, most), ylim=(0, 1.02), xlabel="time / time of the fastest",
        ylabel="share of the problems",
        title=f"{seconds.shape[1]} problems under Coulomb's law to {TOLERANCE:g} of the free energy",
    )
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(out / "profile.png", dpi=120)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    files = [pathlib.Path(name) for name in sys.argv[2:]]
    files = files or sorted(path for path in (ROOT / "tests/data").rglob("*") if path.suffix in (".h5", ".hdf5"))
    print_rod()
    collection = list(problems(files))
    seconds = times(collection)
    print(f"{len(collection)} problems of {len(files)} files to {TOLERANCE:g} of the free energy")
    for name, row in zip(SOLVERS, seconds):
        reached = row[np.isfinite(row)]
        median = f"{1e3 * np.median(reached):.3g} ms" if len(reached) else "-"
        print(f"  {name:14s} {len(reached):4d} reached, median of those {median}")
    plot(seconds, out)
    print(f"profile: {out / 'profile.png'}")


if __name__ == "__main__":
    main()
