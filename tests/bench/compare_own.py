# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on this driver beside their own code for CPUs, in one process each, with the results compared by the program.

A program of OWN_ROWS (programs/rows.py) prints "own_NAME seconds" and "opencl_NAME seconds" for each operation. The table
has the quotients: more than 1 where the program gains from OpenCL. Started by scripts/bench --own.
"""

import sys
from pathlib import Path

import compare
from compare_programs import mean, prepared
from programs.rows import OWN_ROWS
from tables import machine, write


def table(row, driver):
    """Lines of the operations of a program, the slowest beside its own code first, and the quotients."""
    figures = {name: driver.median((row.name, name)) for of, name in driver.values if of == row.name}
    found = []
    for name, own in figures.items():
        kind, _, operation = name.partition("_")
        if kind == "own" and (ours := figures.get(f"opencl_{operation}")):
            found.append((own / ours, operation, own, ours))
    lines = [f"| {row.name} | its own code, ms | OpenCL, ms | quotient |", "|---|---:|---:|---:|"]
    lines += [f"| {name} | {own * 1e3:.3f} | {ours * 1e3:.3f} | {q:.2f} |" for q, name, own, ours in sorted(found)]
    return lines, [quotient for quotient, *_ in found]


def parse():
    parser = compare.parser_of(__doc__, rounds=3)
    parser.add_argument("--folder", type=Path, help="where programs are installed (default: beside --bin)")
    parser.add_argument("--cpu-time", action="store_true", help="processor time, for a busy machine")
    parser.add_argument("names", nargs="*", help="only programs whose name contains one of these")
    parser.set_defaults(first=False)
    return parser.parse_args()


def main():
    options = parse()
    packages, drivers = prepared(options)
    rows = [row for row in OWN_ROWS if not options.names or any(name in row.name for name in options.names)]
    for row in rows:
        if problem := packages.problem(row):
            print(f"{row.name}: left out, {problem}", file=sys.stderr, flush=True)
            continue
        for _ in range(options.rounds):
            for driver in drivers:
                driver.measure(row, packages)
    kind = "processor time" if options.cpu_time else "time"
    lines = [f"{machine()}; {kind}, median of {options.rounds} rounds.", ""]
    for driver in drivers:
        for row in rows:
            part, quotients = table(row, driver)
            if quotients:
                lines += [f"{driver.name}: geometric mean {mean(quotients):.2f} of its own code.", "", *part, ""]
    print("\n".join(lines))
    if not options.print and not options.names and not options.cpu_time:
        write("own", lines)


if __name__ == "__main__":
    main()
