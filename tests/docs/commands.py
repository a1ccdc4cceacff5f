#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of the documents (blocks.py says which) and compares what they print with what the documents show.

usage: commands.py BUILD [DOCUMENT...]

The commands of a document run one after the other in one folder, in which build/release is the build under test and the
source's folders are found by their names. The driver of the build is registered, its tools are in the path. What cannot be
run says why; NOT_RUN counts these blocks and may only shrink.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import blocks

#: Blocks whose commands are not run, by document. first_change.py runs those of first-change.md.
NOT_RUN = {
    "CONTRIBUTING.md": 1,
    "README.md": 2,
    "docs/clusters.md": 3,
    "docs/conformance.md": 1,
    "docs/debugging.md": 3,
    "docs/first-change.md": 1,
    "docs/lanewise.7": 1,
    "docs/packaging.md": 2,
    "docs/performance/README.md": 2,
    "docs/releasing.md": 1,
}
OTHER_TEST = {"docs/first-change.md"}
SECONDS = 120


def workplace(folder, build):
    """Makes `folder` look like the root of the source, with the build under test as build/release. The environment there."""
    for entry in blocks.ROOT.iterdir():
        if entry.name not in ("build", ".git"):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").mkdir()
    (folder / "build" / "release").symlink_to(build)
    home = folder / ".home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LANEWISE_")}
    return {**kept, "HOME": str(home), "LANEWISE_CACHE_DIR": str(home / "cache"), "NO_COLOR": "1",
            "OCL_ICD_VENDORS": str(build / "vendors"), "PATH": f"{build / 'bin'}:{os.environ['PATH']}"}


class Session:
    """The commands of one document, in a folder of their own."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = environment
        self.printed = []
        self.failures = []

    def run(self, block, command):
        """Runs a command, and compares its exit code and what it prints."""
        place = f"{block.document}:{command.line}"
        try:
            done = subprocess.run(["bash", "-o", "pipefail", "-c", command.text], cwd=self.folder, env=self.environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            self.failures.append(f"{place}: does not end within {SECONDS} s: {command.text}")
            return
        self.printed = done.stdout.rstrip("\n").split("\n") if done.stdout.strip() else []
        wanted = int(block.marks.get("exit", 0))
        if done.returncode != wanted:
            self.failures.append(f"{place}: exit code {done.returncode}: {command.text}\n{done.stdout}")
        elif command.printed is not None and not blocks.shows(self.printed, command.printed):
            self.failures.append(f"{place}: {command.text}\n--- the document shows\n" + "\n".join(command.printed) +
                                 "\n--- the command prints\n" + done.stdout)

    def compare(self, block):
        """Compares a block that shows a part of what the last command has printed."""
        missing = blocks.has_parts(self.printed, block.text)
        if missing is not None:
            self.failures.append(f"{block.place}: not in what the command prints, in this order:\n{missing}\n"
                                 "--- it prints\n" + "\n".join(self.printed))

    def write(self, block):
        path = self.folder / block.marks["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(block.text) + "\n")

    def take(self, block):
        """Does what a block is there for. Returns whether it has commands that are not run."""
        if "file" in block.marks:
            self.write(block)
        elif "output" in block.marks:
            self.compare(block)
        elif block.language in blocks.SHELLS:
            if "not run" in block.marks:
                if not block.marks["not run"]:
                    self.failures.append(f"{block.place}: `not run` without a reason")
                return True
            for command in blocks.commands(block):
                self.run(block, command)
        return False


def run_document(document, build):
    """Failures, and how many blocks of it are not run."""
    not_run = 0
    with tempfile.TemporaryDirectory(prefix="lanewise-docs-") as name:
        folder = pathlib.Path(name)
        session = Session(folder, workplace(folder, build))
        for block in blocks.blocks(document):
            if document in OTHER_TEST:
                not_run += "not run" in block.marks
            else:
                not_run += session.take(block)
        return session.failures, not_run


def problems_of_spans(document, text, build):
    """Programs, scripts and tests that inline code names and that do not exist."""
    for span in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S)):
        for path in re.findall(r"(?<!\S)((?:build/release/bin|scripts|tests|conformance)/[\w/.-]*\w)(?=\s|$)", span):
            real = build / path.removeprefix("build/release/") if path.startswith("build/") else blocks.ROOT / path
            if not real.exists():
                yield f"{document}: `{span}` names {path}, which does not exist"


def test_names(build):
    """The names of all tests of the build. In a folder of its own, as ctest writes a log even to list: over that of the run
    which this test is part of."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "CTestTestfile.cmake").write_text(f'subdirs("{build}")\n')
        listed = subprocess.run(["ctest", "--test-dir", folder, "-N", "-C", "long"], capture_output=True, text=True, check=True)
    return re.findall(r"^ +Test +#\d+: (\S+)$", listed.stdout, re.M)


def problems_of_tests(document, text, names):
    """Tests that `ctest -R` names and that do not exist."""
    for name in re.findall(r"ctest (?:\S+ )*?-R ([\w.]+)", text):
        if not any(re.search(name, known) for known in names):
            yield f"{document}: there is no test {name}"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:] or blocks.documents()
    names = test_names(build)
    failures, counts = [], {}
    for document in wanted:
        text = (blocks.ROOT / document).read_text()
        if document.endswith(".md"):
            failures += blocks.problems_of(document, text)
            failures += problems_of_spans(document, text, build)
        failures += problems_of_tests(document, text, names)
        found, not_run = run_document(document, build)
        failures += found
        if not_run:
            counts[document] = not_run
    expected = {document: count for document, count in NOT_RUN.items() if document in wanted}
    if counts != expected:
        failures.append(f"blocks that are not run: {counts}; NOT_RUN of {pathlib.Path(__file__).name} has {expected}")
    print("\n".join(failures) or f"the commands of {len(wanted)} documents do what they say")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
