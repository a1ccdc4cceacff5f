#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""format.py CLANG_FORMAT: fails when a C++ file is formatted otherwise than .clang-format says, and names the files."""
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from document_links import ROOT, files  # noqa: E402

# OpenCL C in long macros, which are aligned by hand.
BY_HAND = "kernels-builtin/include/"


FILES_AT_ONCE = 64  # a process takes longer to start than to look at a file


def wrong_of(tool, names):
    """Those of the files that are formatted otherwise."""
    done = subprocess.run([tool, "--dry-run", "-Werror", *names], cwd=ROOT, capture_output=True, text=True)
    named = set(re.findall(r"(?m)^([^:\n]+):\d+:\d+: ", done.stderr))
    return [name for name in names if name in named] or (names if done.returncode != 0 else [])


if __name__ == "__main__":
    tool = sys.argv[1]
    names = sorted(n for n in files() if n.endswith((".cpp", ".h")) and not n.startswith(BY_HAND))
    parts = [names[i:i + FILES_AT_ONCE] for i in range(0, len(names), FILES_AT_ONCE)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [name for part in pool.map(lambda part: wrong_of(tool, part), parts) for name in part]
    print("\n".join(f"{name} is not formatted: clang-format-22 -i {name}" for name in wrong) or f"{len(names)} files are formatted")
    sys.exit(bool(wrong) or not names)
