#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a document points at something that is not there.

Checked: relative links; files named in backticks (`folder/file.h`, below the root or any folder of the project); and
the folder list of docs/architecture/overview.md, which must name every folder of the modules that it describes and no
other.

document_links.py --installed FOLDER: the relative links of the documents in a folder, of which all must lead to a file in it.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(#[^)]*)?\)")
NAMED = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]+\.(?:cpp|h|def|py|md|sh|cl|ll|json|in|map))`")
#: Modules whose sub-folders the architecture lists.
MODULES = ("src", "icd", "runtime", "compiler", "tests")


def files():
    """The files that git tracks or would add, without build folders. Without git: everything below the root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode == 0:
        return {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    return {str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()}


def problems_of_links(path, text, known):
    for target, _ in LINK.findall(text):
        if "://" not in target and not (path.parent / target).exists():
            yield f"the link to {target} leads nowhere"
    for name in NAMED.findall(text):
        if not any(pathlib.PurePath(file).match(name) for file in known):
            yield f"there is no file {name}"


def folders_of(known, module):
    return {name.split("/")[1] for name in known if name.startswith(module + "/") and name.count("/") > 1}


def problems_of_folder_list(text, known):
    """The first block of docs/architecture/overview.md: a module begins a line, its folders follow, each with a slash."""
    block = text.split("```")[1]
    listed, module = {}, None
    for line in block.splitlines():
        begin = re.match(r"([\w-]+)/ ", line)
        if begin:
            module = begin[1]
            listed[module] = set()
            line = line[begin.end() :]
        if module is not None:
            listed[module] |= set(re.findall(r"(?<![\w/])([\w-]+)/(?![\w<])", line))
    for module in MODULES:
        there = folders_of(known, module)
        # `src` and `icd` describe some of their folders in words; folders that they name must exist nevertheless.
        for name in sorted(listed.get(module, set()) - there):
            yield f"docs/architecture/overview.md lists {module}/{name}/, which is not there"
        if module not in ("src", "icd"):
            for name in sorted(there - listed.get(module, set())):
                yield f"docs/architecture/overview.md does not list {module}/{name}/"


def problems():
    known = files()
    for name in sorted(name for name in known if name.endswith(".md")):
        path = ROOT / name
        for problem in problems_of_links(path, path.read_text(), known):
            yield f"{name}: {problem}"
    yield from problems_of_folder_list((ROOT / "docs/architecture/overview.md").read_text(), known)


def problems_of_installed(folder):
    """Links that lead nowhere, or out of the folder."""
    for path in sorted(folder.rglob("*.md")):
        for target, _ in LINK.findall(path.read_text()):
            place = (path.parent / target).resolve()
            if "://" not in target and not (place.exists() and place.is_relative_to(folder.resolve())):
                yield f"{path.relative_to(folder)}: the link to {target} leads nowhere"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--installed"]:
        folder = pathlib.Path(sys.argv[2])
        assert (folder / "README.md").exists(), f"no documents in {folder}"
        found = list(problems_of_installed(folder))
        print("\n".join(found) or "every link of the installed documents is there")
        sys.exit(bool(found))
    # The checks themselves must be able to fail.
    wrong = list(problems_of_links(ROOT / "README.md", "[a](docs/none.md) `lanes/none.h`", {"compiler/lanes/cost.h"}))
    assert len(wrong) == 2, wrong
    found = list(problems())
    print("\n".join(found) or "every link and folder of the documents is there")
    sys.exit(bool(found))
