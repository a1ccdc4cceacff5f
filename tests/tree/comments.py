#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a comment in C++ breaks a rule that a program can check.

* No line with a comment is longer than 120 columns: clang-format wraps code, but leaves comments alone.
* `@param` and `@tparam` begin their line, and name a parameter of the declaration that follows, with a description.
* In headers, the comment of a field (`///<`, `/**<`) begins with what the field is, not with a preposition or a pronoun
  ("bytes of a group", not "of a group, in bytes"): the reader looks at one field at a time.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["include", "src", "runtime", "icd", "compiler"]
COLUMNS = 120
NO_SUBJECT = frozenset("of in for with which that those these it they its by at from to on as whose".split())

TOKEN = re.compile(
    r"""(?P<literal>R"([^(\s]*)\(.*?\)\2"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+')|(?P<comment>//[^\n]*|/\*.*?\*/)""",
    re.S)
FIELD = re.compile(r"(?:///|/\*\*|//!|/\*!)<\s*([a-z]+)\b")
PARAMETER = re.compile(r"@t?param\b")
WELL_FORMED = re.compile(r"\s*(?:///|\*|/\*\*)\s+@t?param\s+(\w+)\s+\S")


def comments(text):
    """Every comment with the number of its first line, from 0."""
    for token in TOKEN.finditer(text):
        if token["comment"] is not None:
            yield text.count("\n", 0, token.start()), token["comment"]


def declaration_after(lines, number):
    """The declaration that follows the comment to which a line belongs: its text up to the first `;` or body."""
    while number < len(lines) and re.match(r"\s*(?:///|\*|/\*\*)", lines[number]):
        number += 1
    end = number
    while end < len(lines) and not re.search(r"[;{}]\s*(?://.*)?$", lines[end]):
        end += 1
    return "\n".join(lines[number:end + 1])


def problem_of_parameter(lines, number):
    form = WELL_FORMED.match(lines[number])
    if form is None:
        return "@param does not begin its line, or has no name or no description"
    if not re.search(rf"\b{form[1]}\b", declaration_after(lines, number)):
        return f"@param names {form[1]}, which the declaration does not have"
    return None


def problems_of(text, is_header):
    """Pairs of a line's number, from 1, and what is wrong there."""
    lines = text.split("\n")
    for first, comment in comments(text):
        for number in range(first, first + comment.count("\n") + 1):
            line = lines[number]
            if len(line) > COLUMNS:
                yield number + 1, f"the comment reaches column {len(line)}, more than {COLUMNS}"
            if PARAMETER.search(line) and (wrong := problem_of_parameter(lines, number)):
                yield number + 1, wrong
        field = FIELD.match(comment)
        if is_header and field and field[1] in NO_SUBJECT:
            yield first + 1, f'the comment of a field begins with "{field[1]}", not with what the field is'


def problems():
    """Triples of a file, a line and what is wrong there."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".def", ".inc"}:
                continue
            for number, wrong in problems_of(path.read_text(), path.suffix == ".h"):
                yield str(path.relative_to(ROOT)), number, wrong


if __name__ == "__main__":
    found = [f"{path}:{number}: {wrong}" for path, number, wrong in problems()]
    print("\n".join(found) or "comments keep their rules")
    sys.exit(bool(found))
