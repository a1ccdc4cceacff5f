# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench-first on drawn programs, on several drivers in turns, and writes the table of first results. Started by
scripts/bench --first.

Each run draws new programs; --seed repeats an earlier one. Caches are empty at the start of each process.
"""

import math
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from compare import Driver, parser_of, run  # noqa: E402
from draw_programs import draw  # noqa: E402
from tables import machine, write  # noqa: E402

# Title, lines and kernels: both drawn from these ranges, evenly in their logarithm.
CLASSES = (
    ("10 to 100 lines", (10, 100), (1, 3)),
    ("100 to 1,000 lines", (100, 1000), (1, 20)),
    ("1,000 to 10,000 lines", (1000, 10000), (5, 200)),
)
FIGURES = (("build", "the build returns"), ("run", "the first kernel has run"), ("all", "all have run"))


def drawn(numbers, low, high):
    return round(math.exp(numbers.uniform(math.log(low), math.log(high))))


def measure(driver, source):
    """{figure: seconds}; None: the driver did not do it."""
    with tempfile.TemporaryDirectory() as cache:
        try:
            return run([driver.binaries / "bench-first", source], driver.environment(cache), timeout=300)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"{driver.name}: {str(error)[:500]}", file=sys.stderr, flush=True)
            return None


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def lines_of(title, results, drivers):
    for figure, label in FIGURES:
        done = [r for r in results if all(r[d.name] for d in drivers)]
        times = [mean([r[d.name][figure] for r in done]) for d in drivers]
        cells = [f"{1000 * t:.1f} ms" if t else "-" for t in times]
        ratios = [min(r[d.name][figure] for d in drivers[1:]) / r[drivers[0].name][figure]
                  for r in done] if len(drivers) > 1 else []
        cells += [f"{mean(ratios):.2f}x", f"{min(ratios):.2f}x"] if ratios else ["-", "-"]
        yield f"| {title}, {len(done)} programs | {label} | " + " | ".join(cells) + " |"


def main():
    parser = parser_of(__doc__, rounds=10)
    parser.add_argument("--seed", type=int, help="repeats the programs of an earlier run")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else time.time_ns() % 10**9
    print(f"seed {seed}", file=sys.stderr, flush=True)
    drivers = [Driver("Lanewise", options.vendors, options)]
    drivers += [Driver(*peer.split("=", 1), options) for peer in options.peer]
    numbers = random.Random(seed)
    table = []
    for title, lines, kernels in CLASSES:
        results = []
        for number in range(options.rounds):
            size = drawn(numbers, *lines), drawn(numbers, *kernels)
            with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
                source.write(draw(numbers.randrange(2**31), *size))
                source.flush()
                results.append({d.name: measure(d, source.name) for d in drivers})
            shown = "  ".join(f"{name} " + "/".join(f"{1000 * v[f]:.0f}" for f, _ in FIGURES) if v else f"{name} -"
                              for name, v in results[-1].items())
            print(f"{title} {number + 1}: {size[0]} lines, {size[1]} kernels: {shown}", file=sys.stderr, flush=True)
        table += lines_of(title, results, drivers)
    head = ["programs", "until"] + [d.name for d in drivers] + ["better peer / Lanewise", "least"]
    text = [
        f"{machine()}. {options.rounds} programs a class, drawn from seed {seed}; cold: nothing is cached. From the start of "
        "the program, geometric means.",
        "",
        "| " + " | ".join(head) + " |",
        "|---|---|" + "---:|" * (len(head) - 2),
        *table,
    ]
    print("\n".join(text))
    if not options.print:
        write("first", text)


if __name__ == "__main__":
    main()
