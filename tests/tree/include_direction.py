#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when an #include points against the architecture (docs/architecture.md, "Folders").

A folder may include itself and what is listed for it; outside headers are checked by prefix. Also keeps the limits of
size: files under 600 lines.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# folder -> project folders that it may include
ALLOWED = {
    "include": {"include", "src/base"},
    "src": {"src"},
    "runtime": {"runtime", "src", "include"},
    "icd": {"icd", "runtime", "src", "include"},
    "compiler": {"compiler", "src", "include"},
}
# folder -> prefixes of outside headers that it must not see
FORBIDDEN = {
    "include": ("llvm/", "clang/", "lld/", "tbb/", "oneapi/"),
    "src": ("llvm/", "clang/", "lld/", "tbb/", "oneapi/"),
    "runtime": ("llvm/", "clang/", "lld/", "LLVMSPIRVLib"),
    "icd": ("llvm/", "clang/", "lld/", "LLVMSPIRVLib", "tbb/", "oneapi/"),
    "compiler": ("tbb/", "oneapi/"),
}
MAX_LINES = 600
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def sources(folder):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in {".h", ".hpp", ".cpp", ".c", ".def", ".inc"}:
            yield path


def problems():
    for folder, allowed in ALLOWED.items():
        for path in sources(folder):
            text = path.read_text()
            name = path.relative_to(ROOT)
            for _, target in INCLUDE.findall(text):
                if target.startswith(FORBIDDEN[folder]):
                    yield f"{name} includes {target}"
                elif (ROOT / target).exists() and not any(target.startswith(a + "/") for a in allowed):
                    yield f"{name} includes {target}"
            if re.search(r"^CL_API_ENTRY", text, re.M) and folder != "icd":
                yield f"{name} defines an entry point"
    for folder in [*ALLOWED, "kernels-builtin", "tests", "demo"]:
        for path in sources(folder):
            lines = path.read_text().count("\n")
            if lines > MAX_LINES:
                yield f"{path.relative_to(ROOT)} has {lines} lines"


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "every include points the right way")
    sys.exit(bool(found))
