#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a fault of LLVM that compiler/target/faults avoids lacks its evidence.

Each header there says where the fault is reported ("Upstream: ...") or that it is not ("Not reported: ..."), and names
its reproducer, tests/lit/faults/<name>.ll. The reproducer runs LLVM's own tools and fails when they no longer show the
fault (%fault), and runs lanewise-opt to show that the fault is avoided.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULTS = ROOT / "compiler/target/faults"
REPRODUCERS = ROOT / "tests/lit/faults"


def problems():
    names = {path.stem for path in FAULTS.glob("*.h")}
    for path in sorted(REPRODUCERS.glob("*.ll")):
        if path.stem not in names:
            yield f"{path.relative_to(ROOT)}: no fault of that name in compiler/target/faults"
    for name in sorted(names):
        header = (FAULTS / f"{name}.h").read_text()
        if not re.search(r"^/// (Upstream|Not reported): ", header, re.M):
            yield f"{name}.h: neither \"Upstream:\" nor \"Not reported:\""
        if f"tests/lit/faults/{name}.ll" not in header:
            yield f"{name}.h: does not name its reproducer"
        test = REPRODUCERS / f"{name}.ll"
        runs = re.findall(r"^; RUN: (.*)", test.read_text(), re.M) if test.exists() else []
        if not any("%fault" in run for run in runs) or not any(run.startswith("%opt") for run in runs):
            yield f"{name}.h: {test.relative_to(ROOT)} does not run both LLVM's tools and lanewise-opt"


found = list(problems())
print("\n".join(found))
sys.exit(1 if found else 0)
