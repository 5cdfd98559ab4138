#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recomputes fclib_error from FCLIB files, independently of the library.

    fclib_error.py FILE...          prints the error of each file's /solution
    fclib_error.py --json OUT.json  compares with what `nonsmooth replay --json --save-fclib` said
    fclib_error.py --cli NONSMOOTH --solver NAMES [--folder DIR] FILE...
                                    runs that command first, on the files and all *.hdf5 of DIR or
                                    of the folder that NONSMOOTH_FCLIB_DIR names; ends with 77, for
                                    ctest "skipped", if there are none

The error is that of docs/error_measures.md, Eq. (16), as Siconos computes it:

    ||F|| / max(||b||, ||r||, ||u||),  F = r - P_K(r - u - mu ||u_t|| e_n),  u = A r + b,

where P_K projects onto Coulomb's cone. Equalities contribute their residuals and their entries to
all norms. u is recomputed from the file's matrices; the stored u has to agree with it.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np


def matrix(group):
    """A dense matrix of an FCLIB sparse one: nz >= 0 triplets, -1 by columns, -2 by rows."""
    m, n, nz = (int(group[k][()].reshape(-1)[0]) for k in ("m", "n", "nz"))
    p, i, x = group["p"][()], group["i"][()], group["x"][()]
    dense = np.zeros((m, n))
    if nz >= 0:
        np.add.at(dense, (i[:nz], p[:nz]), x[:nz])
    else:
        outer = np.repeat(np.arange(len(p) - 1), np.diff(p))
        rows, columns = (i[: p[-1]], outer) if nz == -1 else (outer, i[: p[-1]])
        np.add.at(dense, (rows, columns), x[: p[-1]])
    return dense


def project(mu, y):
    """The nearest point of the cone ||y_t|| <= mu y_n."""
    t = np.linalg.norm(y[1:])
    if t <= mu * y[0]:
        return y
    if mu * t <= -y[0]:
        return np.zeros_like(y)
    normal = (y[0] + mu * t) / (1 + mu * mu)
    return np.concatenate(([normal], mu * normal / t * y[1:]))


def fclib_error(path):
    """Returns the relative error of /solution, and how far the stored u is from the true one."""
    with h5py.File(path, "r") as file:
        local = "fclib_local" in file
        group = file["fclib_local" if local else "fclib_global"]
        vectors = group["vectors"]
        dim = int(group["spacedim"][()].reshape(-1)[0])
        mu = vectors["mu"][()]
        r = file["solution/r"][()]
        stored = file["solution/u"][()]
        if local:
            a, b = matrix(group["W"]), vectors["q"][()]
            if "V" in group:
                v = matrix(group["V"])
                a = np.block([[a, v], [v.T, matrix(group["R"])]])
                b = np.concatenate((b, vectors["s"][()]))
        else:
            h, w = matrix(group["H"]), vectors["w"][()]
            if "G" in group:
                h = np.hstack((h, matrix(group["G"])))
                w = np.concatenate((w, vectors["b"][()]))
            m = matrix(group["M"])
            a = h.T @ np.linalg.solve(m, h)
            b = h.T @ np.linalg.solve(m, vectors["f"][()]) + w
        x = np.concatenate((r, file["solution/l"][()])) if len(b) > len(r) else r
    u = a @ x + b
    f = u.copy()  # x - (x - u): what an equality contributes
    for c, friction in enumerate(mu):
        rows = slice(dim * c, dim * (c + 1))
        y = x[rows] - u[rows]
        y[0] -= friction * np.linalg.norm(u[rows][1:])
        f[rows] = x[rows] - project(friction, y)
    scale = max(np.linalg.norm(b), np.linalg.norm(x), np.linalg.norm(u))
    error = np.linalg.norm(f) / scale if scale > 0 else 0.0
    gap = np.max(np.abs(u[: len(r)] - stored), initial=0.0) / (scale if scale > 0 else 1.0)
    return error, gap


def compare(path):
    """0 if every saved solution has the error that the JSON gives for it."""
    with open(path, encoding="utf-8") as file:
        results = json.load(file)["results"]
    checked, wrong = 0, 0
    for result in results:
        if "fclib_file" not in result:
            continue
        error, gap = fclib_error(result["fclib_file"])
        said = result["fclib_error"]
        # Sums in another order differ by rounding, relative to the scale that both divide by.
        agrees = abs(error - said) <= 1e-11 + 1e-7 * abs(said) and gap <= 1e-10
        checked += 1
        wrong += not agrees
        print(f"{'ok' if agrees else 'WRONG'}  {error:.6e}  {said:.6e}  u off by {gap:.1e}"
              f"  {result['fclib_file']}")
    print(f"{checked} files, {wrong} wrong")
    return 0 if checked > 0 and wrong == 0 else 1


def replay_and_compare(cli, solver, files):
    """Solves the files by the command line, saves them as FCLIB files and compares."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [cli, "replay", *files, "--solver", solver, "--iterations", "20000",
                   "--json", out, "--save-fclib", os.path.join(folder, "saved")]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        answered = {result["file"] for result in json.load(open(out, encoding="utf-8"))["results"]}
        missing = [path for path in files if path not in answered]
        print("".join(f"NO ANSWER  {path}\n" for path in missing), end="")
        return max(compare(out), 1 if missing else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--json")
    parser.add_argument("--cli")
    parser.add_argument("--solver", default="psor")
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    files = arguments.files
    if arguments.folder is not None:
        folder = os.environ.get("NONSMOOTH_FCLIB_DIR") or arguments.folder
        if os.path.isdir(folder):
            files += sorted(os.path.join(folder, name)
                            for name in os.listdir(folder) if name.endswith(".hdf5"))
    if arguments.cli:
        return replay_and_compare(arguments.cli, arguments.solver, files) if files else 77
    for path in files:
        error, gap = fclib_error(path)
        print(f"{error:.17g}  {path}  (u off by {gap:.1e})")
    return compare(arguments.json) if arguments.json else 0


if __name__ == "__main__":
    sys.exit(main())
