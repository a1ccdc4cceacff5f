# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gdb on an application that runs kernels: gdb_test.py APPLICATION CASE. docs/debugging.md tells users what is checked
here."""
import glob
import os
import signal
import subprocess
import sys

from tool import KERNELS, Workplace, expect, expect_none, line_of, need

DEBUG = "-g -cl-opt-disable"
ALL_SCALED = r"^ 1 4\.5 8 11\.5 15 18\.5 22 25\.5$"
ALL_REVERSED = r"^ 91 84 77 70 119 112 105 98$"


def gdb(place, commands, options, *arguments, **environment):
    script = os.path.join(place.path, "commands.gdb")
    with open(script, "w") as out:
        out.write("set pagination off\nset confirm off\nset breakpoint pending on\nset width 0\n")
        out.write("\n".join(commands) + "\n")
    return place.run(["gdb", "-nx", "-batch", "-x", script, "--args", *place.command(options, *arguments)],
                     **environment)


def runs(place):
    """Any application: gdb loads and reads the kernel's image, and the program ends. Without -g and without a cache."""
    for options in ("", "-g", DEBUG):
        for cache in ("on", "off"):
            output = gdb(place, ["run", "info sharedlibrary"], options, "scale", LANEWISE_CACHE=cache)
            expect(output, ALL_SCALED, "exited normally")
            expect_none(output, "warning.*could not load|No such file")


def by_name(place):
    """A pending breakpoint by the kernel's name: arguments, the chain of calls, the source."""
    output = gdb(place, ["break scale", "run", "backtrace", "list", "delete", "continue"], DEBUG, "scale")
    expect(output, r"scale \(x=0x[0-9a-f]+, by=2\.5, n=8\) at (?:.*/)?program\.cl:\d+",
           r"#0 .*scale \(x=0x[0-9a-f]+, by=2\.5, n=8\) at (?:.*/)?program\.cl:\d+",
           r"#1 .*scale\.range \(\) at (?:.*/)?program\.cl:\d+", r"#2 .*lanewise::", r"__kernel void scale",
           ALL_SCALED, "exited normally")
    expect_none(output, "No such file")


def each_item(place):
    """A breakpoint on a line stops for each work-item; a condition chooses one. All values are exact."""
    stop = f"break program.cl:{line_of('last of scale')}"
    output = gdb(place, [stop + " if __global_id[0] == 5", "run", "info args", "info locals", "print __global_id",
                         "print __local_id", "print __group_id", "print __local_size[0]", "print __global_size[0]",
                         "print factor.weight + 1", "print x[5]", "delete", "continue"], DEBUG, "scale")
    expect(output, rf"scale .* at (?:.*/)?program\.cl:{line_of('last of scale')}$", r"by = 2\.5", "n = 8")
    for value in ("index = 5", r"factor = \{weight = 6, scale = 2\.5\}", "before = 5$", r"after = 18\.5"):
        expect(output, value)
    expect(output, r"\$1 = \{5, 0, 0\}", r"\$2 = \{1, 0, 0\}", r"\$3 = \{1, 0, 0\}", r"\$4 = 4", r"\$5 = 8", r"\$6 = 7",
           r"\$7 = 5", ALL_SCALED)
    output = gdb(place, [stop, "run", *["continue"] * 7, "delete", "continue"], DEBUG, "scale")
    stops = output.count("hit Breakpoint")
    if stops != 8:
        sys.exit(output + f"\n{stops} stops for 8 work-items")


def inner_function(place):
    """A function that a kernel calls: its own frame, above that of the work-item."""
    output = gdb(place, [f"break program.cl:{line_of('in a function')}", "run", "next", "print product", "backtrace",
                         "up", "print index", "delete", "continue"], DEBUG, "scale")
    expect(output, r"weigh \(value=0, by=2\.5\)", r"\$1 = 0", r"#0 .*weigh \(value=0, by=2\.5\)", r"#1 .*scale \(x=",
           r"#2 .*scale\.range", r"#3 .*lanewise::", r"#1 .*scale \(x=", r"\$2 = 0", ALL_SCALED)


