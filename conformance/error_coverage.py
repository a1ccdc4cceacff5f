#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the error codes of the OpenCL API specification that no API test causes.

Reads the text of the specification (any plain or Markdown form in which an entry point's errors are a list of items
that begin with the code), runs the API tests with LANEWISE_DEBUG=api, with which the driver reports every error, and
prints the pairs of entry point and code that are missing. Pairs that cannot occur have a reason in
error_exceptions.json. Exits with 1 if anything else is missing.

    bin=build/release/bin
    conformance/error_coverage.py --spec OpenCL_API.txt --tests $bin/lanewise_api_tests $bin/lanewise_image_tests
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
#: Failures of the machine; no test can order them for each function.
UNORDERED = {"CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY", "CL_MEM_OBJECT_ALLOCATION_FAILURE"}
#: Graphics interoperation, external memory and semaphores: extensions that the device does not report.
FOREIGN = re.compile(r"D3D1|DX9|_GL_|EGL|VA_API|SEMAPHORE|COMMAND_BUFFER|EXTERNAL|CANCELLED")

NAME = re.compile(r"\bcl[A-Z][A-Za-z0-9]+\b")
ITEM = re.compile(r"^\s*[-*•]\s+[`*_\\]*(CL_[A-Z0-9_]+)")
HEADING = re.compile(r"^#|^\d+(\.\d+)+\.? |^To .*call the function")
ANSWER = re.compile(r"\breturns?\b.*\berrors?\b|\breturns?\b.*`?CL_SUCCESS|error values|return(s|ed)? .*NULL")


def entry_points(tree):
    text = (tree / "icd" / "entry_points.def").read_text()
    return set(re.findall(r"^(?:ENTRY|REFUSES|APPENDED|TAGGED)\((\w+),", text, re.M))


def specified(path, names, errors):
    """{(function, code)} of the lists of errors in the text."""
    wanted = set()
    current = set()
    for line in path.read_text(errors="replace").replace("\\_", "_").splitlines():
        item = ITEM.match(line)
        if item:
            code = item.group(1)
            is_rule = re.search(r"\b(if|when)\b", line) or line.strip().rstrip("`*").endswith(code)
            if is_rule and code in errors and code not in UNORDERED and not FOREIGN.search(code):
                wanted |= {(name, code) for name in current}
        elif HEADING.match(line):
            current = set()
        elif ANSWER.search(line):
            # "clX returns CL_SUCCESS if ...": the first names of the sentence are the subject.
            subject = re.split(r"\breturn", line, maxsplit=1)[0]
            found = {name for name in NAME.findall(subject) if name in names}
            if found:
                current = found
    return wanted


def header_codes():
    text = ""
    for header in ("cl.h", "cl_ext.h"):
        for directory in ("/usr/include", os.environ.get("OPENCL_HEADERS", "/usr/local/include")):
            path = pathlib.Path(directory) / "CL" / header
            if path.exists():
                text += path.read_text()
                break
    return {int(value): name for name, value in re.findall(r"#define\s+(CL_[A-Z0-9_]+)\s+(-\d+)\b", text)}


def fired(tests):
    environment = dict(os.environ, LANEWISE_DEBUG="api")
    run = subprocess.run([tests, "--gtest_brief=1"], env=environment, capture_output=True, text=True, errors="replace")
    codes = header_codes()
    seen = set()
    for name, value in re.findall(r"lanewise api: (\w+): error (-\d+):", run.stderr + run.stdout):
        seen.add((name, codes.get(int(value), value)))
    if run.returncode != 0:
        sys.exit(f"{tests} failed; its refusals are not the whole picture")
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spec", type=pathlib.Path, required=True)
    parser.add_argument("--tests", type=pathlib.Path, nargs="+", required=True)
    arguments = parser.parse_args()
    names = entry_points(HERE.parent)
    wanted = specified(arguments.spec, names, set(header_codes().values()))
    exceptions = json.loads((HERE / "error_exceptions.json").read_text())
    seen = set().union(*(fired(tests) for tests in arguments.tests))
    missing = sorted(pair for pair in wanted - seen if pair[1] not in exceptions.get(pair[0], {}))
    for name, code in missing:
        print(f"{name}: {code}")
    idle = sorted((name, code) for name, codes in exceptions.items() for code in codes if (name, code) in seen)
    for name, code in idle:
        print(f"{name}: {code} has an exception, but fires")
    print(f"{len(wanted)} pairs of function and code, {len(wanted & seen)} fired, "
          f"{len(wanted - seen) - len(missing)} explained, {len(missing)} missing")
    return 1 if missing or idle else 0


if __name__ == "__main__":
    sys.exit(main())
