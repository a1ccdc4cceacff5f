# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the programs that use a library: times what it does and prints a line for programs.py."""

import time

ROUNDS = 7


def report(name, body, finish=lambda: None):
    """Prints "name seconds": the shortest of a few calls, after one that compiles the kernels."""
    body()
    finish()
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        body()
        finish()
        times.append(time.perf_counter() - begin)
    print(f"{name} {min(times):.9f}", flush=True)


def expect(condition, what):
    if not condition:
        raise SystemExit(f"wrong result: {what}")
