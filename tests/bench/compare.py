# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the benchmarks of one build on several drivers, alternating between them, and writes the tables.

Every round runs each driver once, one after the other, so that a disturbance of the machine affects all of them; the
tables show the median over the rounds. Caches on disk are private to each measurement. Started by scripts/bench.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tables import machine, write

# Recorded commands, children and pipes have a file of their own and can be measured alone.
COMMAND_PARTS = ("recorded", "device")

# measured value, what it is, unit, factor from seconds (or from what the program prints)
STARTUP = (
    ("wall", "wall time of the process", "ms", 1e3),
    ("over_empty", "above an empty program", "ms", 1e3),
    ("peak_kib", "peak memory", "MiB", 1 / 1024),
    ("threads", "threads afterwards", "", 1),
    ("compiler_mapped", "compiler mapped into the process", "", 1),
)
LAUNCH = (
    ("latency_median", "enqueue + finish, median", "µs", 1e6),
    ("latency_p99", "enqueue + finish, 99th percentile", "µs", 1e6),
    ("back_to_back_total", "10,000 launches in order, total", "ms", 1e3),
    ("back_to_back_each", "10,000 launches in order, each", "µs", 1e6),
    ("counted_each", "the same with a kernel that counts, each", "µs", 1e6),
    ("added_each", "the same with 64 work-items that add to a counter, each", "µs", 1e6),
    ("chain_each", "chain through events, out of order, each", "µs", 1e6),
    ("fan_out_each", "fan-out from one event, out of order, each", "µs", 1e6),
)
RECORDED = (
    ("empty_chain_of_100_one_by_one_each", "100 empty kernels in order, one by one, each", "µs", 1e6),
    ("empty_chain_of_100_recorded_each", "the same recorded, each", "µs", 1e6),
    ("empty_alone_one_by_one_each", "one empty kernel", "µs", 1e6),
    ("empty_alone_recorded_each", "the same recorded", "µs", 1e6),
    ("network_of_200_one_by_one_each", "200 small layers, one by one, each", "µs", 1e6),
    ("network_of_200_recorded_each", "the same recorded, each", "µs", 1e6),
    ("large_chain_of_10_one_by_one_each", "10 kernels over a million elements, one by one, each", "µs", 1e6),
    ("large_chain_of_10_recorded_each", "the same recorded, each", "µs", 1e6),
)
DEVICE = (
    ("enqueue_host_each", "500 kernels of one work-item by the host, each", "µs", 1e6),
    ("enqueue_chain_each", "a kernel that enqueues the next, 500 deep, each", "µs", 1e6),
    ("enqueue_tree_each", "a tree of two children each, 511 kernels, each", "µs", 1e6),
    ("enqueue_wide_each", "one work-item enqueues 499 kernels, each", "µs", 1e6),
    ("pipe_packets_written_each", "a packet of 4 bytes per work-item, written", "ns", 1e9),
    ("pipe_packets_read_each", "the same, read", "ns", 1e9),
    ("pipe_groups_written_each", "the same, reserved by work-groups of 64, written", "ns", 1e9),
    ("pipe_groups_read_each", "the same, read", "ns", 1e9),
)
TRANSFER = (
    ("write_small", "write 4 KiB", "µs", 1e6),
    ("read_small", "read 4 KiB", "µs", 1e6),
    ("copy_small", "copy 4 KiB", "µs", 1e6),
    ("fill_small", "fill 4 KiB", "µs", 1e6),
    ("map_small", "map and unmap 4 KiB", "µs", 1e6),
    ("write_large", "write 64 MiB", "ms", 1e3),
    ("read_large", "read 64 MiB", "ms", 1e3),
    ("copy_large", "copy 64 MiB", "ms", 1e3),
    ("fill_large", "fill 64 MiB", "ms", 1e3),
    ("map_large", "map and unmap 64 MiB", "ms", 1e3),
    ("rectangle", "read a rectangle of 16 MiB", "ms", 1e3),
    ("plain_large", "plain C++ copy of 64 MiB, for comparison", "ms", 1e3),
    ("plain_fill", "plain C++ fill of 64 MiB, for comparison", "ms", 1e3),
    ("plain_rectangle", "plain C++ copy of that rectangle, for comparison", "ms", 1e3),
)
# A large transfer and the plain one that is its limit: both from the same run, measured in turn.
LIMITS = (
    ("write_large", "plain_large", "write 64 MiB"),
    ("read_large", "plain_large", "read 64 MiB"),
    ("copy_large", "plain_large", "copy 64 MiB"),
    ("fill_large", "plain_fill", "fill 64 MiB"),
    ("rectangle", "plain_rectangle", "read a rectangle of 16 MiB"),
)
IMAGES = tuple(
    (f"{command}_{shape}_{size}", f"{command} {label}", unit, factor)
    for shape, size, label, unit, factor in (
        ("2d", "small", "2D, 4 KiB", "µs", 1e6),
        ("3d", "small", "3D, 4 KiB", "µs", 1e6),
        ("2d", "part", "2D, 1024 x 1024 of 4096 x 4096 (4 MiB)", "ms", 1e3),
        ("2d", "large", "2D, 64 MiB", "ms", 1e3),
        ("3d", "large", "3D, 64 MiB", "ms", 1e3),
    )
    for command in ("write", "read", "copy", "fill", "map")
)
IMAGE_LIMITS = tuple(
    (f"{command}_{shape}_large", f"plain_{plain}_{shape}_large", f"{command} {shape.upper()}, 64 MiB")
    for shape in ("2d", "3d")
    for command, plain in (("write", "copy"), ("read", "copy"), ("copy", "copy"), ("fill", "fill"))
)
OBJECTS = (
    ("buffer_small", "make and release a buffer of 4 KiB", "µs", 1e6),
    ("buffers_alive", "the same, 64 alive at once, each", "µs", 1e6),
    ("first_touch", "make, fill and release a buffer of 16 MiB", "ms", 1e3),
    ("svm_small", "clSVMAlloc and clSVMFree of 4 KiB", "µs", 1e6),
    ("callback_soon", "a marker's callback", "µs", 1e6),
    ("callback_later", "a marker's callback after a pause of 1 ms", "µs", 1e6),
)
FEW_EVENTS = 4000  # which every driver comes through
EVENTS = (
    ("few_marker", f"{FEW_EVENTS:,} markers, each", "µs", 1e6),
    ("few_kernel", f"{FEW_EVENTS:,} empty kernels, each", "µs", 1e6),
    ("storm_marker", "100,000 markers, each", "µs", 1e6),
    ("storm_kernel", "100,000 empty kernels, each", "µs", 1e6),
    ("storm_failing_marker", "markers, with failures among them, each", "µs", 1e6),
    ("storm_failing_kernel", "empty kernels, with failures among them, each", "µs", 1e6),
)
BUILD = (
    ("cold", "first build in a process, nothing cached", "ms", 1e3),
    ("cached", "first build in a second process, from the cache", "ms", 1e3),
    ("warm", "further builds of new sources", "ms", 1e3),
)
# The programs of tests/bench/programs.h, each built once by a new process without a cache.
PROGRAMS = (
    ("ten", "10 lines", "ms", 1e3),
    ("math", "10 lines with sin and pow", "ms", 1e3),
    ("lines300", "300 lines, one kernel", "ms", 1e3),
    ("kernels50", "5,000 lines, 50 kernels", "ms", 1e3),
    ("large", "5,000 lines, one kernel", "ms", 1e3),
)
# The same until kernels have run: some drivers compile them when they are first launched.
FIRST_RUNS = tuple((f"{name}_run", label, unit, factor) for name, label, unit, factor in PROGRAMS) + (
    ("kernels50_all", "5,000 lines, 50 kernels, each of them", "ms", 1e3),
)
# The same from SPIR-V that lanewise-cc has made of them. The large one is a module of a megabyte.
MODULES = (
    ("module_cold", "10 lines, first build in a process, nothing cached", "ms", 1e3),
    ("module_cached", "10 lines, first build in a second process, from the cache", "ms", 1e3),
    ("module_warm", "10 lines, further builds of new modules", "ms", 1e3),
    ("module_large", "5,000 lines, 50 kernels, nothing cached", "ms", 1e3),
    ("module_large_cached", "the same in a second process, from the cache", "ms", 1e3),
)

