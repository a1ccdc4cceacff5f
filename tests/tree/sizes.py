#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a file or a function of the project is too large to be read in one go.

Limits: files 600 lines; functions 60 lines from their first line to the closing brace. C++ is read by its braces, which
.clang-format keeps in order, and not parsed.
"""
import argparse
import bisect
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["include", "src", "runtime", "icd", "compiler", "kernels-builtin", "conformance", "tests", "demo"]
#: In these only files have a limit: a test is a list of cases, and OpenCL C is written in macros.
FILES_ONLY = ("kernels-builtin/", "tests/", "conformance/")
MAX_LINES, MAX_FUNCTION = 600, 60

# Text that does not count as structure: comments, literals, preprocessor lines (with their continuation lines).
NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w'])'(?:\\.|[^'\\\n])+'|^[ ]*\#(?:\\\n|[^\n])*""",
    re.S | re.X | re.M)
NOT_A_FUNCTION = re.compile(r"\bnamespace\b[\w:\s]*$|^(?:extern|enum|union|using)\b|=\s*$|\breturn\b|^\s*$")
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:class|struct)\b(?!.*\)\s*(?:const)?\s*$)", re.S)


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


class Block:
    def __init__(self, kind, name, line):
        self.kind, self.name, self.line = kind, name, line


def kind_of(head, parent):
    """What a `{` after the text `head` opens: 'type', 'function' or 'other'."""
    if parent is not None and parent.kind == "function":
        return "other"
    if TYPE.match(head):
        return "type"
    if NOT_A_FUNCTION.search(head) or "(" not in head:
        return "other"
    return "function"


def name_of(head):
    found = re.search(r"([\w:~<>]*(?:operator\s*\S+)?)\s*\(", head)
    return found[1] if found else "?"


def blocks(text):
    """Every function with its last line."""
    text = NOISE.sub(blank, text)
    newlines = [at for at, c in enumerate(text) if c == "\n"]
    stack, begin, depth = [], 0, 0
    for token in re.finditer(r"[{};()]|\b(?:public|private|protected)\s*:", text):
        c, at = token[0], token.start()
        if c in "()":
            depth += 1 if c == "(" else -1
            continue
        if c == ";" and depth > 0 or c in "{}" and depth > 0 and c != "{" and not stack:
            continue
        head = text[begin:at].strip()
        parent = stack[-1][0] if stack else None
        if c == "{":
            kind = kind_of(head, parent) if depth == 0 else "other"
            if depth == 0 and kind == "other" and parent is not None and parent.kind == "type" and head:
                kind = "initialiser"
            first = begin + len(text[begin:at]) - len(text[begin:at].lstrip())
            block = Block("function" if parent is not None and parent.kind == "function" else kind, name_of(head),
                          bisect.bisect_left(newlines, first) + 1)
            block.outer = parent is None or parent.kind != "function"
            stack.append((block, depth, begin))
            depth = 0
            begin = token.end()
        elif c == "}":
            if not stack:
                return
            block, depth, before = stack.pop()
            if block.kind == "function" and block.outer:
                yield block, bisect.bisect_left(newlines, at) + 1
            begin = before if block.kind == "initialiser" or depth > 0 else token.end()
        else:
            begin = token.end()


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".h", ".cpp", ".c", ".cl", ".clh", ".def", ".inc", ".py"}:
                yield path


def problems(files, lines):
    for path in files:
        name = str(path.resolve().relative_to(ROOT))
        text = path.read_text()
        if text.count("\n") > MAX_LINES:
            yield f"{name} has {text.count(chr(10))} lines, more than {MAX_LINES}"
        if name.startswith(FILES_ONLY) or path.suffix not in {".h", ".cpp"}:
            continue
        for block, last in blocks(text):
            size = last - block.line + 1
            if size > lines:
                yield f"{name}:{block.line}: {block.name} has {size} lines, more than {lines}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="default: all of the project")
    parser.add_argument("--function", type=int, default=MAX_FUNCTION)
    arguments = parser.parse_args()
    found = list(problems(arguments.files or sources(), arguments.function))
    print("\n".join(found) or "files and functions are small enough")
    sys.exit(bool(found))
