# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lanewise-info: info_test.py PROGRAM DRIVER CASE."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from tool import expect

PROGRAM, DRIVER = sys.argv[1:3]


class Place:
    """A cache and vendor files of its own."""

    def __init__(self, path):
        self.path = path
        self.vendors = self.make("vendors")
        self.cache = os.path.join(path, "cache")

    def make(self, name):
        folder = os.path.join(self.path, name)
        os.makedirs(folder)
        return folder

    def register(self, name, library, folder=None):
        with open(os.path.join(folder or self.vendors, name), "w") as file:
            file.write(library + "\n")

    def run(self, *arguments, expected=None, **environment):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("LANEWISE_", "OCL_ICD", "OPENCL_"))}
        kept.update(LANEWISE_CACHE_DIR=self.cache, OCL_ICD_VENDORS=self.vendors, HOME=self.path)
        kept.update({k: v for k, v in environment.items() if v is not None})
        for name in [name for name, value in environment.items() if value is None]:
            kept.pop(name, None)
        done = subprocess.run([PROGRAM, *arguments], env=kept, capture_output=True, text=True, timeout=240)
        if expected is not None and done.returncode != expected:
            sys.exit(f"exit code {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def report(self, expected=None, **environment):
        return json.loads(self.run("--json", expected=expected, **environment))


def problem(report, words):
    """The remedy of the one problem that has these words."""
    found = [p for p in report["problems"] if words in p["what"]]
    if len(found) != 1:
        sys.exit(f"{len(found)} problems with '{words}':\n" + json.dumps(report["problems"], indent=2))
    assert found[0]["remedy"]
    return found[0]["remedy"]


def good(place):
    place.register("lanewise.icd", DRIVER)
    report = place.report(expected=0)
    assert report["problems"] == [], report["problems"]
    assert report["driver"]["file"] == os.path.realpath(DRIVER)
    assert "LLVM 22" in report["driver"]["compiler"] and report["driver"]["oneTBB"][0].isdigit()
    assert "ran in" in report["device"]["test"], report["device"]
    allowed = len(os.sched_getaffinity(0))
    assert report["device"]["limited_by"].startswith(f"{allowed} of "), report["device"]
    assert report["cache"]["used"] is True and report["cache"]["programs"].startswith("2 files"), report["cache"]
    assert report["cache"]["hits"] == "0 of 2 (0 %)", report["cache"]
    assert place.report(expected=0)["cache"]["hits"] == "2 of 4 (50 %)"
    assert len(report["instruction_sets"]["levels"]) == 3
    drivers = report["registration"]["drivers"]
    ours = [d for d in drivers if d["this_driver"]]
    assert len(ours) == 1 and ours[0]["platforms"][0].startswith("Lanewise, OpenCL 3"), drivers
    expect(place.run(expected=0), "^driver$", "version ", "^device$", r"limited by +\d+ of", "^No problem was found.")


def limits(place):
    place.register("lanewise.icd", DRIVER)
    report = place.report(LANEWISE_THREADS="1", LANEWISE_ISA="x86-64-v2")
    assert report["device"]["compute_units"] == 1
    assert report["device"]["limited_by"].endswith("LANEWISE_THREADS=1"), report["device"]
    assert report["instruction_sets"]["used"] == "x86-64-v2"
    assert report["options"]["LANEWISE_THREADS"] == "1"
    # Ranks that share the machine and are not bound to a part of it.
    ranks = str(4 * os.cpu_count())
    report = place.report(LANEWISE_THREADS="0", MPI_LOCALNRANKS=ranks)
    if report["device"]["compute_units"] > 1:
        assert report["device"]["hint"].startswith(f"{ranks} processes share "), report["device"]
    assert "hint" not in place.report(LANEWISE_THREADS="0")["device"]
    report = place.report(LANEWISE_THREADS="auto", MPI_LOCALNRANKS=ranks)
    assert report["device"]["compute_units"] == 1 and "hint" not in report["device"], report["device"]


def cache(place):
    place.register("lanewise.icd", DRIVER)
    report = place.report(expected=0, LANEWISE_CACHE="off")
    assert report["cache"] == {"place": place.cache, "used": False, "why_not": "LANEWISE_CACHE=off"}, report["cache"]
    os.mkdir(place.cache)
    os.chmod(place.cache, 0o777)
    assert "chmod go-w" in problem(place.report(expected=1), "others may write to")
    os.rmdir(place.cache)
    with open(place.cache, "w"):
        pass
    problem(place.report(), "is no folder")
    problem(place.report(LANEWISE_CACHE_DIR=None, HOME=None, XDG_CACHE_HOME=None), "neither HOME nor XDG_CACHE_HOME")
    problem(place.report(expected=1, LANEWISE_CACHE_DIR="/proc/cache"), "/proc/cache cannot be made: No such file")


def registration(place):
    problem(place.report(expected=1), "is not registered")
    place.register("broken.icd", os.path.join(place.path, "nothing.so"))
    place.register("lanewise.icd", DRIVER)
    report = place.report()
    assert "remove the file" in problem(report, "broken.icd registers a driver that does not work")
    place.register("twice.icd", DRIVER)
    problem(place.report(), "registered 2 times")
    named = place.report(expected=1, OCL_ICD_VENDORS="/nowhere")
    assert "unset the variable" in problem(named, "OCL_ICD_VENDORS registers a driver that does not work")
    # A single .icd file, a library, and the other variables.
    one = os.path.join(place.vendors, "lanewise.icd")
    for variables in ({"OCL_ICD_VENDORS": one}, {"OCL_ICD_VENDORS": DRIVER},
                      {"OCL_ICD_VENDORS": None, "OCL_ICD_FILENAMES": DRIVER},
                      {"OCL_ICD_VENDORS": None, "OPENCL_VENDOR_PATH": place.vendors}):
        found = [d for d in place.report(**variables)["registration"]["drivers"] if d["this_driver"]]
        assert found and "hidden_by_a_variable" not in found[0], (variables, found)
    assert one, place.report()
    # PyOpenCL's own loader, which finds the driver from its own folder; an empty file there registers nothing.
    libs = place.make("pyopencl/.libs")
    place.register("lanewise.icd", "$ORIGIN/" + os.path.relpath(DRIVER, libs), libs)
    variables = {"OCL_ICD_VENDORS": place.make("none"), "PYOPENCL_HOME": os.path.dirname(libs)}
    found = [d for d in place.report(**variables)["registration"]["drivers"] if d["this_driver"]]
    assert len(found) == 1 and found[0]["platforms"], found
    os.truncate(os.path.join(libs, "lanewise.icd"), 0)
    report = place.report(expected=1, **variables)
    problem(report, "is not registered")
    assert not any(d["file"].startswith(libs) for d in report["registration"]["drivers"]), report["registration"]


def missing_parts(place):
    copy = place.make("lib")
    parts = os.path.join(copy, "lanewise")
    os.mkdir(parts)
    driver = os.path.join(copy, "liblanewise.so")
    shutil.copy(DRIVER, driver)
    place.register("lanewise.icd", driver)
    report = json.loads(place.run("--json", "--driver=" + driver, expected=1))
    for words in ("lanewise-compiler is missing", "The compiler cannot be used", "The device does not work",
                  "the device takes no SPIR-V"):
        problem(report, words)
    # Where a variable names another folder, the installation is not at fault.
    report = place.report(expected=1, LANEWISE_COMPILER_DIR=place.make("empty"))
    for words in ("lanewise-compiler is missing", "The compiler cannot be used", "the device takes no SPIR-V"):
        assert "unset LANEWISE_COMPILER_DIR" in problem(report, words)
    problem(report, "clBuildProgram gives CL_COMPILER_NOT_AVAILABLE (-3)")
    report = json.loads(place.run("--json", "--driver=/nowhere/liblanewise.so", expected=1))
    problem(report, "There is no driver")


def ignored(place):
    place.register("lanewise.icd", DRIVER)
    report = place.report(expected=1, LANEWISE_THREADS="abc")
    problem(report, "LANEWISE_THREADS=abc is ignored")


def arguments(place):
    expect(place.run("--help", expected=0), "^usage: lanewise-info", "--json")
    expect(place.run("--version", expected=0), r"^lanewise-info \d+\.\d+\.\d+(-rc\d+)?$")
    place.run("--jsno", expected=2)


with tempfile.TemporaryDirectory(prefix="lanewise-info-") as folder:
    globals()[sys.argv[3]](Place(folder))
