#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when the driver reads its environment by getenv(): in a process that has more rights than its caller, the
environment is the caller's. secure_getenv() says nothing there (src/config/config.h, privileged())."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLAIN = re.compile(r"(?<![\w])getenv\s*\(")


def problems():
    for folder in ("src", "runtime", "icd", "compiler", "include"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".c", ".inc"} or "tools" in path.parts:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if PLAIN.search(line.split("//")[0]):
                    yield f"{path.relative_to(ROOT)}:{number}: {line.strip()}"


found = list(problems())
print("\n".join(found))
sys.exit(1 if found else 0)
