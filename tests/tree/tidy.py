#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tidy.py CLANG_TIDY BUILD [--all] [--since COMMIT] [--most N]: fails when clang-tidy finds something.

Looks at what changed: files that are not committed, and those of the commits that the upstream branch does not have; if
there are none, those of the last three commits. --all: every file (an hour of one processor); --since: what changed
after COMMIT. A header stands for the .cpp of its name, or for the first one that includes it. Files that are not committed
come first, then those of the newest commits, so that a fresh clone looks at the same ones as the place of the change. At
most N of them (default 8), so that the time does not follow from the size of a change. Those that were left out are
counted. BUILD is a build directory with compile_commands.json.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from compile_commands import commands

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("src/", "include/", "runtime/", "icd/", "compiler/", "kernels-builtin/", "conformance/", "demo/")
SKIPPED = 77
# C++ with macros, so that it stands in OpenCL C as well.
NOT_CPP = "kernels-builtin/include/"


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed(since):
    """Names, the newest first, or None where this is no repository."""
    uncommitted = git("status", "--porcelain", "--untracked-files=all")
    if uncommitted is None:
        return None
    names = [line[3:].split(" -> ")[-1] for line in uncommitted]
    for base in [since] if since else ["@{upstream}", "HEAD~3", "HEAD~2", "HEAD~1"]:
        ours = git("log", "--format=", "--name-only", "--diff-filter=d", f"{base}..HEAD")
        if ours:
            names += ours
            break
        if names and ours is not None:
            break
    return [name for name in names if (ROOT / name).exists()]


def units_for(names, units):
    """The .cpp files to look at, without repetition. `units`: those that the build knows."""
    chosen = []
    for name in names:
        if not name.startswith(FOLDERS) or name.startswith(NOT_CPP):
            continue
        if name in units:
            chosen.append(name)
        elif name.endswith((".h", ".def")):
            own = name.rsplit(".", 1)[0] + ".cpp"
            text = f'#include "{name}"'
            users = [own] if own in units else (u for u in units if text in (ROOT / u).read_text())
            chosen += [unit for unit in users][:1]
    return list(dict.fromkeys(chosen))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--since")
    parser.add_argument("--most", type=int, default=8)
    return parser.parse_args()


def main():
    options = arguments()
    entries = list(commands(options.build))
    known = sorted(os.path.relpath(entry["file"], ROOT) for entry in entries)
    units = [u for u in dict.fromkeys(known) if u.startswith(FOLDERS)]
    names = units if options.all else changed(options.since)
    if names is None:
        print("no repository: what changed is not known")
        sys.exit(SKIPPED)
    chosen = units_for(names, units)
    left = 0
    if not options.all:
        left = max(0, len(chosen) - options.most)
        chosen = chosen[:options.most]
    with tempfile.TemporaryDirectory() as database, ThreadPoolExecutor(os.cpu_count()) as pool:
        (pathlib.Path(database) / "compile_commands.json").write_text(json.dumps(entries))

        def findings(name):
            done = subprocess.run([options.tool, "-p", database, "--quiet", name], cwd=ROOT, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            return done.stdout if done.returncode != 0 else ""

        wrong = 0
        for text in pool.map(findings, chosen):
            wrong += bool(text)
            if text:
                print(text, flush=True)
    print(f"clang-tidy: {len(chosen)} files, {wrong} with findings" + (f"; {left} changed ones left out" if left else ""))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
