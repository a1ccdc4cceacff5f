# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LANEWISE_TRACE, and the messages that name commands: run_test.py APPLICATION CASE."""
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

import trace_rules
from tool import Workplace, expect, expect_none

PLACE = Workplace(sys.argv[1])


def run(*arguments, expected=0, **environment):
    return PLACE.run([PLACE.app, *map(str, arguments)], expected=expected, **environment)


def trace(*arguments, **environment):
    path = os.path.join(PLACE.path, "run.json")
    if os.path.exists(path):
        os.remove(path)
    run(*arguments, LANEWISE_TRACE=path, **environment)
    return trace_rules.load(path)


def of_phase(events, phase, category=None):
    return [e for e in events if e["ph"] == phase and category in (None, e.get("cat"))]


def mixed():
    whole = trace("mixed", LANEWISE_THREADS="2")
    events = whole["traceEvents"]
    commands = {e["args"]["command"]: e for e in of_phase(events, "b", "queue") if "args" in e}
    names = [command["name"] for command in commands.values()]
    for name in ("fill buffer", "write buffer", "saxpy", "strided", "read buffer"):
        assert name in names, names
    # The waits of wait lists, and the sizes of launches.
    strided = next(c for c in commands.values() if c["name"] == "strided")
    first = next(number for number, c in commands.items() if c["name"] == "saxpy")
    assert strided["args"]["waits_for"] == [first], strided
    assert strided["args"]["global"] == [65536, 1, 1] and strided["args"]["bytes"] == 5 * 65536 * 4, strided
    assert len({c["pid"] for c in commands.values()}) == 2, "two queues"
    # Every command that ran has a flow from its enqueue to its first chunk.
    ran = {e["args"]["command"] for e in of_phase(events, "X", "kernel") + of_phase(events, "X", "transfer")}
    assert {e["id"] for e in of_phase(events, "s")} == ran, (ran, of_phase(events, "s"))
    assert {e["args"]["code"] for e in of_phase(events, "X", "kernel")} == {"first tier"}
    groups = sum(e["args"]["pieces"] for e in of_phase(events, "X", "kernel") if e["args"]["command"] == first)
    assert groups * commands[first]["args"]["local"][0] == 65536, "every group ran once"
    assert any(e["name"] == "build" for e in of_phase(events, "X", "compile"))
    programs = whole["lanewise"]["programs"]
    assert any("kernel void saxpy" in p["source"] and "strided" in p["remarks"] for p in programs), programs
    assert any(e["name"] == "found in the cache" for e in of_phase(trace("mixed")["traceEvents"], "i", "compile"))


def hot():
    events = trace("hot", LANEWISE_TIER="2")["traceEvents"]
    codes = {e["args"]["code"] for e in of_phase(events, "X", "kernel")}
    assert codes and all(code.startswith("second tier") for code in codes), codes
    assert any(e["name"] == "second tier of burn" for e in of_phase(events, "X", "compile"))
    assert any(e["name"] == "second tier of burn is ready" for e in of_phase(events, "i", "tier"))


def names_of_files():
    """%p is the process; a relative name is that of the folder in which the process began; a folder that is not there."""
    run("mixed", LANEWISE_TRACE="run-%p.json")
    made = [name for name in os.listdir(PLACE.path) if name.startswith("run-") and name[4:-5].isdigit()]
    assert len(made) == 1, os.listdir(PLACE.path)
    trace_rules.load(os.path.join(PLACE.path, made[0]))
    # Said before the run, whose trace would be lost.
    for wrong, why in (("/nowhere/run.json", "No such"), (PLACE.path, "Is a directory"), ("/proc/version/x", "Not a directory")):
        output = run("mixed", LANEWISE_TRACE=wrong)
        expect(output, f"^lanewise: the trace cannot be written to {wrong}: {why}", r"^\d")
        assert output.count("cannot be written") == 1, output
    # A pipe or a device is written to, and not replaced by a file.
    pipe = os.path.join(PLACE.path, "pipe")
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        run("mixed", LANEWISE_TRACE=pipe)
        assert "traceEvents" in json.loads(reader.communicate(timeout=60)[0])
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    expect(run("mixed", LANEWISE_TRACE="/dev/stdout"), '"traceEvents"')
    link, target = (os.path.join(PLACE.path, name) for name in ("link.json", "target.json"))
    os.symlink(target, link)
    pathlib.Path(target).touch()
    run("mixed", LANEWISE_TRACE=link)
    assert os.path.islink(link)
    trace_rules.load(target)


