#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when scripts/compare-code-objects cannot read the messages of this compiler: each version of them needs a row there."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

header = (ROOT / "include/lanewise/compiler_abi.h").read_text()
version = int(re.search(r"kCompilerAbiVersion = (\d+);", header)[1])
table = re.search(r"^KERNEL_TAIL = \{(.*?)\}", (ROOT / "scripts/compare-code-objects").read_text(), re.M | re.S)[1]
known = {int(row) for row in re.findall(r"(\d+):", table)}
if version not in known:
    sys.exit(f"scripts/compare-code-objects: add version {version} of the compiler's messages to KERNEL_TAIL")
print(f"scripts/compare-code-objects reads messages of version {version}")
