#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""commits.py [RANGE]: fails when a new commit does not say why.

New are the commits of HEAD that the upstream branch (without one: origin/main) does not have, or the last ones where
there is neither; at most 50. Each has a subject of at most 100 characters, an empty line, and a body: at least a line
beside the lines that only name people. Merges are left out. Skipped where there is no repository.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 50
#: .gitmessage asks for 72; subjects that name two things take more.
SUBJECT = 100
SKIPPED = 77
NAMES_PEOPLE = re.compile(r"(?:[A-Z][\w-]*-by|Cc):", re.I)


def git(*arguments):
    """What git prints, or None if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def is_repository():
    try:
        top = git("rev-parse", "--show-toplevel")
    except FileNotFoundError:
        return False
    return top is not None and pathlib.Path(top.strip()).resolve() == ROOT and git("rev-parse", "HEAD") is not None


def new_commits():
    for base in ("@{upstream}", "refs/remotes/origin/main"):
        if git("rev-parse", "--verify", "--quiet", base + "^{commit}") is not None:
            return base + "..HEAD"
    return "HEAD"


def problem_of(message):
    subject, *rest = message.rstrip("\n").split("\n")
    if len(subject) > SUBJECT:
        return f"the subject has {len(subject)} characters, more than {SUBJECT}"
    if rest and rest[0]:
        return "no empty line follows the subject"
    if not any(line.strip() and not NAMES_PEOPLE.match(line) for line in rest):
        return "no body says why"
    return None


if __name__ == "__main__":
    if not is_repository():
        print("there is no repository here")
        sys.exit(SKIPPED)
    commits = sys.argv[1] if len(sys.argv) > 1 else new_commits()
    log = git("log", "--no-merges", f"--max-count={MOST}", "--format=%h%x00%B%x01", commits)
    if log is None:
        sys.exit(f"git does not know {commits}")
    messages = [entry.strip("\n").split("\0", 1) for entry in log.split("\x01") if entry.strip()]
    found = [f"{name} ({message.split(chr(10))[0]}): {wrong}" for name, message in messages if (wrong := problem_of(message))]
    print("\n".join(found) or f"{len(messages)} commits say why")
    sys.exit(bool(found))