def child():
    """A forked child writes no trace and does not change its parent's."""
    processes = {e["pid"] for e in of_phase(trace("child")["traceEvents"], "X")}
    assert len(processes) == 1, processes


def privileged():
    """A set-user-ID program ignores the option, as it ignores all."""
    if os.geteuid() != 0:
        print("skipped: only root can make a set-user-ID program of another user")
        sys.exit(77)
    copy = os.path.join(PLACE.path, "app")
    shutil.copy(PLACE.app, copy)
    os.chown(copy, 65534, 65534)
    os.chmod(copy, 0o6755)
    os.chmod(PLACE.path, 0o777)
    path = os.path.join(PLACE.path, "run.json")
    output = PLACE.run([copy, "mixed"], expected=None, LANEWISE_TRACE=path)
    expect(output, r"^\d|error while loading shared libraries|clBuildProgram")
    assert not os.path.exists(path)


def cost():
    """Less than 2 % at 10,000 launches a second: 2 us of processor time for each launch."""
    path = os.path.join(PLACE.path, "run.json")
    count = 20000
    without = min(float(run("launches", count)) for _ in range(3))
    with_trace = min(float(run("launches", count, LANEWISE_TRACE=path)) for _ in range(3))
    print(f"{without:.0f} ns a launch without a trace, {with_trace:.0f} ns with one")
    assert with_trace - without < 2000
    trace = json.load(open(path))
    assert sum(e["ph"] == "b" and "args" in e for e in trace["traceEvents"]) >= count


def scheduler():
    output = run("mixed", LANEWISE_DEBUG="scheduler", LANEWISE_THREADS="1")
    allowed = len(os.sched_getaffinity(0))
    expect(output, rf"^lanewise scheduler: 1 compute units: {allowed} of \d+ processors allowed.*LANEWISE_THREADS=1; workers run on "
           r"processors \d[\d,-]*, waiting threads wherever")
    expect(output, r"^lanewise scheduler: command \d+ \(strided\): \d+ groups, .*; one thread begins with \d+ at once, in multiples of \d+",
           r"^lanewise scheduler: command \d+ \(strided\): \[0, \d+\) on processor \d+ took \d+\.\d us")
    expect_none(run("mixed"), "lanewise")


def refusals():
    output = run("group", LANEWISE_DEBUG="api")
    expect(output, r"^lanewise api: clEnqueueNDRangeKernel: CL_INVALID_WORK_ITEM_SIZE \(-55\): .*; CL_DEVICE_MAX_WORK_ITEM_SIZES is the limit")


def limits():
    output = run("limits", LANEWISE_DEVICE_NAME="Another device", LANEWISE_GROUP_SIZE="256", LANEWISE_MEMORY="512M")
    expect(output, "^Another device, 256, 536870912, 536870912$", "^-55 -61$")
    expect(run("limits", LANEWISE_MEMORY="1M"), "^lanewise: LANEWISE_MEMORY counts as 128M", ", 134217728, 134217728$")
    expect(run("limits", LANEWISE_GROUP_SIZE="5000"), "^lanewise: LANEWISE_GROUP_SIZE counts as 4096", ", 4096, ")


def width():
    for width in ("2", "16"):
        expect(run("mixed", LANEWISE_WIDTH=width, LANEWISE_DEBUG="vectorize"), rf"saxpy.*: width {width}\b")
    expect_none(run("mixed", LANEWISE_WIDTH="1", LANEWISE_DEBUG="vectorize"), "width")
    expect(run("mixed", LANEWISE_WIDTH="3"), "^lanewise: LANEWISE_WIDTH=3 is ignored: it takes 0, or a power of two up to 64")