# Kernels on images beside the same on buffers (tests/bench/image_programs.h), measured alone, of the first driver.
IMAGE_BUILD_LEVELS = ("x86-64-v4", "x86-64-v3")

PARTS = ("startup", "launch", "recorded", "device", "events", "transfer", "images", "objects", "build", "programs", "modules")


def run(command, environment, timeout=600):
    """{name: value} from the lines of a benchmark."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    values = {}
    for line in done.stdout.splitlines():
        name, _, value = line.partition(" ")
        try:
            values[name] = float(value)
        except ValueError:
            pass  # names of platforms and devices
    return values


class Driver:
    def __init__(self, name, vendors, options):
        self.name = name
        self.binaries = options.bin
        self.base = dict(os.environ, OCL_ICD_VENDORS=str(vendors))
        if options.loader:
            self.base["LD_LIBRARY_PATH"] = os.pathsep.join(
                [str(options.loader)] + [p for p in [os.environ.get("LD_LIBRARY_PATH")] if p]
            )
        self.values = {}
        self.lost = set()

    def environment(self, cache):
        """Each driver's own variable for the place of its cache."""
        return dict(self.base, HOME=cache, XDG_CACHE_HOME=cache, LANEWISE_CACHE_DIR=cache, POCL_CACHE_DIR=cache)

    def add(self, values):
        for name, value in values.items():
            self.values.setdefault(name, []).append(value)

    def median(self, name):
        return statistics.median(self.values[name]) if name in self.values else None

    def startup(self, empty_wall):
        with tempfile.TemporaryDirectory() as cache:
            environment = self.environment(cache)
            listing = self.binaries / "bench-list"
            values = run([self.binaries / "bench-startup", "20", listing], environment)
            values["over_empty"] = values["wall"] - empty_wall
            values.update(run([listing, "weigh"], environment))
        self.add(values)

    def launch(self):
        with tempfile.TemporaryDirectory() as cache:
            self.add(run([self.binaries / "bench-launch"], self.environment(cache)))

    def recorded(self):
        with tempfile.TemporaryDirectory() as cache:
            self.add(run([self.binaries / "bench-recorded"], self.environment(cache)))

    def device(self):
        with tempfile.TemporaryDirectory() as cache:
            self.add(run([self.binaries / "bench-device"], self.environment(cache)))

    def transfer(self):
        with tempfile.TemporaryDirectory() as cache:
            self.add_with_shares(run([self.binaries / "bench-transfer"], self.environment(cache)), LIMITS)

    def images(self):
        with tempfile.TemporaryDirectory() as cache:
            self.add_with_shares(run([self.binaries / "bench-images"], self.environment(cache)), IMAGE_LIMITS)

    def add_with_shares(self, values, limits):
        self.add({**values, **{f"share_{name}": values[limit] / values[name] for name, limit, _ in limits}})

    def objects(self):
        with tempfile.TemporaryDirectory() as cache:
            self.add(run([self.binaries / "bench-objects"], self.environment(cache)))

    def events(self):
        """A driver that fails in such a run loses only that figure, and is not run again for it."""
        storms = {("", "ending", str(FEW_EVENTS)): "few", ("",): "storm", ("", "failing"): "storm"}
        for arguments, name in storms.items():
            if arguments in self.lost:
                continue
            with tempfile.TemporaryDirectory() as cache:
                try:
                    values = run([self.binaries / "bench-events", *arguments], self.environment(cache), 60)
                    self.add({key.replace("storm", name): value for key, value in values.items()})
                except (RuntimeError, subprocess.TimeoutExpired) as problem:
                    self.lost.add(arguments)
                    print(f"{self.name}: {str(problem)[:200]}", file=sys.stderr)

    def build(self):
        with tempfile.TemporaryDirectory() as cache:
            environment = self.environment(cache)
            program = self.binaries / "bench-build"
            cold = run([program, "0"], environment)["first"]
            cached = statistics.median(run([program, "0"], environment)["first"] for _ in range(3))
            warm = run([program, "20"], environment)["warm"]
        self.add({"cold": cold, "cached": cached, "warm": warm})

    def programs(self):
        for name, *_ in PROGRAMS:
            with tempfile.TemporaryDirectory() as cache:
                command = [self.binaries / "bench-build", "0", "", name]
                values = run(command, self.environment(cache))
            self.add({name: values["first"], f"{name}_run": values["run"], f"{name}_all": values["all"]})

    def modules(self):
        program = [self.binaries / "bench-build"]
        compiler = self.binaries / "lanewise-cc"
        for name, source in (("module", "ten"), ("module_large", "kernels50")):
            with tempfile.TemporaryDirectory() as cache:
                environment = self.environment(cache)
                command = program + ["0", "", source, compiler]
                cold = run(command, environment)["first"]
                cached = statistics.median(run(command, environment)["first"] for _ in range(3))
                self.add({f"{name}_cold" if name == "module" else name: cold, f"{name}_cached": cached})
                if name == "module":
                    self.add({"module_warm": run(program + ["20", "", source, compiler], environment)["warm"]})


