#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Nonsmooth authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where `nonsmooth-mpi` saturates: a discrete-event simulation of rank 0, of the workers, and of the
file system's metadata server, on more cores than one has at hand. docs/clusters.md shows its table.

Rank 0 answers one request at a time. A worker asks for its next tasks when it begins the last one it
has, and writes a result after each; the file system makes so many files a second for all of them.
Tasks are handed out the longest first, as far as rank 0 knows: their times are log-normal with a
spread of a factor e, and what is expected is off by another of a factor sqrt(e).
"""
import argparse
import heapq
import math
import random

MOST_AT_ONCE = 64  # recorders/mpi/dispatch.cpp
ERROR = 0.5  # standard deviation of the logarithm of expected over true time


def next_chunk(expected, given, left, workers, most):
    """How many tasks from `given` on make up a share of what is left to be expected."""
    share = left / (4 * workers)
    count = 1
    cost = expected[given]
    while count < most and given + count < len(expected) and cost + expected[given + count] <= share:
        cost += expected[given + count]
        count += 1
    return count, cost


class Server:
    """Takes one customer at a time, in the order of their coming."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.free = 0.0
        self.busy = 0.0

    def serve(self, now):
        self.free = max(self.free, now) + self.seconds
        self.busy += self.seconds
        return self.free


REQUEST, ANSWER, SOLVED = range(3)  # what happens: at rank 0, at a worker, at a worker


def simulate(tasks, expected, workers, answer, latency, files, most):
    """`tasks` and `expected`: seconds each, the longest expected first. Returns (seconds, share of
    the time that rank 0 is busy, share of the time that the metadata server is busy)."""
    rank0 = Server(answer)
    metadata = Server(1 / files if files else 0.0)
    given = 0
    solved = 0
    left = sum(expected)
    end = 0.0
    queues = [[] for _ in range(workers)]  # of each worker, the next one last
    idle = [True] * workers
    events = [(latency, REQUEST, worker, None) for worker in range(workers)]
    heapq.heapify(events)

    def begin(now, worker):
        queue = queues[worker]
        idle[worker] = not queue
        if queue:
            heapq.heappush(events, (now + queue.pop(), SOLVED, worker, None))
            if not queue:
                heapq.heappush(events, (now + latency, REQUEST, worker, None))

    while events:
        now, what, worker, chunk = heapq.heappop(events)
        if what == REQUEST:
            answered = rank0.serve(now) + latency
            if given < len(tasks):
                count, cost = next_chunk(expected, given, left, workers, most)
                chunk = tasks[given : given + count]
                given += count
                left -= cost
                heapq.heappush(events, (answered, ANSWER, worker, chunk[::-1]))
        elif what == ANSWER:
            queues[worker] = chunk
            if idle[worker]:
                begin(now, worker)
        else:
            solved += 1
            written = metadata.serve(now)
            end = max(end, written)
            begin(written, worker)
    assert solved == len(tasks) and end >= max(max(tasks), sum(tasks) / workers)
    return end, rank0.busy / end, metadata.busy / end


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cores", type=int, default=1000, help="that solve")
    parser.add_argument("--tasks", type=int, default=1000000)
    parser.add_argument("--answer-us", type=float, default=5.0, help="of rank 0 to a request")
    parser.add_argument("--latency-us", type=float, default=5.0, help="of a message")
    parser.add_argument("--files", type=float, default=20000.0, help="made a second; 0: no limit")
    parser.add_argument("--mean-ms", type=float, nargs="+", default=[1, 3, 10, 30, 100, 1000])
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(f"{arguments.tasks} tasks on {arguments.cores} cores")
    print("  task ms  at once  files/s  efficiency  rank 0 busy  files busy       s")
    for mean in arguments.mean_ms:
        random.seed(arguments.seed)
        seconds = [random.lognormvariate(math.log(mean * 1e-3) - 0.5, 1) for _ in range(arguments.tasks)]
        pairs = sorted(((t * random.lognormvariate(0, ERROR), t) for t in seconds), reverse=True)
        expected = [pair[0] for pair in pairs]
        seconds = [pair[1] for pair in pairs]
        for most, files in ((1, 0.0), (MOST_AT_ONCE, 0.0), (MOST_AT_ONCE, arguments.files)):
            end, rank0, metadata = simulate(
                seconds, expected, arguments.cores, arguments.answer_us * 1e-6, arguments.latency_us * 1e-6, files, most
            )
            efficiency = sum(seconds) / (arguments.cores * end)
            print(
                f"  {mean:7g}  {most:7d}  {files or math.inf:7g}  {efficiency:9.1%}  {rank0:11.1%}"
                f"  {metadata:10.1%}  {end:6.1f}"
            )


if __name__ == "__main__":
    main()
