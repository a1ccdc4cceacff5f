# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the programs that use a library: times what it does and prints a line for programs.py."""

import os
import time

ROUNDS = 7
# Seconds that the calls of a figure last at least: programs that call a kernel for less are not judged by its speed, and
# drivers that make better code for what is called often have made it by then.
LASTING = 1.0
# On a busy machine, the processor time of all threads, python's own included (compare_programs.py, --cpu-time).
CLOCK = time.process_time if os.environ.get("BENCH_CLOCK") == "processor" else time.perf_counter
# First results instead of the best calls (compare_programs.py, --first).
FIRST = "BENCH_FIRST" in os.environ


class Stretch:
    """The time since the last first result; at first since the program has loaded its modules."""

    begin = CLOCK()


def first_result(name):
    """With FIRST prints "name seconds" for all that was done for this result, host code and compiles included."""
    if FIRST:
        print(f"{name} {CLOCK() - Stretch.begin:.9f}", flush=True)
        Stretch.begin = CLOCK()


def report(name, body, finish=lambda: None):
    """Prints "name seconds": the shortest of the calls of a second, after one that compiles the kernels."""
    body()
    finish()
    if FIRST:
        first_result(name)
        return
    times = []
    last = time.perf_counter() + LASTING
    while len(times) < ROUNDS or time.perf_counter() < last:
        begin = CLOCK()
        body()
        finish()
        times.append(CLOCK() - begin)
    print(f"{name} {min(times):.9f}", flush=True)


def report_each(name, count, body):
    """Prints "name seconds" for each of the `count` things that `body` does in one call. Does nothing with FIRST."""
    if FIRST:
        return
    begin = CLOCK()
    body()
    print(f"{name} {(CLOCK() - begin) / count:.9f}", flush=True)


def expect(condition, what):
    if not condition:
        raise SystemExit(f"wrong result: {what}")