def barrier(place):
    """Across a barrier: the next stop is behind it, and every work-item has its own values again."""
    behind = line_of("behind the barrier")
    output = gdb(place, [f"break program.cl:{line_of('barrier')} if __global_id[0] == 0", "run",
                         f"tbreak program.cl:{behind}", "delete 1", "continue", "print __local_id[0]", "print mine",
                         "print unused", f"break program.cl:{behind} if __global_id[0] == 6", "continue",
                         "print __group_id[0]", "print __local_id[0]", "print id", "print last", "print mine",
                         "print unused", "print *tile@4", "print *total", "next", "print other", "info args", "delete",
                         "continue"], DEBUG, "reverse")
    expect(output, r"\$1 = 0", r"\$2 = 10", r"\$3 = 0", r"\$4 = 1", r"\$5 = 2", r"\$6 = 2", r"\$7 = 3", r"\$8 = 16",
           r"\$9 = 6", r"\$10 = \{14, 15, 16, 17\}", r"\$11 = 7", r"\$12 = 15", r"x = 0x[0-9a-f]+", ALL_REVERSED)


def next_over_barrier(place):
    """`next` at a barrier leaves the work-item, `step` enters the first one behind it; the program ends normally."""
    output = gdb(place, [f"break program.cl:{line_of('before the barrier')}", "run", "delete", "next", "next", "frame",
                         "step", "frame", "print __local_id", "print mine", "continue"], DEBUG, "reverse")
    behind = line_of("behind the barrier")
    expect(output, "hit Breakpoint", r"#0 .*reverse\.range \(\)", rf"#0 .*reverse \(x=.*program\.cl:{behind}$",
           r"\$1 = \{0, 0, 0\}", r"\$2 = 1[04]", ALL_REVERSED)


def optimised(place):
    """With -g alone: a breakpoint by name stops in front of the work-groups, with all arguments."""
    output = gdb(place, ["break scale", "run", "info args", "backtrace", "delete", "continue"], "-g", "scale")
    expect(output, r"hit Breakpoint .*scale \(x=0x[0-9a-f]+, by=2\.5, n=8\) at (?:.*/)?program\.cl:\d+", r"by = 2\.5", "n = 8",
           r"#0 .*scale \(x=", r"#1 .*lanewise::", ALL_SCALED)


def core(place):
    """A core file of an application that has ended: the image and the source are still there."""
    import resource
    kept = resource.getrlimit(resource.RLIMIT_CORE)
    path = os.path.join(place.path, "core")
    script = [f"break program.cl:{line_of('last of scale')} if __global_id[0] == 3", "run",
              f"generate-core-file {path}", "kill"]
    gdb(place, script, DEBUG, "scale")
    resource.setrlimit(resource.RLIMIT_CORE, kept)
    output = place.run(["gdb", "-nx", "-batch", "-ex", "backtrace", "-ex", "info locals", "-ex", "list", place.app,
                        path])
    expect(output, r"#0 .*scale \(x=.*, by=2\.5, n=8\) at (?:.*/)?program\.cl:\d+")
    expect(output, r"after = 11\.5")
    expect(output, "// last of scale")


def leftovers(place):
    """Without a cache the image and the source are in a folder of the process, which is removed later after a crash."""
    runtime = os.path.join(place.path, "runtime")
    seen = lambda: glob.glob(os.path.join(runtime, "lanewise-*", "process-*"))
    output = gdb(place, ["break scale", "run", "list", "kill"], DEBUG, "scale", LANEWISE_CACHE="off")
    expect(output, r"scale \(x=", "__kernel void scale")
    if len(seen()) != 1:
        sys.exit(f"after a crash there are {seen()}")
    place.run(place.command(DEBUG, "scale"), LANEWISE_CACHE="off")
    if seen():
        sys.exit(f"left behind: {seen()}")


CASES = {case.__name__: case for case in (runs, by_name, each_item, inner_function, barrier, next_over_barrier,
                                          optimised, core, leftovers)}

if __name__ == "__main__":
    need("gdb")
    CASES[sys.argv[2]](Workplace(sys.argv[1]))