def binary():
    """A binary has code that was made without any option: options change what it runs, and who keeps binaries for a
    version of the driver, as PyOpenCL does, builds again."""
    kept = os.path.join(PLACE.path, "kept.bin")
    for made_by in ({"LANEWISE_BUILD": "all"}, {}):
        expect(run("binary", kept, **made_by), "^from the source$")
        expect(run("binary", kept, LANEWISE_DEBUG="cache"), r"^version \d+\.\d+\.\d+(-rc\d+)?$", "^from the binary$")
        expect(run("load", kept, LANEWISE_WIDTH="2", LANEWISE_DEBUG="vectorize"), r"saxpy.*: width 2\b")
        expect(run("load", kept, LANEWISE_DEBUG="vectorize"), r"saxpy.*: width")
        expect_none(run("load", kept, LANEWISE_VECTORIZE="off", LANEWISE_DEBUG="vectorize"), "width")
        run("load", kept, LANEWISE_DUMP=os.path.join(PLACE.path, "dump"))
        assert os.listdir(os.path.join(PLACE.path, "dump"))
        shutil.rmtree(os.path.join(PLACE.path, "dump"))
        for name, value in {"CHECK": "memory", "BUILD_OPTIONS": "-g", "WIDTH": "4", "VECTORIZE": "off",
                            "DEBUG": "vectorize", "TRACE": os.path.join(PLACE.path, "run.json")}.items():
            other = f"{kept}.{name}"
            expect(run("binary", other), "^from the source$")
            expect(run("binary", other, **{"LANEWISE_" + name: value}), r"^version .*\+[0-9a-f]{8}$", "^from the source$")
            expect(run("binary", other, **{"LANEWISE_" + name: value}), "^from the binary$")
        for name in os.listdir(PLACE.path):
            if name.startswith("kept.bin"):
                os.remove(os.path.join(PLACE.path, name))


def dump():
    folder = os.path.join(PLACE.path, "dump")
    for _ in range(2):  # the cache does not answer
        run("mixed", LANEWISE_DUMP=folder)
    builds = [name for name in os.listdir(folder) if name.startswith("build-")]
    assert len(builds) == 2, builds
    place = os.path.join(folder, builds[0])

    def text(name):
        with open(os.path.join(place, name), "rb") as file:
            return file.read()
    assert b"kernel void strided" in text("program.cl")
    assert b"spir_kernel" in text("canonical.ll") and b"@saxpy" in text("canonical.ll")
    for ending in ("lowered.ll", "optimised.ll"):
        assert b"define" in text("saxpy." + ending)
    assert b"vmulps" in text("saxpy.s") or b"mulps" in text("saxpy.s") or b"vfmadd" in text("saxpy.s")
    assert text("code.so").startswith(b"\x7fELF") and b"-cl-std=CL1.2" in text("options.txt")
    text("log.txt"), text("remarks.txt")
    run("hot", LANEWISE_DUMP=folder, LANEWISE_TIER="2")
    assert any(name.startswith("specialise-") for name in os.listdir(folder)), os.listdir(folder)
    with open(os.path.join(PLACE.path, "file"), "w"):
        pass
    run("mixed", LANEWISE_DUMP=os.path.join(PLACE.path, "file", "below"))  # the build succeeds all the same


def crash():
    output = run("crash", expected=7, LANEWISE_DEBUG="crash")
    expect(output, r"^lanewise crash: SIGSEGV at address 0x[0-9a-f]+ in kernel wild\(address = 16; value = 42\), 8 x 1 x 1 work-items in groups",
           r"^lanewise crash:   work-group 0", r"^lanewise crash:   addr2line -fie \S+\.so 0x[0-9a-f]+")
    expect_none(run("crash", expected=7), "lanewise")


globals()[sys.argv[2]]()
