#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""nonsmooth-mpi: the same results from 1, 2 and 4 ranks, and from a job of which one was killed.

usage: mpi_ranks.py --mpirun MPIRUN --mpi NONSMOOTH_MPI --cli NONSMOOTH FILE...
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

TIMES = {
    "seconds", "seconds_prepare", "seconds_iterate", "seconds_finish", "seconds_median", "seconds_p99",
    "machine", "load", "clock_mhz", "calibration_seconds",
}  # fmt: skip


def check(holds, *what):
    if not holds:
        sys.exit("FAILED: " + " ".join(map(str, what)))


class Job:
    def __init__(self, arguments, out):
        self.arguments = arguments
        self.out = out

    def command(self, ranks, options=()):
        a = self.arguments
        return [
            a.mpirun, "--oversubscribe", "-n", str(ranks), a.mpi, "replay", *a.files,
            "--solver", "psor,apgd", "--relative-tolerance", "0", "--iterations", "400",
            "--block", "1", "--out-dir", str(self.out), *options,
        ]  # fmt: skip

    def start(self, ranks):
        return subprocess.Popen(
            self.command(ranks), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def run(self, ranks):
        """(tasks done, tasks that were there)"""
        job = self.start(ranks)
        text = job.communicate(timeout=120)[0]
        check(job.returncode == 0, ranks, "ranks:", text)
        return tuple(map(int, re.search(r"(\d+) tasks done, (\d+) were there", text).groups()))

    def results(self):
        return {path: path.stat().st_mtime_ns for path in self.out.rglob("*.jsonl")}

    def merged(self):
        path = self.out / "merged.json"
        merge = [self.arguments.cli, "merge", str(self.out), "--out", str(path)]
        code = subprocess.run(merge, capture_output=True, text=True)
        check(code.returncode == 0, code.stderr)
        merged = json.loads(path.read_text())
        for key in ("host", "machines", "versions"):
            merged.pop(key)
        merged["options"].pop("jobs")
        for record in merged["results"] + merged["summary"]:
            for key in TIMES & record.keys():
                del record[key]
        return merged


def environment():
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def ranks_of(job):
    """Processes that mpirun has started."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int(re.search(r"PPid:\s+(\d+)", (entry / "status").read_text())[1]) == job.pid:
                found.append(int(entry.name))
        except (OSError, TypeError):
            pass
    return sorted(found)


def kill_one(job_of, least):
    """Starts three ranks, kills the last as soon as there are some results; how many there are."""
    job = job_of.start(3)
    end = time.monotonic() + 60
    while time.monotonic() < end and job.poll() is None and len(job_of.results()) < least:
        time.sleep(0.002)
    ranks = ranks_of(job)
    if job.poll() is None and ranks:
        os.kill(ranks[-1], signal.SIGKILL)
    job.communicate(timeout=60)
    return job_of.results(), job.returncode


def main():
    parser = argparse.ArgumentParser()
    for name in ("mpirun", "mpi", "cli"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one = Job(arguments, pathlib.Path(folder) / "1")
        total = one.run(1)[0]
        expected = one.merged()
        check(total > 20 and len(expected["results"]) > 50, "too little to tell:", total, "tasks")
        for ranks in (2, 4):
            job = Job(arguments, pathlib.Path(folder) / str(ranks))
            check(job.run(ranks) == (total, 0), ranks, "ranks did not do every task once")
            check(job.merged() == expected, ranks, "ranks have other results than one")
        killed = Job(arguments, pathlib.Path(folder) / "killed")
        before, code = kill_one(killed, 3)
        check(len(before) >= 3, "no results before the kill")
        done, there = killed.run(4)
        check(there == len(before) and done + there == total, done, there, len(before), "of", total)
        after = killed.results()
        check(all(after.get(path) == stamp for path, stamp in before.items()), "done twice")
        check(len(after) == total, "lost or doubled:", len(after), "of", total)
        check(killed.merged() == expected, "other results after the kill")
        print(f"{total} tasks; killed after {len(before)} (exit code {code}), completed by {done}")


if __name__ == "__main__":
    main()