def image_builds(driver, rounds):
    """Lines of a table: the time of builds on buffers and on images, and their ratio, at each instruction set."""
    columns = {}
    for level in IMAGE_BUILD_LEVELS:
        with tempfile.TemporaryDirectory() as cache:
            environment = dict(driver.environment(cache), LANEWISE_ISA=level)
            command = [driver.binaries / "bench-image_build", str(rounds)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=True)
        for line in done.stdout.splitlines():
            name, _, value = line.partition(" ")
            columns.setdefault(name, []).append(value)
    heads = [f"{kind}, {level.removeprefix('x86-64-')}" for level in IMAGE_BUILD_LEVELS for kind in ("buffers", "images", "ratio")]
    lines = ["| further builds of new sources | " + " | ".join(heads) + " |", "|---|" + "---:|" * len(heads)]
    for number in range(sum(name.startswith("name_") for name in columns)):
        cells = []
        for buffers, images in zip(columns[f"buffers_{number}"], columns[f"images_{number}"]):
            cells += [shown(float(v), "ms", 1e3) for v in (buffers, images)] + [f"{float(images) / float(buffers):.2f}"]
        lines.append(f"| {columns[f'name_{number}'][0]} | " + " | ".join(cells) + " |")
    return lines


def shown(value, unit, factor):
    if value is None:
        return "-"
    scaled = value * factor
    digits = 2 if unit == "x" else 0 if not unit or scaled >= 100 else 1 if scaled >= 10 else 2 if scaled >= 1 else 3
    return f"{scaled:.{digits}f}{unit}" if unit == "x" else f"{scaled:.{digits}f} {unit}".strip()


