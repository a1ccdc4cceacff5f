# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernel suite on several drivers and as plain C++, and writes the table with ratios.

Each kernel runs in a process of its own on each driver, one driver after the other, kernel by kernel; then everything
is repeated for the next round. So a disturbance of the machine affects all drivers, and one that crashes, hangs or
gives wrong results loses one kernel and not the run. The best of the rounds is shown. Compiled kernels are cached on
disk per driver between the rounds; building is not measured. Started by scripts/bench --suite.
"""

import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import compare  # noqa: E402
import tables  # noqa: E402
import targets  # noqa: E402

# What limits Lanewise and Intel's driver to AVX2; others ignore it.
AVX2 = {"LANEWISE_ISA": "x86-64-v3", "CL_CONFIG_CPU_TARGET_ARCH": "core-avx2"}
CATEGORIES = ("memory", "compute", "control", "workgroup", "atomics", "image", "launch", "trees", "tiles", "loops")
TIMEOUT = 60  # seconds for one kernel on one driver, its build included


class Result:
    """One kernel on one driver: the best time, or why there is none."""

    def __init__(self):
        self.seconds = self.work = None
        self.unit = self.limit = "-"
        self.problem = None

    def add(self, line):
        words = line.split()
        if words and words[0] == "ok":
            seconds = float(words[1])
            self.work, self.unit, self.limit = float(words[2]), words[3], words[4]
            self.seconds = min(seconds, self.seconds or seconds)
        else:
            self.problem = line

    def time(self):
        """None if it ever went wrong: a wrong result has no speed."""
        return None if self.problem else self.seconds

    def shown(self):
        if self.problem:
            word = self.problem.split()[0]
            return "" if word == "none" else word
        return rate(self.work / self.seconds) if self.seconds else ""


def rate(per_second):
    giga = per_second * 1e-9
    digits = 0 if giga >= 100 else 1 if giga >= 10 else 2 if giga >= 1 else 3 if giga >= 0.1 else 4
    return f"{giga:.{digits}f}"


class Column:
    """A driver, or the plain C++ versions (vendors None). With a compiler its programs go through SPIR-V."""

    def __init__(self, name, vendors, options, cache, compiler=None):
        self.name = name
        self.command = [str(program(options)), "--lines", "--budget", str(options.budget)]
        if vendors is None:
            self.command.append("--plain")
        if compiler:
            self.command += ["--spirv", str(compiler)]
        if options.quick:
            self.command.append("--quick")
        if options.cpu_time:
            self.command.append("--cpu-time")
        self.is_plain = vendors is None
        driver = compare.Driver(name, vendors or "/nonexistent", options)
        self.environment = driver.environment(cache) | (AVX2 if options.avx2 else {})
        self.results = {}

    def run(self, kernel):
        result = self.results.setdefault(kernel, Result())
        if result.problem:  # it would only take time again
            return
        try:
            done = subprocess.run(
                self.command + [kernel], env=self.environment, capture_output=True, text=True, timeout=TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            result.add("timeout")
            return
        lines = [line for line in done.stdout.splitlines() if line.startswith(kernel + " ")]
        if lines:
            result.add(lines[-1][len(kernel) + 1 :])
        else:
            result.add(f"crashed with status {done.returncode}: {done.stderr.strip()[-200:]}")

    def time(self, kernel):
        return self.results[kernel].time()


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def times(value):
    return "" if value is None else f"{value:.2f}"


class Suite:
    """The columns, Lanewise first, perhaps plain C++ last, and the figures that are computed from them."""

    def __init__(self, columns, kernels, machine, complete):
        self.complete = complete  # all kernels of the suite were chosen
        self.columns, self.kernels, self.machine = columns, kernels, machine
        self.ours, self.others = columns[0], columns[1:]
        self.peers = [c for c in self.others if not c.is_plain]

    def ratio(self, kernel, other):
        """How many times longer the other takes; None if either has no time."""
        mine, theirs = self.ours.time(kernel), other.time(kernel)
        return theirs / mine if mine and theirs else None

    def to_best_peer(self, kernel):
        ratios = [r for r in (self.ratio(kernel, peer) for peer in self.peers) if r]
        return min(ratios) if ratios else None

    def share(self, kernel):
        """Percent of bandwidth or peak, as text."""
        result = self.ours.results[kernel]
        most = self.machine.get(result.limit)
        return f"{100 * result.work / result.seconds / most:.0f} % {result.limit}" if most and result.time() else ""

    def table(self, category):
        lines = [
            f"| {category} | unit | " + " | ".join(c.name for c in self.columns)
            + " | of limit |" + "".join(f" / {o.name.partition(' ')[0]} |" for o in self.others),
            "|---|---|" + "---:|" * (len(self.columns) + 1 + len(self.others)),
        ]
        for kernel in self.of(category):
            unit = next((c.results[kernel].unit for c in self.columns if c.results[kernel].seconds), "-")
            cells = [kernel.partition("/")[2], f"G{unit}/s"] + [c.results[kernel].shown() for c in self.columns]
            cells += [self.share(kernel)] + [times(self.ratio(kernel, o)) for o in self.others]
            lines.append("| " + " | ".join(cells) + " |")
        return lines + [""]

    def of(self, category):
        return [k for k in self.kernels if k.startswith(category + "/")]

    def summary(self):
        lines = [
            "| geometric mean of the ratios | kernels |" + "".join(f" / {o.name} |" for o in self.others)
            + (" worst against the better peer |" if self.peers else ""),
            "|---|---:|" + "---:|" * len(self.others) + ("---|" if self.peers else ""),
        ]
        for category in [c for c in CATEGORIES if self.of(c)] + ["all"]:
            kernels = self.kernels if category == "all" else self.of(category)
            line = f"| {category} | {sum(1 for k in kernels if self.ours.time(k))} |"
            for other in self.others:
                line += f" {times(geometric_mean([r for r in (self.ratio(k, other) for k in kernels) if r]))} |"
            worst = min(((r, k) for k in kernels if (r := self.to_best_peer(k))), default=None)
            if self.peers:
                line += f" {worst[0]:.2f} {worst[1].partition('/')[2]} |" if worst else "  |"
            lines.append(line)
        return lines + [""]

    def mean(self, name, category):
        """Of the ratios to the driver of this name; None without that driver, or if not all of the category ran."""
        other = next((c for c in self.peers if c.name == name), None)
        if other is None or not self.complete:
            return None
        kernels = self.kernels if category == "all" else self.of(category)
        return geometric_mean([r for r in (self.ratio(k, other) for k in kernels) if r])

    def has_targets(self):
        return any(kernel in targets.KERNELS for kernel in self.kernels)

    def targets(self):
        return targets.table(targets.rate_lines(self.ours.results, self.machine), targets.mean_lines(self.mean))

    def problems(self):
        lines = []
        for column in self.columns:
            for kernel in self.kernels:
                problem = column.results[kernel].problem
                if problem and problem != "none":
                    lines.append(f"* {column.name}, {kernel}: {problem.replace('|', ' ')[:160]}")
        return (["Not measured:", ""] + lines + [""]) if lines else []

    def below(self, least):
        worst = sorted((r, k) for k in self.kernels if (r := self.to_best_peer(k)) and r < least)
        if not worst:
            return []
        named = ", ".join(f"{kernel} {ratio:.2f}" for ratio, kernel in worst)
        return [f"Below {least} of the better peer: {named}.", ""]

    def document(self, rounds, avx2):
        limits = f"{tables.machine()}; best of {rounds} rounds."
        if not avx2:
            limits += (
                f" Limits, measured with plain C++ on all cores: triad {self.machine['bandwidth'] * 1e-9:.1f} GB/s, "
                f"fused multiply-add {self.machine['float'] * 1e-9:.0f} GFLOP/s in float and "
                f"{self.machine['double'] * 1e-9:.0f} in double."
            )
        lines = [limits, ""] + ([] if avx2 or not self.has_targets() else self.targets()) + self.summary() + self.below(0.8)
        for category in CATEGORIES:
            if self.of(category):
                lines += self.table(category)
        return lines + self.problems()


def program(options):
    return options.bin / ("bench-families" if options.families else "bench-suite")


def measure_machine(options):
    """The best of three, because a limit is not an average."""
    best = {}
    for _ in range(1 if options.quick else 3):
        for name, value in compare.run([options.bin / "bench-suite", "--machine"], dict(os.environ)).items():
            best[name] = max(value, best.get(name, 0))
    return best


def parse():
    parser = compare.parser_of(__doc__, rounds=2)
    parser.add_argument("--spirv", type=Path, metavar="COMPILER", help="one more column: this driver on modules of lanewise-cc")
    parser.add_argument("--budget", type=float, default=0.08, help="seconds of repetitions of a kernel")
    parser.add_argument("--quick", action="store_true", help="small sizes: does everything run?")
    parser.add_argument("--cpu-time", action="store_true", help="processor time, for a busy machine; writes nothing")
    parser.add_argument("--avx2", action="store_true", help="Lanewise and Intel's driver limited to AVX2, without plain C++")
    parser.add_argument("--families", action="store_true", help="kernels in forms that are meant for GPUs, in place of the suite")
    parser.add_argument("--targets", action="store_true", help="only the kernels that shall reach a limit; writes nothing")
    parser.add_argument("kernels", nargs="*", help="parts of names; with any, nothing is written")
    return parser.parse_args()


def main():
    options = parse()
    kernels = subprocess.run(
        [program(options), "--list"], capture_output=True, text=True, check=True
    ).stdout.split()
    every = len(kernels)
    if options.targets:
        kernels = [k for k in kernels if k in targets.KERNELS]
    if options.kernels:
        kernels = [k for k in kernels if any(part in k for part in options.kernels)]
    with tempfile.TemporaryDirectory() as caches:
        named = [("Lanewise", options.vendors, None)]
        if options.spirv:
            named.append(("SPIR-V", options.vendors, options.spirv))
        named += [(*p.split("=", 1), None) for p in options.peer]
        if not options.avx2:
            named.append(("plain C++", None, None))
        columns = []
        for name, vendors, compiler in named:
            cache = Path(caches) / name.replace(" ", "-")
            cache.mkdir()
            columns.append(Column(name, vendors, options, str(cache), compiler))
        machine = {} if options.avx2 else measure_machine(options)
        for number in range(options.rounds):
            for index, kernel in enumerate(kernels):
                print(f"\rround {number + 1}, {index + 1} of {len(kernels)} ", end="", file=sys.stderr, flush=True)
                for column in columns:
                    column.run(kernel)
    print(file=sys.stderr)
    lines = Suite(columns, kernels, machine, len(kernels) == every).document(options.rounds, options.avx2)
    print("\n".join(lines))
    if not (options.print or options.spirv or options.quick or options.cpu_time) and len(kernels) == every:
        name = "families" if options.families else "suite"
        tables.write(name + "-avx2" if options.avx2 else name, lines[:-1])


if __name__ == "__main__":
    main()
