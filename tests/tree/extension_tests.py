#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a row of icd/extensions.def names a test that does not exist, or when the headers of OpenCL name an extension
that is neither there nor, with the reason why the device does not have it, in icd/missing_extensions.def; or when the SPIR-V
translator knows one that is neither in include/lanewise/spirv_surface.def nor in icd/missing_spirv.def.

Each row names its tests: `<suite>: <pattern>, <pattern>; CTS: <suite>, <suite>`. A pattern is a GoogleTest filter over
`TestSuite.TestName` and must match a test in the suite's sources that is not disabled; a conformance suite must have
golden results with at least one pass and no failure.
"""
import fnmatch
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {
    "api": "tests/api/*.cpp",
    "compiler": "tests/compiler/*.cpp",
    "gl": "tests/gl/*.cpp",
    "image": "tests/api/images/*.cpp",
    "kernels": "tests/kernels/*.cpp",
    "spirv": "tests/spirv/*.cpp",
    "unit": "tests/unit/*.cpp",
}
TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
HEADERS = pathlib.Path("/usr/include/CL")
IN_HEADERS = re.compile(r"^#define (cl_[a-z]+_\w+)\s+1$", re.MULTILINE)
MISSING = re.compile(r"^MISSING_ROW\((\w+), \"[^\"]+\"\)$", re.MULTILINE)
TRANSLATOR = ROOT / "build/deps/spirv-translator/include/LLVMSPIRVLib/LLVMSPIRVExtensions.inc"
SPIRV_TAKEN = re.compile(r"^SPIRV_(?:\w+_)?EXTENSION\((\w+)\)$", re.MULTILINE)
SPIRV_MISSING = re.compile(r"^MISSING_SPIRV_ROW\((\w+), \"[^\"]+\"\)$", re.MULTILINE)
ROW = re.compile(r"^(EXTENSION_ROW|FEATURE_ROW)\((\w+),.*?\"([^\"]*)\"\)$", re.MULTILINE | re.DOTALL)


def tests_of(suite):
    found = set()
    for path in ROOT.glob(SOURCES[suite]):
        for group, name in TEST.findall(path.read_text()):
            if not name.startswith("DISABLED_"):
                found.add(f"{group}.{name}")
    return found


def scripts():
    """Tests that are scripts, as ctest knows them: packaging.install."""
    return set(re.findall(r"add_test\(NAME packaging\.(\w+)", (ROOT / "tests/CMakeLists.txt").read_text()))


def problem_of_cts(suite):
    """A suite's name may be a pattern (images_*)."""
    files = list((ROOT / "conformance/golden").glob(f"{suite}.json"))
    if not files:
        return f"no golden results of the conformance suite {suite}"
    outcomes = [entry[0] for file in files for entry in json.loads(file.read_text()).values()]
    if "fail" in outcomes:
        return f"the conformance suite {suite} has failures"
    return None if "pass" in outcomes else f"the conformance suite {suite} passes nothing"


def problems_of(evidence):
    if not evidence.strip():
        yield "names no test"
    for part in evidence.split(";"):
        suite, colon, patterns = part.strip().partition(": ")
        if not colon:
            yield f'"{part.strip()}" names a suite but no test of it'
            continue
        for pattern in patterns.split(", "):
            if suite == "CTS":
                if (problem := problem_of_cts(pattern)) is not None:
                    yield problem
            elif suite == "packaging":
                if pattern not in scripts():
                    yield f"there is no test packaging.{pattern}"
            elif suite not in SOURCES:
                yield f"there is no suite {suite}"
            elif not fnmatch.filter(tests_of(suite), pattern if "." in pattern else pattern + ".*"):
                yield f"no test of {suite} matches {pattern}"


def problems(text):
    rows = ROW.findall(re.sub(r"^\s*///.*$", "", text, flags=re.MULTILINE))
    if len(rows) < 10:
        yield "the table was not understood"
    for _, name, evidence in rows:
        for problem in problems_of(evidence):
            yield f"{name}: {problem}"


def unlisted(present, missing, in_headers, where="in the headers"):
    for name in sorted(in_headers - present - missing):
        yield f"{name} is {where}, but in neither table"
    for name in sorted(present & missing):
        yield f"{name} is in both tables"


def named_by(headers):
    return {name for path in headers.glob("*.h") for name in IN_HEADERS.findall(path.read_text())}


def spirv_problems():
    taken = set(SPIRV_TAKEN.findall((ROOT / "include/lanewise/spirv_surface.def").read_text()))
    missing = set(SPIRV_MISSING.findall((ROOT / "icd/missing_spirv.def").read_text()))
    known = set()
    if TRANSLATOR.exists():
        known = set(re.findall(r"^EXT\((\w+)\)", TRANSLATOR.read_text(), re.MULTILINE))
    if len(taken) < 20 or len(missing) < 20 or (TRANSLATOR.exists() and len(known) < 50):
        yield "the tables of SPIR-V were not understood"
    yield from unlisted(taken, missing, known, "known to the translator")


if __name__ == "__main__":
    # The check itself must be able to fail.
    wrong = list(problems_of("kernels; api: Platform.NoSuchTest; CTS: no_such_suite; nowhere: X.*"))
    assert len(wrong) == 4, wrong
    assert len(list(unlisted({"cl_khr_a", "cl_khr_b"}, {"cl_khr_b"}, {"cl_khr_a", "cl_khr_c"}))) == 2
    table = (ROOT / "icd/extensions.def").read_text()
    found = list(problems(table))
    in_headers = named_by(HEADERS)
    if len(in_headers) < 50:
        found.append(f"{HEADERS} was not understood")
    missing = set(MISSING.findall((ROOT / "icd/missing_extensions.def").read_text()))
    found += unlisted({name for _, name, _ in ROW.findall(table)}, missing, in_headers)
    found += spirv_problems()
    print("\n".join(found) or "every row of icd/extensions.def names tests that exist, and every extension has a row")
    sys.exit(bool(found))