def table(title, rows, drivers, ratios=True):
    """Columns: the first driver, the others, and the best other's value divided by the first's."""
    lines = [f"| {title} | " + " | ".join(driver.name for driver in drivers)]
    others = drivers[1:]
    lines[0] += " | best peer / " + drivers[0].name + " |" if others and ratios else " |"
    lines.append("|---|" + "---:|" * (len(drivers) + (1 if others and ratios else 0)))
    for name, label, unit, factor in rows:
        line = f"| {label} | " + " | ".join(shown(driver.median(name), unit, factor) for driver in drivers) + " |"
        if others and ratios:
            ours = drivers[0].median(name)
            theirs = [driver.median(name) for driver in others if driver.median(name) is not None]
            ratio = f"{min(theirs) / ours:.2f}x" if unit and ours and theirs and ours > 0 else ""
            line += f" {ratio} |"
        lines.append(line)
    return lines


def shares(limits, drivers):
    rows = [(f"share_{name}", label, "x", 1) for name, _, label in limits]
    return table("speed beside plain C++ on all processors", rows, drivers, ratios=False)


def parser_of(description, rounds):
    """What every comparison of drivers takes; `rounds`: the default number."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="directory of the benchmark programs")
    parser.add_argument("--vendors", type=Path, required=True, help="directory of Lanewise's .icd file")
    parser.add_argument("--loader", type=Path, help="directory of the libOpenCL.so.1 to use (default: the system's)")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=VENDORS", help="another driver")
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--print", action="store_true", help="do not write to docs/performance")
    return parser


def parse():
    parser = parser_of(__doc__, rounds=5)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--image-builds", action="store_true", help="only builds of kernels on images beside buffers")
    return parser.parse_args()


def main():
    options = parse()
    drivers = [Driver("Lanewise", options.vendors, options)]
    drivers += [Driver(*peer.split("=", 1), options) for peer in options.peer]
    if options.image_builds:
        lines = [f"{machine()}; the shortest of {options.rounds} builds, in turn.", "", *image_builds(drivers[0], options.rounds)]
        print("\n".join(lines))
        if not options.print:
            write("image-builds", lines)
        return
    wanted = options.only or PARTS
    empties = []
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        empty = 0
        if "startup" in wanted:
            empty = run([options.bin / "bench-startup", "20", options.bin / "bench-empty"], dict(os.environ))["wall"]
            empties.append(empty)
        for driver in drivers:
            for part in PARTS:
                if part in wanted:
                    driver.startup(empty) if part == "startup" else getattr(driver, part)()
    lines = [f"{machine()}; median of {options.rounds} rounds, the drivers taking turns.", ""]
    if "startup" in wanted:
        lines += table("listing platforms and devices", STARTUP, drivers)
        lines += ["", f"An empty program takes {statistics.median(empties) * 1e3:.2f} ms.", ""]
    if "launch" in wanted:
        lines += table("empty kernel", LAUNCH, drivers) + [""]
    if "events" in wanted:
        lines += table("events with random dependencies, 8 queues, 4 threads", EVENTS, drivers) + [""]
    if "transfer" in wanted:
        lines += table("transfer of a buffer, shortest of many", TRANSFER, drivers) + [""]
        lines += shares(LIMITS, drivers) + [""]
    if "images" in wanted:
        lines += table("transfer of an image, shortest of many", IMAGES, drivers) + [""]
        lines += shares(IMAGE_LIMITS, drivers) + [""]
    if "objects" in wanted:
        lines += table("objects and callbacks", OBJECTS, drivers) + [""]
    if "build" in wanted:
        lines += table("kernel of ten lines", BUILD, drivers) + [""]
    if "programs" in wanted:
        lines += table("first build, nothing cached", PROGRAMS, drivers) + [""]
        lines += table("from its begin until the first kernel has run", FIRST_RUNS, drivers) + [""]
    if "modules" in wanted:
        lines += table("from SPIR-V", MODULES, drivers) + [""]
    lines = lines[:-1]
    commands = []
    if "recorded" in wanted:
        commands += table("commands recorded once", RECORDED, drivers) + [""]
    if "device" in wanted:
        commands += table("kernels that enqueue kernels, and pipes", DEVICE, drivers) + [""]
    print("\n".join(lines + [""] + commands))
    if options.print:
        return
    if not options.only:
        write("host", lines)
    if set(COMMAND_PARTS) <= set(wanted):
        write("recorded", [lines[0], "", *commands[:-1]])


if __name__ == "__main__":
    main()
