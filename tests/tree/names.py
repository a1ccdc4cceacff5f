#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when two classes, structures, unions or enumerations of the project have one name, those of one file included: a reader
who finds one of them by its name must not find another. A member of a class is read with the class's name before it, so it may
be called as members of other classes are.
"""
import collections
import pathlib
import re
import sys

from comments import TOKEN

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("include", "src", "icd", "runtime", "compiler")
#: A definition outside of any class, which begins its line: not a declaration or a specialisation of a template.
DEFINITION = re.compile(r"^(?:enum\s+class|class|struct|enum|union)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*|[A-Z_]+\([^)]*\)\s*)*"
                        r"([A-Z]\w*)(?!\w|\s*::|\s*<)(?:\s+final)?\s*(?::[^;{}()]*)?\{", re.MULTILINE)


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


def problems(found):
    for name, places in sorted(found.items()):
        if len(places) > 1:
            yield f"{name} is the name of {len(places)} classes: " + ", ".join(places)


def main():
    found = definitions()
    wrong = list(problems(found))
    print("\n".join(wrong) or f"{len(found)} classes have a name of their own")
    return bool(wrong)


if __name__ == "__main__":
    # The check itself must be able to fail.
    assert list(problems({"A": ["a.h", "b.h"]})) and not list(problems({"A": ["a.h"]}))
    assert DEFINITION.search("class A final : public B {")[1] == "A" and not DEFINITION.search("struct A<int> {")
    sys.exit(main())
