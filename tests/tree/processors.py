#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when the compiler names a family of processors or one of its extensions outside of that family's folder.

What depends on a processor is asked for by its properties (src/base/isa.h), and what is made of its own instructions lies
in compiler/target/FAMILY; comments too speak of properties. Whole words only, as in "AVX-512"; the identifiers of
LLVM's back ends are others. The tools show names of levels as examples.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = {"x86": re.compile(r"\b(x86|avx|avx2|avx512|sse|vnni|vbmi)\b", re.I), "aarch64": re.compile(r"\b(neon|sve|sve2)\b", re.I)}
TOOLS = "compiler/tools"


def main():
    bad = []
    families = [path.name for path in (ROOT / "compiler/target").iterdir() if (path / "operations.cpp").is_file()]
    if sorted(families) != sorted(WORDS):
        bad.append(f"compiler/target: the families are {families}; tests/tree/processors.py knows {list(WORDS)}")
    for path in sorted((ROOT / "compiler").rglob("*")):
        place = path.relative_to(ROOT).as_posix()
        if not path.is_file() or path.suffix in {".pyc"} or place.startswith(TOOLS + "/"):
            continue
        for family, words in WORDS.items():
            if place.startswith(f"compiler/target/{family}/"):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if found := words.search(line):
                    bad.append(f"{place}:{number}: {found[0]}: belongs to compiler/target/{family}")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
