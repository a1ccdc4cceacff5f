# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench-math on several drivers in turns and writes the table of math functions. Started by scripts/bench --math.

All drivers run on one processor, so that code is compared and not the number of threads; the table shows the shortest
time over the rounds.
"""

import argparse
import math
import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from compare import DOCUMENT, Driver, machine, run  # noqa: E402

BEGIN, END = "<!-- math: begin -->", "<!-- math: end -->"


def measure(driver, best, processor):
    with tempfile.TemporaryDirectory() as cache:
        command = ["taskset", "-c", str(processor), driver.binaries / "bench-math"]
        for name, value in run(command, driver.environment(cache)).items():
            best[name] = min(value, best.get(name, value))


def rows(drivers, values):
    ours = values[0]
    others = drivers[1:]
    head = "| function | " + " | ".join(d.name for d in drivers)
    head += "".join(f" | {d.name} / {drivers[0].name}" for d in others) + " |"
    lines = [head, "|---|" + "---:|" * (len(drivers) + len(others))]
    for name in ours:
        cells = [f"{v[name]:.3f}" if name in v else "-" for v in values]
        cells += [f"{v[name] / ours[name]:.2f}x" if name in v else "-" for v in values[1:]]
        lines.append(f"| {name.replace('_', ' ', 1)} | " + " | ".join(cells) + " |")
    means = []
    for v in values[1:]:
        ratios = [math.log(v[name] / ours[name]) for name in ours if name in v]
        means.append(f"{math.exp(sum(ratios) / len(ratios)):.2f}x" if ratios else "-")
    if means:
        lines.append("| **geometric mean** |" + " |" * len(drivers) + "".join(f" **{m}** |" for m in means))
    return lines


def write_document(lines):
    text = DOCUMENT.read_text()
    if BEGIN not in text:
        text = text.rstrip() + f"\n\n## Math functions\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(before + "\n".join([BEGIN, "", *lines, "", END]) + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="directory of the benchmark programs")
    parser.add_argument("--vendors", type=Path, required=True, help="directory of Lanewise's .icd file")
    parser.add_argument("--loader", type=Path, help="directory of the libOpenCL.so.1 to use (default: the system's)")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=VENDORS", help="another driver")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--print", action="store_true", help="do not write docs/performance.md")
    options = parser.parse_args()
    drivers = [Driver("Lanewise", options.vendors, options)]
    drivers += [Driver(*peer.split("=", 1), options) for peer in options.peer]
    values = [{} for _ in drivers]
    processor = max(os.sched_getaffinity(0))
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        for driver, best in zip(drivers, values):
            measure(driver, best, processor)
    lines = [
        f"{machine()}, of which one is used. Nanoseconds per element, least of {options.rounds} rounds, the drivers "
        "taking turns; arguments and results in the first-level cache.",
        "",
        *rows(drivers, values),
    ]
    print("\n".join(lines))
    if not options.print:
        write_document(lines)


if __name__ == "__main__":
    main()
