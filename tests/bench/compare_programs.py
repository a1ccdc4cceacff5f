# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs real programs into a folder of the build, runs them in turn on several drivers, and writes the table.

The rows are in programs/rows.py. Packages of Debian are unpacked, not installed: nothing of the system changes. A row
that does not install, or that runs on no driver, is left out, and the reason is printed. Started by scripts/bench.

A round takes half an hour. With --results what is measured is kept in a file and added to what is there, so that rounds
can be measured one by one, or again of some programs only; the tables are of all that the file has. It is for one
machine and one build of the driver.
"""

import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import compare
from programs.rows import ROWS
from tables import machine, write

HERE = Path(__file__).resolve().parent / "programs"
SECONDS = re.compile(r"(?m)^(\w+) ([0-9.]+)$")


def quietly(command, timeout=1800, **options):
    """The last line of what it printed if it failed, else None."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout, check=False, **options
    )
    return None if done.returncode == 0 else (done.stdout.strip().splitlines() or ["no output"])[-1]


class Packages:
    """What is installed below `folder`; each package is tried once. `loader`: the folder of libOpenCL.so, or None."""

    def __init__(self, folder, loader):
        self.loader = loader
        self.root = folder / "root"
        self.archives = folder / "archives"
        self.python = folder / "python" / "bin" / "python"
        self.problems = {}

    def problem(self, row):
        """Why the row cannot run, or None."""
        for package in row.debian:
            if found := self.once("debian", package, self.unpack):
                return found
        for package in row.pypi:
            if found := self.once("pypi", package, self.install):
                return found
        return None

    def once(self, source, package, action):
        mark = self.root.parent / f"{source}-{package}.done"
        if (source, package) not in self.problems:
            found = None if mark.exists() else action(package)
            if not found:
                mark.touch()
            self.problems[source, package] = found and f"{package}: {found}"
        return self.problems[source, package]

    def unpack(self, package):
        """With all packages that it needs and this system does not have."""
        (self.archives / "partial").mkdir(parents=True, exist_ok=True)
        for old in self.archives.glob("*.deb"):
            old.unlink()
        options = ["-o", "Debug::NoLocking=1", "-o", f"Dir::Cache::archives={self.archives}"]
        command = ["apt-get", "-qq", *options, "--download-only", "--no-install-recommends", "-y", "install", package]
        if found := quietly(command):
            return found
        for archive in self.archives.glob("*.deb"):
            if found := quietly(["dpkg-deb", "-x", archive, self.root]):
                return found
        return None

    def install(self, package):
        if not self.python.exists():
            if found := quietly([sys.executable, "-m", "venv", self.python.parents[1]]):
                return found
        # Some packages are compiled and linked with libOpenCL, whose headers are there already.
        environment = {**os.environ, **({"LIBRARY_PATH": str(self.loader)} if self.loader else {})}
        return quietly([self.python, "-m", "pip", "install", "-q", package], env=environment)


