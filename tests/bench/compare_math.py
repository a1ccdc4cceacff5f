# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench-math on several drivers in turns and writes the table of math functions. Started by scripts/bench --math.

All drivers run on one processor, so that code is compared and not the number of threads; the table shows the shortest
time over the rounds.
"""

import math
import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from compare import Driver, parser_of, run  # noqa: E402
from tables import machine, write  # noqa: E402

# What limits a driver to AVX2; others are measured only as the machine is.
AVX2 = {"Lanewise": {"LANEWISE_ISA": "x86-64-v3"}, "Intel": {"CL_CONFIG_CPU_TARGET_ARCH": "core-avx2"}}


class Column:
    """One driver in one setting, and its best times."""

    def __init__(self, driver, limit, suffix):
        self.driver = driver
        self.limit = limit
        self.title = driver.name + suffix
        self.best = {}

    def measure(self, processor):
        with tempfile.TemporaryDirectory() as cache:
            command = ["taskset", "-c", str(processor), self.driver.binaries / "bench-math"]
            for name, value in run(command, {**self.driver.environment(cache), **self.limit}).items():
                self.best[name] = min(value, self.best.get(name, value))


def times(group, name):
    """Of a group of columns, the first of which is ours: their times, and how many times longer the others take."""
    ours = group[0].best[name]
    values = [c.best.get(name) for c in group]
    return [f"{v:.3f}" if v else "-" for v in values] + [f"{v / ours:.2f}x" if v else "-" for v in values[1:]]


def means(group):
    cells = [""] * len(group)
    for column in group[1:]:
        ratios = [math.log(v / group[0].best[name]) for name, v in column.best.items() if name in group[0].best]
        cells.append(f"**{math.exp(sum(ratios) / len(ratios)):.2f}x**" if ratios else "-")
    return cells


def rows(groups):
    def line(title, cells):
        return f"| {title} | " + " | ".join(cells) + " |"

    titles = [[c.title for c in g] + [f"{c.title} / {g[0].driver.name}" for c in g[1:]] for g in groups]
    lines = [line("function", sum(titles, [])), "|---|" + "---:|" * len(sum(titles, []))]
    for name in groups[0][0].best:
        lines.append(line(name.replace("_", " ", 1), sum((times(g, name) for g in groups), [])))
    return [*lines, line("**geometric mean**", sum((means(g) for g in groups), []))]


def main():
    parser = parser_of(__doc__, rounds=3)
    options = parser.parse_args()
    drivers = [Driver("Lanewise", options.vendors, options)]
    drivers += [Driver(*peer.split("=", 1), options) for peer in options.peer]
    groups = [[Column(d, {}, "") for d in drivers]]
    if "avx512f" in Path("/proc/cpuinfo").read_text():
        groups.append([Column(d, AVX2[d.name], ", AVX2") for d in drivers if d.name in AVX2])
    processor = max(os.sched_getaffinity(0))
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        for column in sum(groups, []):
            column.measure(processor)
    lines = [
        f"{machine()}, of which one is used. Nanoseconds per element, least of {options.rounds} rounds, the drivers "
        "taking turns; arguments and results in the first-level cache. AVX2: limited by LANEWISE_ISA=x86-64-v3 and "
        "CL_CONFIG_CPU_TARGET_ARCH=core-avx2.",
        "",
        *rows(groups),
    ]
    print("\n".join(lines))
    if not options.print:
        write("math", lines)


if __name__ == "__main__":
    main()
