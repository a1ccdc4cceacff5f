# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the tests of debuggers and profilers: the application, its lines, running a tool, reporting failures.

A test is skipped (exit code 77) where a tool is not installed or not allowed to do its work, and says why."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels.cl")
SKIPPED = 77
SECONDS = 240  # far above what any tool needs: a hang is what these tests are there to find


def skip(why):
    print("skipped: " + why)
    sys.exit(SKIPPED)


def need(tool):
    if shutil.which(tool) is None:
        skip(tool + " is not installed")


def line_of(words):
    """Number of the line of kernels.cl whose comment says `words`."""
    with open(KERNELS) as text:
        found = [n for n, line in enumerate(text, 1) if line.rstrip().endswith("// " + words)]
    assert len(found) == 1, words
    return found[0]


class Workplace:
    """A cache of its own, and folders for private code objects."""

    def __init__(self, app):
        self.app = app
        self.folder = tempfile.TemporaryDirectory(prefix="lanewise-tools-")
        self.path = self.folder.name

    def environment(self, **more):
        kept = {k: v for k, v in os.environ.items() if not k.startswith("LANEWISE_") or k == "LANEWISE_COMPILER_DIR"}
        runtime = os.path.join(self.path, "runtime")
        os.makedirs(runtime, mode=0o700, exist_ok=True)
        return {**kept, "LANEWISE_CACHE_DIR": os.path.join(self.path, "cache"), "XDG_RUNTIME_DIR": runtime,
                "HOME": self.path, "DEBUGINFOD_URLS": "", "LANEWISE_THREADS": "1", **more}

    def command(self, options, *arguments):
        return [self.app, KERNELS, options, *map(str, arguments)]

    def run(self, command, expected=0, **environment):
        """The output of a command, standard error included. A command that hangs is killed, and its test fails."""
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=self.environment(**environment), cwd=self.path, start_new_session=True)
        try:
            output = process.communicate(timeout=SECONDS)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            print(process.communicate()[0].decode(errors="replace"))
            sys.exit("hangs: " + " ".join(command))
        if expected is not None and process.returncode != expected:
            print(output)
            sys.exit(f"exit code {process.returncode} of " + " ".join(command))
        return output


def expect(output, *patterns):
    """Each regular expression is found, in this order."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.M).search(output, at)
        if found is None:
            print(output)
            sys.exit("not found" + (" after the earlier ones" if at else "") + ": " + pattern)
        at = found.end()


def expect_none(output, pattern):
    if re.search(pattern, output, re.M):
        print(output)
        sys.exit("found, and should not be: " + pattern)