class Driver(compare.Driver):
    def __init__(self, name, vendors, options):
        super().__init__(name, vendors, options)
        self.cpu_time = options.cpu_time
        self.first = options.first

    def run_program(self, row, packages):
        """{figure: value}, or the reason why there is none."""
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as work:
            places = {"root": packages.root, "python": packages.python, "here": HERE, "work": work}
            environment = {**self.environment(cache), "PYTHONDONTWRITEBYTECODE": "1", **row.environment}
            if self.cpu_time:
                environment["BENCH_CLOCK"] = "processor"
            if self.first:
                environment["BENCH_FIRST"] = "1"
            # Some libraries (PulseAudio's, BLAS) are in folders that Debian's configuration of the linker names.
            system = packages.root / "usr/lib/x86_64-linux-gnu"
            folders = [system, *sorted(folder for folder in system.glob("*/") if any(folder.glob("*.so*")))]
            libraries = [environment.get("LD_LIBRARY_PATH", ""), *map(str, folders)]
            environment["LD_LIBRARY_PATH"] = os.pathsep.join(part for part in libraries if part)
            command = [part.format_map(places) for part in row.command]
            # A session of its own, so that a program that takes too long ends with all that it has started.
            process = subprocess.Popen(
                command,
                env=environment,
                cwd=work,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                output, _ = process.communicate(timeout=row.timeout)
            except (subprocess.TimeoutExpired, KeyboardInterrupt) as stop:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                if isinstance(stop, KeyboardInterrupt):
                    raise
                return {}, f"longer than {row.timeout} s"
        text = output.decode(errors="replace")
        values = {name: float(value) for name, value in SECONDS.findall(text)} if not row.figures else {}
        for name, pattern in row.figures.items():
            if found := re.search(pattern, text):
                values[name] = float(found[1])
        values = {name: value for name, value in values.items() if value > 0}
        last = (text.strip().splitlines() or ["no output"])[-1]
        return values, None if values and not process.returncode else f"exit status {process.returncode}: {last[:150]}"

    def measure(self, row, packages):
        values, problem = self.run_program(row, packages)
        if problem:
            print(f"{row.name}, {self.name}: {problem}", file=sys.stderr, flush=True)
            return
        self.add({(row.name, name): value for name, value in values.items()})


class Results:
    """The values of all drivers in a file of JSON: {driver: [[row, figure, [value, ...]], ...]}. `path`: or None."""

    def __init__(self, path, drivers):
        self.path = path
        self.drivers = drivers
        known = json.loads(path.read_text()) if path and path.exists() else {}
        for driver in drivers:
            for row, figure, values in known.get(driver.name, []):
                driver.values[row, figure] = values

    def keep(self):
        if self.path:
            known = {d.name: [[*name, values] for name, values in d.values.items()] for d in self.drivers}
            self.path.write_text(json.dumps(known))

    def rows(self):
        measured = {row for driver in self.drivers for row, _ in driver.values}
        return [row for row in ROWS if row.name in measured]

    def rounds(self):
        counts = [len(values) for driver in self.drivers for values in driver.values.values()] or [0]
        least, most = min(counts), max(counts)
        return f"median of {most} rounds" if least == most else f"median of {least} to {most} rounds"


def ratio(row, figure, ours, others):
    """How many times as fast as the better of the others; None if there is nothing to compare with."""
    mine = ours.median((row.name, figure))
    theirs = [value for driver in others if (value := driver.median((row.name, figure))) is not None]
    if mine is None or not theirs:
        return None
    return mine / max(theirs) if row.more else min(theirs) / mine


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def tables(rows, drivers):
    ours, others = drivers[0], drivers[1:]
    lines = [f"| program | figure | {' | '.join(driver.name for driver in drivers)} | of the better peer |"]
    lines.append("|---|---|" + "---:|" * (len(drivers) + 1))
    ratios, behind = [], []
    for row in rows:
        figures = sorted({name for driver in drivers for (of, name) in driver.values if of == row.name})
        for figure in figures:
            found = ratio(row, figure, ours, others)
            values = [driver.median((row.name, figure)) for driver in drivers]
            cells = ["-" if value is None else f"{value:.4g}" for value in values]
            unit = " (more is better)" if row.more else ""
            lines.append(f"| {row.name} | {figure}{unit} | {' | '.join(cells)} | {f'{found:.2f}' if found else ''} |")
            if found:
                ratios.append(found)
                if found < 1:
                    behind.append((found, f"{row.name}, {figure}"))
    if ratios:
        lines += ["", f"Geometric mean over {len(ratios)} figures: {mean(ratios):.2f} of the better peer."]
    if behind:
        lines += ["Behind: " + "; ".join(f"{name} {found:.2f}" for found, name in sorted(behind)) + "."]
    return lines


def parse():
    parser = compare.parser_of(__doc__, rounds=3)
    parser.add_argument("--folder", type=Path, help="where programs are installed (default: beside --bin)")
    parser.add_argument(
        "--cpu-time", action="store_true", help="processor time, for a busy machine; only of programs that use a library"
    )
    parser.add_argument(
        "--first", action="store_true", help="the time until each figure's first result, of programs that use a library"
    )
    parser.add_argument("--results", type=Path, help="a file to which what is measured is added")
    parser.add_argument("names", nargs="*", help="only programs whose name contains one of these")
    return parser.parse_args()


def prepared(options):
    """Where programs are installed, and the drivers to measure."""
    folder = (options.folder or options.bin.parent / "programs").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    drivers = [Driver("Lanewise", options.vendors, options)]
    drivers += [Driver(*peer.split("=", 1), options) for peer in options.peer]
    return Packages(folder, options.loader), drivers


def main():
    options = parse()
    packages, drivers = prepared(options)
    results = Results(options.results, drivers)
    rows = []
    for row in ROWS if options.rounds else ():
        if options.names and not any(name in row.name for name in options.names):
            continue
        if (options.cpu_time or options.first) and row.figures:
            continue
        problem = packages.problem(row)
        if problem:
            print(f"{row.name}: left out, {problem}", file=sys.stderr, flush=True)
        else:
            rows.append(row)
    shutil.rmtree(packages.archives, ignore_errors=True)
    try:
        for number in range(options.rounds):
            for row in rows:
                print(f"round {number + 1}: {row.name}", file=sys.stderr, flush=True)
                for driver in drivers:
                    driver.measure(row, packages)
                    results.keep()
    except KeyboardInterrupt:
        print("stopped: the table has what was measured so far", file=sys.stderr)
        options.print = True
    lines = [f"{machine()}; {results.rounds()}, the drivers taking turns."]
    lines += ["Where nothing else is said, a figure is a time in seconds or milliseconds, and less is better.", ""]
    lines += tables(results.rows(), drivers)
    print("\n".join(lines))
    part = options.names and not options.results
    if not options.print and not part and not options.cpu_time:
        write("first-programs" if options.first else "programs", lines)


if __name__ == "__main__":
    main()
