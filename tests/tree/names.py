#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when two classes, structures, unions or enumerations of the project have one name, nested ones included: a reader who
finds one of them by its name must not find another. doubled_names.txt lists those that there are; it may only shrink.

usage: names.py [--list]   (prints the list as it should be)
"""
import collections
import pathlib
import re
import sys

from comments import TOKEN

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("doubled_names.txt")
FOLDERS = ("include", "src", "icd", "runtime", "compiler")
#: A definition: not a declaration, a specialisation of a template, or the body of a class that another one declares.
DEFINITION = re.compile(r"\b(?:enum\s+class|class|struct|enum|union)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*|[A-Z_]+\([^)]*\)\s*)*"
                        r"([A-Z]\w*)(?!\w|\s*::|\s*<)(?:\s+final)?\s*(?::[^;{}()]*)?\{")


def without_comments(text):
    return TOKEN.sub(lambda token: token[0] if token["comment"] is None else " ", text)


def definitions():
    """Where each name is defined."""
    found = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".h", ".cpp"}:
                for match in DEFINITION.finditer(without_comments(path.read_text())):
                    found[match[1]].append(str(path.relative_to(ROOT)))
    return found


def listed():
    lines = [line.split() for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    return {name: int(count) for name, count in lines}


def problems(found, allowed):
    for name, places in sorted(found.items()):
        if len(places) > max(1, allowed.get(name, 1)):
            yield f"{name} is the name of {len(places)} classes: " + ", ".join(places)
    for name, count in sorted(allowed.items()):
        if len(found.get(name, [])) < count:
            yield f"{name} is not the name of {count} classes any more: take it off {LIST.name}, or lower the number"


def main():
    found = definitions()
    if "--list" in sys.argv:
        print("\n".join(f"{name} {len(places)}" for name, places in sorted(found.items()) if len(places) > 1))
        return False
    wrong = list(problems(found, listed()))
    print("\n".join(wrong) or f"{len(found)} classes have a name of their own, but for {len(listed())} names")
    return bool(wrong)


if __name__ == "__main__":
    # The check itself must be able to fail.
    assert list(problems({"A": ["a.h", "b.h"]}, {})) and list(problems({"A": ["a.h"]}, {"A": 2}))
    assert DEFINITION.search("class A final : public B {")[1] == "A" and not DEFINITION.search("struct A<int> {")
    sys.exit(main())
