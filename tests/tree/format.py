#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""format.py CLANG_FORMAT: fails when a C++ file is formatted otherwise than .clang-format says, and names the files."""
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from document_links import ROOT, files  # noqa: E402

# OpenCL C in long macros, which are aligned by hand.
BY_HAND = "kernels-builtin/include/"


def is_formatted(tool, name):
    return subprocess.run([tool, "--dry-run", "-Werror", name], cwd=ROOT, capture_output=True).returncode == 0


if __name__ == "__main__":
    tool = sys.argv[1]
    names = sorted(n for n in files() if n.endswith((".cpp", ".h")) and not n.startswith(BY_HAND))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [name for name, good in zip(names, pool.map(lambda n: is_formatted(tool, n), names)) if not good]
    print("\n".join(f"{name} is not formatted: clang-format-22 -i {name}" for name in wrong) or f"{len(names)} files are formatted")
    sys.exit(bool(wrong) or not names)
