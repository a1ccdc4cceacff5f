#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what docs/first-change.md says, in its order: writes its files, applies its patches, runs its commands, compares.

usage: first_change.py BUILD

Everything happens in a view of the source in which changes are kept apart (an overlay in a mount namespace), so that the
build under test goes on from what it has, and the source stays as it is. Skipped where the system allows no such view.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import blocks
import commands

DOCUMENT = "docs/first-change.md"
SKIPPED = 77
INSIDE = "--inside"
#: Mounts an overlay of $1 on itself whose changes are in $2, or in memory where $2's file system can hold none; then runs $3...
VIEW = r"""
view() {
  mkdir -p "$2/changes" "$2/work" &&
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/changes,workdir=$2/work" "$1" 2>/dev/null
}
view "$1" "$2" || { mount -t tmpfs none "$2" && view "$1" "$2"; } || exit 77
root=$1
shift 2
cd "$root" && exec "$@"
"""


def enter():
    """Runs this program again inside such a view. Its exit code."""
    with tempfile.TemporaryDirectory(prefix="lanewise-docs-") as changes:
        user = [] if os.geteuid() == 0 else ["--map-root-user"]
        start = ["unshare", "--mount", *user, "--propagation", "private"]
        if subprocess.run([*start, "true"], capture_output=True, check=False).returncode != 0:
            print("skipped: no mount namespace may be made here")
            return SKIPPED
        inner = [sys.executable, *sys.argv, INSIDE]
        done = subprocess.run([*start, "sh", "-c", VIEW, "sh", str(blocks.ROOT), changes, *inner], check=False)
        if done.returncode == SKIPPED:
            print("skipped: no overlay may be mounted here")
        return done.returncode


class Change(commands.Session):
    """The commands of the guide, in the source itself."""

    def __init__(self, build, environment):
        super().__init__(blocks.ROOT, environment)
        self.build = os.path.relpath(build, blocks.ROOT)

    def run(self, block, command):
        command.text = command.text.replace("build/release", self.build)
        print("$ " + command.text, flush=True)
        super().run(block, command)

    def take(self, block):
        if block.language != "diff" or self.failures:
            return False if self.failures else super().take(block)
        done = subprocess.run(["patch", "--strip=1", "--batch", "--no-backup-if-mismatch"], cwd=self.folder,
                              input="\n".join(block.text) + "\n", capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.failures.append(f"{block.place}: the patch does not apply:\n{done.stdout}{done.stderr}")
        return False


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if not build.is_relative_to(blocks.ROOT):
        print("skipped: the build folder is not in the source, so the view would not cover it")
        return SKIPPED
    if INSIDE not in sys.argv:
        return enter()
    commands.SECONDS = 3000
    environment = {**os.environ, "OCL_ICD_VENDORS": str(build / "vendors"), "NO_COLOR": "1"}
    change = Change(build, environment)
    for block in blocks.blocks(DOCUMENT):
        change.take(block)
    print("\n".join(change.failures) or f"{DOCUMENT} does what it says")
    return bool(change.failures)


if __name__ == "__main__":
    sys.exit(main())
