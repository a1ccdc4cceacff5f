# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How launches of few, heavy work-items spread over the threads: bench-spread on one processor and on all, on several
drivers in turn. Started by scripts/bench --spread.

A cell shows how many times shorter a launch is on all processors than on one, and after it how many times longer the
first peer takes on all processors. Where a launch has at least two vectors or work-groups for each thread, the first
number should be 0.9 of the number of threads or more; cells with less are listed.
"""

import os
import tempfile

from compare import Driver, parse, run
from tables import machine, write

KERNELS = (
    ("scalar", "a loop of scalars"),
    ("vector16", "a loop of uint16"),
    ("table", "a private table of 256 words"),
)
LOCALS = (1, 4, 16, 64)
ITEMS = tuple(2**i for i in range(13))
WANTED = 0.9  # of the number of threads
LEAST = 100e-6  # seconds of work on one thread


def measure(driver, processors):
    """One run on these processors; every driver takes its number of threads from them."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        with tempfile.TemporaryDirectory() as cache:
            return run([driver.binaries / "bench-spread"], driver.environment(cache))
    finally:
        os.sched_setaffinity(0, allowed)


def least(rounds):
    """Each value of the round that was disturbed least: all threads together lose by what any of them loses."""
    return {name: min(values[name] for values in rounds) for name in rounds[0]}


def cell(label, ours, peer):
    one, everything = ours
    if label not in everything:
        return "", None
    speedup = one[label] / everything[label]
    text = f"{speedup:.2f}"
    if peer is not None and label in peer:
        text += f" / {peer[label] / everything[label]:.2f}x"
    return text, speedup


def table(kernel, title, ours, peer, threads, short):
    lines = [f"| {title}: work-items | " + " | ".join(f"local size {local}" for local in LOCALS) + " |"]
    lines.append("|---:|" + "---:|" * len(LOCALS))
    multiple = int(ours[1].get(f"{kernel}/multiple", 1))
    for items in ITEMS:
        cells = []
        for local in LOCALS:
            label = f"{kernel}/{local}/{items}"
            text, speedup = cell(label, ours, peer)
            cells.append(text)
            full = items // max(local, multiple) >= 2 * threads and items % max(local, multiple) == 0
            if speedup is not None and full and ours[0][label] >= LEAST and speedup < WANTED * threads:
                short.append(f"{kernel}, {items} items, local size {local}: {speedup:.2f}")
        lines.append(f"| {items} | " + " | ".join(cells) + " |")
    return lines


def main():
    options = parse()
    drivers = [Driver("Lanewise", options.vendors, options)]
    drivers += [Driver(*peer.split("=", 1), options) for peer in options.peer]
    processors = os.sched_getaffinity(0)
    one = {min(processors)}
    found = {(driver.name, alone): [] for driver in drivers for alone in (True, False)}
    for _ in range(options.rounds):
        for driver in drivers:
            for alone in (True, False):
                found[driver.name, alone].append(measure(driver, one if alone else processors))
    results = {key: least(rounds) for key, rounds in found.items()}
    ours = results["Lanewise", True], results["Lanewise", False]
    peer = results[drivers[1].name, False] if len(drivers) > 1 else None
    threads = int(ours[1]["threads"])
    behind = f"; behind it, {drivers[1].name}'s time divided by ours" if peer else ""
    lines = [
        f"{machine()}; least of {options.rounds} rounds. Speed-up of {threads} threads over one{behind}.",
        "",
    ]
    short = []
    for kernel, title in KERNELS:
        lines += [*table(kernel, title, ours, peer, threads, short), ""]
    lines.append(
        f"Launches with at least two vectors or groups per thread and less than {WANTED} of {threads}: "
        + ("; ".join(short) or "none")
        + "."
    )
    print("\n".join(lines))
    if not options.print:
        write("spread", lines)


if __name__ == "__main__":
    main()
